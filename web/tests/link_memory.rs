//! Reading a link takes memory for what it keeps and says, however long the link is: counted, not claimed.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

mod common;

use common::Hostile;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use web::link::{Link, MAX_BYTES};

/// The system's allocator, adding up for each thread, because the test runner's own threads allocate when they like.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that is ending has no counter any more, and is none of those that are watched.
    let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + bytes));
}

// SAFETY: every request goes to the system's allocator as it came; counting touches a thread-local cell without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
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

/// All bytes that were ever asked for while a link was read, given back or not.
fn allocated(fragment: &str) -> usize {
    let before = ALLOCATED.get();
    drop(Link::read(fragment));
    ALLOCATED.get() - before
}

/// What a link may cost: what it says twice over, decoded and kept, and lists of pairs and notices that grow by doubling.
const MOST: usize = 8 * MAX_BYTES;

#[test]
fn megabytes_cost_no_more_than_the_longest_link() {
    let megabytes = 8 << 20;
    for piece in ["&", "&a", "&a=1", "&a=%ff", "%E2%9C%93", "🌊", "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=x", "x"] {
        let fragment = format!("v=1&a={}", piece.repeat(megabytes / piece.len()));
        let cost = allocated(&fragment);
        assert!(cost <= MOST, "{piece}: {cost} bytes");
    }
    let numbered: String = (0..300_000).map(|i| format!("&n{i}={}", "y".repeat(i % 90))).collect();
    let cost = allocated(&numbered);
    assert!(cost <= MOST, "{cost} bytes");
}

#[test]
fn hostile_fragments_cost_no_more_than_the_longest_link() {
    let mut hostile = Hostile::new(23);
    for _ in 0..3000 {
        let fragment = hostile.fragment();
        let cost = allocated(&fragment);
        assert!(cost <= MOST.min(40 * fragment.len() + 4096), "{} bytes cost {cost}: {fragment}", fragment.len());
    }
}
