//! The light the subject stands in, and the eye that looks at it.
//!
//! Wet blood is told from dry by its gloss more than by its colour, so the studio is mostly things to be reflected: two soft boxes
//! and a bright rim, as an environment map computed here. Each light is a spherical Gaussian, `a·exp(λ(d·c − 1))`, and so is a GGX
//! lobe, nearly; the blur of one by the other is again a Gaussian (Wang et al., *All-Frequency Rendering of Dynamic,
//! Spatially-Varying Reflectance*, 2009), so that every mip of the map is written down instead of integrated.

use crate::Quality;
use crate::subject::RADIUS_M;
use bevy::asset::RenderAssetUsages;
use bevy::camera::{Exposure, PerspectiveProjection};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::image::{ImageSampler, ImageSamplerDescriptor};
use bevy::light::EnvironmentMapLight;
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureUsages, TextureViewDescriptor, TextureViewDimension,
};
use half::f16;
use std::f32::consts::PI;

/// Where the key light stands, metres. It is far away; only the direction counts.
const KEY_LIGHT: Vec3 = Vec3::new(-0.8, 1.5, 1.1);

/// Height of the floor, metres; the sphere's middle is at 0.
const FLOOR_M: f32 = -RADIUS_M * 1.24;

/// How far the lit floor reaches from the middle before it is as black as the backdrop, metres.
const FLOOR_REACH_M: f32 = 0.8;

/// Vertical field of view, radians; the horizontal one where the window is taller than wide.
const FIELD_OF_VIEW: f32 = 0.52;

/// How much of the narrower side of the view the sphere takes up.
const FILL: f32 = 0.70;

/// Orbit for one press of an arrow, radians.
const ORBIT_STEP: f32 = 0.12;

/// How far up and down the eye goes, radians.
pub(crate) const STEEPEST_PITCH: f32 = 1.25;
pub(crate) const LOWEST_PITCH: f32 = -0.22;

/// Where the eye is on its sphere around the subject.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orbit {
    /// Radians about the vertical; grows to the right.
    pub yaw: f32,
    /// Radians above the horizon.
    pub pitch: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { yaw: 0.0, pitch: 0.18 }
    }
}

impl Orbit {
    /// Turns by so many radians; the pitch stays where there is something to see.
    pub fn turn(&mut self, by: Vec2) {
        self.yaw = (self.yaw + by.x).rem_euclid(2.0 * PI);
        self.pitch = (self.pitch - by.y).clamp(LOWEST_PITCH, STEEPEST_PITCH);
    }

    /// Turns by steps of an arrow key.
    pub fn step(&mut self, yaw: i8, pitch: i8) {
        self.turn(Vec2::new(f32::from(yaw), -f32::from(pitch)) * ORBIT_STEP);
    }
}

/// The eye's entity.
#[derive(Component)]
pub(crate) struct Eye;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Orbit>()
        .insert_resource(ClearColor(Color::BLACK))
        .insert_resource(GlobalAmbientLight::NONE)
        .add_systems(Startup, build)
        .add_systems(Update, look);
}

fn build(
    mut commands: Commands,
    quality: Res<Quality>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((
        Eye,
        Camera3d::default(),
        Tonemapping::AcesFitted,
        match *quality {
            Quality::Full => Msaa::Sample4,
            Quality::Software => Msaa::Off,
        },
        Exposure { ev100: 9.7 },
        Projection::Perspective(PerspectiveProjection { near: 0.02, far: 20.0, ..default() }),
        EnvironmentMapLight {
            diffuse_map: images.add(cube_map(8, 1, |direction, _| radiance(direction, 2.2))),
            specular_map: images.add(cube_map(64, 7, |direction, roughness| radiance(direction, lobe_sharpness(roughness)))),
            intensity: 1100.0,
            ..default()
        },
        Transform::default(),
    ));
    commands.spawn((
        DirectionalLight { illuminance: 3200.0, color: Color::srgb(1.0, 0.95, 0.88), ..default() },
        Transform::from_translation(KEY_LIGHT).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let steel = materials.add(StandardMaterial {
        base_color: Color::srgb(0.16, 0.16, 0.17),
        metallic: 1.0,
        perceptual_roughness: 0.32,
        ..default()
    });
    let foot = |radius: f32, height: f32| Mesh::from(Cylinder::new(radius, height));
    commands.spawn((
        Mesh3d(meshes.add(foot(RADIUS_M * 0.13, RADIUS_M * 0.3))),
        MeshMaterial3d(steel.clone()),
        Transform::from_xyz(0.0, -RADIUS_M * 1.12, 0.0),
    ));
    commands.spawn((
        Mesh3d(meshes.add(foot(RADIUS_M * 0.55, RADIUS_M * 0.04))),
        MeshMaterial3d(steel),
        Transform::from_xyz(0.0, FLOOR_M + RADIUS_M * 0.02, 0.0),
    ));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::default().mesh().size(2.0 * FLOOR_REACH_M, 2.0 * FLOOR_REACH_M))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color_texture: Some(images.add(floor_picture())),
            unlit: true,
            ..default()
        })),
        Transform::from_xyz(0.0, FLOOR_M, 0.0),
    ));
}

/// The floor's light, written down: the pool of the key light, and the sphere's shadow in it. Nothing on the floor ever moves, and a
/// phone is spared a shadow map.
fn floor_picture() -> Image {
    const EDGE: u32 = 256;
    // Where the key light throws the middle of the sphere.
    let shadow_centre = -Vec2::new(KEY_LIGHT.x, KEY_LIGHT.z) / KEY_LIGHT.y * -FLOOR_M;
    let along = shadow_centre.normalize_or(Vec2::X);
    let stretch = KEY_LIGHT.length() / KEY_LIGHT.y;
    let metres = |i: u32| ((i as f32 + 0.5) / EDGE as f32 * 2.0 - 1.0) * FLOOR_REACH_M;
    let mut bytes = Vec::new();
    for (row, column) in (0..EDGE).flat_map(|row| (0..EDGE).map(move |column| (row, column))) {
        let here = Vec2::new(metres(column), metres(row));
        let edge = (1.0 - here.length() / FLOOR_REACH_M).clamp(0.0, 1.0);
        let pool = (-(here - Vec2::new(-0.06, 0.10)).length_squared() / 0.16).exp() * (edge * edge * (3.0 - 2.0 * edge));
        let offset = here - shadow_centre;
        let across = Vec2::new(offset.dot(along) / stretch, offset.perp_dot(along)).length() / RADIUS_M;
        let shadow = 1.0 - 0.80 / (1.0 + ((across - 0.92) * 9.0).exp());
        let contact = 1.0 - 0.75 * (-(here.length() / (RADIUS_M * 0.62)).powi(4)).exp();
        let value = (Vec3::new(0.50, 0.49, 0.49) * pool * shadow * contact * 255.0).round();
        bytes.extend([value.x as u8, value.y as u8, value.z as u8, 255]);
    }
    Image::new(
        Extent3d { width: EDGE, height: EDGE, depth_or_array_layers: 1 },
        TextureDimension::D2,
        bytes,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    )
}

/// Puts the eye where the orbit says, far enough that the sphere fits the narrower side of the window.
fn look(orbit: Res<Orbit>, mut eye: Query<(&mut Transform, &mut Projection, &Camera), With<Eye>>) {
    for (mut transform, mut projection, camera) in &mut eye {
        let size = camera.logical_viewport_size().unwrap_or(Vec2::new(16.0, 9.0));
        let aspect = if size.y > 0.0 { (size.x / size.y).max(0.05) } else { 1.0 };
        let half_narrow = (FIELD_OF_VIEW / 2.0).tan();
        let half_height = if aspect < 1.0 { half_narrow / aspect } else { half_narrow };
        if let Projection::Perspective(perspective) = &mut *projection {
            perspective.fov = 2.0 * half_height.atan();
        }
        let distance = RADIUS_M / (half_narrow * FILL).atan().sin();
        let turn = Quat::from_rotation_y(orbit.yaw) * Quat::from_rotation_x(-orbit.pitch);
        let target = Vec3::new(0.0, -RADIUS_M * 0.06, 0.0);
        *transform = Transform::from_translation(target + turn * Vec3::new(0.0, 0.0, distance)).looking_at(target, Vec3::Y);
    }
}

/// One light of the studio: a spherical Gaussian.
struct SoftLight {
    towards: Vec3,
    sharpness: f32,
    colour: Vec3,
}

/// Radiance from a direction, blurred by a lobe of the given sharpness.
fn radiance(direction: Vec3, lobe: f32) -> Vec3 {
    let lights = [
        // The key soft box, high on the left; a narrow strip on the right; a cool rim from behind; the bounce of the floor.
        SoftLight { towards: Vec3::new(-0.75, 0.85, 0.75), sharpness: 26.0, colour: Vec3::new(9.0, 8.5, 7.8) },
        SoftLight { towards: Vec3::new(0.95, 0.35, 0.55), sharpness: 60.0, colour: Vec3::new(4.2, 4.4, 4.8) },
        SoftLight { towards: Vec3::new(0.5, 0.5, -1.0), sharpness: 14.0, colour: Vec3::new(2.6, 3.0, 3.8) },
        SoftLight { towards: Vec3::new(-1.0, 0.1, -0.5), sharpness: 18.0, colour: Vec3::new(1.1, 1.1, 1.3) },
        SoftLight { towards: Vec3::NEG_Y, sharpness: 1.5, colour: Vec3::new(0.10, 0.09, 0.085) },
    ];
    let sky = Vec3::new(0.16, 0.17, 0.20) * (0.6 + 0.4 * direction.y);
    lights.iter().fold(sky, |sum, light| {
        let blurred = light.sharpness * lobe / (light.sharpness + lobe);
        let fall = (blurred * (direction.dot(light.towards.normalize()) - 1.0)).exp();
        sum + light.colour * (blurred / light.sharpness) * fall
    })
}

/// The sharpness of the Gaussian that a GGX lobe of this perceptual roughness nearly is: `2 / α²`, `α` the roughness squared.
fn lobe_sharpness(perceptual_roughness: f32) -> f32 {
    let alpha = (perceptual_roughness * perceptual_roughness).max(0.02);
    2.0 / (alpha * alpha)
}

/// A cube map with so many mips; a mip's texels are `texel(direction, perceptual roughness of the mip)`, as Bevy samples it.
fn cube_map(edge: u32, mips: u32, texel: impl Fn(Vec3, f32) -> Vec3) -> Image {
    let mut bytes = Vec::new();
    for face in 0..6 {
        for mip in 0..mips {
            let edge = (edge >> mip).max(1);
            let roughness = mip as f32 / (mips.max(2) - 1) as f32;
            for (y, x) in (0..edge).flat_map(|y| (0..edge).map(move |x| (y, x))) {
                let at = |i: u32| (i as f32 + 0.5) / edge as f32 * 2.0 - 1.0;
                let colour = texel(face_direction(face, at(x), at(y)), roughness);
                for value in [colour.x, colour.y, colour.z, 1.0] {
                    bytes.extend(f16::from_f32(value).to_le_bytes());
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d { width: edge, height: edge, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba16Float,
        // Kept in the main world as well, so that a restarted GPU gets it again.
        RenderAssetUsages::default(),
    );
    image.data = Some(bytes);
    image.texture_descriptor.mip_level_count = mips;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    image.texture_view_descriptor = Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor::linear());
    image
}

/// The direction a texel of a cube face looks in: the faces +x, −x, +y, −y, +z, −z, `s` to the right and `t` down, each `−1..=1`.
fn face_direction(face: u32, s: f32, t: f32) -> Vec3 {
    match face {
        0 => Vec3::new(1.0, -t, -s),
        1 => Vec3::new(-1.0, -t, s),
        2 => Vec3::new(s, 1.0, t),
        3 => Vec3::new(s, -1.0, -t),
        4 => Vec3::new(s, -t, 1.0),
        _ => Vec3::new(-s, -t, -1.0),
    }
    .normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    #[test]
    fn a_cube_map_has_all_its_mips() {
        let image = cube_map(8, 4, |_, _| Vec3::ONE);
        // 6 faces of 64 + 16 + 4 + 1 texels of 8 bytes.
        assert_eq!(image.data.map(|data| data.len()), Some(6 * 85 * 8));
    }

    #[test]
    fn blurring_keeps_the_light_finite_and_flattens_it() {
        let brightest = |sharpness| radiance(Vec3::new(-0.75, 0.85, 0.75).normalize(), sharpness).max_element();
        assert!(brightest(lobe_sharpness(0.0)) > brightest(lobe_sharpness(0.5)));
        assert!(brightest(lobe_sharpness(0.5)) > brightest(lobe_sharpness(1.0)));
        assert!(brightest(lobe_sharpness(1.0)) > 0.0);
    }

    #[test]
    fn the_orbit_stays_where_there_is_something_to_see() {
        let mut orbit = Orbit::default();
        for _ in 0..100 {
            orbit.step(1, 1);
        }
        const { assert!(STEEPEST_PITCH < FRAC_PI_2) };
        assert!(orbit.pitch <= STEEPEST_PITCH && orbit.yaw < 2.0 * PI);
        for _ in 0..100 {
            orbit.step(0, -1);
        }
        assert_eq!(orbit.pitch, LOWEST_PITCH);
    }
}
