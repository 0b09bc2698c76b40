//! Reading a link takes memory for what it keeps and says, however long the link is: counted, not claimed.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

mod common;
mod counting;

use common::Hostile;
use web::link::{Link, MAX_BYTES};

fn allocated(fragment: &str) -> usize {
    counting::allocated(|| Link::read(fragment))
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
