//! The seven presets as surfaces: the engine's data, the component's shape.

use super::{MeshMode, WaterSurface, WaveMeshQuality};
use bevy::prelude::*;
use ocean::Preset;
use ocean::preset::{self, Appearance, ClipmapQuality, PresetSettings};

impl From<Preset> for WaterSurface {
    fn from(preset: Preset) -> Self {
        let PresetSettings { appearance, mesh, wave_resolution, updates_per_second, spray, follow_world_wind, wind_response } =
            preset.settings();
        let Appearance { water_color, foam_color, roughness, normal_strength } = appearance;
        let [mesh_mode, quality] = [mesh, preset::MeshMode::default()];
        let quality = match (mesh_mode, quality) {
            (preset::MeshMode::Clipmap(quality), _) | (_, preset::MeshMode::Clipmap(quality)) => quality,
            _ => ClipmapQuality::default(),
        };
        let (clipmap_rings, clipmap_resolution, clipmap_quad_size) = quality.dimensions();
        let (mesh_mode, grid_size, grid_subdivisions) = match mesh_mode {
            preset::MeshMode::Clipmap(_) => (MeshMode::Clipmap, 200.0, 256),
            preset::MeshMode::Grid { size, subdivisions } => (MeshMode::Grid, size, subdivisions),
        };
        Self {
            water_color: LinearRgba::from_f32_array_no_alpha(water_color),
            foam_color: LinearRgba::from_f32_array_no_alpha(foam_color),
            roughness,
            normal_strength,
            extinction: extinction(preset),
            sea: preset.sea_state(),
            follow_world_wind,
            wind_response,
            wave_resolution,
            updates_per_second,
            enable_sea_spray: spray,
            spray_particles: 16_000,
            mesh_mode,
            wave_mesh_quality: match quality {
                ClipmapQuality::Low => WaveMeshQuality::Low,
                ClipmapQuality::Medium => WaveMeshQuality::Medium,
                ClipmapQuality::High => WaveMeshQuality::High,
            },
            clipmap_rings,
            clipmap_resolution,
            clipmap_quad_size,
            grid_size,
            grid_subdivisions,
            current_speed: if preset == Preset::River { 1.0 } else { 0.0 },
            current_heading: 0.0,
        }
    }
}

impl Default for WaterSurface {
    fn default() -> Self {
        Self::from(Preset::default())
    }
}

/// 1/m. Oceanic and coastal values after Jerlov's water types (*Marine Optics*, 1976): clear ocean (I to III) for the open seas, coastal (3 to 9) for lake and river;
/// the swamp's is that of water brown with humus, which takes blue first.
fn extinction(preset: Preset) -> Vec3 {
    match preset {
        Preset::Ocean | Preset::StormyOcean => Vec3::new(0.36, 0.09, 0.07),
        Preset::Tropical => Vec3::new(0.30, 0.055, 0.035),
        Preset::Arctic => Vec3::new(0.36, 0.10, 0.09),
        Preset::CalmLake => Vec3::new(0.48, 0.22, 0.26),
        Preset::River => Vec3::new(0.62, 0.40, 0.52),
        Preset::Swamp => Vec3::new(1.1, 1.3, 2.6),
    }
}
