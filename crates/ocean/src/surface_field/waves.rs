//! The waves that a field's maps are made of, taken from the maps again: what a spectrum is measured from.
//!
//! A picture of heights cannot tell a wave from the one that runs the other way. The heights η and their rates ∂η/∂t at one moment can: at
//! wave vector k their transforms are h = A + B and r = −iω A + iω B, where A is the wave towards k and B the one towards −k, so
//! A = (h + i r/ω)/2, and 2|A|² is its share of the variance of the heights. Only ω is taken from the dispersion relation.

use crate::spectrum::CascadeSpectrum;

use super::SurfaceField;
use super::fft::{InverseFft, Plane};
use super::layer::{Layer, unsigned};

/// A cascade as it is drawn: its spectrum, and what scales it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnCascade {
    /// Whose waves they are.
    pub spectrum: CascadeSpectrum,
    /// 8 a² times the Displacement Scale squared: what the spectrum's variance is multiplied by in the surface.
    pub variance_factor: f64,
}

impl DrawnCascade {
    /// `spectrum` drawn at `displacement_scale`.
    pub fn new(spectrum: CascadeSpectrum, displacement_scale: f32) -> Self {
        let scale = spectrum.amplitude * f64::from(displacement_scale);
        Self { spectrum, variance_factor: 8.0 * scale * scale }
    }
}

/// One wave of a field, as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeWave {
    /// Which of [`SurfaceField::drawn_cascades`] it belongs to.
    pub cascade: usize,
    /// Its frequency, rad/s.
    pub omega: f64,
    /// Unit vector of where it goes to (x, z).
    pub direction: [f64; 2],
    /// Its variance in the mean over all seeds, m².
    pub expected: f64,
    /// Its variance in the maps of the last update, m².
    pub measured: f64,
}

impl SurfaceField {
    /// The cascades that move the surface, in their order.
    pub fn drawn_cascades(&self) -> impl Iterator<Item = DrawnCascade> + '_ {
        self.layers.iter().map(Layer::drawn).filter(|drawn| drawn.variance_factor > 0.0)
    }

    /// Visits every wave of every cascade that moves the surface. Those of one frequency that are mirror images of each other in the grid's axes come one after
    /// the other. Costs one transform and one evaluation of the spectrum a cascade.
    ///
    /// The maps are those of the last [`update`](Self::update): after [`set_sea`](Self::set_sea) they are the sea's only with the next.
    pub fn for_each_wave(&self, mut visit: impl FnMut(LatticeWave)) {
        let mut fft = InverseFft::new(self.resolution);
        let mut plane = Plane::new(self.resolution);
        let drawn = self.layers.iter().filter(|layer| layer.drawn().variance_factor > 0.0);
        for (cascade, layer) in drawn.enumerate() {
            layer.heights_and_rates(&mut plane);
            fft.transform(&mut plane);
            visit_layer(layer, cascade, &plane, &mut visit);
        }
    }
}

fn visit_layer(layer: &Layer, cascade: usize, transformed: &Plane, visit: &mut impl FnMut(LatticeWave)) {
    let (n, drawn) = (layer.resolution(), layer.drawn());
    let scale = f64::from(layer.displacement_scale);
    drawn.spectrum.for_each_bin(n as u32, |ix, iz, variance| {
        let [kx, kz] = drawn.spectrum.wave_vector(ix, iz);
        let k = libm::sqrt(kx * kx + kz * kz);
        let omega = layer.omega(ix, iz);
        if k > 0.0 && omega > 0.0 {
            let amplitude = scale * amplitude(transformed, n, [ix, iz], omega);
            visit(LatticeWave {
                cascade,
                omega,
                direction: [kx / k, kz / k],
                expected: drawn.variance_factor * variance,
                measured: 2.0 * amplitude * amplitude,
            });
        }
    });
}

/// |A| of one wave, m, from the transform Z of η + i ∂η/∂t. That transform has the sign of +ik·x, so Z(k) holds the conjugates:
/// 2N² conj(A) = Z(k) (1 − 1/ω)/2 + conj(Z(−k)) (1 + 1/ω)/2.
fn amplitude(transformed: &Plane, n: usize, [ix, iz]: [i32; 2], omega: f64) -> f64 {
    let value = |ix: i32, iz: i32| {
        let at = unsigned(iz, n) * n + unsigned(ix, n);
        [f64::from(transformed.re[at]), f64::from(transformed.im[at])]
    };
    let ([re, im], [mirrored_re, mirrored_im]) = (value(ix, iz), value(-ix, -iz));
    let (with, against) = (0.5 * (1.0 - 1.0 / omega), 0.5 * (1.0 + 1.0 / omega));
    let (sum_re, sum_im) = (with * re + against * mirrored_re, with * im - against * mirrored_im);
    libm::sqrt(sum_re * sum_re + sum_im * sum_im) / (2.0 * (n * n) as f64)
}
