//! The seven seas that come with the crate: cascades, and the look that goes with them, as plain data.
//!
//! The numbers are the model page's table, row by row.

use serde::{Deserialize, Serialize};

use crate::sea_state::{Amplitude, Cascade, SeaState};

/// A sea with a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// The default: a long swell, a wind sea and a detail cascade.
    #[default]
    Ocean,
    /// Gale over a long fetch.
    StormyOcean,
    /// Long gentle swell on bright water.
    Tropical,
    /// Cold, grey and rough.
    Arctic,
    /// Ripples of a light breeze over two kilometres.
    CalmLake,
    /// Short waves that all go one way.
    River,
    /// Almost nothing.
    Swamp,
}

impl Preset {
    /// All presets, in the order of a menu.
    pub const ALL: [Self; 7] =
        [Self::Ocean, Self::StormyOcean, Self::Tropical, Self::Arctic, Self::CalmLake, Self::River, Self::Swamp];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ocean => "Ocean",
            Self::StormyOcean => "Stormy Ocean",
            Self::Tropical => "Tropical",
            Self::Arctic => "Arctic",
            Self::CalmLake => "Calm Lake",
            Self::River => "River",
            Self::Swamp => "Swamp",
        }
    }

    /// Its cascades, at the depth (20 m), seed (1234) and amplitude (artistic) that all presets share.
    pub fn sea_state(self) -> SeaState {
        SeaState {
            sea_depth: 20.0,
            seed: 1234,
            amplitude: Amplitude::Artistic,
            cascades: self.rows().iter().copied().map(cascade).collect(),
        }
    }

    /// Its look, mesh and cost.
    pub fn settings(self) -> PresetSettings {
        let ocean = PresetSettings::default();
        let look = |water_color, foam_color, roughness| Appearance { water_color, foam_color, roughness, ..ocean.appearance };
        let grid = MeshMode::Grid { size: 200.0, subdivisions: 256 };
        match self {
            Self::Ocean => ocean,
            Self::StormyOcean => {
                PresetSettings { appearance: look([0.004, 0.007, 0.010], [0.571, 0.604, 0.638], 0.75), ..ocean }
            }
            Self::Tropical => PresetSettings { appearance: look([0.005, 0.064, 0.073], [0.828, 0.890, 0.933], 0.45), ..ocean },
            Self::Arctic => PresetSettings { appearance: look([0.005, 0.010, 0.015], [0.692, 0.748, 0.828], 0.6), ..ocean },
            Self::CalmLake => {
                PresetSettings { appearance: look([0.003, 0.012, 0.017], [0.692, 0.787, 0.848], 0.35), mesh: grid, ..ocean }
            }
            Self::River => {
                PresetSettings { appearance: look([0.004, 0.013, 0.010], [0.604, 0.692, 0.748], 0.5), mesh: grid, ..ocean }
            }
            Self::Swamp => PresetSettings {
                appearance: Appearance { normal_strength: 0.5, ..look([0.002, 0.004, 0.002], [0.073, 0.101, 0.033], 0.8) },
                mesh: grid,
                wave_resolution: 128,
                updates_per_second: 20.0,
                ..ocean
            },
        }
    }

    fn rows(self) -> &'static [Row] {
        match self {
            Self::Ocean => &[
                [88.0, 1.0, 1.0, 10.0, 20.0, 150.0, 0.8, 0.2, 1.0, 0.5, 8.0],
                [57.0, 0.75, 1.0, 5.0, 15.0, 150.0, 0.8, 0.4, 1.0, 0.5, 0.0],
                [16.0, 0.0, 0.25, 20.0, 20.0, 550.0, 0.8, 0.4, 1.0, 0.25, 3.0],
            ],
            Self::StormyOcean => &[
                [220.0, 1.0, 1.0, 26.0, 28.65, 800.0, 1.2, 0.15, 1.0, 0.3, 9.0],
                [64.0, 0.8, 1.0, 20.0, 34.38, 400.0, 0.6, 0.35, 1.0, 0.3, 6.0],
                [16.0, 0.0, 0.35, 24.0, 22.92, 550.0, 0.8, 0.5, 1.0, 0.2, 5.0],
            ],
            Self::Tropical => &[
                [110.0, 0.7, 1.0, 6.0, 11.46, 300.0, 1.4, 0.1, 1.0, 1.0, 3.0],
                [20.0, 0.0, 0.4, 9.0, 17.19, 200.0, 0.6, 0.4, 1.0, 0.8, 1.5],
            ],
            Self::Arctic => &[
                [120.0, 0.9, 1.0, 14.0, 68.75, 300.0, 1.0, 0.25, 1.0, 0.45, 6.0],
                [45.0, 0.6, 1.0, 9.0, 57.30, 150.0, 0.7, 0.4, 1.0, 0.5, 2.0],
            ],
            Self::CalmLake => &[
                [40.0, 0.35, 1.0, 2.5, 0.0, 2.0, 0.4, 0.5, 1.0, 1.6, 0.0],
                [9.0, 0.15, 0.6, 3.0, 22.92, 1.0, 0.2, 0.7, 1.0, 1.6, 0.0],
            ],
            Self::River => &[
                [24.0, 0.4, 1.0, 5.0, 0.0, 6.0, 0.1, 0.05, 1.0, 0.8, 2.0],
                [7.0, 0.2, 0.5, 8.0, 0.0, 4.0, 0.1, 0.2, 1.0, 0.6, 3.0],
            ],
            Self::Swamp => &[[30.0, 0.1, 0.6, 1.5, 0.0, 0.5, 0.2, 0.8, 0.7, 2.0, 0.0]],
        }
    }
}

/// Tile m, displacement, normal, wind m/s, heading °, fetch km, swell, spread, detail, whitecap, foam.
type Row = [f32; 11];

fn cascade(row: Row) -> Cascade {
    let [
        tile,
        displacement_scale,
        normal_scale,
        wind_speed,
        wind_direction,
        fetch_length,
        swell,
        spread,
        detail,
        whitecap,
        foam_amount,
    ] = row;
    Cascade {
        tile_length: [tile, tile],
        time_scale: 1.0,
        wind_speed,
        wind_direction,
        fetch_length,
        swell,
        detail,
        spread,
        whitecap,
        foam_amount,
        displacement_scale,
        normal_scale,
    }
}

/// What a preset says besides its sea. The default is the Ocean's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PresetSettings {
    /// Colours and shading.
    pub appearance: Appearance,
    /// What the waves are drawn on.
    pub mesh: MeshMode,
    /// Texels along each edge of a cascade's maps: 128, 256, 512 or 1024 (2048 and 4096 where there is memory for it).
    pub wave_resolution: u32,
    /// Simulation updates a second; 0 is every frame.
    pub updates_per_second: f32,
    /// Whether breaking waves throw spray.
    pub spray: bool,
    /// Whether the scene's wind scales and turns this sea.
    pub follow_world_wind: bool,
    /// How much of the scene's wind reaches it: 1 in the open, 0.4 in a sheltered bay.
    pub wind_response: f32,
}

impl Default for PresetSettings {
    fn default() -> Self {
        Self {
            appearance: Appearance::default(),
            mesh: MeshMode::default(),
            wave_resolution: 512,
            updates_per_second: 50.0,
            spray: true,
            follow_world_wind: true,
            wind_response: 1.0,
        }
    }
}

/// Colours and shading. The default is the Ocean's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Appearance {
    /// Body colour, linear RGB.
    pub water_color: [f32; 3],
    /// Colour of foam, linear RGB.
    pub foam_color: [f32; 3],
    /// Roughness of the surface below what the maps resolve, 0..=1.
    pub roughness: f32,
    /// Factor on the whole shading normal; 0 shades flat.
    pub normal_strength: f32,
}

impl Default for Appearance {
    fn default() -> Self {
        Self { water_color: [0.010, 0.020, 0.027], foam_color: [0.492, 0.406, 0.342], roughness: 0.65, normal_strength: 1.0 }
    }
}

/// What the waves are drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeshMode {
    /// Rings of growing quads around the camera.
    Clipmap(ClipmapQuality),
    /// A fixed square around the entity.
    Grid {
        /// Edge, m.
        size: f32,
        /// Quads along an edge.
        subdivisions: u32,
    },
}

impl Default for MeshMode {
    fn default() -> Self {
        Self::Clipmap(ClipmapQuality::High)
    }
}

/// Density of the clipmap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClipmapQuality {
    /// Reaches 512 m.
    Low,
    /// Reaches 896 m.
    Medium,
    /// Reaches 1024 m, about 620k triangles.
    #[default]
    High,
}

impl ClipmapQuality {
    /// Rings around the centre, quads along an edge, and the finest quad in metres.
    pub fn dimensions(self) -> (u32, u32, f32) {
        match self {
            Self::Low => (4, 128, 0.5),
            Self::Medium => (5, 160, 0.35),
            Self::High => (5, 256, 0.25),
        }
    }

    /// From the centre to the edge, m.
    pub fn half_extent(self) -> f32 {
        let (rings, edge, quad) = self.dimensions();
        edge as f32 * quad / 2.0 * (1u32 << rings) as f32
    }
}
