//! Every dial there is shows in the picture, at once and while the sea stands still, and turned back it is as it was.

use crate::stage::{Stage, difference};
use bevy::prelude::*;
use bevy_ocean::ocean::sea_state::{CASCADE_PARAMETERS, SEA_PARAMETERS};
use bevy_ocean::{MeshMode, ParameterKind, ParameterValue, Preset, SURFACE_PARAMETERS, SurfaceParameter, WaterSurface};

/// What a standing sea does not show: rates, what there is no wind for, and spray, which starts with time.
const UNSEEN_WHILE_PAUSED: [&str; 7] = [
    "spray_particles",
    "updates_per_second",
    "follow_world_wind",
    "wind_response",
    "enable_sea_spray",
    "current_speed",
    "current_heading",
];
/// What decides how foam grows from now on, and the clock's pace.
const UNSEEN_UNTIL_TIME_PASSES: [&str; 3] = ["whitecap", "foam_amount", "time_scale"];

/// A storm over a shallow bed, so that foam, extinction and waves are all in view.
fn stage() -> (Stage, Entity) {
    let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(0.0, 6.0, 0.0), Vec3::new(1.0, -0.45, 0.0));
    // Updated every frame: between two updates, the foam of the first is gone when the maps are made anew.
    let surface = stage.add(Preset::StormyOcean, |surface| {
        surface.sea.cascades[0].wind_speed = 12.0;
        surface.updates_per_second = 0.0;
    });
    let world = stage.app.world_mut();
    let mesh = world.resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(400.0, 400.0));
    let white = world.resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial::from(Color::WHITE));
    world.spawn((Mesh3d(mesh), MeshMaterial3d(white), Transform::from_xyz(0.0, -4.0, 0.0)));
    stage.settle();
    stage.run(100);
    world_paused(&mut stage);
    (stage, surface)
}

fn world_paused(stage: &mut Stage) {
    stage.app.world_mut().resource_mut::<bevy_ocean::WaterTime>().paused = true;
    stage.run(3);
}

/// Makes the change, looks, takes it back and looks again: how much either differs from before.
fn try_out(stage: &mut Stage, surface: Entity, change: impl FnOnce(&mut WaterSurface)) -> (f32, f32) {
    let before = stage.picture();
    let untouched = stage.app.world().get::<WaterSurface>(surface).expect("a surface").clone();
    change(&mut stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface"));
    stage.run(3);
    let changed = stage.picture();
    *stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface") = untouched;
    stage.run(3);
    let back = stage.picture();
    (difference(&before, &changed), difference(&before, &back))
}

/// Another value than the one that is.
fn another(parameter: &SurfaceParameter, now: ParameterValue) -> ParameterValue {
    match (parameter.kind, now) {
        (ParameterKind::Number { min, max }, ParameterValue::Number(now)) => {
            let (least, most) = (min.max(0.1 * now), max.min(0.5 + 3.0 * now));
            ParameterValue::Number(if now - least > most - now { least } else { most })
        }
        (ParameterKind::Integer { min, max }, ParameterValue::Integer(now)) => {
            ParameterValue::Integer(if now > (min + max) / 8 { (now / 4).max(min) } else { (now * 2).min(max) })
        }
        (ParameterKind::Size(sizes), ParameterValue::Integer(now)) => {
            ParameterValue::Integer(if sizes[0] == now { sizes[1] } else { sizes[0] })
        }
        (ParameterKind::Flag, ParameterValue::Flag(now)) => ParameterValue::Flag(!now),
        (ParameterKind::Choice(names), ParameterValue::Choice(now)) => {
            ParameterValue::Choice(if names[0] == now { names[1] } else { names[0] })
        }
        (ParameterKind::Rgb { max }, ParameterValue::Rgb(now)) => {
            ParameterValue::Rgb(now.map(|channel| if channel < 0.2 { (channel + 0.5).min(max) } else { 0.1 * channel }))
        }
        (kind, now) => panic!("{}: {kind:?} holds {now:?}", parameter.field),
    }
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn every_dial_of_the_surface_shows_and_comes_back() {
    let (mut stage, surface) = stage();
    for parameter in SURFACE_PARAMETERS {
        let is_grids = parameter.field.starts_with("grid_");
        let begun = stage.app.world().get::<WaterSurface>(surface).expect("a surface").clone();
        if is_grids {
            let mut water = stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface");
            (water.mesh_mode, water.grid_size) = (MeshMode::Grid, 30.0);
        }
        let (changed, back) = try_out(&mut stage, surface, |water| {
            let value = another(parameter, (parameter.get)(water));
            (parameter.set)(water, value);
        });
        // Choosing Custom starts from what was on screen, so it does not come back; and the next dial is to start from here.
        let comes_back = parameter.field != "wave_mesh_quality";
        *stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface") = begun.clone();
        stage.run(2);
        let shows = !UNSEEN_WHILE_PAUSED.contains(&parameter.field);
        assert_eq!(changed > 2e-4, shows, "{}: the picture differs by {changed}", parameter.field);
        // Foam is resampled with the maps' size, and some of its detail is gone.
        let tolerance = if parameter.field == "wave_resolution" { 5e-2 } else { 1e-4 };
        assert!(back < tolerance || !comes_back, "{} does not come back: {back}", parameter.field);
    }
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn every_dial_of_the_sea_shows_and_comes_back() {
    let (mut stage, surface) = stage();
    for parameter in SEA_PARAMETERS {
        let (changed, back) = try_out(&mut stage, surface, |water| (parameter.set)(&mut water.sea, 1.0));
        assert!(changed > 2e-4 && back < 1e-4, "{}: {changed}, then {back}", parameter.field);
    }
    let (changed, back) = try_out(&mut stage, surface, |water| water.sea.seed += 1);
    assert!(changed > 2e-4 && back < 1e-4, "seed: {changed}, then {back}");
    for parameter in CASCADE_PARAMETERS {
        let (changed, back) = try_out(&mut stage, surface, |water| {
            let cascade = &mut water.sea.cascades[0];
            let now = (parameter.get)(cascade);
            let other = if now > 0.5 * (parameter.min + parameter.max) { parameter.min } else { parameter.max };
            (parameter.set)(cascade, now + 0.4 * (other - now).clamp(-60.0, 60.0));
        });
        let shows = !UNSEEN_UNTIL_TIME_PASSES.contains(&parameter.field);
        assert_eq!(changed > 2e-4, shows, "{}: the picture differs by {changed}", parameter.field);
        assert!(back < 1e-4, "{} does not come back: {back}", parameter.field);
    }
}
