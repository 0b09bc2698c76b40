//! The hand: who presses on a body and drags carries it, who lets go throws it, and who only clicks shoots.
//!
//! A press beside every body is the camera's. The pointer of a mouse, a pen and the first finger are one and the same here.

use super::blood::Shot;
use super::{Body, Shapes, first_met};
use crate::camera::Eye;
use crate::input::{ClaimPointer, Claimed};
use avian3d::prelude::*;
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow};

/// A press that moves less than this is a click, logical pixels.
const CLICK: f32 = 6.0;

/// How fast a carried body follows the hand, 1/s, and how fast it may, m/s.
const FOLLOW: f32 = 9.0;
const FASTEST: f32 = 25.0;

/// What the hand holds.
#[derive(Resource, Default, Debug)]
pub(crate) struct Hand {
    press: Option<Press>,
    /// Where the mouse was last.
    mouse: Option<Vec2>,
}

#[derive(Clone, Copy, Debug)]
struct Press {
    from: Vec2,
    now: Vec2,
    /// Whether it has moved far enough to be no click.
    carries: bool,
    /// The body under it, and how far along the ray it was.
    held: Option<(Entity, f32)>,
}

impl Hand {
    /// The body that is being carried.
    pub fn carried(&self) -> Option<Entity> {
        self.press.filter(|press| press.carries).and_then(|press| press.held).map(|(body, _)| body)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Hand>()
        .add_message::<Shot>()
        .add_systems(PreUpdate, feel.in_set(ClaimPointer))
        .add_systems(FixedUpdate, carry);
}

/// What the pointer does in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pointer {
    at: Option<Vec2>,
    pressed: bool,
    released: bool,
    /// A second finger has come, or the browser has taken the touch for something of its own: what was begun is neither a click nor a throw.
    taken_back: bool,
}

fn pointer(buttons: &ButtonInput<MouseButton>, touches: &Touches, mouse: Option<Vec2>) -> Pointer {
    if let Some(finger) = touches.iter().next() {
        // A second finger moves the eye.
        let alone = touches.iter().count() == 1;
        let pressed = alone && touches.just_pressed(finger.id());
        return Pointer { at: Some(finger.position()), pressed, released: false, taken_back: !alone };
    }
    if touches.iter_just_canceled().next().is_some() {
        return Pointer { taken_back: true, ..default() };
    }
    if let Some(finger) = touches.iter_just_released().next() {
        // On a slow machine a tap begins and ends within a frame.
        let pressed = touches.just_pressed(finger.id());
        return Pointer { at: Some(finger.position()), pressed, released: true, taken_back: false };
    }
    let left = MouseButton::Left;
    Pointer { at: mouse, pressed: buttons.just_pressed(left), released: buttons.just_released(left), taken_back: false }
}

fn feel(
    mut hand: ResMut<Hand>,
    mut claimed: ResMut<Claimed>,
    mut moves: MessageReader<CursorMoved>,
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    window: Query<&Window, With<PrimaryWindow>>,
    eye: Query<(&Camera, &GlobalTransform), With<Eye>>,
    shapes: Shapes,
    mut shots: MessageWriter<Shot>,
) {
    if let Some(moved) = moves.read().last() {
        hand.mouse = Some(moved.position);
    }
    let mouse = window.single().ok().and_then(Window::cursor_position).or(hand.mouse);
    let pointer = pointer(&buttons, &touches, mouse);
    if pointer.taken_back {
        hand.press = None;
    }
    claimed.0 = hand.press.is_some_and(|press| press.held.is_some());
    let Some(at) = pointer.at else { return };
    let ray = eye.single().ok().and_then(|(camera, eye)| camera.viewport_to_world(eye, at).ok());
    if pointer.pressed {
        let body = ray.and_then(|ray| first_met(ray, &shapes));
        hand.press = Some(Press { from: at, now: at, carries: false, held: body });
    }
    if let Some(press) = &mut hand.press {
        press.now = at;
        press.carries |= press.from.distance(at) > CLICK;
        if pointer.released {
            if !press.carries {
                shots.write_batch(ray.map(Shot));
            }
            hand.press = None;
        }
    }
    claimed.0 = hand.press.is_some_and(|press| press.held.is_some());
}

/// A carried body flies to where the pointer is, as far from the eye as it was taken up. Let go, it keeps its speed.
fn carry(
    hand: Res<Hand>,
    eye: Query<(&Camera, &GlobalTransform), With<Eye>>,
    mut bodies: Query<(&Position, &mut LinearVelocity, &mut AngularVelocity), With<Body>>,
    mut moorings: Query<&mut super::moorings::Mooring>,
) {
    let Some(press) = hand.press.filter(|press| press.carries) else { return };
    let (Some((entity, distance)), Ok((camera, eye))) = (press.held, eye.single()) else { return };
    let Ok(ray) = camera.viewport_to_world(eye, press.now) else { return };
    let Ok((position, mut velocity, mut spin)) = bodies.get_mut(entity) else { return };
    let way = ray.get_point(distance) - position.0;
    velocity.0 = (way * FOLLOW).clamp_length_max(FASTEST);
    spin.0 *= 0.9;
    // It stays where it was put.
    if let Ok(mut mooring) = moorings.get_mut(entity) {
        mooring.0 = position.0.xz();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mouse_presses_and_releases_where_it_is() {
        let mut buttons = ButtonInput::<MouseButton>::default();
        let touches = Touches::default();
        buttons.press(MouseButton::Left);
        let at = Some(Vec2::new(3.0, 4.0));
        assert_eq!(pointer(&buttons, &touches, at), Pointer { at, pressed: true, ..default() });
        buttons.clear();
        buttons.release(MouseButton::Left);
        assert_eq!(pointer(&buttons, &touches, at), Pointer { at, released: true, ..default() });
        buttons.clear();
        buttons.press(MouseButton::Right);
        assert_eq!(pointer(&buttons, &touches, at), Pointer { at, ..default() });
    }
}
