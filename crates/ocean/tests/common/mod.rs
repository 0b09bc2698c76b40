//! The field by its definition, in `f64`, one wave at a time: what the fast code is held against.

#![allow(dead_code, reason = "each test file uses what it needs")]

use ocean::clock::Clock;
use ocean::dispersion::{frequency_index, looped_omega};
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState};

/// A sea of one cascade.
pub fn sea_of(cascade: Cascade, depth: f32, amplitude: Amplitude) -> SeaState {
    SeaState { sea_depth: depth, seed: 1234, amplitude, cascades: vec![cascade] }
}

/// One wave of the field: h(k, t) and its rate, for one bin.
pub struct Wave {
    pub index: [i32; 2],
    pub k: [f64; 2],
    pub h: [f64; 2],
    pub rate: [f64; 2],
}

/// All waves of a grid of `resolution`² at `seconds` after a clock's zero, frequencies looped, the phase reduced in `f64`.
pub fn waves(spectrum: &CascadeSpectrum, resolution: u32, seconds: f64) -> Vec<Wave> {
    let half = (resolution / 2) as i32;
    let mut waves = Vec::new();
    for iz in 1 - half..half {
        for ix in 1 - half..half {
            let k = spectrum.wave_vector(ix, iz);
            let omega = looped_omega(frequency_index(k[0].hypot(k[1]), spectrum.depth));
            let ([a, b], [c, d]) = (spectrum.h0(ix, iz), spectrum.h0(-ix, -iz));
            let (sin, cos) = (omega * seconds).sin_cos();
            let outgoing = [a * cos + b * sin, b * cos - a * sin];
            let incoming = [c * cos + d * sin, c * sin - d * cos];
            waves.push(Wave {
                index: [ix, iz],
                k,
                h: [outgoing[0] + incoming[0], outgoing[1] + incoming[1]],
                rate: [omega * (outgoing[1] - incoming[1]), omega * (incoming[0] - outgoing[0])],
            });
        }
    }
    waves
}

/// All fields at one rest point, by name.
#[derive(Debug, Default)]
pub struct Fields {
    pub displacement: [f64; 3],
    pub velocity: [f64; 3],
    /// ∂h/∂x, ∂h/∂z.
    pub slope: [f64; 2],
    /// ∂D_x/∂x, ∂D_z/∂z, ∂D_x/∂z.
    pub stretch: [f64; 3],
}

/// The sum of `waves` at a rest point.
pub fn fields(waves: &[Wave], point: [f64; 2]) -> Fields {
    let mut sum = Fields::default();
    for wave in waves {
        let [kx, kz] = wave.k;
        let k = kx.hypot(kz);
        if k == 0.0 {
            continue;
        }
        let (sin, cos) = (kx * point[0] + kz * point[1]).sin_cos();
        // Real and imaginary part of h e^{ik·x}; the real part of i times it is minus the imaginary one.
        let [re, im] = [wave.h[0] * cos - wave.h[1] * sin, wave.h[0] * sin + wave.h[1] * cos];
        let [rate_re, rate_im] = [wave.rate[0] * cos - wave.rate[1] * sin, wave.rate[0] * sin + wave.rate[1] * cos];
        sum.displacement[0] -= kx / k * im;
        sum.displacement[1] += re;
        sum.displacement[2] -= kz / k * im;
        sum.velocity[0] -= kx / k * rate_im;
        sum.velocity[1] += rate_re;
        sum.velocity[2] -= kz / k * rate_im;
        sum.slope[0] -= kx * im;
        sum.slope[1] -= kz * im;
        sum.stretch[0] -= kx * kx / k * re;
        sum.stretch[1] -= kz * kz / k * re;
        sum.stretch[2] -= kx * kz / k * re;
    }
    sum
}

/// A clock that shows what cascade number 0 shows `seconds` after its start, and the seconds to give to [`waves`].
pub fn clock_after(seconds: f64) -> (Clock, f64) {
    let shown = Clock::start(0).seconds() + seconds;
    (Clock::at(shown), shown)
}

/// One coefficient of a real map's Fourier series: the mean of value · e^{−ik·x}.
pub fn coefficient(heights: &[f32], resolution: usize, [ix, iz]: [i32; 2]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    let turn = |index: i32, at: usize| (i64::from(index) * at as i64).rem_euclid(resolution as i64) as usize;
    let table: Vec<(f64, f64)> =
        (0..resolution).map(|at| (std::f64::consts::TAU * at as f64 / resolution as f64).sin_cos()).collect();
    for z in 0..resolution {
        for x in 0..resolution {
            let (sin, cos) = table[(turn(ix, x) + turn(iz, z)) % resolution];
            let height = f64::from(heights[z * resolution + x]);
            sum[0] += height * cos;
            sum[1] -= height * sin;
        }
    }
    sum.map(|part| part / (resolution * resolution) as f64)
}

/// The heights of a displacement map.
pub fn heights(maps: &ocean::surface_field::Maps) -> Vec<f32> {
    maps.displacement().iter().map(|texel| texel[1]).collect()
}

/// Root of the mean square.
pub fn rms(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value * value;
        count += 1.0;
    }
    f64::sqrt(sum / count)
}
