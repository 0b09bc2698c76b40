//! Painting, ticking and going back allocate nothing once a canvas has seen its largest stain: counted, not claimed.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use bevy_wetmap::{LoadError, StainShape, WetSettings, Wetmap};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting for each thread, because the test runner's own threads allocate when they like.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

fn count_one(size: usize) {
    // A thread that is ending has no counter any more, and is none of those that are watched.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|count| count.set(count.get() + size as u64));
}

// SAFETY: every request goes to the system's allocator as it came; counting touches a thread-local cell without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one(size);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(measured: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    measured();
    ALLOCATIONS.get() - before
}

fn shape(major: f32, seed: u32) -> StainShape {
    StainShape { major, minor: major * 0.7, spines: 14, satellites: 6, direction: [0.4, 1.0], seed }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}

#[test]
fn a_warm_canvas_allocates_nothing() {
    let settings = WetSettings::default();
    for size in [1, 3, 37, 128, 200] {
        let mut map = Wetmap::new(size, [0.5; 3], 0.5).expect("a size within the limits");
        let mut earlier = map.clone();
        // Warm: the largest stain, at the canvas's middle and corners, every direction, and a copy to go back to.
        map.paint_uv([0.5, 0.5], &shape(0.9, 1), 0);
        map.tick(0, [0.0, 1.0], &settings);
        earlier.clone_from(&map);
        let counted = allocations(|| {
            for tick in 1..200 {
                let at = (tick * 37 % 101) as f32 / 100.0;
                map.paint_uv([at, 1.0 - at], &shape(0.9 * at, tick), tick);
                let gravity = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.3], [0.0, 0.0]][tick as usize % 5];
                // Another spread rate, threshold and share now and then, as a slider gives them.
                let spread_rate = [0.08, 0.5, 0.0][tick as usize / 20 % 3];
                map.tick(tick, gravity, &WetSettings { spread_rate, drip_rate: at, absorbency: at, ..settings });
                if tick % 50 == 0 {
                    map.restore(&earlier, tick);
                }
                std::hint::black_box((map.digest(), map.wetted_area(), map.is_still()));
            }
        });
        assert_eq!(counted, 0, "at {size}");
    }
}

/// What is no canvas is found out before there is one: a few bytes that say they are 4096² cost nothing.
#[test]
fn refused_bytes_allocate_nothing() {
    let load = |bytes: &[u8]| {
        let before = BYTES.get();
        let error = Wetmap::load(bytes).err();
        assert_eq!(BYTES.get() - before, 0, "{error:?}");
        error
    };
    let bare = Wetmap::new(4096, [0.5; 3], 0.5).expect("a size within the limits").save();
    assert_eq!(load(&bare[..22]), Some(LoadError::Truncated), "a header alone");
    for cut in 0..bare.len() {
        assert!(load(&bare[..cut]).is_some());
        let mut changed = bare.clone();
        changed[cut] ^= 1;
        assert!(load(&changed).is_some());
    }
    assert_eq!(load(&[&bare[..], &[0]].concat()), Some(LoadError::TrailingBytes { count: 1 }));
}

/// Rollback of the component, however it is written but for `*canvas = saved.clone()`.
#[cfg(feature = "bevy")]
#[test]
fn a_component_goes_back_without_an_allocation() {
    use bevy::prelude::{Assets, Image, Vec2};
    let mut images = Assets::<Image>::default();
    let mut canvas = bevy_wetmap::WetCanvas::new(&mut images, 128, [0.5; 3], 0.5);
    canvas.paint_uv(Vec2::splat(0.5), &shape(0.9, 1), 0);
    canvas.tick(0, Vec2::Y, &WetSettings::default());
    canvas.flush(&mut images);
    let mut saved = canvas.clone();
    let counted = allocations(|| {
        for tick in 1..20 {
            canvas.paint_uv(Vec2::splat(0.3), &shape(0.2, tick), tick);
            canvas.tick(tick, Vec2::Y, &WetSettings::default());
            match tick % 3 {
                0 => canvas.restore(&saved, tick),
                1 => canvas.clone_from(&saved),
                _ => saved.clone_from(&canvas),
            }
        }
    });
    assert_eq!(counted, 0);
}
