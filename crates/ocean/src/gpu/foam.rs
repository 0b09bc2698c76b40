//! Foam that outlives a change of resolution.

use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

use super::pipelines::{Pipeline, Slot, bind};
use super::plan::Plan;

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
pub fn record(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &Pipeline,
    old: FoamPlace<'_>,
    new: FoamPlace<'_>,
) {
    let parameters = Resample {
        old_resolution: old.plan.resolution,
        new_resolution: new.plan.resolution,
        old_together: old.plan.columns_together(),
        new_together: new.plan.columns_together(),
        old_cascade: old.cascade,
        new_cascade: new.cascade,
        padding: [0; 2],
    };
    let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("ocean foam resample"),
        contents: bytemuck::bytes_of(&parameters),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let resources =
        [(0, uniform.as_entire_binding()), (1, old.buffer.as_entire_binding()), (2, new.buffer.as_entire_binding())];
    let bindings = bind(device, "ocean foam resample", pipeline, &resources);
    let mut pass =
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("ocean foam resample"), timestamp_writes: None });
    pass.set_pipeline(&pipeline.pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(new.plan.resolution / 8, new.plan.resolution / 16, 1);
}
