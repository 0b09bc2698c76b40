//! The formulas against values computed elsewhere: every row of `tests/cases/ocean-spectrum.json`.

use ocean::dispersion::{group_speed, omega};
use ocean::preset::Preset;
use ocean::sea_state::{Amplitude, Cascade, SeaState};
use ocean::spectrum::CascadeSpectrum;
use ocean::statistics::{cascade_variance, cascade_wave_height, mean_direction};
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    points: Vec<Point>,
    seas: Vec<Sea>,
}

#[derive(Debug, Deserialize)]
struct Point {
    wind_speed: f64,
    fetch_m: f64,
    depth_m: f64,
    k: f64,
    theta_from_wind: f64,
    swell: f64,
    spread: f64,
    detail: f64,
    alpha: f64,
    peak_omega: f64,
    omega: f64,
    domega_dk: f64,
    jonswap: f64,
    tma: f64,
    spreading_exponent: f64,
    directional: f64,
}

#[derive(Debug, Deserialize)]
struct Sea {
    preset: Option<String>,
    cascade: Option<usize>,
    tile_m: Option<[f32; 2]>,
    wind_speed: Option<f32>,
    heading_deg: Option<f32>,
    fetch_km: Option<f32>,
    depth_m: Option<f32>,
    swell: Option<f32>,
    spread: Option<f32>,
    detail: Option<f32>,
    displacement_scale: Option<f32>,
    resolution: u32,
    m0: f64,
    hs_physical: f64,
    hs_artistic: f64,
    mean_heading_deg: f64,
    directional_concentration: f64,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../../../tests/cases/ocean-spectrum.json")).expect("the cases are valid")
}

/// Below 1e-290 the last bits of a subnormal number are all there is.
#[track_caller]
fn close(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((got - expected).abs() <= tolerance * expected.abs() + 1e-290, "{what}: {got:e}, expected {expected:e}");
}

#[test]
fn every_point_of_the_spectrum() {
    let cases = cases();
    assert_eq!(cases.points.len(), 50);
    for point in cases.points {
        let spectrum = CascadeSpectrum {
            depth: point.depth_m,
            swell: point.swell,
            spread: point.spread,
            detail: point.detail,
            ..CascadeSpectrum::new(&SeaState::default(), 0).with_wind(point.wind_speed, point.fetch_m, 0.0)
        };
        let what = format!("{point:?}");
        close(spectrum.alpha, point.alpha, 1e-9, &what);
        close(spectrum.peak_omega, point.peak_omega, 1e-9, &what);
        close(omega(point.k, point.depth_m), point.omega, 1e-9, &what);
        close(group_speed(point.k, point.depth_m), point.domega_dk, 1e-9, &what);
        close(spectrum.jonswap(point.omega), point.jonswap, 1e-9, &what);
        close(spectrum.tma(point.omega), point.tma, 1e-9, &what);
        close(spectrum.spreading_exponent(point.omega), point.spreading_exponent, 1e-9, &what);
        close(spectrum.directional(point.k, point.theta_from_wind), point.directional, 1e-9, &what);
    }
}

fn sea_of(case: &Sea) -> (SeaState, usize) {
    if let (Some(name), Some(index)) = (&case.preset, case.cascade) {
        let preset = Preset::ALL.into_iter().find(|preset| preset.name() == name).expect("a preset of that name");
        return (preset.sea_state(), index);
    }
    let cascade = Cascade {
        tile_length: case.tile_m.unwrap(),
        wind_speed: case.wind_speed.unwrap(),
        wind_direction: case.heading_deg.unwrap(),
        fetch_length: case.fetch_km.unwrap(),
        swell: case.swell.unwrap(),
        spread: case.spread.unwrap(),
        detail: case.detail.unwrap(),
        ..Cascade::DEFAULT
    };
    (SeaState { sea_depth: case.depth_m.unwrap(), cascades: vec![cascade], ..SeaState::default() }, 0)
}

#[test]
fn every_sea() {
    // Bins straight upwind to the last bit hold up to this share of the cases' energy, or nothing, as rounding has it: see
    // `MIN_COS_SQUARED`.
    const TOLERANCE: f64 = 5e-6;
    let cases = cases();
    assert_eq!(cases.seas.len(), 34);
    for case in cases.seas {
        let (mut sea, index) = sea_of(&case);
        let what = format!("{case:?}");
        if let Some(scale) = case.displacement_scale {
            assert_eq!(sea.cascades[index].displacement_scale, scale, "{what}");
        }
        let artistic = CascadeSpectrum::new(&sea, index);
        sea.amplitude = Amplitude::Physical;
        let physical = CascadeSpectrum::new(&sea, index);
        close(cascade_variance(&artistic, case.resolution), case.m0, TOLERANCE, &what);
        close(cascade_wave_height(&artistic, case.resolution), case.hs_artistic, TOLERANCE, &what);
        close(cascade_wave_height(&physical, case.resolution), case.hs_physical, TOLERANCE, &what);
        let direction = mean_direction(&artistic, case.resolution);
        close(direction.concentration, case.directional_concentration, TOLERANCE, &what);
        let off = (direction.heading - case.mean_heading_deg).rem_euclid(360.0);
        assert!(off.min(360.0 - off) < 1e-4, "{what}: {}", direction.heading);
    }
}
