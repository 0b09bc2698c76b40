//! The table of links on the notes page of *Ocean* against the program, by opening them. The page is right.

use ocean_demo::link::{ITEMS, read};
use tests::{Page, Row};
use web::link::{MAX_BYTES, MAX_PAIRS, Notice, VERSION};

const NOTES: &str = include_str!("../site/notes/ocean.html");

fn rows() -> Vec<Row> {
    let rows = Page::of(NOTES).rows("links-ocean");
    assert!(!rows.is_empty(), "the notes page has no table #links-ocean");
    rows
}

fn kinds(fragment: &str) -> Vec<&'static str> {
    read(fragment).notices.iter().map(Notice::kind).collect()
}

#[test]
fn a_link_has_the_pages_names_in_its_order() {
    let named: Vec<_> = rows().iter().map(|row| row.data("name").to_owned()).collect();
    let mut known = vec!["v"];
    known.extend(ITEMS.iter().map(|item| item.name));
    known.push("dials");
    assert_eq!(named, known, "left: the page; right: demos/ocean/src/link/items.rs");
    assert_eq!(rows()[0].data("options"), VERSION.to_string());
}

#[test]
fn every_default_of_the_page_is_left_out() {
    let with_default = rows().into_iter().filter(|row| !row.data("default").is_empty());
    for row in with_default {
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
        assert_eq!(row.cells[1], row.list("options").join(", "), "what a reader sees");
    }
}

/// What is opened where the number of a row at `place` is another, as kinds of notices and numbers.
fn with_number(row: &Row, numbers: &[&str], place: usize, number: &str) -> (Vec<&'static str>, Vec<String>) {
    let mut numbers = numbers.to_vec();
    numbers[place] = number;
    // A sea of eight cascades has every map.
    let link = format!("v=1&cascades=8&{}={}", row.data("name"), numbers.join(","));
    let written = read(&link).link();
    let value = written.split('&').find_map(|pair| pair.strip_prefix(&format!("{}=", row.data("name"))));
    let value = value.map_or_else(|| row.list("default").join(","), str::to_owned);
    (kinds(&link), value.split(',').map(str::to_owned).collect())
}

#[test]
fn the_numbers_of_a_link_have_the_pages_ranges() {
    for row in rows().iter().filter(|row| !row.data("min").is_empty()) {
        let [min, max, wrap, default] = ["min", "max", "wrap", "default"].map(|key| row.list(key));
        assert!([&max, &wrap, &default].iter().all(|list| list.len() == min.len()), "{row:?}");
        for place in 0..min.len() {
            let with = |number: &str| with_number(row, &default, place, number);
            let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
            let (below, above) = (format!("{}", number(min[place]) - 1.0), format!("{}", number(max[place]) + 1.0));
            if wrap[place] == "circle" {
                assert_eq!((kinds_of(with(&below)), kinds_of(with(&above))), (vec![], vec![]), "a circle goes around: {row:?}");
                assert_eq!(with(max[place]).1[place], with(min[place]).1[place], "its end is its beginning");
                continue;
            }
            for end in [min[place], max[place]] {
                let (kinds, used) = with(end);
                assert_eq!((kinds, used[place].as_str()), (vec![], end), "{row:?}");
            }
            for (beyond, end) in [(&below, min[place]), (&above, max[place])] {
                let (kinds, used) = with(beyond);
                assert_eq!((kinds, used[place].as_str()), (vec!["adjusted"], end), "{beyond} of {row:?}");
            }
        }
    }
}

fn kinds_of((kinds, _): (Vec<&'static str>, Vec<String>)) -> Vec<&'static str> {
    kinds
}

#[test]
fn links_are_as_long_as_the_page_says() {
    let text: String = NOTES.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((MAX_BYTES, MAX_PAIRS), (16_384, 256));
    assert!(text.contains("beyond 16,384 bytes or 256 values is ignored"));
}

#[test]
fn the_pages_example_is_a_link() {
    let text =
        NOTES.split_once("<code>#v=1").and_then(|(_, rest)| rest.split_once("</code>")).map_or("", |(example, _)| example);
    let link = format!("v=1{}", text.replace("&amp;", "&"));
    assert!(link.len() > 20);
    assert_eq!(kinds(&link), [""; 0], "{link}");
    // Names in any order.
    let mut pairs: Vec<_> = link.split('&').collect();
    let opened = read(&link).link();
    let mut written: Vec<_> = opened.split('&').collect();
    pairs.sort_unstable();
    written.sort_unstable();
    assert_eq!(pairs, written);
}
