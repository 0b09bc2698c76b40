//! Sizes, counts, tags, and the meshes themselves.

use std::collections::HashSet;

use super::surface::Meshes;
use super::{cameras, qualities, small_ones};
use crate::mesh::clipmap::ClipmapDimensions;
use crate::mesh::{ClipmapPiece, Grid};

#[test]
fn the_qualities_reach_as_far_as_is_said() {
    let extents = qualities().map(|dimensions| dimensions.half_extent());
    assert_eq!(extents[0], 512.0);
    assert!((extents[1] - 896.0).abs() < 0.1);
    assert_eq!(extents[2], 1024.0);
}

#[test]
fn high_is_about_620_000_triangles() {
    let [_, _, high] = qualities();
    let triangles = high.triangles();
    assert!((615_000..630_000).contains(&triangles), "{triangles}");
    // What the GPU gets is what is seen and little more: the hidden half of the seams.
    let meshes = Meshes::new(high);
    let given: u32 = meshes.tiles.iter().map(|tile| meshes.patch(tile).triangles()).sum();
    assert!(given > triangles && given < triangles + triangles / 50, "{given}");
    let vertices: usize = ClipmapPiece::ALL.iter().map(|piece| piece.patch(&high).positions().len()).sum();
    assert!(vertices < 25_000, "{vertices} vertices in memory");
}

#[test]
fn the_count_is_what_is_drawn() {
    for dimensions in small_ones().into_iter().chain(qualities()) {
        let meshes = Meshes::new(dimensions);
        let given: u32 = meshes.tiles.iter().map(|tile| meshes.patch(tile).triangles()).sum();
        for camera in cameras(&dimensions, 2) {
            let hidden = meshes.surface(camera).hidden;
            assert_eq!(given - hidden as u32, dimensions.triangles(), "{dimensions:?}, {camera}");
        }
    }
}

#[test]
fn nonsense_becomes_a_supported_size() {
    for (rings, quads, quad) in [(u32::MAX, u32::MAX, f32::INFINITY), (0, 0, f32::NAN), (3, 33, -1.0), (2, 505, 1e-30)] {
        let dimensions = ClipmapDimensions::new(rings, quads, quad);
        assert!(dimensions.rings() <= ClipmapDimensions::MAX_RINGS);
        assert!((ClipmapDimensions::MIN_QUADS..=ClipmapDimensions::MAX_QUADS).contains(&dimensions.quads()));
        assert!(dimensions.quads().is_multiple_of(8));
        assert!((0.0499..=8.0).contains(&dimensions.quad()), "{dimensions:?}");
        assert!(dimensions.triangles() > 0);
        assert!(!dimensions.tiles().is_empty());
        assert_eq!(ClipmapDimensions::new(dimensions.rings(), dimensions.quads(), dimensions.quad()), dimensions);
    }
}

#[test]
fn tags_are_different_and_small_enough() {
    for dimensions in small_ones().into_iter().chain(qualities()).chain([ClipmapDimensions::new(8, 512, 8.0)]) {
        let tiles = dimensions.tiles();
        assert_eq!(tiles.len() as u32, 16 + 13 * dimensions.rings() + 4);
        let different: HashSet<_> = tiles.iter().map(|tile| (tile.piece, tile.tag())).collect();
        assert_eq!(different.len(), tiles.len());
        assert!(tiles.iter().all(|tile| tile.tag() < 1 << 29));
    }
}

/// Largest mesh, largest index: nothing wraps.
#[test]
fn indices_reach_every_vertex() {
    for dimensions in [ClipmapDimensions::new(8, 512, 8.0), ClipmapDimensions::new(0, 512, 0.05)] {
        for piece in ClipmapPiece::ALL {
            let patch = piece.patch(&dimensions);
            assert!(patch.positions().len() <= 1 << 16, "{piece:?}");
            let used: HashSet<_> = patch.indices().iter().map(|&index| usize::from(index)).collect();
            assert_eq!(used.len(), patch.positions().len(), "{piece:?}");
        }
    }
}

#[test]
fn a_grid_is_a_gap_free_square() {
    for (size, subdivisions) in [(200.0, 256), (1.0, 1), (33.3, 65), (700.0, 130), (10_000.0, 1024)] {
        let grid = Grid::new(size, subdivisions);
        let mut area = 0.0;
        let mut triangles = 0;
        let mut points = HashSet::new();
        for tile in grid.tiles() {
            let patch = tile.patch(&grid);
            let at = |index: u16| patch.positions()[usize::from(index)].map(f64::from);
            triangles += patch.triangles();
            for triangle in patch.indices().chunks_exact(3) {
                let [[ax, _, az], [bx, _, bz], [cx, _, cz]] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
                let part = ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2.0;
                assert!(part > 0.0);
                area += part;
            }
            points.extend(patch.positions().iter().map(|position| position.map(f32::to_bits)));
            assert!(patch.positions().len() <= 65 * 65);
        }
        assert_eq!(triangles, grid.triangles());
        // Tiles meet in the same points, to the bit: there are no more of them than one big mesh would have.
        assert_eq!(points.len() as u32, (subdivisions + 1).pow(2));
        assert!((area / f64::from(size * size) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_grid_of_nonsense_is_a_grid() {
    for (size, subdivisions) in [(f32::NAN, 0), (f32::INFINITY, u32::MAX), (-5.0, 3)] {
        let grid = Grid::new(size, subdivisions);
        assert!(grid.size() >= 1.0 && grid.size() <= 10_000.0 && grid.quad() > 0.0);
        assert!((1..=1024).contains(&grid.subdivisions()));
    }
}
