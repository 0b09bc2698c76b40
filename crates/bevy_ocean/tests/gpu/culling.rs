//! No hole, no seam, no missing tile: whatever the camera looks at below the horizon is water.

use crate::stage::Stage;
use bevy::prelude::*;
use bevy_ocean::ocean::statistics::significant_wave_height;
use bevy_ocean::{Preset, WaterSurface};

/// Pixels well below the horizon at which nothing was drawn.
fn holes(stage: &mut Stage, reach: f32) -> usize {
    let depth = stage.depth();
    (0..stage.size.y)
        .flat_map(|y| (0..stage.size.x).map(move |x| (x, y)))
        .filter(|(x, y)| {
            let (eye, direction) = stage.ray(*x, *y);
            // It has left the highest wave behind within two kilometres.
            let down = -direction.y * 2_000.0 > eye.y + reach;
            down && depth[(y * stage.size.x + x) as usize] == 0.0
        })
        .count()
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn there_are_no_seams_from_grazing_angles() {
    let mut stage = Stage::new(UVec2::new(320, 128), Vec3::new(0.0, 3.0, 0.0), Vec3::X);
    stage.add(Preset::StormyOcean, |surface| surface.sea.cascades[0].wind_speed = 12.0);
    stage.settle();
    let mut random = 1u32;
    for step in 0..24 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let heading = step as f32 * 0.7;
        let eye = Vec3::new((random >> 8) as f32 * 1e-5, 6.0 + 2.0 * (step % 5) as f32, step as f32 * 3.3);
        let forward = Vec3::new(heading.cos(), -0.02 * (step % 4) as f32, heading.sin());
        stage.move_camera(Transform::from_translation(eye).looking_to(forward, Vec3::Y));
        assert_eq!(holes(&mut stage, 10.0), 0, "view {step}: from {eye} along {forward}");
    }
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn crests_are_there_with_the_camera_just_above_the_water() {
    let mut stage = Stage::new(UVec2::new(192, 128), Vec3::new(0.0, 0.5, 0.0), Vec3::X);
    // Without the waves that the field has not, so that its height is that of the water which is drawn.
    let surface = stage.add(Preset::StormyOcean, |surface| {
        surface.sea.cascades.iter_mut().for_each(|cascade| cascade.detail = 0.0);
    });
    stage.app.world_mut().entity_mut(surface).insert(bevy_ocean::WaterHeights);
    stage.settle();
    let sea = &stage.app.world().get::<WaterSurface>(surface).expect("a surface").sea;
    let height = significant_wave_height(sea, 128);
    assert!(height >= 10.0, "it is a high sea: {height} m");
    for step in 0..12 {
        stage.run(20);
        let place = Vec2::new(40.0 * step as f32, -17.0 * step as f32);
        let field = stage.app.world().get::<bevy_ocean::WaterField>(surface).expect("a field");
        let eye = Vec3::new(place.x, field.height_at(place) + 0.5, place.y);
        let heading = 0.5 * step as f32;
        stage.move_camera(Transform::from_translation(eye).looking_to(Vec3::new(heading.cos(), -0.3, heading.sin()), Vec3::Y));
        assert_eq!(holes(&mut stage, 25.0), 0, "view {step}");
    }
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn tiles_out_of_view_are_not_drawn() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::X);
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    let visible = |stage: &Stage| {
        let views = stage.app.world().get::<bevy::camera::visibility::VisibleEntities>(stage.camera).expect("a view");
        views.len(std::any::TypeId::of::<Mesh3d>())
    };
    let ahead = visible(&stage);
    stage.move_camera(Transform::from_xyz(0.0, 40.0, 0.0).looking_to(Vec3::Y, Vec3::X));
    stage.run(2);
    assert_eq!(visible(&stage), 0, "looking up there is no water");
    assert!((5..60).contains(&ahead), "of 72 tiles {ahead} are drawn");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn far_from_the_origin_the_sea_is_as_smooth() {
    let eye = Vec3::new(0.0, 5.0, 0.0);
    // The detail that lives in world coordinates must not depend on the place: a tile further it is the same sea.
    let mut stage = Stage::new(UVec2::new(192, 128), eye, Vec3::new(1.0, -0.4, 0.2));
    stage.add(Preset::Ocean, |surface| {
        surface.sea.cascades.truncate(1);
        surface.sea.cascades[0].tile_length = [64.0, 64.0];
    });
    stage.settle();
    stage.app.world_mut().resource_mut::<bevy_ocean::WaterTime>().paused = true;
    let near = stage.picture();
    // 10⁵ m in whole tiles, and in whole periods of the foam and of the mesh's lattice.
    let far_away = Vec3::new(64.0 * 1600.0, 0.0, 64.0 * 1600.0);
    stage.move_camera(Transform::from_translation(eye + far_away).looking_to(Vec3::new(1.0, -0.4, 0.2), Vec3::Y));
    let far = stage.picture();
    let difference = crate::stage::difference(&near, &far);
    let mean = near.iter().map(|pixel| pixel.truncate().length()).sum::<f32>() / near.len() as f32;
    assert!(difference < 0.01 * mean, "10⁵ m away the picture differs by {difference} of {mean}");
}
