//! The six dials, and the integers the tick makes of them.
//!
//! A dial is a number a person typed, so anything may stand in it: infinities, NaN, a rate of −3. The tick never rewrites the
//! settings; it reads them through [`Dials`], once a tick, where each value is brought into its range. That is the only place
//! where the ranges are written, so what the tick does with nonsense is decided once.

/// The dials of the model. A resource in Bevy; plain data without it.
///
/// Values outside a dial's range are clamped where they are used and NaN counts as 0; the settings themselves are never
/// rewritten, so what you put in is what you read back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "bevy", derive(bevy::prelude::Resource))]
#[cfg_attr(feature = "script", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "script", serde(default, deny_unknown_fields))]
pub struct WetSettings {
    /// Coverage above which wet blood runs, as a fraction of full coverage, `0..=1`. Default 0.35.
    ///
    /// Used as a threshold byte `clamp(round(255 · drip_rate), 1, 255)`, 89 by default: a texel keeps that much and sheds the
    /// excess, so a run leaves a trail.
    pub drip_rate: f32,
    /// Fraction of a coverage difference that creeps into the four neighbours in one tick, `0..=1`. Default 0.08; 0 turns the
    /// pass off.
    pub spread_rate: f32,
    /// Ticks from landing to dry, clamped to `1..=65535`. Default 1800, which is 30 s at 60 Hz.
    pub dry_ticks: u32,
    /// Fraction of full coverage that the substrate soaks up over the *whole* wet lifetime, `0..=1`. Default 0.15.
    ///
    /// Not a fraction a tick: `0.85³⁰ ≈ 0.008`, and every stain would be gone in half a second.
    pub absorbency: f32,
    /// Canvases uploaded in one frame at the most, oldest first. Default 4; 0 uploads nothing.
    pub max_canvas_updates_per_tick: u32,
    /// Relative humidity, `0..=1`. Default 0.4.
    ///
    /// Handed to [`bloodstain`], and moves what `bloodstain` makes of it. In 0.3 that is only the serum halo outside a stain,
    /// which a texel does not draw: turning this dial changes no byte of the picture and no digest.
    pub humidity: f32,
}

impl Default for WetSettings {
    fn default() -> Self {
        Self {
            drip_rate: 0.35,
            spread_rate: 0.08,
            dry_ticks: bloodstain::dry::DRY_REF_TICKS,
            absorbency: 0.15,
            max_canvas_updates_per_tick: 4,
            humidity: 0.4,
        }
    }
}

/// Brings a rate into `0..=1`; NaN counts as 0.
fn unit(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }
}

/// What one tick reads of the settings: every value in range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dials {
    /// A wet texel keeps this much coverage and sheds the rest, `1..=255`.
    pub threshold: u8,
    /// A quarter of the spread rate, `0..=0.25`: the share of one edge.
    pub edge_rate: f32,
    /// Age at which blood is dry, `1..=65535` ticks.
    pub span: u16,
    /// Coverage the substrate takes over the whole span, `0..=255`.
    pub soak: u8,
    /// Relative humidity, `0..=1`.
    pub humidity: f32,
}

impl Dials {
    /// Reads the settings, clamping each to its range.
    pub fn of(settings: &WetSettings) -> Self {
        Self {
            threshold: (255.0 * unit(settings.drip_rate)).round().clamp(1.0, 255.0) as u8,
            edge_rate: unit(settings.spread_rate) / 4.0,
            span: settings.dry_ticks.clamp(1, u32::from(u16::MAX)) as u16,
            soak: (255.0 * unit(settings.absorbency)).round() as u8,
            humidity: unit(settings.humidity),
        }
    }

    /// Whether blood of this age is still wet. An empty texel has age 0 and so counts as wet.
    pub fn is_wet(&self, age: u16) -> bool {
        age < self.span
    }

    /// Coverage the substrate has taken by this age, `0..=soak`. An integer schedule: differences of it sum to it exactly, so
    /// there is no residue to drift.
    pub fn absorbed(&self, age: u16) -> u8 {
        let age = u32::from(age.min(self.span));
        // At most 65535 · 255, and the quotient is at most `soak`.
        (age * u32::from(self.soak) / u32::from(self.span)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_published_ones() {
        let dials = Dials::of(&WetSettings::default());
        assert_eq!(dials, Dials { threshold: 89, edge_rate: 0.02, span: 1800, soak: 38, humidity: 0.4 });
    }

    #[test]
    fn nonsense_is_clamped_where_it_is_used() {
        let dials = |rate: f32, dry_ticks| {
            Dials::of(&WetSettings {
                drip_rate: rate,
                spread_rate: rate,
                absorbency: rate,
                humidity: rate,
                dry_ticks,
                ..Default::default()
            })
        };
        let lowest = Dials { threshold: 1, edge_rate: 0.0, span: 1, soak: 0, humidity: 0.0 };
        let highest = Dials { threshold: 255, edge_rate: 0.25, span: 65535, soak: 255, humidity: 1.0 };
        for rate in [0.0, -0.0, -1.0, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(dials(rate, 0), lowest, "rate {rate}");
        }
        for rate in [1.0, 1e30, f32::INFINITY] {
            assert_eq!(dials(rate, u32::MAX), highest, "rate {rate}");
        }
    }

    #[test]
    fn soaking_adds_up_to_the_lifetime_fraction() {
        for (dry_ticks, absorbency) in [(1, 1.0), (37, 0.15), (1800, 0.15), (65535, 1.0), (3, 0.0)] {
            let dials = Dials::of(&WetSettings { dry_ticks, absorbency, ..Default::default() });
            let taken: u32 = (0..dials.span).map(|age| u32::from(dials.absorbed(age + 1) - dials.absorbed(age))).sum();
            assert_eq!(taken, u32::from(dials.soak), "dry_ticks {dry_ticks} absorbency {absorbency}");
        }
    }
}
