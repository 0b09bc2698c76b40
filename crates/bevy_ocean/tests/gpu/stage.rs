//! A Bevy app without a window that draws into an image, and what the tests read from it.

use bevy::app::{App, PluginGroup};
use bevy::asset::RenderAssetUsages;
use bevy::camera::{Exposure, Hdr, RenderTarget};
use bevy::core_pipeline::core_3d::main_transparent_pass_3d;
use bevy::core_pipeline::schedule::Core3d;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::log::LogPlugin;
use bevy::pbr::main_transmissive_pass_3d;
use bevy::prelude::*;
use bevy::render::extract_resource::{ExtractResource, ExtractResourcePlugin};
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{Buffer, CachedPipelineState, PipelineCache, TextureFormat, TextureUsages};
use bevy::render::renderer::{RenderContext, RenderDevice, RenderInstance, ViewQuery};
use bevy::render::settings::WgpuSettings;
use bevy::render::view::ViewDepthTexture;
use bevy::render::{RenderApp, RenderPlugin};
use bevy::shader::ShaderCacheError;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_ocean::{OceanPlugin, Preset, WaterDiagnostics, WaterSurface, WaterTime, WaveMeshQuality};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// Software GPUs share the processor: one app at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Which software GPU draws.
///
/// Mesa's lavapipe computes fast, but takes minutes to compile the water's fragment shader and falls over Bevy's atmosphere (seen with Mesa 22.3); the SwiftShader that comes with
/// Chromium does both. The Vulkan loader is told by a variable.
#[allow(unsafe_code, reason = "the variable is set before anything of Vulkan runs, and by one test at a time")]
mod software_gpu {
    use std::path::Path;

    const SWIFTSHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";

    pub fn choose() {
        let chosen = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
        let has_gpu = Path::new("/dev/dri").exists() || Path::new("/dev/nvidiactl").exists();
        if !chosen && !has_gpu && Path::new(SWIFTSHADER).exists() {
            // SAFETY: the caller holds the lock that every test takes first, and no thread of an earlier app reads the environment any more.
            unsafe { std::env::set_var("VK_DRIVER_FILES", SWIFTSHADER) };
        }
    }
}

/// What is seen where nothing is drawn.
pub const BACKGROUND: LinearRgba = LinearRgba::rgb(0.25, 0.35, 0.5);

/// How long a frame is.
const FRAME: TimeUpdateStrategy = TimeUpdateStrategy::ManualDuration(Duration::from_millis(20));

/// An app and the picture it draws.
pub struct Stage {
    pub app: App,
    pub size: UVec2,
    pub camera: Entity,
    pixels: Arc<Mutex<Option<Vec<u8>>>>,
    target: Handle<Image>,
    readback: Option<Entity>,
    frames: u32,
    _turn: MutexGuard<'static, ()>,
}

/// The depth of the last frame, copied between the water and what is transparent.
#[derive(Resource, Clone, ExtractResource)]
struct DepthCopy(Buffer);

impl Drop for Stage {
    /// A software GPU falls behind, and wgpu waits only some seconds for what a queue that goes away has not done yet.
    fn drop(&mut self) {
        if let Some(device) = self.app.world().get_resource::<RenderDevice>() {
            // A device that was lost has nothing left to do.
            let _ = device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(Duration::from_secs(60)) });
        }
    }
}

impl Stage {
    /// A picture of so many pixels, from a camera at `eye` that looks along `forward`. Widths are multiples of 64, so that rows are read without gaps.
    pub fn new(size: UVec2, eye: Vec3, forward: Vec3) -> Self {
        Self::with(size, eye, forward, |_| {})
    }

    /// The same, with a change to the camera's components before the first frame.
    pub fn with(size: UVec2, eye: Vec3, forward: Vec3, dress: impl FnOnce(&mut EntityWorldMut)) -> Self {
        Self::in_app(size, eye, forward, |_| {}, dress)
    }

    /// The same, on a device that allows what every WebGPU device does, and no more.
    pub fn within_webgpus_defaults(size: UVec2, eye: Vec3, forward: Vec3, dress: impl FnOnce(&mut EntityWorldMut)) -> Self {
        let settings = WgpuSettings { constrained_limits: Some(wgpu::Limits::default()), ..default() };
        Self::on_device(settings, size, eye, forward, |_| {}, dress)
    }

    /// The same, in an app with more plugins.
    pub fn in_app(
        size: UVec2,
        eye: Vec3,
        forward: Vec3,
        plug: impl FnOnce(&mut App),
        dress: impl FnOnce(&mut EntityWorldMut),
    ) -> Self {
        Self::on_device(WgpuSettings::default(), size, eye, forward, plug, dress)
    }

    fn on_device(
        settings: WgpuSettings,
        size: UVec2,
        eye: Vec3,
        forward: Vec3,
        plug: impl FnOnce(&mut App),
        dress: impl FnOnce(&mut EntityWorldMut),
    ) -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        software_gpu::choose();
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                .set(RenderPlugin { render_creation: settings.into(), ..default() })
                .disable::<WinitPlugin>()
                .disable::<PipelinedRenderingPlugin>()
                .disable::<LogPlugin>(),
        )
        .add_plugins((OceanPlugin, ExtractResourcePlugin::<DepthCopy>::default()))
        .insert_resource(FRAME)
        .insert_resource(GlobalAmbientLight { brightness: 2_000.0, ..default() })
        .insert_resource(ClearColor(BACKGROUND.into()));
        app.sub_app_mut(RenderApp)
            .add_systems(Core3d, copy_depth.after(main_transmissive_pass_3d).before(main_transparent_pass_3d));
        plug(&mut app);
        app.finish();
        app.cleanup();

        let mut image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba16Float, None);
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        image.asset_usage = RenderAssetUsages::all();
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let depth = app.world().resource::<RenderDevice>().create_buffer(&wgpu::BufferDescriptor {
            label: Some("depth copy"),
            size: u64::from(size.x * size.y) * 4,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        app.insert_resource(DepthCopy(depth));
        app.world_mut().spawn((
            DirectionalLight { illuminance: 60_000.0, shadow_maps_enabled: false, ..default() },
            Transform::from_xyz(1.0, 0.7, 0.4).looking_at(Vec3::ZERO, Vec3::Y),
        ));
        let mut camera = app.world_mut().spawn((
            Camera3d { depth_texture_usages: (TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC).into(), ..default() },
            Hdr,
            Msaa::Off,
            Tonemapping::None,
            Exposure { ev100: 13.0 },
            RenderTarget::Image(target.clone().into()),
            Transform::from_translation(eye).looking_to(forward, Vec3::Y),
        ));
        dress(&mut camera);
        let camera = camera.id();

        let pixels = Arc::new(Mutex::new(None));
        let mut stage = Self { app, size, camera, pixels, target, readback: None, frames: 0, _turn: turn };
        stage.start_reading();
        stage
    }

    /// Adds a surface that a software GPU draws in reasonable time: 128², a coarse mesh.
    pub fn add(&mut self, preset: Preset, change: impl FnOnce(&mut WaterSurface)) -> Entity {
        let mut surface = small(preset);
        change(&mut surface);
        self.app.world_mut().spawn(surface).id()
    }

    fn update(&mut self) {
        self.app.update();
        self.frames += 1;
    }

    /// Frames so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// So many frames of 20 ms.
    pub fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.update();
        }
    }

    /// Runs until the water is on screen: its pipelines are compiled and its maps are bound.
    ///
    /// Compiling takes as long as it takes, and a fast GPU draws hundreds of frames meanwhile. They take no time of the sea's: whatever the machine, the sea is at the same moment
    /// when this returns.
    pub fn settle(&mut self) {
        // Until all that is to be drawn has been seen once, so that its pipelines are asked for.
        self.run(6);
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        let mut ready = 0;
        for _ in 0..60_000 {
            self.app.update();
            self.assert_pipelines();
            let report = self.app.world().resource::<WaterDiagnostics>();
            let there = !report.surfaces.is_empty() && report.surfaces.iter().all(|surface| surface.resolution > 0);
            // What has just become ready may be followed by what waited for it.
            ready = if there && self.pipelines_are_ready() { ready + 1 } else { 0 };
            if ready == 4 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(ready, 4, "the water is not on screen: {:?}", self.report());
        self.app.insert_resource(FRAME);
        // One for the bind groups, two for the history, and a few for the read-back to follow.
        self.run(8);
    }

    fn pipelines_are_ready(&self) -> bool {
        let cache = self.app.sub_app(RenderApp).world().resource::<PipelineCache>();
        cache.waiting_pipelines().count() == 0
            && cache.pipelines().all(|pipeline| matches!(pipeline.state, CachedPipelineState::Ok(_)))
    }

    /// What is wrong with the pipelines that there are, if anything. A shader that is still being loaded is an error for a while, too, and tried again.
    fn assert_pipelines(&self) {
        let cache = self.app.sub_app(RenderApp).world().resource::<PipelineCache>();
        for pipeline in cache.pipelines() {
            match &pipeline.state {
                CachedPipelineState::Err(
                    ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable,
                ) => {}
                CachedPipelineState::Err(error) => panic!("a pipeline did not compile: {error}"),
                _ => {}
            }
        }
    }

    /// The picture as linear RGBA, row by row from the top: of the frame after those that were run.
    pub fn picture(&mut self) -> Vec<Vec4> {
        // What is read back belongs to an earlier frame: on a slow GPU, to one of many.
        self.run(3);
        self.catch_up();
        self.update();
        *self.pixels.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
        for _ in 0..20 {
            self.update();
            let bytes = self.pixels.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            if let Some(bytes) = bytes {
                return bytes.as_chunks::<8>().0.iter().map(half_pixel).collect();
            }
        }
        panic!("no picture came back");
    }

    /// Waits until the GPU has done all that it was given.
    pub fn catch_up(&self) {
        // A device that was lost has nothing left to do.
        let _ = self.app.world().resource::<RenderDevice>().poll(wgpu::PollType::wait_indefinitely());
    }

    /// The picture of this very frame: the sea stands until it is read.
    pub fn picture_now(&mut self) -> Vec<Vec4> {
        self.app.world_mut().resource_mut::<WaterTime>().paused = true;
        self.picture()
    }

    /// The depth that the water has left, row by row from the top.
    pub fn depth(&mut self) -> Vec<f32> {
        self.run(2);
        let world = self.app.world();
        let (buffer, device) = (world.resource::<DepthCopy>().0.clone(), world.resource::<RenderDevice>());
        buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the depth can be read"));
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        let depth = bytemuck::cast_slice(&buffer.slice(..).get_mapped_range()).to_vec();
        buffer.unmap();
        depth
    }

    /// Where the eye looks through a pixel: its position, and the direction, from the camera.
    pub fn ray(&self, x: u32, y: u32) -> (Vec3, Vec3) {
        let world = self.app.world();
        let camera = world.get::<Camera>(self.camera).expect("the camera is there");
        let transform = world.get::<GlobalTransform>(self.camera).expect("it has a place");
        let ndc = (Vec2::new(x as f32, y as f32) + 0.5) / self.size.as_vec2() * Vec2::new(2.0, -2.0) + Vec2::new(-1.0, 1.0);
        let view = camera.clip_from_view().inverse().project_point3(ndc.extend(0.5));
        (transform.translation(), (transform.rotation() * view).normalize())
    }

    /// The world position of a pixel's depth.
    pub fn position(&self, x: u32, y: u32, depth: f32) -> Vec3 {
        let world = self.app.world();
        let camera = world.get::<Camera>(self.camera).expect("the camera is there");
        let transform = world.get::<GlobalTransform>(self.camera).expect("it has a place");
        let ndc = (Vec2::new(x as f32, y as f32) + 0.5) / self.size.as_vec2() * Vec2::new(2.0, -2.0) + Vec2::new(-1.0, 1.0);
        let view = camera.clip_from_view().inverse().project_point3(ndc.extend(depth));
        transform.translation() + transform.rotation() * view
    }

    /// Live textures, buffers, bind groups and views on the device.
    pub fn gpu_objects(&self) -> [usize; 4] {
        let world = self.app.sub_app(RenderApp).world();
        let report = world.resource::<RenderInstance>().generate_report().expect("a native instance reports");
        let hub = report.hub_report();
        [&hub.textures, &hub.buffers, &hub.bind_groups, &hub.texture_views].map(|registry| registry.num_allocated)
    }

    /// Bytes of the buffers and textures that there are, where wgpu hands out the memory itself.
    pub fn gpu_bytes(&self) -> Option<u64> {
        let report = self.app.world().resource::<RenderDevice>().wgpu_device().generate_allocator_report()?;
        Some(report.total_allocated_bytes)
    }

    pub fn move_camera(&mut self, transform: Transform) {
        *self.app.world_mut().get_mut::<Transform>(self.camera).expect("the camera is there") = transform;
    }

    /// Stops reading the picture back, which makes GPU objects of its own, and buffers that Bevy does not let go of unread.
    pub fn stop_reading(&mut self) {
        if let Some(readback) = self.readback.take() {
            self.app.world_mut().despawn(readback);
        }
    }

    /// Reads the picture back again.
    pub fn start_reading(&mut self) {
        let store = self.pixels.clone();
        let keep = move |data: On<ReadbackComplete>| {
            *store.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(data.data.clone());
        };
        self.readback = Some(self.app.world_mut().spawn(Readback::texture(self.target.clone())).observe(keep).id());
    }

    pub fn report(&self) -> WaterDiagnostics {
        self.app.world().resource::<WaterDiagnostics>().clone()
    }
}

/// A preset as a software GPU draws it in reasonable time.
pub fn small(preset: Preset) -> WaterSurface {
    WaterSurface {
        wave_resolution: 128,
        wave_mesh_quality: WaveMeshQuality::Custom,
        clipmap_rings: 4,
        clipmap_resolution: 64,
        clipmap_quad_size: 1.0,
        grid_subdivisions: 128,
        enable_sea_spray: false,
        ..WaterSurface::from(preset)
    }
}

fn half_pixel(bytes: &[u8; 8]) -> Vec4 {
    Vec4::from_array(std::array::from_fn(|channel| {
        half::f16::from_le_bytes([bytes[2 * channel], bytes[2 * channel + 1]]).to_f32()
    }))
}

/// Root mean square difference of two pictures' colours.
pub fn difference(a: &[Vec4], b: &[Vec4]) -> f32 {
    let sum: f32 = a.iter().zip(b).map(|(a, b)| (*a - *b).truncate().length_squared()).sum();
    (sum / a.len() as f32).sqrt()
}

fn copy_depth(view: ViewQuery<&ViewDepthTexture>, copy: Option<Res<DepthCopy>>, mut context: RenderContext) {
    let Some(copy) = copy else { return };
    let depth = &view.into_inner().texture;
    if depth.sample_count() != 1 || u64::from(depth.width() * depth.height()) * 4 != copy.0.size() {
        return;
    }
    context.command_encoder().copy_texture_to_buffer(
        depth.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &copy.0,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(depth.width() * 4), rows_per_image: None },
        },
        depth.size(),
    );
}
