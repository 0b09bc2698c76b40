//! The shader itself, on a GPU (a software one will do), against its copy on the CPU; and what the GPU made of it, for gaps.

use bevy::math::Vec2;

use super::surface::Meshes;
use super::watertight::assert_watertight;
use super::{cameras, small_ones};
use crate::mesh::ClipmapDimensions;
use crate::mesh::lattice::{self, ClipmapVertex};

const CLIPMAP: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders/water/clipmap.wgsl"));

/// Calls `clipmap_vertex` for a buffer of vertices. Coordinates travel as integers' bits, so that nothing rounds them.
const HARNESS: &str = "
struct Input { position: vec3<f32>, tag: u32 }
struct Call { camera: vec2<f32>, quad: f32, quads: u32, rings: u32, count: u32 }
@group(0) @binding(0) var<uniform> call: Call;
@group(0) @binding(1) var<storage, read> inputs: array<Input>;
@group(0) @binding(2) var<storage, read_write> outputs: array<vec4<f32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < call.count) {
        let made = clipmap_vertex(inputs[id.x].position, inputs[id.x].tag, call.camera, call.quad, call.quads, call.rings);
        outputs[id.x] = vec4<f32>(made.rel_xz, made.spacing, select(0.0, 1.0, made.hidden));
    }
}
";

/// WGSL proper: the line that names the module is naga_oil's.
fn plain() -> String {
    let own = CLIPMAP.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    own + HARNESS
}

#[test]
fn it_is_valid_wgsl() {
    let module = naga::front::wgsl::parse_str(&plain()).expect("it parses");
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    validator.validate(&module).expect("it is valid");
    assert_eq!(CLIPMAP.lines().filter(|line| line.starts_with("#import")).count(), 0, "it needs nothing else");
}

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
}

impl Gpu {
    fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .expect("this test needs a GPU adapter; without a GPU, on Debian: apt-get install mesa-vulkan-drivers");
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))
            .expect("every adapter gives a device at WebGPU's default limits");
        let source = wgpu::ShaderSource::Wgsl(plain().into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("clipmap"), source });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("clipmap"),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { device, queue, pipeline }
    }

    fn buffer(&self, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes.len() as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    fn vertices(&self, meshes: &Meshes, camera: Vec2) -> Vec<ClipmapVertex> {
        let inputs: Vec<[u32; 4]> = meshes
            .inputs()
            .map(|(position, tag)| [position.x.to_bits(), position.y.to_bits(), position.z.to_bits(), tag])
            .collect();
        let dimensions = meshes.dimensions;
        let call = [
            camera.x.to_bits(),
            camera.y.to_bits(),
            dimensions.quad().to_bits(),
            dimensions.quads(),
            dimensions.rings(),
            inputs.len() as u32,
        ];
        let bytes: &[u8] = bytemuck::cast_slice(&inputs);
        let call = self.buffer(bytemuck::cast_slice(&call), wgpu::BufferUsages::UNIFORM);
        let given = self.buffer(bytes, wgpu::BufferUsages::STORAGE);
        let made = self.buffer(bytes, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let staging = self.buffer(bytes, wgpu::BufferUsages::MAP_READ);
        let entries = [&call, &given, &made]
            .map(wgpu::Buffer::as_entire_binding)
            .into_iter()
            .zip(0..)
            .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource })
            .collect::<Vec<_>>();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((inputs.len() as u32).div_ceil(64), 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&made, 0, &staging, 0, bytes.len() as u64);
        self.queue.submit([encoder.finish()]);
        staging.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("it maps"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device lives");
        let made: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&staging.slice(..).get_mapped_range());
        made.into_iter()
            .map(|[x, z, spacing, hidden]| ClipmapVertex { rel_xz: Vec2::new(x, z), spacing, hidden: hidden != 0.0 })
            .collect()
    }
}

#[test]
fn a_gpu_makes_the_same_gap_free_surface() {
    let gpu = Gpu::new();
    let low = (ClipmapDimensions::new(4, 128, 0.5), 2);
    let odd = (ClipmapDimensions::new(5, 160, 0.35), 1);
    for (dimensions, count) in small_ones().into_iter().map(|dimensions| (dimensions, 8)).chain([low, odd]) {
        let meshes = Meshes::new(dimensions);
        for camera in cameras(&dimensions, count) {
            let made = gpu.vertices(&meshes, camera);
            // A GPU may divide, and round a half, differently: it may take the other of two lattice points that are equally
            // near.
            let tie = (camera / (2.0 * dimensions.quad())).fract().abs();
            let is_tie = (tie - 0.5).abs().min_element() < 1e-4;
            if !is_tie {
                for ((position, tag), gpu) in meshes.inputs().zip(&made) {
                    let cpu = lattice::vertex(position, tag, camera, &dimensions);
                    let apart = (cpu.rel_xz - gpu.rel_xz).abs().max_element();
                    let rounding = 8.0 * f32::EPSILON * (cpu.rel_xz.abs().max_element() + camera.abs().max_element());
                    assert_eq!(cpu.hidden, gpu.hidden, "{dimensions:?}, {camera}, {position}, {tag:#x}");
                    assert!(apart <= rounding, "{dimensions:?}, {camera}: {cpu:?} is {gpu:?}");
                    assert!((cpu.spacing - gpu.spacing).abs() <= 0.01 * cpu.spacing, "{cpu:?} is {gpu:?}");
                }
            }
            assert_watertight(&dimensions, camera, &meshes.weld(made.into_iter()));
        }
    }
}
