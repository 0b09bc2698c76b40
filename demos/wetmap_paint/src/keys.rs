//! What can be done, and which keys do it.
//!
//! The one table of keys in the program: input reads it, the page takes from it which keys it must keep from the browser, and a
//! test compares it with the notes page's legend.

use bevy::input::keyboard::Key as Pressed;
use bevy::prelude::*;

/// Something a visitor asks for with a key or a button. Shooting with the pointer is a message of its own.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A burst of shots around the middle of the view.
    Burst,
    /// One shot at the middle of the view.
    ShootCentre,
    /// Gravity on the texture turns to its next direction.
    TurnGravity,
    /// Shows or hides the digest.
    ToggleDigest,
    /// Orbits by a step: yaw and pitch in steps.
    Orbit(i8, i8),
    /// Ten times as fast, or as it was.
    ToggleFastForward,
    /// A clean subject at tick 0.
    Reset,
    /// Stops or starts the clock.
    TogglePause,
    /// Opens or closes the legend.
    ToggleHelp,
}

impl Action {
    /// The action of a name, as the page's buttons and the notes page call them.
    pub fn named(name: &str) -> Option<Self> {
        KEYS.iter().find(|key| key.action_name == name).map(|key| key.action)
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

/// Every key the demo handles.
pub const KEYS: [Key; 12] = [
    key("Space", " ", Action::Burst, "burst"),
    key("Enter", "Enter", Action::ShootCentre, "shoot-centre"),
    key("G", "g", Action::TurnGravity, "gravity"),
    key("D", "d", Action::ToggleDigest, "digest"),
    key("←", "ArrowLeft", Action::Orbit(-1, 0), "orbit-left"),
    key("→", "ArrowRight", Action::Orbit(1, 0), "orbit-right"),
    key("↑", "ArrowUp", Action::Orbit(0, 1), "orbit-up"),
    key("↓", "ArrowDown", Action::Orbit(0, -1), "orbit-down"),
    key("F", "f", Action::ToggleFastForward, "fast-forward"),
    key("R", "r", Action::Reset, "reset"),
    key("P", "p", Action::TogglePause, "pause"),
    key("?", "?", Action::ToggleHelp, "help"),
];

/// The action of a pressed key, if the legend has one.
pub(crate) fn action_of(pressed: &Pressed) -> Option<Action> {
    let event_key = match pressed {
        Pressed::Space => " ",
        Pressed::Enter => "Enter",
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
                " " => Pressed::Space,
                "Enter" => Pressed::Enter,
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
        assert_eq!(action_of(&Pressed::Character("q".into())), None);
        assert_eq!(Action::named("fly"), None);
    }
}
