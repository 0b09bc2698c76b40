//! The parameters of one update, as `common.wgsl` reads them.

use bytemuck::{Pod, Zeroable};

use crate::clock::Clocks;
use crate::sea_state::{Cascade, MAX_CASCADES};
use crate::statistics::estimated_wave_height;
use crate::{CascadeSpectrum, SeaState};

/// `CascadeUpdate` of `common.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct CascadeUpdate {
    pub delta_k: [f32; 2],
    pub phase_step: u32,
    pub dither: u32,
    pub foam_keep: f32,
    pub foam_gain: f32,
    pub foam_threshold: f32,
    pub padding_0: f32,
    pub scratch_scale: [f32; 2],
    pub padding_1: [f32; 2],
}

/// `Update` of `common.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Update {
    pub cascades: [CascadeUpdate; MAX_CASCADES],
    pub first_layer: u32,
    pub padding: [u32; 3],
}

/// Distance of two slots of the ring: a multiple of every device's offset alignment.
pub const SLOT_BYTES: u64 = 512;

/// Updates that may be recorded before the first of them is submitted. `queue.write_buffer` takes effect at the next submission, so an update must
/// not write over the parameters of another that is recorded and not yet submitted.
pub const UPDATES_IN_FLIGHT: u32 = 64;

/// The ring's size, for so many groups of cascades: each has a slot of its own in every update.
pub const fn ring_bytes(groups: u64) -> u64 {
    SLOT_BYTES * UPDATES_IN_FLIGHT as u64 * groups
}

const _: () = assert!(size_of::<Update>() as u64 <= SLOT_BYTES);

/// A slope of 16 and a height of 8 times the sea's own come out near f16's limit of 65504, and a ten-thousandth of either is still a normal number.
const SLOPE_SCALE: f32 = 2048.0;
const LENGTH_SCALE_BITS: f64 = 13.0;

/// The scales of lengths and slopes in the scratch, powers of two.
pub fn scratch_scale(spectrum: &CascadeSpectrum, resolution: u32) -> [f32; 2] {
    let height = estimated_wave_height(spectrum, resolution).clamp(1e-6, 1e6);
    [libm::exp2(libm::floor(LENGTH_SCALE_BITS - libm::log2(height))) as f32, SLOPE_SCALE]
}

/// How foam grows and decays over `dt` seconds: `(keep, gain)` of foam ← foam·keep + s·gain, the exact solution of foam' = g_f s − δ foam with
/// s held; so any split of `dt` gives the same, and 0 changes nothing.
pub fn foam_step(cascade: &Cascade, dt: f64) -> (f64, f64) {
    let amount = f64::from(cascade.foam_amount);
    let growth = 7.5 * amount;
    let decay = 1.15 * (10.0 - amount).max(0.5);
    let keep = libm::exp(-decay * dt);
    (keep, growth / decay * -libm::expm1(-decay * dt))
}

impl CascadeUpdate {
    /// Of cascade `index` of a validated `sea`, `dt` seconds after the one before.
    pub fn new(sea: &SeaState, index: usize, clocks: &Clocks, dt: f64, scratch_scale: [f32; 2], dither: u32) -> Self {
        let cascade = &sea.cascades[index];
        let (keep, gain) = foam_step(cascade, dt);
        Self {
            delta_k: cascade.tile_length.map(|length| (std::f64::consts::TAU / f64::from(length)) as f32),
            phase_step: clocks.get(index).phase_step(),
            dither,
            foam_keep: keep as f32,
            foam_gain: gain as f32,
            foam_threshold: 1.0 - cascade.whitecap,
            scratch_scale,
            ..Self::default()
        }
    }
}
