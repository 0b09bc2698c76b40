//! The hand: who presses on a body and drags carries it, who lets go throws it, and who only clicks shoots.
//!
//! A press beside every body is the camera's. The pointer of a mouse, a pen and the first finger are one and the same here.

use super::blood::Shot;
use super::{Body, Shapes, first_met};
use crate::camera::Eye;
use crate::input::{ClaimPointer, Claimed};
use avian3d::prelude::*;
use bevy::input::ButtonState;
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use bevy::window::{WindowEvent, WindowFocused};

/// A press that moves less than this is a click, logical pixels.
const CLICK: f32 = 6.0;

/// How fast a carried body follows the hand, 1/s, and how fast it may, m/s.
const FOLLOW: f32 = 9.0;
const FASTEST: f32 = 25.0;

/// What the hand holds.
#[derive(Resource, Default, Debug)]
pub(crate) struct Hand {
    press: Option<Press>,
    pointers: Pointers,
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

/// What the pointer does, logical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Felt {
    Pressed(Vec2),
    Moved(Vec2),
    Released(Vec2),
    /// A second finger has come, or the browser has taken the touch for something of its own: what was begun is neither a click nor a throw.
    TakenBack,
}

/// Where the pointers are.
#[derive(Default, Debug)]
struct Pointers {
    mouse: Vec2,
    fingers: Vec<u64>,
}

impl Pointers {
    /// What one event means. Event by event and not once a frame: on a slow machine a press, a drag and a release come within one, and the press is where it was made.
    fn feel(&mut self, event: &WindowEvent) -> Option<Felt> {
        match event {
            WindowEvent::CursorMoved(moved) => {
                self.mouse = moved.position;
                self.fingers.is_empty().then_some(Felt::Moved(self.mouse))
            }
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Left => Some(match input.state {
                ButtonState::Pressed => Felt::Pressed(self.mouse),
                ButtonState::Released => Felt::Released(self.mouse),
            }),
            WindowEvent::TouchInput(touch) => {
                let first = self.fingers.first().is_none_or(|first| *first == touch.id);
                match touch.phase {
                    TouchPhase::Started => {
                        self.fingers.push(touch.id);
                        Some(if first { Felt::Pressed(touch.position) } else { Felt::TakenBack })
                    }
                    TouchPhase::Moved => first.then_some(Felt::Moved(touch.position)),
                    TouchPhase::Ended => {
                        self.fingers.retain(|finger| *finger != touch.id);
                        first.then_some(Felt::Released(touch.position))
                    }
                    TouchPhase::Canceled => {
                        self.fingers.retain(|finger| *finger != touch.id);
                        Some(Felt::TakenBack)
                    }
                }
            }
            // What was down when the window lost the pointer is let go where nobody tells of it.
            WindowEvent::WindowFocused(WindowFocused { focused: false, .. }) => {
                self.fingers.clear();
                Some(Felt::TakenBack)
            }
            _ => None,
        }
    }
}

fn feel(
    mut hand: ResMut<Hand>,
    mut claimed: ResMut<Claimed>,
    mut events: MessageReader<WindowEvent>,
    eye: Query<(&Camera, &GlobalTransform), With<Eye>>,
    shapes: Shapes,
    mut shots: MessageWriter<Shot>,
) {
    let hand = &mut *hand;
    let ray_at = |at| eye.single().ok().and_then(|(camera, eye)| camera.viewport_to_world(eye, at).ok());
    // One that ends in this frame is still not the camera's.
    let mut held = hand.press.is_some_and(|press| press.held.is_some());
    for felt in events.read().filter_map(|event| hand.pointers.feel(event)) {
        match felt {
            Felt::Pressed(at) => {
                let body = ray_at(at).and_then(|ray| first_met(ray, &shapes));
                hand.press = Some(Press { from: at, now: at, carries: false, held: body });
            }
            Felt::Moved(at) => {
                if let Some(press) = &mut hand.press {
                    press.now = at;
                    press.carries |= press.from.distance(at) > CLICK;
                }
            }
            Felt::Released(at) => {
                if hand.press.take().is_some_and(|press| !press.carries && press.from.distance(at) <= CLICK) {
                    shots.write_batch(ray_at(at).map(Shot));
                }
            }
            Felt::TakenBack => hand.press = None,
        }
        held |= hand.press.is_some_and(|press| press.held.is_some());
    }
    claimed.0 = held;
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
    use bevy::input::mouse::MouseButtonInput;
    use bevy::input::touch::TouchInput;
    use bevy::window::CursorMoved;

    const WINDOW: Entity = Entity::PLACEHOLDER;

    fn moved(x: f32, y: f32) -> WindowEvent {
        CursorMoved { window: WINDOW, position: Vec2::new(x, y), delta: None }.into()
    }

    fn button(button: MouseButton, state: ButtonState) -> WindowEvent {
        MouseButtonInput { button, state, window: WINDOW }.into()
    }

    fn touch(phase: TouchPhase, id: u64, x: f32) -> WindowEvent {
        TouchInput { phase, position: Vec2::new(x, 0.0), window: WINDOW, force: None, id }.into()
    }

    fn felt(events: &[WindowEvent]) -> Vec<Felt> {
        let mut pointers = Pointers::default();
        events.iter().filter_map(|event| pointers.feel(event)).collect()
    }

    #[test]
    fn a_press_is_where_it_was_made_and_not_where_the_frame_finds_the_mouse() {
        let left = MouseButton::Left;
        let frame = [
            moved(3.0, 4.0),
            button(left, ButtonState::Pressed),
            moved(23.0, 4.0),
            button(MouseButton::Right, ButtonState::Pressed),
            button(left, ButtonState::Released),
        ];
        let at = |x| Vec2::new(x, 4.0);
        assert_eq!(
            felt(&frame),
            [Felt::Moved(at(3.0)), Felt::Pressed(at(3.0)), Felt::Moved(at(23.0)), Felt::Released(at(23.0))]
        );
    }

    #[test]
    fn the_first_finger_points_and_a_second_takes_it_back() {
        use TouchPhase::{Canceled, Ended, Moved, Started};
        let at = |x| Vec2::new(x, 0.0);
        let tap = [touch(Started, 7, 1.0), touch(Moved, 7, 2.0), touch(Ended, 7, 3.0)];
        assert_eq!(felt(&tap), [Felt::Pressed(at(1.0)), Felt::Moved(at(2.0)), Felt::Released(at(3.0))]);
        let pinch = [
            touch(Started, 7, 1.0),
            touch(Started, 8, 5.0),
            touch(Moved, 8, 6.0),
            touch(Ended, 8, 6.0),
            touch(Canceled, 7, 1.0),
        ];
        assert_eq!(felt(&pinch), [Felt::Pressed(at(1.0)), Felt::TakenBack, Felt::TakenBack]);
    }
}
