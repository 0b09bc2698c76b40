//! What happens when the GPU fails.
//!
//! Bevy's default is to quit. Here rendering stops and the page (or the terminal) is told; the sea state, the camera and every dial
//! are on the CPU and go on existing. When the visitor asks for it, a new device is made and everything is made again on it.

use bevy::prelude::*;
use bevy::render::error_handler::{ErrorType, RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::settings::RenderCreation;
use std::sync::atomic::{AtomicBool, Ordering};
use web::failure::{self, Kind};

/// Whether the visitor asked for a new device. Set from the page's thread of events and taken by the renderer's error handler, which
/// Bevy wants as a plain function.
static RESTART: AtomicBool = AtomicBool::new(false);

/// Whether the failure that rendering stands at has been told.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Asks for a new device, after the old one failed. Without a failure nothing happens.
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "natively a new device is asked for at once"))]
pub(crate) fn restart_gpu() {
    if TOLD.load(Ordering::Relaxed) {
        RESTART.store(true, Ordering::Relaxed);
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(RenderErrorHandler(on_error));
}

/// Bevy asks again every frame while rendering stands.
fn on_error(error: &RenderError, _main: &mut World, _render: &mut World) -> RenderErrorPolicy {
    if !TOLD.swap(true, Ordering::Relaxed) {
        let kind = match error.ty {
            ErrorType::DeviceLost => Kind::DeviceLost,
            ErrorType::OutOfMemory => Kind::OutOfMemory,
            _ => Kind::GpuError,
        };
        failure::report(kind, &error.description);
        // A window has no page to ask for it. Another error of the program's own would only come again.
        if cfg!(not(target_arch = "wasm32")) && kind == Kind::DeviceLost {
            RESTART.store(true, Ordering::Relaxed);
        }
    }
    if RESTART.swap(false, Ordering::Relaxed) {
        TOLD.store(false, Ordering::Relaxed);
        failure::recovered();
        return RenderErrorPolicy::Recover(RenderCreation::default());
    }
    RenderErrorPolicy::StopRendering
}
