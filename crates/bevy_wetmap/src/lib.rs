// The README's example is written against Bevy, so it is a doctest where Bevy is.
#![cfg_attr(feature = "bevy", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "bevy"), doc = "The model core of `bevy_wetmap`, built without its feature `bevy`: see [`Wetmap`].")]

pub mod model;
pub mod ray;
#[cfg(feature = "script")]
pub mod script;

#[cfg(feature = "bevy")]
mod canvas;
#[cfg(feature = "bevy")]
mod mesh;
#[cfg(feature = "bevy")]
mod plugin;
#[cfg(feature = "render")]
mod upload;

pub use bloodstain;
pub use bloodstain::StainShape;
pub use model::{LoadError, Looks, MAX_SIZE, SizeError, UV_SPAN_M, WetSettings, Wetmap};

#[cfg(feature = "bevy")]
pub use canvas::WetCanvas;
#[cfg(feature = "bevy")]
pub use plugin::{WetmapPlugin, WetmapSystems};
#[cfg(feature = "render")]
pub use upload::{RowUploadPlugin, RowUploadSystems, RowUploads};
