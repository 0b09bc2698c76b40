//! The table of links on the notes page of *Wetmap paint* against the program, by opening them. The page is right.

use tests::{Page, Row};
use web::link::{MAX_BYTES, Notice, VERSION};
use wetmap_paint::link::{NAMES, read};
use wetmap_paint::parameters::PARAMETERS;

const NOTES: &str = include_str!("../site/notes/wetmap_paint.html");

fn rows() -> Vec<Row> {
    let rows = Page::of(NOTES).rows("links-wetmap_paint");
    assert!(!rows.is_empty(), "the notes page has no table #links-wetmap_paint");
    rows
}

fn kinds(fragment: &str) -> Vec<&'static str> {
    read(fragment).notices.iter().map(Notice::kind).collect()
}

#[test]
fn a_link_has_the_pages_names_in_its_order() {
    let named: Vec<_> = rows().iter().map(|row| row.data("name").to_owned()).collect();
    let mut known = vec!["v", "dials"];
    known.extend(NAMES);
    assert_eq!(named, known, "left: the page; right: demos/wetmap_paint/src/link.rs");
    assert_eq!(rows()[0].data("options"), VERSION.to_string());
    assert!(PARAMETERS.iter().all(|dial| !known.contains(&dial.name)), "a name means one thing");
}

#[test]
fn every_default_of_the_page_is_left_out() {
    for row in rows().iter().filter(|row| !row.data("default").is_empty()) {
        let link = format!("v=1&{}={}", row.data("name"), row.list("default").join(","));
        let opened = read(&link);
        assert_eq!((opened.link().as_str(), opened.notices.as_slice()), ("", [].as_slice()), "{link}");
    }
}

#[test]
fn every_option_of_the_page_can_be_opened_and_no_other() {
    for row in rows().iter().filter(|row| row.data("name") != "v" && !row.data("options").is_empty()) {
        let name = row.data("name");
        for option in row.list("options") {
            let link = format!("v=1&{name}={option}");
            assert_eq!(kinds(&link), [""; 0], "{link}");
            let left_out = option == row.data("default");
            assert_eq!(read(&link).link(), if left_out { String::new() } else { link });
        }
        assert_eq!(kinds(&format!("v=1&{name}=1,2")), ["refused"], "{name}");
        assert_eq!(row.cells[1..3], [row.list("options").join(", "), row.data("default").to_owned()], "what a reader sees");
    }
}

#[test]
fn the_camera_has_the_pages_ranges() {
    let Some(row) = rows().into_iter().find(|row| row.data("name") == "camera") else {
        panic!("the page has no camera");
    };
    let [min, max, wrap, default] = ["min", "max", "wrap", "default"].map(|key| row.list(key));
    let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
    assert_eq!((wrap, min[0]), (vec!["circle", "range"], "0"));
    let opened = |yaw: &str, pitch: &str| {
        let link = format!("v=1&camera={yaw},{pitch}");
        let written = read(&link).link();
        let camera = written.strip_prefix("v=1&camera=").map_or_else(|| default.join(","), str::to_owned);
        let numbers: Vec<_> = camera.split(',').map(number).collect();
        (kinds(&link), numbers)
    };
    // A circle goes around, and its end is its beginning.
    let around = opened(&format!("{}", number(max[0]) + 1.0), "0.5");
    assert_eq!(around, (vec![], vec![1.0, 0.5]));
    assert_eq!(opened(max[0], "0.5").1, opened(min[0], "0.5").1);
    for end in [min[1], max[1]] {
        assert_eq!(opened("1", end), (vec![], vec![1.0, number(end)]));
    }
    for (beyond, end) in [(number(min[1]) - 1.0, min[1]), (number(max[1]) + 1.0, max[1])] {
        assert_eq!(opened("1", &beyond.to_string()), (vec!["adjusted"], vec![1.0, number(end)]), "{beyond}");
    }
    let seen: Vec<_> = row.cells[2].split(',').map(number).collect();
    assert_eq!(seen, default.iter().map(|text| number(text)).collect::<Vec<_>>(), "what a reader sees");
}

#[test]
fn every_dial_can_stand_in_a_link() {
    for dial in &PARAMETERS {
        assert_eq!(kinds(&format!("v=1&{}=,", dial.name)), ["refused"], "{}", dial.name);
    }
}

#[test]
fn the_pages_example_is_a_link() {
    let text =
        NOTES.split_once("<code>#v=1").and_then(|(_, rest)| rest.split_once("</code>")).map_or("", |(example, _)| example);
    let link = format!("v=1{}", text.replace("&amp;", "&"));
    assert!((21..MAX_BYTES).contains(&link.len()));
    let opened = read(&link);
    assert_eq!((opened.link(), opened.notices), (link, vec![]));
}
