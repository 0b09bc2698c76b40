//! The statistics of seas, and of the fields that are drawn from them.

mod common;

use common::{heights, sea_of};
use ocean::clock::Clocks;
use ocean::preset::Preset;
use ocean::statistics::{
    cascade_variance, cascade_wave_height, directional_spectrum, dominant_period, estimated_wave_height, frequency_spectrum,
    mean_direction, peak_period, sea_direction, significant_wave_height, spectral_moment,
};
use ocean::surface_field::{Maps, SurfaceField};
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState};

/// Mean of `measure` over the maps of `seeds` realisations, and its standard error.
fn over_seeds(sea: &SeaState, resolution: u32, seeds: u32, measure: impl Fn(&Maps) -> f64) -> (f64, f64) {
    let mut field = SurfaceField::with_resolution(sea, resolution).unwrap();
    let clocks = Clocks::new();
    let values: Vec<f64> = (0..seeds)
        .map(|seed| {
            field.set_sea(&SeaState { seed, ..sea.clone() });
            field.update(&clocks);
            measure(field.maps(0).unwrap())
        })
        .collect();
    let mean = values.iter().sum::<f64>() / f64::from(seeds);
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / f64::from(seeds - 1);
    (mean, (variance / f64::from(seeds)).sqrt())
}

fn mean_square(values: impl IntoIterator<Item = f32>) -> f64 {
    common::rms(values.into_iter().map(f64::from)).powi(2)
}

fn height_variance(maps: &Maps) -> f64 {
    mean_square(heights(maps))
}

#[test]
fn the_field_is_as_high_as_its_discrete_spectrum_says() {
    let presets = [Preset::Ocean.sea_state().cascades[0], Preset::CalmLake.sea_state().cascades[1]];
    for cascade in presets {
        for amplitude in [Amplitude::Physical, Amplitude::Artistic] {
            let sea = sea_of(cascade, 20.0, amplitude);
            let (variance, error) = over_seeds(&sea, 64, 300, height_variance);
            let (height, expected) = (4.0 * variance.sqrt(), cascade_wave_height(&CascadeSpectrum::new(&sea, 0), 64));
            // The error of a root is half that of its square.
            let three_errors = 1.5 * error / variance;
            assert!(three_errors < 0.05, "{three_errors}");
            assert!((height / expected - 1.0).abs() < three_errors, "{height} m, {expected} m expected");
        }
    }
}

/// A tile of 23 peak wavelengths, with a grid that reaches 2.4 peak frequencies.
fn wide() -> Cascade {
    Cascade { tile_length: [300.0, 300.0], wind_speed: 5.0, fetch_length: 20.0, ..Cascade::DEFAULT }
}

#[test]
fn on_a_wide_tile_it_is_as_high_as_the_spectrum_s_integral() {
    let sea = sea_of(wide(), 50.0, Amplitude::Physical);
    let spectrum = CascadeSpectrum::new(&sea, 0);
    let integral = 4.0 * spectral_moment(&spectrum, 0).sqrt();
    assert!((cascade_wave_height(&spectrum, 1024) / integral - 1.0).abs() < 0.01);
    let (variance, error) = over_seeds(&sea, 256, 48, height_variance);
    let height = 4.0 * variance.sqrt();
    assert!(1.5 * error / variance < 0.03);
    assert!((height / integral - 1.0).abs() < 0.03, "{height} m, {integral} m expected");
}

#[test]
fn the_field_has_its_spectrum_s_wavelengths_along_each_axis_and_its_direction() {
    for (tile_length, wind_direction) in [([120.0, 40.0], 30.0), ([40.0, 120.0], 30.0), ([88.0, 88.0], 250.0)] {
        let sea = sea_of(Cascade { tile_length, wind_direction, ..Cascade::DEFAULT }, 20.0, Amplitude::Physical);
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let mut moments = [0.0; 3];
        spectrum.for_each_bin(64, |ix, iz, variance| {
            let [kx, kz] = spectrum.wave_vector(ix, iz);
            for (moment, factor) in moments.iter_mut().zip([kx * kx, kz * kz, kx * kz]) {
                *moment += factor * variance;
            }
        });
        let slope = |maps: &Maps, factor: fn([f32; 2]) -> f32| {
            maps.gradient().iter().map(|&[x, z, ..]| f64::from(factor([x, z]))).sum::<f64>() / 4096.0
        };
        let factors: [fn([f32; 2]) -> f32; 3] = [|[x, _]| x * x, |[_, z]| z * z, |[x, z]| x * z];
        for (factor, expected) in factors.into_iter().zip(moments) {
            let (mean, error) = over_seeds(&sea, 64, 150, |maps| slope(maps, factor));
            assert!((mean - expected).abs() < 4.0 * error, "{tile_length:?}: {mean}, {expected} expected");
            assert!(4.0 * error < 0.1 * moments[0].max(moments[1]), "{error}");
        }
    }
}

#[test]
fn heights_of_cascades_add_in_squares_as_drawn() {
    let sea = Preset::Ocean.sea_state();
    let heights: Vec<f64> = CascadeSpectrum::all(&sea).iter().map(|spectrum| cascade_wave_height(spectrum, 128)).collect();
    let expected = heights[0].hypot(0.75 * heights[1]);
    assert!((significant_wave_height(&sea, 128) / expected - 1.0).abs() < 1e-12);
}

#[test]
fn physical_metres_are_a_root_of_eight_less() {
    let artistic = Preset::Arctic.sea_state();
    let physical = SeaState { amplitude: Amplitude::Physical, ..artistic.clone() };
    let ratio = significant_wave_height(&artistic, 64) / significant_wave_height(&physical, 64);
    assert!((ratio - 8f64.sqrt()).abs() < 1e-12, "{ratio}");
}

#[test]
fn the_peak_is_where_the_spectrum_is_highest() {
    for (depth, wind_speed) in [(5000.0, 10.0), (20.0, 10.0), (3.0, 20.0), (0.1, 60.0)] {
        let sea = sea_of(Cascade { wind_speed, ..Cascade::DEFAULT }, depth, Amplitude::Physical);
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let peak = std::f64::consts::TAU / peak_period(&spectrum);
        let sampled = frequency_spectrum(&spectrum, 0.3 * spectrum.peak_omega, 3.0 * spectrum.peak_omega, 20_000);
        let highest = sampled.iter().max_by(|a, b| a[1].total_cmp(&b[1])).unwrap()[0];
        assert!((peak / highest - 1.0).abs() < 3e-4, "depth {depth}: {peak} rad/s, sampled {highest}");
    }
    let deep = CascadeSpectrum::new(&sea_of(Cascade::DEFAULT, 5000.0, Amplitude::Physical), 0);
    assert!((peak_period(&deep) * deep.peak_omega / std::f64::consts::TAU - 1.0).abs() < 1e-3);
}

#[test]
fn a_sea_s_period_and_direction_are_those_of_what_is_drawn() {
    let mut sea = Preset::Ocean.sea_state();
    assert_eq!(dominant_period(&sea, 64), peak_period(&CascadeSpectrum::new(&sea, 0)));
    sea.cascades[0].displacement_scale = 0.0;
    let second = CascadeSpectrum::new(&sea, 1);
    assert_eq!(dominant_period(&sea, 64), peak_period(&second));
    let (drawn, alone) = (sea_direction(&sea, 64), mean_direction(&second, 64));
    assert!((drawn.heading - alone.heading).abs() < 1e-9);
    assert!((drawn.concentration - alone.concentration).abs() < 1e-12);
}

#[test]
fn plots_hold_the_energy_they_stand_for() {
    let spectrum = CascadeSpectrum::new(&SeaState::default(), 0);
    let m0 = spectral_moment(&spectrum, 0);
    let (from, to) = (0.4 * spectrum.peak_omega, 30.0 * spectrum.peak_omega);
    let line = frequency_spectrum(&spectrum, from, to, 20_001);
    let area: f64 = line.windows(2).map(|pair| 0.5 * (pair[0][1] + pair[1][1]) * (pair[1][0] - pair[0][0])).sum();
    assert!((area / m0 - 1.0).abs() < 1e-4, "{area} of {m0}");
    let samples = directional_spectrum(&spectrum, from, to, 2001, 90);
    let cell = (to - from) / 2000.0 * std::f64::consts::TAU / 90.0;
    let volume = samples.density.iter().sum::<f64>() * cell;
    // Q(s) is good to 0.7 %.
    assert!((volume / m0 - 1.0).abs() < 0.007, "{volume} of {m0}");
}

#[test]
fn the_estimate_is_within_a_factor_of_two() {
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        for (index, spectrum) in CascadeSpectrum::all(&sea).iter().enumerate() {
            for resolution in [64, 128, 256, 512, 1024] {
                let ratio = estimated_wave_height(spectrum, resolution) / cascade_wave_height(spectrum, resolution);
                assert!((0.5..2.0).contains(&ratio), "{} {index} at {resolution}: {ratio}", preset.name());
            }
        }
    }
}

#[test]
fn a_finer_grid_adds_energy_and_takes_none() {
    let spectrum = CascadeSpectrum::new(&Preset::Ocean.sea_state(), 0);
    let variances = [64, 128, 256, 512].map(|resolution| cascade_variance(&spectrum, resolution));
    assert!(variances.is_sorted(), "{variances:?}");
    assert!(variances[3] < 1.01 * variances[2]);
}
