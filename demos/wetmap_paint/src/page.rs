//! The demo's side of its page: what the page's script calls, and the state it reads.
//!
//! The script and the engine take turns on one thread, so what passes between them lies in thread-local cells: the page's calls are
//! queued and done in the next frame, and the state it gets is that of the last one.

use crate::Quality;
use crate::keys::{Action, KEYS};
use crate::recovery;
use crate::status::Status;
use bevy::prelude::*;
use bevy::winit::WinitSettings;
use bevy_wetmap::script::{Replay, Script};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web::state::object;

/// Version of the state object. Fields are only ever added; a change of meaning counts this up.
const STATE_VERSION: u32 = 1;

thread_local! {
    static ACTIONS: RefCell<Vec<Action>> = const { RefCell::new(Vec::new()) };
    static STATUS: RefCell<Option<Status>> = const { RefCell::new(None) };
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn plugin(app: &mut App) {
    // The picture goes on as smoothly while the focus is on the page around it.
    app.insert_resource(WinitSettings::continuous())
        .add_systems(First, hold_clock_while_hidden)
        .add_systems(PreUpdate, take_actions.in_set(crate::input::ReadInput))
        .add_systems(Last, publish.after(crate::status::note_frame));
}

fn take_actions(mut actions: MessageWriter<Action>) {
    actions.write_batch(ACTIONS.take());
}

fn publish(status: Res<Status>) {
    STATUS.with_borrow_mut(|published| *published = Some(status.clone()));
}

/// A hidden page gets no frames, and the first one after it would be as long as it was hidden. The clock takes none of that.
fn hold_clock_while_hidden(mut clock: ResMut<Time<Virtual>>, mut was_hidden: Local<bool>, mut held: Local<bool>) {
    let hidden = HIDDEN.get();
    if hidden && !clock.is_paused() {
        clock.pause();
        *held = true;
    }
    // One frame later, when the long delta has been taken while the clock stood.
    if !hidden && !*was_hidden && *held {
        clock.unpause();
        *held = false;
    }
    *was_hidden = hidden;
}

/// Boots the engine on `#canvas`. Call it once. `software` says that the adapter is a program and no GPU.
#[wasm_bindgen]
pub fn start(software: bool) {
    crate::run(if software { Quality::Software } else { Quality::Full });
}

/// The keys the demo handles, as JSON: `[{"key", "event_key", "action"}]`. The page keeps these from the browser while the canvas has
/// the focus, and no others.
#[wasm_bindgen]
pub fn keys() -> String {
    let keys: Vec<_> = KEYS
        .iter()
        .map(|key| serde_json::json!({ "key": key.name, "event_key": key.event_key, "action": key.action_name }))
        .collect();
    serde_json::Value::from(keys).to_string()
}

/// Queues an action by its name. Returns whether there is one of that name.
#[wasm_bindgen]
pub fn act(action: &str) -> bool {
    let action = Action::named(action);
    ACTIONS.with_borrow_mut(|actions| actions.extend(action));
    action.is_some()
}

/// Says whether the page is hidden. While it is, the demo's clock stands.
#[wasm_bindgen]
pub fn set_hidden(hidden: bool) {
    HIDDEN.set(hidden);
}

/// Asks for a new GPU device after the old one was lost.
#[wasm_bindgen]
pub fn restart_gpu() {
    recovery::restart_gpu();
}

/// The state of the last frame, as a fresh object; before the first frame, that of a demo that has done nothing yet and is not `ready`.
/// The notes page documents its fields.
#[wasm_bindgen]
pub fn state() -> js_sys::Object {
    STATUS.with_borrow(|status| {
        let ready = status.is_some();
        let before_the_first = Status::default();
        let status = status.as_ref().unwrap_or(&before_the_first);
        let number = |x: f32| JsValue::from(f64::from(x));
        let mass = |x: f32| if x.is_finite() { number(x) } else { JsValue::NULL };
        object([
            ("version", STATE_VERSION.into()),
            ("ready", ready.into()),
            ("frame", status.frame.into()),
            ("tick", status.run.tick.into()),
            ("digest", format!("{:016x}", status.digest).into()),
            ("wetted_area_m2", number(status.wetted_area)),
            ("wet_texels", status.wet_texels.into()),
            ("mass_u", mass(status.mass.x)),
            ("mass_v", mass(status.mass.y)),
            ("gravity", status.gravity().into()),
            ("paused", status.paused.into()),
            ("fast_forward", if status.run.fast { 10 } else { 1 }.into()),
            ("digest_shown", status.digest_shown.into()),
            ("help_shown", status.help_shown.into()),
            ("hits", status.run.hits.into()),
            ("misses", status.run.misses.into()),
            ("resets", status.run.resets.into()),
            ("size", status.size.into()),
            ("tick_ms", number(status.tick_ms)),
            ("frame_ms", number(status.frame_ms)),
            ("fps", number(if status.frame_ms > 0.0 { 1e3 / status.frame_ms } else { 0.0 })),
            ("canvas_width", status.window.x.into()),
            ("canvas_height", status.window.y.into()),
            ("texture_bytes", (status.texture_bytes as f64).into()),
            ("uploaded_bytes", (status.uploaded_bytes as f64).into()),
            ("camera_yaw", number(status.orbit.yaw)),
            ("camera_pitch", number(status.orbit.pitch)),
            ("error", error()),
        ])
    })
}

/// The failure the demo stands at, as the page's events tell it.
fn error() -> JsValue {
    web::failure::last()
        .map_or(JsValue::NULL, |(kind, message)| object([("kind", kind.name().into()), ("message", message.into())]).into())
}

/// Plays one digest case, an object of `wetmap-digests.json` as text, and says what came out:
/// `{"id", "ok", "checks": [{"after_ticks", "expected", "actual"}]}`, or `{"ok": false, "error"}`. Needs no GPU and no `start`.
#[wasm_bindgen]
pub fn replay_case(json: &str) -> String {
    let replayed = serde_json::from_str::<Script>(json)
        .map_err(|error| error.to_string())
        .and_then(|script| Ok((script.replay().map_err(|error| error.to_string())?, script)));
    match replayed {
        Ok((replay, script)) => report(&script, &replay),
        Err(error) => serde_json::json!({ "ok": false, "error": error }),
    }
    .to_string()
}

fn report(script: &Script, replay: &Replay) -> serde_json::Value {
    let checks: Vec<_> = script
        .expect
        .iter()
        .zip(&replay.states)
        .map(|(expected, actual)| {
            serde_json::json!({
                "after_ticks": expected.after_ticks,
                "expected": expected.digest,
                "actual": actual.digest,
            })
        })
        .collect();
    serde_json::json!({ "id": script.id, "ok": script.is_met_by(replay), "checks": checks })
}
