//! What floats: three buoys and a boat, and what can be done with them.
//!
//! They ride the surface through `bevy_ocean`'s [`Buoyant`] and lie at their moorings, so that neither waves nor a current take them out of sight.
//! `carry` is the hand that lifts and throws them, `blood` what a shot leaves on a buoy, `shapes` what they look like, and `proof` holds two claims against
//! this machine: that bodies take the same path everywhere, and that the blood has the same digest while the sea is at work.

pub(crate) mod blood;
pub(crate) mod carry;
mod moorings;
pub mod proof;
mod shapes;

use crate::Machine;
use crate::camera::Eye;
use crate::scene::DoActions;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_ocean::{BuoyancyPlugin, Buoyant, WaterTime};

/// Steps of the physics, and ticks of the blood, a second.
pub(crate) const STEPS_PER_SECOND: f64 = 60.0;

/// A body of the demo. The order is that of [`FLEET`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Body(pub usize);

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A yellow buoy of 1.2 m. It carries a canvas.
    Buoy,
    /// A boat of 6 m.
    Boat,
}

/// One of the demo's bodies: what it is, and where it lies, m ahead of the eye and to its right. From higher up all lie further off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Berth {
    /// What it is.
    pub kind: Kind,
    /// m ahead of the eye.
    ahead: f32,
    /// m to the right.
    aside: f32,
    /// Degrees by which it is turned from the eye's heading.
    turn: f32,
}

/// All of them.
pub(crate) const FLEET: [Berth; 4] = [
    Berth { kind: Kind::Buoy, ahead: 13.0, aside: -4.2, turn: 0.0 },
    Berth { kind: Kind::Buoy, ahead: 17.0, aside: 5.0, turn: 120.0 },
    Berth { kind: Kind::Buoy, ahead: 36.0, aside: -9.0, turn: 240.0 },
    Berth { kind: Kind::Boat, ahead: 24.0, aside: 2.0, turn: 70.0 },
];

impl Kind {
    /// The name on the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Buoy => "buoy",
            Self::Boat => "boat",
        }
    }

    /// What floats: its shape to the physics, where the water pushes it, and its weight, low enough to right it.
    ///
    /// The points lie where the waterline is to be, less the depth at which the forces balance: 9.81 / 20 of the submerge depth.
    pub fn physics(self) -> impl Bundle {
        let (collider, buoyant, center) = match self {
            Self::Buoy => {
                let points = [(0.4, 0.4), (0.4, -0.4), (-0.4, 0.4), (-0.4, -0.4)].map(|(x, z)| Vec3::new(x, -0.2, z));
                let buoyant = Buoyant { submerge_depth: 0.4, points: points.to_vec(), ..default() };
                let float = (Vec3::new(0.0, -0.1, 0.0), Quat::IDENTITY, Collider::cylinder(0.6, 0.7));
                let tower = (Vec3::new(0.0, 0.9, 0.0), Quat::IDENTITY, Collider::cylinder(0.2, 1.4));
                (Collider::compound(vec![float, tower]), buoyant, Vec3::new(0.0, -0.6, 0.0))
            }
            Self::Boat => {
                let rows = [-2.2, -0.7, 0.8, 2.2].into_iter().flat_map(|x| [-0.75, 0.75].map(|z| Vec3::new(x, -0.35, z)));
                let buoyant = Buoyant { submerge_depth: 0.6, points: rows.collect(), drag: 0.8, ..default() };
                let hull = (Vec3::ZERO, Quat::IDENTITY, Collider::cuboid(5.6, 0.9, 1.9));
                let cabin = (Vec3::new(-0.7, 0.95, 0.0), Quat::IDENTITY, Collider::cuboid(1.7, 1.0, 1.3));
                (Collider::compound(vec![hull, cabin]), buoyant, Vec3::new(-0.2, -0.45, 0.0))
            }
        };
        (RigidBody::Dynamic, collider, buoyant, CenterOfMass(center), TransformInterpolation, NoAutoCenterOfMass)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((PhysicsPlugins::default(), BuoyancyPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(STEPS_PER_SECOND))
        .add_plugins((moorings::plugin, carry::plugin, blood::plugin, proof::plugin))
        .add_systems(Startup, launch)
        .add_systems(PreUpdate, wait_for_the_water.after(DoActions));
}

/// While the water stands, so does what floats on it.
fn wait_for_the_water(water: Res<WaterTime>, mut physics: ResMut<Time<Physics>>) {
    if water.paused != physics.is_paused() {
        if water.paused { physics.pause() } else { physics.unpause() }
    }
}

/// Makes the fleet. Where it lies is the moorings' business.
fn launch(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
    machine: Res<Machine>,
) {
    let buoy = meshes.add(shapes::buoy(*machine));
    let boat = meshes.add(shapes::boat());
    let wood = materials.add(StandardMaterial { perceptual_roughness: 0.6, ..default() });
    for (index, berth) in FLEET.into_iter().enumerate() {
        let mut body = commands.spawn((Body(index), berth.kind.physics(), Transform::default(), Visibility::default()));
        match berth.kind {
            Kind::Buoy => {
                let canvas = blood::clean_canvas(&mut images);
                body.insert((Mesh3d(buoy.clone()), MeshMaterial3d(materials.add(blood::material_of(&canvas))), canvas));
            }
            Kind::Boat => {
                body.insert((Mesh3d(boat.clone()), MeshMaterial3d(wood.clone())));
            }
        }
    }
}

/// How far a ray reaches, m.
const REACH: f32 = 400.0;

/// The bodies with their shapes, where they are drawn.
pub(crate) type Shapes<'w, 's> = Query<'w, 's, (Entity, &'static Collider, &'static GlobalTransform), With<Body>>;

/// The body that a ray meets first, and how far away. Where they are drawn, not where the physics had them at its last step: it may be standing.
pub(crate) fn first_met(ray: Ray3d, shapes: &Shapes) -> Option<(Entity, f32)> {
    let met = shapes.iter().filter_map(|(entity, collider, place)| {
        let (_, turn, at) = place.to_scale_rotation_translation();
        let (distance, _) = collider.cast_ray(at, turn, ray.origin, *ray.direction, REACH, true)?;
        Some((entity, distance))
    });
    met.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// A body as the page is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyReport {
    /// What it is.
    pub kind: &'static str,
    /// Where it is, m.
    pub position: Vec3,
    /// Where its middle is seen, logical pixels from the picture's upper left corner; none where it is behind the eye.
    pub seen_at: Option<Vec2>,
}

/// What is to be told of every body, in the fleet's order.
pub(crate) fn reports(
    bodies: &Query<(&Body, &GlobalTransform)>,
    eye: &Query<(&Camera, &GlobalTransform), With<Eye>>,
) -> Vec<BodyReport> {
    let mut all: Vec<_> = bodies.iter().collect();
    all.sort_unstable_by_key(|(body, _)| body.0);
    let report = |(body, place): (&Body, &GlobalTransform)| {
        let position = place.translation();
        let seen_at = eye.single().ok().and_then(|(camera, eye)| camera.world_to_viewport(eye, position).ok());
        BodyReport { kind: FLEET[body.0].kind.name(), position, seen_at }
    };
    all.into_iter().map(report).collect()
}
