//! Pictures that have been looked at, against what is drawn today.
//!
//! They were drawn by an NVIDIA H200. Drivers round differently, so a few pixels at the edges of foam may differ, and all of them by a little. With `WRITE_REFERENCES=FOLDER` the
//! tests write what they draw there (as portable pixmaps, which need no library) and compare nothing: look at them before you commit them.

use crate::stage::Stage;
use bevy::prelude::*;
use bevy_ocean::Preset;

const SIZE: UVec2 = UVec2::new(192, 108);

/// Bytes of 255 by which a picture's mean, and all but 2 % of its channels, may be off.
const MEAN: f32 = 2.0;
const FEW: u8 = 16;

struct Reference {
    name: &'static str,
    file: &'static [u8],
    preset: Preset,
    eye: Vec3,
    forward: Vec3,
    /// Depth of a pale bed, m.
    bed: Option<f32>,
}

fn draw(reference: &Reference) -> Vec<u8> {
    let mut stage = Stage::new(SIZE, reference.eye, reference.forward);
    stage.add(reference.preset, |_| {});
    if let Some(depth) = reference.bed {
        let world = stage.app.world_mut();
        let mesh = world.resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(400.0, 400.0));
        let stone = world.resource_mut::<Assets<Mesh>>().add(Sphere::new(1.0).mesh().uv(32, 18));
        let sand = StandardMaterial { base_color: Color::srgb(0.8, 0.7, 0.5), perceptual_roughness: 1.0, ..default() };
        let sand = MeshMaterial3d(world.resource_mut::<Assets<StandardMaterial>>().add(sand));
        world.spawn((Mesh3d(mesh), sand.clone(), Transform::from_xyz(0.0, -depth, 0.0)));
        world.spawn((Mesh3d(stone), sand, Transform::from_xyz(9.0, 0.0, 1.0)));
    }
    stage.settle();
    // Until the foam has its share, then to one moment whatever the frames took.
    stage.run(200 - stage.frames());
    let picture = stage.picture_now();
    picture.iter().flat_map(|pixel| pixel.truncate().to_array().map(encode)).collect()
}

/// Linear light as a byte of sRGB, after a simple curve that keeps the sun's glitter in range.
fn encode(linear: f32) -> u8 {
    let shown = linear / (1.0 + linear);
    (Color::linear_rgb(shown, shown, shown).to_srgba().red * 255.0).round() as u8
}

fn compare(reference: &Reference) {
    let drawn = draw(reference);
    let header = format!("P6\n{} {}\n255\n", SIZE.x, SIZE.y);
    if let Some(folder) = std::env::var_os("WRITE_REFERENCES") {
        let file = std::path::Path::new(&folder).join(format!("{}.ppm", reference.name));
        std::fs::write(&file, [header.as_bytes(), &drawn].concat()).expect("the picture can be written");
        return;
    }
    let pixels = reference.file.strip_prefix(header.as_bytes()).expect("a pixmap of this size");
    assert_eq!(pixels.len(), drawn.len());
    let off: Vec<u8> = pixels.iter().zip(&drawn).map(|(a, b)| a.abs_diff(*b)).collect();
    let mean = off.iter().map(|&off| f32::from(off)).sum::<f32>() / off.len() as f32;
    let far = off.iter().filter(|&&off| off > FEW).count() as f32 / off.len() as f32;
    assert!(mean < MEAN && far < 0.02, "{}: off by {mean} on average, {:.1} % of it far", reference.name, 100.0 * far);
}

macro_rules! reference {
    ($name:ident, $preset:ident, $eye:expr, $forward:expr, $bed:expr) => {
        #[test]
        #[ignore = "needs a GPU: a software one takes minutes"]
        fn $name() {
            compare(&Reference {
                name: stringify!($name),
                file: include_bytes!(concat!("references/", stringify!($name), ".ppm")),
                preset: Preset::$preset,
                eye: $eye,
                forward: $forward,
                bed: $bed,
            });
        }
    };
}

reference!(ocean, Ocean, Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.18, 0.3), None);
reference!(storm, StormyOcean, Vec3::new(0.0, 12.0, 0.0), Vec3::new(1.0, -0.2, 0.3), None);
reference!(tropical_shallows, Tropical, Vec3::new(0.0, 3.0, 0.0), Vec3::new(1.0, -0.4, 0.1), Some(2.0));
reference!(calm_lake, CalmLake, Vec3::new(0.0, 2.0, 0.0), Vec3::new(1.0, -0.15, 0.2), Some(6.0));
