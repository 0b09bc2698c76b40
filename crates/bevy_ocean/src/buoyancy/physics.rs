//! Between avian and the water: who rides what, and the pushes of every step.

use super::forces::{Wetting, acceleration, stiffest_rate, submersion};
use super::ridden::{self, RiddenWaters};
use super::{Afloat, Buoyant, points};
use crate::time::WaterTime;
use crate::wind::WorldWind;
use avian3d::prelude::*;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// Floats every [`Buoyant`] body. Needs avian's `PhysicsPlugins` in the same schedule; with [`OceanPlugin`](crate::OceanPlugin) or, on a server, without.
#[derive(Clone, Debug)]
pub struct BuoyancyPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl BuoyancyPlugin {
    /// For physics that runs in another schedule than `FixedPostUpdate`. A path is only then the same everywhere when its steps are.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for BuoyancyPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

/// Bodies are pushed, once a step: after avian has prepared its step, before it takes it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuoyancySystems;

impl Plugin for BuoyancyPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Buoyant>()
            .register_type::<Afloat>()
            .register_type::<WorldWind>()
            .init_resource::<WaterTime>()
            .init_resource::<RiddenWaters>()
            .configure_sets(
                self.schedule,
                BuoyancySystems.after(PhysicsSystems::Prepare).before(PhysicsSystems::StepSimulation),
            )
            .add_systems(
                self.schedule,
                (admit, ridden::advance, choose, ridden::compute, push.run_if(a_step_is_coming))
                    .chain()
                    .in_set(BuoyancySystems),
            );
    }
}

/// A body's dials in their ranges, and where the water pushes it.
#[derive(Component)]
struct Hull {
    buoyant: Buoyant,
    points: Vec<Vec3>,
}

type HullChanged = Or<(Changed<Buoyant>, Changed<Collider>, Changed<RigidBodyColliders>)>;

/// Works out anew what has changed of a body.
fn admit(
    mut commands: Commands,
    bodies: Query<(Entity, &Buoyant, Option<&Collider>, Option<&RigidBodyColliders>), HullChanged>,
    colliders: Query<(&Collider, &ColliderTransform)>,
) {
    for (entity, buoyant, own, all) in &bodies {
        let buoyant = buoyant.admitted();
        let points = match buoyant.points.as_slice() {
            [] => from_colliders(own, all, &colliders),
            given => given.to_vec(),
        };
        commands.entity(entity).insert(Hull { buoyant, points });
    }
}

fn from_colliders(
    own: Option<&Collider>,
    all: Option<&RigidBodyColliders>,
    colliders: &Query<(&Collider, &ColliderTransform)>,
) -> Vec<Vec3> {
    let children = all.into_iter().flatten().filter_map(|collider| colliders.get(collider).ok());
    let boxes = children.map(|(collider, place)| collider.aabb(place.translation, place.rotation.0));
    let own = own.map(|collider| collider.aabb(Vec3::ZERO, Quat::IDENTITY));
    let bounds = boxes.chain(own).reduce(|a, b| a.merged(b));
    bounds.map_or_else(|| vec![Vec3::ZERO], |bounds| points::lattice(bounds.min, bounds.max))
}

/// Decides which water each body rides.
fn choose(mut bodies: Query<(&Hull, &Position, &mut Afloat), With<Buoyant>>, waters: Res<RiddenWaters>) {
    for (hull, position, mut afloat) in &mut bodies {
        let surface = match hull.buoyant.surface {
            Some(named) => waters.get(named).map(|_| named),
            None => waters.nearest(position.0),
        };
        if afloat.surface != surface {
            afloat.surface = surface;
        }
    }
}

/// Whether avian is about to take a step. While its clock is paused it takes none, and would keep every push for the step that comes after the pause.
fn a_step_is_coming(physics: Option<Res<Time<Physics>>>) -> bool {
    physics.is_some_and(|physics| !physics.is_paused() || !physics.delta().is_zero())
}

/// Pushes every body at each of its points.
fn push(
    mut bodies: Query<
        (&Hull, &mut Afloat, &ComputedMass, &ComputedAngularInertia, &ComputedCenterOfMass, Forces),
        With<Buoyant>,
    >,
    waters: Res<RiddenWaters>,
    step: Res<Time>,
) {
    for (hull, mut afloat, mass, inertia, center, mut forces) in &mut bodies {
        let water = afloat.surface.and_then(|surface| waters.get(surface));
        let (position, rotation) = (forces.position().0, forces.rotation().0);
        let mass = mass.value();
        let mut state = Afloat { submerged: 0.0, water_height: 0.0, ..*afloat };
        if let Some(sample) = water.and_then(|water| water.sample(position)) {
            state.water_height = sample.displacement[1];
        }
        if let Some(water) = water.filter(|_| mass > 0.0 && mass.is_finite() && position.is_finite()) {
            let stiffest = stiffest_rate(step.delta_secs(), leverage(hull, mass, inertia, center.0));
            let share = 1.0 / hull.points.len() as f32;
            for point in &hull.points {
                let world = position + rotation * *point;
                let Some(sample) = water.sample(world) else { continue };
                let (velocity, water_velocity) = (forces.velocity_at_point(world), Vec3::from_array(sample.velocity));
                let depth = sample.displacement[1] - world.y;
                // As it will be half-way through the step: the depth at its start, held for all of it, would feed the bobbing as fast as water takes from it.
                let halfway = depth - 0.5 * step.delta_secs() * (velocity.y - water_velocity.y);
                let wetting = Wetting { depth: halfway, velocity, water_velocity, normal: Vec3::from_array(sample.normal) };
                state.submerged += share * submersion(&hull.buoyant, depth);
                let force = acceleration(&hull.buoyant, &wetting, stiffest) * (mass * share);
                forces.apply_force_at_point(force, world);
            }
        }
        afloat.set_if_neq(state);
    }
}

/// How much further a push at its outermost point moves that point than it moves the body's centre of mass.
fn leverage(hull: &Hull, mass: f32, inertia: &ComputedAngularInertia, center: Vec3) -> f32 {
    let arms = hull.points.iter().map(|point| point.distance_squared(center));
    let arm = arms.fold(0.0, f32::max);
    // The largest row sum bounds the inverse inertia about any axis.
    let softest = inertia.inverse();
    let rows = [
        softest.m00.abs() + softest.m01.abs() + softest.m02.abs(),
        softest.m01.abs() + softest.m11.abs() + softest.m12.abs(),
        softest.m02.abs() + softest.m12.abs() + softest.m22.abs(),
    ];
    1.0 + mass * arm * rows.into_iter().fold(0.0, f32::max)
}
