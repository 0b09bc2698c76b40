//! Simple bodies in one mesh: stones, posts, boards, trees and reeds, with a colour in every vertex.
//!
//! Faces are flat: a vertex belongs to one triangle, which is what stones and split wood look like, and needs no seams.

use super::ground::hash;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use std::f32::consts::TAU;

/// The mesh so far.
#[derive(Default)]
pub(crate) struct Bodies {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
}

impl Bodies {
    /// A triangle, seen from where it turns counter-clockwise. One without an area is left out.
    pub fn triangle(&mut self, corners: [Vec3; 3], colour: Vec3) {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return;
        };
        for corner in corners {
            self.positions.push(corner.to_array());
            self.normals.push(normal.to_array());
            self.colours.push(colour.extend(1.0).to_array());
        }
    }

    /// Four corners, as two triangles.
    pub fn quad(&mut self, [a, b, c, d]: [Vec3; 4], colour: Vec3) {
        self.triangle([a, b, c], colour);
        self.triangle([a, c, d], colour);
    }

    /// A round body with dents, on `rings` rings of twice as many corners: a stone, a bush. `radii` along x, y, z.
    pub fn stone(&mut self, centre: Vec3, radii: Vec3, rings: u32, rough: f32, colour: Vec3, seed: u32) {
        let around = 2 * rings;
        let point = |ring: u32, corner: u32| {
            let pole = ring == 0 || ring == rings;
            let corner = if pole { 0 } else { corner % around };
            let (down, turn) = (ring as f32 / rings as f32 * TAU / 2.0, corner as f32 / around as f32 * TAU);
            let direction = Vec3::new(down.sin() * turn.cos(), down.cos(), down.sin() * turn.sin());
            // A few flat sides, as stones break, and grains on them.
            let sides = (0..5).map(|side| {
                let way = Vec3::new(hash(side, 1, seed) - 0.5, hash(side, 2, seed) - 0.4, hash(side, 3, seed) - 0.5)
                    .normalize_or(Vec3::Y);
                1.0 - (direction.dot(way) - 0.55).max(0.0) * 1.6 * rough.min(0.25) / 0.25
            });
            let dent = sides.fold(1.0, f32::min) * (1.0 - 0.4 * rough * hash(ring as i32, corner as i32, seed));
            centre + direction * radii * dent
        };
        for (ring, corner) in (0..rings).flat_map(|ring| (0..around).map(move |corner| (ring, corner))) {
            let shade = colour * (0.94 + 0.12 * hash(ring as i32, corner as i32, seed ^ 99));
            let corners = [point(ring, corner), point(ring, corner + 1), point(ring + 1, corner + 1), point(ring + 1, corner)];
            self.quad(corners, shade);
        }
    }

    /// A round pole from one point to another with a radius at each; a radius of 0 makes it a cone. The upper end is closed.
    pub fn pole(&mut self, ends: [Vec3; 2], radii: [f32; 2], sides: u32, colour: Vec3) {
        let [from, to] = ends;
        let Some(axis) = (to - from).try_normalize() else {
            return;
        };
        let (right, forward) = axis.any_orthonormal_pair();
        let rim = |end: usize, side: u32| {
            let turn = (side % sides) as f32 / sides as f32 * TAU;
            ends[end] + (right * turn.cos() + forward * turn.sin()) * radii[end]
        };
        for side in 0..sides {
            let shade = colour * (0.88 + 0.24 * hash(side as i32, from.x as i32, from.z as i32 as u32));
            self.quad([rim(0, side), rim(0, side + 1), rim(1, side + 1), rim(1, side)], shade);
            self.triangle([to, rim(1, side), rim(1, side + 1)], shade);
        }
    }

    /// A box, turned about the vertical. `half` along its own x, y, z.
    pub fn board(&mut self, centre: Vec3, half: Vec3, turn: f32, colour: Vec3) {
        let turned = Quat::from_rotation_y(turn);
        let corner = |x: f32, y: f32, z: f32| centre + turned * (half * Vec3::new(x, y, z));
        for (a, b) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            for side in [1.0, -1.0] {
                let out = a.cross(b) * side;
                let at = |s: f32, t: f32| {
                    let p = out + a * s * side + b * t;
                    corner(p.x, p.y, p.z)
                };
                self.quad([at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], colour);
            }
        }
    }

    /// A conifer: a trunk, and three cones on top of each other.
    pub fn conifer(&mut self, foot: Vec3, height: f32, seed: u32) {
        let chance = |n: i32| hash(n, n, seed);
        let lean = Vec3::new(chance(1) - 0.5, 0.0, chance(2) - 0.5) * 0.06 * height;
        let at = |share: f32| foot + Vec3::Y * share * height + lean * share * share;
        self.pole([at(-0.04), at(0.3)], [0.025 * height, 0.018 * height], 5, Vec3::new(0.045, 0.03, 0.018));
        let green = Vec3::new(0.012, 0.034, 0.012) * (0.7 + 0.8 * chance(3)) + Vec3::new(0.012, 0.006, 0.0) * chance(4);
        for (low, high, width) in [(0.14, 0.58, 0.19), (0.36, 0.8, 0.145), (0.58, 1.0, 0.095)] {
            self.pole([at(low), at(high)], [width * height * (0.85 + 0.3 * chance((low * 100.0) as i32)), 0.0], 8, green);
        }
    }

    /// A tree with leaves: a trunk under a few round masses.
    pub fn broadleaf(&mut self, foot: Vec3, height: f32, seed: u32) {
        let chance = |n: i32| hash(n, 3 * n, seed);
        self.pole(
            [foot - Vec3::Y * 0.3, foot + Vec3::Y * 0.55 * height],
            [0.035 * height, 0.02 * height],
            6,
            Vec3::new(0.06, 0.045, 0.03),
        );
        let green = Vec3::new(0.03, 0.065, 0.014) * (0.7 + 0.7 * chance(1)) + Vec3::new(0.03, 0.012, 0.0) * chance(2);
        for mass in 0..3 {
            let aside = Vec2::from_angle(TAU * (chance(10 + mass) + mass as f32 / 3.0)) * 0.16 * height;
            let up = (0.5 + 0.28 * chance(20 + mass)) * height;
            let radius = height * (0.2 + 0.1 * chance(30 + mass));
            let centre = foot + Vec3::new(aside.x, up, aside.y);
            self.stone(centre, Vec3::new(radius, 0.85 * radius, radius), 4, 0.35, green, seed + mass as u32);
        }
    }

    /// A dead tree: a bent trunk on a flared foot, with a few stubs of branches.
    pub fn snag(&mut self, foot: Vec3, height: f32, radius: f32, seed: u32) {
        let chance = |n: i32| hash(n, 5 * n, seed);
        let bark = Vec3::new(0.075, 0.062, 0.045) * (0.6 + 0.7 * chance(1));
        let lean = Vec3::new(chance(2) - 0.5, 0.0, chance(3) - 0.5) * 0.22 * height;
        let at = |share: f32| foot + Vec3::Y * share * height + lean * share * share;
        let thickness = |share: f32| radius * (1.0 - 0.75 * share);
        self.pole([at(-0.12), at(0.07)], [radius * 2.1, thickness(0.07) * 1.05], 7, bark);
        for (low, high) in [(0.07, 0.4), (0.4, 0.75), (0.75, 1.0)] {
            self.pole([at(low), at(high)], [thickness(low), thickness(high)], 6, bark);
        }
        for branch in 0..(1 + (chance(4) * 4.0) as i32) {
            let share = 0.35 + 0.55 * chance(10 + branch);
            let way = Vec2::from_angle(TAU * chance(20 + branch)) * (0.1 + 0.14 * chance(30 + branch)) * height;
            let tip = at(share) + Vec3::new(way.x, (0.03 + 0.12 * chance(40 + branch)) * height, way.y);
            self.pole([at(share), tip], [thickness(share) * 0.45, 0.03], 3, bark);
        }
    }

    /// A reed: a thin blade that bends.
    pub fn reed(&mut self, foot: Vec3, height: f32, colour: Vec3, seed: u32) {
        let way = Vec2::from_angle(TAU * hash(1, 1, seed)) * height * (0.1 + 0.3 * hash(2, 2, seed));
        let middle = foot + Vec3::new(0.3 * way.x, 0.6 * height, 0.3 * way.y);
        let tip = foot + Vec3::new(way.x, height, way.y);
        self.pole([foot - Vec3::Y * 0.2, middle], [0.022, 0.016], 3, colour);
        self.pole([middle, tip], [0.016, 0.0], 3, colour);
    }

    /// Triangles so far.
    #[cfg(test)]
    pub fn triangles(&self) -> usize {
        self.positions.len() / 3
    }

    /// The mesh.
    pub fn into_mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every face of a convex body around `centre` must look away from it.
    fn looks_outward(bodies: &Bodies, centre: Vec3) {
        for (triangle, normal) in bodies.positions.chunks_exact(3).zip(bodies.normals.chunks_exact(3)) {
            let middle = triangle.iter().map(|corner| Vec3::from(*corner)).sum::<Vec3>() / 3.0;
            assert!((middle - centre).dot(Vec3::from(normal[0])) > 0.0, "{middle} of a body around {centre}");
        }
    }

    #[test]
    fn bodies_are_seen_from_outside() {
        let centre = Vec3::new(3.0, -1.0, 7.0);
        let mut stone = Bodies::default();
        stone.stone(centre, Vec3::new(1.0, 0.7, 1.2), 6, 0.15, Vec3::ONE, 5);
        assert!(stone.triangles() > 100);
        looks_outward(&stone, centre);

        let mut board = Bodies::default();
        board.board(centre, Vec3::new(2.0, 0.1, 0.4), 0.7, Vec3::ONE);
        assert_eq!(board.triangles(), 12);
        looks_outward(&board, centre);

        let mut pole = Bodies::default();
        pole.pole([centre - Vec3::Y, centre + Vec3::Y], [0.3, 0.2], 8, Vec3::ONE);
        looks_outward(&pole, centre);
        let mut log = Bodies::default();
        log.pole([centre - Vec3::X, centre + Vec3::X], [0.3, 0.2], 8, Vec3::ONE);
        looks_outward(&log, centre);
    }

    #[test]
    fn trees_are_finite_and_small() {
        let mut bodies = Bodies::default();
        bodies.conifer(Vec3::ZERO, 9.0, 1);
        bodies.broadleaf(Vec3::X, 7.0, 2);
        bodies.snag(Vec3::Z, 8.0, 0.3, 3);
        bodies.reed(Vec3::ZERO, 1.2, Vec3::ONE, 4);
        assert!(bodies.positions.iter().flatten().chain(bodies.normals.iter().flatten()).all(|value| value.is_finite()));
        assert!(bodies.triangles() < 600, "{}", bodies.triangles());
    }
}
