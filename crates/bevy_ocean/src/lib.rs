#![doc = include_str!("../README.md")]

#[cfg(feature = "avian")]
pub mod buoyancy;
mod camera;
mod diagnostics;
mod field;
mod geometry;
#[cfg(test)]
mod headless;
mod map_view;
mod material;
pub mod mesh;
mod plugin;
mod render;
mod shaders;
mod spray;
mod surface;
mod time;
mod uniform;
mod water;
mod wind;

#[cfg(feature = "avian")]
pub use buoyancy::{Afloat, BuoyancyPlugin, Buoyant};
pub use camera::NoWaterRefraction;
pub use diagnostics::{MapView, SurfaceReport, WaterDiagnostics, WaterView};
pub use field::{WaterField, WaterHeights};
pub use material::WaterMaterial;
pub use ocean::{self, Preset};
pub use plugin::{OceanPlugin, OceanSystems};
pub use render::GpuTimes;
pub use spray::SprayMaterial;
pub use surface::{
    MeshMode, ParameterKind, ParameterValue, SURFACE_PARAMETERS, SurfaceParameter, WaterSurface, WaveMeshQuality,
};
pub use time::WaterTime;
pub use wind::{AUTHORED_SPEED, SEA_RESPONSE_SECONDS, WorldWind};
