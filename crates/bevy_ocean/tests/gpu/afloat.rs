//! What floats sits on the water that is drawn.

use crate::stage::Stage;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_ocean::{Afloat, Buoyant, BuoyancyPlugin, Preset, WaterField, WaterHeights};

/// A gauge: it feels the water, and nothing moves it.
fn gauge(at: Vec2) -> impl Bundle {
    let numb = Buoyant { force: 0.0, damping: 0.0, drag: 0.0, wave_push: 0.0, ..default() };
    (RigidBody::Dynamic, Collider::sphere(0.1), GravityScale(0.0), numb, Transform::from_xyz(at.x, 0.0, at.y))
}

fn root_mean_square(values: &[f32]) -> f32 {
    (values.iter().map(|value| value * value).sum::<f32>() / values.len() as f32).sqrt()
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn bodies_feel_the_water_that_is_drawn() {
    // Straight down, so that every pixel is a height. Two cascades and 128 points: what the field lacks of it is what a few metres' mean takes away.
    let plug = |app: &mut App| {
        app.add_plugins((PhysicsPlugins::default(), BuoyancyPlugin::default()));
    };
    let (eye, down) = (Vec3::new(0.0, 30.0, 0.0), Vec3::new(0.0, -1.0, 0.001));
    let mut stage = Stage::in_app(UVec2::new(64, 64), eye, down, plug, |_| {});
    let surface = stage.add(Preset::Ocean, |surface| surface.clipmap_quad_size = 0.5);
    stage.app.world_mut().entity_mut(surface).insert(WaterHeights);
    let steps = -3..=3;
    let places = steps.clone().flat_map(|x| steps.clone().map(move |z| Vec2::new(x as f32, z as f32)));
    let gauges: Vec<_> = places.map(|place| (place, stage.app.world_mut().spawn(gauge(place)).id())).collect();
    stage.settle();
    stage.run(60);
    let (mut against_the_picture, mut against_the_field) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        // 20 ms a frame and 60 steps a second: what is felt is up to a step old.
        stage.run(13);
        let depth = stage.depth();
        let world = stage.app.world();
        let felt = |gauge: Entity| world.get::<Afloat>(gauge).expect("a required component").water_height;
        let mean_felt = gauges.iter().map(|(_, gauge)| felt(*gauge)).sum::<f32>() / gauges.len() as f32;
        let inside = (0..64 * 64).filter_map(|index| {
            let at = stage.position(index % 64, index / 64, depth[index as usize]);
            (at.x.abs() < 3.5 && at.z.abs() < 3.5).then_some(at.y)
        });
        let drawn: Vec<f32> = inside.collect();
        assert!(drawn.len() > 50, "the square is in the picture");
        against_the_picture.push(drawn.iter().sum::<f32>() / drawn.len() as f32 - mean_felt);
        let field = world.get::<WaterField>(surface).expect("it is marked");
        against_the_field.extend(gauges.iter().map(|(place, gauge)| field.height_at(*place) - felt(*gauge)));
    }
    let (picture, field) = (root_mean_square(&against_the_picture), root_mean_square(&against_the_field));
    assert!(picture < 0.03 && field < 0.03, "off by {picture} m from the picture, {field} m from the field");
}
