//! The demo as a program. In the browser the page starts it, when it has loaded everything and looked for a GPU.

// Named so that it is linked: what the page calls is exported by the library.
use wetmap_paint as demo;

fn main() {
    if cfg!(not(target_arch = "wasm32")) {
        demo::run(demo::Quality::Full);
    }
}
