//! `shaders/water/clipmap.wgsl` on the CPU, operation by operation in f32: what the tests look at the clipmap with. That the
//! two are the same is a test as well.

use bevy::math::{IVec2, UVec2, Vec2, Vec3};

use super::clipmap::ClipmapDimensions;

const TAG_OFFSET_MASK: u32 = 0xfff;
const TAG_OFFSET_BIAS: i32 = 2048;
const TAG_OFFSET_Z_SHIFT: u32 = 12;
const TAG_LEVEL_SHIFT: u32 = 24;
const TAG_LEVEL_MASK: u32 = 0xf;
const TAG_SKIRT: u32 = 0x1000_0000;
const MORPH_START: f32 = 0.65;
const MORPH_MARGIN: f32 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipmapVertex {
    pub rel_xz: Vec2,
    pub spacing: f32,
    pub hidden: bool,
}

pub fn snap(camera_rel: Vec2, finest_quad: f32) -> IVec2 {
    let snapped = camera_rel / (2.0 * finest_quad);
    IVec2::new(snapped.x.round_ties_even() as i32, snapped.y.round_ties_even() as i32)
}

pub fn centre(snapped: IVec2, level: u32) -> IVec2 {
    (snapped + ((1i32 << level) >> 1)) >> level as i32
}

pub fn vertex(position: Vec3, tag: u32, camera_rel: Vec2, dimensions: &ClipmapDimensions) -> ClipmapVertex {
    vertex_snapped(position, tag, snap(camera_rel, dimensions.quad()), camera_rel, dimensions)
}

/// With a snapped camera of one's own: what another rounding would give.
pub fn vertex_snapped(
    position: Vec3,
    tag: u32,
    snapped: IVec2,
    camera_rel: Vec2,
    dimensions: &ClipmapDimensions,
) -> ClipmapVertex {
    let level = ((tag >> TAG_LEVEL_SHIFT) & TAG_LEVEL_MASK).min(dimensions.rings());
    let offset = (UVec2::new(tag, tag >> TAG_OFFSET_Z_SHIFT) & TAG_OFFSET_MASK).as_ivec2() - TAG_OFFSET_BIAS;
    let local = IVec2::new(position.x.round_ties_even() as i32, position.z.round_ties_even() as i32);
    let lattice = 2 * centre(snapped, level) + offset + local;
    let quad = dimensions.quad() * (1u32 << level) as f32;

    if tag & TAG_SKIRT != 0 {
        let spacing = if position.y > 0.5 { 0.0 } else { 2.0 * quad };
        return ClipmapVertex { rel_xz: lattice.as_vec2() * quad, spacing, hidden: false };
    }

    let corner = position.y.round_ties_even() as i32 - 1;
    if corner >= 0 && level > 0 {
        let cell = lattice - IVec2::new(corner & 1, corner >> 1);
        let from_hole = cell - centre(snapped, level - 1) + (dimensions.quads() / 4) as i32;
        if from_hole.cmpge(IVec2::ZERO).all() && from_hole.cmplt(IVec2::splat((dimensions.quads() / 2) as i32)).all() {
            return ClipmapVertex { rel_xz: (cell.as_vec2() + 0.5) * quad, spacing: quad, hidden: true };
        }
    }

    let (point, camera) = (lattice.as_vec2(), camera_rel / quad);
    let slid = point - morph(point, camera, dimensions.quads()) * (lattice & 1).as_vec2();
    let spacing = quad * (1.0 + morph(slid, camera, dimensions.quads()));
    ClipmapVertex { rel_xz: slid * quad, spacing, hidden: false }
}

fn morph(point: Vec2, camera: Vec2, quads: u32) -> f32 {
    let half_edge = 0.5 * quads as f32;
    let start = MORPH_START * half_edge;
    (((point - camera).abs().max_element() - start) / (half_edge - MORPH_MARGIN - start)).clamp(0.0, 1.0)
}
