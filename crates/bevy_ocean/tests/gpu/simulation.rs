//! The simulation as the plugin runs it: once an update, for any number of cameras and seas.

use crate::stage::{Stage, difference};
use bevy::prelude::*;
use bevy_ocean::{Preset, WaterSurface, WaterTime};

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn two_surfaces_with_different_seas_differ() {
    let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(0.0, 8.0, 0.0), Vec3::new(1.0, -0.5, 0.0));
    let pond = stage.add(Preset::CalmLake, |surface| surface.grid_size = 60.0);
    stage.settle();
    stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
    let lake = stage.picture();
    // The same place and look with another sea; and both at once, side by side.
    stage.app.world_mut().get_mut::<WaterSurface>(pond).expect("a surface").sea = Preset::StormyOcean.sea_state();
    stage.app.world_mut().resource_mut::<WaterTime>().step(0.02);
    let storm = stage.picture();
    assert!(difference(&lake, &storm) > 1e-3);
    stage.app.world_mut().get_mut::<WaterSurface>(pond).expect("a surface").sea = Preset::CalmLake.sea_state();
    stage.app.world_mut().entity_mut(pond).insert(Transform::from_xyz(40.0, 0.0, -31.0));
    let other = stage.add(Preset::StormyOcean, |surface| {
        surface.mesh_mode = bevy_ocean::MeshMode::Grid;
        surface.grid_size = 60.0;
    });
    stage.app.world_mut().entity_mut(other).insert(Transform::from_xyz(40.0, 0.0, 31.0));
    stage.app.world_mut().resource_mut::<WaterTime>().paused = false;
    stage.settle();
    stage.run(20);
    let depth = stage.depth();
    // How rough each is: the height's deviation over its pixels. By where they are, since a storm's crests hide some of the lake and hang over its edge.
    let roughness = |side: f32| {
        let places = depth.iter().enumerate().filter(|(_, depth)| **depth > 0.0);
        let places =
            places.map(|(index, depth)| stage.position(index as u32 % stage.size.x, index as u32 / stage.size.x, *depth));
        let heights: Vec<f32> = places.filter(|place| place.z * side > 15.0).map(|place| place.y).collect();
        assert!(heights.len() > 300, "{} pixels", heights.len());
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        (heights.iter().map(|height| (height - mean).powi(2)).sum::<f32>() / heights.len() as f32).sqrt()
    };
    let (lake, storm) = (roughness(-1.0), roughness(1.0));
    assert!(storm > 20.0 * lake, "lake {lake} m, storm {storm} m");
    assert_eq!(stage.report().surfaces.len(), 2);
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn a_paused_sea_stands_and_a_step_moves_it() {
    let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.4, 0.0));
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
    let first = stage.picture();
    stage.run(10);
    let second = stage.picture();
    assert!(difference(&first, &second) < 1e-6, "a paused sea moves");
    stage.app.world_mut().resource_mut::<WaterTime>().step(0.25);
    let third = stage.picture();
    assert!(difference(&second, &third) > 1e-3, "a step shows nothing");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn a_second_camera_does_not_make_time_run_faster() {
    let run = |cameras: u32| {
        let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.4, 0.0));
        for order in 1..cameras {
            let image = Image::new_target_texture(32, 32, bevy::render::render_resource::TextureFormat::Rgba8UnormSrgb, None);
            let image = stage.app.world_mut().resource_mut::<Assets<Image>>().add(image);
            stage.app.world_mut().spawn((
                Camera3d::default(),
                Camera { order: -(order as isize), ..default() },
                bevy::camera::RenderTarget::Image(image.into()),
                Transform::from_xyz(5.0, 30.0, 0.0).looking_at(Vec3::ZERO, Vec3::X),
            ));
        }
        stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
        stage.add(Preset::Ocean, |_| {});
        stage.settle();
        stage.app.world_mut().resource_mut::<WaterTime>().step(3.0);
        stage.run(2);
        stage.picture()
    };
    let (one, three) = (run(1), run(3));
    assert!(difference(&one, &three) < 1e-4, "{}", difference(&one, &three));
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn the_foam_stays_where_it_is_when_the_origin_moves() {
    // The shaders count places from a point near the camera, which follows it in steps of 256 m: just before and after one, the picture of the same place is the same.
    let mut stage = Stage::new(UVec2::new(192, 128), Vec3::new(127.9, 5.0, 0.0), Vec3::new(0.02, -1.0, 0.0));
    stage.add(Preset::StormyOcean, |_| {});
    stage.settle();
    stage.run(100);
    stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
    let mut look = |x: f32| {
        stage.move_camera(Transform::from_xyz(x, 5.0, 0.0).looking_at(Vec3::new(128.0, 0.0, 0.0), Vec3::Z));
        stage.picture()
    };
    let (before, after, further) = (look(127.99), look(128.01), look(128.5));
    let (jump, step) = (difference(&before, &after), difference(&after, &further));
    println!("jump {jump}, step {step}");
    assert!(jump < 0.2 * step, "the picture differs by {jump} over the jump, by {step} over half a metre");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn a_current_carries_the_waves() {
    // Frozen waves on a current are the same waves, elsewhere, and so is the foam on them.
    let picture = |eye: f32, speed: f32| {
        let mut stage = Stage::new(UVec2::new(128, 64), Vec3::new(eye, 6.0, 0.0), Vec3::new(0.2, -0.6, 1.0));
        stage.add(Preset::Ocean, |surface| {
            surface.current_speed = speed;
            surface.current_heading = 0.0;
            surface.updates_per_second = 0.0;
            for cascade in &mut surface.sea.cascades {
                cascade.time_scale = 0.0;
            }
        });
        stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
        stage.settle();
        stage.app.world_mut().resource_mut::<WaterTime>().paused = false;
        stage.run(50);
        stage.app.world_mut().resource_mut::<WaterTime>().paused = true;
        stage.picture()
    };
    // 50 frames of 20 ms.
    let still = picture(0.0, 0.0);
    let carried = picture(4.0, 4.0);
    let not_followed = picture(0.0, 4.0);
    let (followed, left) = (difference(&still, &carried), difference(&still, &not_followed));
    println!("followed {followed}, left behind {left}");
    assert!(followed < 0.1 * left, "{followed} of {left}");
}
