//! The engine's entries in the race.

use anyhow::Result;

use crate::contestant::Contestant;

/// Every variant of the engine that takes part, for `cascades` cascades of `resolution`² texels.
pub fn contestants(
    _device: &wgpu::Device,
    _queue: &wgpu::Queue,
    _resolution: u32,
    _cascades: u32,
) -> Result<Vec<Box<dyn Contestant>>> {
    Ok(Vec::new())
}
