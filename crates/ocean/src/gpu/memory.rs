//! What an ocean takes on the GPU, to the byte.

use super::limits::{AMPLITUDE_BYTES, FOAM_BYTES, groups};
use super::plan::{Plan, Precision};
use super::resolution::Resolution;

/// Bytes on the GPU, by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// h₀ with the frequencies: 8 bytes a texel and cascade.
    pub amplitudes: u64,
    /// The foam's state: 2 bytes a texel and cascade.
    pub foam: u64,
    /// The two maps' full-size levels: 16 bytes a texel and cascade; twice that with [`history`](super::OceanOptions::history).
    pub maps: u64,
    /// The maps' other levels: a third of the above.
    pub mips: u64,
    /// Between the passes: about 12 bytes a texel and cascade; with more cascades than a binding holds, shared by groups of them.
    pub scratch: u64,
    /// Roots of unity and parameters.
    pub small: u64,
}

impl MemoryUse {
    /// What so many cascades of this resolution take on a device with these limits.
    pub fn of(resolution: Resolution, precision: Precision, cascades: u32, history: bool, limits: &wgpu::Limits) -> Self {
        let plan = Plan::of(resolution, precision);
        let texels = |size: u64| size * size * u64::from(cascades);
        let n = u64::from(resolution.texels());
        let sets = if history { 2 } else { 1 };
        let texel_bytes = 2 * 8 * sets;
        let levels = (1..resolution.mip_levels()).map(|level| texels(n >> level)).sum::<u64>();
        let groups = groups(&plan, cascades, limits);
        let largest = groups.iter().map(|group| group.end - group.start).max().unwrap_or(0);
        Self {
            amplitudes: texels(n) * AMPLITUDE_BYTES,
            foam: texels(n) * FOAM_BYTES,
            maps: texels(n) * texel_bytes,
            mips: levels * texel_bytes,
            scratch: plan.scratch_parts().iter().map(|part| part.bytes(&plan, largest)).sum(),
            small: n * 8 + super::update::ring_bytes(groups.len() as u64),
        }
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.amplitudes + self.foam + self.maps + self.mips + self.scratch + self.small
    }
}
