//! What the formulas say of a sea on open water: without tiles, so for any frequency and heading, and without a throw of the dice.

use std::f64::consts::TAU;

use crate::dispersion::omega;
use crate::spectrum::CascadeSpectrum;
use crate::statistics::spectral_moment;
use crate::surface_field::DrawnCascade;

/// Frequencies that [`direction_curve`] sums over, on a logarithmic axis.
const FREQUENCIES: usize = 64;

/// S(ω) of all `cascades` as drawn, m²·s.
pub fn frequency_density(cascades: &[DrawnCascade], omega: f64) -> f64 {
    cascades.iter().map(|drawn| drawn.variance_factor * detailed(&drawn.spectrum, omega)).sum()
}

/// `samples` points (ω rad/s, S m²·s), evenly from 0 to `to` rad/s, both included.
pub fn frequency_curve(cascades: &[DrawnCascade], to: f64, samples: usize) -> Vec<[f64; 2]> {
    let last = samples.saturating_sub(1).max(1) as f64;
    (0..samples).map(|index| to * index as f64 / last).map(|omega| [omega, frequency_density(cascades, omega)]).collect()
}

/// D(θ) = ∫S Θ dω of all `cascades` as drawn, m²/rad, at `headings` headings evenly around the circle from 0, which is +x.
pub fn direction_curve(cascades: &[DrawnCascade], headings: usize) -> Vec<f64> {
    let mut density = vec![0.0; headings];
    for drawn in cascades {
        let spectrum = &drawn.spectrum;
        // Below 0.5 ω_p there is e⁻²⁰ of the peak; the tail falls as ω⁻⁴, and 12 ω_p leaves 10⁻⁴ of the variance.
        let (from, to) = (libm::log(0.5 * spectrum.peak_omega), libm::log(12.0 * spectrum.peak_omega));
        let width = (to - from) / FREQUENCIES as f64;
        for step in 0..FREQUENCIES {
            let omega = libm::exp(from + width * (step as f64 + 0.5));
            let energy = drawn.variance_factor * detailed(spectrum, omega) * omega * width;
            let spread = spectrum.spreading(omega);
            for (index, density) in density.iter_mut().enumerate() {
                *density += energy * spread(TAU * index as f64 / headings as f64 - spectrum.heading);
            }
        }
    }
    density
}

/// The variance of all `cascades` as drawn, m². Without the detail factor, which takes the shortest waves only.
pub fn variance(cascades: &[DrawnCascade]) -> f64 {
    cascades.iter().map(|drawn| drawn.variance_factor * spectral_moment(&drawn.spectrum, 0)).sum()
}

/// S(ω) with the detail factor.
fn detailed(spectrum: &CascadeSpectrum, omega: f64) -> f64 {
    let density = spectrum.tma(omega);
    if density > 0.0 && spectrum.detail < 1.0 {
        density * spectrum.detail_factor(wave_number(omega, spectrum.depth))
    } else {
        density
    }
}

/// k in rad/m of a frequency in rad/s, by Newton's method from deep water's: the inverse of [`omega`].
fn wave_number(frequency: f64, depth: f64) -> f64 {
    let mut k = frequency * frequency / crate::sea_state::GRAVITY;
    for _ in 0..20 {
        let error = omega(k, depth) - frequency;
        k -= error / crate::dispersion::group_speed(k, depth);
        if error.abs() < 1e-9 * frequency {
            break;
        }
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_number_has_its_frequency() {
        for depth in [0.1, 3.0, 20.0, 10_000.0] {
            for frequency in [0.01, 0.3, 1.0, 6.0, 60.0] {
                let k = wave_number(frequency, depth);
                assert!((omega(k, depth) / frequency - 1.0).abs() < 1e-8, "{frequency} rad/s on {depth} m: {k}");
            }
        }
    }
}
