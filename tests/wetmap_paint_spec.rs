//! The notes page of *Wetmap paint* against the program, as far as that goes without a browser. The page is right.

use bevy_wetmap::WetSettings;
use bevy_wetmap::script::MAX_EVENTS;
use tests::{Page, Row, documented_legend};
use wetmap_paint::parameters::{Kind, PARAMETERS, Parameter, Setting};

const NOTES: &str = include_str!("../site/notes/wetmap_paint.html");
const DEMO: &str = include_str!("../demos/wetmap_paint/src/lib.rs");
const CRATE: &str = include_str!("../crates/bevy_wetmap/README.md");
const CANVAS: &str = include_str!("../crates/bevy_wetmap/src/canvas.rs");

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

/// The tables of dials, by the groups of the panel, in the order of both.
const TABLES: [(&str, &str); 4] =
    [("blood", "dials-wetmap_paint"), ("shot", "parameters-shot"), ("run", "parameters-run"), ("looks", "parameters-looks")];

#[test]
fn the_models_dials_stand_as_the_page_says() {
    let page = rows("dials-wetmap_paint");
    let column = |key| page.iter().map(|row| (row.data("name").to_owned(), row.data(key).to_owned())).collect::<Vec<_>>();
    assert_eq!(column("default"), dials(WetSettings::default()));
    assert_eq!(column("demo"), dials(wetmap_paint::settings()));
    for row in &page {
        let seen = [1, 3, 4].map(|cell| row.cells[cell].as_str());
        assert_eq!(seen, ["unit", "default", "demo"].map(|key| row.data(key)), "what a reader sees");
    }
}

/// A dial as the page has to have it: what a reader sees of it, and the attributes that tests read.
#[derive(Debug, PartialEq)]
struct Dial {
    /// Label and name, unit, range, default in the demo, meaning.
    cells: [String; 5],
    /// Name, unit, least and most or the options, default in the demo.
    data: [String; 5],
}

impl Dial {
    fn of(dial: &Parameter) -> Self {
        let (data_range, range) = match dial.kind {
            Kind::Number { min, max } => ([min.to_string(), max.to_string()], format!("{min} to {max}")),
            Kind::Integer { min, max: u32::MAX } => ([min.to_string(), u32::MAX.to_string()], format!("{min} and up")),
            Kind::Integer { min, max } => ([min.to_string(), max.to_string()], format!("{min} to {max}")),
            Kind::Flag => (["off on".to_owned(), String::new()], "off, on".to_owned()),
            Kind::Choice(names) => {
                ([names.join(" "), String::new()], names.iter().map(|name| capital(name)).collect::<Vec<_>>().join(", "))
            }
        };
        let (data_default, default) = match dial.default_value() {
            Setting::Number(value) => (value.to_string(), value.to_string()),
            Setting::Integer(value) => (value.to_string(), value.to_string()),
            Setting::Flag(on) => (if on { "on" } else { "off" }.to_owned(), if on { "on" } else { "off" }.to_owned()),
            Setting::Choice(name) => (name.to_owned(), capital(name)),
        };
        let Parameter { name, label, unit, meaning, .. } = *dial;
        let [least, most] = data_range;
        Self {
            // The page's apostrophes are typographic.
            cells: [format!("{label} {name}"), unit.to_owned(), range, default, meaning.replace('\'', "’")],
            data: [name.to_owned(), unit.to_owned(), least, most, data_default],
        }
    }

    fn on_page(row: &Row) -> Self {
        let cell = |at: usize| row.cells.get(at).cloned().unwrap_or_default();
        // The model's own dials have a column for what the demo does otherwise.
        let demo = usize::from(row.cells.len() == 6);
        let has = |key: &str| row.data.iter().any(|(name, _)| name == key);
        let data = |key: &str| if has(key) { row.data(key).to_owned() } else { String::new() };
        let (least, most) = if has("options") { (data("options"), String::new()) } else { (data("min"), data("max")) };
        Self {
            cells: [cell(0), cell(1), cell(2), cell(3 + demo), cell(4 + demo)],
            data: [data("name"), data("unit"), least, most, data(if demo == 1 { "demo" } else { "default" })],
        }
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[test]
fn the_panel_has_the_pages_dials_and_no_others_in_its_order() {
    let page: Vec<_> = TABLES.iter().flat_map(|(_, table)| rows(table)).map(|row| Dial::on_page(&row)).collect();
    let panel: Vec<_> = PARAMETERS.iter().map(Dial::of).collect();
    assert_eq!(page, panel, "left: the page; right: demos/wetmap_paint/src/parameters.rs");
    for (group, table) in TABLES {
        let names: Vec<_> = PARAMETERS.iter().filter(|dial| dial.group == group).map(|dial| dial.name.to_owned()).collect();
        assert_eq!(rows(table).iter().map(|row| row.data("name").to_owned()).collect::<Vec<_>>(), names, "#{table}");
    }
}

#[test]
fn recordings_are_bounded_as_the_page_says() {
    let page: Vec<_> =
        rows("bounds-wetmap_paint").iter().map(|row| (row.data("name").to_owned(), row.data("value").to_owned())).collect();
    let program = [
        ("events", MAX_EVENTS),
        ("ticks", wetmap_paint::MAX_TICKS as usize),
        ("size", wetmap_paint::replay::MAX_REPLAY_SIZE as usize),
        ("link", web::link::MAX_BYTES),
        ("file", wetmap_paint::replay::MAX_FILE_BYTES),
    ];
    assert_eq!(page, program.map(|(name, most)| (name.to_owned(), most.to_string())));
    for row in rows("bounds-wetmap_paint") {
        assert!(row.cells[1].starts_with(row.data("value")), "what a reader sees: {}", row.cells[1]);
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
    // And the other way: the second column, the features that stand beside some names aside.
    let page: Vec<_> = rows("api-bevy_wetmap").iter().map(|row| row.cells[0].clone()).collect();
    for row in table.lines().filter_map(|line| line.strip_prefix("| ")).skip(1) {
        let names = row.split(" | ").nth(1).map_or("", |names| names.split(" (").next().unwrap_or(names));
        for name in quoted(names) {
            assert!(page.iter().any(|names| names.split(", ").any(|named| named == name)), "{name} is on the page");
        }
    }
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn page_readme_and_program_have_the_same_methods() {
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let program = CANVAS.lines().filter_map(|line| line.strip_prefix("    pub fn ")?.split('(').next()).map(str::to_owned);
    let program = sorted(program.collect());
    assert!(program.len() > 20, "{program:?}");
    let page = rows("api-WetCanvas").iter().map(|row| row.data("name").to_owned()).collect();
    assert_eq!(sorted(page), program, "left: the page; right: crates/bevy_wetmap/src/canvas.rs");
    let readme =
        CRATE.split_once("`WetCanvas` has ").and_then(|(_, rest)| rest.split_once("\n\n")).map_or("", |(names, _)| names);
    assert_eq!(sorted(quoted(readme).into_iter().map(str::to_owned).collect()), program, "left: the README");
}

/// A time in a table of the crate's README, ms: the number in cell `column` of the first row after `section` that begins with these cells.
fn measured(section: &str, begins: &str, column: usize) -> f64 {
    let table = CRATE.split_once(section).map_or("", |(_, rest)| rest);
    let row = table.lines().find(|line| line.starts_with(begins)).unwrap_or_default();
    let cell = row.split('|').nth(column).and_then(|cell| cell.split_whitespace().next());
    cell.and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("the README has no figure for `{begins}` after `{section}`"))
}

/// With the two digits that a reader can use.
fn two_digits(x: f64) -> String {
    let decimals = (1 - x.log10().floor() as i32).max(0) as usize;
    format!("{x:.decimals$}")
}

#[test]
fn what_was_measured_is_what_the_crate_says() {
    const NATIVE: &str = "<!-- cargo xtask bench wetmap -->";
    const WEB: &str = "<!-- cargo xtask bench wetmap_web -->";
    let at_sizes = |section, scene: &str, column| {
        ["128", "256", "512"].map(|size| two_digits(measured(section, &format!("| {scene} | {size} |"), column)))
    };
    let ticks = |section| {
        let [[a, b, c], [d, e, f]] = ["fully wet", "ten stains"].map(|scene| at_sizes(section, scene, 4));
        format!("fully wet: {a} ms at 128, {b} at 256, {c} at 512; ten stains: {d}, {e}, {f} ms")
    };
    let still = |size: &str| ["dry", "empty"].map(|scene| measured(NATIVE, &format!("| {scene} | {size} |"), 4) * 1e3);
    let still = ["128", "256", "512"].iter().flat_map(|size| still(size)).fold(0.0, f64::max);
    let [a, b, c] = ["128", "256", "512"].map(|size| two_digits(measured("| of a canvas |", &format!("| | {size} |"), 3)));
    let [d, e, f] =
        ["128²", "256²", "512²"].map(|size| two_digits(measured("| hit |", &format!("| `paint_uv`, 10 cm on {size} |"), 2)));
    let [few, many] = ["4096", "102400"].map(|count| two_digits(measured("| ray |", &format!("| {count} triangles |"), 5)));

    let page = rows("measured-wetmap_paint");
    let row = |name: &str| page.iter().find(|row| row.data("name") == name).map(|row| row.cells.clone()).unwrap_or_default();
    for (name, figures) in [
        ("tick-native", format!("{}; dry or empty: {} µs at the most", ticks(NATIVE), two_digits(still))),
        ("digest", format!("{a} ms at 128, {b} at 256, {c} at 512")),
        (
            "hit",
            format!(
                "a 10 cm stain: {d} ms at 128, {e} at 256, {f} at 512; finding the triangle: {few} ms among 4,096, {many} ms among 102,400"
            ),
        ),
        ("tick-wasm", ticks(WEB)),
    ] {
        assert_eq!(
            row(name).get(1),
            Some(&figures),
            "{name}: left: the page; right: the tables of crates/bevy_wetmap/README.md"
        );
    }
    for (name, section) in [("tick-native", NATIVE), ("tick-wasm", WEB)] {
        // "… server with two cores, 1 December 2026"
        let how = row(name).pop().unwrap_or_default();
        let date = how.rsplit_once(", ").map_or("", |(_, date)| date);
        let paragraph =
            CRATE.split_once(section).and_then(|(_, rest)| rest.trim_start().split("\n\n").next()).unwrap_or_default();
        assert!(!date.is_empty() && paragraph.contains(date), "{name} is of `{date}`, and the README says: {paragraph}");
    }
}
