use super::*;
use crate::{Machine, parameters};
use serde_json::json;
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use web::link::{MAX_BYTES, MAX_PAIRS};

#[path = "../../../../web/tests/common/mod.rs"]
mod hostile;

/// Links that have been sent, with what each opens. They stay as they are: a link of version 1 means for ever what it meant.
const SENT: &str = include_str!("../../../../tests/cases/ocean-links.json");

#[derive(Debug)]
struct Sent {
    link: String,
    /// Values by their names in a link, given or not.
    opens: BTreeMap<String, String>,
    /// The link of what has been opened.
    again: String,
    /// Kind and name of each notice.
    notices: Vec<(String, String)>,
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
        });
        cases.collect()
    }
}

/// What a state has for a name, as a link would have it.
fn value_of(state: &State, name: &str) -> Option<String> {
    let dials = dials::all(&state.surface);
    let item = ITEMS.iter().find(|item| item.name == name).map(|item| (item.write)(state));
    item.or_else(|| dials.into_iter().find(|dial| dial.0 == name).map(|dial| dial.1))
}

fn said(notices: &[Notice]) -> Vec<(String, String)> {
    notices.iter().map(|notice| (notice.kind().to_owned(), notice.name().unwrap_or_default().to_owned())).collect()
}

/// The preset as it is where nothing limits it.
fn link_of(state: &State) -> String {
    state.link(&WaterSurface::from(state.preset))
}

#[test]
fn links_that_were_sent_open_what_they_opened() {
    let cases = Sent::all();
    assert!(cases.len() >= 20);
    for Sent { link, opens, again, notices } in cases {
        let opened = read(&link);
        for (name, value) in opens {
            assert_eq!(value_of(&opened.state, &name), Some(value), "{name} of {link}");
        }
        assert_eq!(opened.link(), again, "{link}");
        assert_eq!(said(&opened.notices), notices, "{link}");
        assert!(read(&again).notices.is_empty() && read(&again).link() == again, "{again}");
    }
}

#[test]
fn a_preset_is_its_name_and_the_first_one_is_nothing() {
    for preset in Preset::ALL {
        let state = State::of(preset);
        let link = link_of(&state);
        let name = format!("{preset:?}");
        assert_eq!(link.is_empty(), preset == Preset::Ocean, "{name}");
        assert!(link.matches('&').count() <= 1, "{link}");
        assert_eq!(read(&link).state, state, "{name}");
    }
}

#[test]
fn what_a_machine_leaves_out_is_not_in_the_link() {
    let mut base = WaterSurface::from(Preset::Arctic);
    base.wave_resolution = 128;
    base.wave_mesh_quality = bevy_ocean::WaveMeshQuality::Low;
    let mut state = State { surface: base.clone(), ..State::of(Preset::Arctic) };
    assert_eq!(state.link(&base), "v=1&preset=arctic");
    state.surface.roughness = 0.2;
    assert_eq!(state.link(&base), "v=1&preset=arctic&roughness=0.2");
}

/// A small generator: variety, not quality.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn between(&mut self, min: f32, max: f32) -> f32 {
        min + (max - min) * self.below(1 << 24) as f32 / (1 << 24) as f32
    }

    fn state(&mut self) -> State {
        let mut state = State::of(Preset::ALL[self.below(7)]);
        if self.below(2) == 0 {
            let _ = parameters::set(&mut state.surface, "cascades", &json!(1 + self.below(8)), Machine::Gpu);
        }
        let names: Vec<String> =
            parameters::values(&state.surface).as_object().into_iter().flatten().map(|pair| pair.0.clone()).collect();
        for _ in 0..self.below(12) {
            let name = &names[self.below(names.len())];
            if name != "cascades" {
                let number = self.between(-0.5, 3.0).exp2();
                let values =
                    [json!(number), json!([number, 0.5 * number, 0.1]), json!(true), json!("physical"), json!("custom")];
                let _ = parameters::set(&mut state.surface, name, &values[self.below(values.len())], Machine::Gpu);
            }
        }
        if self.below(2) == 0 {
            state.sun =
                Sun { sky: Sky::ALL[self.below(3)], azimuth: self.between(0.0, 360.0), elevation: self.between(-6.0, 85.0) };
            state.wind = (self.between(0.0, 60.0), self.between(0.0, 360.0));
            state.pose.place =
                bevy::math::Vec3::new(self.between(-900.0, 900.0), self.between(0.0, 99.0), self.between(-9.0, 9.0));
            (state.pose.yaw, state.pose.pitch) = (self.between(0.0, TAU), self.between(-1.5, 1.5));
            state.view.lines = self.below(2) == 0;
            state.view.cascade = self.below(state.surface.sea.cascades.len()) as u32;
            state.paused = self.below(2) == 0;
        }
        state
    }
}

#[test]
fn a_state_is_opened_as_it_was_written() {
    let mut random = Lcg(3);
    for _ in 0..1000 {
        let state = random.state();
        let link = link_of(&state);
        let opened = read(&link);
        assert!(opened.notices.is_empty(), "{link}: {:?}", opened.notices);
        assert_eq!(opened.link(), link);
        assert_eq!(opened.state.surface, state.surface, "dials have all their digits: {link}");
        assert!((opened.state.pose.place - state.pose.place).abs().max_element() <= 0.0051, "{link}");
        assert!((opened.state.pose.pitch - state.pose.pitch).abs() <= 0.00006, "{link}");
    }
}

#[test]
fn the_longest_link_fits() {
    let mut state = State::of(Preset::Swamp);
    let _ = parameters::set(&mut state.surface, "cascades", &json!(8), Machine::Gpu);
    let values = parameters::values(&state.surface);
    let names = values.as_object().into_iter().flatten().map(|pair| pair.0.as_str()).filter(|name| *name != "cascades");
    for name in names {
        for value in [
            json!(1.234_567_8),
            json!([0.123_456_78, 0.234_567_8, 0.345_678_9]),
            json!("custom"),
            json!("physical"),
            json!(true),
        ] {
            let _ = parameters::set(&mut state.surface, name, &value, Machine::Gpu);
        }
    }
    state.sun = Sun { sky: Sky::Overcast, azimuth: 123.45, elevation: -5.43 };
    state.wind = (12.34, 123.45);
    state.pose.place = bevy::math::Vec3::new(-123_456.78, 1234.56, -123_456.78);
    state.view = WaterView { lines: true, map: bevy_ocean::MapView::Displacement, cascade: 7 };
    state.paused = true;
    let link = link_of(&state);
    let pairs = link.matches('&').count();
    assert!(pairs > 120 && 2 * pairs <= 3 * MAX_PAIRS / 2 && 2 * link.len() < MAX_BYTES, "{pairs} pairs, {} bytes", link.len());
    assert_eq!(read(&link).link(), link);
    assert!(read(&link).notices.is_empty());
}

/// Whatever is opened is a sea that can be drawn, and its link opens it again.
fn harmless(fragment: &str) {
    let opened = read(fragment);
    let surface = &opened.state.surface;
    assert_eq!(surface.admitted().sea, surface.sea, "{fragment}");
    let State { pose, sun, wind, view, .. } = &opened.state;
    assert!(pose.place.is_finite() && pose.yaw.is_finite() && pose.pitch.abs() <= 1.5, "{fragment}");
    assert!(
        sun.azimuth.is_finite() && (-6.0..=85.0).contains(&sun.elevation) && wind.0.is_finite() && wind.1.is_finite(),
        "{fragment}"
    );
    assert!((view.cascade as usize) < surface.sea.cascades.len(), "{fragment}");
    assert!(opened.notices.iter().all(|notice| notice.to_string().chars().count() < 600), "{fragment}: {:?}", opened.notices);
    let link = opened.link();
    let again = read(&link);
    assert_eq!((again.link(), again.notices), (link, vec![]), "{fragment}");
}

#[test]
fn hostile_links_open_a_sea_that_can_be_drawn() {
    let mut hostile = hostile::Hostile::new(11);
    (0..10_000).for_each(|_| harmless(&hostile.fragment()));
}

#[test]
fn no_value_of_any_name_does_harm() {
    let mut surface = WaterSurface::default();
    let _ = parameters::set(&mut surface, "cascades", &json!(8), Machine::Gpu);
    // The first and the last cascade stand for the others.
    let one_of_many = |name: &str| name.contains('.') && !name.starts_with("c1.") && !name.starts_with("c8.");
    let mut names: Vec<String> =
        dials::all(&surface).into_iter().map(|dial| dial.0).filter(|name| !one_of_many(name)).collect();
    names.extend(ITEMS.iter().map(|item| item.name.to_owned()));
    names.extend(
        ["c9.swell", "c0.swell", "c01.swell", "c.swell", "cascade1.swell", "c1", "water", "amp;preset"].map(str::to_owned),
    );
    let numbers = "0 -0 -1 1e999 -1e300 1e-300 NaN inf 0x10 4294967296 99999999999999999999999999 1,2,3 -1,NaN,9 ,, 1,2,3,4,5";
    let others = "on off ocean custom 🌊 %F0%9F%8C%8A 1e300,-1e300,1e300,1e300,-1e300";
    let values: Vec<&str> = numbers.split(' ').chain(others.split(' ')).chain([""]).collect();
    for name in &names {
        for value in &values {
            harmless(&format!("v=1&{name}={value}"));
        }
        harmless(&format!("v=1&{name}={}", "9".repeat(5000)));
    }
}
