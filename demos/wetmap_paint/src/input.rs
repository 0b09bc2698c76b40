//! Keys, pointer and fingers, turned into [`Action`]s and [`Shot`]s.
//!
//! A left press or a finger shoots, and shoots again as it is dragged. A right drag or two fingers orbit. The first of two fingers
//! always lands a little before the second, so a finger waits a moment before it shoots; a quick tap shoots when it is lifted.

use crate::keys::{Action, action_of};
use crate::studio::Orbit;
use crate::subject::{Pellet, Shot};
use bevy::input::InputSystems;
use bevy::input::keyboard::KeyboardInput;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

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
fn read_keys(mut presses: MessageReader<KeyboardInput>, held: Res<ButtonInput<KeyCode>>, mut actions: MessageWriter<Action>) {
    use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, SuperLeft, SuperRight};
    let modified = held.any_pressed([ControlLeft, ControlRight, AltLeft, AltRight, SuperLeft, SuperRight]);
    for press in presses.read().filter(|press| press.state.is_pressed() && !modified) {
        let Some(action) = action_of(&press.logical_key) else {
            continue;
        };
        if !press.repeat || matches!(action, Action::Orbit(..)) {
            actions.write(action);
        }
    }
}

/// A ray from the eye through a point of the window.
fn ray_through(point: Vec2, camera: &Query<(&Camera, &GlobalTransform)>) -> Option<Ray3d> {
    let (camera, transform) = camera.single().ok()?;
    camera.viewport_to_world(transform, point).ok()
}

fn read_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    window: Query<&Window, With<PrimaryWindow>>,
    camera: Query<(&Camera, &GlobalTransform)>,
    mut orbit: ResMut<Orbit>,
    mut shots: MessageWriter<Shot>,
    mut last_shot: Local<Option<Vec2>>,
) {
    let cursor = window.single().ok().and_then(Window::cursor_position);
    if buttons.pressed(MouseButton::Right) {
        orbit.turn(-motion.delta * ORBIT_PER_PIXEL);
    }
    if buttons.just_pressed(MouseButton::Left) {
        *last_shot = None;
    }
    let pulled = buttons.pressed(MouseButton::Left) || buttons.just_pressed(MouseButton::Left);
    let Some(cursor) = cursor.filter(|_| pulled) else {
        return;
    };
    let pellet = if last_shot.is_none() { Pellet::Aimed } else { Pellet::Dragged };
    if last_shot.is_none_or(|last| last.distance(cursor) >= DRAG_SPACING)
        && let Some(ray) = ray_through(cursor, &camera)
    {
        *last_shot = Some(cursor);
        shots.write(Shot { ray, pellet });
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
