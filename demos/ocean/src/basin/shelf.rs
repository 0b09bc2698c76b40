//! The ground as the physics knows it, where bodies get to: coarser than what is drawn, and for the square of the water alone.

use super::{Site, ground};
use avian3d::prelude::*;
use bevy::prelude::*;

/// Half of the square that it covers, m: the water's, and some land to be thrown on.
const REACH: f32 = 120.0;

/// Metres from one height to the next.
const SPACING: f32 = 2.0;

/// The ground of a site, for a static body at the origin.
pub(super) fn collider(site: Site) -> Collider {
    let points = (2.0 * REACH / SPACING) as usize + 1;
    let coordinate = |index: usize| index as f32 * SPACING - REACH;
    let column = |x: usize| (0..points).map(|z| ground::height(site, Vec2::new(coordinate(x), coordinate(z)))).collect();
    let heights: Vec<Vec<f32>> = (0..points).map(column).collect();
    Collider::heightfield(heights, Vec3::new(2.0 * REACH, 1.0, 2.0 * REACH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_meet_the_ground_where_it_is_drawn() {
        for site in [Site::Lake, Site::River, Site::Swamp] {
            let collider = collider(site);
            let mut worst_if_turned = 0.0f32;
            for at in [(-90.0, 14.0), (30.0, -62.0), (4.0, 4.0), (-8.0, 96.0), (110.0, 2.0)] {
                // Beside the lattice: along its lines a ray may slip through.
                let at = Vec2::from(at) + 0.37;
                let from = Vec3::new(at.x, 500.0, at.y);
                let met = collider.cast_ray(Vec3::ZERO, Quat::IDENTITY, from, Vec3::NEG_Y, 1000.0, false);
                let height = 500.0 - met.map_or(f32::NAN, |(distance, _)| distance);
                let drawn = site.ground(at);
                assert!((height - drawn).abs() < 0.4, "{site:?} at {at}: {height} m, drawn at {drawn} m");
                worst_if_turned = worst_if_turned.max((site.ground(at.yx()) - drawn).abs());
            }
            assert!(worst_if_turned > 1.0, "{site:?}: {worst_if_turned} m would not show that x and z are exchanged");
        }
    }
}
