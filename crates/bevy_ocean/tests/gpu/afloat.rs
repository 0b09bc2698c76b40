//! What floats sits on the water that is drawn.

use crate::stage::Stage;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_ocean::{Afloat, BuoyancyPlugin, Buoyant, Preset, WaterField, WaterHeights};

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
    // Straight down, so that every pixel is a height; without the waves that the field has not, so that the picture is the surface low-passed to the field's band.
    let plug = |app: &mut App| {
        app.add_plugins((PhysicsPlugins::default(), BuoyancyPlugin::default()));
    };
    let (eye, down) = (Vec3::new(0.0, 30.0, 0.0), Vec3::new(0.0, -1.0, 0.001));
    let mut stage = Stage::in_app(UVec2::new(64, 64), eye, down, plug, |_| {});
    let surface = stage.add(Preset::Ocean, |surface| {
        (surface.clipmap_quad_size, surface.clipmap_resolution) = (0.25, 256);
        surface.sea.cascades.iter_mut().for_each(|cascade| cascade.detail = 0.0);
    });
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
        let drawn: Vec<Vec3> =
            (0..64 * 64).map(|index| stage.position(index % 64, index / 64, depth[index as usize])).collect();
        let field = world.get::<WaterField>(surface).expect("it is marked");
        for (place, gauge) in &gauges {
            let near: Vec<f32> = drawn.iter().filter(|at| at.xz().distance(*place) < 0.6).map(|at| at.y).collect();
            // A crest may hide a trough.
            if near.len() > 1 {
                against_the_picture.push(near.iter().sum::<f32>() / near.len() as f32 - felt(*gauge));
            }
            against_the_field.push(field.height_at(*place) - felt(*gauge));
        }
    }
    assert!(against_the_picture.len() > 1000, "{} places were seen", against_the_picture.len());
    let (picture, field) = (root_mean_square(&against_the_picture), root_mean_square(&against_the_field));
    assert!(picture < 0.03 && field < 0.03, "off by {picture} m from the picture, {field} m from the field");
}
