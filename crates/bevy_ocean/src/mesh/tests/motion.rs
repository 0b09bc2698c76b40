//! What a moving camera sees: a surface that changes continuously. It does so while no level takes a step, as vertices then
//! move only by their morph, which is bounded; and the surfaces before and after a step are the same triangles.

use std::collections::HashMap;

use bevy::math::{DVec2, IVec2, Vec2, Vec2Swizzles};

use super::surface::{Meshes, Surface};
use super::{Random, cameras, qualities, small_ones};
use crate::mesh::clipmap::ClipmapDimensions;
use crate::mesh::{ClipmapPiece, lattice};

/// A triangle as its corners' points and spacings, from the least point on.
type Triangle = [[u32; 3]; 3];

/// The triangles, in order, that are within the distance in which the last ring has not yet to end.
fn triangles(dimensions: &ClipmapDimensions, camera: Vec2, surface: &Surface) -> Vec<Triangle> {
    let end = f64::from(dimensions.half_extent() - 2.0 * dimensions.quad_at(dimensions.rings()));
    let near = |vertex: u32| (surface.at(vertex) - camera.as_dvec2()).abs().max_element() <= end;
    let corner = |index: u32| {
        let vertex = surface.vertices[index as usize];
        let at = vertex.rel_xz + Vec2::ZERO;
        [at.x, at.y, vertex.spacing].map(f32::to_bits)
    };
    let mut all = Vec::new();
    for &triangle in surface.triangles.iter().filter(|triangle| triangle.iter().all(|&vertex| near(vertex))) {
        let mut corners = triangle.map(corner);
        let least = (0..3).min_by_key(|&index| corners[index]).expect("three corners");
        corners.rotate_left(least);
        all.push(corners);
    }
    all.sort_unstable();
    all
}

/// Any camera may be rounded up or down where it is half-way between two lattice points: the surface must be the same.
#[test]
fn a_step_of_any_level_changes_no_triangle() {
    let few = qualities().map(|dimensions| (dimensions, 1));
    let many = small_ones().into_iter().map(|dimensions| (dimensions, 6));
    for (dimensions, count) in many.chain(few) {
        let meshes = Meshes::new(dimensions);
        for camera in cameras(&dimensions, count) {
            for level in 0..=dimensions.rings() {
                // A point nearby where this level steps along x, and level 0 with it.
                let snapped = lattice::snap(camera, dimensions.quad());
                let before = IVec2::new((snapped.x >> level << level) + (1 << level >> 1) - 1, snapped.y);
                let tie = Vec2::new((before.x as f32 + 0.5) * 2.0 * dimensions.quad(), camera.y);
                let after = before + IVec2::X;
                if level > 0 {
                    assert_ne!(lattice::centre(before, level), lattice::centre(after, level));
                }
                let [before, after] =
                    [before, after].map(|snapped| triangles(&dimensions, tie, &meshes.surface_snapped(snapped, tie)));
                assert!(!before.is_empty() || dimensions.rings() == 0);
                assert!(before == after, "{dimensions:?}, level {level}, {tie}");
                if dimensions.quads() > 100 && level == 1 {
                    break;
                }
            }
        }
    }
}

/// How far a vertex moves for each metre that the camera does, at most: a level's quad over the width of its morph.
fn rate(dimensions: &ClipmapDimensions) -> f32 {
    let half = dimensions.quads() as f32 / 2.0;
    1.0 / (half - 2.0 - 0.65 * half)
}

#[test]
fn between_steps_a_vertex_moves_no_faster_than_its_morph() {
    for dimensions in small_ones().into_iter().chain(qualities()) {
        let meshes = Meshes::new(dimensions);
        let count = if dimensions.quads() > 100 { 3 } else { 50 };
        let mut fastest = 0.0f32;
        for camera in cameras(&dimensions, count) {
            let moved = camera + Vec2::new(0.001, -0.0007);
            let snapped = lattice::snap(camera, dimensions.quad());
            for (position, tag) in meshes.inputs() {
                let [a, b] = [camera, moved].map(|camera| lattice::vertex_snapped(position, tag, snapped, camera, &dimensions));
                assert_eq!(a.hidden, b.hidden);
                let step = (a.rel_xz - b.rel_xz).abs().max_element();
                // f32 has steps of its own: a few of them of the largest coordinate that takes part.
                let rounding = 4.0 * f32::EPSILON * (a.rel_xz.abs().max_element() + camera.abs().max_element());
                let allowed = 0.001 * rate(&dimensions) + rounding;
                assert!(step <= allowed, "{dimensions:?}: {step} m at {}, allowed {allowed}", a.rel_xz);
                fastest = fastest.max(step);
            }
        }
        assert!(fastest > 0.0, "nothing moved: the test looks at nothing");
    }
}

/// The two tests above, as a visitor sees them: the height of a wave that is drawn at a point, just before and just after
/// levels step.
#[test]
fn the_drawn_height_of_a_wave_does_not_jump_where_levels_step() {
    let dimensions = ClipmapDimensions::new(3, 16, 1.0);
    let meshes = Meshes::new(dimensions);
    // One that the middle levels can only just draw: any other triangle has another height.
    let wave = |at: DVec2| (at.x * 0.7).sin() * (at.y * 0.45).cos();
    let mut random = Random(7);
    let probes: Vec<_> = (0..2000).map(|_| (DVec2::new(random.unit().into(), random.unit().into()) - 0.5) * 80.0).collect();
    let heights = |camera: Vec2| {
        let surface = meshes.surface(camera);
        let buckets = Buckets::new(&surface, 4.0);
        probes.iter().map(|&probe| buckets.height(&surface, probe, wave)).collect::<Vec<_>>()
    };
    // Level 0 steps at all odd metres, the others at some of them.
    for tie in (-9..=9).step_by(2) {
        let camera = Vec2::new(tie as f32, 2.3);
        let nudge = Vec2::new(1e-4, 0.0);
        for (before, after) in [(camera - nudge, camera + nudge), (camera.yx() - nudge.yx(), camera.yx() + nudge.yx())] {
            assert_ne!(lattice::snap(before, 1.0), lattice::snap(after, 1.0));
            let jump = heights(before).iter().zip(heights(after)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // A fifth of a millimetre of camera: the smallest clipmap has the fastest morph, and thin triangles are steep.
            assert!(jump < 0.003, "a jump of {jump} m at {camera}");
        }
    }
}

/// Triangles by the square they are in, to find what is at a point.
struct Buckets {
    edge: f64,
    buckets: HashMap<IVec2, Vec<[u32; 3]>>,
}

impl Buckets {
    fn new(surface: &Surface, edge: f64) -> Self {
        let mut buckets = HashMap::<IVec2, Vec<[u32; 3]>>::new();
        for &triangle in &surface.triangles {
            let corners = triangle.map(|vertex| (surface.at(vertex) / edge).floor().as_ivec2());
            let (least, most) = (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
            // The skirt's are out of everything's way.
            if (most - least).max_element() < 100 {
                for x in least.x..=most.x {
                    for z in least.y..=most.y {
                        buckets.entry(IVec2::new(x, z)).or_default().push(triangle);
                    }
                }
            }
        }
        Self { edge, buckets }
    }

    fn height(&self, surface: &Surface, at: DVec2, wave: impl Fn(DVec2) -> f64) -> f64 {
        let found = self.buckets[&(at / self.edge).floor().as_ivec2()].iter().find_map(|&triangle| {
            let [a, b, c] = triangle.map(|vertex| surface.at(vertex));
            let cross = |u: DVec2, v: DVec2| u.y * v.x - u.x * v.y;
            let whole = cross(b - a, c - a);
            let weights = [cross(b - at, c - at), cross(c - at, a - at), cross(a - at, b - at)].map(|part| part / whole);
            let inside = whole > 0.0 && weights.iter().all(|&weight| weight >= -1e-9);
            inside.then(|| weights[0] * wave(a) + weights[1] * wave(b) + weights[2] * wave(c))
        });
        found.unwrap_or_else(|| panic!("nothing at {at}"))
    }
}

#[test]
fn a_move_of_the_origin_moves_nothing() {
    for dimensions in small_ones().into_iter().chain(qualities()) {
        let meshes = Meshes::new(dimensions);
        let step = dimensions.origin_step();
        for camera in cameras(&dimensions, 4) {
            let other = DVec2::new(step, -3.0 * step);
            // On a coarse raster, so that the subtraction is exact and both see the same camera.
            let camera = (camera * 64.0).round() / 64.0;
            let moved = (camera.as_dvec2() - other).as_vec2();
            assert_eq!(moved.as_dvec2() + other, camera.as_dvec2());
            for (position, tag) in meshes.inputs() {
                let a = lattice::vertex(position, tag, camera, &dimensions);
                let b = lattice::vertex(position, tag, moved, &dimensions);
                assert_eq!(a.hidden, b.hidden);
                let apart = (b.rel_xz.as_dvec2() + other - a.rel_xz.as_dvec2()).abs().max_element();
                let largest = a.rel_xz.abs().max_element().max(b.rel_xz.abs().max_element());
                assert!(apart <= f64::from(4.0 * f32::EPSILON * largest), "{dimensions:?}: {apart} m at {}", a.rel_xz);
            }
        }
    }
}

#[test]
fn an_origin_is_exact_a_thousand_kilometres_out() {
    let mut random = Random(3);
    for dimensions in small_ones().into_iter().chain(qualities()) {
        let step = dimensions.origin_step();
        assert!(step >= 256.0);
        assert_eq!(step % (2.0 * f64::from(dimensions.quad_at(dimensions.rings()))), 0.0);
        for _ in 0..200 {
            let camera = DVec2::new(random.unit().into(), random.unit().into()) * 2e6 - 1e6;
            let origin = dimensions.origin_for(camera);
            assert_eq!(origin.as_vec2().as_dvec2(), origin, "{dimensions:?}");
            assert!((camera - origin).abs().max_element() <= step / 2.0);
            assert_eq!(origin % step, DVec2::ZERO);
        }
        assert_eq!(dimensions.origin_for(DVec2::new(f64::NAN, 0.0)), DVec2::ZERO);
        assert_eq!(dimensions.origin_for(DVec2::new(0.0, f64::INFINITY)), DVec2::ZERO);
    }
}

/// What is drawn depends on the camera's place from the origin alone, and that is as exact at 10⁵ m as the camera itself. What
/// is left is that the lattice's points are exact numbers within an origin's reach.
#[test]
fn lattice_points_are_exact() {
    for dimensions in qualities() {
        let meshes = Meshes::new(dimensions);
        let camera = Vec2::splat(dimensions.origin_step() as f32 / 2.0 - 1.0);
        let snapped = lattice::snap(camera, dimensions.quad());
        for tile in meshes.tiles.iter().filter(|tile| !ClipmapPiece::SKIRT.contains(&tile.piece)) {
            for &position in meshes.patch(tile).positions() {
                let vertex = lattice::vertex(position.into(), tile.tag(), camera, &dimensions);
                let quad = dimensions.quad_at(tile.level);
                if vertex.spacing == quad && !vertex.hidden {
                    let local = DVec2::new(position[0].into(), position[2].into());
                    let index = (2 * lattice::centre(snapped, tile.level) + tile.offset).as_dvec2() + local;
                    assert_eq!(vertex.rel_xz.as_dvec2(), index * f64::from(quad));
                }
            }
        }
    }
}
