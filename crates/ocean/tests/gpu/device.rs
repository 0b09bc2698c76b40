//! A device at WebGPU's default limits without a feature, and what it takes to get numbers back from it.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ocean::gpu::{Engine, Ocean, OceanOptions, Precision, Resolution};
use ocean::{Clocks, SeaState};

/// The adapter's engine. The guard keeps tests from running side by side: a software adapter uses every core as it is.
pub fn engine() -> (MutexGuard<'static, ()>, &'static Engine) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let engine = ENGINE.get_or_init(|| {
        let (device, queue) = new_device(&wgpu::Limits::default());
        Engine::new(&device, &queue).expect("a device with default limits runs the ocean")
    });
    (guard, engine)
}

/// A device of its own, for tests that break it.
pub fn new_device(limits: &wgpu::Limits) -> (wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter =
        pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).unwrap_or_else(|error| {
            panic!(
                "there is no GPU adapter, and these tests need one ({error}).\n\
             Fix: install a Vulkan driver. Without a GPU, on Debian: apt-get install mesa-vulkan-drivers"
            )
        });
    pollster::block_on(
        adapter.request_device(&wgpu::DeviceDescriptor { required_limits: limits.clone(), ..Default::default() }),
    )
    .expect("every adapter gives a device at WebGPU's default limits")
}

/// An ocean of this sea.
pub fn ocean(engine: &Engine, sea: &SeaState, resolution: Resolution, precision: Precision) -> Ocean {
    Ocean::new(engine, sea, OceanOptions { resolution, precision, ..Default::default() }).expect("it fits")
}

/// Updates by `dt` and waits.
pub fn update(engine: &Engine, ocean: &mut Ocean, dt: f64) {
    let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    ocean.update(&mut encoder, dt, None).expect("the device lives");
    ocean.update_mips(&mut encoder);
    engine.queue().submit([encoder.finish()]);
    wait(engine);
}

pub fn wait(engine: &Engine) {
    engine.device().poll(wgpu::PollType::wait_indefinitely()).expect("the device lives");
}

/// Clocks at the same number of seconds for every cascade.
pub fn clocks_at(seconds: f64) -> Clocks {
    let mut clocks = Clocks::new();
    for cascade in 0..ocean::sea_state::MAX_CASCADES {
        clocks.set(cascade, ocean::Clock::at(seconds));
    }
    clocks
}

/// A buffer's bytes.
pub fn read_buffer(engine: &Engine, buffer: &wgpu::Buffer, offset: u64, size: u64) -> Vec<u8> {
    let staging = staging(engine, size);
    let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, size);
    engine.queue().submit([encoder.finish()]);
    mapped(engine, &staging)
}

/// One layer of one level of a map, `[j][i]` with i along x: four channels a texel.
pub fn read_layer(engine: &Engine, map: &wgpu::Texture, layer: u32, level: u32) -> Vec<[f32; 4]> {
    let edge = map.width() >> level;
    let pitch = (edge * 8).next_multiple_of(256);
    let staging = staging(engine, u64::from(pitch) * u64::from(edge));
    let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            texture: map,
            mip_level: level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect: wgpu::TextureAspect::All,
        },
        wgpu::TexelCopyBufferInfo {
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: Some(edge) },
        },
        wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
    );
    engine.queue().submit([encoder.finish()]);
    let bytes = mapped(engine, &staging);
    let mut texels = Vec::with_capacity((edge * edge) as usize);
    for row in bytes.chunks(pitch as usize) {
        texels.extend(
            row[..edge as usize * 8]
                .chunks(8)
                .map(|texel| [0, 1, 2, 3].map(|i| half::f16::from_le_bytes([texel[2 * i], texel[2 * i + 1]]).to_f32())),
        );
    }
    texels
}

fn staging(engine: &Engine, size: u64) -> wgpu::Buffer {
    engine.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn mapped(engine: &Engine, buffer: &wgpu::Buffer) -> Vec<u8> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
    wait(engine);
    let bytes = buffer.slice(..).get_mapped_range().to_vec();
    buffer.unmap();
    bytes
}
