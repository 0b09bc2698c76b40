//! The sea's spectrum for the page's plots, as plain data: what is drawn, in the units of its axes, with no more digits than a plot shows. So the text is the
//! same while the sea is, and the page leaves its drawing alone.
//!
//! The field is the one that bodies float on: 64² points a cascade, in the wind that there is.

#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "only the page asks for it"))]

use bevy_ocean::ocean::SurfaceField;
use bevy_ocean::ocean::surface_field::DrawnCascade;
use bevy_ocean::ocean::wave_spectrum::{Estimate, Summary, WaveSpectrum, theory};
use serde_json::{Value, json};

/// Where the plot ends: this share of the variance is at lower frequencies.
const SHOWN: f64 = 0.97;

/// Points of the curve of S(ω).
const FREQUENCIES: usize = 240;

/// Points of the curve of D(θ).
const HEADINGS: usize = 60;

/// The spectrum of `field`, with angular frequencies in rad/s, S in m² s, D in m²/rad, and headings in degrees from +x towards +z:
///
/// - `to`: frequency at which a plot may end; `bands`, `sectors`: what is expected of these tiles, `low` and `high`, which nine seeds in ten lie between, and
///   what is `measured`, from one frequency to another and around a heading;
/// - `open_water`: the same sea without tiles: `wave_height`, `frequencies` as pairs (ω, S), `headings` as D evenly around the circle;
/// - `expected`, `measured`: `wave_height` in m, `peak_period` in s, `heading`; `wave_height_range`, two heights that nine seeds in ten lie between;
/// - `winds`: `speed`, `heading` and `share` of the variance for each cascade that moves the surface.
pub(crate) fn describe(field: &SurfaceField) -> Value {
    let spectrum = WaveSpectrum::of(field);
    let cascades: Vec<DrawnCascade> = field.drawn_cascades().collect();
    let to = spectrum.omega_below_which(SHOWN);
    let curve = theory::frequency_curve(&cascades, to, FREQUENCIES);
    let around = theory::direction_curve(&cascades, HEADINGS);
    json!({
        "to": significant(to),
        "bands": spectrum.bands.iter().map(|band| {
            with_estimate(json!({ "from": significant(band.from), "to": significant(band.to) }), &band.density)
        }).collect::<Vec<_>>(),
        "sectors": spectrum.sectors.iter().map(|sector| {
            with_estimate(json!({ "heading": significant(degrees(sector.heading)) }), &sector.density)
        }).collect::<Vec<_>>(),
        "open_water": {
            "wave_height": significant(wave_height(theory::variance(&cascades))),
            "frequencies": curve.into_iter().map(|point| point.map(significant)).collect::<Vec<_>>(),
            "headings": around.into_iter().map(significant).collect::<Vec<_>>(),
        },
        "expected": summary(&spectrum.expected),
        "measured": summary(&spectrum.measured),
        "wave_height_range": spectrum.variance_range.map(|variance| significant(wave_height(variance))),
        "winds": spectrum.winds.iter().map(|wind| json!({
            "speed": significant(wind.speed),
            "heading": significant(degrees(wind.heading)),
            "share": significant(wind.share),
        })).collect::<Vec<_>>(),
    })
}

fn with_estimate(mut whose: Value, density: &Estimate) -> Value {
    let Estimate { expected, range: [low, high], measured } = *density;
    for (name, value) in [("expected", expected), ("low", low), ("high", high), ("measured", measured)] {
        whose[name] = significant(value).into();
    }
    whose
}

fn summary(summary: &Summary) -> Value {
    json!({
        "wave_height": significant(summary.wave_height()),
        "peak_period": significant(summary.peak_period),
        "heading": significant(degrees(summary.heading)),
    })
}

fn wave_height(variance: f64) -> f64 {
    4.0 * variance.sqrt()
}

/// In [0, 360).
fn degrees(radians: f64) -> f64 {
    radians.to_degrees().rem_euclid(360.0)
}

/// Four significant digits.
fn significant(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ocean::ocean::{Clocks, Preset};

    fn of(seconds: f64) -> Value {
        let sea = Preset::StormyOcean.sea_state();
        let mut field = SurfaceField::new(&sea);
        let mut clocks = Clocks::new();
        clocks.advance(seconds, &sea);
        field.update(&clocks);
        describe(&field)
    }

    #[test]
    fn four_digits_are_left() {
        assert_eq!([0.0, 1.0, 123.456, 0.000_123_456].map(significant), [0.0, 1.0, 123.5, 0.000_123_5]);
    }

    #[test]
    fn what_is_drawn_holds_what_the_figures_say() {
        let told = of(0.0);
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        for (whose, key) in [("expected", "expected"), ("measured", "measured")] {
            let bands = told["bands"].as_array().map_or(&[][..], Vec::as_slice);
            let variance: f64 =
                bands.iter().map(|band| number(&band[key]) * (number(&band["to"]) - number(&band["from"]))).sum();
            let height = number(&told[whose]["wave_height"]);
            // Edges have four digits, and some bands are a tenth of their frequency wide.
            assert!((4.0 * variance.sqrt() / height - 1.0).abs() < 0.01, "{whose}: {variance} m², {height} m");
        }
        assert_eq!(told["sectors"].as_array().map(Vec::len), Some(16));
    }

    #[test]
    fn it_fits_a_message() {
        assert!(of(0.0).to_string().len() < 16_000);
    }
}
