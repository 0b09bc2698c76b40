//! The engine's entries in the race: an update as it draws, one with a scratch of f32 alone, and the mip levels.

use anyhow::{Result, anyhow};
use ocean::gpu::{Engine, Ocean, OceanOptions, Precision, Resolution};
use ocean::{Preset, SeaState};

use crate::contestant::{Contestant, Role};

/// What takes part, for `cascades` cascades of `resolution`² texels.
pub fn contestants(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    resolution: u32,
    cascades: u32,
) -> Result<Vec<(Role, Box<dyn Contestant>)>> {
    let size = Resolution::nearest(resolution);
    if size.texels() != resolution {
        return Err(anyhow!("the engine has no grid of {resolution}²"));
    }
    let engine = Engine::new(device, queue)?;
    let ocean = Preset::Ocean.sea_state();
    let cycle = ocean.cascades.iter().cycle().take(cascades as usize).cloned();
    let sea = SeaState { cascades: cycle.collect(), ..ocean };
    let mut entries: Vec<(Role, Box<dyn Contestant>)> = Vec::new();
    let new = |precision| Ocean::new(&engine, &sea, OceanOptions { resolution: size, precision, history: false });
    for precision in [Precision::Mixed, Precision::Full] {
        match new(precision) {
            Ok(ocean) => entries.push((Role::Engine, Box::new(Update { ocean, precision }))),
            // A scratch of f32 alone does not fit every size; it is only here to show what f16 gains.
            Err(_) if precision == Precision::Full => {}
            Err(error) => return Err(error.into()),
        }
    }
    entries.push((Role::Mips, Box::new(Mips { ocean: new(Precision::Mixed)? })));
    Ok(entries)
}

struct Update {
    ocean: Ocean,
    precision: Precision,
}

impl Contestant for Update {
    fn name(&self) -> String {
        match self.precision {
            Precision::Mixed => "engine".to_owned(),
            Precision::Full => "engine, f32 scratch".to_owned(),
        }
    }

    fn dispatches(&self) -> &[&'static str] {
        // A pair for each group of cascades, of which there are eight at most.
        const NAMES: [&str; 16] = [
            "rows", "columns", "rows", "columns", "rows", "columns", "rows", "columns", "rows", "columns", "rows", "columns",
            "rows", "columns", "rows", "columns",
        ];
        &NAMES[..self.ocean.steps() as usize]
    }

    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder) {
        // A device that fails shows in the harness, which looks after errors at every submission.
        self.ocean.prepare(encoder, 1.0 / 60.0).ok();
    }

    fn encode(&self, index: usize, pass: &mut wgpu::ComputePass<'_>) {
        self.ocean.encode(index as u32, pass);
    }

    fn bytes_per_texel(&self) -> f64 {
        let memory = self.ocean.memory();
        let texels = memory.foam as f64 / 2.0;
        // h₀ read, the scratch written and read, the foam read and written, the maps written.
        (memory.amplitudes + 2 * memory.scratch + 2 * memory.foam + memory.maps) as f64 / texels
    }
}

struct Mips {
    ocean: Ocean,
}

impl Contestant for Mips {
    fn name(&self) -> String {
        "mip levels".to_owned()
    }

    fn dispatches(&self) -> &[&'static str] {
        &["mips"]
    }

    fn encode(&self, _: usize, pass: &mut wgpu::ComputePass<'_>) {
        self.ocean.encode_mips(pass);
    }

    fn bytes_per_texel(&self) -> f64 {
        // Both maps read, and a third of them, all levels together, written and, but for the last, read.
        16.0 * (1.0 + 1.0 / 3.0 + 1.0 / 12.0)
    }
}
