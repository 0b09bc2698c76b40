//! Bodies on the water, as a server runs them: no GPU, no window, no frames but those that the test makes.

use avian3d::prelude::*;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ocean::buoyancy::{Afloat, BuoyancyPlugin, Buoyant};
use bevy_ocean::ocean::sea_state::{Cascade, SeaState};
use bevy_ocean::{MeshMode, Preset, WaterSurface, WaterTime, WorldWind};

/// An app that steps `hertz` times a second, one step a frame.
fn server(hertz: f64) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), BuoyancyPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(hertz))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // A system of these takes less time than handing it to another thread.
    for schedule in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.1.set_executor(SingleThreadedExecutor::new());
    }
    app.finish();
    app.cleanup();
    app
}

fn cube(edge: f32, at: Vec3) -> impl Bundle {
    floating(Collider::cuboid(edge, edge, edge), at, Buoyant::default())
}

fn floating(collider: Collider, at: Vec3, buoyant: Buoyant) -> impl Bundle {
    (RigidBody::Dynamic, collider, Transform::from_translation(at), buoyant)
}

fn unit() -> Collider {
    Collider::cuboid(1.0, 1.0, 1.0)
}

fn calm() -> WaterSurface {
    let still = Cascade { displacement_scale: 0.0, ..Cascade::DEFAULT };
    WaterSurface { sea: SeaState { cascades: vec![still], ..SeaState::default() }, ..default() }
}

fn run(app: &mut App, hertz: f64, seconds: f64) {
    for _ in 0..(hertz * seconds).round() as u32 {
        app.update();
    }
}

fn position(app: &App, body: Entity) -> Vec3 {
    app.world().get::<Position>(body).expect("a body").0
}

fn velocity(app: &App, body: Entity) -> Vec3 {
    app.world().get::<LinearVelocity>(body).expect("a body").0
}

#[test]
fn a_box_on_dead_calm_water_comes_to_rest_where_the_forces_balance() {
    for hertz in [20.0, 60.0] {
        for force in [12.0, 20.0, 40.0] {
            let mut app = server(hertz);
            app.world_mut().spawn((calm(), Transform::from_xyz(0.0, 3.0, 0.0)));
            let buoyant = Buoyant { force, ..default() };
            let body = app.world_mut().spawn(floating(unit(), Vec3::new(4.0, 5.0, -2.0), buoyant)).id();
            run(&mut app, hertz, 30.0);
            let rest = position(&app, body);
            let expected = 3.0 - 9.81 / force;
            assert!(
                (rest.y - expected).abs() < 0.05 * 9.81 / force,
                "{hertz} Hz, force {force}: at {rest}, {expected} expected"
            );
            run(&mut app, hertz, 30.0);
            assert!(position(&app, body).distance(rest) < 0.01 && velocity(&app, body).length() < 1e-3, "it does not rest");
            let afloat = *app.world().get::<Afloat>(body).expect("a required component");
            assert!((afloat.submerged - 9.81 / force).abs() < 0.02 && afloat.water_height == 3.0, "{afloat:?}");
        }
    }
}

#[test]
fn a_pause_throws_nobody() {
    let mut app = server(60.0);
    app.world_mut().spawn(calm());
    let body = app.world_mut().spawn(floating(unit(), Vec3::new(1.0, -0.49, 0.0), Buoyant::default())).id();
    run(&mut app, 60.0, 20.0);
    let rest = position(&app, body);
    app.world_mut().resource_mut::<Time<Physics>>().pause();
    run(&mut app, 60.0, 10.0);
    assert!(position(&app, body).distance(rest) < 1e-3, "it moves while the physics is paused");
    app.world_mut().resource_mut::<Time<Physics>>().unpause();
    for _ in 0..60 {
        app.update();
        let at = position(&app, body);
        assert!(at.distance(rest) < 0.01, "at {at} after the pause, {rest} before");
    }
}

#[test]
fn less_force_than_gravity_sinks() {
    let mut app = server(60.0);
    app.world_mut().spawn(calm());
    let body = app.world_mut().spawn(floating(unit(), Vec3::ZERO, Buoyant { force: 5.0, ..default() })).id();
    run(&mut app, 60.0, 20.0);
    assert!(position(&app, body).y < -10.0);
}

#[test]
fn no_preset_throws_sinks_or_shatters_a_body() {
    on_every_preset(1);
}

#[test]
#[ignore = "four minutes: ten simulated ones on every preset at two rates"]
fn no_preset_throws_sinks_or_shatters_a_body_in_ten_minutes() {
    on_every_preset(10);
}

fn on_every_preset(minutes: u32) {
    let presets = Preset::ALL.map(|preset| std::thread::spawn(move || float_on(preset, minutes)));
    for thread in presets {
        thread.join().expect("see above");
    }
}

/// Minutes at 20 Hz and at 60 Hz, after one to come to rest in, for a cube, a plank and a barrel.
fn float_on(preset: Preset, minutes: u32) {
    for hertz in [20.0, 60.0] {
        let mut app = server(hertz);
        app.world_mut().spawn(WaterSurface { mesh_mode: MeshMode::Clipmap, ..WaterSurface::from(preset) });
        // Nothing touches anything, so there is nothing to solve in between.
        app.insert_resource(SubstepCount(1));
        let plank = floating(Collider::cuboid(6.0, 0.4, 1.5), Vec3::new(20.0, 4.0, 0.0), Buoyant::default());
        let barrel = Buoyant { submerge_depth: 0.5, ..default() };
        let barrel = floating(Collider::cylinder(0.3, 0.9), Vec3::new(0.0, 2.0, 30.0), barrel);
        let bodies = [
            app.world_mut().spawn(cube(1.0, Vec3::new(0.0, 1.0, 0.0))).id(),
            app.world_mut().spawn(plank).id(),
            app.world_mut().spawn(barrel).id(),
        ];
        run(&mut app, hertz, 20.0);
        for minute in 0..minutes {
            let mut airborne = [0; 3];
            let mut away = [0.0; 3];
            for _ in 0..(60.0 * hertz) as u32 {
                app.update();
                for (index, body) in bodies.into_iter().enumerate() {
                    let (at, speed) = (position(&app, body), velocity(&app, body).length());
                    let afloat = app.world().get::<Afloat>(body).expect("a required component");
                    let told =
                        format!("{preset:?}, {hertz} Hz, minute {minute}, body {index} at {at}, {speed} m/s, {afloat:?}");
                    assert!(at.is_finite() && speed < 30.0, "{told}");
                    let over = at.y - afloat.water_height;
                    // The seas are √8 as high as measured ones: a crest may well break over a body.
                    assert!(over.abs() < 20.0, "{told}: {over} m over the water");
                    airborne[index] += u32::from(afloat.submerged == 0.0);
                    away[index] += over.abs();
                }
            }
            let steps = (60.0 * hertz) as f32;
            let told = format!(
                "{preset:?}, {hertz} Hz, minute {minute}: {airborne:?} steps of {steps} in the air, {away:?} m from the water in all"
            );
            assert!(airborne.iter().all(|&airborne| (airborne as f32) < 0.2 * steps), "{told}");
            assert!(away.iter().all(|away| *away < 1.5 * steps), "{told}");
        }
    }
}

#[test]
fn a_hull_pitches_and_rolls_with_the_slope_under_it() {
    let mut app = server(60.0);
    app.world_mut().spawn(WaterSurface::from(Preset::Ocean));
    let body = app.world_mut().spawn(cube(2.0, Vec3::ZERO)).id();
    run(&mut app, 60.0, 10.0);
    let mut tilt = 0.0_f32;
    let mut rise = 0.0_f32;
    for _ in 0..60 * 30 {
        app.update();
        let up = app.world().get::<Rotation>(body).expect("a body").0 * Vec3::Y;
        tilt = tilt.max(up.angle_between(Vec3::Y));
        rise = rise.max(position(&app, body).y.abs());
    }
    assert!((0.05..1.57).contains(&tilt), "tilted by {tilt} rad at most");
    assert!((0.3..6.0).contains(&rise), "moved by {rise} m at most");
}

#[test]
fn a_current_and_the_slopes_carry() {
    let mut app = server(60.0);
    app.world_mut().spawn(WaterSurface { current_speed: 1.5, current_heading: 90.0, ..calm() });
    let body = app.world_mut().spawn(cube(1.0, Vec3::ZERO)).id();
    run(&mut app, 60.0, 60.0);
    let at = velocity(&app, body);
    assert!((at - Vec3::new(0.0, 0.0, 1.5)).length() < 0.02, "{at}");
}

#[test]
fn a_body_rides_the_water_it_names_or_the_nearest() {
    let mut app = server(60.0);
    let low = app.world_mut().spawn(calm()).id();
    let high = app.world_mut().spawn((calm(), Transform::from_xyz(0.0, 20.0, 0.0))).id();
    let pool = WaterSurface { mesh_mode: MeshMode::Grid, grid_size: 10.0, ..calm() };
    let pool = app.world_mut().spawn((pool, Transform::from_xyz(100.0, 9.0, 0.0))).id();
    let near_low = app.world_mut().spawn(cube(1.0, Vec3::new(0.0, 1.0, 0.0))).id();
    let near_high = app.world_mut().spawn(cube(1.0, Vec3::new(0.0, 19.5, 10.0))).id();
    let in_the_pool = app.world_mut().spawn(cube(1.0, Vec3::new(101.0, 9.0, 2.0))).id();
    let named = floating(unit(), Vec3::new(0.0, 6.0, 30.0), Buoyant { surface: Some(high), ..default() });
    // Far under it: it is lifted all the way.
    let named = app.world_mut().spawn(named).id();
    let orphan = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(orphan);
    let orphan = floating(unit(), Vec3::new(0.0, 1.0, 60.0), Buoyant { surface: Some(orphan), ..default() });
    let orphan = app.world_mut().spawn(orphan).id();
    run(&mut app, 60.0, 30.0);
    let rides = |body| app.world().get::<Afloat>(body).and_then(|afloat| afloat.surface);
    assert_eq!(
        [near_low, near_high, in_the_pool, named, orphan].map(rides),
        [Some(low), Some(high), Some(pool), Some(high), None]
    );
    let heights = [near_low, near_high, in_the_pool, named].map(|body| position(&app, body).y);
    for (height, level) in heights.into_iter().zip([0.0, 20.0, 9.0, 20.0]) {
        assert!((height - level + 0.49).abs() < 0.05, "{height} on {level}");
    }
    assert!(position(&app, orphan).y < -100.0, "there is no such water, so it falls");
    // The high water goes, and its rider falls to the low one.
    app.world_mut().despawn(high);
    run(&mut app, 60.0, 30.0);
    assert!((position(&app, near_high).y + 0.49).abs() < 0.05);
}

#[test]
fn a_paused_sea_and_what_it_carries_wait() {
    let mut app = server(60.0);
    app.world_mut().spawn(WaterSurface::from(Preset::StormyOcean));
    let body = app.world_mut().spawn(cube(1.0, Vec3::ZERO)).id();
    run(&mut app, 60.0, 20.0);
    app.world_mut().resource_mut::<WaterTime>().paused = true;
    // The sea stands like glass, so the body comes to rest on the slope where it slides to.
    run(&mut app, 60.0, 120.0);
    let afloat = *app.world().get::<Afloat>(body).expect("a required component");
    let before = afloat.water_height;
    app.update();
    let after = app.world().get::<Afloat>(body).expect("a required component").water_height;
    assert!((after - before).abs() < 1e-2, "the water under it moved from {before} to {after}");
}

/// Where everything of a scene is, to the bit. The demo's proof holds a longer path against wasm32.
#[test]
fn the_same_seed_and_step_give_the_same_path_whatever_the_order() {
    let path = |backwards: bool, wind: bool| {
        let mut app = server(60.0);
        if wind {
            app.insert_resource(WorldWind { speed: 18.0, heading: 40.0, gusts: 0.2 });
        }
        app.world_mut().spawn(WaterSurface::from(Preset::Ocean));
        let mut places = [Vec3::new(0.0, 3.0, 0.0), Vec3::new(15.0, 3.0, 4.0), Vec3::new(-20.0, 1.0, 8.0)];
        if backwards {
            places.reverse();
        }
        let mut bodies = places.map(|place| app.world_mut().spawn(cube(1.5, place)).id());
        if backwards {
            bodies.reverse();
        }
        run(&mut app, 60.0, 8.0);
        bodies.map(|body| position(&app, body).to_array().map(f32::to_bits))
    };
    let once = path(false, false);
    assert_eq!(once, path(false, false));
    assert_eq!(once, path(true, false));
    assert_ne!(once, path(false, true));
    assert_eq!(path(false, true), path(false, true));
}

/// Steps so far, where the body was at each, and what the sea's wind is to be.
#[derive(Resource, Default)]
struct Path {
    steps: u32,
    places: Vec<[u32; 3]>,
}

fn blow(mut path: ResMut<Path>, mut commands: Commands) {
    let wind = match path.steps {
        0 => WorldWind { speed: 18.0, heading: 40.0, gusts: 0.0 },
        90 => WorldWind { speed: 6.0, heading: 220.0, gusts: 0.4 },
        210 => WorldWind { speed: 25.0, heading: 170.0, gusts: 0.2 },
        _ => return path.steps += 1,
    };
    commands.insert_resource(wind);
    path.steps += 1;
}

fn note(mut path: ResMut<Path>, body: Single<&Position, With<Buoyant>>) {
    path.places.push(body.0.to_array().map(f32::to_bits));
}

#[test]
fn in_a_changing_wind_the_path_is_the_same_however_frames_divide_it() {
    let path = |steps_of_a_frame: &[u32]| {
        let mut app = server(60.0);
        app.init_resource::<Path>().add_systems(FixedUpdate, blow).add_systems(FixedLast, note);
        app.world_mut().spawn(WaterSurface::from(Preset::Ocean));
        app.world_mut().spawn(cube(1.5, Vec3::new(0.0, 2.0, 0.0)));
        for steps in steps_of_a_frame.iter().cycle() {
            app.insert_resource(TimeUpdateStrategy::FixedTimesteps(*steps));
            app.update();
            if app.world().resource::<Path>().steps >= 360 {
                break;
            }
        }
        std::mem::take(&mut app.world_mut().resource_mut::<Path>().places)
    };
    let once = path(&[1]);
    assert!(once.len() >= 360);
    for frames in [[2, 2, 2, 2, 2, 2], [5, 0, 1, 0, 3, 1]] {
        let again = path(&frames);
        let apart = once.iter().zip(&again).position(|(one, other)| one != other);
        assert_eq!(apart, None, "steps a frame: {frames:?}");
    }
}

#[test]
fn nonsense_hurts_nobody() {
    let mut app = server(60.0);
    let ruined = Cascade { wind_speed: f32::NAN, displacement_scale: f32::INFINITY, ..Cascade::DEFAULT };
    let sea = SeaState { cascades: vec![ruined], ..SeaState::default() };
    app.world_mut().spawn(WaterSurface { sea, current_speed: f32::NAN, grid_size: f32::NAN, ..default() });
    let nonsense = Buoyant {
        force: f32::NAN,
        drag: f32::INFINITY,
        damping: 1e30,
        submerge_depth: -1.0,
        wave_push: f32::NAN,
        points: vec![Vec3::NAN; 3],
        surface: None,
    };
    let body = app.world_mut().spawn(floating(unit(), Vec3::ZERO, nonsense)).id();
    let weightless = app.world_mut().spawn((RigidBody::Dynamic, Transform::default(), Buoyant::default())).id();
    let fixed = app.world_mut().spawn((RigidBody::Static, Collider::sphere(1.0), Buoyant::default())).id();
    run(&mut app, 60.0, 60.0);
    for body in [body, weightless, fixed] {
        assert!(position(&app, body).is_finite(), "{}", position(&app, body));
    }
    assert!(position(&app, body).y.abs() < 5.0);
    assert_eq!(position(&app, fixed), Vec3::ZERO);
}
