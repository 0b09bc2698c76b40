//! Keys, pointer and fingers, turned into [`Action`]s and into the camera's [`Flight`].
//!
//! A drag with any button, or with one finger, looks around: what is under the pointer stays under it, as on a map. The wheel and a
//! pinch move forward and back, two fingers move the eye sideways and up. A key of flying counts for as long as it is held, and for a
//! moment at least: on a slow machine its press and its release fall into one frame.

use crate::camera::{Flight, TAP_SECONDS};
use crate::keys::{Action, action_of};
use bevy::input::InputSystems;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow};

/// Logical pixels of a trackpad's scrolling that are one notch of a wheel.
const PIXELS_PER_NOTCH: f32 = 100.0;

/// Notches of the wheel for doubling the distance between two fingers.
const NOTCHES_PER_DOUBLING: f32 = 6.0;

/// The systems that read input; what they ask for is done after them, in the same frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadInput;

/// Who takes the pointer for something that is in the picture, before it turns the eye.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClaimPointer;

/// Whether the pointer has hold of something in the picture.
#[derive(Resource, Default, Debug)]
pub(crate) struct Claimed(pub bool);

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<Action>().init_resource::<Flight>().add_systems(
        PreUpdate,
        (read_keys, read_mouse, read_wheel, read_fingers).chain().in_set(ReadInput).after(ClaimPointer),
    );
    app.init_resource::<Claimed>().configure_sets(PreUpdate, ClaimPointer.after(InputSystems));
}

/// What is held, followed press by press: asking at the end of the frame would miss what was pressed and released within it, and take
/// a Ctrl+R for an R.
#[derive(Default)]
struct Held {
    /// Keys with which every other is the browser's or the system's.
    modifiers: Vec<KeyCode>,
    /// Keys that fly. By their place on the keyboard, since a letter's name changes when Shift is let go.
    flying: Vec<(KeyCode, Action)>,
    shift: Vec<KeyCode>,
}

/// Keys of the legend, once a press, except that a held arrow goes on moving the sun and a held letter goes on flying. With Ctrl, Alt
/// or Meta a key is the browser's or the system's.
fn read_keys(
    mut presses: MessageReader<KeyboardInput>,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Held>,
    mut flight: ResMut<Flight>,
    mut actions: MessageWriter<Action>,
) {
    if focus_lost.read().count() > 0 {
        *held = Held::default();
    }
    for press in presses.read() {
        let down = press.state.is_pressed();
        let code = press.key_code;
        if is_modifier(code) {
            note(&mut held.modifiers, code, down);
        }
        if matches!(code, KeyCode::ShiftLeft | KeyCode::ShiftRight) {
            note(&mut held.shift, code, down);
        }
        if !down {
            held.flying.retain(|(other, _)| *other != code);
        }
        if !down || !held.modifiers.is_empty() {
            continue;
        }
        match action_of(&press.logical_key) {
            Some(action @ Action::Fly(direction)) if !press.repeat => {
                flight.owe(direction, TAP_SECONDS);
                held.flying.retain(|(other, _)| *other != code);
                held.flying.push((code, action));
            }
            Some(Action::Fly(_)) => {}
            Some(action) if !press.repeat || action.repeats() => {
                actions.write(action);
            }
            _ => {}
        }
    }
    flight.held = [false; 6];
    for (_, action) in &held.flying {
        if let Action::Fly(direction) = action {
            flight.held[direction.index()] = true;
        }
    }
    flight.fast = !held.shift.is_empty();
}

fn note(keys: &mut Vec<KeyCode>, key: KeyCode, down: bool) {
    keys.retain(|other| *other != key);
    keys.extend(down.then_some(key));
}

/// Whether a key makes others the browser's or the system's while it is held. Shift does not: it is how `?` is typed.
fn is_modifier(key: KeyCode) -> bool {
    use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, SuperLeft, SuperRight};
    matches!(key, ControlLeft | ControlRight | AltLeft | AltRight | SuperLeft | SuperRight)
}

/// Positions rather than raw motion: a pointer that is dragged out of the canvas still has one, and a picture that is to stay under the
/// pointer must not be moved by an acceleration the pointer does not have.
fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    mut moves: MessageReader<CursorMoved>,
    mut last: Local<Option<Vec2>>,
    claimed: Res<Claimed>,
    mut flight: ResMut<Flight>,
) {
    let dragging = buttons.get_pressed().next().is_some()
        || buttons.get_just_pressed().next().is_some()
        || buttons.get_just_released().next().is_some();
    for moved in moves.read() {
        if let Some(last) = *last
            && dragging
            && !claimed.0
        {
            flight.look += moved.position - last;
        }
        *last = Some(moved.position);
    }
}

fn read_wheel(mut turns: MessageReader<MouseWheel>, window: Query<&Window, With<PrimaryWindow>>, mut flight: ResMut<Flight>) {
    // A wheel over a picture without the focus scrolls the page.
    let ours = window.single().is_ok_and(|window| window.focused);
    for turn in turns.read().filter(|_| ours) {
        flight.dolly += match turn.unit {
            MouseScrollUnit::Line => turn.y,
            MouseScrollUnit::Pixel => turn.y / PIXELS_PER_NOTCH,
        };
    }
}

/// Where the fingers were in the frame before. Bevy's own notion of it is as old as the last event, so that a finger at rest would go
/// on moving.
#[derive(Default)]
struct Fingers {
    last: Vec<(u64, Vec2)>,
    /// Two fingers have moved the eye and not all are lifted yet: the one that is left must not turn it.
    moving: bool,
}

fn read_fingers(touches: Res<Touches>, mut fingers: Local<Fingers>, claimed: Res<Claimed>, mut flight: ResMut<Flight>) {
    let now: Vec<(u64, Vec2)> = touches.iter().map(|finger| (finger.id(), finger.position())).collect();
    let before = |id: u64, now: Vec2| fingers.last.iter().find(|last| last.0 == id).map_or(now, |last| last.1);
    let moved: Vec<(Vec2, Vec2)> = now.iter().map(|(id, now)| (before(*id, *now), *now)).collect();
    match moved.as_slice() {
        [] => fingers.moving = false,
        [_] if claimed.0 => {}
        [(before, now)] if !fingers.moving => flight.look += *now - *before,
        [_] => {}
        [first, second, ..] => {
            fingers.moving = true;
            flight.slide += (first.1 - first.0 + second.1 - second.0) / 2.0;
            flight.dolly += pinch(first.0.distance(second.0), first.1.distance(second.1));
        }
    }
    fingers.last = now;
}

/// Notches of the wheel for two fingers that were so far apart, logical pixels, and now are.
fn pinch(before: f32, now: f32) -> f32 {
    if before > 1.0 && now > 1.0 { (now / before).log2() * NOTCHES_PER_DOUBLING } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Direction;
    use bevy::input::ButtonState::{self, Pressed, Released};
    use bevy::input::keyboard::Key;

    struct Keyboard(App);

    impl Keyboard {
        fn new() -> Self {
            let mut app = App::new();
            app.add_message::<KeyboardInput>()
                .add_message::<KeyboardFocusLost>()
                .add_message::<Action>()
                .init_resource::<Flight>()
                .add_systems(Update, read_keys);
            Self(app)
        }

        /// What a sequence of presses and releases asks for, all within one frame.
        fn frame(&mut self, sequence: &[(KeyCode, Key, ButtonState)]) -> Vec<Action> {
            for (key_code, logical_key, state) in sequence.iter().cloned() {
                let window = Entity::PLACEHOLDER;
                let press = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
                self.0.world_mut().write_message(press);
            }
            self.0.update();
            self.0.world_mut().resource_mut::<Messages<Action>>().drain().collect()
        }

        fn flight(&self) -> &Flight {
            self.0.world().resource()
        }
    }

    fn letter(code: KeyCode, letter: &str, state: ButtonState) -> (KeyCode, Key, ButtonState) {
        (code, Key::Character(letter.into()), state)
    }

    #[test]
    fn a_chord_within_one_frame_is_not_a_key() {
        let r = |state| letter(KeyCode::KeyR, "r", state);
        let control = |state| (KeyCode::ControlLeft, Key::Control, state);
        let asked = |sequence: &[_]| Keyboard::new().frame(sequence);
        assert_eq!(asked(&[r(Pressed), r(Released)]), [Action::Reset]);
        assert_eq!(asked(&[control(Pressed), r(Pressed), r(Released), control(Released)]), []);
        assert_eq!(asked(&[control(Pressed), r(Pressed), control(Released), r(Released), r(Pressed)]), [Action::Reset]);
    }

    #[test]
    fn a_letter_flies_while_it_is_held_and_a_tap_is_not_lost() {
        let mut keyboard = Keyboard::new();
        keyboard.frame(&[letter(KeyCode::KeyW, "w", Pressed)]);
        assert!(keyboard.flight().held[Direction::Forward.index()]);
        keyboard.frame(&[letter(KeyCode::KeyW, "w", Released)]);
        assert!(!keyboard.flight().held[Direction::Forward.index()]);

        let mut keyboard = Keyboard::new();
        keyboard.frame(&[letter(KeyCode::KeyQ, "q", Pressed), letter(KeyCode::KeyQ, "q", Released)]);
        assert!(!keyboard.flight().held[Direction::Down.index()]);
        assert_eq!(keyboard.flight().owed(Direction::Down), TAP_SECONDS);
    }

    #[test]
    fn letting_shift_go_first_does_not_leave_a_key_held() {
        let shift = |state| (KeyCode::ShiftLeft, Key::Shift, state);
        let mut keyboard = Keyboard::new();
        keyboard.frame(&[shift(Pressed), letter(KeyCode::KeyD, "D", Pressed)]);
        assert!(keyboard.flight().fast && keyboard.flight().held[Direction::Right.index()]);
        keyboard.frame(&[shift(Released), letter(KeyCode::KeyD, "d", Released)]);
        assert!(!keyboard.flight().fast && !keyboard.flight().held[Direction::Right.index()]);
    }

    #[test]
    fn fingers_apart_move_forward_and_back_again() {
        assert!(pinch(100.0, 200.0) > 0.0);
        assert!((pinch(100.0, 200.0) + pinch(200.0, 100.0)).abs() < 1e-5);
        assert_eq!(pinch(0.0, 200.0), 0.0);
    }
}
