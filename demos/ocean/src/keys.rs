//! What can be done, and which keys do it.
//!
//! The one table of keys in the program: input reads it, the page takes from it which keys it must keep from the browser, and a
//! test compares it with the notes page's legend.

use bevy::input::keyboard::Key as Pressed;
use bevy::prelude::*;
use bevy_ocean::Preset;

/// A way to fly, as the eye sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Where the eye looks.
    Forward,
    /// Away from there.
    Back,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Straight up.
    Up,
    /// Straight down.
    Down,
}

impl Direction {
    /// All of them; the order is that of [`Self::index`].
    pub const ALL: [Self; 6] = [Self::Forward, Self::Back, Self::Left, Self::Right, Self::Up, Self::Down];

    /// Its place in [`Self::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The unit vector: right, up, forward.
    pub(crate) fn unit(self) -> Vec3 {
        match self {
            Self::Forward => Vec3::Z,
            Self::Back => Vec3::NEG_Z,
            Self::Left => Vec3::NEG_X,
            Self::Right => Vec3::X,
            Self::Up => Vec3::Y,
            Self::Down => Vec3::NEG_Y,
        }
    }
}

/// Something a visitor asks for with a key or a button. Looking and moving with the pointer are not among them.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Flies a step that way; with the key held, on and on.
    Fly(Direction),
    /// A preset, with the view that shows it.
    Choose(Preset),
    /// Moves the sun by steps: to the right, up.
    MoveSun(i8, i8),
    /// The next sky.
    NextSky,
    /// Doubles (1) or halves (−1) the resolution.
    Resolution(i8),
    /// Stops or starts the waves.
    TogglePause,
    /// One step of the waves while they stand.
    Step,
    /// Shows or hides the lines of the mesh.
    ToggleLines,
    /// The next of the maps, or none.
    NextMap,
    /// The next cascade's maps.
    NextMapCascade,
    /// Brings the buoys and the boat before the eye.
    Gather,
    /// The next wind of the scene.
    NextWind,
    /// Turns the scene's wind.
    TurnWind,
    /// Holds the claims about bodies and blood against this machine.
    Prove,
    /// Shows or hides the read-out.
    ToggleReadout,
    /// Everything as it was at the start.
    Reset,
    /// Opens or closes the legend.
    ToggleHelp,
}

impl Action {
    /// The action of a name, as the page's buttons and the notes page call them.
    pub fn named(name: &str) -> Option<Self> {
        KEYS.iter().find(|key| key.action_name == name).map(|key| key.action)
    }

    /// Whether a held key does it again and again.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Self::MoveSun(..))
    }
}

/// One key of the legend.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// What the legend calls it.
    pub name: &'static str,
    /// `KeyboardEvent.key` in the browser. Letters are matched in either case.
    pub event_key: &'static str,
    /// What it does.
    pub action: Action,
    /// The action's name.
    pub action_name: &'static str,
}

const fn key(name: &'static str, event_key: &'static str, action: Action, action_name: &'static str) -> Key {
    Key { name, event_key, action, action_name }
}

/// Every key the demo handles. Shift is held with some of them and is none itself.
pub const KEYS: [Key; 32] = [
    key("W", "w", Action::Fly(Direction::Forward), "fly-forward"),
    key("S", "s", Action::Fly(Direction::Back), "fly-back"),
    key("A", "a", Action::Fly(Direction::Left), "fly-left"),
    key("D", "d", Action::Fly(Direction::Right), "fly-right"),
    key("E", "e", Action::Fly(Direction::Up), "fly-up"),
    key("Q", "q", Action::Fly(Direction::Down), "fly-down"),
    key("1", "1", Action::Choose(Preset::Ocean), "preset-ocean"),
    key("2", "2", Action::Choose(Preset::StormyOcean), "preset-stormy_ocean"),
    key("3", "3", Action::Choose(Preset::Tropical), "preset-tropical"),
    key("4", "4", Action::Choose(Preset::Arctic), "preset-arctic"),
    key("5", "5", Action::Choose(Preset::CalmLake), "preset-calm_lake"),
    key("6", "6", Action::Choose(Preset::River), "preset-river"),
    key("7", "7", Action::Choose(Preset::Swamp), "preset-swamp"),
    key("←", "ArrowLeft", Action::MoveSun(-1, 0), "sun-left"),
    key("→", "ArrowRight", Action::MoveSun(1, 0), "sun-right"),
    key("↑", "ArrowUp", Action::MoveSun(0, 1), "sun-up"),
    key("↓", "ArrowDown", Action::MoveSun(0, -1), "sun-down"),
    key("T", "t", Action::NextSky, "sky"),
    key("[", "[", Action::Resolution(-1), "resolution-down"),
    key("]", "]", Action::Resolution(1), "resolution-up"),
    key("P", "p", Action::TogglePause, "pause"),
    key(".", ".", Action::Step, "step"),
    key("L", "l", Action::ToggleLines, "lines"),
    key("M", "m", Action::NextMap, "maps"),
    key("C", "c", Action::NextMapCascade, "map-cascade"),
    key("B", "b", Action::Gather, "gather"),
    key("V", "v", Action::NextWind, "wind"),
    key("N", "n", Action::TurnWind, "wind-turn"),
    key("X", "x", Action::Prove, "prove"),
    key("H", "h", Action::ToggleReadout, "readout"),
    key("R", "r", Action::Reset, "reset"),
    key("?", "?", Action::ToggleHelp, "help"),
];

/// The action of a pressed key, if the legend has one.
pub(crate) fn action_of(pressed: &Pressed) -> Option<Action> {
    let event_key = match pressed {
        Pressed::ArrowLeft => "ArrowLeft",
        Pressed::ArrowRight => "ArrowRight",
        Pressed::ArrowUp => "ArrowUp",
        Pressed::ArrowDown => "ArrowDown",
        Pressed::Character(character) => character.as_str(),
        _ => return None,
    };
    KEYS.iter().find(|key| key.event_key.eq_ignore_ascii_case(event_key)).map(|key| key.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_pressed_and_every_action_named() {
        for key in KEYS {
            let pressed = match key.event_key {
                "ArrowLeft" => Pressed::ArrowLeft,
                "ArrowRight" => Pressed::ArrowRight,
                "ArrowUp" => Pressed::ArrowUp,
                "ArrowDown" => Pressed::ArrowDown,
                character => Pressed::Character(character.to_uppercase().into()),
            };
            assert_eq!(action_of(&pressed), Some(key.action), "{}", key.name);
            assert_eq!(Action::named(key.action_name), Some(key.action));
        }
        assert_eq!(action_of(&Pressed::Tab), None);
        assert_eq!(action_of(&Pressed::Character("z".into())), None);
        assert_eq!(Action::named("dive"), None);
    }

    #[test]
    fn no_two_keys_do_the_same_and_every_preset_has_one() {
        for (i, key) in KEYS.iter().enumerate() {
            assert!(KEYS[..i].iter().all(|other| other.event_key != key.event_key && other.action_name != key.action_name));
            assert!(KEYS[..i].iter().all(|other| other.action != key.action), "{}", key.name);
        }
        for preset in Preset::ALL {
            assert!(KEYS.iter().any(|key| key.action == Action::Choose(preset)), "{preset:?}");
        }
        for direction in Direction::ALL {
            assert_eq!(Direction::ALL[direction.index()], direction);
        }
    }
}
