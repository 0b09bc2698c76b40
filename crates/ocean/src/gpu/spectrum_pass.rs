//! h₀ of one cascade on the GPU: what is bound for `spectrum.wgsl`, and its recording.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use crate::dispersion::frequency_table;
use crate::sea_state::{GRAVITY, SeaState};
use crate::spectrum::{CascadeSpectrum, GAMMA, MIN_COS_SQUARED, SIGMA_ABOVE, SIGMA_BELOW};
use bytemuck::{Pod, Zeroable};

use super::engine::Engine;
use super::pipelines::{Pipeline, Slot, bind, filled_buffer};

const ROTATION: &str = include_str!("../../../../shaders/ocean/rotation.wgsl");
const SPECTRUM: &str = include_str!("../../../../shaders/ocean/spectrum.wgsl");
pub const WORKGROUP: u32 = 64;

/// `Spectrum` of `spectrum.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SpectrumParameters {
    pub delta_k: [f32; 2],
    pub downwind: [f32; 2],
    pub depth: f32,
    pub alpha: f32,
    pub peak_omega: f32,
    pub amplitude: f32,
    pub swell: f32,
    pub spread: f32,
    pub detail: f32,
    pub young: f32,
    pub seed: u32,
    pub first_bin: u32,
    pub keep_frequencies: u32,
    pub resolution: u32,
}

/// What the frequencies of the bins depend on. While it stays, a rebuild leaves them as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrequencyKey {
    pub tile_length: [f32; 2],
    pub depth: f32,
}

impl FrequencyKey {
    pub fn new(sea: &SeaState, cascade: usize) -> Self {
        Self { tile_length: sea.cascades[cascade].tile_length, depth: sea.sea_depth }
    }
}

impl SpectrumParameters {
    pub fn new(spectrum: &CascadeSpectrum, resolution: u32, first_bin: u32, keep_frequencies: bool) -> Self {
        let age = spectrum.wind_speed * spectrum.peak_omega / GRAVITY;
        Self {
            delta_k: spectrum.tile_length.map(|length| (TAU / length) as f32),
            downwind: spectrum.downwind.map(|part| part as f32),
            depth: spectrum.depth as f32,
            alpha: spectrum.alpha as f32,
            peak_omega: spectrum.peak_omega as f32,
            amplitude: spectrum.amplitude as f32,
            swell: spectrum.swell as f32,
            spread: spectrum.spread as f32,
            detail: spectrum.detail as f32,
            young: (-2.33 - 1.45 * (age - 1.17)) as f32,
            seed: spectrum.seed,
            first_bin,
            keep_frequencies: keep_frequencies.into(),
            resolution,
        }
    }
}

/// The shader, with the constants that the CPU's formulas have too.
pub fn source() -> String {
    let mut out = String::new();
    let constants = [
        ("GRAVITY", GRAVITY),
        ("GAMMA", GAMMA),
        ("SIGMA_BELOW", SIGMA_BELOW),
        ("SIGMA_ABOVE", SIGMA_ABOVE),
        ("MIN_COS_SQUARED", MIN_COS_SQUARED),
        ("INVERSE_TAU", 1.0 / TAU),
        ("INVERSE_SQRT_PI", 1.0 / libm::sqrt(PI)),
    ];
    for (name, value) in constants {
        writeln!(out, "const {name}: f32 = {:?};", value as f32).ok();
    }
    out + ROTATION + SPECTRUM
}

pub fn pipeline(device: &wgpu::Device) -> Pipeline {
    let slots = [(0, Slot::Uniform(size_of::<SpectrumParameters>() as u64)), (1, Slot::Read), (2, Slot::ReadWrite)];
    Pipeline::new(device, "ocean spectrum", &source(), "amplitudes_of_cascade", &slots)
}

/// Records the making of h₀ in `amplitudes`, a buffer of whole cascades, at `parameters.first_bin`. `frequencies` is what changed of them, if anything did.
pub fn record(
    engine: &Engine,
    encoder: &mut wgpu::CommandEncoder,
    parameters: &SpectrumParameters,
    frequencies: Option<FrequencyKey>,
    amplitudes: &wgpu::Buffer,
) {
    let n = parameters.resolution;
    let mut table = frequencies.map_or_else(Vec::new, |key| frequency_table(key.tile_length, key.depth, n));
    // A whole number of words, and never an empty buffer.
    table.resize(table.len().next_multiple_of(2).max(2), 0);
    // Both live until the GPU is done with them: a rebuild is rare, so nothing is kept for it.
    let uniform =
        filled_buffer(engine, "ocean spectrum parameters", bytemuck::bytes_of(parameters), wgpu::BufferUsages::UNIFORM);
    let table = filled_buffer(engine, "ocean frequencies", bytemuck::cast_slice(&table), wgpu::BufferUsages::STORAGE);
    let pipeline = engine.spectrum();
    let resources = [(0, uniform.as_entire_binding()), (1, table.as_entire_binding()), (2, amplitudes.as_entire_binding())];
    let bindings = bind(engine.device(), "ocean spectrum", pipeline, &resources);
    let mut pass =
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("ocean spectrum"), timestamp_writes: None });
    pass.set_pipeline(&pipeline.pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(n / WORKGROUP, n / 2, 1);
}
