//! The crate's claim as a program: two identical runs give equal digests, and one hit moved by one texel gives another.
//!
//! No window and no GPU, so it runs anywhere, over ssh too, which is how a claim about reproducibility ought to be checkable. The
//! exit code says whether the claim held.

use bevy::prelude::*;
use bevy_wetmap::{StainShape, WetCanvas, WetSettings};
use std::process::ExitCode;

const SIZE: u32 = 128;
const TICKS: u32 = 90;

/// Tick, u, v and seed of each hit.
const HITS: [(u32, f32, f32, u32); 3] =
    [(0, 0.34, 0.18, 0x51ED_0000), (12, 0.58, 0.30, 0x51ED_0001), (30, 0.36, 0.44, 0x51ED_0002)];

/// Plays the hits, the first of them moved sideways by `moved` texels, and returns the digest at the end.
fn run(moved: f32) -> u64 {
    let mut images = Assets::<Image>::default();
    let settings = WetSettings::default();
    let mut canvas = WetCanvas::new(&mut images, SIZE, [0.78, 0.66, 0.60], 0.55);
    for tick in 0..TICKS {
        for (n, (_, u, v, seed)) in HITS.into_iter().enumerate().filter(|(_, hit)| hit.0 == tick) {
            let moved = if n == 0 { moved / SIZE as f32 } else { 0.0 };
            let shape = StainShape { major: 0.07, minor: 0.045, spines: 6, satellites: 2, direction: [0.0, 1.0], seed };
            canvas.paint_uv(Vec2::new(u + moved, v), &shape, tick);
        }
        canvas.tick(tick, Vec2::Y, &settings);
        canvas.flush(&mut images);
    }
    canvas.digest()
}

fn main() -> ExitCode {
    let (first, second, moved) = (run(0.0), run(0.0), run(1.0));
    println!("{} hits, {TICKS} ticks on {SIZE} × {SIZE} texels", HITS.len());
    println!("first run            {first:016x}");
    println!("the same again       {second:016x}");
    println!("one hit one texel on {moved:016x}");
    let holds = first == second && first != moved;
    println!("{}", if holds { "The claim holds: equal, equal, different." } else { "THE CLAIM DOES NOT HOLD." });
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
