//! What a surface makes, it gives back.

use crate::stage::{Stage, small};
use bevy::camera::visibility::ViewVisibility;
use bevy::prelude::*;
use bevy_ocean::{MeshMode, Preset, WaterMaterial, WaterSurface, WaveMeshQuality};

fn meshes_and_materials(stage: &Stage) -> (usize, usize) {
    let world = stage.app.world();
    (world.resource::<Assets<Mesh>>().len(), world.resource::<Assets<WaterMaterial>>().len())
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn two_hundred_surfaces_leave_nothing_behind() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0));
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    stage.stop_reading();
    let cycle = |stage: &mut Stage, index: u32| {
        let surface = stage.add(Preset::ALL[index as usize % 7], |surface| {
            surface.wave_resolution = [128, 256][index as usize % 2];
            surface.updates_per_second = [50.0, 0.0][index as usize / 2 % 2];
        });
        stage.run(2);
        // A change of size while it lives, too.
        if let Some(mut water) = stage.app.world_mut().get_mut::<WaterSurface>(surface) {
            water.wave_resolution = 384 - water.wave_resolution;
            water.sea.cascades.truncate(1);
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
    stage.run(10);
    let (objects, assets) = (stage.gpu_objects(), meshes_and_materials(&stage));
    for index in 20..220 {
        cycle(&mut stage, index);
    }
    stage.run(10);
    assert_eq!(meshes_and_materials(&stage), assets, "meshes and materials");
    for ((before, after), name) in
        objects.into_iter().zip(stage.gpu_objects()).zip(["textures", "buffers", "bind groups", "views"])
    {
        assert!(after <= before + 4, "{name}: {before} before, {after} after two hundred surfaces");
    }
    assert_eq!(stage.report().surfaces.len(), 1);
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

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn looks_and_meshes_follow_their_fields_and_come_back() {
    let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(0.0, 6.0, 0.0), Vec3::new(1.0, -0.45, 0.0));
    let surface = stage.add(Preset::Ocean, |_| {});
    stage.settle();
    stage.app.world_mut().resource_mut::<bevy_ocean::WaterTime>().paused = true;
    let changes: &[(&str, fn(&mut WaterSurface))] = &[
        ("water_color", |water| water.water_color = LinearRgba::rgb(0.3, 0.0, 0.3)),
        ("roughness", |water| water.roughness = 0.1),
        ("normal_strength", |water| water.normal_strength = 0.1),
        ("wave_mesh_quality", |water| water.clipmap_quad_size = 4.0),
        ("mesh_mode", |water| {
            water.mesh_mode = MeshMode::Grid;
            water.grid_size = 20.0;
        }),
    ];
    for (name, change) in changes {
        let before = stage.picture();
        let untouched = stage.app.world().get::<WaterSurface>(surface).expect("a surface").clone();
        change(&mut stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface"));
        let after = stage.picture();
        assert!(crate::stage::difference(&before, &after) > 1e-3, "{name} changes nothing");
        *stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface") = untouched;
        let back = stage.picture();
        assert!(crate::stage::difference(&before, &back) < 1e-4, "{name} does not come back");
    }
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
