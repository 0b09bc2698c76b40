#![cfg_attr(feature = "gpu", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "gpu"),
    doc = "The sea state, the spectrum and the CPU field of an FFT ocean; the feature `gpu` has the rest, and the chapter on how it works."
)]

pub mod clock;
pub mod dispersion;
pub mod noise;
pub mod preset;
pub mod schedule;
pub mod sea_state;
pub mod spectrum;
pub mod statistics;
pub mod surface_field;
pub mod wave_spectrum;

#[cfg(feature = "gpu")]
pub mod gpu;

pub use clock::{Clock, Clocks};
pub use preset::Preset;
pub use schedule::Schedule;
pub use sea_state::{Amplitude, Cascade, SeaState};
pub use spectrum::CascadeSpectrum;
pub use surface_field::SurfaceField;
pub use wave_spectrum::WaveSpectrum;
