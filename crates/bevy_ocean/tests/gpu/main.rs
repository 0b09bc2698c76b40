//! The water on a real device: what is drawn, what depth holds, what is freed.
//!
//! Most of it is ignored by default: a software GPU takes minutes for a test. On a machine with a GPU all of it takes a minute and a half:
//! `cargo test --workspace --test gpu -- --include-ignored --test-threads=1`. In the browser tests a software GPU draws the same water, a few frames of it.

mod stage;

#[cfg(feature = "avian")]
mod afloat;
mod culling;
mod depth;
mod dials;
mod layout;
mod lifecycle;
mod looks;
mod reference;
mod robustness;
mod simulation;
mod spray;
