//! What a link can say besides the dials.

use super::State;
use super::numbers::{self, Number};
use crate::camera::{FARTHEST, HIGHEST, Pose, STEEPEST_PITCH};
use crate::sky::{HIGHEST_SUN, LOWEST_SUN, Sky, Sun};
use bevy::prelude::*;
use bevy_ocean::ocean::sea_state::MAX_CASCADES;
use bevy_ocean::{MapView, Preset};
use std::f32::consts::TAU;
use web::link::Notice;

/// One of them.
pub struct Item {
    /// Its name in a link.
    pub name: &'static str,
    /// Puts a value into a state. Returns a sentence where it was brought into range, and as an error where it means nothing.
    pub(super) read: fn(&mut State, &str) -> Result<Option<String>, String>,
    /// The value that a state has.
    pub(super) write: fn(&State) -> String,
}

/// All of them, in the order in which they are read and written: what decides the default of another comes before it.
pub const ITEMS: [Item; 9] = [
    Item {
        name: "preset",
        read: |state, text| {
            *state = State::of(named(PRESETS, text)?);
            Ok(None)
        },
        write: |state| name_of(PRESETS, state.preset).to_owned(),
    },
    Item {
        name: "sky",
        read: |state, text| {
            state.sun = Sun::over(named(SKIES, text)?, state.preset);
            Ok(None)
        },
        write: |state| name_of(SKIES, state.sun.sky).to_owned(),
    },
    Item {
        name: "sun",
        read: |state, text| {
            let ([azimuth, elevation], said) = numbers::read(text, &SUN)?;
            state.sun = Sun { azimuth, elevation, ..state.sun };
            Ok(said)
        },
        write: |state| numbers::write([state.sun.azimuth, state.sun.elevation], &SUN),
    },
    Item {
        name: "wind",
        read: |state, text| {
            let ([speed, heading], said) = numbers::read(text, &WIND)?;
            state.wind = (speed, heading);
            Ok(said)
        },
        write: |state| numbers::write(state.wind.into(), &WIND),
    },
    Item {
        name: "camera",
        read: |state, text| {
            let ([x, y, z, yaw, pitch], said) = numbers::read(text, &CAMERA)?;
            state.pose = Pose { place: Vec3::new(x, y, z), yaw, pitch, lift: 0.0 };
            Ok(said)
        },
        write: |state| {
            let Pose { place, yaw, pitch, .. } = state.pose;
            numbers::write([place.x, place.y, place.z, yaw, pitch], &CAMERA)
        },
    },
    Item {
        name: "map",
        read: |state, text| {
            state.view.map = named(MAPS, text)?;
            Ok(None)
        },
        write: |state| name_of(MAPS, state.view.map).to_owned(),
    },
    Item {
        name: "map_cascade",
        read: |state, text| {
            let ([number], said) = numbers::read(text, &MAP_CASCADE)?;
            state.view.cascade = number as u32 - 1;
            Ok(said)
        },
        write: |state| (state.view.cascade + 1).to_string(),
    },
    Item {
        name: "lines",
        read: |state, text| {
            state.view.lines = named(SWITCH, text)?;
            Ok(None)
        },
        write: |state| name_of(SWITCH, state.view.lines).to_owned(),
    },
    Item {
        name: "paused",
        read: |state, text| {
            state.paused = named(SWITCH, text)?;
            Ok(None)
        },
        write: |state| name_of(SWITCH, state.paused).to_owned(),
    },
];

const fn range(what: &'static str, unit: &'static str, min: f32, max: f32, places: i32) -> Number {
    Number { what, unit, min, max, circle: false, places }
}

const fn circle(what: &'static str, unit: &'static str, max: f32, places: i32) -> Number {
    Number { what, unit, min: 0.0, max, circle: true, places }
}

/// More than a hurricane: what a cascade takes.
const STRONGEST_WIND: f32 = 60.0;

const SUN: [Number; 2] = [circle("azimuth", "°", 360.0, 2), range("elevation", "°", LOWEST_SUN, HIGHEST_SUN, 2)];
const WIND: [Number; 2] = [range("speed", "m/s", 0.0, STRONGEST_WIND, 2), circle("heading", "°", 360.0, 2)];
const CAMERA: [Number; 5] = [
    range("x", "m", -FARTHEST, FARTHEST, 2),
    range("height", "m", 0.0, HIGHEST, 2),
    range("z", "m", -FARTHEST, FARTHEST, 2),
    circle("yaw", "rad", TAU, 4),
    range("pitch", "rad", -STEEPEST_PITCH, STEEPEST_PITCH, 4),
];
const MAP_CASCADE: [Number; 1] = [range("the cascade", "", 1.0, MAX_CASCADES as f32, 0)];

const SWITCH: &[(&str, bool)] = &[("off", false), ("on", true)];

const SKIES: &[(&str, Sky)] =
    &[(Sky::Noon.name(), Sky::Noon), (Sky::Sunset.name(), Sky::Sunset), (Sky::Overcast.name(), Sky::Overcast)];

const MAPS: &[(&str, MapView)] = &[
    ("off", MapView::None),
    ("displacement", MapView::Displacement),
    ("slopes", MapView::Slopes),
    ("jacobian", MapView::Jacobian),
    ("foam", MapView::Foam),
];

/// As in the names of their actions.
const PRESETS: &[(&str, Preset)] = &[
    ("ocean", Preset::Ocean),
    ("stormy_ocean", Preset::StormyOcean),
    ("tropical", Preset::Tropical),
    ("arctic", Preset::Arctic),
    ("calm_lake", Preset::CalmLake),
    ("river", Preset::River),
    ("swamp", Preset::Swamp),
];

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Result<T, String> {
    let known = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    known.ok_or_else(|| format!("it is one of {}.", names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")))
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

/// The map on screen, in the words of links and of the page.
pub fn map_name(map: MapView) -> &'static str {
    name_of(MAPS, map)
}

/// A map of a cascade that the sea does not have is that of its last one. Known only when the dials are.
pub(super) fn limit_map(state: &mut State) -> Option<Notice> {
    let count = state.surface.sea.cascades.len() as u32;
    let beyond = state.view.cascade >= count;
    state.view.cascade = state.view.cascade.min(count.saturating_sub(1));
    let name = "map_cascade".to_owned();
    beyond.then(|| Notice::Adjusted { name, what: format!("this sea has {count} cascades, so it is {count} now.") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{Action, KEYS};

    #[test]
    fn everything_that_has_a_name_on_a_key_has_it_in_a_link() {
        for preset in Preset::ALL {
            let name = name_of(PRESETS, preset);
            assert_eq!(Action::named(&format!("preset-{name}")), Some(Action::Choose(preset)));
        }
        assert_eq!(PRESETS.len(), KEYS.iter().filter(|key| matches!(key.action, Action::Choose(_))).count());
        assert!(Sky::ALL.iter().all(|sky| !name_of(SKIES, *sky).is_empty()));
        assert!(MapView::ALL.iter().all(|map| !name_of(MAPS, *map).is_empty()));
    }
}
