//! The clipmap's meshes. They hold lattice indices; what the second component of a position means is said at `clipmap_vertex`
//! in `shaders/water/clipmap.wgsl`.

use bevy::math::IVec2;

use super::Patch;
use super::clipmap::ClipmapDimensions;

/// Fewest segments along a side of the skirt: fewer would leave triangles of hundreds of kilometres right beside the last
/// ring's.
const SKIRT_SEGMENTS: u32 = 4;

/// The different meshes of a clipmap; every tile has one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClipmapPiece {
    /// A sixteenth of level 0: N/4 × N/4 quads.
    Block,
    /// At a ring's corner: (N/4 − 1) × (N/4 − 1) quads.
    Corner,
    /// Along a side of a ring: N/4 + 1 quads along x, N/4 − 1 along z.
    EdgeAlongX,
    /// Along a side of a ring: N/4 − 1 quads along x, N/4 + 1 along z.
    EdgeAlongZ,
    /// The cells around a ring's hole of which those over the finer level are hidden: two on both sides of its four borders.
    Seam,
    /// The skirt in the direction of +x.
    SkirtPlusX,
    /// The skirt in the direction of +z.
    SkirtPlusZ,
    /// The skirt in the direction of −x.
    SkirtMinusX,
    /// The skirt in the direction of −z.
    SkirtMinusZ,
}

impl ClipmapPiece {
    /// Every piece, once.
    pub const ALL: [Self; 9] = [
        Self::Block,
        Self::Corner,
        Self::EdgeAlongX,
        Self::EdgeAlongZ,
        Self::Seam,
        Self::SkirtPlusX,
        Self::SkirtPlusZ,
        Self::SkirtMinusX,
        Self::SkirtMinusZ,
    ];

    /// The four sides of the skirt.
    pub const SKIRT: [Self; 4] = [Self::SkirtPlusX, Self::SkirtPlusZ, Self::SkirtMinusX, Self::SkirtMinusZ];

    /// Its vertices and triangles in a clipmap of these dimensions.
    pub fn patch(self, dimensions: &ClipmapDimensions) -> Patch {
        let (least, most) = self.rect(dimensions);
        match self {
            Self::Block | Self::Corner | Self::EdgeAlongX | Self::EdgeAlongZ => {
                let cells = (most - least).as_uvec2();
                Patch::block(cells.x, cells.y, |i, j| [i as f32, 0.0, j as f32])
            }
            Self::Seam => seam(dimensions),
            Self::SkirtPlusX => skirt(dimensions, |along, out| IVec2::new(out, along)),
            Self::SkirtPlusZ => skirt(dimensions, IVec2::new),
            Self::SkirtMinusX => skirt(dimensions, |along, out| IVec2::new(-out, along)),
            Self::SkirtMinusZ => skirt(dimensions, |along, out| IVec2::new(along, -out)),
        }
    }

    /// The smallest and largest lattice indices x and z of its vertices.
    pub(super) fn rect(self, dimensions: &ClipmapDimensions) -> (IVec2, IVec2) {
        let (half, quarter) = ((dimensions.quads() / 2) as i32, (dimensions.quads() / 4) as i32);
        let far = half << dimensions.skirt_rings();
        match self {
            Self::Block => (IVec2::ZERO, IVec2::splat(quarter)),
            Self::Corner => (IVec2::ZERO, IVec2::splat(quarter - 1)),
            Self::EdgeAlongX => (IVec2::ZERO, IVec2::new(quarter + 1, quarter - 1)),
            Self::EdgeAlongZ => (IVec2::ZERO, IVec2::new(quarter - 1, quarter + 1)),
            Self::Seam => (IVec2::splat(-quarter - 1), IVec2::splat(quarter + 1)),
            Self::SkirtPlusX => (IVec2::new(half, -far), IVec2::new(far, far)),
            Self::SkirtPlusZ => (IVec2::new(-far, half), IVec2::new(far, far)),
            Self::SkirtMinusX => (IVec2::new(-far, -far), IVec2::new(-half, far)),
            Self::SkirtMinusZ => (IVec2::new(-far, -far), IVec2::new(far, -half)),
        }
    }
}

/// The cells within one of the nominal hole's border. They share no vertices, as each is hidden or not by itself.
fn seam(dimensions: &ClipmapDimensions) -> Patch {
    let quarter = (dimensions.quads() / 4) as i32;
    let always_hidden = 1 - quarter..quarter - 1;
    let mut patch = Patch::default();
    for z in -quarter - 1..=quarter {
        for x in -quarter - 1..=quarter {
            if always_hidden.contains(&x) && always_hidden.contains(&z) {
                continue;
            }
            let first = patch.positions.len() as u16;
            for corner in 0..4 {
                patch.positions.push([(x + (corner & 1)) as f32, (corner + 1) as f32, (z + (corner >> 1)) as f32]);
            }
            patch.cell([first, first + 1, first + 2, first + 3]);
        }
    }
    patch
}

/// A side of the skirt: rows of vertices, each twice as far out and twice as long as the one before, from the last ring's
/// border, where every other lattice point is left. Each row has half as many segments as the one before, down to a few.
/// `place` puts what is `along` the side and `out` from the middle.
fn skirt(dimensions: &ClipmapDimensions, place: impl Fn(i32, i32) -> IVec2) -> Patch {
    let half = (dimensions.quads() / 2) as i32;
    let mut patch = Patch::default();
    let mut segments = dimensions.quads() / 2;
    let mut row = push_row(&mut patch, segments, half, 0.0, &place);
    for ring in 1..=dimensions.skirt_rings() {
        let halves = segments.is_multiple_of(2) && segments / 2 >= SKIRT_SEGMENTS;
        let step = if halves { 2 } else { 1 };
        segments /= u32::from(step);
        let next = push_row(&mut patch, segments, half << ring, 1.0, &place);
        for segment in 0..segments as u16 {
            let (outer, inner) = (next + segment, row + segment * step);
            if halves {
                push_facing_up(&mut patch, [inner, inner + 1, outer]);
            }
            push_facing_up(&mut patch, [inner + step - 1, outer + 1, outer]);
            push_facing_up(&mut patch, [inner + step - 1, inner + step, outer + 1]);
        }
        row = next;
    }
    patch
}

/// Adds a row of vertices from −`out` to `out`, and returns its first index.
fn push_row(patch: &mut Patch, segments: u32, out: i32, mark: f32, place: &impl Fn(i32, i32) -> IVec2) -> u16 {
    let first = patch.positions.len() as u16;
    let length = 2 * out / segments as i32;
    for index in 0..=segments as i32 {
        let at = place(index * length - out, out);
        patch.positions.push([at.x as f32, mark, at.y as f32]);
    }
    first
}

/// Adds a triangle, turned so that it is seen from above: the four sides are mirror images of each other.
fn push_facing_up(patch: &mut Patch, [a, b, c]: [u16; 3]) {
    let at = |index: u16| {
        let [x, _, z] = patch.positions[usize::from(index)].map(f64::from);
        (x, z)
    };
    let ((ax, az), (bx, bz), (cx, cz)) = (at(a), at(b), at(c));
    let up = (bz - az) * (cx - ax) - (bx - ax) * (cz - az) > 0.0;
    patch.indices.extend(if up { [a, b, c] } else { [a, c, b] });
}
