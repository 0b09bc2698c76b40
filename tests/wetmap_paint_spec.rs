//! The notes page of *Wetmap paint* against the program, as far as that goes without a browser. The page is right.

use bevy_wetmap::WetSettings;
use tests::{Page, Row, documented_legend};

const NOTES: &str = include_str!("../site/notes/wetmap_paint.html");
const DEMO: &str = include_str!("../demos/wetmap_paint/src/lib.rs");
const CRATE: &str = include_str!("../crates/bevy_wetmap/README.md");

/// Rows of the legend that are no key of the keyboard: the browser tests perform them.
const GESTURES: [&str; 5] = ["click", "drag", "touch", "orbit-drag", "two-fingers"];

fn rows(table: &str) -> Vec<Row> {
    let rows = Page::of(NOTES).rows(table);
    assert!(!rows.is_empty(), "the notes page has no table #{table}");
    rows
}

#[test]
fn the_demo_handles_the_legends_keys_and_no_others() {
    let legend = rows("legend-wetmap_paint");
    let mut named: Vec<_> = legend
        .iter()
        .filter(|row| !GESTURES.contains(&row.data("key")))
        .map(|row| (row.data("key").to_owned(), row.data("action").to_owned(), row.cells[0].clone()))
        .collect();
    let mut handled: Vec<_> = wetmap_paint::KEYS
        .iter()
        .map(|key| (key.event_key.to_owned(), key.action_name.to_owned(), key.name.to_owned()))
        .collect();
    named.sort();
    handled.sort();
    assert_eq!(named, handled, "left: the page; right: demos/wetmap_paint/src/keys.rs");
    for gesture in GESTURES {
        assert!(legend.iter().any(|row| row.data("key") == gesture), "{gesture} is in the legend");
    }
}

#[test]
fn the_demos_doc_comment_has_the_legend() {
    let legend: Vec<_> =
        rows("legend-wetmap_paint").into_iter().map(|row| (row.cells[0].clone(), row.cells[1].clone())).collect();
    assert_eq!(documented_legend(DEMO), legend, "left: demos/wetmap_paint/src/lib.rs; right: the page");
}

/// The dials by name, as text.
fn dials(settings: WetSettings) -> Vec<(String, String)> {
    let WetSettings { drip_rate, spread_rate, dry_ticks, absorbency, max_canvas_updates_per_tick, humidity } = settings;
    [
        ("drip_rate", drip_rate.to_string()),
        ("spread_rate", spread_rate.to_string()),
        ("dry_ticks", dry_ticks.to_string()),
        ("absorbency", absorbency.to_string()),
        ("max_canvas_updates_per_tick", max_canvas_updates_per_tick.to_string()),
        ("humidity", humidity.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

#[test]
fn the_dials_stand_as_the_page_says() {
    let page = rows("dials-wetmap_paint");
    let column = |key| page.iter().map(|row| (row.data("name").to_owned(), row.data(key).to_owned())).collect::<Vec<_>>();
    assert_eq!(column("default"), dials(WetSettings::default()));
    assert_eq!(column("demo"), dials(wetmap_paint::settings()));
    for row in &page {
        let seen = [0, 1, 3, 4].map(|cell| row.cells[cell].as_str());
        assert_eq!(seen, ["name", "unit", "default", "demo"].map(|key| row.data(key)), "what a reader sees");
    }
}

#[test]
fn the_crates_readme_names_what_the_page_names() {
    let table = CRATE.split_once("## What it exposes").map_or("", |(_, rest)| rest);
    let table = table.split_once("## The model").map_or("", |(table, _)| table);
    for row in rows("api-bevy_wetmap").iter().chain(&rows("api-WetCanvas")) {
        let name = row.data("name");
        assert!(table.contains(&format!("`{name}`")), "{name} is in the README's table");
    }
}
