//! What a surface makes, it gives back.

use crate::stage::{BACKGROUND, Stage, difference, small};
use bevy::camera::visibility::{RenderLayers, ViewVisibility};
use bevy::prelude::*;
use bevy::render::error_handler::{ErrorType, RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::RenderCreation;
use bevy_ocean::{Preset, SprayMaterial, WaterMaterial, WaterSurface, WaveMeshQuality};
use std::time::Duration;

fn assets(stage: &Stage) -> [usize; 3] {
    let world = stage.app.world();
    let sprays = world.resource::<Assets<SprayMaterial>>().len();
    [world.resource::<Assets<Mesh>>().len(), world.resource::<Assets<WaterMaterial>>().len(), sprays]
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn two_hundred_surfaces_leave_nothing_behind() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0));
    let first = stage.add(Preset::Ocean, |_| {});
    stage.settle();
    stage.stop_reading();
    let cycle = |stage: &mut Stage, index: u32| {
        let surface = stage.add(Preset::ALL[index as usize % 7], |surface| {
            surface.wave_resolution = [128, 256][index as usize % 2];
            surface.updates_per_second = [50.0, 0.0][index as usize / 2 % 2];
            surface.enable_sea_spray = index.is_multiple_of(3);
        });
        stage.run(2);
        // A change of size while it lives, too, and of its spray.
        if let Some(mut water) = stage.app.world_mut().get_mut::<WaterSurface>(surface) {
            water.wave_resolution = 384 - water.wave_resolution;
            water.sea.cascades.truncate(1);
            water.enable_sea_spray = !water.enable_sea_spray;
            water.spray_particles = 500 + 100 * (index % 5);
        }
        stage.run(2);
        if index.is_multiple_of(2) {
            stage.app.world_mut().despawn(surface);
        } else {
            stage.app.world_mut().entity_mut(surface).remove::<WaterSurface>();
        }
        stage.run(2);
    };
    for index in 0..20 {
        cycle(&mut stage, index);
    }
    stage.app.world_mut().despawn(first);
    stage.run(10);
    let (objects, bytes, before) = (stage.gpu_objects(), stage.gpu_bytes(), assets(&stage));
    for index in 20..220 {
        cycle(&mut stage, index);
    }
    stage.run(10);
    assert_eq!(assets(&stage), before, "meshes and materials");
    assert_eq!(assets(&stage)[1..], [0, 0]);
    for ((before, after), name) in
        objects.into_iter().zip(stage.gpu_objects()).zip(["textures", "buffers", "bind groups", "views"])
    {
        assert!(after <= before + 4, "{name}: {before} before, {after} after two hundred surfaces");
    }
    // Some drivers' memory wgpu does not hand out by itself, and knows nothing of.
    if let (Some(before), Some(after)) = (bytes, stage.gpu_bytes()) {
        assert!(after <= before + (1 << 20), "{before} bytes before, {after} after two hundred surfaces");
    }
    assert!(stage.report().surfaces.is_empty());
}

#[test]
fn a_removed_component_takes_its_tiles_along() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0));
    let surface = stage.add(Preset::Ocean, |_| {});
    stage.run(3);
    let tiles = |stage: &mut Stage| {
        let world = stage.app.world_mut();
        world.query_filtered::<(), (With<MeshMaterial3d<WaterMaterial>>, With<ViewVisibility>)>().iter(world).count()
    };
    assert!(tiles(&mut stage) > 50);
    stage.app.world_mut().entity_mut(surface).remove::<WaterSurface>();
    stage.run(2);
    assert_eq!(tiles(&mut stage), 0);
    stage.app.world_mut().entity_mut(surface).insert(small(Preset::CalmLake));
    stage.run(3);
    assert_eq!(tiles(&mut stage), 4, "a grid of 128 quads is cut in four");
}

/// What the test's error handler has been told.
#[derive(Resource, Default)]
struct Errors(Vec<String>);

/// Goes on after a lost device, and once only: any other error is one that the new device makes.
fn recover(error: &RenderError, main: &mut World, _render: &mut World) -> RenderErrorPolicy {
    let mut errors = main.get_resource_or_init::<Errors>();
    errors.0.push(format!("{:?}: {}", error.ty, error.description));
    if errors.0.len() == 1 && matches!(error.ty, ErrorType::DeviceLost) {
        return RenderErrorPolicy::Recover(RenderCreation::default());
    }
    RenderErrorPolicy::StopRendering
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn a_lost_device_is_made_good() {
    let eye = Vec3::new(0.0, 3.0, 0.0);
    let mut stage = Stage::with(UVec2::new(64, 64), eye, Vec3::new(1.0, -0.5, 0.0), |camera| {
        // With it Bevy's views have a layout of their own.
        camera.insert(Msaa::Sample4);
    });
    stage.app.insert_resource(RenderErrorHandler(recover));
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    let before = stage.picture_now();
    let water = difference(&before, &vec![BACKGROUND.to_vec4(); before.len()]);
    assert!(water > 0.15, "with no water in it the picture would be much the same: {water}");
    stage.stop_reading();
    stage.run(5);
    let device = stage.app.world().resource::<RenderDevice>().clone();
    // Bevy reads a few buffers of its own back natively, and takes it ill if one of them goes in between.
    let _ = device.poll(wgpu::PollType::wait_indefinitely());
    device.wgpu_device().destroy();
    // It is told of when somebody asks the device.
    let _ = device.poll(wgpu::PollType::Poll);
    for _ in 0..150 {
        stage.run(1);
        // Nobody waits for pictures here, and a slow GPU would have all of them before it.
        std::thread::sleep(Duration::from_millis(30));
        let errors = &stage.app.world_mut().get_resource_or_init::<Errors>().0;
        assert!(errors.len() < 2, "{errors:#?}");
    }
    assert_eq!(stage.app.world().resource::<Errors>().0.len(), 1, "the loss was told of, once");
    // A slow one is still at the frames before.
    stage.catch_up();
    stage.start_reading();
    stage.settle();
    let after = stage.picture_now();
    let apart = difference(&before, &after);
    assert!(apart < 0.05, "the picture is not what it was: {apart}");
    let brightest = after.iter().map(|pixel| pixel.max_element()).fold(0.0, f32::max);
    assert!(brightest > 0.1, "it is black");
}

#[test]
fn tiles_are_seen_by_whom_their_surface_is() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0));
    let surface = stage.add(Preset::CalmLake, |_| {});
    let layers = |stage: &mut Stage| {
        stage.run(2);
        let world = stage.app.world_mut();
        let mut tiles = world.query_filtered::<Option<&RenderLayers>, With<MeshMaterial3d<WaterMaterial>>>();
        let layers: Vec<_> = tiles.iter(world).map(|layers| layers.cloned().unwrap_or_default()).collect();
        assert!(layers.len() == 4 && layers.iter().all(|layer| *layer == layers[0]), "{layers:?}");
        layers[0].clone()
    };
    assert_eq!(layers(&mut stage), RenderLayers::default());
    stage.app.world_mut().entity_mut(surface).insert(RenderLayers::layer(3));
    assert_eq!(layers(&mut stage), RenderLayers::layer(3));
    stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface").grid_size = 77.0;
    assert_eq!(layers(&mut stage), RenderLayers::layer(3), "of tiles that were cut anew");
    stage.app.world_mut().entity_mut(surface).remove::<RenderLayers>();
    assert_eq!(layers(&mut stage), RenderLayers::default());
}

#[test]
fn custom_quality_starts_from_what_was_on_screen() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::Y, Vec3::X);
    let surface = stage.app.world_mut().spawn(WaterSurface { wave_resolution: 128, ..WaterSurface::from(Preset::Ocean) }).id();
    for quality in [WaveMeshQuality::Low, WaveMeshQuality::Medium] {
        stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface").wave_mesh_quality = quality;
        stage.run(1);
        stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface").wave_mesh_quality = WaveMeshQuality::Custom;
        stage.run(1);
        let water = stage.app.world().get::<WaterSurface>(surface).expect("a surface");
        let dimensions = (water.clipmap_rings, water.clipmap_resolution, water.clipmap_quad_size);
        assert_eq!(Some(dimensions), quality.preset().map(|preset| preset.dimensions()), "{quality:?}");
    }
    // Who chooses the numbers along with the quality keeps them.
    {
        let mut water = stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface");
        water.wave_mesh_quality = WaveMeshQuality::High;
    }
    stage.run(1);
    {
        let mut water = stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface");
        water.wave_mesh_quality = WaveMeshQuality::Custom;
        water.clipmap_rings = 2;
    }
    stage.run(1);
    assert_eq!(stage.app.world().get::<WaterSurface>(surface).expect("a surface").clipmap_rings, 2);
}
