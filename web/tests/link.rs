//! The grammar of links: what is written is read, and what cannot be used is said and harms nothing.

mod common;

use common::{Hostile, LINKS};
use web::link::{Link, MAX_BYTES, MAX_PAIRS, Notice, is_link};

fn kinds(notices: &[Notice]) -> Vec<&'static str> {
    notices.iter().map(Notice::kind).collect()
}

fn pairs(link: &Link) -> Vec<(&str, &str)> {
    link.pairs().collect()
}

#[test]
fn a_link_is_read_as_it_was_written() {
    let mut link = Link::new();
    let values = [
        ("preset", "stormy_ocean"),
        ("c2.wind_speed", "12.5"),
        ("camera", "0,2.5,0,0.3,-0.1"),
        ("empty", ""),
        ("note", "a&b=c#d %41 100% ✓ \u{0}"),
    ];
    for (name, value) in values {
        assert_eq!(link.push(name, value), Ok(()));
    }
    let written = link.to_string();
    assert_eq!(
        written,
        "v=1&preset=stormy_ocean&c2.wind_speed=12.5&camera=0,2.5,0,0.3,-0.1&empty=&note=a%26b%3Dc%23d%20%2541%20100%25%20%E2%9C%93%20%00"
    );
    assert_eq!(Link::read(&written), (link.clone(), vec![]));
    assert_eq!(Link::read(&format!("#{written}")), (link.clone(), vec![]));
    assert_eq!(pairs(&link), values);
    assert_eq!((link.get("empty"), link.get("none")), (Some(""), None));
}

#[test]
fn what_is_no_pair_is_said_and_the_rest_is_kept() {
    let cases: [(&str, &[&str], &[(&str, &str)]); 17] = [
        ("v=1", &[], &[]),
        ("v=1&a=1&&b=2&", &[], &[("a", "1"), ("b", "2")]),
        ("a=1", &["no-version"], &[("a", "1")]),
        ("a=1&v=1", &[], &[("a", "1")]),
        ("v=&a=1", &["unknown-version"], &[("a", "1")]),
        ("v=0&a=1", &["unknown-version"], &[("a", "1")]),
        ("v=x&a=1", &["unknown-version"], &[("a", "1")]),
        ("v=2&a=1", &["newer-version"], &[("a", "1")]),
        ("v=1&v=2&a=1", &["duplicate"], &[("a", "1")]),
        ("v=1&a=1&a=2", &["duplicate"], &[("a", "1")]),
        ("v=1&preset&a=1", &["malformed"], &[("a", "1")]),
        ("v=1&=3&a=1", &["malformed"], &[("a", "1")]),
        ("v=1&<b>=3&a=1", &["malformed"], &[("a", "1")]),
        ("v=1&a=%ff&b=2", &["not-text"], &[("b", "2")]),
        ("v=1&%61=%31&b=2", &[], &[("a", "1"), ("b", "2")]),
        ("v=1&a=50%&b=%zz", &[], &[("a", "50%"), ("b", "%zz")]),
        ("v=1&a=b=c", &[], &[("a", "b=c")]),
    ];
    for (fragment, said, kept) in cases {
        let (link, notices) = Link::read(fragment);
        assert_eq!((kinds(&notices).as_slice(), pairs(&link).as_slice()), (said, kept), "{fragment}");
    }
}

#[test]
fn a_notice_names_what_it_is_about_and_shows_nothing_that_is_long_or_hidden() {
    let (_, notices) = Link::read(&format!("v=1&paused=%ff&a\u{202e}\u{0}{}", "x".repeat(1000)));
    assert_eq!(notices[0].name(), Some("paused"));
    assert_eq!(notices[0].to_string(), "Ignored paused: its value is not text.");
    let text = notices[1].to_string();
    assert!(
        text.starts_with("Ignored “a") && text.contains('…') && text.chars().count() < 100 && !text.contains('\0'),
        "{text}"
    );
}

#[test]
fn the_place_of_something_on_the_page_is_no_link() {
    for place in ["#proof", "#notes-ocean", "stage"] {
        assert!(!is_link(place), "{place}");
    }
    assert!(LINKS.iter().chain(&["", "#"]).all(|link| is_link(link)));
    assert_eq!(Link::read(&Link::new().to_string()), (Link::new(), vec![]), "an empty one says nothing, and lacks nothing");
}

#[test]
fn a_link_ends_where_it_may_not_be_longer() {
    let long = "x".repeat(MAX_BYTES);
    let (link, notices) = Link::read(&format!("v=1&a=1&script={long}"));
    assert_eq!((kinds(&notices), pairs(&link)), (vec!["too-long"], vec![("a", "1")]));

    let fits = MAX_BYTES - "v=1&script=".len();
    let (link, notices) = Link::read(&format!("#v=1&script={}", &long[..fits]));
    assert_eq!((notices.len(), link.to_string().len()), (0, MAX_BYTES));
    let (_, notices) = Link::read(&format!("#v=1&script={}", &long[..=fits]));
    assert_eq!(kinds(&notices), ["too-long"]);

    // It would be longer once written than it was.
    let (link, notices) = Link::read(&format!("v=1&script={}&a=1", " ".repeat(MAX_BYTES / 2)));
    assert_eq!((kinds(&notices), pairs(&link)), (vec!["too-long"], vec![("a", "1")]));

    let many = |count: usize| (0..count).map(|i| format!("&n{i}=1")).collect::<String>();
    let (link, notices) = Link::read(&format!("v=1{}", many(MAX_PAIRS)));
    assert_eq!((notices.len(), pairs(&link).len()), (0, MAX_PAIRS));
    for fragment in [format!("v=1{}", many(2 * MAX_PAIRS)), format!("v=1{}", "&n".repeat(5000))] {
        let (link, notices) = Link::read(&fragment);
        assert!(notices.contains(&Notice::TooMany) && pairs(&link).len() <= MAX_PAIRS);
    }
}

#[test]
fn what_cannot_stand_in_a_link_is_refused_when_written_too() {
    let mut link = Link::new();
    for name in ["", "v", "a b", "a&b", "naïve", &"n".repeat(49)] {
        assert!(matches!(link.push(name, "1"), Err(Notice::Malformed(_))), "{name}");
    }
    assert_eq!(link.push("a", &"x".repeat(MAX_BYTES)), Err(Notice::TooLong));
    assert_eq!(link.push("a", &" ".repeat(MAX_BYTES / 2)), Err(Notice::TooLong));
    assert_eq!(link.push("a", "1"), Ok(()));
    assert_eq!(link.push("a", "2"), Err(Notice::Duplicate("a".into())));
    assert_eq!(link.to_string(), "v=1&a=1");
}

#[test]
fn ten_thousand_hostile_fragments_are_read_and_what_is_kept_can_be_written() {
    let mut hostile = Hostile::new(7);
    let (mut kept, mut said) = (0, 0);
    for _ in 0..10_000 {
        let fragment = hostile.fragment();
        let (link, notices) = Link::read(&fragment);
        let written = link.to_string();
        assert!(written.len() <= MAX_BYTES && pairs(&link).len() <= MAX_PAIRS, "{fragment}");
        assert_eq!(Link::read(&written), (link, vec![]), "{fragment}");
        assert!(notices.len() <= MAX_PAIRS + 4, "{fragment}");
        for notice in &notices {
            assert!(notice.to_string().chars().count() < 160, "{notice}");
        }
        kept += usize::from(!written.is_empty());
        said += usize::from(!notices.is_empty());
    }
    assert!(kept > 2000 && said > 2000, "mangled links are still links: {kept} kept something, {said} lost something");
}
