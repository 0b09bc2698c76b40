//! Floating bodies: [`Buoyant`] on a rigid body of avian3d, and it rides the waves.
//!
//! A body is pushed at several points, each by how deep it lies in the water there, so that a hull heaves, pitches and rolls. The water is the CPU field of
//! [`ocean::SurfaceField`], on the clock of the physics and not on that of the frames: the same seed and the same fixed step give the same path, bit for bit, with a GPU or
//! without one, on x86-64 as in a browser. (For this avian needs its feature `enhanced-determinism`, and wasm32 is built with `-C target-feature=+simd128`: glam, in which the physics
//! counts, sums in the same order with SSE2 and with that, and in another without vectors.) Without a [`Buoyant`] no field is computed.
//!
//! A server's water, with a crate on it:
//!
//! ```
//! use avian3d::prelude::*;
//! use bevy::prelude::*;
//! use bevy::time::TimeUpdateStrategy;
//! use bevy_ocean::{Afloat, Buoyant, BuoyancyPlugin, Preset, WaterSurface};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), BuoyancyPlugin::default()));
//! app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.finish();
//! app.world_mut().spawn(WaterSurface::from(Preset::CalmLake));
//! let cargo = (RigidBody::Dynamic, Collider::cuboid(1.0, 1.0, 1.0), Buoyant::default());
//! let cargo = app.world_mut().spawn((cargo, Transform::from_xyz(3.0, 0.5, 0.0))).id();
//! for _ in 0..600 {
//!     app.update();
//! }
//! let afloat = app.world().get::<Afloat>(cargo).expect("it comes with `Buoyant`");
//! assert!((afloat.submerged - 0.49).abs() < 0.1);
//! ```

mod forces;
mod physics;
mod points;
mod ridden;

pub use physics::{BuoyancyPlugin, BuoyancySystems};

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Makes a dynamic rigid body float. Needs [`BuoyancyPlugin`] and avian's `PhysicsPlugins`.
///
/// The dials are accelerations and rates, so that a heavy body floats as a light one does: at rest it lies where [`force`](Self::force) times the share of
/// [`submerge_depth`](Self::submerge_depth) that its points are under water is gravity; with the defaults, 0.49 m. Give a small body a small depth.
///
/// A body is rightened by its points' spread and by the weight below them: give a boat a `CenterOfMass` that lies lower than its points.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Serialize, Deserialize, PartialEq)]
#[require(Afloat)]
#[serde(default, deny_unknown_fields)]
pub struct Buoyant {
    /// Upward acceleration of a body that is wholly under water, m/s², 0 to 1000. Less than gravity's sinks.
    pub force: f32,
    /// Rate at which vertical motion dies in the water, 1/s, 0 to 1000: settles bobbing.
    pub damping: f32,
    /// Depth of a point at which the push is at its full strength, m, 0.01 to 1000.
    pub submerge_depth: f32,
    /// How strongly slopes carry the body along, as a share of what gravity does on them, 0 to 10.
    pub wave_push: f32,
    /// Rate at which the body takes on the velocity of the water around it, 1/s, 0 to 1000.
    pub drag: f32,
    /// Where the water pushes, in the body's frame, m, 64 at most. Empty: a lattice in the middle plane of its colliders' bounds.
    pub points: Vec<Vec3>,
    /// The [`WaterSurface`](crate::WaterSurface) that it rides, and no other. None: the nearest.
    #[serde(skip)]
    pub surface: Option<Entity>,
}

impl Default for Buoyant {
    fn default() -> Self {
        Self { force: 20.0, damping: 2.0, submerge_depth: 1.0, wave_push: 1.0, drag: 1.5, points: Vec::new(), surface: None }
    }
}

/// Points that count, at most.
const MOST_POINTS: usize = 64;

impl Buoyant {
    /// Every dial in its range, and the default for what is no number; of the points, those that are finite.
    fn admitted(&self) -> Self {
        let usual = Self::default();
        let admit = |value: f32, usual: f32, least: f32, most: f32| {
            if value.is_nan() { usual } else { value.clamp(least, most) }
        };
        Self {
            force: admit(self.force, usual.force, 0.0, 1000.0),
            damping: admit(self.damping, usual.damping, 0.0, 1000.0),
            submerge_depth: admit(self.submerge_depth, usual.submerge_depth, 0.01, 1000.0),
            wave_push: admit(self.wave_push, usual.wave_push, 0.0, 10.0),
            drag: admit(self.drag, usual.drag, 0.0, 1000.0),
            points: self.points.iter().copied().filter(|point| point.is_finite()).take(MOST_POINTS).collect(),
            surface: self.surface,
        }
    }
}

/// What the water does to a [`Buoyant`] body, as of the last step: to be read.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, PartialEq)]
pub struct Afloat {
    /// The surface that it rides; none where there is no water.
    pub surface: Option<Entity>,
    /// The mean over its points of the share of the submerge depth that they are under water: 0 in the air, 1 sunk.
    pub submerged: f32,
    /// World y of the water above or below the body's place, m. 0 without a surface.
    pub water_height: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_admitted_as_something_that_floats() {
        let nonsense = Buoyant {
            force: f32::NAN,
            damping: f32::INFINITY,
            submerge_depth: 0.0,
            wave_push: -1.0,
            drag: f32::NEG_INFINITY,
            points: vec![Vec3::NAN, Vec3::X],
            surface: None,
        };
        let admitted = nonsense.admitted();
        assert_eq!((admitted.force, admitted.damping, admitted.submerge_depth), (20.0, 1000.0, 0.01));
        assert_eq!((admitted.wave_push, admitted.drag), (0.0, 0.0));
        assert_eq!(admitted.points, [Vec3::X]);
        assert_eq!(Buoyant::default().admitted(), Buoyant::default());
    }
}
