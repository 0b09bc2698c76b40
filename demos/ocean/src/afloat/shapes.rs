//! What the fleet looks like: a turned buoy with texture coordinates for its canvas, and a boat of planks.

use crate::Machine;
use crate::basin::Bodies;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use std::f64::consts::TAU;

/// The buoy's outline from the foot up: radius and height, m; its widest ring is the float at the water's level, y = 0.
const OUTLINE: [(f32, f32); 13] = [
    (0.0, -0.5),
    (0.40, -0.5),
    (0.6, -0.34),
    (0.6, 0.16),
    (0.52, 0.25),
    (0.24, 0.32),
    (0.19, 0.55),
    (0.15, 1.18),
    (0.24, 1.22),
    (0.24, 1.27),
    (0.14, 1.30),
    (0.14, 1.52),
    (0.0, 1.62),
];

/// Metres of the buoy's surface to one unit of texture: its girth.
pub(super) const GIRTH: f32 = 3.77;

/// Points around the buoy.
const AROUND: u32 = 48;
const AROUND_ON_SOFTWARE: u32 = 24;

/// The buoy. One texture coordinate goes around it, the other down its outline at the same scale, so that a round stain is round on its widest ring; down is +v, and the
/// foot is at v = 1, where blood leaves the canvas.
///
/// Its points are the same to the bit on every machine, since hits are counted on it.
pub(super) fn buoy(machine: Machine) -> Mesh {
    turned(if machine == Machine::Gpu { AROUND } else { AROUND_ON_SOFTWARE })
}

fn turned(around: u32) -> Mesh {
    let (mut positions, mut normals, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut along = 0.0;
    for pair in OUTLINE.windows(2) {
        let [(r0, y0), (r1, y1)] = [pair[0], pair[1]];
        let (dr, dy) = (r1 - r0, y1 - y0);
        let length = (dr * dr + dy * dy).sqrt();
        // Edges stay sharp: each band has rings of its own.
        let first = positions.len() as u32;
        for (radius, y, v) in [(r0, y0, along), (r1, y1, along + length)] {
            for step in 0..=around {
                let turn = TAU * f64::from(step % around) / f64::from(around);
                let (sin, cos) = (libm::sin(turn) as f32, libm::cos(turn) as f32);
                positions.push([radius * cos, y, radius * sin]);
                normals.push([dy * cos / length, -dr / length, dy * sin / length]);
                uvs.push([step as f32 / around as f32, 1.0 - v / GIRTH]);
            }
        }
        along += length;
        let ring = around + 1;
        for step in 0..around {
            let (a, b) = (first + step, first + ring + step);
            indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(Indices::U32(indices))
}

/// The buoy that the script is painted on, the same whatever draws the picture.
pub(super) fn scripted_buoy() -> Mesh {
    turned(AROUND_ON_SOFTWARE)
}

/// Frames of the hull from the stern to the stem: x, half the beam at the gunwale and at the bilge, and the heights of gunwale, bilge and keel, m.
const FRAMES: [[f32; 6]; 7] = [
    [-3.0, 0.92, 0.70, 0.62, -0.30, -0.42],
    [-2.0, 1.08, 0.84, 0.58, -0.36, -0.50],
    [-0.8, 1.14, 0.88, 0.58, -0.38, -0.54],
    [0.5, 1.08, 0.78, 0.64, -0.36, -0.54],
    [1.6, 0.86, 0.52, 0.74, -0.28, -0.50],
    [2.5, 0.48, 0.20, 0.90, -0.12, -0.40],
    [3.1, 0.03, 0.02, 1.05, 0.1, -0.2],
];

/// A small decked boat with a cabin, its bow to +x, afloat at y = −0.05.
pub(super) fn boat() -> Mesh {
    let mut boat = Bodies::default();
    let (blue, red, deck, white) =
        (Vec3::new(0.02, 0.07, 0.16), Vec3::new(0.30, 0.03, 0.02), Vec3::new(0.32, 0.22, 0.12), Vec3::splat(0.72));
    for pair in FRAMES.windows(2) {
        let [aft, fore] = [pair[0], pair[1]];
        for side in [1.0, -1.0] {
            let gunwale = |[x, beam, _, top, ..]: [f32; 6]| Vec3::new(x, top, side * beam);
            let line = |[x, beam, bilge, top, low, _]: [f32; 6]| {
                Vec3::new(x, low + 0.42 * (top - low), side * (beam + bilge) / 2.0 * 1.05)
            };
            let bilge = |[x, _, bilge, _, low, _]: [f32; 6]| Vec3::new(x, low, side * bilge);
            let keel = |[x, .., keel]: [f32; 6]| Vec3::new(x, keel, 0.0);
            let middle = |[x, _, _, top, ..]: [f32; 6]| Vec3::new(x, top - 0.06, 0.0);
            let mut plank = |lower: [Vec3; 2], upper: [Vec3; 2], colour: Vec3| {
                let [a, b] = lower;
                let [c, d] = upper;
                // Outwards on either side.
                let corners = if side > 0.0 { [a, b, d, c] } else { [b, a, c, d] };
                boat.quad(corners, colour);
            };
            plank([bilge(aft), bilge(fore)], [line(aft), line(fore)], red);
            plank([line(aft), line(fore)], [gunwale(aft), gunwale(fore)], blue);
            plank([keel(aft), keel(fore)], [bilge(aft), bilge(fore)], red);
            plank([gunwale(aft), gunwale(fore)], [middle(aft), middle(fore)], deck);
        }
    }
    let [x, beam, bilge, top, low, keel] = FRAMES[0];
    let stern = [Vec3::new(x, top, beam), Vec3::new(x, top, -beam), Vec3::new(x, low, -bilge), Vec3::new(x, low, bilge)];
    boat.quad([stern[3], stern[0], stern[1], stern[2]], blue);
    boat.triangle([stern[3], stern[2], Vec3::new(x, keel, 0.0)], red);
    // A cabin with a roof, a mast and a rail.
    boat.board(Vec3::new(-0.7, 0.98, 0.0), Vec3::new(0.85, 0.48, 0.66), 0.0, white);
    boat.board(Vec3::new(-0.7, 1.5, 0.0), Vec3::new(1.0, 0.05, 0.78), 0.0, Vec3::new(0.45, 0.08, 0.05));
    let glass = Vec3::new(0.02, 0.03, 0.04);
    boat.board(Vec3::new(0.16, 1.14, 0.0), Vec3::new(0.02, 0.18, 0.5), 0.0, glass);
    for side in [1.0, -1.0] {
        boat.board(Vec3::new(-0.7, 1.14, side * 0.665), Vec3::new(0.55, 0.16, 0.01), 0.0, glass);
    }
    boat.pole([Vec3::new(-0.9, 1.5, 0.0), Vec3::new(-1.0, 3.1, 0.0)], [0.045, 0.025], 6, white);
    for [x, beam, _, top, ..] in FRAMES.into_iter().skip(3).take(3) {
        for side in [1.0, -1.0] {
            let foot = Vec3::new(x, top, side * beam * 0.94);
            boat.pole([foot, foot + Vec3::Y * 0.45], [0.02, 0.02], 5, white);
        }
    }
    boat.into_mesh()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::mesh::VertexAttributeValues;

    fn positions_and_normals(mesh: &Mesh) -> (Vec<Vec3>, Vec<Vec3>) {
        let read = |id| {
            let values = mesh.attribute(id).and_then(VertexAttributeValues::as_float3).expect("three numbers a vertex");
            values.iter().copied().map(Vec3::from_array).collect()
        };
        (read(Mesh::ATTRIBUTE_POSITION), read(Mesh::ATTRIBUTE_NORMAL))
    }

    /// The volume that the faces enclose; positive where they look outwards.
    fn volume(mesh: &Mesh) -> f32 {
        let (positions, _) = positions_and_normals(mesh);
        let corners: Vec<usize> =
            mesh.indices().map_or_else(|| (0..positions.len()).collect(), |indices| indices.iter().collect());
        corners.chunks_exact(3).map(|t| positions[t[0]].dot(positions[t[1]].cross(positions[t[2]])) / 6.0).sum()
    }

    #[test]
    fn faces_look_outwards() {
        // A float of 0.6 m, half a metre high, and a tower on it.
        let buoy = volume(&turned(48));
        assert!((0.7..1.1).contains(&buoy), "{buoy} m³");
        let (positions, normals) = positions_and_normals(&turned(48));
        assert!(positions.iter().zip(&normals).all(|(at, normal)| at.xz().dot(normal.xz()) >= -1e-5));
        assert!((5.0..14.0).contains(&volume(&boat())), "{} m³", volume(&boat()));
    }

    #[test]
    fn a_round_stain_is_round_on_the_float() {
        let mesh = turned(48);
        let (positions, _) = positions_and_normals(&mesh);
        let Some(VertexAttributeValues::Float32x2(uvs)) = mesh.attribute(Mesh::ATTRIBUTE_UV_0) else { panic!("no UVs") };
        // The float's side is the third band.
        let first = 2 * 2 * 49;
        for other in [first + 1, first + 49] {
            let metres = positions[first].distance(positions[other]);
            let units = Vec2::from_array(uvs[first]).distance(Vec2::from_array(uvs[other]));
            assert!((metres / units - GIRTH).abs() < 0.02 * GIRTH, "{}", metres / units);
        }
        assert!(uvs.iter().flatten().all(|uv| (0.0..=1.0).contains(uv)));
    }
}
