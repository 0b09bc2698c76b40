//! Demo 8: shoot a sphere, watch the blood run and dry, read the digest.
//!
//! One program, native and in the browser. The keys are those of the notes page (`site/notes/wetmap_paint.html`,
//! `#notes-wetmap_paint`), which is the specification; a test compares this table and [`KEYS`] with it:
//!
//! | key | action |
//! |---|---|
//! | `click` | shoot the subject where you click |
//! | `drag` | keep shooting along the way |
//! | `touch or pen` | shoot as a click and a drag do |
//! | `Space` | a burst of shots around the centre |
//! | `G` | turn gravity on the texture: down → right → up → left |
//! | `D` | hide or show the digest |
//! | `Enter` | shoot at the centre of the view |
//! | `right drag` | orbit the camera |
//! | `two fingers` | orbit the camera |
//! | `←` | orbit left |
//! | `→` | orbit right |
//! | `↑` | orbit up |
//! | `↓` | orbit down |
//! | `F` | fast-forward ×10, on or off: the 30 s of drying in 3 |
//! | `R` | reset: a clean subject at tick 0 |
//! | `P` | pause and resume |
//! | `?` | open or close the help, which is this legend |
//!
//! How a press becomes a picture: `input` turns keys, pointer and fingers into [`Action`]s and shots; `subject` paints the
//! shots and ticks the canvas in `FixedUpdate`, 60 times a second; `bevy_wetmap`'s plugin uploads it in `Update`; `status` says
//! what came of it. `studio` is the light it stands in.
//!
//! What can be set is in `dials`, described for the panel in [`parameters`]. What happens to the canvas is written down by `recorder` and done
//! again by [`replay`], so that a claim about it can be sent to somebody, as a file or in a `link`.

mod budget;
mod dials;
mod gravity;
mod input;
mod keys;
pub mod link;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod page;
pub mod parameters;
mod recorder;
mod recovery;
pub mod replay;
mod shot;
mod status;
mod studio;
mod subject;

use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_wetmap::{RowUploadPlugin, WetmapPlugin};
pub use dials::{Dials, LooksDials, ShotDials, settings};
pub use gravity::Gravity;
pub use keys::{Action, KEYS, Key};
pub use recorder::{Bound, MAX_TICKS, Recorder};

/// Ticks a second. 1800 ticks, the default drying time, are 30 s.
pub const TICK_HZ: f64 = 60.0;

/// How much the machine is asked for.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Edges are smoothed.
    Full,
    /// They are not: for a GPU that is a program, where every sample is paid for by the processor that also ticks the blood.
    Software,
}

/// Runs the demo: in a window, or on the page's `#canvas`. Returns when the window is closed; in the browser at once.
pub fn run(quality: Quality) {
    web::failure::report_panics();
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window()), ..default() })).add_plugins((
        WetmapPlugin,
        RowUploadPlugin,
        input::plugin,
        subject::plugin,
        studio::plugin,
        status::plugin,
        recovery::plugin,
    ));
    app.insert_resource(quality);
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(native::plugin);
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(page::plugin);
    app.run();
}

fn window() -> Window {
    Window {
        title: "wetmap_paint".into(),
        resolution: WindowResolution::new(1280, 720),
        canvas: Some("#canvas".into()),
        fit_canvas_to_parent: true,
        // The page scrolls, tabs and reloads as pages do; its script keeps the legend's keys, and only those, from the browser.
        prevent_default_event_handling: false,
        // On a page the focus is its visitor's to give: taken at the start, it would take the keys of a page around this one too.
        focused: cfg!(not(target_arch = "wasm32")),
        ..default()
    }
}
