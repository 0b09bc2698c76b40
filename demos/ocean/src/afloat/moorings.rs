//! Where the fleet lies: before the eye of each preset, each body on a chain that lets it ride the waves and brings it back.

use super::{Body, FLEET};
use crate::basin::Site;
use crate::camera::Pose;
use crate::keys::Action;
use crate::scene::{DoActions, Run, Sea};
use crate::views::View;
use avian3d::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy_ocean::{Preset, WaterField};
use std::f32::consts::PI;

/// How far a body drifts before its chain pulls, m.
const SLACK: f32 = 1.5;

/// How hard it pulls, 1/s² for each metre, and how fast that motion dies, 1/s.
const STIFFNESS: f32 = 0.5;
const DAMPING: f32 = 0.7;

/// The hardest pull, m/s²: a body that was thrown far comes back in its own time.
const HARDEST: f32 = 4.0;

/// Up to this height of the eye, m, the fleet lies as close as it is written down.
const LOW_EYE: f32 = 4.5;

/// The least water that a body is moored in, m.
const DRAUGHT: f32 = 1.1;

/// Who is deeper than this in the ground has come through it, m.
const BURIED: f32 = 2.0;

/// Who is lower or further off than this is lost, m, and put back.
const LOST_BELOW: f32 = -40.0;
const LOST_BEYOND: f32 = 400.0;

/// Where a body's chain is made fast.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Mooring(pub Vec2);

/// A body that was put somewhere and is to be laid on the water there, in so many frames: the water's heights follow a choice of preset at the end of its frame.
#[derive(Component, Clone, Copy, Debug)]
struct Launched(u8);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, moor.after(super::launch))
        .add_systems(PreUpdate, (lie_before_the_eye, lay_on_the_water).chain().after(DoActions))
        .add_systems(FixedUpdate, (pull.run_if(bodies_move), put_back).chain());
}

fn moor(mut commands: Commands, bodies: Query<(Entity, &Body)>) {
    for (entity, body) in &bodies {
        let (place, turn) = berth(body.0, Pose::from(View::of(Preset::default())), None);
        let at = Transform::from_xyz(place.x, 0.5, place.y).with_rotation(turn);
        commands.entity(entity).insert((Mooring(place), at));
    }
}

/// Where a body lies for an eye, and how it is turned. On inland waters it is moved towards the middle until the water is deep enough.
fn berth(index: usize, eye: Pose, site: Option<Site>) -> (Vec2, Quat) {
    let berth = FLEET[index];
    let forward = Vec2::new(eye.yaw.sin(), -eye.yaw.cos());
    let right = Vec2::new(-forward.y, forward.x);
    // So that the nearest is not below the picture.
    let further = (eye.place.y / LOW_EYE).max(1.0);
    let wanted = eye.place.xz() + further * (berth.ahead * forward + berth.aside * right);
    let deep = |at: &Vec2| site.is_none_or(|site| site.ground(*at) < -DRAUGHT);
    // Past the middle there is the other shore.
    let place = (0..=40).map(|step| wanted * (1.0 - step as f32 / 40.0)).find(deep).unwrap_or(wanted);
    let heading = forward.y.atan2(forward.x) + berth.turn.to_radians();
    (place, Quat::from_rotation_y((-heading).rem_euclid(2.0 * PI)))
}

/// What of a body says where it is and how it moves.
#[derive(QueryData)]
#[query_data(mutable)]
struct Motion {
    transform: &'static mut Transform,
    position: &'static mut Position,
    rotation: &'static mut Rotation,
    velocity: &'static mut LinearVelocity,
    spin: &'static mut AngularVelocity,
}

impl MotionItem<'_, '_> {
    /// Puts it somewhere else. The physics may be standing, and what is told of a body is to be where it is.
    fn put(&mut self, at: Vec3, turn: Quat, velocity: Vec3) {
        *self.transform = Transform::from_translation(at).with_rotation(turn);
        (self.position.0, self.rotation.0) = (at, turn);
        (self.velocity.0, self.spin.0) = (velocity, Vec3::ZERO);
    }
}

fn lie_before_the_eye(
    mut commands: Commands,
    mut actions: MessageReader<Action>,
    run: Res<Run>,
    pose: Res<Pose>,
    mut begun: Local<bool>,
    mut bodies: Query<(Entity, &Body, &mut Mooring, Motion)>,
) {
    let asked = |action: &Action| matches!(action, Action::Gather | Action::Choose(_) | Action::Reset);
    let asked = actions.read().filter(|action| asked(action)).count() > 0;
    // At first too, whatever the first preset is.
    if !asked && *begun {
        return;
    }
    *begun = true;
    for (entity, body, mut mooring, mut motion) in &mut bodies {
        let (place, turn) = berth(body.0, *pose, Site::of(run.preset));
        mooring.0 = place;
        motion.put(Vec3::new(place.x, 0.5, place.y), turn, Vec3::ZERO);
        commands.entity(entity).insert(Launched(2));
    }
}

/// Lays the bodies that were put somewhere on the water there, along its slope, moving as it does. The sea may be paused: nothing else would bring them down.
fn lay_on_the_water(
    mut commands: Commands,
    water: Query<&WaterField, With<Sea>>,
    mut bodies: Query<(Entity, &mut Launched, &Mooring, Motion)>,
) {
    let Ok(water) = water.single() else { return };
    for (entity, mut launched, mooring, mut motion) in &mut bodies {
        launched.0 -= 1;
        if launched.0 == 0 {
            let Mooring(place) = *mooring;
            let lean = Quat::from_rotation_arc(Vec3::Y, water.normal_at(place));
            let turn = lean * motion.rotation.0;
            motion.put(Vec3::new(place.x, water.height_at(place), place.y), turn, water.velocity_at(place));
            commands.entity(entity).remove::<Launched>();
        }
    }
}

/// What is pushed while the physics stands is pushed all at once when it goes on.
fn bodies_move(physics: Res<Time<Physics>>) -> bool {
    !physics.is_paused()
}

/// The chains.
fn pull(mut bodies: Query<(&Mooring, Forces)>) {
    for (mooring, mut forces) in &mut bodies {
        let away = forces.position().0.xz() - mooring.0;
        let beyond = away.length() - SLACK;
        if beyond > 0.0 {
            let outward = away.normalize_or_zero();
            let receding = forces.linear_velocity().xz().dot(outward).max(0.0);
            let pull = -outward * (STIFFNESS * beyond + DAMPING * receding).min(HARDEST);
            forces.apply_linear_acceleration(Vec3::new(pull.x, 0.0, pull.y));
        }
    }
}

/// Who left the world comes back to its mooring.
fn put_back(run: Res<Run>, mut bodies: Query<(&Mooring, &mut Position, &mut LinearVelocity, &mut AngularVelocity)>) {
    let site = Site::of(run.preset);
    for (mooring, mut position, mut velocity, mut spin) in &mut bodies {
        let at = position.0;
        let buried = site.is_some_and(|site| at.y < site.ground(at.xz()) - BURIED);
        let lost = !at.is_finite() || buried || at.y < LOST_BELOW || at.xz().distance(mooring.0) > LOST_BEYOND;
        if lost {
            position.0 = Vec3::new(mooring.0.x, 1.0, mooring.0.y);
            (velocity.0, spin.0) = (Vec3::ZERO, Vec3::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_deep_water_for_everybody_before_the_eye() {
        for preset in Preset::ALL {
            let eye = Pose::from(View::of(preset));
            for index in 0..FLEET.len() {
                let (place, _) = berth(index, eye, Site::of(preset));
                let depth = Site::of(preset).map_or(f32::INFINITY, |site| -site.ground(place));
                assert!(depth > DRAUGHT, "{preset:?}: body {index} at {place} has {depth} m");
                let away = place - eye.place.xz();
                let forward = Vec2::new(eye.yaw.sin(), -eye.yaw.cos());
                assert!(away.dot(forward) > 4.0, "{preset:?}: body {index} is {away} from the eye, not before it");
            }
        }
    }
}
