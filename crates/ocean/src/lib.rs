//! A spectral FFT ocean: a [`SeaState`] says how the wind blows and how deep the water is, and the waves follow from it, on the
//! GPU as maps for a renderer and on the CPU as a [`SurfaceField`] for what floats.

pub mod clock;
pub mod dispersion;
pub mod noise;
pub mod preset;
pub mod sea_state;
pub mod spectrum;
pub mod statistics;
pub mod surface_field;

#[cfg(feature = "gpu")]
pub mod gpu;

pub use clock::{Clock, Clocks};
pub use preset::Preset;
pub use sea_state::{Amplitude, Cascade, SeaState};
pub use spectrum::CascadeSpectrum;
pub use surface_field::SurfaceField;
