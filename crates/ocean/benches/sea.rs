//! A sea for the baselines: values of a plausible size and shape, since denormals or zeros would be timed differently.
//!
//! Its spectrum is not the engine's. The baselines are timed and checked against a plain sum over their own input, and an
//! input of their own keeps that comparison independent of what it is meant to judge.

use std::f64::consts::TAU;

/// What both passes that know about waves are told, laid out as in `modulate.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Parameters {
    pub tile: [f32; 2],
    pub depth: f32,
    pub time: f32,
    /// 1 − whitecap.
    pub threshold: f32,
    /// Of the foam there was, after the step.
    pub remains: f32,
    /// Foam per unit of breaking, during the step.
    pub gain: f32,
    pub padding: f32,
}

/// Spectra and parameters of every cascade.
pub struct Sea {
    pub size: u32,
    pub cascades: u32,
    /// Always eight, as the uniform array has them.
    pub parameters: [Parameters; 8],
    /// (h₀(k), conj h₀(−k)): cascade after cascade, in each k_x after k_x, in each all k_z.
    pub spectrum: Vec<[f32; 4]>,
}

impl Sea {
    /// `cascades` cascades of `size`² texels; the tiles are oblong, because square ones hide swapped axes.
    pub fn new(size: u32, cascades: u32) -> Self {
        let parameters = std::array::from_fn(|cascade| {
            let tile = [88.0, 57.0, 16.0][cascade % 3] as f32;
            let (growth, decay, step) = (7.5 * 6.0, 1.15 * 4.0, 0.02_f32);
            let remains = (-decay * step).exp();
            Parameters {
                tile: [tile, 0.75 * tile],
                depth: 20.0,
                time: 12.5 + cascade as f32,
                threshold: 0.95,
                remains,
                gain: growth / decay * (1.0 - remains),
                padding: 0.0,
            }
        });
        let spectrum = (0..cascades as usize).flat_map(|c| pairs(size, c as u64, &parameters[c])).collect();
        Self { size, cascades, parameters, spectrum }
    }
}

/// The frequency that an index in the transform's own order stands for.
pub fn signed(index: u32, size: u32) -> i32 {
    if index < size / 2 { index as i32 } else { index as i32 - size as i32 }
}

fn pairs(size: u32, seed: u64, parameters: &Parameters) -> Vec<[f32; 4]> {
    let amplitudes: Vec<[f64; 2]> = indices(size).map(|(x, z)| amplitude(size, seed, parameters, x, z)).collect();
    let power: f64 = amplitudes.iter().map(|[re, im]| re * re + im * im).sum();
    // Waves of half a percent of the tile: slopes that fold here and there, so that there is foam to compute.
    let scale = 0.005 * f64::from(parameters.tile[0]) / (2.0 * power).sqrt();
    indices(size)
        .map(|(x, z)| {
            let at = |x: u32, z: u32| amplitudes[(x * size + z) as usize].map(|part| (part * scale) as f32);
            let ([re, im], [mirrored_re, mirrored_im]) = (at(x, z), at((size - x) % size, (size - z) % size));
            [re, im, mirrored_re, -mirrored_im]
        })
        .collect()
}

fn indices(size: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..size).flat_map(move |x| (0..size).map(move |z| (x, z)))
}

fn amplitude(size: u32, seed: u64, parameters: &Parameters, x: u32, z: u32) -> [f64; 2] {
    if (x == 0 && z == 0) || x == size / 2 || z == size / 2 {
        return [0.0; 2];
    }
    let wave = |index, tile| TAU * f64::from(signed(index, size)) / f64::from(tile);
    let (kx, kz) = (wave(x, parameters.tile[0]), wave(z, parameters.tile[1]));
    let k_squared = kx * kx + kz * kz;
    let size_of_it = (-0.02 / k_squared).exp() / k_squared * (0.1 + kx.max(0.0) / k_squared.sqrt());
    let number = (seed << 40) | u64::from(x * size + z);
    let radius = (-2.0 * (1.0 - unit(2 * number)).ln()).sqrt();
    let (sin, cos) = (TAU * unit(2 * number + 1)).sin_cos();
    [size_of_it * radius * cos, size_of_it * radius * sin]
}

/// A number of [0, 1) for every index: SplitMix64's finaliser.
fn unit(index: u64) -> f64 {
    let mut bits = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
