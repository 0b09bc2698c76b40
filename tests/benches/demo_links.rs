//! A million hostile links read by each demo, and a million damaged recordings, and how many of them in a second: `cargo xtask bench demo_links`.
//!
//! What the tests see with ten thousand, this sees with a hundred times as many, and it stops at the first that is not read as it should be. It judges no time.

#[path = "../../web/tests/common/mod.rs"]
mod common;

use bevy_wetmap::script::Script;
use common::Hostile;
use std::hint::black_box;
use std::time::{Duration, Instant};
use web::link::MAX_BYTES;

const INPUTS: usize = 1_000_000;

/// Inputs are made a batch at a time, so that making them is not measured.
const BATCH: usize = 10_000;

/// Recordings that have been sent.
const SENT: &str = include_str!("../cases/wetmap-links.json");

/// Reads a million inputs; `read` gives how much it has kept.
fn measure(what: &str, mut make: impl FnMut() -> String, read: impl Fn(&str) -> usize) {
    let (mut spent, mut kept) = (Duration::ZERO, 0);
    for _ in 0..INPUTS / BATCH {
        let inputs: Vec<String> = (0..BATCH).map(|_| make()).collect();
        let start = Instant::now();
        for input in &inputs {
            kept += usize::from(black_box(read(black_box(input))) > 0);
        }
        spent += start.elapsed();
    }
    let rate = INPUTS as f64 / spent.as_secs_f64();
    println!("{what}: {INPUTS} read, {kept} with something to keep, none of them harmful; {rate:.0} a second");
}

fn main() {
    let mut hostile = Hostile::new(1);
    measure(
        "ocean",
        || hostile.fragment(),
        |fragment| {
            let opened = ocean_demo::link::read(fragment);
            let link = opened.link();
            assert!(link.len() <= MAX_BYTES && opened.notices.len() <= 600, "{fragment}");
            link.len()
        },
    );
    let mut hostile = Hostile::new(2);
    measure(
        "wetmap_paint",
        || hostile.fragment(),
        |fragment| {
            let opened = wetmap_paint::link::read(fragment);
            let link = opened.link();
            assert!(link.len() <= MAX_BYTES && opened.notices.len() <= 600, "{fragment}");
            link.len()
        },
    );
    let sent: Vec<&[u8]> = SENT.split("script=").skip(1).filter_map(|rest| rest.split('"').next()).map(str::as_bytes).collect();
    assert!(sent.len() >= 2);
    let mut state = 3u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let damaged = || {
        let mut text = sent[random(sent.len())].to_vec();
        for _ in 0..=random(3) {
            let at = random(text.len());
            match random(4) {
                0 => text.truncate(at.max(1)),
                1 => text.truncate(text.len() - 1),
                _ => text[at] = b"ABCwxyz019-_"[random(12)],
            }
            if text.len() < 4 {
                break;
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    };
    measure("recordings", damaged, |text| match Script::from_compact(text) {
        Ok(script) => {
            // Numbers that could have been written shorter are read too, so it is the script that comes back and not its text.
            let again = script.to_compact().and_then(|text| Script::from_compact(&text));
            assert_eq!(again.map(|again| again.events.len()), Ok(script.events.len()), "{text}");
            script.events.len()
        }
        Err(_) => 0,
    });
}
