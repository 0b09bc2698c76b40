//! The demo's side of its page: what the page's script calls, and the state it reads.
//!
//! The script and the engine take turns on one thread, so what passes between them lies in thread-local cells: the page's calls are
//! queued and done in the next frame, and the state it gets is that of the last one. Dials are the exception: they are set on a
//! copy at once, so that the page hears at once what became of its value and reads back what it wrote.

use crate::dials::Dials;
use crate::keys::{Action, KEYS};
use crate::link::{self, Opened, View};
use crate::replay::{self, ReplayError};
use crate::status::Status;
use crate::studio::Orbit;
use crate::subject::{PlayScript, Run};
use crate::{Quality, parameters, recovery};
use bevy::prelude::*;
use bevy::winit::WinitSettings;
use bevy_wetmap::script::{Replay, Script};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web::link::Notice;
use web::state::object;

/// Version of the state object. Fields are only ever added; a change of meaning counts this up.
const STATE_VERSION: u32 = 1;

/// What the page asked for and the engine has not done yet, in order.
enum Wish {
    Act(Action),
    Set(String, Value),
    Show(View),
    Play(Script),
}

thread_local! {
    static WISHES: RefCell<Vec<Wish>> = const { RefCell::new(Vec::new()) };
    static STATUS: RefCell<Option<Status>> = const { RefCell::new(None) };
    /// The dials of the last frame, with what has been set since.
    static DIALS: RefCell<Option<Dials>> = const { RefCell::new(None) };
    /// The recording that a link brought, as it stood there, for as long as it is on the canvas and nobody has gone on from its end.
    static LINKED: RefCell<Option<String>> = const { RefCell::new(None) };
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn plugin(app: &mut App) {
    // The picture goes on as smoothly while the focus is on the page around it.
    app.insert_resource(WinitSettings::continuous())
        .add_systems(First, hold_clock_while_hidden)
        .add_systems(PreUpdate, take_wishes.in_set(crate::input::ReadInput))
        .add_systems(Last, publish.after(crate::status::note_frame));
}

/// Actions and scripts become messages, like a key's; dials and views are set.
fn take_wishes(
    mut actions: MessageWriter<Action>,
    mut scripts: MessageWriter<PlayScript>,
    mut dials: ResMut<Dials>,
    mut run: ResMut<Run>,
    mut orbit: ResMut<Orbit>,
    mut status: ResMut<Status>,
    mut clock: ResMut<Time<Virtual>>,
) {
    for wish in WISHES.take() {
        match wish {
            Wish::Act(action) => {
                actions.write(action);
            }
            Wish::Play(script) => {
                scripts.write(PlayScript(script));
            }
            Wish::Set(name, value) => {
                // What it says has been said when the page set the copy.
                let _ = parameters::set(&mut dials, &name, &value);
            }
            Wish::Show(view) => {
                (*dials, *orbit, run.fast, status.digest_shown) = (view.dials, view.orbit, view.fast, view.digest_shown);
                if view.paused { clock.pause() } else { clock.unpause() }
            }
        }
    }
}

fn publish(status: Res<Status>) {
    if status.replay().is_some_and(|running| running.is_left(status.run.hits, &status.dials)) {
        LINKED.set(None);
    }
    DIALS.set(Some(status.dials));
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
    let keys: Vec<_> =
        KEYS.iter().map(|key| json!({ "key": key.name, "event_key": key.event_key, "action": key.action_name })).collect();
    Value::from(keys).to_string()
}

fn wish(wish: Wish) {
    WISHES.with_borrow_mut(|wishes| wishes.push(wish));
}

/// Queues an action by its name. Returns whether there is one of that name.
#[wasm_bindgen]
pub fn act(action: &str) -> bool {
    let action = Action::named(action);
    action.into_iter().for_each(|action| wish(Wish::Act(action)));
    action.is_some()
}

// ---- dials -------------------------------------------------------------------------------------------------------------------

/// The panel's groups, as JSON: `[{"name", "heading"}]`, in their order.
#[wasm_bindgen]
pub fn groups() -> String {
    let groups: Vec<_> = parameters::GROUPS.iter().map(|(name, heading)| json!({ "name": name, "heading": heading })).collect();
    Value::from(groups).to_string()
}

/// The panel's dials, as JSON: `[{"group", "name", "label", "unit", "kind", "min", "max", "step", "default", "meaning", "options"}]`.
#[wasm_bindgen]
pub fn parameters() -> String {
    parameters::describe().to_string()
}

fn dials() -> Dials {
    DIALS.with_borrow(|dials| dials.unwrap_or_default())
}

/// What the dials stand at, as JSON: `{name: value}`, with what has been set since the last frame.
#[wasm_bindgen]
pub fn values() -> String {
    parameters::values(&dials()).to_string()
}

/// Sets a dial, from JSON. Returns a sentence if the value was brought into its range or refused.
#[wasm_bindgen]
pub fn set(name: &str, json: &str) -> Option<String> {
    let value: Value = match serde_json::from_str(json) {
        Ok(value) => value,
        Err(error) => return Some(format!("{name} was not set: {error}.")),
    };
    let playing = STATUS.with_borrow(|status| status.as_ref().is_some_and(|status| status.replay.is_playing()));
    if let Some(dial) = parameters::named(name).filter(|dial| dial.recorded && playing) {
        return Some(format!("{} is the recording's while it is played. Reset to end it.", dial.label));
    }
    let mut dials = dials();
    match parameters::set(&mut dials, name, &value) {
        Ok(notice) => {
            DIALS.set(Some(dials));
            wish(Wish::Set(name.to_owned(), value));
            notice
        }
        Err(refusal) => Some(refusal),
    }
}

// ---- recordings and links ------------------------------------------------------------------------------------------------------

/// What has happened to the canvas since the last reset, as a script that expects the canvas as it is: JSON, as it is saved. Nothing while there is nothing.
#[wasm_bindgen]
pub fn recording() -> Option<String> {
    let script = STATUS.with_borrow(|status| status.as_ref()?.recording())?;
    serde_json::to_string(&script).ok()
}

/// A link of the present state with the recording in it, as JSON: `{"link": FRAGMENT}`, or `{"error": {"kind", "text"}}`.
#[wasm_bindgen]
pub fn recording_link() -> String {
    let error = |kind: &str, text: String| json!({ "error": { "kind": kind, "text": text } }).to_string();
    let Some((script, view)) =
        STATUS.with_borrow(|status| status.as_ref().and_then(|now| Some((now.recording()?, view_of(now)))))
    else {
        return error("nothing-recorded", "There is nothing to send yet: shoot first.".into());
    };
    let text = match script.to_compact() {
        Ok(text) => text,
        Err(why) => return error("too-long", format!("The recording does not fit into a link: {why}.")),
    };
    // Whoever opens it is to see it run.
    let view = View { paused: false, ..view };
    match link::write(&view, Some(&text)) {
        Ok(link) => json!({ "link": link.to_string() }).to_string(),
        Err(notice) => {
            let size = text.len();
            error(
                notice.kind(),
                format!("The recording has {size} characters, too many for a link. Save it as a file instead."),
            )
        }
    }
}

/// The longest file that is read, bytes.
#[wasm_bindgen]
pub fn max_file_bytes() -> usize {
    replay::MAX_FILE_BYTES
}

/// Plays the recording in a file's text, as JSON: `{"ok": true}`, or `{"ok": false, "error": {"kind", "text"}}` where it is none that can be played here.
#[wasm_bindgen]
pub fn open_script(text: &str) -> String {
    match replay::of_file(text) {
        Ok(script) => {
            LINKED.set(None);
            wish(Wish::Play(script));
            json!({ "ok": true })
        }
        Err(error) => refusal(&error),
    }
    .to_string()
}

fn refusal(error: &ReplayError) -> Value {
    json!({ "ok": false, "error": { "kind": error.kind(), "text": error.to_string() } })
}

fn view_of(status: &Status) -> View {
    View {
        dials: status.dials,
        fast: status.run.fast,
        paused: status.paused,
        digest_shown: status.digest_shown,
        orbit: status.orbit,
    }
}

/// The link of the present state, without its `#`; `""` where everything stands at its default. Nothing while something that was asked for has not been done
/// yet, and before the first frame. A recording that a link brought stays in it until it has ended and
/// somebody shoots or turns a dial that it has.
#[wasm_bindgen]
pub fn link() -> Option<String> {
    if WISHES.with_borrow(|wishes| !wishes.is_empty()) {
        return None;
    }
    STATUS.with_borrow(|status| {
        let status = status.as_ref()?;
        let linked = LINKED.with_borrow(|linked| linked.clone()).filter(|_| status.replay().is_some());
        // A clock that a script has stopped at its end was not stopped by anybody who wants it so.
        let view = View { paused: status.paused && linked.is_none(), ..view_of(status) };
        Some(link::write_beside(&view, linked.as_deref()).to_string())
    })
}

/// What a fragment says, as JSON: `{"link": its canonical form, "notices": [{"kind", "name", "text"}]}`. Changes nothing.
#[wasm_bindgen]
pub fn read_link(fragment: &str) -> String {
    described(&link::read(fragment)).to_string()
}

/// Brings the demo to what a fragment says, plays its recording if it has one, and says what [`read_link`] does. An empty one opens the defaults.
#[wasm_bindgen]
pub fn open_link(fragment: &str) -> String {
    let opened = link::read(fragment);
    let described = described(&opened);
    DIALS.set(Some(opened.view.dials));
    wish(Wish::Show(opened.view));
    LINKED.set(None);
    if let Some((script, text)) = opened.script {
        LINKED.set(Some(text));
        wish(Wish::Play(script));
    }
    described.to_string()
}

fn described(opened: &Opened) -> Value {
    let notice = |notice: &Notice| json!({ "kind": notice.kind(), "name": notice.name(), "text": notice.to_string() });
    json!({ "link": opened.link(), "notices": opened.notices.iter().map(notice).collect::<Vec<_>>() })
}

// ---- the rest ------------------------------------------------------------------------------------------------------------------

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
            ("fast_forward", if status.run.fast { status.dials.fast_forward } else { 1 }.into()),
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
            ("recording", recorded(status).into()),
            ("replay", played(status)),
            ("error", error()),
        ])
    })
}

/// How much has been recorded.
fn recorded(status: &Status) -> js_sys::Object {
    let recorder = &status.recorder;
    object([
        ("events", (recorder.events() as u32).into()),
        ("ticks", recorder.ticks(status.run.tick).into()),
        ("ended", recorder.ended().map_or(JsValue::NULL, |bound| bound.sentence().into())),
    ])
}

/// How far a script has been played, and what came out.
fn played(status: &Status) -> JsValue {
    status.replay().map_or(JsValue::NULL, |running| {
        let (expected, actual) = running.digests();
        object([
            ("tick", status.run.tick.min(running.ticks).into()),
            ("ticks", running.ticks.into()),
            ("verdict", running.verdict.map_or(JsValue::NULL, JsValue::from)),
            ("expected", expected.into()),
            ("actual", actual.into()),
            ("refused", status.replay.refused.into()),
        ])
        .into()
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
        Err(error) => json!({ "ok": false, "error": error }),
    }
    .to_string()
}

fn report(script: &Script, replay: &Replay) -> Value {
    let checks: Vec<_> = script
        .expect
        .iter()
        .zip(&replay.states)
        .map(|(expected, actual)| {
            json!({
                "after_ticks": expected.after_ticks,
                "expected": expected.digest,
                "actual": actual.digest,
            })
        })
        .collect();
    json!({ "id": script.id, "ok": script.is_met_by(replay), "checks": checks })
}
