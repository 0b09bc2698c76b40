//! The sphere, its canvas, the shots that hit it and the clock that ages them.
//!
//! The sphere is one metre around, so that one UV unit is one metre along its equator as `bevy_wetmap` takes it to be. Its v
//! coordinate runs from 0.5 at the top to 1 at the bottom for the same reason: half a metre of meridian is half a UV unit, and a
//! round stain is round. So blood that runs off the bottom leaves the canvas there, as the model says it does.

use crate::input::ReadInput;
use crate::keys::Action;
use crate::studio::{Eye, Orbit};
use crate::{TICK_HZ, status::Status};
use bevy::mesh::VertexAttributeValues;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_wetmap::bloodstain::{BloodSettings, Impact, hash_f32, stain_shape};
use bevy_wetmap::{UV_SPAN_M, WetCanvas, WetSettings};
use std::f32::consts::{FRAC_PI_2, TAU};
use std::time::Duration;

/// Texels along the edge of the canvas: twice the practical ceiling, because there is one canvas and it fills the window. It is
/// 2 MiB to upload where the budget of a game, four canvases of 128, is half of one.
pub(crate) const CANVAS_SIZE: u32 = 512;

/// One metre around the equator.
pub(crate) const RADIUS_M: f32 = UV_SPAN_M / TAU;

/// The dry surface: unglazed plaster.
const PLASTER_SRGB: [f32; 3] = [0.78, 0.66, 0.60];
const PLASTER_ROUGHNESS: f32 = 0.55;

/// Ticks of one fixed step while fast-forwarding.
const FAST_FORWARD: u32 = 10;

/// A frame that took longer than this is taken for this long: a slow machine plays slower instead of falling ever further behind.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// Shots of a burst.
const BURST: u32 = 14;

/// The dials of the demo, where they differ from the defaults: on a pale sphere seen from close by, trails are to be opaque and edges
/// sharp. The notes page has them.
pub fn settings() -> WetSettings {
    WetSettings { drip_rate: 0.62, spread_rate: 0.03, ..default() }
}

/// What kind of drop a shot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pellet {
    /// One aimed shot.
    Aimed,
    /// One of a drag.
    Dragged,
    /// One of a burst.
    Burst,
}

/// A shot at the subject: a ray in the world.
#[derive(Message, Clone, Copy, Debug)]
pub struct Shot {
    pub(crate) ray: Ray3d,
    pub(crate) pellet: Pellet,
}

/// Down on the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Gravity {
    /// Towards +v, which on the sphere is down.
    #[default]
    Down,
    /// Towards +u.
    Right,
    /// Towards −v.
    Up,
    /// Towards −u.
    Left,
}

impl Gravity {
    fn turned(self) -> Self {
        match self {
            Self::Down => Self::Right,
            Self::Right => Self::Up,
            Self::Up => Self::Left,
            Self::Left => Self::Down,
        }
    }

    fn uv(self) -> Vec2 {
        match self {
            Self::Down => Vec2::Y,
            Self::Right => Vec2::X,
            Self::Up => Vec2::NEG_Y,
            Self::Left => Vec2::NEG_X,
        }
    }

    /// The name on screen.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Right => "right",
            Self::Up => "up",
            Self::Left => "left",
        }
    }
}

/// What the run is at: the tick number comes from here, since the model has no clock.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub tick: u32,
    pub gravity: Gravity,
    pub fast: bool,
    pub hits: u32,
    pub misses: u32,
    pub resets: u32,
    /// Shots so far, hit or missed: the seed of the next.
    shots: u32,
}

/// The sphere's entity.
#[derive(Component)]
pub(crate) struct Subject;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Run>()
        .insert_resource(settings())
        .add_message::<Shot>()
        .insert_resource(Time::<Fixed>::from_hz(TICK_HZ))
        .add_systems(Startup, (place_subject, limit_frame))
        .add_systems(PreUpdate, (act, shoot).chain().after(ReadInput))
        .add_systems(FixedUpdate, tick);
}

fn limit_frame(mut time: ResMut<Time<Virtual>>) {
    time.set_max_delta(LONGEST_FRAME);
}

/// A UV sphere with the poles up and down, and v in `0.5..=1`; see the module.
fn sphere() -> Mesh {
    let mut mesh = Sphere::new(RADIUS_M).mesh().uv(96, 64).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    if let Some(VertexAttributeValues::Float32x2(uvs)) = mesh.attribute_mut(Mesh::ATTRIBUTE_UV_0) {
        for uv in uvs {
            uv[1] = 0.5 + 0.5 * uv[1];
        }
    }
    mesh
}

fn clean_canvas(images: &mut Assets<Image>) -> WetCanvas {
    WetCanvas::new(images, CANVAS_SIZE, PLASTER_SRGB, PLASTER_ROUGHNESS)
}

fn material_of(canvas: &WetCanvas) -> StandardMaterial {
    StandardMaterial {
        base_color_texture: Some(canvas.albedo()),
        metallic_roughness_texture: Some(canvas.roughness()),
        perceptual_roughness: 1.0,
        metallic: 1.0,
        ..default()
    }
}

fn place_subject(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let canvas = clean_canvas(&mut images);
    commands.spawn((
        Subject,
        Mesh3d(meshes.add(sphere())),
        MeshMaterial3d(materials.add(material_of(&canvas))),
        canvas,
        // Turns the seam to the far side, and +u to the right as seen from the eye.
        Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_2)),
    ));
}

fn act(
    mut actions: MessageReader<Action>,
    mut run: ResMut<Run>,
    mut orbit: ResMut<Orbit>,
    mut status: ResMut<Status>,
    mut time: ResMut<Time<Virtual>>,
    eye: Query<&GlobalTransform, With<Eye>>,
    mut shots: MessageWriter<Shot>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut subject: Query<(&mut WetCanvas, &MeshMaterial3d<StandardMaterial>), With<Subject>>,
) {
    for action in actions.read() {
        match action {
            Action::Burst => {
                shots.write_batch(burst(&eye, run.shots));
            }
            Action::ShootCentre => {
                shots.write_batch(centre_ray(&eye).map(|ray| Shot { ray, pellet: Pellet::Aimed }));
            }
            Action::TurnGravity => run.gravity = run.gravity.turned(),
            Action::ToggleDigest => status.digest_shown = !status.digest_shown,
            Action::ToggleHelp => status.help_shown = !status.help_shown,
            Action::Orbit(yaw, pitch) => orbit.step(*yaw, *pitch),
            Action::ToggleFastForward => run.fast = !run.fast,
            Action::TogglePause if time.is_paused() => time.unpause(),
            Action::TogglePause => time.pause(),
            Action::Reset => {
                // Gravity and speed are how one looks on, and stay.
                *run = Run { resets: run.resets + 1, gravity: run.gravity, fast: run.fast, ..default() };
                for (mut canvas, material) in &mut subject {
                    *canvas = clean_canvas(&mut images);
                    if let Some(mut material) = materials.get_mut(material) {
                        *material = material_of(&canvas);
                    }
                }
            }
        }
    }
}

/// The ray through the middle of the view.
fn centre_ray(eye: &Query<&GlobalTransform, With<Eye>>) -> Option<Ray3d> {
    eye.single().ok().map(|eye| Ray3d::new(eye.translation(), eye.forward()))
}

/// A burst around the middle of the view. Evenly turned by the golden angle and jittered, so that no two of them look alike and
/// every run of them is the same.
fn burst(eye: &Query<&GlobalTransform, With<Eye>>, shots_before: u32) -> Vec<Shot> {
    const GOLDEN_ANGLE: f32 = 2.399_963;
    let Some((eye, middle)) = eye.single().ok().zip(centre_ray(eye)) else {
        return Vec::new();
    };
    let distance = middle.origin.length();
    (0..BURST)
        .map(|n| {
            let seed = shots_before.wrapping_add(n).wrapping_mul(0x9E37_79B9);
            let radius = 0.62 * RADIUS_M * ((n as f32 + hash_f32(seed)) / BURST as f32).sqrt();
            let angle = n as f32 * GOLDEN_ANGLE + hash_f32(seed ^ 0x5bd1_e995);
            let aim = middle.origin
                + middle.direction * distance
                + eye.right() * (radius * angle.cos())
                + eye.up() * (radius * angle.sin());
            let direction = Dir3::new(aim - middle.origin).unwrap_or(middle.direction);
            Shot { ray: Ray3d::new(middle.origin, direction), pellet: Pellet::Burst }
        })
        .collect()
}

/// Paints the shots of this frame. They belong to the start of the next tick, so a paused run can be painted too.
fn shoot(
    mut shots: MessageReader<Shot>,
    mut run: ResMut<Run>,
    meshes: Res<Assets<Mesh>>,
    mut subject: Query<(&mut WetCanvas, &Mesh3d, &GlobalTransform), With<Subject>>,
) {
    for shot in shots.read() {
        let Ok((mut canvas, mesh, transform)) = subject.single_mut() else {
            continue;
        };
        let Some(mesh) = meshes.get(mesh) else {
            continue;
        };
        let seed = run.shots.wrapping_mul(0x9E37_79B9) ^ 0x51ED_0000;
        run.shots = run.shots.wrapping_add(1);
        let impact = impact(shot, transform.translation(), seed);
        let shape = stain_shape(&impact, &BloodSettings::default(), seed);
        let hit = canvas.paint_world(mesh, transform, shot.ray.origin, *shot.ray.direction, &shape, run.tick);
        if hit {
            run.hits += 1;
        } else {
            run.misses += 1;
        }
    }
}

/// The impact of a shot on the sphere: how large and fast a drop, how steep, and which way it travels in texture space.
fn impact(shot: &Shot, centre: Vec3, seed: u32) -> Impact {
    let jitter = hash_f32(seed ^ 0x2545_F491);
    let (diameter, speed) = match shot.pellet {
        Pellet::Aimed => (0.011 + 0.003 * jitter, 10.0),
        Pellet::Dragged => (0.006 + 0.006 * jitter, 8.0),
        Pellet::Burst => (0.004 + 0.008 * jitter * jitter, 9.0 + 5.0 * jitter),
    };
    let direction = *shot.ray.direction;
    let to_centre = centre - shot.ray.origin;
    let closest = shot.ray.origin + direction * to_centre.dot(direction);
    let offset = (closest - centre).length().min(RADIUS_M);
    let depth = (RADIUS_M * RADIUS_M - offset * offset).sqrt();
    let normal = (closest - direction * depth - centre).normalize_or_zero();
    let east = Vec3::Y.cross(normal).normalize_or_zero();
    let south = east.cross(normal);
    let travel = Vec2::new(direction.dot(east), direction.dot(south));
    Impact {
        speed,
        diameter,
        angle_rad: (-direction.dot(normal)).clamp(0.0, 1.0).asin(),
        roughness: 0.25,
        // A shot from straight ahead has no direction of travel; bloodstain then takes one from the seed.
        travel: if travel.length() > 0.05 { travel.to_array() } else { [0.0, 0.0] },
    }
}

fn tick(
    mut run: ResMut<Run>,
    mut status: ResMut<Status>,
    settings: Res<WetSettings>,
    mut subject: Query<&mut WetCanvas, With<Subject>>,
) {
    let start = Instant::now();
    let ticks = if run.fast { FAST_FORWARD } else { 1 };
    for _ in 0..ticks {
        for mut canvas in &mut subject {
            canvas.tick(run.tick, run.gravity.uv(), &settings);
        }
        run.tick = run.tick.wrapping_add(1);
    }
    status.note_ticks(ticks, start.elapsed());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_turns_of_gravity_are_none() {
        let mut gravity = Gravity::default();
        let mut names = Vec::new();
        for _ in 0..4 {
            names.push(gravity.name());
            gravity = gravity.turned();
        }
        assert_eq!(names, ["down", "right", "up", "left"]);
        assert_eq!(gravity, Gravity::Down);
    }

    #[test]
    fn one_uv_unit_is_one_metre_on_the_sphere() {
        let mesh = sphere();
        let (Some(positions), Some(VertexAttributeValues::Float32x2(uvs))) = (
            mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(VertexAttributeValues::as_float3),
            mesh.attribute(Mesh::ATTRIBUTE_UV_0),
        ) else {
            panic!("the sphere has positions and texture coordinates");
        };
        let (first, last) = (0, uvs.len() - 1);
        assert!((positions[first][1] - RADIUS_M).abs() < 1e-6 && uvs[first][1] == 0.5, "the top");
        assert!((positions[last][1] + RADIUS_M).abs() < 1e-6 && uvs[last][1] == 1.0, "the bottom");
        // Two neighbours on the equator, row 32 of 64, and two on a meridian.
        let at = |row: usize, column: usize| (Vec3::from(positions[row * 97 + column]), Vec2::from(uvs[row * 97 + column]));
        for ((a, uv_a), (b, uv_b)) in [(at(32, 10), at(32, 11)), (at(20, 5), at(21, 5))] {
            let metres_per_uv = a.distance(b) / uv_a.distance(uv_b);
            assert!((metres_per_uv - UV_SPAN_M).abs() < 0.01, "{metres_per_uv}");
        }
    }

    #[test]
    fn a_grazing_shot_leaves_a_long_stain_and_a_straight_one_a_round_one() {
        let shot = |x: f32| Shot { ray: Ray3d::new(Vec3::new(x, 0.0, 1.0), Dir3::NEG_Z), pellet: Pellet::Aimed };
        let straight = impact(&shot(0.0), Vec3::ZERO, 1);
        assert!((straight.angle_rad - FRAC_PI_2).abs() < 1e-3);
        assert_eq!(straight.travel, [0.0, 0.0]);
        let grazing = impact(&shot(0.9 * RADIUS_M), Vec3::ZERO, 1);
        assert!(grazing.angle_rad < 0.5, "{}", grazing.angle_rad);
        assert!(
            grazing.travel[0] > 0.8 && grazing.travel[1].abs() < 1e-3,
            "east of the middle it travels east: {:?}",
            grazing.travel
        );
    }
}
