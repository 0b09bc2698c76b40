//! What the water is drawn on: the clipmap, which follows every camera to the horizon, and the grid, a fixed square.
//!
//! Both are cut into tiles, so that what is out of view is culled, and all tiles of a kind share one mesh. The clipmap's meshes
//! hold no places, only lattice indices: the vertex shader (`shaders/water/clipmap.wgsl`) puts them where its camera is, so
//! they are made once and never touched again.
//!
//! | file | what it has |
//! |---|---|
//! | [`clipmap`] | dimensions, levels, tiles, the tag that tells the shader where a tile is, the lattice's origin |
//! | `pieces` | the meshes of the clipmap's tiles |
//! | [`grid`] | the fixed square |
//! | [`bounds`] | the boxes that tiles are culled by |
//! | `lattice` | the shader's arithmetic on the CPU, which the tests compare it with |

pub mod bounds;
pub mod clipmap;
pub mod grid;
#[cfg(test)]
mod lattice;
mod pieces;
#[cfg(test)]
mod tests;

pub use bounds::{Bounds, WaveMargin};
pub use clipmap::{ClipmapDimensions, ClipmapTile};
pub use grid::{Grid, GridTile};
pub use pieces::ClipmapPiece;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, Mesh, PrimitiveTopology};

/// How many cells wide the columns are in which a block's triangles are listed. A GPU keeps some tens of transformed vertices;
/// with rows of the whole block it would have dropped a row's by the time the next one wants them, and a vertex of water is
/// expensive.
const COLUMN: u32 = 8;

/// Vertices and triangles, before they are a Bevy mesh. Triangles face up (+y), counter-clockwise from above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    positions: Vec<[f32; 3]>,
    indices: Vec<u16>,
}

impl Patch {
    /// A block of `x` × `z` cells, every one cut along the diagonal from its (−x, −z) to its (+x, +z) corner: only if all are
    /// cut alike can a block turn into one of half as many cells by moving vertices. `position` places the vertex at a lattice
    /// point.
    ///
    /// At most 65,536 vertices: what a 16-bit index reaches.
    fn block(x: u32, z: u32, position: impl Fn(u32, u32) -> [f32; 3]) -> Self {
        debug_assert!((x + 1) * (z + 1) <= 1 << 16);
        let mut patch = Self::default();
        for j in 0..=z {
            patch.positions.extend((0..=x).map(|i| position(i, j)));
        }
        let index = |i: u32, j: u32| (j * (x + 1) + i) as u16;
        for column in (0..x).step_by(COLUMN as usize) {
            for j in 0..z {
                for i in column..x.min(column + COLUMN) {
                    patch.cell([index(i, j), index(i + 1, j), index(i, j + 1), index(i + 1, j + 1)]);
                }
            }
        }
        patch
    }

    /// Two triangles for the corners (−x, −z), (+x, −z), (−x, +z), (+x, +z).
    fn cell(&mut self, corners: [u16; 4]) {
        let [near, x, z, far] = corners;
        self.indices.extend([near, z, far, near, far, x]);
    }

    /// The vertices' POSITION attribute.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Three a triangle.
    pub fn indices(&self) -> &[u16] {
        &self.indices
    }

    /// How many triangles it has.
    pub fn triangles(&self) -> u32 {
        (self.indices.len() / 3) as u32
    }

    /// The mesh. It has positions and nothing else, and lives in the render world only.
    pub fn into_mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_indices(Indices::U16(self.indices))
    }
}
