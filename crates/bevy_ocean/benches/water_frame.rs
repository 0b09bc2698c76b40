//! `cargo xtask bench water_frame`: what the water costs of a frame on this machine's GPU, in whole milliseconds of simulation, mip levels and drawing.
//!
//! The Ocean preset with the High mesh, seen from 6 m with the horizon in the upper third, under Bevy's atmosphere, HDR, no MSAA; medians over many frames of what timestamps
//! say. Every combination of picture size and wave resolution is one row. A wave update is due in every frame here; at 50 updates a second and 144 frames it would be in one of three.

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::{Hdr, RenderTarget};
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::{Atmosphere, AtmosphereEnvironmentMapLight, light_consts::lux};
use bevy::log::LogPlugin;
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_ocean::{OceanPlugin, Preset, WaterDiagnostics, WaterSurface};
use std::time::Duration;

/// Frames that are not counted: pipelines compile, maps fill.
const WARM_UP: u32 = 90;
const FRAMES: u32 = 200;

fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    let sizes: &[[u32; 2]] = if quick { &[[320, 180]] } else { &[[1920, 1080], [3840, 2160]] };
    let resolutions: &[u32] = if quick { &[128] } else { &[512, 1024] };
    println!("| picture | waves | simulation ms | mips ms | water ms | triangles | map MiB |");
    println!("|---|---|---|---|---|---|---|");
    let mut adapter = String::new();
    for size in sizes {
        for resolution in resolutions {
            adapter = measure(UVec2::from_array(*size), *resolution, if quick { 6 } else { FRAMES });
        }
    }
    println!("\n{adapter}");
}

fn measure(size: UVec2, resolution: u32, frames: u32) -> String {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<LogPlugin>(),
    )
    .add_plugins((ScheduleRunnerPlugin::run_once(), OceanPlugin))
    .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    app.finish();
    app.cleanup();
    set_the_scene(app.world_mut(), size, resolution);
    for _ in 0..WARM_UP.min(frames.max(10) * 3) {
        app.update();
    }
    let mut times: [Vec<f32>; 3] = default();
    for _ in 0..frames {
        app.update();
        if let Some(gpu) = app.world().resource::<WaterDiagnostics>().gpu_ms {
            for (list, time) in times.iter_mut().zip([gpu.simulation, gpu.mips, gpu.water]) {
                list.push(time);
            }
        }
    }
    let [simulation, mips, water] = times.map(|mut list| {
        list.sort_by(f32::total_cmp);
        list.get(list.len() / 2).map_or("not available".to_owned(), |median| format!("{median:.3}"))
    });
    let report = app.world().resource::<WaterDiagnostics>().surfaces.first().cloned();
    let (triangles, bytes, error) = report.map_or((0, 0, None), |report| (report.triangles, report.map_bytes, report.error));
    println!(
        "| {} × {} | {resolution} × 3 | {simulation} | {mips} | {water} | {triangles} | {:.1} |",
        size.x,
        size.y,
        bytes as f64 / f64::from(1 << 20)
    );
    if let Some(error) = error {
        println!("{error}");
    }
    let adapter = app.sub_app(RenderApp).world().resource::<RenderAdapterInfo>();
    format!("{}, {}", adapter.name, adapter.driver_info)
}

fn set_the_scene(world: &mut World, size: UVec2, resolution: u32) {
    let medium = world.resource_mut::<Assets<ScatteringMedium>>().add(ScatteringMedium::default());
    world.spawn(Atmosphere::earth(medium));
    world.spawn(WaterSurface { wave_resolution: resolution, ..WaterSurface::from(Preset::Ocean) });
    world.spawn((
        DirectionalLight { illuminance: lux::RAW_SUNLIGHT, ..default() },
        Transform::from_xyz(1.0, 0.6, 0.3).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
    let target = world.resource_mut::<Assets<Image>>().add(image);
    world.spawn((
        Camera3d::default(),
        Hdr,
        Msaa::Off,
        RenderTarget::Image(target.into()),
        AtmosphereSettings::default(),
        AtmosphereEnvironmentMapLight { size: UVec2::splat(128), ..default() },
        Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::new(1.0, -0.15, 0.2), Vec3::Y),
    ));
}
