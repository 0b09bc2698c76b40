//! No hole, no overlap, no vertex on an edge: with equal points welded, every edge has a triangle on both sides, and the areas
//! add up.

use bevy::math::{DVec2, Vec2};

use super::surface::{Meshes, Surface};
use super::{cameras, qualities, small_ones};
use crate::mesh::ClipmapDimensions;
use crate::mesh::clipmap::SKIRT_REACH;

/// Panics if `surface` is anything but a gap-free square, seen from above, to the end of the skirt.
pub fn assert_watertight(dimensions: &ClipmapDimensions, camera: Vec2, surface: &Surface) {
    let reach = f64::from(dimensions.half_extent()) * f64::from(1u32 << dimensions.skirt_rings());
    let corners = surface.vertices.iter().map(|vertex| vertex.rel_xz.as_dvec2());
    let (least, most) = corners.fold((DVec2::MAX, DVec2::MIN), |(least, most), at| (least.min(at), most.max(at)));
    let centre = (least + most) / 2.0;
    let off = dimensions.quad_at(dimensions.rings()) + dimensions.quad();
    // The skirt's end is a number of 2²⁰ m, in f32.
    assert!((centre - camera.as_dvec2()).abs().max_element() <= f64::from(off) + 0.3, "it is around {centre}, not {camera}");
    assert!(reach >= SKIRT_REACH);
    for [a, b] in surface.rim() {
        for end in [surface.at(a), surface.at(b)] {
            let out = (end - centre).abs().max_element();
            assert!(
                (out / reach - 1.0).abs() < 1e-6,
                "there is a gap at {end}, {out} m from the middle; {dimensions:?}, {camera}"
            );
        }
    }
    let mut within = 0.0;
    let mut sum = 0.0;
    for &triangle in &surface.triangles {
        let area = surface.area(triangle);
        let smallest =
            triangle.map(|vertex| surface.vertices[vertex as usize].spacing).iter().copied().fold(f32::MAX, f32::min);
        assert!(
            area >= -1e-3 * f64::from(smallest * smallest),
            "a triangle is folded over: {area} m²; {dimensions:?}, {camera}"
        );
        sum += area;
        if smallest > 0.0 {
            within += area;
        }
    }
    let extent = 2.0 * f64::from(dimensions.half_extent());
    assert!((within / (extent * extent) - 1.0).abs() < 1e-6, "{within} m² for {extent} m; {dimensions:?}, {camera}");
    assert!((sum / (4.0 * reach * reach) - 1.0).abs() < 1e-6, "{sum} m² with the skirt; {dimensions:?}, {camera}");
}

#[test]
fn small_clipmaps_have_no_gap_wherever_the_camera_is() {
    for dimensions in small_ones() {
        let meshes = Meshes::new(dimensions);
        for camera in cameras(&dimensions, 50) {
            assert_watertight(&dimensions, camera, &meshes.surface(camera));
        }
    }
}

#[test]
fn low_medium_and_high_have_no_gap() {
    for dimensions in qualities() {
        let meshes = Meshes::new(dimensions);
        for camera in cameras(&dimensions, 2) {
            assert_watertight(&dimensions, camera, &meshes.surface(camera));
        }
    }
}

/// Eight times as far as an origin is ever from its camera: what a second camera may have.
#[test]
fn a_camera_that_is_far_from_the_origin_has_no_gap() {
    for dimensions in small_ones() {
        let meshes = Meshes::new(dimensions);
        for camera in cameras(&dimensions, 6) {
            let far = camera + dimensions.origin_step() as f32 * Vec2::new(4.0, -7.0);
            assert_watertight(&dimensions, far, &meshes.surface(far));
        }
    }
}
