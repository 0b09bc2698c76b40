//! A million hostile fragments, and how many of them are read in a second: `cargo xtask bench links`.
//!
//! What the tests see with ten thousand, this sees with a hundred times as many, and it stops at the first that is not read as it should be.
//! It judges no time.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Hostile, LINKS};
use std::hint::black_box;
use std::time::{Duration, Instant};
use web::link::{Link, MAX_BYTES, Notice};

const INPUTS: usize = 1_000_000;

/// Inputs are made a batch at a time, so that making them is not measured.
const BATCH: usize = 10_000;

fn timed(fragment: &str) -> ((Link, Vec<Notice>), Duration) {
    let start = Instant::now();
    let read = black_box(Link::read(black_box(fragment)));
    (read, start.elapsed())
}

fn main() {
    let mut hostile = Hostile::new(1);
    let (mut spent, mut bytes, mut longest, mut slowest) = (Duration::ZERO, 0, 0, Duration::ZERO);
    for _ in 0..INPUTS / BATCH {
        let fragments: Vec<String> = (0..BATCH).map(|_| hostile.fragment()).collect();
        for fragment in &fragments {
            let ((link, notices), taken) = timed(fragment);
            spent += taken;
            if taken > slowest {
                // Or the machine was elsewhere meanwhile.
                slowest = slowest.max((0..5).map(|_| timed(fragment).1).min().unwrap_or(taken));
            }
            bytes += fragment.len();
            longest = longest.max(fragment.len());
            let written = link.to_string();
            assert!(written.len() <= MAX_BYTES && notices.len() <= 300, "{fragment}");
            assert_eq!(Link::read(&written).0, link, "{fragment}");
        }
    }
    let seconds = spent.as_secs_f64();
    println!("{INPUTS} hostile fragments read, {:.1} MB, none of them harmful", bytes as f64 / 1e6);
    println!("{:.0} a second, {:.0} MB/s", INPUTS as f64 / seconds, bytes as f64 / 1e6 / seconds);
    println!("the slowest {:.1} µs, the longest {longest} bytes", slowest.as_secs_f64() * 1e6);

    let start = Instant::now();
    for _ in 0..INPUTS / LINKS.len() {
        LINKS.iter().for_each(|link| drop(black_box(Link::read(black_box(link)))));
    }
    println!("{:.0} links as people send them a second", INPUTS as f64 / start.elapsed().as_secs_f64());
}
