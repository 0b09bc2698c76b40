//! Rust glue to the browser that the demos share.
//!
//! A demo and its page are two programs that meet in a few places, and this crate is all of them, so that every demo meets its
//! page in the same way:
//!
//! - [`failure`]: the demo says that it cannot go on, the page shows what happened and what to do;
//! - [`link`]: the demo's state as the fragment of a URL, for people to send each other;
//! - `state`: the demo's state as a plain JavaScript object, for the page's read-out, for tests and for people's consoles.
//!
//! What the page knows before there is any wasm (is there WebGPU, an adapter, its limits) is the page's own script's business.
//! Outside a browser the crate is empty calls, so that code which reports a failure reads the same in a native build.

pub mod failure;
pub mod link;
#[cfg(target_arch = "wasm32")]
pub mod state;
