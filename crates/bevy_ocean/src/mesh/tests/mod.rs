//! The clipmap as geometry. A "camera" is its x and z from the origin, as the shader gets it.

mod bounds;
mod gpu;
mod motion;
mod shape;
mod surface;
mod watertight;

use bevy::math::Vec2;

use super::clipmap::ClipmapDimensions;

/// The three qualities: rings, quads, finest quad. The site's and the engine's tables have the same.
fn qualities() -> [ClipmapDimensions; 3] {
    [(4, 128, 0.5), (5, 160, 0.35), (5, 256, 0.25)].map(|(rings, quads, quad)| ClipmapDimensions::new(rings, quads, quad))
}

/// Small ones, of which many can be tried: the smallest, no ring at all, many rings, a quad with an odd number of quarters.
fn small_ones() -> Vec<ClipmapDimensions> {
    [(0, 16, 0.25), (1, 16, 0.3), (3, 16, 1.0), (2, 24, 0.05), (8, 16, 0.1), (4, 40, 7.3)]
        .map(|(rings, quads, quad)| ClipmapDimensions::new(rings, quads, quad))
        .to_vec()
}

/// Cameras that are as bad as can be for these dimensions: on and right beside the points where a level takes its next step,
/// and some from all over the reach of an origin.
fn cameras(dimensions: &ClipmapDimensions, count: usize) -> Vec<Vec2> {
    let mut random = Random(0x9e37_79b9);
    let mut cameras = vec![Vec2::ZERO];
    let reach = dimensions.origin_step() as f32 / 2.0;
    while cameras.len() < count {
        let level = random.below(dimensions.rings() + 1);
        let step = 2.0 * dimensions.quad_at(level);
        // The camera is rounded for the finest level first, and that for the others.
        let early = if level > 0 { dimensions.quad() } else { 0.0 };
        let tie = |random: &mut Random| {
            let tie = (random.below(9) as f32 - 4.5) * step - early;
            [tie, tie.next_up(), tie.next_down()][random.below(3) as usize]
        };
        let anywhere = |random: &mut Random| (random.unit() - 0.5) * 2.0 * reach;
        cameras.push(match random.below(3) {
            0 => Vec2::new(tie(&mut random), anywhere(&mut random)),
            1 => Vec2::new(tie(&mut random), tie(&mut random)),
            _ => Vec2::new(anywhere(&mut random), anywhere(&mut random)),
        });
    }
    cameras
}

/// Numbers that are the same on every run (an LCG's high bits).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        (self.unit() * end as f32) as u32
    }

    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u32 << 24) as f32
    }
}
