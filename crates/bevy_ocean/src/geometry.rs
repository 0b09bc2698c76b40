//! What a surface is cut into, whichever of the two meshes it has.

use crate::mesh::{Bounds, ClipmapDimensions, ClipmapPiece, ClipmapTile, Grid, GridTile, WaveMargin};
use crate::surface::{MeshMode, WaterSurface};
use bevy::math::DVec2;
use bevy::prelude::*;

/// How a surface is cut.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Geometry {
    Clipmap(ClipmapDimensions),
    Grid(Grid),
}

/// One tile, and which of [`Geometry::meshes`] it is drawn with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tile {
    Clipmap(ClipmapTile),
    Grid(GridTile),
}

impl Geometry {
    /// Of an admitted surface.
    pub fn of(surface: &WaterSurface) -> Self {
        match surface.mesh_mode {
            MeshMode::Clipmap => {
                let (rings, quads, quad) = surface.clipmap_dimensions();
                Self::Clipmap(ClipmapDimensions::new(rings, quads, quad))
            }
            MeshMode::Grid => Self::Grid(Grid::new(surface.grid_size, surface.grid_subdivisions)),
        }
    }

    /// The tiles, each with its mesh's place in [`meshes`](Self::meshes) and its tag.
    pub fn tiles(&self) -> Vec<(Tile, usize, u32)> {
        match self {
            Self::Clipmap(dimensions) => {
                let place = |piece| ClipmapPiece::ALL.iter().position(|other| *other == piece).unwrap_or(0);
                dimensions.tiles().into_iter().map(|tile| (Tile::Clipmap(tile), place(tile.piece), tile.tag())).collect()
            }
            Self::Grid(grid) => {
                grid.tiles().into_iter().enumerate().map(|(index, tile)| (Tile::Grid(tile), index, 0)).collect()
            }
        }
    }

    /// The meshes that the tiles share.
    pub fn meshes(&self) -> Vec<Mesh> {
        match self {
            Self::Clipmap(dimensions) => ClipmapPiece::ALL.iter().map(|piece| piece.patch(dimensions).into_mesh()).collect(),
            Self::Grid(grid) => grid.tiles().iter().map(|tile| tile.patch(grid).into_mesh()).collect(),
        }
    }

    /// Triangles, before culling.
    pub fn triangles(&self) -> u32 {
        match self {
            Self::Clipmap(dimensions) => dimensions.triangles(),
            Self::Grid(grid) => grid.triangles(),
        }
    }

    /// Half the edge of what is drawn, m, without the flat skirt.
    pub fn half_extent(&self) -> f32 {
        match self {
            Self::Clipmap(dimensions) => dimensions.half_extent(),
            Self::Grid(grid) => grid.half_extent(),
        }
    }

    /// Edge of the finest quad, m; quads along an edge; rings.
    pub fn lattice(&self) -> (f32, u32, u32) {
        match self {
            Self::Clipmap(dimensions) => (dimensions.quad(), dimensions.quads(), dimensions.rings()),
            Self::Grid(grid) => (grid.quad(), grid.subdivisions(), 0),
        }
    }

    /// The shaders' point of reference for a camera.
    pub fn origin(&self, camera: DVec2) -> DVec2 {
        match self {
            Self::Clipmap(dimensions) => dimensions.origin_for(camera),
            Self::Grid(_) => (camera / 256.0).round() * 256.0,
        }
    }

    /// The box, in the world, of a tile as `camera` sees it.
    pub fn bounds(&self, tile: &Tile, camera: Vec3, surface: &GlobalTransform, reach: f32) -> Bounds {
        let margin = WaveMargin { horizontal: reach, vertical: reach };
        let level = surface.translation().y;
        match (self, tile) {
            (Self::Clipmap(dimensions), Tile::Clipmap(tile)) => tile.bounds(dimensions, camera.xz(), level, margin),
            (Self::Grid(grid), Tile::Grid(tile)) => in_the_world(tile.bounds(grid, WaveMargin::default()), surface, margin),
            // A tile of before the surface was cut anew: drawn until it is gone.
            _ => Bounds { min: Vec3::splat(f32::MIN), max: Vec3::splat(f32::MAX) },
        }
    }
}

/// The grid lies turned and scaled with its entity, but flat, and its waves are not turned with it.
fn in_the_world(local: Bounds, surface: &GlobalTransform, margin: WaveMargin) -> Bounds {
    let affine = surface.affine();
    let axes = [Vec3::from(affine.matrix3.x_axis).xz(), Vec3::from(affine.matrix3.z_axis).xz()];
    let corners = [local.min, local.max];
    let mut min = Vec2::INFINITY;
    let mut max = Vec2::NEG_INFINITY;
    for x in corners {
        for z in corners {
            let corner = surface.translation().xz() + axes[0] * x.x + axes[1] * z.z;
            min = min.min(corner);
            max = max.max(corner);
        }
    }
    let level = surface.translation().y;
    Bounds {
        min: Vec3::new(min.x - margin.horizontal, level - margin.vertical, min.y - margin.horizontal),
        max: Vec3::new(max.x + margin.horizontal, level + margin.vertical, max.y + margin.horizontal),
    }
}
