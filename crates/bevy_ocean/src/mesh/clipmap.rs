//! The clipmap: how large it is, and of which tiles it is made.
//!
//! Level 0 is a square of N × N quads under the camera; level k ≥ 1 is N × N quads of 2ᵏ times the edge without the square that
//! level k − 1 covers, a ring; a skirt of ever larger, flat squares goes on to the horizon. `shaders/water/clipmap.wgsl` says
//! how they meet. Level k's centre is a multiple of two of its quads, so the hole in it may be off the middle by one quad
//! either way. That divides a ring into tiles beyond the reach of that, which are always whole, and a
//! [seam](ClipmapPiece::Seam) of cells around the hole's border which the shader hides or not.

use bevy::math::{DVec2, IVec2};

use super::pieces::ClipmapPiece;

/// How far the skirt goes at least, m. From 100 m above the sea its edge is 0.006° below the true horizon of a flat sea.
pub const SKIRT_REACH: f64 = 1_000_000.0;

/// The least step of the origin, m: it should not move all the time, nor the camera get far from it.
const ORIGIN_STEP: f64 = 256.0;

/// Significant bits of a quad's edge. A lattice point is the product of that and an integer, and is exact in f32 (24 bits) as
/// long as the integer has no more than 12.
const QUAD_BITS: u32 = 12;

const TAG_OFFSET_BIAS: i32 = 2048;
const TAG_OFFSET_Z_SHIFT: u32 = 12;
const TAG_LEVEL_SHIFT: u32 = 24;
const TAG_SKIRT: u32 = 1 << 28;

/// How large a clipmap is and how fine. Only ever a supported size: see [`new`](Self::new).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipmapDimensions {
    rings: u32,
    quads: u32,
    quad: f32,
}

/// A drawable part of a clipmap: an entity with the mesh of its [`piece`](Self::piece) and the tag [`tag`](Self::tag).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipmapTile {
    /// The mesh.
    pub piece: ClipmapPiece,
    /// The level, 0 to [`ClipmapDimensions::rings`]; the last ring's for the skirt.
    pub level: u32,
    /// Of the mesh's zero from the level's centre, in quads of the level.
    pub offset: IVec2,
}

impl ClipmapDimensions {
    /// Most rings.
    pub const MAX_RINGS: u32 = 8;
    /// Fewest quads along an edge: with fewer there would be no room to morph in.
    pub const MIN_QUADS: u32 = 16;
    /// Most quads along an edge: what 16-bit indices reach.
    pub const MAX_QUADS: u32 = 512;
    /// Smallest finest quad, m.
    pub const MIN_QUAD: f32 = 0.05;
    /// Largest finest quad, m.
    pub const MAX_QUAD: f32 = 8.0;

    /// A clipmap of `rings` rings around its centre and `quads` quads along an edge, the finest `quad` metres wide. What is out
    /// of range is brought into it, `quads` rounded up to a multiple of 8, `quad` rounded to twelve significant bits (0.35 m to
    /// 0.34998 m), which makes lattice points and origins exact numbers; a `quad` that is not a number means the smallest.
    pub fn new(rings: u32, quads: u32, quad: f32) -> Self {
        let spare = 1u32 << (f32::MANTISSA_DIGITS - QUAD_BITS);
        let in_range = if quad.is_nan() { Self::MIN_QUAD } else { quad.clamp(Self::MIN_QUAD, Self::MAX_QUAD) };
        Self {
            rings: rings.min(Self::MAX_RINGS),
            quads: quads.clamp(Self::MIN_QUADS, Self::MAX_QUADS).next_multiple_of(8),
            // Rounds to nearest also where that carries into the exponent.
            quad: f32::from_bits((in_range.to_bits() + spare / 2) & !(spare - 1)),
        }
    }

    /// Rings around the centre: levels 1 to this.
    pub fn rings(&self) -> u32 {
        self.rings
    }

    /// Quads along an edge of every level, N. A multiple of 8.
    pub fn quads(&self) -> u32 {
        self.quads
    }

    /// Edge of level 0's quads, m.
    pub fn quad(&self) -> f32 {
        self.quad
    }

    /// Edge of a level's quads, m.
    pub fn quad_at(&self, level: u32) -> f32 {
        self.quad * (1u32 << level) as f32
    }

    /// From the centre of the clipmap to its edge, where the skirt begins, m.
    pub fn half_extent(&self) -> f32 {
        self.half_extent_at(self.rings)
    }

    /// From the centre of a level to its edge, m.
    pub fn half_extent_at(&self, level: u32) -> f32 {
        self.quad_at(level) * (self.quads / 2) as f32
    }

    /// Triangles on screen if all of it were in view, skirt included; the hidden cells around holes are not.
    pub fn triangles(&self) -> u32 {
        let level = 2 * self.quads * self.quads;
        let skirt: u32 = ClipmapPiece::SKIRT.iter().map(|&side| side.patch(self).triangles()).sum();
        level + self.rings * (level / 4 * 3) + skirt
    }

    /// By what the origin may move, m: twice the coarsest quad, or a power of two of that, at least 256 m.
    ///
    /// All places in the shader are relative to an origin near the camera, as f32 has only millimetres left 10 km from zero.
    /// The lattices start at the origin; moved by multiples of this, every level's comes to lie on itself, odd points on odd
    /// ones, and nothing is seen of it.
    pub fn origin_step(&self) -> f64 {
        let mut step = 2.0 * f64::from(self.quad_at(self.rings));
        while step < ORIGIN_STEP {
            step *= 2.0;
        }
        step
    }

    /// The origin for a camera at `camera` (world x and z, m): the nearest multiple of [`origin_step`](Self::origin_step),
    /// which is a number that f32 holds exactly out to a thousand kilometres and more. Zero for coordinates that are not
    /// finite.
    ///
    /// It may stay behind a moving camera as long as one likes: it is exactness that is lost then, and slowly. Other cameras
    /// may use it as well.
    pub fn origin_for(&self, camera: DVec2) -> DVec2 {
        if !camera.is_finite() {
            return DVec2::ZERO;
        }
        let step = self.origin_step();
        (camera / step).round() * step
    }

    /// All tiles: 16 of level 0, 13 of every ring, 4 of the skirt. They do not change with the camera.
    pub fn tiles(&self) -> Vec<ClipmapTile> {
        let (half, quarter) = ((self.quads / 2) as i32, (self.quads / 4) as i32);
        let mut tiles = Vec::new();
        for (x, z) in four_by_four() {
            let offset = IVec2::new(x as i32, z as i32) * quarter - half;
            tiles.push(ClipmapTile { piece: ClipmapPiece::Block, level: 0, offset });
        }
        // The hole is reached by no cell further than a quarter and one from the middle.
        let starts = [-half, -quarter - 1, 0, quarter + 1];
        let inner = |index: usize| (1..=2).contains(&index);
        for level in 1..=self.rings {
            for (x, z) in four_by_four() {
                let piece = match (inner(x), inner(z)) {
                    (false, false) => ClipmapPiece::Corner,
                    (true, false) => ClipmapPiece::EdgeAlongX,
                    (false, true) => ClipmapPiece::EdgeAlongZ,
                    (true, true) => continue,
                };
                tiles.push(ClipmapTile { piece, level, offset: IVec2::new(starts[x], starts[z]) });
            }
            tiles.push(ClipmapTile { piece: ClipmapPiece::Seam, level, offset: IVec2::ZERO });
        }
        tiles.extend(ClipmapPiece::SKIRT.map(|piece| ClipmapTile { piece, level: self.rings, offset: IVec2::ZERO }));
        tiles
    }

    /// How often the last ring's edge is doubled to get the skirt's.
    pub(super) fn skirt_rings(&self) -> u32 {
        (1..32).find(|&ring| f64::from(self.half_extent()) * f64::from(1u32 << ring) >= SKIRT_REACH).unwrap_or(32)
    }
}

impl ClipmapTile {
    /// What the vertex shader has to know of the tile, for Bevy's `MeshTag`. From bit 0: 12 bits of x + 2048, 12 bits of z +
    /// 2048 (its offset), 4 bits of its level, 1 bit that says skirt; the highest three are free.
    pub fn tag(&self) -> u32 {
        let skirt = if ClipmapPiece::SKIRT.contains(&self.piece) { TAG_SKIRT } else { 0 };
        let biased = (self.offset + TAG_OFFSET_BIAS).as_uvec2();
        biased.x | biased.y << TAG_OFFSET_Z_SHIFT | self.level << TAG_LEVEL_SHIFT | skirt
    }
}

fn four_by_four() -> impl Iterator<Item = (usize, usize)> {
    (0..4).flat_map(|z| (0..4).map(move |x| (x, z)))
}
