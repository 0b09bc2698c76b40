//! The ocean demo: seven seas under a sky, seen by a camera that flies over them.
//!
//! One program, native and in the browser. The keys are those of the notes page (`site/notes/ocean.html`, `#notes-ocean`), which
//! is the specification; a test compares this table and [`KEYS`] with it:
//!
//! | key | action |
//! |---|---|
//! | `drag` | look around |
//! | `drag a body` | carry a buoy or the boat; let go to throw it |
//! | `click` | shoot: blood where it hits a buoy |
//! | `wheel` | move forward and back, while the picture has the focus |
//! | `pinch` | move forward and back |
//! | `two fingers` | move sideways, up and down |
//! | `W` | fly forward |
//! | `S` | fly back |
//! | `A` | fly left |
//! | `D` | fly right |
//! | `E` | fly up |
//! | `Q` | fly down, never below the surface |
//! | `Shift` | with these: five times as fast |
//! | `1` | the preset Ocean |
//! | `2` | the preset Stormy Ocean |
//! | `3` | the preset Tropical |
//! | `4` | the preset Arctic |
//! | `5` | the preset Calm Lake |
//! | `6` | the preset River |
//! | `7` | the preset Swamp |
//! | `←` | sun to the left |
//! | `→` | sun to the right |
//! | `↑` | sun higher |
//! | `↓` | sun lower |
//! | `T` | sky: noon → sunset → overcast |
//! | `[` | half the resolution, down to 128 |
//! | `]` | twice the resolution, up to 2048, 4096 if memory allows |
//! | `P` | pause and resume the waves |
//! | `.` | one step of the waves while paused |
//! | `L` | lines of the mesh, on or off |
//! | `M` | the maps themselves: off → displacement → slopes → Jacobian → foam |
//! | `C` | the maps of the next cascade |
//! | `B` | bring the buoys and the boat before the eye |
//! | `V` | the scene’s wind: 12 → 20 → 4 m/s; the sea follows within a minute |
//! | `N` | turn that wind by 45° |
//! | `X` | prove it: paint a script of hits on the first buoy and float scripted bodies, and compare both digests |
//! | `H` | hide or show the read-out |
//! | `R` | reset: everything as it was at the start |
//! | `?` | open or close the help, which is this legend |
//!
//! How a press becomes a picture: `input` turns keys, pointer and fingers into [`Action`]s and into the camera's `Flight`; `scene`
//! does the actions to the one [`WaterSurface`](bevy_ocean::WaterSurface) and what stands around it; `bevy_ocean` makes the water;
//! `afloat` is what rides it; `weather` its wind; `camera` keeps the eye above it, `sky`, `clouds` and `reflections` light it, `basin` is the land around the waters that have a shore;
//! `link` is all of that in a URL; `quality` watches what a frame takes and `memory` what the maps may; `status` says what came of it all.

pub mod afloat;
mod basin;
mod camera;
mod clouds;
mod input;
mod keys;
pub mod link;
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod page;
pub mod parameters;
#[cfg(not(target_arch = "wasm32"))]
pub mod photograph;
mod quality;
mod recovery;
mod reflections;
mod scene;
mod sky;
mod spectrum;
mod status;
mod views;
mod weather;

use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_ocean::OceanPlugin;
pub use keys::{Action, KEYS, Key};

/// What draws the picture.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// A GPU.
    Gpu,
    /// A program that plays one: the smallest maps and the coarsest mesh, a small sky, no smoothed edges, no bloom, no shadows. The
    /// sea is the same sea.
    Software,
}

/// Runs the demo: in a window, or on the page's `#canvas`. Returns when the window is closed; in the browser at once.
pub fn run(machine: Machine) {
    web::failure::report_panics();
    let mut app = App::new();
    app.insert_resource(machine).add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window()), ..default() }));
    add_scene(&mut app);
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(native::plugin);
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(page::plugin);
    app.run();
}

/// What is in the picture, and what is done to it, with or without a window.
fn add_scene(app: &mut App) {
    app.add_plugins((
        OceanPlugin,
        input::plugin,
        scene::plugin,
        link::plugin,
        camera::plugin,
        sky::plugin,
        reflections::plugin,
        basin::plugin,
        afloat::plugin,
        weather::plugin,
        quality::plugin,
        status::plugin,
        recovery::plugin,
    ));
}

fn window() -> Window {
    Window {
        title: "ocean".into(),
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
