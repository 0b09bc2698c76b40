//! Spray flies where waves break, and costs nothing where it is off.

use crate::stage::{Stage, difference};
use bevy::prelude::*;
use bevy_ocean::{Preset, SprayMaterial, WaterSurface, WaterTime};

fn set(stage: &mut Stage, surface: Entity, on: bool) {
    stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface").enable_sea_spray = on;
    stage.run(4);
}

fn bytes(stage: &Stage) -> u64 {
    stage.report().surfaces[0].gpu_bytes
}

fn meshes(stage: &mut Stage) -> usize {
    let world = stage.app.world_mut();
    world.query::<&MeshMaterial3d<SprayMaterial>>().iter(world).count()
}

/// How much spray changes the picture of a sea that has run for a while.
fn shown(preset: Preset) -> f32 {
    let mut stage = Stage::new(UVec2::new(192, 128), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.2, 0.3));
    let surface = stage.add(preset, |surface| {
        (surface.enable_sea_spray, surface.spray_particles) = (true, 4000);
    });
    stage.settle();
    stage.run(250);
    stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
    let flying = stage.picture();
    let again = stage.picture();
    assert!(difference(&flying, &again) < 1e-5, "paused, the spray stands");
    let with = bytes(&stage);
    assert_eq!(meshes(&mut stage), 1);
    set(&mut stage, surface, false);
    let still = stage.picture();
    assert_eq!((meshes(&mut stage), with - bytes(&stage) >= 4000 * 32), (0, true), "off, there is nothing of it");
    set(&mut stage, surface, true);
    let empty = stage.picture();
    assert!(difference(&still, &empty) < 1e-5, "paused, nothing is thrown");
    difference(&flying, &still)
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn it_flies_from_a_storm_and_not_from_a_lake() {
    let (storm, lake) = (shown(Preset::StormyOcean), shown(Preset::CalmLake));
    println!("storm {storm}, lake {lake}");
    assert!(storm > 2e-3, "no spray in a storm: {storm}");
    assert!(lake < 1e-5, "spray on a lake: {lake}");
}
