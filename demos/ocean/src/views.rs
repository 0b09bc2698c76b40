//! From where each preset is first seen, and where the sun stands then: the seven photographs.

use bevy::prelude::*;
use bevy_ocean::Preset;

/// A place and a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// m; the water level is at y = 0.
    pub place: Vec3,
    /// Degrees: 0 looks to +x, 90 to +z.
    pub heading: f32,
    /// Degrees above the horizon.
    pub pitch: f32,
}

impl View {
    /// The first view of a preset.
    pub fn of(preset: Preset) -> Self {
        let (place, heading, pitch) = match preset {
            // Against the waves, from a small boat's deck.
            Preset::Ocean => ([0.0, 4.5, 0.0], 222.0, -4.0),
            // From a bridge, so that the next crest does not hide the sea.
            Preset::StormyOcean => ([0.0, 11.0, 0.0], 232.0, -3.5),
            Preset::Tropical => ([0.0, 3.6, 0.0], 205.0, -8.0),
            Preset::Arctic => ([0.0, 8.0, 0.0], 285.0, -5.0),
            // From the shore, over shallows, the jetty to the right.
            Preset::CalmLake => ([-59.0, 2.4, 32.5], -38.0, -9.0),
            // Downstream, from above the water.
            Preset::River => ([-46.0, 3.4, -6.0], 4.0, -9.0),
            Preset::Swamp => ([-30.0, 1.6, 20.0], -30.0, -6.0),
        };
        Self { place: Vec3::from_array(place), heading, pitch }
    }
}
