//! What can be said of the picture in numbers.

use crate::stage::{Stage, difference};
use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy_ocean::{MapView, Preset, WaterView};

/// A floor under clear shallow water: what comes through it by depth.
fn colour_over_a_bed(depth: f32) -> Vec3 {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 10.0, 0.0), Vec3::new(0.01, -1.0, 0.0));
    stage.add(Preset::Tropical, |surface| {
        surface.mesh_mode = bevy_ocean::MeshMode::Grid;
        surface.sea.cascades.truncate(1);
        surface.sea.cascades[0].wind_speed = 0.0;
    });
    let mesh = stage.app.world_mut().resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(200.0, 200.0));
    let white = stage.app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
        base_color: Color::WHITE,
        perceptual_roughness: 1.0,
        reflectance: 0.0,
        ..default()
    });
    stage.app.world_mut().spawn((Mesh3d(mesh), MeshMaterial3d(white), Transform::from_xyz(0.0, -depth, 0.0)));
    stage.settle();
    let picture = stage.picture();
    picture.iter().map(|pixel| pixel.truncate()).sum::<Vec3>() / picture.len() as f32
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn shallow_water_is_turquoise_and_deep_water_is_dark() {
    let [ankle, waist, deep] = [0.2, 3.0, 60.0].map(colour_over_a_bed);
    assert!(ankle.x > 0.6 * ankle.z, "one sees the bed: {ankle}");
    assert!(waist.x < 0.5 * waist.y && waist.x < 0.5 * waist.z, "red goes first: {waist}");
    assert!(waist.length() < ankle.length() && deep.length() < 0.7 * waist.length(), "{ankle} {waist} {deep}");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn lines_and_maps_can_be_shown() {
    let mut stage = Stage::new(UVec2::new(192, 128), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.5, 0.0));
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    stage.app.world_mut().resource_mut::<bevy_ocean::WaterTime>().paused = true;
    let plain = stage.picture();
    stage.app.world_mut().resource_mut::<WaterView>().lines = true;
    assert!(difference(&plain, &stage.picture()) > 1e-2, "no lines");
    stage.app.world_mut().resource_mut::<WaterView>().lines = false;
    for map in MapView::ALL.into_iter().skip(1) {
        stage.app.world_mut().resource_mut::<WaterView>().map = map;
        stage.run(10);
        assert!(difference(&plain, &stage.picture()) > 1e-2, "{map:?} is not shown");
    }
    stage.app.world_mut().resource_mut::<WaterView>().map = MapView::None;
    stage.run(2);
    assert!(difference(&plain, &stage.picture()) < 1e-5);
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn the_far_sea_lies_in_the_atmospheres_haze() {
    // The sky pass lays haze over what depth holds; drawn before the water, it would have taken the water for sky, and overwritten by it be gone.
    let haze = |atmosphere: bool| {
        let mut stage = Stage::with(UVec2::new(128, 64), Vec3::new(0.0, 40.0, 0.0), Vec3::X, |camera| {
            if atmosphere {
                camera.insert(AtmosphereSettings::default());
            }
        });
        if atmosphere {
            let medium = stage.app.world_mut().resource_mut::<Assets<ScatteringMedium>>().add(ScatteringMedium::default());
            stage.app.world_mut().spawn(Atmosphere::earth(medium));
        }
        stage.add(Preset::Ocean, |_| {});
        stage.settle();
        let picture = stage.picture();
        let row = |y: u32| {
            let row = &picture[(y * 128) as usize..((y + 1) * 128) as usize];
            row.iter().map(|pixel| pixel.truncate()).sum::<Vec3>() / 128.0
        };
        (row(31), row(32), row(60))
    };
    let (sky, far, near) = haze(true);
    assert!(far.z > 1.5 * near.z, "no haze on the far sea: {far}, near {near}");
    let step = (sky - far).length() / sky.length();
    println!("sky {sky}, far sea {far}, near sea {near}: a step of {step}");
    assert!(step < 0.6, "the horizon is a line: sky {sky}, sea {far}");
}
