//! What a sailor would say of a sea: how high, how long, from where. And the curves a page plots.
//!
//! A tile holds only the waves that fit on it and that its grid resolves, so a cascade's height is taken from the *discrete*
//! variance m₀ = Σ S Θ (dω/dk)/k Δk_x Δk_z of its grid, not from ∫S dω: where a tile cannot hold the peak the two differ by
//! half and more. With the factor a on h₀ the surface's variance is 8a²m₀, and the significant wave height four times its root.

use std::f64::consts::TAU;

use crate::sea_state::SeaState;
use crate::spectrum::CascadeSpectrum;

/// The discrete variance m₀ of a grid of `resolution`², m², without DC, Nyquist row and column. Without amplitude and
/// Displacement Scale. Costs about `resolution`²/10 µs.
pub fn cascade_variance(spectrum: &CascadeSpectrum, resolution: u32) -> f64 {
    let mut variance = 0.0;
    spectrum.for_each_bin(resolution, |_, _, bin| variance += bin);
    variance
}

/// Significant wave height of one cascade, m: 4√(8a²m₀), which is 4√m₀ where metres are metres. Without Displacement Scale.
pub fn cascade_wave_height(spectrum: &CascadeSpectrum, resolution: u32) -> f64 {
    wave_height(surface_variance(spectrum, cascade_variance(spectrum, resolution)))
}

/// Significant wave height of a sea as drawn, m: cascades are independent, so their variances add, each times its
/// Displacement Scale squared.
pub fn significant_wave_height(sea: &SeaState, resolution: u32) -> f64 {
    wave_height(drawn_variances(sea, resolution).iter().map(|(_, variance)| variance).sum())
}

/// The period at which S(ω) is largest, s. In deep water 2π/ω_p; the depth moves it a little.
pub fn peak_period(spectrum: &CascadeSpectrum) -> f64 {
    TAU / tma_peak(spectrum)
}

/// The peak period of the cascade that carries most of a sea's energy as drawn, s; of the first where none has any.
///
/// # Panics
/// If the sea has no cascade.
pub fn dominant_period(sea: &SeaState, resolution: u32) -> f64 {
    let drawn = drawn_variances(sea, resolution);
    let mut dominant = &drawn[0];
    for candidate in &drawn[1..] {
        if candidate.1 > dominant.1 {
            dominant = candidate;
        }
    }
    peak_period(&dominant.0)
}

/// Where the energy goes to, and how unanimously.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Energy-weighted mean heading, degrees in [0, 360): 0 is +x, 90 is +z.
    pub heading: f64,
    /// |Σ E e^{iθ}| / Σ E: 1 is all one way, 0 evenly around (the heading then means nothing).
    pub concentration: f64,
}

/// Mean direction of one cascade's grid.
pub fn mean_direction(spectrum: &CascadeSpectrum, resolution: u32) -> Direction {
    let mut sum = DirectionSum::default();
    sum.add(spectrum, resolution, 1.0);
    sum.direction()
}

/// Mean direction of a sea as drawn: all cascades, each weighted with its variance as drawn.
pub fn sea_direction(sea: &SeaState, resolution: u32) -> Direction {
    let mut sum = DirectionSum::default();
    for (spectrum, cascade) in CascadeSpectrum::all(sea).iter().zip(&sea.cascades) {
        sum.add(spectrum, resolution, squared(cascade.admitted().displacement_scale));
    }
    sum.direction()
}

/// ∫ω^`order` S dω, for orders below 4 where it exists, by Simpson's rule on a logarithmic axis: what the sea would have
/// without tiles and grids. Order 0 is the variance m₀, to 10⁻⁵. Without the amplitude and the detail factor.
pub fn spectral_moment(spectrum: &CascadeSpectrum, order: i32) -> f64 {
    // Below 0.4 ω_p there is e⁻⁴³ of the peak; the tail falls as ω⁻⁴, and 200 ω_p leaves 10⁻⁸ of m₀.
    let (from, to) = (libm::log(0.4 * spectrum.peak_omega), libm::log(200.0 * spectrum.peak_omega));
    let steps = 4000;
    let width = (to - from) / f64::from(steps);
    let mut sum = 0.0;
    for step in 0..=steps {
        let omega = libm::exp(from + width * f64::from(step));
        let weight = match step {
            _ if step == 0 || step == steps => 1.0,
            _ if step % 2 == 1 => 4.0,
            _ => 2.0,
        };
        sum += weight * libm::pow(omega, f64::from(order + 1)) * spectrum.tma(omega);
    }
    sum * width / 3.0
}

/// The one-dimensional spectrum for a plot: `samples` points (ω rad/s, S m²·s), evenly over `from..=to` rad/s.
pub fn frequency_spectrum(spectrum: &CascadeSpectrum, from: f64, to: f64, samples: usize) -> Vec<[f64; 2]> {
    evenly(from, to, samples).map(|omega| [omega, spectrum.tma(omega)]).collect()
}

/// The directional spectrum for a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionalSamples {
    /// Frequencies, rad/s: the rows.
    pub omegas: Vec<f64>,
    /// Headings, radians, 0 is +x and π/2 is +z, once around without its end: the columns.
    pub headings: Vec<f64>,
    /// S(ω) Θ(ω, θ), m²·s/rad, row by row. Without the detail factor.
    pub density: Vec<f64>,
}

/// S(ω) Θ(ω, θ) on `omegas` frequencies evenly over `from..=to` rad/s and `headings` headings evenly around the circle.
pub fn directional_spectrum(
    spectrum: &CascadeSpectrum,
    from: f64,
    to: f64,
    omegas: usize,
    headings: usize,
) -> DirectionalSamples {
    let omegas: Vec<f64> = evenly(from, to, omegas).collect();
    let headings: Vec<f64> = (0..headings).map(|index| TAU * index as f64 / headings as f64).collect();
    let mut density = Vec::with_capacity(omegas.len() * headings.len());
    for &omega in &omegas {
        let energy = spectrum.tma(omega);
        let spread = spectrum.spreading(omega);
        density.extend(headings.iter().map(|heading| energy * spread(heading - spectrum.heading)));
    }
    DirectionalSamples { omegas, headings, density }
}

/// About [`cascade_wave_height`] for a grid of `resolution`², in at most 1850 evaluations whatever the resolution: within a
/// factor of 2 for the presets, and finite and positive for every sea, since it is there to scale by.
///
/// Bins near the origin, where few waves carry most of the energy, are taken one by one; further out, blocks of bins that
/// grow by half from one to the next count as their middle.
pub fn estimated_wave_height(spectrum: &CascadeSpectrum, resolution: u32) -> f64 {
    const FLOOR: f64 = 1e-6;
    let blocks = signed_blocks(resolution);
    let area = spectrum.bin_area();
    let [step_x, step_z] = spectrum.tile_length.map(|length| TAU / length);
    let mut variance = 0.0;
    for z in &blocks {
        for x in &blocks {
            variance += spectrum.variance_density(x.middle * step_x, z.middle * step_z) * (area * x.width * z.width);
        }
    }
    wave_height(surface_variance(spectrum, variance)).max(FLOOR)
}

/// Neighbouring indices along one axis.
#[derive(Clone, Copy)]
struct Block {
    middle: f64,
    width: f64,
}

/// Blocks that cover −(N/2 − 1) ..= N/2 − 1.
fn signed_blocks(resolution: u32) -> Vec<Block> {
    const SINGLE: u32 = 6;
    let end = resolution / 2;
    let mut blocks = vec![Block { middle: 0.0, width: 1.0 }];
    let mut first = 1;
    while first < end {
        let width = if first <= SINGLE { 1 } else { (first / 2).min(end - first) };
        let middle = f64::from(first) + 0.5 * f64::from(width - 1);
        for sign in [1.0, -1.0] {
            blocks.push(Block { middle: sign * middle, width: f64::from(width) });
        }
        first += width;
    }
    blocks
}

fn surface_variance(spectrum: &CascadeSpectrum, m0: f64) -> f64 {
    8.0 * spectrum.amplitude * spectrum.amplitude * m0
}

fn wave_height(variance: f64) -> f64 {
    4.0 * libm::sqrt(variance)
}

/// Each cascade's variance as drawn, m².
fn drawn_variances(sea: &SeaState, resolution: u32) -> Vec<(CascadeSpectrum, f64)> {
    let spectra = CascadeSpectrum::all(sea).into_iter();
    spectra
        .zip(&sea.cascades)
        .map(|(spectrum, cascade)| {
            let variance = surface_variance(&spectrum, cascade_variance(&spectrum, resolution));
            (spectrum, variance * squared(cascade.admitted().displacement_scale))
        })
        .collect()
}

fn squared(value: f32) -> f64 {
    f64::from(value) * f64::from(value)
}

/// arg max S(ω), by golden section. Φ grows at most as ω², which alone would move the peak up by a factor (5/3)^¼; the
/// enhancement is so narrow that it stays within 1.5 % of ω_p.
fn tma_peak(spectrum: &CascadeSpectrum) -> f64 {
    let (mut low, mut high) = (0.95 * spectrum.peak_omega, 1.05 * spectrum.peak_omega);
    let golden = 0.618_033_988_749_894_9;
    for _ in 0..60 {
        let width = golden * (high - low);
        if spectrum.tma(high - width) < spectrum.tma(low + width) {
            low = high - width;
        } else {
            high = low + width;
        }
    }
    0.5 * (low + high)
}

fn evenly(from: f64, to: f64, samples: usize) -> impl Iterator<Item = f64> {
    let last = samples.saturating_sub(1).max(1) as f64;
    (0..samples).map(move |index| from + (to - from) * index as f64 / last)
}

/// Σ E e^{iθ} and Σ E.
#[derive(Default)]
struct DirectionSum {
    along: [f64; 2],
    energy: f64,
}

impl DirectionSum {
    /// Less than this, m², is no wave, and its products with a direction would be rounded to where they no longer agree with it.
    const LEAST_ENERGY: f64 = 1e-280;

    fn add(&mut self, spectrum: &CascadeSpectrum, resolution: u32, weight: f64) {
        let weight = weight * surface_variance(spectrum, 1.0);
        spectrum.for_each_bin(resolution, |ix, iz, bin| {
            let energy = weight * bin;
            if energy > Self::LEAST_ENERGY {
                let [kx, kz] = spectrum.wave_vector(ix, iz);
                let per_k = energy / libm::sqrt(kx * kx + kz * kz);
                self.along[0] += per_k * kx;
                self.along[1] += per_k * kz;
                self.energy += energy;
            }
        });
    }

    fn direction(&self) -> Direction {
        if self.energy <= 0.0 {
            return Direction { heading: 0.0, concentration: 0.0 };
        }
        let [x, z] = self.along;
        let degrees = libm::atan2(z, x) * (360.0 / TAU);
        let heading = if degrees < 0.0 { degrees + 360.0 } else { degrees };
        Direction { heading: if heading < 360.0 { heading } else { 0.0 }, concentration: libm::hypot(x, z) / self.energy }
    }
}
