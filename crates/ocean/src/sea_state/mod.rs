//! What is asked of the sea: depth, seed, amplitude and up to eight cascades, each a wind over a fetch on its own tile.
//!
//! Everything here may come from a file, a slider or a script, so nothing is trusted: [`SeaState::validated`] brings every
//! value into the range of [`CASCADE_PARAMETERS`] and says what it changed. The formulas behind it ([`crate::spectrum`],
//! [`crate::surface_field`], the GPU) see validated states only, and so never see a NaN.

mod parameters;
mod validation;

pub use parameters::{CASCADE_PARAMETERS, Parameter, SEA_PARAMETERS, Wrap};
pub use validation::Adjustment;

use serde::{Deserialize, Serialize};

/// The most cascades a sea may have.
pub const MAX_CASCADES: usize = 8;

/// Acceleration of gravity, m/s². The spectra were fitted with this value, so it is no dial.
pub const GRAVITY: f64 = 9.81;

/// A whole sea. The default is the [`Ocean`](crate::preset::Preset::Ocean) preset.
///
/// Files may leave fields out (the default holds) but not misspell them: a dial that is silently ignored costs its author
/// more than an error does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[serde(default, deny_unknown_fields)]
pub struct SeaState {
    /// Depth of the water, m. Waves longer than about twice this are slowed and lowered (Kitaigorodskii et al. 1975).
    pub sea_depth: f32,
    /// Which of all seas with these statistics this is. Each cascade derives its own seed from it.
    pub seed: u32,
    /// How the spectrum's energy becomes metres.
    pub amplitude: Amplitude,
    /// One to [`MAX_CASCADES`] layers, drawn on top of each other.
    pub cascades: Vec<Cascade>,
}

impl Default for SeaState {
    fn default() -> Self {
        crate::preset::Preset::Ocean.sea_state()
    }
}

/// How the spectrum's energy becomes metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[serde(rename_all = "snake_case")]
pub enum Amplitude {
    /// The surface has eight times the variance that JONSWAP/TMA says, √8 = 2.83 times the height: the look the presets are
    /// tuned for. It comes from drawing both h₀(k) and h₀(−k) at full strength, as most uses of the technique do.
    #[default]
    Artistic,
    /// Metres are metres: the significant wave height is 4√m₀ of the spectrum.
    Physical,
}

impl Amplitude {
    /// The factor a on h₀: 1, or 1/√8. The surface's variance is 8 a² m₀.
    pub fn factor(self) -> f64 {
        match self {
            Self::Artistic => 1.0,
            Self::Physical => std::f64::consts::FRAC_1_SQRT_2 * 0.5,
        }
    }
}

/// One layer of the sea: a wind over a fetch, on a tile that repeats. Ranges are in [`CASCADE_PARAMETERS`].
///
/// The default is the first cascade of the [`Ocean`](crate::preset::Preset::Ocean) preset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[serde(default, deny_unknown_fields)]
pub struct Cascade {
    /// Size of the repeating tile along world x and world z, m.
    pub tile_length: [f32; 2],
    /// How fast this cascade's clock runs: 1 is real time, 0 frozen. Not part of the spectrum: changing it rebuilds nothing.
    pub time_scale: f32,
    /// Wind over the water, m/s, averaged. The formulas take at least [`MIN_WIND_SPEED`](crate::spectrum::MIN_WIND_SPEED).
    pub wind_speed: f32,
    /// Heading the wind blows *to*, degrees: 0 is +x, 90 is +z. Any finite value; kept in [0, 360).
    pub wind_direction: f32,
    /// Distance the wind has blown over, km. The formulas take at least [`MIN_FETCH`](crate::spectrum::MIN_FETCH).
    pub fetch_length: f32,
    /// Sharpens the directions of long waves: 0 is a wind sea, 1 and more a swell (Horvath 2015, ξ).
    pub swell: f32,
    /// 1 keeps every wave, less takes the short ones away: the energy at k falls by exp(−(1 − detail)² k²).
    pub detail: f32,
    /// 0 follows the wind as Hasselmann et al. measured, 1 goes evenly in all directions.
    pub spread: f32,
    /// How steep a wave must get before it foams: lower is sooner, at 1 the surface must fold.
    pub whitecap: f32,
    /// How fast foam grows where waves break, and how slowly it goes.
    pub foam_amount: f32,
    /// Factor on the displacement as drawn. 0 leaves the cascade in the shading only.
    pub displacement_scale: f32,
    /// Factor on the shading normal.
    pub normal_scale: f32,
}

impl Cascade {
    /// [`Cascade::default`] as a constant.
    pub const DEFAULT: Self = Self {
        tile_length: [88.0, 88.0],
        time_scale: 1.0,
        wind_speed: 10.0,
        wind_direction: 20.0,
        fetch_length: 150.0,
        swell: 0.8,
        detail: 1.0,
        spread: 0.2,
        whitecap: 0.5,
        foam_amount: 8.0,
        displacement_scale: 1.0,
        normal_scale: 1.0,
    };
}

impl Default for Cascade {
    fn default() -> Self {
        Self::DEFAULT
    }
}
