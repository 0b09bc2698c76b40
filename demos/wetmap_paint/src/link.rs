//! What a link says of this demo, and what is made of one.
//!
//! Dials go by their names, what stands at its default is left out, and beside them stand `fast=on`, `paused=on`, `digest=off`,
//! `camera=YAW,PITCH` in radians, and `script=`, a recording that is played when the link is opened. Nothing in a link is trusted, and whatever cannot be used
//! becomes a [`Notice`].

use crate::dials::Dials;
use crate::parameters::{self, Kind, PARAMETERS, Setting};
use crate::replay;
use crate::studio::{LOWEST_PITCH, Orbit, STEEPEST_PITCH};
use bevy_wetmap::script::Script;
use serde_json::Value;
use std::f64::consts::TAU;
use web::link::{Link, Notice};

/// What a link can say besides the dials, in the order in which it is written.
pub const NAMES: [&str; 5] = ["fast", "paused", "digest", "camera", SCRIPT];

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
pub struct Opened {
    pub(crate) view: View,
    /// A recording, with its text as it stood there.
    pub(crate) script: Option<(Script, String)>,
    /// What of it was not used, or not as it stands there.
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
    let camera = text_of_orbit(view.orbit);
    if camera != text_of_orbit(usual.orbit) {
        link.push("camera", &camera)?;
    }
    script.map_or(Ok(()), |script| link.push(SCRIPT, script))?;
    Ok(link)
}

/// [`write`] for a recording that a link has brought. Where it leaves no room for the view it stands alone, as it may have come.
pub(crate) fn write_beside(view: &View, script: Option<&str>) -> Link {
    write(view, script).or_else(|_| write(&View::default(), script)).unwrap_or_default()
}

/// What a fragment says.
pub fn read(fragment: &str) -> Opened {
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
    /// The link as this program writes it, without its `#`; empty where everything stands at its default.
    pub fn link(&self) -> String {
        write_beside(&self.view, self.script.as_ref().map(|(_, text)| text.as_str())).to_string()
    }

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
                let read = orbit_of(value).ok_or_else(|| refused("it is two numbers with a comma between.".into()))?;
                view.orbit = read.0;
                Ok(read.1)
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

/// Where a camera is that has orbited so far, with a sentence where that is another place: it stays where there is something to see. Sideways it goes round.
fn orbit_of(text: &str) -> Option<(Orbit, Option<String>)> {
    let (yaw, pitch) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (yaw, given) = (number(yaw)?.rem_euclid(TAU) as f32, number(pitch)? as f32);
    let pitch = given.clamp(LOWEST_PITCH, STEEPEST_PITCH);
    let said = (pitch != given).then(|| format!("up, it is {pitch} rad now, the nearest to what was asked for."));
    Some((Orbit { yaw, pitch }, said))
}

fn text_of_orbit(Orbit { yaw, pitch }: Orbit) -> String {
    let scale = 10f64.powi(CAMERA_PLACES as i32);
    // −0 is written otherwise than 0.
    let [yaw, pitch] = [yaw, pitch].map(|radians| (f64::from(radians) * scale).round() / scale + 0.0);
    format!("{yaw:.CAMERA_PLACES$},{pitch:.CAMERA_PLACES$}")
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
mod tests;
