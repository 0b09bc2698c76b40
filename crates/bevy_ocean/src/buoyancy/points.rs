//! Where the water pushes a body that has not said it: from the bounds of its colliders.

use bevy::prelude::*;

/// How far towards the edges of the bounds the outermost points lie. A hull is not a box.
const REACH: f32 = 0.8;

/// A lattice in the horizontal middle plane of a box in the body's frame: two points along the shorter side, and as many along the longer one as keep the cells about square,
/// five at most.
///
/// In the middle, because a body is then as happy upside down as upright, and what rightens it is where its weight is; and because then it is the middle that lies at the depth
/// at which the forces balance.
pub fn lattice(min: Vec3, max: Vec3) -> Vec<Vec3> {
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    if !(middle.is_finite() && half.is_finite()) {
        return vec![Vec3::ZERO];
    }
    let short = half.x.min(half.z).max(1e-3);
    let along = |half: f32| ((half / short).round() as u32 + 1).clamp(2, 5);
    let (columns, rows) = (along(half.x), along(half.z));
    let place = |index: u32, count: u32, half: f32| REACH * half * (2.0 * index as f32 / (count - 1) as f32 - 1.0);
    let row = |z: u32| (0..columns).map(move |x| middle + Vec3::new(place(x, columns, half.x), 0.0, place(z, rows, half.z)));
    (0..rows).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_four_and_a_boat_ten() {
        assert_eq!(lattice(Vec3::splat(-0.5), Vec3::splat(0.5)).len(), 4);
        let boat = lattice(Vec3::new(-4.0, 0.0, -1.0), Vec3::new(4.0, 1.0, 1.0));
        assert_eq!(boat.len(), 10);
        assert!(boat.iter().all(|point| point.y == 0.5 && point.x.abs() <= 3.2 + 1e-5 && point.z.abs() <= 0.8 + 1e-5));
        let mean = boat.iter().sum::<Vec3>() / 10.0;
        assert!((mean - Vec3::new(0.0, 0.5, 0.0)).length() < 1e-5);
    }

    #[test]
    fn nothing_and_nonsense_are_one_point_at_least() {
        assert_eq!(lattice(Vec3::ZERO, Vec3::ZERO).len(), 4);
        assert_eq!(lattice(Vec3::MAX, Vec3::MIN), [Vec3::ZERO]);
        assert_eq!(lattice(Vec3::NAN, Vec3::ONE), [Vec3::ZERO]);
    }
}
