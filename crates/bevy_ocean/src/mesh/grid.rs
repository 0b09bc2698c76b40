//! The grid: a fixed square for lakes, rivers, and anything with a shore to hide its edge.

use bevy::math::{DVec2, UVec2, Vec3};

use super::Patch;
use super::bounds::{Bounds, WaveMargin};

/// Most quads along a tile's edge: the clipmap's tiles have as many.
const TILE_QUADS: u32 = 64;

/// A square of quads, centred on its entity, in the entity's x and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    size: f32,
    subdivisions: u32,
}

/// A part of a grid, to be culled by itself: an entity with a mesh of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTile {
    first: UVec2,
    end: UVec2,
}

impl Grid {
    /// Smallest edge, m.
    pub const MIN_SIZE: f32 = 1.0;
    /// Largest edge, m.
    pub const MAX_SIZE: f32 = 10_000.0;
    /// Most quads along an edge.
    pub const MAX_SUBDIVISIONS: u32 = 1024;

    /// A square with an edge of `size` metres, of `subdivisions` × `subdivisions` quads. What is out of range is brought into
    /// it; a `size` that is not a number means the smallest.
    pub fn new(size: f32, subdivisions: u32) -> Self {
        let size = if size.is_nan() { Self::MIN_SIZE } else { size.clamp(Self::MIN_SIZE, Self::MAX_SIZE) };
        Self { size, subdivisions: subdivisions.clamp(1, Self::MAX_SUBDIVISIONS) }
    }

    /// The square's edge, m.
    pub fn size(&self) -> f32 {
        self.size
    }

    /// Quads along the square's edge.
    pub fn subdivisions(&self) -> u32 {
        self.subdivisions
    }

    /// A quad's edge, m.
    pub fn quad(&self) -> f32 {
        self.size / self.subdivisions as f32
    }

    /// From the centre to the edge, m.
    pub fn half_extent(&self) -> f32 {
        self.size / 2.0
    }

    /// How many triangles it has.
    pub fn triangles(&self) -> u32 {
        2 * self.subdivisions * self.subdivisions
    }

    /// The tiles, of at most 64 × 64 quads and as equal as can be.
    pub fn tiles(&self) -> Vec<GridTile> {
        let along = self.subdivisions.div_ceil(TILE_QUADS);
        let start = |tile: u32| tile * self.subdivisions / along;
        let mut tiles = Vec::new();
        for z in 0..along {
            for x in 0..along {
                let (first, end) = (UVec2::new(x, z), UVec2::new(x + 1, z + 1));
                tiles.push(GridTile {
                    first: UVec2::new(start(first.x), start(first.y)),
                    end: UVec2::new(start(end.x), start(end.y)),
                });
            }
        }
        tiles
    }

    /// Local x or z of a lattice line, m. Tiles that share it get the same bits.
    fn line(&self, index: u32) -> f64 {
        f64::from(self.size) * (f64::from(index) / f64::from(self.subdivisions) - 0.5)
    }
}

impl GridTile {
    /// Its vertices, in metres of the entity's space with y = 0, and triangles.
    pub fn patch(&self, grid: &Grid) -> Patch {
        let cells = self.end - self.first;
        let at = |i, j| Vec3::new(grid.line(self.first.x + i) as f32, 0.0, grid.line(self.first.y + j) as f32).to_array();
        Patch::block(cells.x, cells.y, at)
    }

    /// Its box in the entity's space, waves included.
    pub fn bounds(&self, grid: &Grid, margin: WaveMargin) -> Bounds {
        let corner = |index: UVec2| DVec2::new(grid.line(index.x), grid.line(index.y));
        Bounds::around(corner(self.first), corner(self.end), 0.0, margin)
    }
}
