//! Foam that outlives a change of resolution.

use super::engine::Engine;
use super::pipelines::{Pipeline, Slot, bind, filled_buffer};
use super::plan::Plan;
use bytemuck::{Pod, Zeroable};

const RESAMPLE: &str = include_str!("../../../../shaders/ocean/foam_resample.wgsl");

/// `Resample` of `foam_resample.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Resample {
    pub old_resolution: u32,
    pub new_resolution: u32,
    pub old_together: u32,
    pub new_together: u32,
    pub old_cascade: u32,
    pub new_cascade: u32,
    pub padding: [u32; 2],
}

/// One cascade's foam: the buffer, the place in it, and the plan by which it is ordered.
#[derive(Clone, Copy, Debug)]
pub struct FoamPlace<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub cascade: u32,
    pub plan: &'a Plan,
}

pub fn source() -> &'static str {
    RESAMPLE
}

pub fn pipeline(device: &wgpu::Device) -> Pipeline {
    let slots = [(0, Slot::Uniform(size_of::<Resample>() as u64)), (1, Slot::Read), (2, Slot::ReadWrite)];
    Pipeline::new(device, "ocean foam resample", RESAMPLE, "resample_foam", &slots)
}

/// Records the copy of one cascade's foam from one grid to another.
pub fn record(engine: &Engine, encoder: &mut wgpu::CommandEncoder, old: FoamPlace<'_>, new: FoamPlace<'_>) {
    let parameters = Resample {
        old_resolution: old.plan.resolution,
        new_resolution: new.plan.resolution,
        old_together: old.plan.columns_together(),
        new_together: new.plan.columns_together(),
        old_cascade: old.cascade,
        new_cascade: new.cascade,
        padding: [0; 2],
    };
    let uniform = filled_buffer(engine, "ocean foam resample", bytemuck::bytes_of(&parameters), wgpu::BufferUsages::UNIFORM);
    let pipeline = engine.foam();
    let resources =
        [(0, uniform.as_entire_binding()), (1, old.buffer.as_entire_binding()), (2, new.buffer.as_entire_binding())];
    let bindings = bind(engine.device(), "ocean foam resample", pipeline, &resources);
    let mut pass =
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("ocean foam resample"), timestamp_writes: None });
    pass.set_pipeline(&pipeline.pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(new.plan.resolution / 8, new.plan.resolution / 16, 1);
}
