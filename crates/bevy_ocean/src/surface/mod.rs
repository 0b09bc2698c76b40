//! What a user writes: the component [`WaterSurface`], with every dial of the water.
//!
//! The dials of the sea itself are [`SeaState`]'s, which also knows their ranges; the rest are described, with ranges and meanings, in
//! [`SURFACE_PARAMETERS`]. Nothing in the component is trusted: what is drawn is [`WaterSurface::admitted`].

mod parameters;
mod preset;

pub use parameters::{ParameterKind, ParameterValue, SURFACE_PARAMETERS, SurfaceParameter};

use bevy::prelude::*;
use ocean::SeaState;
use ocean::preset::ClipmapQuality;
use serde::{Deserialize, Serialize};

/// A water surface. Add it to an empty entity and there is a sea: meshes, material and maps are made, and follow every change of every field;
/// remove it and they are gone.
///
/// The entity's height is the water level. With [`MeshMode::Clipmap`] its x and z mean nothing, the sea is everywhere; with [`MeshMode::Grid`] the
/// square lies centred on the entity, turned and scaled with it.
///
/// The default is the Ocean preset; others come from [`WaterSurface::from`]:
///
/// ```
/// use bevy_ocean::{Preset, WaterSurface};
/// let storm = WaterSurface::from(Preset::StormyOcean);
/// assert_eq!(storm.sea.cascades[0].wind_speed, 26.0);
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Serialize, Deserialize, PartialEq)]
#[require(Transform, Visibility)]
#[serde(default, deny_unknown_fields)]
pub struct WaterSurface {
    /// Body colour of the water, linear: what light that has been scattered below the surface looks like. Deep water is much darker than it looks in a colour picker.
    pub water_color: LinearRgba,
    /// Colour of foam, linear.
    pub foam_color: LinearRgba,
    /// Roughness of what the maps do not resolve, 0 to 1: feeds the specular lobe and the fresnel curve.
    pub roughness: f32,
    /// Factor on the whole shading normal. 0 shades the surface flat and leaves its shape alone.
    pub normal_strength: f32,
    /// How fast light dies in the water, 1/m for red, green and blue. Clear sea water takes red first: shallows read turquoise, depths dark.
    pub extinction: Vec3,
    /// Depth, seed and cascades. The seed's "Cascades" is the length of `sea.cascades`.
    pub sea: SeaState,
    /// Whether the scene's wind scales and turns the sea.
    pub follow_world_wind: bool,
    /// How much of the scene's wind reaches this surface: 1 in the open, 0.4 in a sheltered bay.
    pub wind_response: f32,
    /// Points along an edge of each cascade's maps: 128, 256, 512, 1024, 2048 or 4096; anything else means the nearest of these.
    pub wave_resolution: u32,
    /// Simulation updates a second; 0 is every frame. Between updates the picture is interpolated.
    pub updates_per_second: f32,
    /// Whether breaking waves throw spray. Without it there are no droplets, and they cost nothing.
    pub enable_sea_spray: bool,
    /// Droplets there may be at once, 64 to 65,536.
    pub spray_particles: u32,
    /// What the waves are drawn on.
    pub mesh_mode: MeshMode,
    /// Density of the clipmap.
    pub wave_mesh_quality: WaveMeshQuality,
    /// Rings around the clipmap's centre, each twice as wide as the one inside. Of [`WaveMeshQuality::Custom`].
    pub clipmap_rings: u32,
    /// Quads along a ring's edge. Of [`WaveMeshQuality::Custom`].
    pub clipmap_resolution: u32,
    /// The finest quad's edge, m. Of [`WaveMeshQuality::Custom`].
    pub clipmap_quad_size: f32,
    /// Edge of the square, m. Of [`MeshMode::Grid`].
    pub grid_size: f32,
    /// Quads along the square's edge. Of [`MeshMode::Grid`].
    pub grid_subdivisions: u32,
    /// Speed of a current that carries waves and foam along, m/s.
    pub current_speed: f32,
    /// Heading of the current, degrees: 0 is +x, 90 is +z.
    pub current_heading: f32,
}

/// What the waves are drawn on.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeshMode {
    /// Rings of growing quads around every camera, to the horizon.
    #[default]
    Clipmap,
    /// A fixed square: lakes, rivers, anything with a shore to hide its edge.
    Grid,
}

/// Density of the clipmap.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaveMeshQuality {
    /// Centre quads of 0.5 m, 4 rings, ±512 m.
    Low,
    /// Centre quads of 0.35 m, 5 rings, ±896 m.
    Medium,
    /// Centre quads of 0.25 m, 5 rings, ±1024 m: about 620k triangles.
    #[default]
    High,
    /// The three `clipmap_*` fields. Choosing it fills them from the quality that was on screen.
    Custom,
}

impl WaveMeshQuality {
    /// The engine's name for it; nothing for [`Custom`](Self::Custom).
    pub fn preset(self) -> Option<ClipmapQuality> {
        match self {
            Self::Low => Some(ClipmapQuality::Low),
            Self::Medium => Some(ClipmapQuality::Medium),
            Self::High => Some(ClipmapQuality::High),
            Self::Custom => None,
        }
    }
}

impl WaterSurface {
    /// Rings, quads along an edge, and the finest quad in metres: what the quality says, or the three fields.
    pub fn clipmap_dimensions(&self) -> (u32, u32, f32) {
        let custom = (self.clipmap_rings, self.clipmap_resolution, self.clipmap_quad_size);
        self.wave_mesh_quality.preset().map_or(custom, ClipmapQuality::dimensions)
    }

    /// The surface as it is drawn: every value in its range, the sea validated, the quads along a clipmap edge a multiple of 8.
    pub fn admitted(&self) -> Self {
        let mut surface = self.clone();
        for parameter in SURFACE_PARAMETERS {
            let value = parameter.admit((parameter.get)(self));
            (parameter.set)(&mut surface, value);
        }
        surface.sea = self.sea.validated().0;
        surface.wave_resolution = ocean::gpu::Resolution::nearest(surface.wave_resolution).texels();
        surface.clipmap_resolution = surface.clipmap_resolution.next_multiple_of(8);
        surface
    }

    /// The current's velocity, m/s along x and z.
    pub fn current(&self) -> bevy::math::DVec2 {
        let heading = f64::from(self.current_heading).to_radians();
        // The same bits on every machine: bodies drift with it.
        f64::from(self.current_speed) * bevy::math::DVec2::new(libm::cos(heading), libm::sin(heading))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ocean::Preset;

    #[test]
    fn presets_are_in_range_as_they_are() {
        for preset in Preset::ALL {
            let surface = WaterSurface::from(preset);
            assert_eq!(surface.admitted(), surface, "{preset:?}");
        }
    }

    #[test]
    fn nonsense_is_brought_into_range() {
        let mut surface = WaterSurface {
            roughness: f32::NAN,
            normal_strength: f32::INFINITY,
            extinction: Vec3::new(-1.0, f32::NAN, 1e9),
            water_color: LinearRgba::new(f32::NAN, -1.0, 1e9, 1.0),
            wave_resolution: 700,
            clipmap_resolution: 3,
            clipmap_rings: 99,
            grid_size: -5.0,
            updates_per_second: f32::NEG_INFINITY,
            ..WaterSurface::default()
        };
        surface.sea.cascades.clear();
        let admitted = surface.admitted();
        assert_eq!(admitted.roughness, 0.65);
        assert!(admitted.extinction.is_finite() && admitted.extinction.min_element() >= 0.0);
        assert!(admitted.water_color.to_f32_array().iter().all(|channel| (0.0..=1.0).contains(channel)));
        assert_eq!(admitted.wave_resolution, 512);
        assert!(admitted.clipmap_resolution.is_multiple_of(8));
        assert!(!admitted.sea.cascades.is_empty());
        assert_eq!(admitted.admitted(), admitted);
    }

    #[test]
    fn it_survives_a_file() {
        for preset in Preset::ALL {
            let surface = WaterSurface::from(preset);
            let text = serde_json::to_string(&surface).expect("serialises");
            assert_eq!(serde_json::from_str::<WaterSurface>(&text).expect("parses"), surface);
        }
        assert_eq!(serde_json::from_str::<WaterSurface>("{}").expect("parses"), WaterSurface::default());
        assert!(serde_json::from_str::<WaterSurface>(r#"{"rougness": 1}"#).is_err());
    }

    #[test]
    fn a_current_flows_where_it_says() {
        let surface = WaterSurface { current_speed: 2.0, current_heading: 90.0, ..default() };
        assert!((surface.current() - bevy::math::DVec2::new(0.0, 2.0)).length() < 1e-12);
    }
}
