//! The spectrum of a field that is there, against the statistics that its sea is said to have.

mod common;

use common::{heights, rms, sea_of};
use ocean::clock::Clocks;
use ocean::preset::Preset;
use ocean::statistics::{dominant_period, sea_direction, significant_wave_height, spectral_moment};
use ocean::surface_field::SurfaceField;
use ocean::wave_spectrum::{Band, Estimate, theory};
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState, WaveSpectrum};
use std::f64::consts::{PI, TAU};

/// The field of `sea` some `seconds` into its run.
fn field_of(sea: &SeaState, resolution: u32, seconds: f64) -> SurfaceField {
    let mut field = SurfaceField::with_resolution(sea, resolution).unwrap();
    let mut clocks = Clocks::new();
    clocks.advance(seconds, sea);
    field.update(&clocks);
    field
}

fn over_bands(spectrum: &WaveSpectrum, value: impl Fn(&Estimate) -> f64) -> f64 {
    spectrum.bands.iter().map(|band| value(&band.density) * (band.to - band.from)).sum()
}

fn over_sectors(spectrum: &WaveSpectrum, value: impl Fn(&Estimate) -> f64) -> f64 {
    spectrum.sectors.iter().map(|sector| value(&sector.density) * TAU / spectrum.sectors.len() as f64).sum()
}

fn close(actual: f64, expected: f64, relative: f64) {
    assert!((actual / expected - 1.0).abs() < relative, "{actual}, {expected} expected");
}

/// Degrees in [0, 360).
fn degrees(radians: f64) -> f64 {
    radians.to_degrees().rem_euclid(360.0)
}

#[test]
fn what_is_expected_is_what_the_statistics_say_of_every_preset() {
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        let spectrum = WaveSpectrum::of(&field_of(&sea, 64, 0.0));
        close(spectrum.expected.wave_height(), significant_wave_height(&sea, 64), 1e-9);
        close(spectrum.expected.peak_period, dominant_period(&sea, 64), 1e-12);
        let heading = sea_direction(&sea, 64).heading;
        assert!((degrees(spectrum.expected.heading) - heading).abs() < 1e-9, "{heading}° expected");
        let [by_bands, by_sectors] =
            [over_bands(&spectrum, |density| density.expected), over_sectors(&spectrum, |density| density.expected)];
        close(by_bands, spectrum.expected.variance, 1e-9);
        close(by_sectors, spectrum.expected.variance, 1e-9);
    }
}

#[test]
fn its_integral_is_the_variance_of_the_heights() {
    for preset in [Preset::Ocean, Preset::StormyOcean, Preset::River] {
        for resolution in [32, 64, 256] {
            let sea = SeaState { cascades: vec![preset.sea_state().cascades[0]], ..preset.sea_state() };
            let field = field_of(&sea, resolution, 7.0);
            let spectrum = WaveSpectrum::of(&field);
            close(over_bands(&spectrum, |density| density.measured), spectrum.measured.variance, 1e-9);
            close(over_sectors(&spectrum, |density| density.measured), spectrum.measured.variance, 1e-9);
            // Waves that meet head-on stand still together, so the heights' own variance swings about it: their mean over time is it.
            let scale = f64::from(sea.cascades[0].displacement_scale);
            let mut clocks = Clocks::new();
            let mut later = field;
            let variances: Vec<f64> = (0..200)
                .map(|_| {
                    clocks.advance(0.37, &sea);
                    later.update(&clocks);
                    (scale * rms(heights(later.maps(0).unwrap()).into_iter().map(f64::from))).powi(2)
                })
                .collect();
            close(variances.iter().sum::<f64>() / 200.0, spectrum.measured.variance, 0.02);
        }
    }
}

#[test]
fn each_wave_is_measured_as_it_was_drawn_and_the_other_way_is_told_apart() {
    let cascade = Cascade { tile_length: [60.0, 90.0], displacement_scale: 0.7, ..Cascade::DEFAULT };
    let sea = sea_of(cascade, 20.0, Amplitude::Physical);
    let spectrum = CascadeSpectrum::new(&sea, 0);
    let drawn: Vec<f64> = {
        let mut variances = Vec::new();
        spectrum.for_each_bin(64, |ix, iz, _| {
            let [re, im] = spectrum.h0(ix, iz);
            if (ix, iz) != (0, 0) {
                variances.push(2.0 * 0.49 * (re * re + im * im));
            }
        });
        variances
    };
    let mut measured = Vec::new();
    field_of(&sea, 64, 33.0).for_each_wave(|wave| measured.push(wave.measured));
    assert_eq!(measured.len(), drawn.len());
    let largest = drawn.iter().copied().fold(0.0, f64::max);
    for (measured, drawn) in measured.iter().zip(&drawn) {
        assert!(
            (measured - drawn).abs() < 1e-5 * largest.sqrt() * drawn.sqrt() + 1e-12 * largest,
            "{measured} m², {drawn} drawn"
        );
    }
}

#[test]
fn it_does_not_change_while_the_sea_goes_on() {
    let sea = Preset::Arctic.sea_state();
    let [early, late] = [1.0, 977.0].map(|seconds| WaveSpectrum::of(&field_of(&sea, 64, seconds)));
    for (a, b) in early.bands.iter().zip(&late.bands) {
        let of_peak = early.bands.iter().map(|band| band.density.measured).fold(0.0, f64::max);
        assert!((a.density.measured - b.density.measured).abs() < 1e-4 * of_peak, "{a:?} {b:?}");
    }
    close(early.measured.wave_height(), late.measured.wave_height(), 1e-4);
}

#[test]
fn over_many_seeds_the_measured_is_the_expected_and_nine_in_ten_are_in_the_range() {
    const SEEDS: u32 = 300;
    for preset in [Preset::Ocean, Preset::CalmLake] {
        let sea = preset.sea_state();
        let mut field = SurfaceField::new(&sea);
        let first = WaveSpectrum::of(&field);
        // Where there are no waves there is still what the maps' f32 rounds off.
        let has_waves = |band: &Band| band.density.expected * (band.to - band.from) > 1e-9 * first.expected.variance;
        let mut sums = vec![0.0; first.bands.len()];
        let (mut inside, mut outside, mut whole_inside) = (0, 0, 0);
        for seed in 0..SEEDS {
            field.set_sea(&SeaState { seed, ..sea.clone() });
            field.update(&Clocks::new());
            let spectrum = WaveSpectrum::of(&field);
            for (sum, band) in sums.iter_mut().zip(&spectrum.bands).filter(|(_, band)| has_waves(band)) {
                *sum += band.density.measured;
                let [low, high] = band.density.range;
                if (low..=high).contains(&band.density.measured) { inside += 1 } else { outside += 1 }
            }
            let [low, high] = spectrum.variance_range;
            whole_inside += u32::from((low..=high).contains(&spectrum.measured.variance));
        }
        for (sum, band) in sums.iter().zip(&first.bands).filter(|(_, band)| has_waves(band)) {
            // A band's relative deviation is at most 1, that of a single wave; the mean of 300 then deviates by 0.06, and four times that is rare.
            close(sum / f64::from(SEEDS), band.density.expected, 0.24);
        }
        let share = f64::from(inside) / f64::from(inside + outside);
        assert!((0.87..0.93).contains(&share), "{}: {share} of the bands are in their range", preset.name());
        let share = f64::from(whole_inside) / f64::from(SEEDS);
        assert!((0.84..0.96).contains(&share), "{}: {share} of the seas are in their range", preset.name());
    }
}

#[test]
fn a_long_tile_has_open_water_s_spectrum_and_directions() {
    // 23 peak wavelengths, up to 4 peak frequencies.
    let cascade =
        Cascade { tile_length: [300.0, 300.0], wind_speed: 5.0, fetch_length: 20.0, wind_direction: 130.0, ..Cascade::DEFAULT };
    let field = field_of(&sea_of(cascade, 50.0, Amplitude::Physical), 256, 0.0);
    let spectrum = WaveSpectrum::of(&field);
    let cascades: Vec<_> = field.drawn_cascades().collect();
    let peak = TAU / spectrum.expected.peak_period;
    let within = |band: &&Band| band.from > 0.8 * peak && band.to < 2.0 * peak;
    assert!(spectrum.bands.iter().filter(within).count() >= 8);
    for band in spectrum.bands.iter().filter(within) {
        let steps = 200;
        let width = (band.to - band.from) / f64::from(steps);
        let mean = (0..steps)
            .map(|step| theory::frequency_density(&cascades, band.from + width * (f64::from(step) + 0.5)))
            .sum::<f64>()
            / f64::from(steps);
        close(band.density.expected, mean, 0.12);
    }
    let curve = theory::direction_curve(&cascades, 16 * 12);
    for (index, sector) in spectrum.sectors.iter().enumerate() {
        // From −6 to +6 of the 12 headings of a sector, the ends counted half.
        let at = |offset: i32| curve[(index as i32 * 12 + offset).rem_euclid(192) as usize];
        let mean = ((-5..6).map(at).sum::<f64>() + 0.5 * (at(-6) + at(6))) / 12.0;
        let largest = curve.iter().copied().fold(0.0, f64::max);
        assert!((sector.density.expected - mean).abs() < 0.05 * largest, "{sector:?}: {mean} m²/rad on open water");
    }
    assert!((degrees(spectrum.measured.heading) - 130.0).abs() < 10.0, "{:?}", spectrum.measured);
    close(spectrum.measured.peak_period, spectrum.expected.peak_period, 0.1);
}

#[test]
fn open_water_s_curves_hold_its_variance() {
    for preset in [Preset::StormyOcean, Preset::Arctic, Preset::CalmLake] {
        let field = SurfaceField::new(&preset.sea_state());
        let cascades: Vec<_> = field.drawn_cascades().collect();
        let by_hand: f64 = cascades.iter().map(|drawn| drawn.variance_factor * spectral_moment(&drawn.spectrum, 0)).sum();
        close(theory::variance(&cascades), by_hand, 1e-12);
        let to = 40.0 * cascades.iter().map(|drawn| drawn.spectrum.peak_omega).fold(0.0, f64::max);
        let line = theory::frequency_curve(&cascades, to, 20_001);
        let area: f64 = line.windows(2).map(|pair| 0.5 * (pair[0][1] + pair[1][1]) * (pair[1][0] - pair[0][0])).sum();
        close(area, by_hand, 1e-3);
        let around = theory::direction_curve(&cascades, 72);
        // Q(s) is good to 0.7 %.
        close(around.iter().sum::<f64>() * TAU / 72.0, by_hand, 0.01);
    }
}

#[test]
fn one_wave_gives_its_own_peak_and_direction() {
    // All waves but those along +z are too short for this wind to have raised, or too long for the tile.
    let cascade = Cascade {
        tile_length: [1.0, 40.0],
        wind_speed: 6.0,
        fetch_length: 60.0,
        wind_direction: 90.0,
        swell: 2.0,
        spread: 0.0,
        detail: 0.0,
        ..Cascade::DEFAULT
    };
    let sea = sea_of(cascade, 100.0, Amplitude::Physical);
    let spectrum = WaveSpectrum::of(&field_of(&sea, 16, 5.0));
    assert!((spectrum.measured.heading - PI / 2.0).abs() < 0.02, "{:?}", spectrum.measured);
    let largest = (1..8).map(|iz| (iz, CascadeSpectrum::new(&sea, 0).h0(0, iz))).max_by(|a, b| {
        let size = |[re, im]: [f64; 2]| re * re + im * im;
        size(a.1).total_cmp(&size(b.1))
    });
    let own = ocean::dispersion::omega(TAU / 40.0 * f64::from(largest.unwrap().0), 100.0);
    close(spectrum.measured.peak_period, TAU / own, 2e-3);
    let highest = spectrum.bands.iter().max_by(|a, b| a.density.measured.total_cmp(&b.density.measured)).unwrap();
    assert!(highest.from < own && own < highest.to);
    let towards = spectrum.sectors.iter().max_by(|a, b| a.density.measured.total_cmp(&b.density.measured)).unwrap();
    assert!((towards.heading - PI / 2.0).abs() < 1e-9);
}

#[test]
fn a_sea_that_moves_nothing_has_no_spectrum() {
    let still = Cascade { displacement_scale: 0.0, ..Cascade::DEFAULT };
    let spectrum = WaveSpectrum::of(&field_of(&sea_of(still, 20.0, Amplitude::Physical), 64, 0.0));
    assert_eq!((spectrum.bands.len(), spectrum.winds.len()), (0, 0));
    assert_eq!((spectrum.expected.wave_height(), spectrum.measured.wave_height()), (0.0, 0.0));
    assert_eq!((spectrum.expected.peak_period, spectrum.measured.peak_period), (0.0, 0.0));
    assert_eq!(spectrum.omega_below_which(0.97), 0.0);
}

#[test]
fn extreme_seas_give_finite_numbers() {
    let extremes = [0.0f32, 1.0, 60.0, 10_000.0, f32::NAN, f32::INFINITY];
    for wind_speed in extremes {
        for fetch_length in extremes {
            for length in [1.0, 10_000.0] {
                let cascade = Cascade { wind_speed, fetch_length, tile_length: [length; 2], ..Cascade::DEFAULT };
                let field = field_of(&sea_of(cascade, 0.1, Amplitude::Artistic), 16, 0.0);
                let spectrum = WaveSpectrum::of(&field);
                for value in spectrum.bands.iter().map(|band| band.density).chain(spectrum.sectors.map(|sector| sector.density))
                {
                    assert!(
                        [value.expected, value.measured, value.range[0], value.range[1]].iter().all(|value| value.is_finite()),
                        "{cascade:?}"
                    );
                }
                assert!(spectrum.bands.iter().all(|band| band.to > band.from), "{cascade:?}");
                assert!(spectrum.measured.peak_period.is_finite() && spectrum.expected.peak_period.is_finite());
                let cascades: Vec<_> = field.drawn_cascades().collect();
                let to = spectrum.omega_below_which(0.97);
                assert!(theory::frequency_curve(&cascades, to, 50).iter().flatten().all(|value| value.is_finite()));
                assert!(theory::direction_curve(&cascades, 8).iter().all(|value| value.is_finite()));
            }
        }
    }
}
