//! Scripts as short texts: what is read is what was written, a dozen hits are short, and whatever a stranger sends is read in vain and without harm.
#![cfg(feature = "script")]

use bevy_wetmap::script::{
    CompactError, Event, Expectation, Float, MAX_COMPACT_CHARS, MAX_EVENTS, Player, Script, ScriptSettings, ScriptShape, Step,
};
use bevy_wetmap::{Looks, WetSettings};

fn shape(seed: u32) -> ScriptShape {
    let direction = [0.6, 0.8].map(Float);
    ScriptShape {
        major: Float(0.1),
        minor: Float(0.07),
        spines: 9,
        satellites: 3,
        direction,
        seed: seed.wrapping_mul(0x9E37_79B9),
    }
}

/// Hits with everything else between them.
fn script(hits: u32) -> Script {
    let mut events: Vec<_> = (0..hits)
        .map(|hit| Event::Uv { tick: 7 * hit, uv: [0.2 + 0.6 * (hit as f32 / hits as f32), 0.5].map(Float), shape: shape(hit) })
        .collect();
    events.push(Event::Gravity { tick: 7 * hits, gravity: [-1.0, 0.0].map(Float) });
    let settings = ScriptSettings { drip_rate: Some(Float(0.1)), edge_samples: Some(2), ..Default::default() };
    events.push(Event::Settings { tick: 7 * hits, settings });
    events.push(Event::Uv { tick: 7 * hits + 5, uv: [0.5, 0.5].map(Float), shape: shape(99) });
    let mut script = Script {
        id: "a test".into(),
        size: 64,
        ticks: 7 * hits + 5,
        gravity: [0.0, 1.0].map(Float),
        settings: ScriptSettings { dry_ticks: Some(400), humidity: Some(Float(0.5)), ..Default::default() },
        events,
        ends_painted: true,
        mesh: None,
        transform: None,
        expect: vec![Expectation { after_ticks: 7 * hits + 5, digest: "0".repeat(16), amount_sum: 0, age_sum: 0 }],
        expect_hits: vec![],
    };
    script.expect = script.replay().expect("64 is a size").states;
    script
}

#[test]
fn what_is_read_is_what_was_written() {
    for hits in [0, 1, 12, 300] {
        let script = script(hits);
        let text = script.to_compact().expect("it has a compact form");
        assert_eq!(Script::from_compact(&text), Ok(script.clone()));
        assert!(script.is_met_by(&script.replay().expect("64 is a size")));
        let json = serde_json::to_string(&script).expect("a script can be written");
        assert_eq!(serde_json::from_str::<Script>(&json).expect("and read"), script);
    }
}

#[test]
fn a_dozen_hits_are_short() {
    let text = script(12).to_compact().expect("it has a compact form");
    assert!(text.len() < 800, "{} characters", text.len());
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "nothing that a link must escape");
}

#[test]
fn the_published_cases_without_a_mesh_survive_it() {
    let cases: Vec<Script> =
        serde_json::from_str(include_str!("../../../tests/cases/wetmap-digests.json")).expect("the case file is well-formed");
    let mut survived = 0;
    for case in cases {
        let shoots = case.mesh.is_some() || case.events.iter().any(|event| matches!(event, Event::Ray { .. }));
        match case.to_compact() {
            Ok(text) => {
                assert!(!shoots);
                let again = Script::from_compact(&text).expect("what was written can be read");
                assert!(again.is_met_by(&again.replay().expect("a size within the limits")), "{}", case.id);
                survived += 1;
            }
            Err(error) => {
                assert!(matches!(error, CompactError::NoPlaceFor { .. } | CompactError::TooMany { .. }), "{}: {error}", case.id)
            }
        }
    }
    assert!(survived > 20, "{survived}");
}

#[test]
fn what_has_no_place_is_refused_by_name() {
    let plain = script(1);
    let cases = [
        (Script { id: "x".repeat(65), ..plain.clone() }, "name's length"),
        (Script { size: 5000, ..plain.clone() }, "size"),
        (Script { events: vec![plain.events[0]; MAX_EVENTS + 1], ..plain.clone() }, "number of events"),
        (Script { expect_hits: vec![true], ..plain.clone() }, "mesh"),
        (Script { expect: vec![Expectation { digest: "x".into(), ..plain.expect[0].clone() }], ..plain.clone() }, "digest"),
    ];
    for (script, what) in cases {
        let error = script.to_compact().expect_err(what).to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn damage_has_a_name() {
    let text = script(3).to_compact().expect("it has a compact form");
    assert_eq!(Script::from_compact(""), Err(CompactError::CutOff));
    assert_eq!(Script::from_compact(&text[..text.len() / 2 / 4 * 4]), Err(CompactError::CutOff));
    assert!(matches!(
        Script::from_compact(&format!("{text}AAAA")),
        Err(CompactError::Trailing | CompactError::NotBase64 { .. })
    ));
    assert_eq!(Script::from_compact("AAA?"), Err(CompactError::NotBase64 { at: 3 }));
    assert_eq!(Script::from_compact("CQAA"), Err(CompactError::Version { version: 9 }));
    let chars = MAX_COMPACT_CHARS + 1;
    assert_eq!(Script::from_compact(&"A".repeat(chars)), Err(CompactError::TooLong { chars }));
    // Version 1, no flags, size 64, no ticks, no name, no gravity, no settings, and then 2³⁵ events.
    let hostile = [&[1, 0, 64, 0, 0][..], &[0; 8], &[0], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x01]].concat();
    let refused = Script::from_compact(&data_encoding::BASE64URL_NOPAD.encode(&hostile));
    assert_eq!(refused, Err(CompactError::TooMany { what: "number of events", count: 1 << 35, most: MAX_EVENTS as u64 }));
}

#[test]
fn ten_thousand_damaged_texts_do_no_harm() {
    let whole = script(6).to_compact().expect("it has a compact form");
    let bytes = data_encoding::BASE64URL_NOPAD.decode(whole.as_bytes()).expect("what was written is base64url");
    let mut state = 0x5eed_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut read, mut refused) = (0, 0);
    for round in 0..10_000 {
        let text = if round % 4 == 0 {
            (0..random(200)).map(|_| char::from(32 + random(95) as u8)).collect()
        } else {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random(5) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = random(256) as u8,
                    1 => bytes[at] ^= 1 << random(8),
                    2 => bytes.insert(at, random(256) as u8),
                    _ => bytes.truncate(at + 1),
                }
            }
            data_encoding::BASE64URL_NOPAD.encode(&bytes)
        };
        match Script::from_compact(&text) {
            Ok(script) => {
                read += 1;
                assert!(script.events.len() <= MAX_EVENTS);
                // What could be read can be written, and is the same again: NaN is not equal to itself, so what is compared is the text.
                let again = script.to_compact().expect("what was read has a compact form");
                let script = Script::from_compact(&again).expect("and can be read");
                assert_eq!(script.to_compact().as_ref(), Ok(&again));
                // Another script, which may say anything: of its first steps none does harm.
                let mut map = bevy_wetmap::Wetmap::new(16, [0.5; 3], 0.5).expect("16 is a size");
                let mut player = Player::new(&script);
                for step in std::iter::from_fn(|| player.advance()).take(20).collect::<Vec<_>>() {
                    match step {
                        Step::Stain { tick, uv, shape } => drop(map.paint_uv(uv, &shape, tick)),
                        Step::Shot { .. } => unreachable!("the form has no rays"),
                        Step::Tick { tick } => map.tick(tick, [0.0, 1.0], &WetSettings::default()),
                    }
                }
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read > 500 && refused > 4000, "{read} read, {refused} refused: both ways are tried");
}

#[test]
fn a_player_has_each_change_in_force_from_its_tick_on() {
    let script = script(1);
    let mut player = Player::new(&script);
    let mut ticks = 0;
    while let Some(step) = player.advance() {
        let changed = ticks >= 7;
        assert_eq!(player.gravity(), if changed { [-1.0, 0.0] } else { [0.0, 1.0] }, "tick {ticks}");
        let drip_rate = if changed { 0.1 } else { WetSettings::default().drip_rate };
        assert_eq!(*player.settings(), WetSettings { drip_rate, dry_ticks: 400, humidity: 0.5, ..Default::default() });
        assert_eq!(player.looks(), Looks { edge_samples: if changed { 2 } else { 1 }, film: None });
        ticks += u32::from(matches!(step, Step::Tick { .. }));
    }
    assert_eq!(ticks, script.ticks);
    assert_eq!(player.advance(), None, "the end is the end");
}
