//! The boxes that tiles are culled by.
//!
//! A tile of the clipmap is placed by the vertex shader, so its entity's transform says nothing about where it is; and waves
//! rise above it and push it sideways. A box has to have room for all of that, or water goes missing when the camera is just
//! above it.

use bevy::math::{DVec2, DVec3, IVec2, Vec2, Vec3};

use super::clipmap::{ClipmapDimensions, ClipmapTile};

/// How far waves can move a vertex from where it is at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaveMargin {
    /// Along x and along z, m.
    pub horizontal: f32,
    /// Up and down, m.
    pub vertical: f32,
}

/// A box with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least x, y and z, m.
    pub min: Vec3,
    /// Largest x, y and z, m.
    pub max: Vec3,
}

impl Bounds {
    /// The box around a rectangle of x and z at a height, with room for waves, rounded outwards.
    pub(super) fn around(least: DVec2, most: DVec2, height: f64, margin: WaveMargin) -> Self {
        let room = DVec3::new(margin.horizontal.into(), margin.vertical.into(), margin.horizontal.into());
        let outwards = |value: f64, next: fn(f32) -> f32| next(value as f32);
        let (min, max) = (DVec3::new(least.x, height, least.y) - room, DVec3::new(most.x, height, most.y) + room);
        Self {
            min: Vec3::from_array(min.to_array().map(|value| outwards(value, f32::next_down))),
            max: Vec3::from_array(max.to_array().map(|value| outwards(value, f32::next_up))),
        }
    }

    /// The smallest box around both: with several cameras, a tile is wherever one of them has it.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether a point is in it.
    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }
}

impl ClipmapTile {
    /// Where the tile is for a camera at `camera` (world x and z, m) on water at `water_level` (world y, m), waves included.
    ///
    /// It has room for the level being off the camera by as much as it ever is, so it needs no lattice and no origin, and holds
    /// for every origin. A caller who does not want to set it every frame adds as much to the horizontal margin as the camera
    /// may move meanwhile.
    pub fn bounds(&self, dimensions: &ClipmapDimensions, camera: Vec2, water_level: f32, margin: WaveMargin) -> Bounds {
        let quad = f64::from(dimensions.quad_at(self.level));
        // The camera is rounded to the lattice of the finest level, and that to this level's.
        let off = quad + f64::from(dimensions.quad());
        let (least, most) = self.piece.rect(dimensions);
        let metres = |index: IVec2| (self.offset + index).as_dvec2() * quad + camera.as_dvec2();
        // A vertex slides up to one quad toward −x and −z.
        Bounds::around(metres(least) - quad - off, metres(most) + off, water_level.into(), margin)
    }
}
