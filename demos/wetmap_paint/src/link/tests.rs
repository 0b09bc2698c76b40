use super::*;
use crate::gravity::Gravity;
use std::collections::BTreeMap;
use web::link::MAX_BYTES;

#[path = "../../../../web/tests/common/mod.rs"]
mod hostile;

/// Links that have been sent, with what each opens. They stay as they are: a link of version 1 means for ever what it meant, and so does a recording in it.
const SENT: &str = include_str!("../../../../tests/cases/wetmap-links.json");

#[derive(Debug)]
struct Sent {
    link: String,
    /// Values by their names in a link, given or not.
    opens: BTreeMap<String, String>,
    /// The link of what has been opened.
    again: String,
    /// Kind and name of each notice.
    notices: Vec<(String, String)>,
    /// What comes out at the end of its recording.
    digest: Option<String>,
}

impl Sent {
    fn all() -> Vec<Self> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let cases: Vec<Value> = serde_json::from_str(SENT).expect("the cases are a list");
        let cases = cases.iter().map(|case| Self {
            link: text(&case["link"]),
            opens: case["opens"].as_object().into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect(),
            again: text(&case["again"]),
            notices: case["notices"].as_array().into_iter().flatten().map(|said| (text(&said[0]), text(&said[1]))).collect(),
            digest: case["digest"].as_str().map(str::to_owned),
        });
        cases.collect()
    }
}

/// What a view has for a name, as a link would have it.
fn value_of_name(view: &View, name: &str) -> Option<String> {
    Some(match name {
        "fast" => on_off(view.fast).into(),
        "paused" => on_off(view.paused).into(),
        "digest" => on_off(view.digest_shown).into(),
        "camera" => text_of_orbit(view.orbit),
        _ => text_of((parameters::named(name)?.get)(&view.dials)),
    })
}

fn said(notices: &[Notice]) -> Vec<(String, String)> {
    notices.iter().map(|notice| (notice.kind().to_owned(), notice.name().unwrap_or_default().to_owned())).collect()
}

#[test]
fn links_that_were_sent_open_what_they_opened() {
    let cases = Sent::all();
    assert!(cases.len() >= 12 && cases.iter().filter(|case| case.digest.is_some()).count() >= 2);
    for Sent { link, opens, again, notices, digest } in cases {
        let opened = read(&link);
        assert_eq!(said(&opened.notices), notices, "{link}");
        for (name, value) in opens {
            assert_eq!(value_of_name(&opened.view, &name), Some(value), "{name} of {link}");
        }
        assert_eq!(opened.link(), again, "{link}");
        assert!(read(&again).notices.is_empty() && read(&again).link() == again, "{again}");
        let played = opened.script.map(|(script, text)| {
            assert_eq!(script.to_compact().as_deref(), Ok(text.as_str()), "it is written as it was");
            let replay = script.replay().expect("a size within the limits");
            assert!(script.is_met_by(&replay), "{:?} of {link}", replay.states);
            replay.states.last().map(|state| state.digest.clone()).unwrap_or_default()
        });
        assert_eq!(played, digest, "{link}");
    }
}

#[test]
fn what_was_written_is_read_again_and_defaults_are_left_out() {
    assert_eq!(write(&View::default(), None).map(|link| link.pairs().count()), Ok(0));
    let mut there = View { fast: true, paused: true, digest_shown: false, ..View::default() };
    there.dials.blood.drip_rate = 0.2;
    there.dials.gravity = Gravity::Up;
    there.dials.looks.film_by_thickness = true;
    there.orbit = Orbit { yaw: 1.5, pitch: -0.125 };
    let text = write(&there, None).map(|link| link.to_string()).unwrap_or_default();
    assert_eq!(text, "v=1&drip_rate=0.2&gravity=up&film_by_thickness=on&fast=on&paused=on&digest=off&camera=1.500,-0.125");
    let opened = read(&text);
    assert_eq!((opened.view, opened.notices), (there, vec![]));
}

#[test]
fn a_camera_that_is_brought_to_where_there_is_something_to_see_says_so() {
    let camera = |text: &str| {
        let opened = read(&format!("v=1&camera={text}"));
        let said: Vec<_> = opened.notices.iter().map(ToString::to_string).collect();
        (text_of_orbit(opened.view.orbit), said)
    };
    assert_eq!(camera("7.0,-0.22"), ("0.717,-0.220".into(), vec![]), "sideways it goes round");
    let (used, said) = camera("1,-9");
    assert_eq!((used.as_str(), said.len()), ("1.000,-0.220", 1));
    assert_eq!(said[0], "Changed camera: up, it is -0.22 rad now, the nearest to what was asked for.");
    assert_eq!(
        camera("-0.0001,1e300"),
        ("6.283,1.250".into(), vec!["Changed camera: up, it is 1.25 rad now, the nearest to what was asked for.".into()])
    );
    for nonsense in ["", "1", "1,2,3", "x,1", "NaN,0", "inf,0", ","] {
        let (used, said) = camera(nonsense);
        assert_eq!((used.as_str(), said.len()), ("0.000,0.180", 1), "{nonsense}");
    }
}

#[test]
fn a_recording_that_leaves_no_room_for_the_view_stands_alone() {
    let longest = "A".repeat(MAX_BYTES - "v=1&script=".len());
    let alone = format!("v=1&script={longest}");
    let there = View { orbit: Orbit { yaw: 1.0, pitch: 0.5 }, paused: true, ..View::default() };
    assert!(write(&there, Some(&longest)).is_err());
    assert_eq!(write_beside(&there, Some(&longest)).to_string(), alone);
    let shorter = &longest[..longest.len() - 64];
    assert_eq!(write_beside(&there, Some(shorter)).to_string(), format!("v=1&paused=on&camera=1.000,0.500&script={shorter}"));
}

/// Whatever is opened can be looked at, and its link opens it again.
fn harmless(fragment: &str) {
    let opened = read(fragment);
    let Orbit { yaw, pitch } = opened.view.orbit;
    assert!(yaw.is_finite() && (LOWEST_PITCH..=STEEPEST_PITCH).contains(&pitch), "{fragment}");
    assert!(opened.notices.iter().all(|notice| notice.to_string().chars().count() < 600), "{fragment}: {:?}", opened.notices);
    let again = read(&opened.link());
    assert_eq!((again.notices.as_slice(), again.link()), ([].as_slice(), opened.link()), "{fragment}");
}

#[test]
fn ten_thousand_hostile_links_are_read_without_harm() {
    let mut hostile = hostile::Hostile::new(13);
    (0..10_000).for_each(|_| harmless(&hostile.fragment()));
}

#[test]
fn ten_thousand_damaged_links_are_read_without_harm() {
    let sent: Vec<_> = Sent::all().into_iter().map(|case| case.link).filter(|link| link.len() > 40).collect();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut played = 0;
    for _ in 0..10_000 {
        let mut bytes = sent[random(sent.len())].clone().into_bytes();
        for _ in 0..1 + random(4) {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = 32 + random(95) as u8,
                1 => bytes.insert(at, b"&=%,.-_#"[random(8)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let fragment = String::from_utf8_lossy(&bytes).into_owned();
        played += usize::from(read(&fragment).script.is_some());
        harmless(&fragment);
    }
    assert!(played > 100, "damaged recordings are still recordings: {played}");
}
