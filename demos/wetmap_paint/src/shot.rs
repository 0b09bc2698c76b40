//! Shots: the drops that are thrown at the sphere, one or a burst of them, and what the blood model makes of each where it lands.

use crate::dials::ShotDials;
use crate::subject::RADIUS_M;
use bevy::prelude::*;
use bevy_wetmap::bloodstain::{Impact, hash_f32};

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

/// A burst around the middle of the view of an eye that looks along `middle`. Evenly turned by the golden angle and jittered, so that no two of them
/// look alike and every run of them is the same.
pub(crate) fn burst(eye: &GlobalTransform, middle: Ray3d, dials: &ShotDials, shots_before: u32) -> Vec<Shot> {
    const GOLDEN_ANGLE: f32 = 2.399_963;
    let distance = middle.origin.length();
    (0..dials.burst_count)
        .map(|n| {
            let seed = shots_before.wrapping_add(n).wrapping_mul(0x9E37_79B9);
            let share = (n as f32 + hash_f32(seed)) / dials.burst_count as f32;
            let radius = dials.burst_spread * RADIUS_M * share.sqrt();
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

/// The impact of a shot on the sphere: how large and fast a drop, how steep, and which way it travels in texture space.
///
/// The dials are those of an aimed shot; the drops of a drag and of a burst are smaller and larger, slower and faster by the same shares whatever
/// they stand at.
pub(crate) fn impact(shot: &Shot, centre: Vec3, dials: &ShotDials, seed: u32) -> Impact {
    let jitter = hash_f32(seed ^ 0x2545_F491);
    let (diameter, speed) = match shot.pellet {
        Pellet::Aimed => (0.011 + 0.003 * jitter, 10.0),
        Pellet::Dragged => (0.006 + 0.006 * jitter, 8.0),
        Pellet::Burst => (0.004 + 0.008 * jitter * jitter, 9.0 + 5.0 * jitter),
    };
    let usual = ShotDials::default();
    let direction = *shot.ray.direction;
    let to_centre = centre - shot.ray.origin;
    let closest = shot.ray.origin + direction * to_centre.dot(direction);
    let offset = (closest - centre).length().min(RADIUS_M);
    let depth = (RADIUS_M * RADIUS_M - offset * offset).sqrt();
    let normal = (closest - direction * depth - centre).normalize_or_zero();
    let east = Vec3::Y.cross(normal).normalize_or_zero();
    let south = east.cross(normal);
    let travel = Vec2::new(direction.dot(east), direction.dot(south));
    let as_aimed = (-direction.dot(normal)).clamp(0.0, 1.0).asin();
    Impact {
        speed: speed * (dials.impact_speed / usual.impact_speed),
        diameter: diameter * (dials.drop_diameter / usual.drop_diameter),
        angle_rad: if dials.angle_as_aimed { as_aimed } else { dials.impact_angle.to_radians() },
        roughness: 0.25,
        // A shot from straight ahead has no direction of travel; bloodstain then takes one from the seed.
        travel: if travel.length() > 0.05 { travel.to_array() } else { [0.0, 0.0] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_wetmap::bloodstain::{BloodSettings, stain_shape};
    use std::f32::consts::FRAC_PI_2;

    fn shot(x: f32) -> Shot {
        Shot { ray: Ray3d::new(Vec3::new(x, 0.0, 1.0), Dir3::NEG_Z), pellet: Pellet::Aimed }
    }

    #[test]
    fn a_grazing_shot_leaves_a_long_stain_and_a_straight_one_a_round_one() {
        let dials = ShotDials::default();
        let straight = impact(&shot(0.0), Vec3::ZERO, &dials, 1);
        assert!((straight.angle_rad - FRAC_PI_2).abs() < 1e-3);
        assert_eq!(straight.travel, [0.0, 0.0]);
        let grazing = impact(&shot(0.9 * RADIUS_M), Vec3::ZERO, &dials, 1);
        assert!(grazing.angle_rad < 0.5, "{}", grazing.angle_rad);
        assert!(
            grazing.travel[0] > 0.8 && grazing.travel[1].abs() < 1e-3,
            "east of the middle it travels east: {:?}",
            grazing.travel
        );
    }

    #[test]
    fn larger_faster_and_flatter_drops_leave_the_stains_that_bloodstain_says() {
        let usual = ShotDials::default();
        let stain = |dials: ShotDials| stain_shape(&impact(&shot(0.0), Vec3::ZERO, &dials, 1), &BloodSettings::default(), 1);
        let plain = stain(usual);
        assert!(stain(ShotDials { drop_diameter: 2.0 * usual.drop_diameter, ..usual }).major > 2.0 * plain.major);
        let fast = stain(ShotDials { impact_speed: 2.0 * usual.impact_speed, ..usual });
        assert!(fast.major > 1.2 * plain.major && fast.spines >= plain.spines);
        let flat = stain(ShotDials { angle_as_aimed: false, impact_angle: 30.0, ..usual });
        assert!((flat.minor / flat.major - 0.5).abs() < 1e-3, "the sine of the angle is the aspect: {flat:?}");
    }
}
