//! Compute pipelines with layouts that are stated, not derived: a derived one drops what a variant does not use, and with it the promise that
//! one bind group fits.

use super::engine::Engine;
use super::kernels::{self, COLUMNS_SCRATCH_BINDING, FIELDS_BINDING, Output, ROWS_SCRATCH_BINDING};
use super::plan::Plan;
use super::update::Update;

/// One compute pipeline and the layout of its only bind group.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// What is bound, in the order of the bindings.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// A uniform of this many bytes.
    Uniform(u64),
    /// The same, at a dynamic offset.
    DynamicUniform(u64),
    /// A storage buffer, read only.
    Read,
    /// A storage buffer.
    ReadWrite,
    /// A 2D-array texture to load from.
    Texture,
    /// A 2D-array `rgba16float` texture to store to.
    Store,
}

impl Slot {
    fn ty(self) -> wgpu::BindingType {
        let buffer = |ty, has_dynamic_offset, size| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset,
            min_binding_size: std::num::NonZeroU64::new(size),
        };
        match self {
            Self::Uniform(size) => buffer(wgpu::BufferBindingType::Uniform, false, size),
            Self::DynamicUniform(size) => buffer(wgpu::BufferBindingType::Uniform, true, size),
            Self::Read => buffer(wgpu::BufferBindingType::Storage { read_only: true }, false, 0),
            Self::ReadWrite => buffer(wgpu::BufferBindingType::Storage { read_only: false }, false, 0),
            Self::Texture => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2Array,
                multisampled: false,
            },
            Self::Store => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: wgpu::TextureFormat::Rgba16Float,
                view_dimension: wgpu::TextureViewDimension::D2Array,
            },
        }
    }
}

impl Pipeline {
    /// The pipeline of `entry` in `source`, with `slots` as its bindings.
    pub fn new(device: &wgpu::Device, label: &str, source: &str, entry: &str, slots: &[(u32, Slot)]) -> Self {
        let entries: Vec<_> = slots
            .iter()
            .map(|&(binding, slot)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: slot.ty(),
                count: None,
            })
            .collect();
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: Some(&pipeline_layout),
            module: &unchecked_module(device, label, source),
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every transform writes what it reads.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Self { pipeline, layout }
    }
}

/// A module without wgpu's runtime checks of indices and loops: 5–8 % of an update at 1024². Browsers keep their own.
#[allow(unsafe_code)]
fn unchecked_module(device: &wgpu::Device, label: &str, source: &str) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(source.into()) };
    // SAFETY: the shaders are this crate's own. Their indices follow from the dispatch and the plan alone, never from data: `limits` sizes
    // every buffer for them, padding included, and the tests run all of them on a device with the checks on, where an index that
    // was clamped would give a wrong sea. All loops end: their bounds are constants, or a ratio of resolutions that this crate writes.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}

/// A small buffer with these contents, from the next submission on. Not one that is mapped while it is made: mapping fails on a device that is lost and
/// does not yet say so, and wgpu panics at that.
pub fn filled_buffer(engine: &Engine, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let buffer = engine.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: contents.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    engine.queue().write_buffer(&buffer, 0, contents);
    buffer
}

/// A bind group of `pipeline` from its resources, in the order of its slots.
pub fn bind(
    device: &wgpu::Device,
    label: &str,
    pipeline: &Pipeline,
    resources: &[(u32, wgpu::BindingResource<'_>)],
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources
        .iter()
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding: *binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout: &pipeline.layout, entries: &entries })
}

/// The two passes of one plan.
#[derive(Clone, Debug)]
pub struct Passes {
    pub rows: Pipeline,
    pub columns: Pipeline,
}

impl Passes {
    pub fn new(device: &wgpu::Device, plan: &Plan, output: Output) -> Self {
        let n = plan.resolution;
        let parts = plan.scratch_parts().len() as u32;
        let update = (0, Slot::DynamicUniform(size_of::<Update>() as u64));
        let mut rows = vec![update, (1, Slot::Read), (2, Slot::Read)];
        rows.extend((0..parts).map(|part| (ROWS_SCRATCH_BINDING + part, Slot::ReadWrite)));
        let mut columns = vec![update, (1, Slot::Read)];
        match output {
            Output::Maps => columns.extend([(2, Slot::ReadWrite), (3, Slot::Store), (4, Slot::Store)]),
            Output::Fields => columns.push((FIELDS_BINDING, Slot::ReadWrite)),
        }
        columns.extend((0..parts).map(|part| (COLUMNS_SCRATCH_BINDING + part, Slot::Read)));
        Self {
            rows: Pipeline::new(device, &format!("ocean rows {n}"), &kernels::rows(plan), "rows", &rows),
            columns: Pipeline::new(device, &format!("ocean columns {n}"), &kernels::columns(plan, output), "columns", &columns),
        }
    }
}
