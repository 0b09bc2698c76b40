//! A whole update as data: what it takes to run the very same pipelines in another WebGPU implementation, a browser's above all.

use crate::clock::Clocks;
use crate::dispersion::frequency_table;
use crate::sea_state::SeaState;
use crate::spectrum::CascadeSpectrum;

use super::super::kernels::{COLUMNS_SCRATCH_BINDING, ROWS_SCRATCH_BINDING};
use super::super::limits::{self, AMPLITUDE_BYTES, FOAM_BYTES};
use super::super::plan::{Plan, Precision};
use super::super::resolution::Resolution;
use super::super::resources::roots_of_unity;
use super::super::spectrum_pass::SpectrumParameters;
use super::super::update::{CascadeUpdate, SLOT_BYTES, Update, scratch_scale};
use super::super::{mips, spectrum_pass};
use super::{Shader, mips_shader, pass_shaders, spectrum_shader};

/// One update of one ocean from nothing: h₀, both passes, and the mip levels of both maps.
///
/// It says what [`Ocean`](super::super::Ocean) records. Where it said something else, the implementation that runs it would refuse a binding, or the
/// maps would not be the sea's.
#[derive(Clone, Debug)]
pub struct Program {
    /// Of both maps.
    pub resolution: Resolution,
    /// Layers of the two maps.
    pub cascades: u32,
    /// Those it takes.
    pub shaders: Vec<Shader>,
    /// Those it takes.
    pub buffers: Vec<Buffer>,
    /// In this order: h₀, rows, columns, mip levels.
    pub stages: [Stage; 4],
}

/// A buffer, all zero behind its contents.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For messages.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// A uniform buffer; all others are storage buffers.
    pub uniform: bool,
    /// Its first bytes.
    pub contents: Vec<u8>,
}

/// What is timed as one.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name.
    pub name: &'static str,
    /// In order.
    pub dispatches: Vec<Dispatch>,
}

/// One dispatch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// An index into [`Program::shaders`].
    pub shader: usize,
    /// In the order of the shader's bindings.
    pub resources: Vec<Resource>,
    /// How many.
    pub workgroups: [u32; 3],
}

/// What is bound.
#[derive(Clone, Copy, Debug)]
pub enum Resource {
    /// An index into [`Program::buffers`].
    Buffer(usize),
    /// One level, all layers, of a map: 0 is the displacement, 1 the surface.
    Level {
        /// Which map.
        map: usize,
        /// Which level.
        level: u32,
    },
}

impl Program {
    /// The first update of `sea`, validated, when its clocks have come to `clocks`, `dt` seconds after a sea without foam. `None` if its cascades do
    /// not fit one pair of dispatches at WebGPU's default limits.
    pub fn new(sea: &SeaState, resolution: Resolution, precision: Precision, clocks: &Clocks, dt: f64) -> Option<Self> {
        let (sea, _) = sea.validated();
        let plan = Plan::of(resolution, precision);
        let cascades = sea.cascades.len() as u32;
        if limits::groups(&plan, cascades, &wgpu::Limits::default()).len() != 1 {
            return None;
        }
        let [rows, columns] = pass_shaders(resolution, precision);
        let mut program = Self {
            resolution,
            cascades,
            shaders: vec![spectrum_shader(), rows, columns],
            buffers: Vec::new(),
            stages: ["spectrum", "rows", "columns", "mips"].map(|name| Stage { name, dispatches: Vec::new() }),
        };
        program.shaders.extend((1..=mips::LEVELS_TOGETHER).map(mips_shader));

        let n = plan.resolution;
        let texels = u64::from(n) * u64::from(n) * u64::from(cascades);
        let amplitudes = program.storage("amplitudes", texels * AMPLITUDE_BYTES, Vec::new());
        for index in 0..cascades {
            program.add_spectrum(&sea, index, n, amplitudes);
        }
        program.add_passes(&sea, &plan, amplitudes, clocks, dt);
        program.add_mips();
        Some(program)
    }

    fn buffer(&mut self, name: impl Into<String>, size: u64, uniform: bool, contents: Vec<u8>) -> Resource {
        self.buffers.push(Buffer { name: name.into(), size, uniform, contents });
        Resource::Buffer(self.buffers.len() - 1)
    }

    fn storage(&mut self, name: impl Into<String>, size: u64, contents: Vec<u8>) -> Resource {
        self.buffer(name, size, false, contents)
    }

    /// As `spectrum_pass::record`.
    fn add_spectrum(&mut self, sea: &SeaState, index: u32, n: u32, amplitudes: Resource) {
        let spectrum = CascadeSpectrum::new(sea, index as usize);
        let parameters = SpectrumParameters::new(&spectrum, n, index * (n * (n / 2)), false);
        let parameters = bytemuck::bytes_of(&parameters).to_vec();
        let mut table = frequency_table(sea.cascades[index as usize].tile_length, sea.sea_depth, n);
        table.resize(table.len().next_multiple_of(2), 0);
        let table: Vec<u8> = bytemuck::cast_slice(&table).to_vec();
        let uniform = self.buffer(format!("spectrum {index}"), parameters.len() as u64, true, parameters);
        let frequencies = self.storage(format!("frequencies {index}"), table.len() as u64, table);
        self.stages[0].dispatches.push(Dispatch {
            shader: 0,
            resources: vec![uniform, frequencies, amplitudes],
            workgroups: [n / spectrum_pass::WORKGROUP, n / 2, 1],
        });
    }

    /// As `Resources::new` binds, and `Ocean::write_parameters` and `Ocean::encode` record.
    fn add_passes(&mut self, sea: &SeaState, plan: &Plan, amplitudes: Resource, clocks: &Clocks, dt: f64) {
        let n = plan.resolution;
        let mut update = Update::default();
        for index in 0..sea.cascades.len() {
            let scale = scratch_scale(&CascadeSpectrum::new(sea, index), n);
            let dither = crate::noise::pcg3d([1, index as u32, sea.seed])[0];
            update.cascades[index] = CascadeUpdate::new(sea, index, clocks, dt, scale, dither);
        }
        let texels = u64::from(n) * u64::from(n) * u64::from(self.cascades);
        let update = self.buffer("update", SLOT_BYTES, true, bytemuck::bytes_of(&update).to_vec());
        let twiddles = self.storage("twiddles", u64::from(n) * 8, bytemuck::cast_slice(&roots_of_unity(n)).to_vec());
        let foam = self.storage("foam", texels * FOAM_BYTES, Vec::new());
        let parts = plan.scratch_parts();
        let scratch: Vec<Resource> = (0..)
            .zip(&parts)
            .map(|(i, part)| self.storage(format!("scratch {i}"), part.bytes(plan, self.cascades), Vec::new()))
            .collect();

        let mut rows = vec![update, twiddles, amplitudes];
        assert_eq!(rows.len() as u32, ROWS_SCRATCH_BINDING);
        rows.extend(&scratch);
        let maps = [0, 1].map(|map| Resource::Level { map, level: 0 });
        let mut columns = vec![update, twiddles, foam, maps[0], maps[1]];
        assert_eq!(columns.len() as u32, COLUMNS_SCRATCH_BINDING);
        columns.extend(&scratch);
        let [rows_workgroups, columns_workgroups] =
            [plan.rows_workgroups(self.cascades), plan.columns_workgroups(self.cascades)];
        self.stages[1].dispatches.push(Dispatch { shader: 1, resources: rows, workgroups: rows_workgroups });
        self.stages[2].dispatches.push(Dispatch { shader: 2, resources: columns, workgroups: columns_workgroups });
    }

    /// As `mips::steps`.
    fn add_mips(&mut self) {
        let last = self.resolution.mip_levels() - 1;
        let mut source = 0;
        while source < last {
            let levels = (last - source).min(mips::LEVELS_TOGETHER);
            let across = (self.resolution.texels() >> (source + 1)).div_ceil(16).max(1);
            self.stages[3].dispatches.push(Dispatch {
                shader: 2 + levels as usize,
                resources: (source..=source + levels)
                    .flat_map(|level| [0, 1].map(|map| Resource::Level { map, level }))
                    .collect(),
                workgroups: [across, across, self.cascades],
            });
            source += levels;
        }
    }
}
