//! Keys, pointer and fingers, turned into [`Action`]s and [`Shot`]s.
//!
//! A left press or a finger shoots, and shoots again as it is dragged. A right drag or two fingers orbit. The first of two fingers
//! always lands a little before the second, so a finger waits a moment before it shoots; a quick tap shoots when it is lifted.

use crate::keys::{Action, action_of};
use crate::shot::{Pellet, Shot};
use crate::studio::Orbit;
use bevy::input::InputSystems;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent, WindowFocused};

/// How far the pointer is dragged from one shot to the next, logical pixels.
const DRAG_SPACING: f32 = 22.0;

/// How long a finger waits for a second one before it shoots, seconds.
const FINGER_PATIENCE: f32 = 0.09;

/// Orbit for a pixel of drag, radians.
const ORBIT_PER_PIXEL: f32 = 0.008;

/// The systems that read input; what they ask for is done after them, in the same frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadInput;

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<Action>()
        .add_systems(PreUpdate, (read_keys, read_mouse, read_fingers).chain().in_set(ReadInput).after(InputSystems));
}

/// Keys of the legend, once a press: a held key does not repeat, except that holding an arrow goes on orbiting. With Ctrl, Alt or
/// Meta a key is the browser's or the system's.
///
/// Which of those is held is followed press by press. Asking what is held at the end of the frame would miss a Ctrl+R that was pressed
/// and released within it, and take it for an R.
fn read_keys(
    mut presses: MessageReader<KeyboardInput>,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Vec<KeyCode>>,
    mut actions: MessageWriter<Action>,
) {
    if focus_lost.read().count() > 0 {
        held.clear();
    }
    for press in presses.read() {
        if is_modifier(press.key_code) {
            held.retain(|key| *key != press.key_code);
            held.extend(press.state.is_pressed().then_some(press.key_code));
        }
        if !press.state.is_pressed() || !held.is_empty() {
            continue;
        }
        if let Some(action) =
            action_of(&press.logical_key).filter(|action| !press.repeat || matches!(action, Action::Orbit(..)))
        {
            actions.write(action);
        }
    }
}

/// Whether a key makes others the browser's or the system's while it is held. Shift does not: it is how `?` is typed.
fn is_modifier(key: KeyCode) -> bool {
    use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, SuperLeft, SuperRight};
    matches!(key, ControlLeft | ControlRight | AltLeft | AltRight | SuperLeft | SuperRight)
}

/// A ray from the eye through a point of the window.
fn ray_through(point: Vec2, camera: &Query<(&Camera, &GlobalTransform)>) -> Option<Ray3d> {
    let (camera, transform) = camera.single().ok()?;
    camera.viewport_to_world(transform, point).ok()
}

/// The mouse, followed event by event: on a slow machine a press and what it is dragged over come within one frame.
#[derive(Default)]
struct Trigger {
    at: Vec2,
    pulled: bool,
    /// Where it last shot since it was pulled.
    last: Option<Vec2>,
}

impl Trigger {
    /// Where one event has it shoot.
    fn feel(&mut self, event: &WindowEvent) -> Option<(Vec2, Pellet)> {
        match event {
            WindowEvent::CursorMoved(moved) => self.at = moved.position,
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Left => {
                self.pulled = input.state.is_pressed();
                self.last = None;
            }
            WindowEvent::WindowFocused(WindowFocused { focused: false, .. }) => self.pulled = false,
            _ => return None,
        }
        let pellet = if self.last.is_none() { Pellet::Aimed } else { Pellet::Dragged };
        let shoots = self.pulled && self.last.is_none_or(|last| last.distance(self.at) >= DRAG_SPACING);
        shoots.then(|| {
            self.last = Some(self.at);
            (self.at, pellet)
        })
    }
}

fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    mut events: MessageReader<WindowEvent>,
    window: Query<&Window, With<PrimaryWindow>>,
    camera: Query<(&Camera, &GlobalTransform)>,
    mut orbit: ResMut<Orbit>,
    mut shots: MessageWriter<Shot>,
    mut trigger: Local<Trigger>,
) {
    if buttons.pressed(MouseButton::Right) {
        orbit.turn(-motion.delta * ORBIT_PER_PIXEL);
    }
    let Ok(window) = window.single() else { return };
    // A pointer that is dragged out of the picture still moves.
    let picture = Rect { min: Vec2::ZERO, max: window.size() };
    for (at, pellet) in events.read().filter_map(|event| trigger.feel(event)).filter(|(at, _)| picture.contains(*at)) {
        if let Some(ray) = ray_through(at, &camera) {
            shots.write(Shot { ray, pellet });
        }
    }
}

/// What the fingers on the screen are doing.
#[derive(Default)]
enum Gesture {
    /// No finger, or what they began is over.
    #[default]
    Idle,
    /// One finger that may yet be the first of two: since when, seconds, and where.
    Waiting { since: f32, at: Vec2 },
    /// One finger that shoots: where it last did.
    Shooting { last: Vec2 },
    /// Two fingers that orbit, until all are lifted.
    Orbiting,
}

fn read_fingers(
    touches: Res<Touches>,
    time: Res<Time<Real>>,
    camera: Query<(&Camera, &GlobalTransform)>,
    mut orbit: ResMut<Orbit>,
    mut shots: MessageWriter<Shot>,
    mut gesture: Local<Gesture>,
) {
    let now = time.elapsed_secs();
    let fingers: Vec<_> = touches.iter().collect();
    let mut shoot = |at: Vec2, pellet| {
        if let Some(ray) = ray_through(at, &camera) {
            shots.write(Shot { ray, pellet });
        }
    };
    if fingers.len() >= 2 {
        *gesture = Gesture::Orbiting;
        let moved: Vec2 = fingers.iter().map(|finger| finger.delta()).sum::<Vec2>() / fingers.len() as f32;
        orbit.turn(-moved * ORBIT_PER_PIXEL);
        return;
    }
    *gesture = match (std::mem::take(&mut *gesture), fingers.first()) {
        (Gesture::Orbiting, Some(_)) => Gesture::Orbiting,
        (Gesture::Idle, Some(finger)) => Gesture::Waiting { since: now, at: finger.position() },
        (Gesture::Idle, None) => {
            // A tap shorter than a frame has come and gone already.
            for tap in touches.iter_just_released() {
                shoot(tap.position(), Pellet::Aimed);
            }
            Gesture::Idle
        }
        (Gesture::Waiting { since, at }, Some(_)) if now - since < FINGER_PATIENCE => Gesture::Waiting { since, at },
        (Gesture::Waiting { at, .. }, finger) => {
            shoot(at, Pellet::Aimed);
            if finger.is_some() { Gesture::Shooting { last: at } } else { Gesture::Idle }
        }
        (Gesture::Shooting { last }, Some(finger)) if last.distance(finger.position()) >= DRAG_SPACING => {
            shoot(finger.position(), Pellet::Dragged);
            Gesture::Shooting { last: finger.position() }
        }
        (Gesture::Shooting { last }, Some(_)) => Gesture::Shooting { last },
        (Gesture::Shooting { .. } | Gesture::Orbiting, None) => Gesture::Idle,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;
    use bevy::input::keyboard::Key;
    use bevy::input::mouse::MouseButtonInput;
    use bevy::window::CursorMoved;

    /// What a sequence of presses (`+`) and releases (`-`) asks for, all within one frame.
    fn asked(sequence: &[(KeyCode, Key, ButtonState)]) -> Vec<Action> {
        let mut app = App::new();
        app.add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .add_message::<Action>()
            .add_systems(Update, read_keys);
        for (key_code, logical_key, state) in sequence.iter().cloned() {
            let window = Entity::PLACEHOLDER;
            app.world_mut().write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window });
        }
        app.update();
        app.world_mut().resource_mut::<Messages<Action>>().drain().collect()
    }

    #[test]
    fn a_chord_within_one_frame_is_not_a_key() {
        use ButtonState::{Pressed, Released};
        let r = |state| (KeyCode::KeyR, Key::Character("r".into()), state);
        let control = |state| (KeyCode::ControlLeft, Key::Control, state);
        assert_eq!(asked(&[r(Pressed), r(Released)]), [Action::Reset]);
        assert_eq!(asked(&[control(Pressed), r(Pressed), r(Released), control(Released)]), []);
        assert_eq!(asked(&[control(Pressed), r(Pressed), control(Released), r(Released), r(Pressed)]), [Action::Reset]);
    }

    #[test]
    fn a_press_and_a_drag_within_one_frame_shoot_where_they_were() {
        let window = Entity::PLACEHOLDER;
        let moved = |x| WindowEvent::from(CursorMoved { window, position: Vec2::new(x, 5.0), delta: None });
        let left = |state| WindowEvent::from(MouseButtonInput { button: MouseButton::Left, state, window });
        let frame = [
            moved(10.0),
            left(ButtonState::Pressed),
            moved(10.0 + 0.5 * DRAG_SPACING),
            moved(10.0 + 1.5 * DRAG_SPACING),
            left(ButtonState::Released),
            moved(300.0),
        ];
        let mut trigger = Trigger::default();
        let shots: Vec<_> = frame.iter().filter_map(|event| trigger.feel(event)).map(|(at, pellet)| (at.x, pellet)).collect();
        assert_eq!(shots, [(10.0, Pellet::Aimed), (10.0 + 1.5 * DRAG_SPACING, Pellet::Dragged)]);
    }
}
