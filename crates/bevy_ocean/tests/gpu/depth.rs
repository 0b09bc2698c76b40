//! The depth buffer holds the displaced surface: spray, fog and whatever is transparent sort against waves, not against a plane.

use crate::stage::Stage;
use bevy::prelude::*;
use bevy_ocean::{Preset, WaterField, WaterHeights, WaterTime};

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn depth_is_where_the_cpu_field_says_the_water_is() {
    let mut stage = Stage::new(UVec2::new(192, 128), Vec3::new(0.0, 9.0, 0.0), Vec3::new(0.9, -0.5, 0.3));
    let surface = stage.add(Preset::Ocean, |surface| {
        // The long waves alone, which mesh and field both hold.
        surface.sea.cascades.truncate(1);
        surface.clipmap_quad_size = 0.25;
        surface.clipmap_resolution = 256;
    });
    stage.app.world_mut().entity_mut(surface).insert(WaterHeights);
    stage.settle();
    stage.run(60);
    stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
    let depth = stage.depth();
    let field = stage.app.world().get::<WaterField>(surface).expect("a marked surface has a field");
    let (mut squares, mut waves, mut count) = (0.0, 0.0, 0);
    for (index, depth) in depth.iter().enumerate() {
        let (x, y) = (index as u32 % stage.size.x, index as u32 / stage.size.x);
        if *depth == 0.0 {
            continue;
        }
        let position = stage.position(x, y, *depth);
        if position.xz().length() > 60.0 {
            continue;
        }
        let height = field.height_at(position.xz());
        squares += (height - position.y).powi(2);
        waves += height.powi(2);
        count += 1;
    }
    let (error, height) = ((squares / count as f32).sqrt(), (waves / count as f32).sqrt());
    assert!(count > 10_000, "{count} pixels of water");
    assert!(height > 0.5, "the sea is flat: {height} m");
    assert!(error < 0.05 * height + 0.02, "the depth buffer is {error} m off a surface of {height} m");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn water_stands_before_what_it_covers_and_behind_what_covers_it() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 12.0, 0.0), Vec3::new(0.01, -1.0, 0.0));
    stage.add(Preset::CalmLake, |surface| surface.extinction = Vec3::ZERO);
    let mesh = stage.app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(4.0, 1.0, 4.0));
    let red = stage.app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
        base_color: Color::BLACK,
        emissive: LinearRgba::rgb(1e5, 0.0, 0.0),
        ..default()
    });
    let above = stage
        .app
        .world_mut()
        .spawn((Mesh3d(mesh.clone()), MeshMaterial3d(red.clone()), Transform::from_xyz(0.0, 4.0, 0.0)))
        .id();
    stage.settle();
    let at_the_middle = |depth: &[f32], stage: &Stage| stage.position(32, 32, depth[32 * 64 + 32]).y;
    let depth = stage.depth();
    assert!((at_the_middle(&depth, &stage) - 4.5).abs() < 0.05, "the box is not covered");
    stage.app.world_mut().entity_mut(above).insert(Transform::from_xyz(0.0, -4.0, 0.0));
    let depth = stage.depth();
    assert!(at_the_middle(&depth, &stage).abs() < 0.4, "the water covers the box");
    let picture = stage.picture();
    let middle = picture[32 * 64 + 32];
    assert!(middle.x > 4.0 * middle.y, "in clear water the box shines through: {middle}");
}
