//! Two claims, held against this machine.
//!
//! *Bodies take the same path on every machine.* [`floating_digest`] floats a few of them for twenty seconds in an app of its own, without a picture, and folds where they are into a number.
//!
//! *Blood has the same digest whatever else goes on.* [`Action::Prove`] washes the first buoy and paints scripted hits on it, in the buoy's own space, tick by tick, while
//! the sea is simulated and drawn around it; after [`SCRIPT_TICKS`] the canvas' digest is compared with [`BLOOD_DIGEST`].

use super::blood::{self, Blood, FIRST_BUOY};
use super::{Body, Kind, shapes};
use crate::keys::Action;
use crate::scene::DoActions;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ocean::{BuoyancyPlugin, Preset, WaterSurface};
use bevy_wetmap::bloodstain::hash_f32;
use bevy_wetmap::{StainShape, WetCanvas, Wetmap};

/// What [`floating_digest`] is on x86-64, and on wasm32 with `simd128`, with which the workspace builds it: glam, in which the physics counts, sums in one order with vectors and in
/// another without.
pub const FLOATING_DIGEST: u64 = 0x5048_c0cd_d8f3_b4cd;

/// What the first buoy's digest is at the script's end, on every machine.
pub const BLOOD_DIGEST: u64 = 0x75b3_56f2_ccee_b918;

/// Ticks of the script.
pub const SCRIPT_TICKS: u32 = 240;

/// Hits, one every so many ticks from the first on.
const HITS: u32 = 20;
const TICKS_PER_HIT: u32 = 5;

/// Steps that [`floating_digest`] takes, at 60 Hz.
const FLOATING_STEPS: u32 = 1200;

/// Floats two buoys, a boat and a box on the Stormy Ocean for twenty seconds at 60 steps a second. Returns FNV-1a (64 bits) over the bits of their places, turns and velocities,
/// every half second.
pub fn floating_digest() -> u64 {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), BuoyancyPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app.world_mut().spawn(WaterSurface::from(Preset::StormyOcean));
    let crate_ = (RigidBody::Dynamic, Collider::cuboid(1.0, 0.8, 1.2), bevy_ocean::Buoyant::default());
    let bodies = [
        app.world_mut().spawn((Kind::Buoy.physics(), Transform::from_xyz(0.0, 2.0, 0.0))).id(),
        app.world_mut().spawn((Kind::Buoy.physics(), Transform::from_xyz(14.0, 1.0, -6.0))).id(),
        app.world_mut().spawn((Kind::Boat.physics(), Transform::from_xyz(-20.0, 1.0, 11.0))).id(),
        app.world_mut().spawn((crate_, Transform::from_xyz(40.0, 0.0, 40.0))).id(),
    ];
    let mut digest = FNV_OFFSET;
    for step in 1..=FLOATING_STEPS {
        app.update();
        if step % 30 == 0 {
            for body in bodies {
                digest = fold(digest, app.world().entity(body));
            }
        }
    }
    digest
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fold(digest: u64, body: EntityRef) -> u64 {
    let vector = |vector: Option<Vec3>| vector.unwrap_or(Vec3::NAN).to_array();
    let place = vector(body.get::<Position>().map(|position| position.0));
    let turn = body.get::<Rotation>().map_or([f32::NAN; 4], |rotation| rotation.0.to_array());
    let velocity = vector(body.get::<LinearVelocity>().map(|velocity| velocity.0));
    let values = place.into_iter().chain(turn).chain(velocity);
    values
        .flat_map(f32::to_le_bytes)
        .fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The script on the first buoy, and what came of both claims.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Script {
    /// The tick that it is at, while it is played.
    at: Option<u32>,
    buoy: Option<Mesh>,
    /// Digest of the blood at its end.
    pub blood: Option<u64>,
    /// Digest of the bodies' path.
    pub floating: Option<u64>,
}

impl Script {
    /// Whether it is being played.
    pub fn plays(&self) -> bool {
        self.at.is_some()
    }

    /// Whether both claims hold here; none before both were tried.
    pub fn holds(&self) -> Option<bool> {
        let (blood, floating) = (self.blood?, self.floating?);
        Some(blood == BLOOD_DIGEST && floating == FLOATING_DIGEST)
    }

    /// The hit of this tick, if there is one. The buoy that is drawn may be finer than the one the script knows.
    pub fn hit(&mut self, canvas: &mut WetCanvas) {
        let Some(at) = self.at else { return };
        if let Some((from, direction, shape)) = hit_of(at) {
            let buoy = self.buoy.get_or_insert_with(shapes::scripted_buoy);
            canvas.paint_world(buoy, &GlobalTransform::IDENTITY, from, direction, &shape, at);
        }
    }

    /// The end of a tick.
    pub fn note(&mut self, canvas: &WetCanvas) {
        let Some(at) = &mut self.at else { return };
        *at += 1;
        if *at == SCRIPT_TICKS {
            self.at = None;
            self.blood = Some(canvas.digest());
        }
    }
}

/// The hit at the start of a tick: from where, to where, and what it leaves. All around the float and the tower, at the buoy's own axis.
fn hit_of(tick: u32) -> Option<(Vec3, Vec3, StainShape)> {
    let number = tick / TICKS_PER_HIT;
    if !tick.is_multiple_of(TICKS_PER_HIT) || number >= HITS {
        return None;
    }
    let chance = |salt: u32| hash_f32(number.wrapping_mul(0x9E37_79B9) ^ salt);
    let turn = std::f64::consts::TAU * f64::from(chance(0x51ED));
    let from = Vec3::new(3.0 * libm::cos(turn) as f32, 0.9 * chance(0x0B0A), 3.0 * libm::sin(turn) as f32);
    let to = Vec3::new(0.0, 0.6 * chance(0xB0A7) - 0.2, 0.0);
    let major = 0.012 + 0.02 * chance(0x57A1);
    let shape = StainShape {
        major,
        minor: major * (0.5 + 0.5 * chance(0x1A57)),
        spines: (12.0 * chance(0x5914)) as u8,
        satellites: (6.0 * chance(0x5A7E)) as u8,
        direction: [libm::cos(turn) as f32, libm::sin(turn) as f32],
        seed: number,
    };
    Some((from, to - from, shape))
}

/// The script without a sea, an app or a canvas: what the digest is to be.
pub fn blood_digest() -> Option<u64> {
    let mut map = Wetmap::new(blood::CANVAS_SIZE, [0.5; 3], 0.5).ok()?;
    let mesh = shapes::scripted_buoy();
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3()?;
    let bevy::mesh::VertexAttributeValues::Float32x2(uvs) = mesh.attribute(Mesh::ATTRIBUTE_UV_0)? else { return None };
    let bevy::mesh::Indices::U32(indices) = mesh.indices()? else { return None };
    let triangles = bevy_wetmap::ray::Triangles { positions, uvs, indices: bevy_wetmap::ray::Indices::U32(indices) };
    for tick in 0..SCRIPT_TICKS {
        if let Some((from, direction, shape)) = hit_of(tick) {
            let ray = bevy_wetmap::ray::Ray { origin: from.to_array(), direction: direction.to_array() };
            map.paint_ray(&triangles, &bevy_wetmap::ray::Affine::IDENTITY, ray, &shape, tick);
        }
        map.tick(tick, [0.0, 1.0], &blood::settings());
    }
    Some(map.digest())
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Script>().add_systems(PreUpdate, begin.after(DoActions));
}

/// Starts over, with a clean buoy, whatever is played.
fn begin(
    mut actions: MessageReader<Action>,
    mut script: ResMut<Script>,
    mut blood: ResMut<Blood>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut buoys: Query<(&Body, &mut WetCanvas, &MeshMaterial3d<StandardMaterial>)>,
) {
    if actions.read().filter(|action| **action == Action::Prove).count() == 0 {
        return;
    }
    for (body, canvas, material) in &mut buoys {
        if body.0 == FIRST_BUOY {
            blood::renew(canvas, material, &mut images, &mut materials);
            blood.digest = 0;
        }
    }
    script.at = Some(0);
    script.blood = None;
    script.floating = Some(floating_digest());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_take_the_path_that_is_claimed() {
        let digest = floating_digest();
        assert_eq!(digest, FLOATING_DIGEST, "it is {digest:#018x} here");
    }

    #[test]
    fn blood_has_the_digest_that_is_claimed() {
        let digest = blood_digest().expect("a buoy that can be painted");
        assert_eq!(digest, BLOOD_DIGEST, "it is {digest:#018x} here");
    }

    #[test]
    fn every_scripted_hit_is_one() {
        let hits: Vec<_> = (0..SCRIPT_TICKS).filter_map(hit_of).collect();
        assert_eq!(hits.len(), HITS as usize);
        let mesh = shapes::scripted_buoy();
        let mut images = Assets::<Image>::default();
        for (from, direction, shape) in hits {
            let mut canvas = blood::clean_canvas(&mut images);
            assert!(canvas.paint_world(&mesh, &GlobalTransform::IDENTITY, from, direction, &shape, 0), "{from} {direction}");
        }
    }

    #[test]
    fn a_script_ends_and_is_judged() {
        let mut script = Script { at: Some(0), ..default() };
        let mut images = Assets::<Image>::default();
        let mut canvas = blood::clean_canvas(&mut images);
        assert_eq!(script.holds(), None);
        for tick in 0..SCRIPT_TICKS {
            assert!(script.plays());
            script.hit(&mut canvas);
            canvas.tick(tick + 77, Vec2::Y, &blood::settings());
            script.note(&canvas);
        }
        assert!(!script.plays() && script.blood == blood_digest());
        script.floating = Some(FLOATING_DIGEST);
        assert_eq!(script.holds(), Some(true));
        script.floating = Some(FLOATING_DIGEST ^ 1);
        assert_eq!(script.holds(), Some(false));
    }
}
