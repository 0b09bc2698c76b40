//! The demo's state as a link (the grammar is [`web::link`]'s): what a link opens, and which link the present state is.
//!
//! What a link can say is the items of [`ITEMS`] and every dial of the panel, a cascade's with its number in front: `c2.wind_speed`. The
//! notes page has the table (`#links-ocean`), which is the specification. Each is left out where it is what a reader would have without
//! it, so writing replays reading: a preset decides where the eye is, a sky where the sun stands, a number of cascades which dials there
//! are.
//!
//! A machine that draws less than a preset asks for writes nothing of that: a link is about the sea, and the next machine may be another.

mod dials;
mod items;
mod numbers;
mod open;
#[cfg(test)]
mod tests;

use crate::camera::Pose;
use crate::sky::{Sky, Sun};
use crate::status::Status;
use crate::views::View;
use bevy_ocean::{AUTHORED_SPEED, Preset, WaterSurface, WaterView};
use serde_json::Value;
use web::link::{Link, Notice};

pub use items::{ITEMS, Item, map_name};
pub use open::OpenLink;
pub(crate) use open::plugin;

/// All that a link can say of the demo.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What the dials differ from.
    pub(crate) preset: Preset,
    /// The dials.
    pub(crate) surface: WaterSurface,
    pub(crate) sun: Sun,
    /// The scene's wind, m/s and degrees.
    pub(crate) wind: (f32, f32),
    pub(crate) pose: Pose,
    /// Lines and maps.
    pub(crate) view: WaterView,
    /// Whether the waves stand.
    pub(crate) paused: bool,
}

impl State {
    /// What a preset begins with.
    pub(crate) fn of(preset: Preset) -> Self {
        Self {
            preset,
            surface: WaterSurface::from(preset),
            sun: Sun::over(Sky::default(), preset),
            wind: (AUTHORED_SPEED, 0.0),
            pose: Pose::from(View::of(preset)),
            view: WaterView::default(),
            paused: false,
        }
    }

    /// Its link, empty where all is as at the start. `base` is the preset as this machine draws it.
    pub(crate) fn link(&self, base: &WaterSurface) -> String {
        let mut link = Link::new();
        let mut usual = Self::of(Preset::default());
        for item in &ITEMS {
            let text = (item.write)(self);
            if text != (item.write)(&usual) {
                add(&mut link, item.name, &text);
                // What was written can be read.
                let _ = (item.read)(&mut usual, &text);
            }
        }
        for (name, text) in dials::different(&self.surface, base) {
            add(&mut link, &name, &text);
        }
        link.to_string()
    }
}

/// All names are names, no two are the same, and together they are a third of what a link holds: a test writes the longest.
fn add(link: &mut Link, name: &str, text: &str) {
    let _ = link.push(name, text);
}

/// What there is on screen, or will be when what has been asked for is done.
impl From<&Status> for State {
    fn from(status: &Status) -> Self {
        Self {
            preset: status.run.preset,
            surface: status.surface.clone(),
            sun: status.sun,
            wind: status.wind,
            pose: status.pose,
            view: status.view,
            paused: status.paused,
        }
    }
}

/// A link that has been read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What it says, and the defaults where it says nothing.
    pub(crate) state: State,
    /// The dials it names, in the order in which they are set.
    pub(crate) dials: Vec<(String, Value)>,
    /// What of it was not used, or not as it stands there.
    pub notices: Vec<Notice>,
}

impl Opened {
    /// The link as this program writes it.
    pub fn link(&self) -> String {
        self.state.link(&WaterSurface::from(self.state.preset))
    }
}

/// Reads a fragment, with or without its `#`. Whatever it is, something can be opened.
pub fn read(fragment: &str) -> Opened {
    let (link, mut notices) = Link::read(fragment);
    let mut state = State::of(Preset::default());
    for item in &ITEMS {
        let Some(text) = link.get(item.name) else { continue };
        let name = item.name.to_owned();
        match (item.read)(&mut state, text) {
            Ok(None) => {}
            Ok(Some(what)) => notices.push(Notice::Adjusted { name, what }),
            Err(why) => notices.push(Notice::Refused { name, why }),
        }
    }
    let others = link.pairs().filter(|(name, _)| ITEMS.iter().all(|item| item.name != *name));
    let dials = dials::read(others, &mut state.surface, &mut notices);
    notices.extend(items::limit_map(&mut state));
    Opened { state, dials, notices }
}
