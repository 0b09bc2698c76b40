//! The scenes for whoever calls a module: a browser has no clock for Rust, so the caller brings its own (`tests/browser/measure_wetmap.mjs`).

#![allow(unsafe_code, reason = "names for the outside, of which this module alone has any")]

use crate::{GRAVITY, SCENES, Scene};
use bevy_wetmap::model::plain::Plain;
use bevy_wetmap::{WetSettings, Wetmap};
use std::cell::RefCell;

/// What is being measured.
struct Bench {
    ours: Wetmap,
    plain: Plain,
    tick: u32,
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// Sets up scene number `scene` of [`SCENES`] on canvases of `size`². Returns how many texels are wet, or −1 if there is no such scene or size.
#[unsafe(no_mangle)]
pub extern "C" fn prepare(scene: u32, size: u32) -> i32 {
    let Some((_, make)) = SCENES.get(scene as usize).filter(|_| (1..=1024).contains(&size)) else { return -1 };
    let scene: Scene = make(size);
    let ours = scene.on_wetmap(size);
    let plain = scene.on_plain(&ours);
    let wet = ours.texels().filter(|texel| texel.0 > 0 && texel.1 < WetSettings::default().dry_ticks as u16).count();
    BENCH.set(Some(Bench { ours, plain, tick: 0 }));
    wet as i32
}

/// Ticks of our canvas.
#[unsafe(no_mangle)]
pub extern "C" fn tick_ours(count: u32) {
    BENCH.with_borrow_mut(|bench| {
        let Some(bench) = bench else { return };
        for _ in 0..count {
            bench.tick += 1;
            bench.ours.tick(bench.tick, GRAVITY, &WetSettings::default());
        }
    });
}

/// Ticks of the plain one.
#[unsafe(no_mangle)]
pub extern "C" fn tick_plain(count: u32) {
    BENCH.with_borrow_mut(|bench| {
        let Some(bench) = bench else { return };
        for _ in 0..count {
            bench.plain.tick(GRAVITY, &WetSettings::default());
        }
    });
}

/// Whether both hold the same blood: a benchmark of two different results compares nothing.
#[unsafe(no_mangle)]
pub extern "C" fn same() -> bool {
    BENCH.with_borrow(|bench| bench.as_ref().is_some_and(|bench| bench.ours.texels().eq(bench.plain.texels().iter().copied())))
}
