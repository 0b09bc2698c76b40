//! Every vertex is in its tile's box, wherever the camera is.

use bevy::math::{DVec2, Vec2, Vec3};

use super::surface::Meshes;
use super::{cameras, qualities, small_ones};
use crate::mesh::clipmap::ClipmapDimensions;
use crate::mesh::{Bounds, Grid, WaveMargin, lattice};

#[test]
fn a_tile_is_in_its_box() {
    for dimensions in small_ones().into_iter().chain(qualities()) {
        let meshes = Meshes::new(dimensions);
        for (index, camera) in cameras(&dimensions, 6).into_iter().enumerate() {
            // Far from the world's zero every other time.
            let world = camera.as_dvec2() + DVec2::new(1e5, -2e5) * (index % 2) as f64;
            let origin = dimensions.origin_for(world);
            let in_world = world.as_vec2();
            let camera_rel = in_world - origin.as_vec2();
            for tile in &meshes.tiles {
                let bounds = tile.bounds(&dimensions, in_world, -3.0, WaveMargin::default());
                for &position in meshes.patch(tile).positions() {
                    let rel = lattice::vertex(position.into(), tile.tag(), camera_rel, &dimensions).rel_xz;
                    let at = (origin + rel.as_dvec2()).as_vec2();
                    assert!(bounds.contains(Vec3::new(at.x, -3.0, at.y)), "{at} not in {bounds:?}; {tile:?}, {in_world}");
                }
            }
        }
    }
}

/// Boxes are to cull with: they must not be much larger than what is in them.
#[test]
fn boxes_are_tight() {
    let [_, _, high] = qualities();
    let box_area = |bounds: Bounds| f64::from((bounds.max.x - bounds.min.x) * (bounds.max.z - bounds.min.z));
    for tile in high.tiles().iter().filter(|tile| tile.level > 0 && tile.offset != Default::default()) {
        let bounds = tile.bounds(&high, Vec2::ZERO, 0.0, WaveMargin::default());
        let edge = f64::from(high.quad_at(tile.level) * 64.0);
        assert!(box_area(bounds) < 1.2 * edge * edge, "{tile:?}");
    }
}

#[test]
fn waves_have_room() {
    let dimensions = ClipmapDimensions::new(2, 16, 1.0);
    let margin = WaveMargin { horizontal: 4.0, vertical: 10.0 };
    for tile in dimensions.tiles() {
        let still = tile.bounds(&dimensions, Vec2::new(5.0, 6.0), 2.0, WaveMargin::default());
        let wavy = tile.bounds(&dimensions, Vec2::new(5.0, 6.0), 2.0, margin);
        for corner in [still.min, still.max] {
            for way in [Vec3::new(3.999, 9.999, -3.999), Vec3::new(-3.999, -9.999, 3.999)] {
                assert!(wavy.contains(corner + way), "{tile:?}");
            }
        }
        assert_eq!(still.union(wavy), wavy);
    }
    let grid = Grid::new(100.0, 100);
    let all = grid.tiles().iter().map(|tile| tile.bounds(&grid, margin)).reduce(Bounds::union).expect("tiles");
    assert!(all.contains(Vec3::new(-54.0, 10.0, 54.0)) && !all.contains(Vec3::new(-54.1, 0.0, 0.0)));
}
