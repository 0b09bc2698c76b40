//! Whether the classic form computes an ocean: its maps against a plain sum in f64. A wrong kernel is no baseline.

use std::f64::consts::TAU;

use anyhow::{Context, Result};
use half::f16;

use crate::classic;
use crate::contestant::Contestant;
use crate::gpu::{Gpu, RuntimeChecks};
use crate::sea::{Parameters, Sea, signed};

const SIZES: [u32; 5] = [64, 128, 256, 512, 1024];
const CHANNELS: [&str; 8] = ["D_x", "h", "D_z", "s²", "s_x", "s_z", "J", "foam"];
/// An f16 has 2⁻¹¹ of rounding and twice that where a driver truncates; the rest is for f32 sums near zero.
const RELATIVE: f64 = 1.0 / 1024.0;
const OF_RMS: f64 = 1e-3;

/// Checks every size and both ways of compiling, prints a line for each, and says whether all were right.
pub fn run(gpu: &Gpu, cascades: u32) -> Result<bool> {
    let mut all_well = true;
    for size in SIZES {
        if let Some(reason) = classic::beyond_limits(&gpu.device.limits(), size, cascades) {
            println!("{size:>5}  not checked: {reason}");
            continue;
        }
        let sea = Sea::new(size, cascades);
        let texels = sample(size, cascades);
        let expected: Vec<[f64; 8]> = (0..cascades).flat_map(|cascade| reference(&sea, cascade, &texels)).collect();
        for checks in [RuntimeChecks::On, RuntimeChecks::Off] {
            let maps = update(gpu, &sea, checks)?;
            let (worst, channel) = worst(&sea, &texels, &maps, &expected);
            let verdict = if worst <= 1.0 { "right" } else { "WRONG" };
            println!(
                "{size:>5}  {}: {verdict}; worst error {worst:.3} of what is allowed, in {channel}",
                classic::name(checks)
            );
            all_well &= worst <= 1.0;
        }
    }
    Ok(all_well)
}

/// Corners, where indices wrap, and a scatter of others.
fn sample(size: u32, cascades: u32) -> Vec<[u32; 2]> {
    let last = size - 1;
    let scattered = (1..=24 / cascades.max(1)).map(|i| [i * 977 % size, i * 613 % size]);
    [[0, 0], [last, 0], [0, last], [last, last], [1, size / 2]].into_iter().chain(scattered).collect()
}

fn update(gpu: &Gpu, sea: &Sea, checks: RuntimeChecks) -> Result<[Vec<f16>; 2]> {
    let classic = classic::build(gpu, sea, checks);
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        (0..classic.contestant.dispatches().len()).for_each(|part| classic.contestant.encode(part, &mut pass));
    }

    // Rows of 64 texels are 512 bytes: always the multiple of 256 that a copy wants.
    let row = sea.size * 8;
    let readable = classic.maps.each_ref().map(|map| {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row) * u64::from(sea.size * sea.cascades),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(sea.size) };
        let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(map.as_image_copy(), target, map.size());
        buffer
    });
    gpu.queue.submit([encoder.finish()]);
    let halves = |buffer| -> Result<Vec<f16>> {
        let bytes = gpu.read(buffer).context("while reading the classic form's maps")?;
        Ok(bytes.chunks_exact(2).map(|pair| f16::from_le_bytes([pair[0], pair[1]])).collect())
    };
    Ok([halves(&readable[0])?, halves(&readable[1])?])
}

/// The largest error as a share of what is allowed there, and the channel it is in.
fn worst(sea: &Sea, texels: &[[u32; 2]], maps: &[Vec<f16>; 2], expected: &[[f64; 8]]) -> (f64, &'static str) {
    let mut worst = (0.0, CHANNELS[0]);
    for (channel, name) in CHANNELS.into_iter().enumerate() {
        let mean_square = expected.iter().map(|values| values[channel].powi(2)).sum::<f64>() / expected.len() as f64;
        for (index, values) in expected.iter().enumerate() {
            let (cascade, [x, y]) = ((index / texels.len()) as u32, texels[index % texels.len()]);
            let texel = ((cascade * sea.size + y) * sea.size + x) as usize;
            let found = maps[channel / 4][4 * texel + channel % 4].to_f64();
            let share = (found - values[channel]).abs() / (RELATIVE * values[channel].abs() + OF_RMS * mean_square.sqrt());
            // Every comparison with NaN is false, so one would pass for the best of all.
            let share = if share.is_nan() { f64::INFINITY } else { share };
            if share > worst.0 {
                worst = (share, name);
            }
        }
    }
    worst
}

/// All channels at `texels`, each field by its own definition: none of the packing that is being checked.
fn reference(sea: &Sea, cascade: u32, texels: &[[u32; 2]]) -> Vec<[f64; 8]> {
    let (size, parameters) = (sea.size, &sea.parameters[cascade as usize]);
    let area = (size * size) as usize;
    let pairs = &sea.spectrum[cascade as usize * area..][..area];
    let waves: Vec<Wave> = (0..).zip(pairs).map(|(index, pair)| Wave::new(size, parameters, index, pair)).collect();
    texels
        .iter()
        .map(|&[x, y]| {
            let (along_x, along_z) = (turns(size, x), turns(size, y));
            let mut fields = [0.0; 8];
            for (index, wave) in waves.iter().enumerate() {
                wave.add(along_x[index / size as usize], along_z[index % size as usize], &mut fields);
            }
            channels(parameters, fields)
        })
        .collect()
}

/// exp(2πi n·position / size) for every n.
fn turns(size: u32, position: u32) -> Vec<(f64, f64)> {
    let angle = |n: u32| TAU * f64::from((n * position) % size) / f64::from(size);
    (0..size).map(|n| angle(n).sin_cos()).map(|(sin, cos)| (cos, sin)).collect()
}

struct Wave {
    k: [f64; 2],
    unit: [f64; 2],
    h: (f64, f64),
}

impl Wave {
    fn new(size: u32, parameters: &Parameters, index: u32, pair: &[f32; 4]) -> Self {
        let [kx, kz] = [(index / size, parameters.tile[0]), (index % size, parameters.tile[1])]
            .map(|(index, tile)| TAU * f64::from(signed(index, size)) / f64::from(tile));
        let k = kx.hypot(kz);
        let omega = (9.81 * k * (k * f64::from(parameters.depth)).tanh()).sqrt();
        let (sin, cos) = (omega * f64::from(parameters.time)).sin_cos();
        let forward = times((f64::from(pair[0]), f64::from(pair[1])), (cos, -sin));
        let backward = times((f64::from(pair[2]), f64::from(pair[3])), (cos, sin));
        let unit = if k > 0.0 { [kx / k, kz / k] } else { [0.0; 2] };
        Self { k: [kx, kz], unit, h: (forward.0 + backward.0, forward.1 + backward.1) }
    }

    /// Adds this wave to h, D_x, D_z, ∂h/∂x, ∂h/∂z, ∂D_x/∂x, ∂D_z/∂z and ∂D_x/∂z.
    fn add(&self, along_x: (f64, f64), along_z: (f64, f64), fields: &mut [f64; 8]) {
        let (re, im) = times(self.h, times(along_x, along_z));
        let ([kx, kz], [ux, uz]) = (self.k, self.unit);
        let parts = [re, -ux * im, -uz * im, -kx * im, -kz * im, -kx * ux * re, -kz * uz * re, -kx * uz * re];
        fields.iter_mut().zip(parts).for_each(|(field, part)| *field += part);
    }
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// What the maps hold after one step from no foam.
fn channels(parameters: &Parameters, [h, dx, dz, sx, sz, dxx, dzz, dxz]: [f64; 8]) -> [f64; 8] {
    let jacobian = (1.0 + dxx) * (1.0 + dzz) - dxz * dxz;
    let breaking = (f64::from(parameters.threshold) - jacobian).max(0.0);
    let foam = (breaking * f64::from(parameters.gain)).clamp(0.0, 1.0);
    [dx, h, dz, sx * sx + sz * sz, sx, sz, jacobian, foam]
}
