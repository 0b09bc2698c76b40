//! What a demo makes of a link takes memory for what it can keep, however long the link is and whatever it asks for: counted, not claimed.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

#[path = "../web/tests/common/mod.rs"]
mod common;
#[path = "../web/tests/counting/mod.rs"]
mod counting;

use bevy_wetmap::script::Script;
use common::Hostile;
use counting::allocated;
use web::link::MAX_BYTES;

/// What a demo may take for any link at all: the link's own bytes a few times over, and its state, with a sentence for each thing that is not as it stands there.
const MOST: usize = 16 * MAX_BYTES;

/// What it may take of that for a link that says little, and for each byte.
const FOR_ANY: usize = 16 << 10;
const FOR_EACH_BYTE: usize = 64;

fn ocean(fragment: &str) {
    drop(ocean_demo::link::read(fragment));
}

fn wetmap(fragment: &str) {
    drop(wetmap_paint::link::read(fragment));
}

fn readers() -> [(&'static str, fn(&str)); 2] {
    // What is made once and kept is no link's.
    ocean("v=1&roughness=1");
    wetmap("v=1&drip_rate=1");
    [("ocean", ocean), ("wetmap_paint", wetmap)]
}

#[test]
fn megabytes_cost_no_more_than_the_longest_link() {
    let megabytes = 4 << 20;
    for (demo, read) in readers() {
        for piece in ["&", "&a=1", "&a=%ff", "&c1.swell=9", "&drip_rate=9", "🌊", "9", "A"] {
            for start in ["v=1&a=", "v=1&script=", "v=1&camera=", "v=1&cascades=8&wave_resolution=4096&water_color="] {
                let fragment = format!("{start}{}", piece.repeat(megabytes / piece.len()));
                let cost = allocated(|| read(&fragment));
                assert!(cost <= MOST, "{demo}, {start}{piece}…: {cost} bytes");
            }
        }
        // Each another name, and each with something to be said of it.
        let numbered: String = (0..100_000).map(|i| format!("&n{i}={}", "9".repeat(i % 90))).collect();
        let dials: String =
            (1..=8).flat_map(|n| ["swell", "wind_speed", "foam_amount"].map(|dial| format!("&c{n}.{dial}=1e99"))).collect();
        for fragment in [format!("v=1{numbered}"), format!("v=1&cascades=8{dials}{numbered}")] {
            let cost = allocated(|| read(&fragment));
            assert!(cost <= MOST, "{demo}: {cost} bytes");
        }
    }
}

#[test]
fn hostile_links_cost_little() {
    for (demo, read) in readers() {
        let mut hostile = Hostile::new(29);
        for _ in 0..2000 {
            let fragment = hostile.fragment();
            let cost = allocated(|| read(&fragment));
            assert!(
                cost <= MOST.min(FOR_ANY + FOR_EACH_BYTE * fragment.len()),
                "{demo}: {} bytes cost {cost}: {fragment}",
                fragment.len()
            );
        }
    }
}

#[test]
fn a_recording_costs_what_its_text_is_long() {
    // What claims to hold the most of everything, and ends there.
    for claim in ["AQCAEICAgIAP", "AQBA____fw", "AQBAAAAAAACAPwAAAAAA_____w8", "AQBAAAAAAACAPwAAAAAAgAj_____"] {
        let cost = allocated(|| Script::from_compact(claim));
        assert!(cost <= 4096, "{claim}: {cost} bytes");
    }
    for length in [0, 1, 100, MAX_BYTES, 64 << 10, 4 << 20] {
        let text = "A".repeat(length);
        let cost = allocated(|| Script::from_compact(&text));
        assert!(cost <= 4096 + 8 * length.min(64 << 10), "{length} characters: {cost} bytes");
    }
}
