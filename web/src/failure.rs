//! How a demo tells its page that it cannot go on.
//!
//! A failure is an event on `window`, `demo-failure` with `detail = { kind, message }`, because it can come from places where
//! nothing waits for an answer: a panic, a callback of the GPU. The page decides what to show. `demo-recovered` takes it back.

use std::sync::{Mutex, PoisonError};

/// What went wrong, in the words that the page and its tests use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The GPU device was lost. The demo keeps its state and can be restarted.
    DeviceLost,
    /// The GPU has no memory left.
    OutOfMemory,
    /// The GPU refused something the demo did: a defect of the demo or of a driver.
    GpuError,
    /// The program itself failed.
    Panic,
}

impl Kind {
    /// The name in `detail.kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DeviceLost => "device-lost",
            Self::OutOfMemory => "out-of-memory",
            Self::GpuError => "gpu-error",
            Self::Panic => "panic",
        }
    }
}

/// The failure the demo stands at.
static LAST: Mutex<Option<(Kind, String)>> = Mutex::new(None);

/// The failure the demo stands at, if it does.
pub fn last() -> Option<(Kind, String)> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn remember(failure: Option<(Kind, String)>) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = failure;
}

/// Tells the page that the demo cannot go on. On a native build, where there is no page, it goes to standard error.
pub fn report(kind: Kind, message: &str) {
    remember(Some((kind, message.to_owned())));
    #[cfg(target_arch = "wasm32")]
    browser::dispatch("demo-failure", Some((kind, message)));
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("{}: {message}", kind.name());
}

/// Tells the page that the demo goes on after a failure.
pub fn recovered() {
    remember(None);
    #[cfg(target_arch = "wasm32")]
    browser::dispatch("demo-recovered", None);
}

/// Makes a panic a failure page and a line in the console, instead of a frozen canvas.
pub fn report_panics() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        web_sys::console::error_1(&message.as_str().into());
        report(Kind::Panic, &message);
    }));
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use super::Kind;
    use crate::state::object;
    use wasm_bindgen::JsValue;

    /// Dispatches an event on `window`. What cannot be dispatched (there is no window) goes to the console: it is the last resort
    /// of code that is already failing, and must not fail itself.
    pub fn dispatch(name: &str, detail: Option<(Kind, &str)>) {
        let init = web_sys::CustomEventInit::new();
        if let Some((kind, message)) = detail {
            init.set_detail(&object([("kind", kind.name().into()), ("message", message.into())]));
        }
        let sent = web_sys::window().ok_or_else(|| JsValue::from_str("there is no window")).and_then(|window| {
            let event = web_sys::CustomEvent::new_with_event_init_dict(name, &init)?;
            window.dispatch_event(&event)
        });
        if let Err(error) = sent {
            web_sys::console::error_2(&name.into(), &error);
        }
    }
}
