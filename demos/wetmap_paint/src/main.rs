//! The demo as a program. In the browser the page starts it, when it has loaded everything and looked for a GPU.

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    wetmap_paint::run();
}
