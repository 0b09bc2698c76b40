//! What the water does to one point of a body: pure functions.

use super::Buoyant;
use bevy::prelude::*;
use ocean::sea_state::GRAVITY;

/// A point of a body, and the water there.
#[derive(Clone, Copy, Debug)]
pub struct Wetting {
    /// How far the point lies under the surface, m; negative in the air.
    pub depth: f32,
    /// Velocity of the point, m/s.
    pub velocity: Vec3,
    /// Velocity of the water, with the current that carries it, m/s.
    pub water_velocity: Vec3,
    /// Unit normal of the surface.
    pub normal: Vec3,
}

/// The share of its full strength at which water pushes a point.
pub fn submersion(buoyant: &Buoyant, depth: f32) -> f32 {
    (depth / buoyant.submerge_depth).clamp(0.0, 1.0)
}

/// The acceleration that the water would give a body that were all at this point, m/s²: lift, drag towards the water's own motion, damping of the vertical one, and a push down
/// the slope. Rates are held below `stiffest`, 1/s: a faster one would throw the body further in a step than it has to go.
pub fn acceleration(buoyant: &Buoyant, at: &Wetting, stiffest: f32) -> Vec3 {
    let w = submersion(buoyant, at.depth);
    if w == 0.0 {
        return Vec3::ZERO;
    }
    let wanted = buoyant.drag + buoyant.damping;
    let held = if wanted > stiffest { stiffest / wanted } else { 1.0 };
    let lift = Vec3::Y * (buoyant.force * w);
    let drag = (at.velocity - at.water_velocity) * (-buoyant.drag * held * w);
    let damping = Vec3::Y * (-buoyant.damping * held * w * at.velocity.y);
    // −slope is the normal's horizontal part over its vertical one; where the surface stands on edge, no more than 45°'s.
    let downhill = Vec3::new(at.normal.x, 0.0, at.normal.z) / at.normal.y.max(0.707);
    let push = downhill * (buoyant.wave_push * w * GRAVITY as f32);
    lift + drag + damping + push
}

/// The fastest rate, 1/s, that a step of `seconds` bears on a body whose points lie up to `arm` from its centre of mass, where a push that moves the centre by 1
/// moves the point by `leverage`, 1 + mass · arm² / inertia.
pub fn stiffest_rate(seconds: f32, leverage: f32) -> f32 {
    1.0 / (seconds * leverage.max(1.0)).max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still(depth: f32) -> Wetting {
        Wetting { depth, velocity: Vec3::ZERO, water_velocity: Vec3::ZERO, normal: Vec3::Y }
    }

    #[test]
    fn lift_is_gravity_at_49_hundredths() {
        let buoyant = Buoyant::default();
        let at = acceleration(&buoyant, &still(0.4905), 60.0);
        assert!((at.y - 9.81).abs() < 1e-4 && at.x == 0.0 && at.z == 0.0, "{at}");
        assert_eq!(acceleration(&buoyant, &still(-0.1), 60.0), Vec3::ZERO);
        assert_eq!(acceleration(&buoyant, &still(5.0), 60.0).y, 20.0);
    }

    #[test]
    fn each_term_is_the_model_pages() {
        let buoyant = Buoyant { force: 0.0, ..default() };
        let slope = Vec2::new(0.1, -0.2);
        let at = Wetting {
            depth: 0.5,
            velocity: Vec3::new(1.0, 2.0, 0.0),
            water_velocity: Vec3::new(0.5, 0.0, 3.0),
            normal: Vec3::new(-slope.x, 1.0, -slope.y).normalize(),
        };
        let expected = Vec3::new(
            -1.5 * 0.5 * 0.5 - 0.5 * 9.81 * slope.x,
            -1.5 * 0.5 * 2.0 - 2.0 * 0.5 * 2.0,
            -1.5 * 0.5 * -3.0 - 0.5 * 9.81 * slope.y,
        );
        assert!((acceleration(&buoyant, &at, 60.0) - expected).length() < 1e-4);
    }

    #[test]
    fn no_rate_overshoots() {
        let buoyant = Buoyant { force: 0.0, drag: 1000.0, damping: 1000.0, ..default() };
        let at = Wetting { velocity: Vec3::new(3.0, -4.0, 1.0), ..still(1.0) };
        let after = at.velocity + acceleration(&buoyant, &at, stiffest_rate(0.05, 4.0)) * 0.05 * 4.0;
        assert!(after.length() <= at.velocity.length() && after.dot(at.velocity) >= 0.0, "{after}");
    }
}
