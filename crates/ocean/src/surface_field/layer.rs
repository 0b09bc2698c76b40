//! One cascade of the field: its random amplitudes, and the step from them to its maps at a moment.
//!
//! h(k, t) = h₀(k) e^{−iωt} + conj(h₀(−k)) e^{+iωt}, transformed with e^{+ik·x}, sends crests downwind (Tessendorf 2004,
//! eq. 43, with the sign of time that does so). All fields come from it by multiplication: D = +i k/|k| h, which sharpens
//! crests where vertices are drawn at x + D; ∂/∂x by i k_x; ∂/∂t term by term.

use crate::clock::{Clock, angle};
use crate::dispersion::{frequency_table, looped_omega};
use crate::spectrum::CascadeSpectrum;

use super::fft::{InverseFft, Plane};
use super::maps::Maps;
use super::waves::DrawnCascade;

/// Amplitudes below this, m, are nothing: the numbers they lead to would be subnormal, which some processors add a hundred
/// times more slowly.
const NEGLIGIBLE: f32 = 1e-30;

#[derive(Clone, Debug)]
pub(super) struct Layer {
    spectrum: CascadeSpectrum,
    resolution: usize,
    pub displacement_scale: f32,
    pub time_scale: f32,
    /// Of the maps as they are, which may still be those of the spectrum before.
    pub texels_per_metre: [f64; 2],
    /// The maps at hand are of no use to blend from: there have been none, or they were of another tile.
    fresh: bool,
    bins: Bins,
    pub previous: Maps,
    pub current: Maps,
}

/// The spectrum side, one entry a bin, in the order of the transform: index j is the signed index j or j − N.
#[derive(Clone, Debug)]
struct Bins {
    /// h(k, t) = `cosine` cos ωt + `sine` sin ωt: h₀(k) + conj(h₀(−k)), and −i(h₀(k) − conj(h₀(−k))).
    cosine: Plane,
    sine: Plane,
    /// ω in rad/s and 1/|k| in m (0 at DC).
    omega: Vec<f32>,
    inverse_k: Vec<f32>,
    /// k_x of each column and k_z of each row, rad/m.
    kx: Vec<f32>,
    kz: Vec<f32>,
    /// The quarter grid of [`frequency_table`].
    frequencies: Vec<u16>,
}

/// What a rebuild needs besides its layer, shared by all of them.
#[derive(Clone, Debug)]
pub(super) struct Workshop {
    fft: InverseFft,
    /// cos ωt and sin ωt on the quarter grid.
    phases: Plane,
    /// Two real fields each, first + i second: see [`Bins::pack_row`].
    planes: [Plane; 6],
    row: Row,
}

/// One row of bins: cos ωt and sin ωt, h and ∂h/∂t.
#[derive(Clone, Debug)]
struct Row {
    cos: Vec<f32>,
    sin: Vec<f32>,
    h: Complex,
    rate: Complex,
}

#[derive(Clone, Debug)]
struct Complex {
    re: Vec<f32>,
    im: Vec<f32>,
}

impl Workshop {
    pub fn new(resolution: usize) -> Self {
        let row = || vec![0.0; resolution];
        let complex = || Complex { re: row(), im: row() };
        Self {
            fft: InverseFft::new(resolution),
            phases: Plane::new(resolution / 2 + 1),
            planes: std::array::from_fn(|_| Plane::new(resolution)),
            row: Row { cos: row(), sin: row(), h: complex(), rate: complex() },
        }
    }
}

impl Layer {
    /// A layer at rest.
    pub fn new(spectrum: CascadeSpectrum, resolution: usize) -> Self {
        Self {
            resolution,
            displacement_scale: 1.0,
            time_scale: 1.0,
            texels_per_metre: spectrum.tile_length.map(|length| resolution as f64 / length),
            fresh: true,
            bins: Bins::new(&spectrum, resolution),
            spectrum,
            previous: Maps::flat(resolution),
            current: Maps::flat(resolution),
        }
    }

    /// Takes another spectrum, and does nothing if it is the one it has. The maps stay until the next rebuild. Returns whether it is another.
    pub fn set_spectrum(&mut self, spectrum: CascadeSpectrum) -> bool {
        let another = self.spectrum != spectrum;
        if another {
            self.bins = Bins::new(&spectrum, self.resolution);
            self.fresh |= self.spectrum.tile_length != spectrum.tile_length;
            self.spectrum = spectrum;
        }
        another
    }

    /// Texels along each edge.
    pub fn resolution(&self) -> usize {
        self.resolution
    }

    /// The cascade as it is drawn.
    pub fn drawn(&self) -> DrawnCascade {
        DrawnCascade::new(self.spectrum, self.displacement_scale)
    }

    /// ω of bin (i_x, i_z), rad/s, as its phase turns.
    pub fn omega(&self, ix: i32, iz: i32) -> f64 {
        looped_omega(self.bins.frequency(ix, iz))
    }

    /// Heights as the real and their rates as the imaginary part, before Displacement Scale.
    pub fn heights_and_rates(&self, plane: &mut Plane) {
        let texels = self.current.displacement.iter().zip(&self.current.velocity);
        for ((re, im), (displacement, velocity)) in plane.re.iter_mut().zip(&mut plane.im).zip(texels) {
            (*re, *im) = (displacement[1], velocity[1]);
        }
    }

    /// Makes the current maps the previous ones, and new ones for what `clock` shows.
    pub fn rebuild(&mut self, clock: Clock, shop: &mut Workshop) {
        self.bins.phases(clock, &mut shop.phases);
        for z in 0..self.resolution {
            self.bins.propagate_row(z, &shop.phases, &mut shop.row);
            self.bins.pack_row(z, &shop.row, &mut shop.planes);
        }
        for plane in &mut shop.planes {
            shop.fft.transform(plane);
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        unpack(&shop.planes, &mut self.current);
        if std::mem::take(&mut self.fresh) {
            self.texels_per_metre = self.spectrum.tile_length.map(|length| self.resolution as f64 / length);
            self.previous = self.current.clone();
        }
    }
}

impl Bins {
    fn new(spectrum: &CascadeSpectrum, n: usize) -> Self {
        let mut bins = Self {
            cosine: Plane::new(n),
            sine: Plane::new(n),
            omega: vec![0.0; n * n],
            inverse_k: vec![0.0; n * n],
            kx: (0..n).map(|at| spectrum.wave_vector(signed(at, n), 0)[0] as f32).collect(),
            kz: (0..n).map(|at| spectrum.wave_vector(0, signed(at, n))[1] as f32).collect(),
            frequencies: frequency_table(spectrum.tile_length.map(|length| length as f32), spectrum.depth as f32, n as u32),
        };
        spectrum.for_each_bin(n as u32, |ix, iz, variance| {
            let h0 = spectrum.realise(ix, iz, variance).map(significant);
            bins.set(spectrum, n, [ix, iz], h0);
        });
        bins
    }

    /// Enters h₀ of one bin where it counts, at the bin itself and conjugated at its mirror image.
    fn set(&mut self, spectrum: &CascadeSpectrum, n: usize, [ix, iz]: [i32; 2], [re, im]: [f32; 2]) {
        let at = unsigned(iz, n) * n + unsigned(ix, n);
        let mirror = unsigned(-iz, n) * n + unsigned(-ix, n);
        self.cosine.re[at] += re;
        self.cosine.im[at] += im;
        self.cosine.re[mirror] += re;
        self.cosine.im[mirror] -= im;
        self.sine.re[at] += im;
        self.sine.im[at] -= re;
        self.sine.re[mirror] += im;
        self.sine.im[mirror] += re;
        self.omega[at] = looped_omega(self.frequency(ix, iz)) as f32;
        let [kx, kz] = spectrum.wave_vector(ix, iz);
        let k = libm::sqrt(kx * kx + kz * kz);
        self.inverse_k[at] = if k > 0.0 { (1.0 / k) as f32 } else { 0.0 };
    }

    fn frequency(&self, ix: i32, iz: i32) -> u16 {
        let edge = self.kx.len() / 2 + 1;
        self.frequencies[iz.unsigned_abs() as usize * edge + ix.unsigned_abs() as usize]
    }

    /// cos ωt and sin ωt on the quarter grid.
    fn phases(&self, clock: Clock, phases: &mut Plane) {
        let step = clock.phase_step();
        for ((cos, sin), &index) in phases.re.iter_mut().zip(&mut phases.im).zip(&self.frequencies) {
            (*sin, *cos) = libm::sincosf(angle(index, step) as f32);
        }
    }

    /// h(k, t) and ∂h/∂t of row `z`.
    fn propagate_row(&self, z: usize, phases: &Plane, row: &mut Row) {
        let n = self.kx.len();
        let edge = n / 2 + 1;
        let quarter = signed(z, n).unsigned_abs() as usize * edge;
        mirror_into(&mut row.cos, &phases.re[quarter..quarter + edge]);
        mirror_into(&mut row.sin, &phases.im[quarter..quarter + edge]);
        let bins = z * n..(z + 1) * n;
        let omega = &self.omega[bins.clone()];
        oscillate(
            &mut row.h.re,
            &mut row.rate.re,
            &self.cosine.re[bins.clone()],
            &self.sine.re[bins.clone()],
            omega,
            [&row.cos, &row.sin],
        );
        oscillate(
            &mut row.h.im,
            &mut row.rate.im,
            &self.cosine.im[bins.clone()],
            &self.sine.im[bins],
            omega,
            [&row.cos, &row.sin],
        );
    }

    /// The spectra of eleven real fields of row `z`, two to a plane as first + i second. Fields of similar size share one,
    /// since what a transform rounds off is relative to the larger.
    fn pack_row(&self, z: usize, row: &Row, planes: &mut [Plane; 6]) {
        let n = self.kx.len();
        let bins = z * n..(z + 1) * n;
        let kz = self.kz[z];
        let (kx, inverse_k) = (&self.kx[..], &self.inverse_k[bins.clone()]);
        let [h_and_dx, dz_and_h_rate, slopes, stretches, shear, rates] = planes;
        let waves = |h| Waves { h, kx, inverse_k };
        // D = +i k/|k| h, and i times that as the second field: −k/|k| h.
        waves(&row.h).times(h_and_dx, &bins, |kx, inverse_k| [1.0 - kx * inverse_k, 0.0]);
        waves(&row.h).times(dz_and_h_rate, &bins, |_, inverse_k| [0.0, kz * inverse_k]);
        add_second(dz_and_h_rate, &bins, &row.rate);
        waves(&row.h).times(slopes, &bins, |kx, _| [-kz, kx]);
        waves(&row.h).times(stretches, &bins, |kx, inverse_k| [-kx * kx * inverse_k, -kz * kz * inverse_k]);
        waves(&row.h).times(shear, &bins, |kx, inverse_k| [-kx * kz * inverse_k, 0.0]);
        waves(&row.rate).times(rates, &bins, |kx, inverse_k| [-kz * inverse_k, kx * inverse_k]);
    }
}

/// A row of h or its rate, with the wave vectors it belongs to.
struct Waves<'a> {
    h: &'a Complex,
    kx: &'a [f32],
    inverse_k: &'a [f32],
}

impl Waves<'_> {
    /// Writes `factor(k_x, 1/|k|)` × h, complex, to the row `bins` of `plane`.
    #[inline(always)]
    fn times(&self, plane: &mut Plane, bins: &std::ops::Range<usize>, factor: impl Fn(f32, f32) -> [f32; 2]) {
        let n = self.kx.len();
        let (out_re, out_im) = (&mut plane.re[bins.clone()][..n], &mut plane.im[bins.clone()][..n]);
        let (h_re, h_im, inverse_k) = (&self.h.re[..n], &self.h.im[..n], &self.inverse_k[..n]);
        for at in 0..n {
            let [re, im] = factor(self.kx[at], inverse_k[at]);
            out_re[at] = re * h_re[at] - im * h_im[at];
            out_im[at] = re * h_im[at] + im * h_re[at];
        }
    }
}

/// Adds i × `field` to the row `bins` of `plane`.
fn add_second(plane: &mut Plane, bins: &std::ops::Range<usize>, field: &Complex) {
    for (out, im) in plane.re[bins.clone()].iter_mut().zip(&field.im) {
        *out -= im;
    }
    for (out, re) in plane.im[bins.clone()].iter_mut().zip(&field.re) {
        *out += re;
    }
}

/// value = cosine·cos ωt + sine·sin ωt, and its derivative.
fn oscillate(value: &mut [f32], rate: &mut [f32], cosine: &[f32], sine: &[f32], omega: &[f32], [cos, sin]: [&[f32]; 2]) {
    let n = value.len();
    let (rate, cosine, sine) = (&mut rate[..n], &cosine[..n], &sine[..n]);
    let (omega, cos, sin) = (&omega[..n], &cos[..n], &sin[..n]);
    for at in 0..n {
        value[at] = cosine[at] * cos[at] + sine[at] * sin[at];
        rate[at] = omega[at] * (sine[at] * cos[at] - cosine[at] * sin[at]);
    }
}

/// A row of N from its half 0..=N/2, which −1, −2 … repeat backwards.
fn mirror_into(row: &mut [f32], half: &[f32]) {
    let (first, second) = row.split_at_mut(half.len());
    first.copy_from_slice(half);
    let repeated = half[1..half.len() - 1].iter().rev();
    for (out, value) in second.iter_mut().zip(repeated) {
        *out = *value;
    }
}

/// Planes to texels; the order is [`Bins::pack_row`]'s.
fn unpack(planes: &[Plane; 6], maps: &mut Maps) {
    let [h_and_dx, dz_and_h_rate, slopes, stretches, shear, rates] = planes;
    for (at, out) in maps.displacement.iter_mut().enumerate() {
        *out = [h_and_dx.im[at], h_and_dx.re[at], dz_and_h_rate.re[at], shear.re[at]];
    }
    for (at, out) in maps.gradient.iter_mut().enumerate() {
        *out = [slopes.re[at], slopes.im[at], stretches.re[at], stretches.im[at]];
    }
    for (at, out) in maps.velocity.iter_mut().enumerate() {
        *out = [rates.re[at], dz_and_h_rate.im[at], rates.im[at], 0.0];
    }
}

fn significant(amplitude: f64) -> f32 {
    let amplitude = amplitude as f32;
    if amplitude.abs() < NEGLIGIBLE { 0.0 } else { amplitude }
}

fn signed(at: usize, n: usize) -> i32 {
    if at < n / 2 { at as i32 } else { at as i32 - n as i32 }
}

/// Where the signed index `index` of a bin stands in a row or column.
pub(super) fn unsigned(index: i32, n: usize) -> usize {
    index.rem_euclid(n as i32) as usize
}
