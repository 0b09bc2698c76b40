//! The buffers, textures and bind groups of one ocean at one size.

use std::ops::Range;
use std::sync::Arc;

use super::engine::Engine;
use super::kernels::{COLUMNS_SCRATCH_BINDING, ROWS_SCRATCH_BINDING};
use super::limits::{AMPLITUDE_BYTES, FOAM_BYTES, groups};
use super::mips::{self, MipStep};
use super::pipelines::{Passes, bind};
use super::plan::{Plan, Precision};
use super::resolution::Resolution;
use super::update::{Update, ring_bytes};

/// The size of an ocean: all that its resources depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub resolution: Resolution,
    pub precision: Precision,
    pub cascades: u32,
    pub history: bool,
}

/// The two maps of one moment.
#[derive(Clone, Debug)]
pub struct MapSet {
    /// (D_x, h, D_z, scaled s_x² + s_z²).
    pub displacement: wgpu::Texture,
    /// (s_x, s_z, J, foam).
    pub surface: wgpu::Texture,
    pub mips: Vec<MipStep>,
}

/// Cascades that are dispatched together.
#[derive(Debug)]
pub struct Group {
    pub cascades: Range<u32>,
    pub amplitudes: wgpu::Buffer,
    pub foam: wgpu::Buffer,
    pub rows: wgpu::BindGroup,
    /// One for each set of maps.
    pub columns: Vec<wgpu::BindGroup>,
}

/// Everything on the GPU that one ocean owns.
#[derive(Debug)]
pub struct Resources {
    pub size: Size,
    pub plan: Plan,
    pub passes: Arc<Passes>,
    pub ring: wgpu::Buffer,
    pub scratch: Vec<wgpu::Buffer>,
    pub twiddles: wgpu::Buffer,
    pub groups: Vec<Group>,
    pub sets: Vec<MapSet>,
}

impl Resources {
    /// All new, all zero.
    pub fn new(engine: &Engine, size: Size) -> Self {
        let device = engine.device();
        let plan = Plan::of(size.resolution, size.precision);
        let passes = engine.passes(size.resolution, size.precision);
        let ranges = groups(&plan, size.cascades, &device.limits());
        let largest = ranges.iter().map(|range| range.end - range.start).max().unwrap_or(1);
        let storage = |label: &str, bytes| buffer(device, label, bytes, wgpu::BufferUsages::STORAGE);

        let ring = buffer(device, "ocean parameters", ring_bytes(ranges.len() as u64), wgpu::BufferUsages::UNIFORM);
        let twiddles = storage("ocean roots of unity", u64::from(plan.resolution) * 8);
        engine.queue().write_buffer(&twiddles, 0, bytemuck::cast_slice(&roots_of_unity(plan.resolution)));
        let scratch: Vec<_> =
            plan.scratch_parts().iter().map(|part| storage("ocean scratch", part.bytes(&plan, largest))).collect();
        let sets: Vec<_> = (0..if size.history { 2 } else { 1 }).map(|_| MapSet::new(engine, size)).collect();

        let texels = u64::from(plan.resolution) * u64::from(plan.resolution);
        let groups = ranges
            .into_iter()
            .map(|cascades| {
                let count = u64::from(cascades.end - cascades.start);
                let amplitudes = storage("ocean amplitudes", texels * AMPLITUDE_BYTES * count);
                let foam = storage("ocean foam", texels * FOAM_BYTES * count);
                let shared = [(0, slot(&ring)), (1, twiddles.as_entire_binding())];
                let scratch_from = |first: u32| (first..).zip(scratch.iter().map(wgpu::Buffer::as_entire_binding));

                let mut rows = shared.to_vec();
                rows.push((2, amplitudes.as_entire_binding()));
                rows.extend(scratch_from(ROWS_SCRATCH_BINDING));
                let columns = sets
                    .iter()
                    .map(|set| {
                        let views = [&set.displacement, &set.surface].map(store_view);
                        let mut columns = shared.to_vec();
                        columns.push((2, foam.as_entire_binding()));
                        columns.push((3, wgpu::BindingResource::TextureView(&views[0])));
                        columns.push((4, wgpu::BindingResource::TextureView(&views[1])));
                        columns.extend(scratch_from(COLUMNS_SCRATCH_BINDING));
                        bind(device, "ocean columns", &passes.columns, &columns)
                    })
                    .collect();
                let rows = bind(device, "ocean rows", &passes.rows, &rows);
                Group { cascades, rows, columns, amplitudes, foam }
            })
            .collect();
        Self { size, plan, passes, ring, scratch, twiddles, groups, sets }
    }

    /// The group of a cascade, and its place there.
    pub fn place(&self, cascade: u32) -> Option<(&Group, u32)> {
        let group = self.groups.iter().find(|group| group.cascades.contains(&cascade))?;
        Some((group, cascade - group.cascades.start))
    }

    /// The bytes that wgpu was asked for, summed over what was made.
    pub fn allocated_bytes(&self) -> u64 {
        let buffers = self.scratch.iter().chain([&self.ring, &self.twiddles]);
        let owned = self.groups.iter().flat_map(|group| [&group.amplitudes, &group.foam]);
        let maps = self.sets.iter().flat_map(|set| [&set.displacement, &set.surface]);
        buffers.chain(owned).map(wgpu::Buffer::size).sum::<u64>() + maps.map(texture_bytes).sum::<u64>()
    }
}

impl MapSet {
    fn new(engine: &Engine, size: Size) -> Self {
        let n = size.resolution.texels();
        let map = |label| {
            engine.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: n, height: n, depth_or_array_layers: size.cascades },
                mip_level_count: size.resolution.mip_levels(),
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba16Float,
                usage: wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        let (displacement, surface) = (map("ocean displacement"), map("ocean surface"));
        let mips = mips::steps(engine.device(), engine.mips(), [&displacement, &surface]);
        Self { displacement, surface, mips }
    }
}

fn buffer(device: &wgpu::Device, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// One slot of the ring, to be bound at a dynamic offset.
pub fn slot(ring: &wgpu::Buffer) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: ring,
        offset: 0,
        size: std::num::NonZeroU64::new(size_of::<Update>() as u64),
    })
}

/// The full-size level of all layers.
fn store_view(map: &wgpu::Texture) -> wgpu::TextureView {
    map.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        mip_level_count: Some(1),
        ..Default::default()
    })
}

/// exp(2πi k/N) for k < N: from a table, as WGSL's sine is promised to no more than 2⁻¹¹.
pub fn roots_of_unity(n: u32) -> Vec<[f32; 2]> {
    (0..n)
        .map(|k| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
            [cos as f32, sin as f32]
        })
        .collect()
}

fn texture_bytes(texture: &wgpu::Texture) -> u64 {
    let level = |level: u32| {
        let edge = |length: u32| u64::from((length >> level).max(1));
        edge(texture.width()) * edge(texture.height()) * u64::from(texture.depth_or_array_layers()) * 8
    };
    (0..texture.mip_level_count()).map(level).sum()
}
