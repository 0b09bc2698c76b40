//! What the panel's dials set: everything about the blood that a visitor may turn, in one place that the rest of the demo reads.

use crate::gravity::Gravity;
use bevy::prelude::*;
use bevy_wetmap::bloodstain::spectral::Film;
use bevy_wetmap::{Looks, WetSettings};

/// The dials of the model as the demo has them, where they differ from the defaults: on a pale sphere seen from close by, trails are to be opaque and
/// edges sharp. The notes page has them.
pub fn settings() -> WetSettings {
    WetSettings { drip_rate: 0.62, spread_rate: 0.03, ..default() }
}

/// What is thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotDials {
    /// Diameter of the smallest drop of an aimed shot, mm.
    pub drop_diameter: f32,
    /// How fast an aimed one is, m/s.
    pub impact_speed: f32,
    /// Whether a drop lands at the angle at which the shot meets the sphere.
    pub angle_as_aimed: bool,
    /// The angle otherwise, degrees; 90 is straight on.
    pub impact_angle: f32,
    /// Drops of a burst.
    pub burst_count: u32,
    /// How far from its middle they land, as a share of the sphere's radius.
    pub burst_spread: f32,
}

impl Default for ShotDials {
    fn default() -> Self {
        Self {
            drop_diameter: 11.0,
            impact_speed: 10.0,
            angle_as_aimed: true,
            impact_angle: 90.0,
            burst_count: 14,
            burst_spread: 0.62,
        }
    }
}

/// How blood is drawn, with a film at hand that may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooksDials {
    /// See [`Looks::edge_samples`].
    pub edge_samples: u32,
    /// Whether [`Looks::film`] is this one, or none.
    pub film_by_thickness: bool,
    /// The film.
    pub film: Film,
}

impl Default for LooksDials {
    fn default() -> Self {
        Self { edge_samples: 1, film_by_thickness: false, film: Film::arterial(0.5) }
    }
}

impl LooksDials {
    /// As the crate takes them.
    pub fn looks(&self) -> Looks {
        Looks { edge_samples: self.edge_samples, film: self.film_by_thickness.then_some(self.film) }
    }
}

/// Every dial.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Dials {
    /// The model's own.
    pub blood: WetSettings,
    /// Down on the texture.
    pub gravity: Gravity,
    /// Ticks that fast-forward makes of one.
    pub fast_forward: u32,
    /// What is thrown.
    pub shot: ShotDials,
    /// How it is drawn.
    pub looks: LooksDials,
}

impl Default for Dials {
    fn default() -> Self {
        Self {
            blood: settings(),
            gravity: Gravity::default(),
            fast_forward: 10,
            shot: ShotDials::default(),
            looks: LooksDials::default(),
        }
    }
}

impl Dials {
    /// Takes a script's settings, of which nothing is trusted: what is out of range is brought into it as the model would where it uses it, so
    /// that the digest is the same. How much is uploaded is no business of a script.
    pub(crate) fn follow(&mut self, gravity: [f32; 2], settings: &WetSettings, looks: &Looks) {
        let unit = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
        self.gravity = Gravity::of(gravity);
        self.blood = WetSettings {
            drip_rate: unit(settings.drip_rate),
            spread_rate: unit(settings.spread_rate),
            dry_ticks: settings.dry_ticks.clamp(1, u32::from(u16::MAX)),
            absorbency: unit(settings.absorbency),
            humidity: unit(settings.humidity),
            max_canvas_updates_per_tick: self.blood.max_canvas_updates_per_tick,
        };
        self.looks.edge_samples = looks.edge_samples.clamp(1, 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scripts_nonsense_is_brought_into_range() {
        let mut dials = Dials::default();
        let nonsense = WetSettings {
            drip_rate: f32::NAN,
            spread_rate: f32::INFINITY,
            dry_ticks: u32::MAX,
            absorbency: -3.0,
            humidity: 7.0,
            max_canvas_updates_per_tick: 0,
        };
        dials.follow([f32::NAN, 1.0], &nonsense, &Looks { edge_samples: 0, film: None });
        let wanted = WetSettings {
            drip_rate: 0.0,
            spread_rate: 1.0,
            dry_ticks: 65535,
            absorbency: 0.0,
            humidity: 1.0,
            max_canvas_updates_per_tick: 4,
        };
        assert_eq!((dials.blood, dials.gravity, dials.looks.edge_samples), (wanted, Gravity::None, 1));
    }
}
