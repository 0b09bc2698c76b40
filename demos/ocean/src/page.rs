//! The demo's side of its page: what the page's script calls, and the state it reads.
//!
//! The script and the engine take turns on one thread, so what passes between them lies in thread-local cells: the page's calls are
//! queued and done in the next frame, and the state it gets is that of the last one. Parameters are the exception: they are set on a
//! copy at once, so that the page hears at once what became of its value and reads back what it wrote.

use crate::afloat::{BodyReport, proof};
use crate::keys::{Action, KEYS};
use crate::link::{self, OpenLink, Opened, map_name};
use crate::quality::Quality;
use crate::scene::{DoActions, Run, Sea, original_surface, preset_surface};
use crate::status::{NoteStatus, Status};
use crate::{Machine, parameters, recovery, spectrum};
use bevy::prelude::*;
use bevy::winit::WinitSettings;
use bevy_ocean::{Preset, WaterField, WaterSurface};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web::state::object;

/// Version of the state object. Fields are only ever added; a change of meaning counts this up.
const STATE_VERSION: u32 = 1;

/// What the page asked for and the engine has not done yet, in order.
enum Wish {
    Act(Action),
    Set(String, Value),
    Open(Box<Opened>),
}

thread_local! {
    static WISHES: RefCell<Vec<Wish>> = const { RefCell::new(Vec::new()) };
    static STATUS: RefCell<Option<Status>> = const { RefCell::new(None) };
    /// The surface of the last frame, with what has been set since.
    static SURFACE: RefCell<Option<WaterSurface>> = const { RefCell::new(None) };
    /// The preset as this machine draws it: what a link has of the dials is the difference.
    static BASE: RefCell<Option<WaterSurface>> = const { RefCell::new(None) };
    /// The preset as this machine draws it for who has set nothing: what undoing goes back to.
    static ORIGINAL: RefCell<Option<WaterSurface>> = const { RefCell::new(None) };
    static MACHINE: Cell<Machine> = const { Cell::new(Machine::Gpu) };
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
    /// Whether the page has asked for a spectrum since the last one, and that one.
    static SPECTRUM_ASKED: Cell<bool> = const { Cell::new(false) };
    static SPECTRUM: RefCell<Option<String>> = const { RefCell::new(None) };
}

pub(crate) fn plugin(app: &mut App) {
    // The picture goes on as smoothly while the focus is on the page around it.
    app.insert_resource(WinitSettings::continuous())
        .add_systems(First, hold_clock_while_hidden)
        // Settings after the actions of the same frame: a link chooses a preset and then changes it.
        .add_systems(PreUpdate, (take_actions.in_set(crate::input::ReadInput), take_settings.after(DoActions)))
        .add_systems(Last, (publish.after(NoteStatus), measure_spectrum));
}

/// Actions become messages like a key's, and so do links.
fn take_actions(mut actions: MessageWriter<Action>, mut links: MessageWriter<OpenLink>) {
    WISHES.with_borrow_mut(|wishes| {
        wishes.retain(|wish| match wish {
            Wish::Act(action) => {
                actions.write(*action);
                false
            }
            Wish::Open(opened) => {
                links.write(OpenLink((**opened).clone()));
                false
            }
            Wish::Set(..) => true,
        });
    });
}

/// Settings go to the surface.
fn take_settings(
    machine: Res<Machine>,
    run: Res<Run>,
    mut quality: ResMut<Quality>,
    mut sea: Query<&mut WaterSurface, With<Sea>>,
) {
    let wishes = WISHES.take();
    let Some(mut surface) = sea.single_mut().ok().filter(|_| !wishes.is_empty()) else {
        return;
    };
    for wish in wishes {
        if let Wish::Set(name, value) = wish {
            quality.chosen.note(&name);
            quality.wait();
            // What it says has been said when the page set the copy; what cannot be set any more is not.
            let _ = parameters::set(&mut surface, &name, &value, *machine);
        }
    }
    // Everything is undone, and nothing is chosen any more.
    if *surface == original_surface(run.preset, &quality) {
        quality.chosen = default();
    }
}

fn publish(status: Res<Status>, quality: Res<Quality>, sea: Query<&WaterSurface, With<Sea>>) {
    BASE.set(Some(preset_surface(status.run.preset, &quality)));
    ORIGINAL.set(Some(original_surface(status.run.preset, &quality)));
    STATUS.with_borrow_mut(|published| *published = Some(status.clone()));
    SURFACE.with_borrow_mut(|published| *published = sea.single().ok().cloned());
}

/// Costs about two milliseconds a cascade that moves the water, and nothing while nobody asks.
fn measure_spectrum(field: Query<&WaterField, With<Sea>>) {
    if let Ok(field) = field.single()
        && SPECTRUM_ASKED.take()
    {
        SPECTRUM.set(Some(spectrum::describe(field.surface_field()).to_string()));
    }
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
    MACHINE.set(if software { Machine::Software } else { Machine::Gpu });
    crate::run(MACHINE.get());
}

/// The keys the demo handles, as JSON: `[{"key", "event_key", "action"}]`. The page keeps these from the browser while the canvas has
/// the focus, and no others.
#[wasm_bindgen]
pub fn keys() -> String {
    let keys: Vec<_> =
        KEYS.iter().map(|key| json!({ "key": key.name, "event_key": key.event_key, "action": key.action_name })).collect();
    Value::from(keys).to_string()
}

/// Queues an action by its name. Returns whether there is one of that name.
#[wasm_bindgen]
pub fn act(action: &str) -> bool {
    let Some(action) = Action::named(action) else {
        return false;
    };
    let preset = match action {
        Action::Choose(preset) => Some(preset),
        Action::Reset => Some(Preset::default()),
        _ => None,
    };
    WISHES.with_borrow_mut(|wishes| {
        // A preset sets every dial, whatever was asked of them before.
        wishes.retain(|wish| preset.is_none() || !matches!(wish, Wish::Set(..)));
        wishes.push(Wish::Act(action));
    });
    if let Some(preset) = preset {
        SURFACE.set(Some(WaterSurface::from(preset)));
        ORIGINAL.set(Some(WaterSurface::from(preset)));
    }
    true
}

/// The panel's dials, as JSON: `[{"group", "name", "label", "unit", "kind", "min", "max", "step", "default", "meaning", "options"}]`.
#[wasm_bindgen]
pub fn parameters() -> String {
    parameters::describe().to_string()
}

/// What the dials stand at, as JSON: `{name: value}`, with what has been set since the last frame.
#[wasm_bindgen]
pub fn values() -> String {
    SURFACE.with_borrow(|surface| match surface {
        Some(surface) => parameters::values(surface).to_string(),
        None => parameters::values(&WaterSurface::default()).to_string(),
    })
}

/// What undoing each dial goes back to, as JSON like that of [`values`]: what the preset on screen comes with.
#[wasm_bindgen]
pub fn originals() -> String {
    ORIGINAL.with_borrow(|original| parameters::originals(original.as_ref().unwrap_or(&WaterSurface::default())).to_string())
}

/// Sets a dial, from JSON. Returns a sentence if the value was brought into its range or refused.
#[wasm_bindgen]
pub fn set(name: &str, json: &str) -> Option<String> {
    let value: Value = match serde_json::from_str(json) {
        Ok(value) => value,
        Err(error) => return Some(format!("{name} was not set: {error}.")),
    };
    let set = SURFACE.with_borrow_mut(|surface| parameters::set(surface.get_or_insert_default(), name, &value, MACHINE.get()));
    match set {
        Ok(notice) => {
            WISHES.with_borrow_mut(|wishes| wishes.push(Wish::Set(name.to_owned(), value)));
            notice
        }
        Err(refusal) => Some(refusal),
    }
}

/// The state of the last frame as a link: a fragment without its `#`, empty where all is as at the start. Nothing before the first frame
/// and while something that was asked for has not been done.
#[wasm_bindgen]
pub fn link() -> Option<String> {
    if WISHES.with_borrow(|wishes| !wishes.is_empty()) {
        return None;
    }
    let state = STATUS.with_borrow(|status| status.as_ref().map(link::State::from))?;
    BASE.with_borrow(|base| base.as_ref().map(|base| state.link(base)))
}

/// Opens a link: everything becomes what it says, and the start's where it says nothing. Returns JSON: `{"link", "notices": [{"kind", "name", "text"}]}`,
/// the link as [`link`] will give it (where this machine draws all of it), and what was ignored or changed. It can be called before [`start`].
#[wasm_bindgen]
pub fn open_link(fragment: &str) -> String {
    let opened = link::read(fragment);
    let answer = answer(&opened);
    SURFACE.set(Some(opened.state.surface.clone()));
    ORIGINAL.set(Some(WaterSurface::from(opened.state.preset)));
    // It says everything, so whatever was asked for before is over.
    WISHES.set(vec![Wish::Open(Box::new(opened))]);
    answer
}

/// What [`open_link`] would answer. It changes nothing and can be called before [`start`].
#[wasm_bindgen]
pub fn read_link(fragment: &str) -> String {
    answer(&link::read(fragment))
}

fn answer(opened: &Opened) -> String {
    let notices = opened.notices.iter();
    let notices: Vec<_> =
        notices.map(|notice| json!({ "kind": notice.kind(), "name": notice.name(), "text": notice.to_string() })).collect();
    json!({ "link": opened.link(), "notices": notices }).to_string()
}

/// The spectrum of the sea on screen, theory's and the measured one, as JSON that [`spectrum::describe`] says; nothing before the first. Asking for it has the
/// next frame make another, so what this returns is as old as the last time it was asked.
#[wasm_bindgen]
pub fn spectrum() -> Option<String> {
    SPECTRUM_ASKED.set(true);
    SPECTRUM.with_borrow(Clone::clone)
}

/// Both claims of the proof as this machine finds them, without a picture, as JSON: `{"floating", "floating_claimed", "blood", "blood_claimed"}`, digests in
/// hexadecimal. It takes a second or two and needs no GPU; it can be called before [`start`].
#[wasm_bindgen]
pub fn claims() -> String {
    let hex = |digest: u64| format!("{digest:016x}");
    json!({
        "floating": hex(proof::floating_digest()),
        "floating_claimed": hex(proof::FLOATING_DIGEST),
        "blood": proof::blood_digest().map(hex),
        "blood_claimed": hex(proof::BLOOD_DIGEST),
    })
    .to_string()
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
        let before_the_first = Status::default();
        describe(status.as_ref().unwrap_or(&before_the_first), status.is_some())
    })
}

fn describe(status: &Status, ready: bool) -> js_sys::Object {
    let number = |x: f32| JsValue::from(f64::from(x));
    let texts = |texts: &[String]| texts.iter().map(|text| JsValue::from(text.as_str())).collect::<js_sys::Array>();
    let report = status.report.as_ref();
    let bytes = |bytes: Option<u64>| JsValue::from(bytes.unwrap_or(0) as f64);
    let workgroup = report.map_or((0, 0), |report| report.workgroup_bytes);
    let eye = status.pose.position();
    let camera = object([
        ("x", number(eye.x)),
        ("y", number(eye.y)),
        ("z", number(eye.z)),
        ("yaw", number(status.pose.yaw)),
        ("pitch", number(status.pose.pitch)),
    ]);
    let gpu_ms = status.gpu_ms.map_or(JsValue::NULL, |ms| {
        let times = [("simulation", ms.simulation), ("mips", ms.mips), ("spray", ms.spray), ("water", ms.water)];
        object(times.map(|(pass, ms)| (pass, number(ms)))).into()
    });
    let (level, reason) = &status.quality;
    let quality = object([("level", (*level).into()), ("reason", reason.as_deref().map_or(JsValue::NULL, JsValue::from))]);
    object([
        ("version", STATE_VERSION.into()),
        ("ready", ready.into()),
        ("frame", status.frame.into()),
        ("fps", number(status.fps())),
        ("frame_ms", number(status.frame_ms)),
        ("preset", status.preset.into()),
        ("resolution", report.map_or(status.surface.wave_resolution, |report| report.resolution).into()),
        ("cascades", (status.surface.sea.cascades.len() as u32).into()),
        ("updates_per_second", number(status.surface.updates_per_second)),
        ("paused", status.paused.into()),
        ("steps", status.run.steps.into()),
        ("resets", status.run.resets.into()),
        ("time", status.run.time.into()),
        ("lines", status.view.lines.into()),
        ("map", map_name(status.view.map).into()),
        ("map_cascade", (status.view.cascade + 1).into()),
        ("sky", status.sun.sky.name().into()),
        ("sun_azimuth", number(status.sun.azimuth)),
        ("sun_elevation", number(status.sun.elevation)),
        ("camera", camera.into()),
        ("height_above_water", number(status.height_above_water)),
        ("significant_wave_height", number(status.sea.wave_height)),
        ("peak_period", number(status.sea.peak_period)),
        ("mean_direction", number(status.sea.direction)),
        ("gpu_ms", gpu_ms),
        ("workgroup_bytes", js_sys::Array::of2(&workgroup.0.into(), &workgroup.1.into()).into()),
        ("map_bytes", bytes(report.map(|report| report.map_bytes))),
        ("gpu_bytes", bytes(report.map(|report| report.gpu_bytes))),
        ("triangles", report.map_or(0, |report| report.triangles).into()),
        ("adapter", status.adapter.as_str().into()),
        ("quality", quality.into()),
        ("readout_shown", status.readout_shown.into()),
        ("help_shown", status.help_shown.into()),
        ("canvas_width", status.window.x.into()),
        ("canvas_height", status.window.y.into()),
        ("wind_speed", number(status.wind.0)),
        ("wind_heading", number(status.wind.1)),
        ("bodies", bodies(status).into()),
        ("carrying", status.carrying.into()),
        ("hits", status.blood.hits.into()),
        ("misses", status.blood.misses.into()),
        ("digest", format!("{:016x}", status.blood.digest).into()),
        ("tick", status.blood.tick.into()),
        ("tick_ms", number(status.blood.tick_ms)),
        ("proving", status.proof.0.into()),
        ("proven", status.proof.1.map_or(JsValue::NULL, JsValue::from)),
        ("error", error()),
        ("notices", texts(&status.notices).into()),
    ])
}

/// What floats: what it is, where, and where in the picture.
fn bodies(status: &Status) -> js_sys::Array {
    let number = |x: f32| JsValue::from(f64::from(x));
    let describe = |body: &BodyReport| -> JsValue {
        let seen = body.seen_at.map_or(JsValue::NULL, |at| js_sys::Array::of2(&number(at.x), &number(at.y)).into());
        object([
            ("kind", body.kind.into()),
            ("x", number(body.position.x)),
            ("y", number(body.position.y)),
            ("z", number(body.position.z)),
            ("seen_at", seen),
        ])
        .into()
    };
    status.bodies.iter().map(describe).collect()
}

/// The failure the demo stands at, as the page's events tell it.
fn error() -> JsValue {
    web::failure::last()
        .map_or(JsValue::NULL, |(kind, message)| object([("kind", kind.name().into()), ("message", message.into())]).into())
}
