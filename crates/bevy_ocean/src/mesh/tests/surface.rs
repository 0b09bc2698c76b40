//! All triangles of a clipmap for one camera, welded.
//!
//! Vertices are one if all that a shader gets of them is the same to the bit, the spacing included, by which waves are
//! filtered: only then are they displaced alike.

use std::collections::HashMap;

use bevy::math::{DVec2, IVec2, Vec2, Vec3};

use crate::mesh::clipmap::{ClipmapDimensions, ClipmapTile};
use crate::mesh::lattice::{self, ClipmapVertex};
use crate::mesh::{ClipmapPiece, Patch};

/// Triangles with two corners in one vertex are none.
pub struct Surface {
    pub vertices: Vec<ClipmapVertex>,
    pub triangles: Vec<[u32; 3]>,
    /// How many triangles were thrown away as they were hidden.
    pub hidden: usize,
}

/// The meshes of a clipmap, made once.
pub struct Meshes {
    pub dimensions: ClipmapDimensions,
    pub tiles: Vec<ClipmapTile>,
    patches: HashMap<ClipmapPiece, Patch>,
}

impl Meshes {
    pub fn new(dimensions: ClipmapDimensions) -> Self {
        let patches = ClipmapPiece::ALL.map(|piece| (piece, piece.patch(&dimensions))).into();
        Self { dimensions, tiles: dimensions.tiles(), patches }
    }

    pub fn patch(&self, tile: &ClipmapTile) -> &Patch {
        &self.patches[&tile.piece]
    }

    /// Every vertex of every tile as the shader gets it: position and tag.
    pub fn inputs(&self) -> impl Iterator<Item = (Vec3, u32)> {
        self.tiles.iter().flat_map(|tile| self.patch(tile).positions().iter().map(|&position| (position.into(), tile.tag())))
    }

    pub fn surface(&self, camera: Vec2) -> Surface {
        self.weld(self.inputs().map(|(position, tag)| lattice::vertex(position, tag, camera, &self.dimensions)))
    }

    pub fn surface_snapped(&self, snapped: IVec2, camera: Vec2) -> Surface {
        self.weld(
            self.inputs().map(|(position, tag)| lattice::vertex_snapped(position, tag, snapped, camera, &self.dimensions)),
        )
    }

    /// Welds what a shader made of [`inputs`](Self::inputs).
    pub fn weld(&self, outputs: impl Iterator<Item = ClipmapVertex>) -> Surface {
        let mut known = HashMap::<[u32; 3], u32>::new();
        let mut surface = Surface { vertices: Vec::new(), triangles: Vec::new(), hidden: 0 };
        let welded: Vec<_> = outputs
            .map(|vertex| {
                // Negative zero is zero.
                let at = vertex.rel_xz + Vec2::ZERO;
                let index = *known.entry([at.x, at.y, vertex.spacing].map(f32::to_bits)).or_insert_with(|| {
                    surface.vertices.push(vertex);
                    surface.vertices.len() as u32 - 1
                });
                (index, vertex.hidden)
            })
            .collect();
        let mut start = 0;
        for tile in &self.tiles {
            let patch = self.patch(tile);
            for triangle in patch.indices().chunks_exact(3) {
                let corners = [0, 1, 2].map(|corner| welded[start + usize::from(triangle[corner])]);
                let [a, b, c] = corners.map(|(index, _)| index);
                let hidden = corners.map(|(_, hidden)| hidden);
                assert!(hidden == [false; 3] || (hidden == [true; 3] && a == b && b == c), "half a cell is hidden");
                surface.hidden += usize::from(hidden[0]);
                if a != b && b != c && c != a {
                    surface.triangles.push([a, b, c]);
                }
            }
            start += patch.positions().len();
        }
        surface
    }
}

impl Surface {
    pub fn at(&self, vertex: u32) -> DVec2 {
        self.vertices[vertex as usize].rel_xz.as_dvec2()
    }

    /// m², positive if it faces up.
    pub fn area(&self, [a, b, c]: [u32; 3]) -> f64 {
        let (b, c) = (self.at(b) - self.at(a), self.at(c) - self.at(a));
        (b.y * c.x - b.x * c.y) / 2.0
    }

    /// Edges that have a triangle on one side only. Panics at edges with more than one on a side.
    pub fn rim(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        edges.sort_unstable();
        for pair in edges.windows(2) {
            assert_ne!(pair[0], pair[1], "two triangles overlap at {} to {}", self.at(pair[0][0]), self.at(pair[0][1]));
        }
        edges.iter().copied().filter(|&[a, b]| edges.binary_search(&[b, a]).is_err()).collect()
    }
}
