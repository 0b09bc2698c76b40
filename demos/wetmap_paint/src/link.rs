//! What a link says of this demo, and what is made of one.
//!
//! Dials go by their names, what stands at its default is left out, and beside them stand `fast=on`, `paused=on`, `digest=off`,
//! `camera=YAW,PITCH` in radians, and `script=`, a recording that is played when the link is opened. Nothing in a link is trusted, and whatever cannot be used
//! becomes a [`Notice`].

use crate::dials::Dials;
use crate::parameters::{self, Kind, PARAMETERS, Setting};
use crate::replay;
use crate::studio::Orbit;
use bevy_wetmap::script::Script;
use serde_json::Value;
use web::link::{Link, Notice};

/// The name under which a recording stands in a link.
const SCRIPT: &str = "script";

/// Radians are written to this many places: less than a pixel.
const CAMERA_PLACES: usize = 3;

/// What of the demo a link says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    pub dials: Dials,
    pub fast: bool,
    pub paused: bool,
    pub digest_shown: bool,
    pub orbit: Orbit,
}

impl Default for View {
    fn default() -> Self {
        Self { dials: Dials::default(), fast: false, paused: false, digest_shown: true, orbit: Orbit::default() }
    }
}

/// A link's contents.
pub(crate) struct Opened {
    pub view: View,
    /// A recording, with its text as it stood there.
    pub script: Option<(Script, String)>,
    pub notices: Vec<Notice>,
}

/// The link of a view, with the text of a recording if there is one, which has its own dials then.
///
/// # Errors
/// [`Notice`] if a recording makes it too long.
pub(crate) fn write(view: &View, script: Option<&str>) -> Result<Link, Notice> {
    let (mut link, usual) = (Link::new(), View::default());
    for dial in &PARAMETERS {
        let setting = (dial.get)(&view.dials);
        if setting != dial.default_value() && !(dial.recorded && script.is_some()) {
            link.push(dial.name, &text_of(setting))?;
        }
    }
    let mut flag = |name, now: bool, usual: bool| if now == usual { Ok(()) } else { link.push(name, on_off(now)) };
    flag("fast", view.fast, usual.fast)?;
    flag("paused", view.paused, usual.paused)?;
    flag("digest", view.digest_shown, usual.digest_shown)?;
    if view.orbit != usual.orbit {
        let Orbit { yaw, pitch } = view.orbit;
        link.push("camera", &format!("{yaw:.CAMERA_PLACES$},{pitch:.CAMERA_PLACES$}"))?;
    }
    script.map_or(Ok(()), |script| link.push(SCRIPT, script))?;
    Ok(link)
}

/// What a fragment says.
pub(crate) fn read(fragment: &str) -> Opened {
    let (link, notices) = Link::read(fragment);
    let mut opened = Opened { view: View::default(), script: None, notices };
    for (name, value) in link.pairs() {
        match opened.take(name, value) {
            Ok(None) => {}
            Ok(Some(what)) => opened.notices.push(Notice::Adjusted { name: name.into(), what }),
            Err(notice) => opened.notices.push(notice),
        }
    }
    opened
}

impl Opened {
    /// One pair. Gives a sentence where its value was brought to another.
    fn take(&mut self, name: &str, value: &str) -> Result<Option<String>, Notice> {
        let refused = |why: String| Notice::Refused { name: name.into(), why };
        let view = &mut self.view;
        if let Some(dial) = parameters::named(name) {
            return parameters::set(&mut view.dials, name, &value_of(dial.kind, value)).map_err(refused);
        }
        let flag = |flag: &mut bool| {
            *flag = is_on(value).ok_or_else(|| refused("it is on or off.".into()))?;
            Ok(None)
        };
        match name {
            "fast" => flag(&mut view.fast),
            "paused" => flag(&mut view.paused),
            "digest" => flag(&mut view.digest_shown),
            "camera" => {
                let orbit = orbit_of(value).ok_or_else(|| refused("it is two numbers with a comma between.".into()))?;
                view.orbit = orbit;
                Ok(None)
            }
            SCRIPT => {
                let script = replay::of_link(value).map_err(|error| refused(error.to_string()))?;
                self.script = Some((script, value.to_owned()));
                Ok(None)
            }
            _ => Err(Notice::Unknown(name.into())),
        }
    }
}

fn orbit_of(text: &str) -> Option<Orbit> {
    let (yaw, pitch) = text.split_once(',')?;
    let number = |text: &str| text.parse::<f32>().ok().filter(|x| x.is_finite() && x.abs() < 100.0);
    let mut orbit = Orbit { yaw: number(yaw)?, pitch: number(pitch)? };
    // Brings it to where there is something to see.
    orbit.turn(bevy::math::Vec2::ZERO);
    Some(orbit)
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn is_on(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn text_of(setting: Setting) -> String {
    match setting {
        Setting::Number(value) => value.to_string(),
        Setting::Integer(value) => value.to_string(),
        Setting::Flag(on) => on_off(on).into(),
        Setting::Choice(name) => name.into(),
    }
}

/// A text as the value that a panel would send. One that is no number stays a text, and is refused as one.
fn value_of(kind: Kind, text: &str) -> Value {
    let number = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    let value = match kind {
        Kind::Number { .. } | Kind::Integer { .. } => number(),
        Kind::Flag => is_on(text).map(Value::from),
        Kind::Choice(_) => None,
    };
    value.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gravity::Gravity;

    /// What was read of a link's text, without a recording.
    fn view(fragment: &str) -> (View, Vec<&'static str>) {
        let opened = read(fragment);
        (opened.view, opened.notices.iter().map(Notice::kind).collect())
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
        assert_eq!(view(&text), (there, vec![]));
    }

    #[test]
    fn junk_is_said_and_does_no_harm() {
        let (read, kinds) = view("#v=1&drip_rate=9&gravity=away&fast=maybe&camera=1&camera=x&wind=3&script=AAAA&humidity=0.5");
        assert_eq!(read.dials.blood.humidity, 0.5, "what can be used is used");
        assert_eq!(read.dials.blood.drip_rate, 1.0);
        let mut sorted = kinds;
        sorted.sort_unstable();
        assert_eq!(sorted, ["adjusted", "duplicate", "refused", "refused", "refused", "refused", "unknown"]);
    }

    #[test]
    fn ten_thousand_damaged_links_are_read_without_harm() {
        let whole = "v=1&drip_rate=0.2&dry_ticks=900&gravity=up&camera=1.5,-0.1&script=AQBAAAAAAACAPwAAAAAAAAAAAAAA".to_owned();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..10_000 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..1 + random(4) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = 32 + random(95) as u8,
                    1 => bytes.insert(at, b"&=%,.-_#"[random(8)]),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let opened = read(&String::from_utf8_lossy(&bytes));
            assert!(opened.notices.len() <= 64);
            assert!(write(&opened.view, None).is_ok());
        }
    }
}
