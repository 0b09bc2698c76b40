//! Thousands of seas from the edges of what a float can be: everything that comes out is finite.

use ocean::clock::Clocks;
use ocean::sea_state::{Amplitude, CASCADE_PARAMETERS, Cascade, SeaState};
use ocean::statistics::{cascade_variance, estimated_wave_height, mean_direction, peak_period, significant_wave_height};
use ocean::surface_field::SurfaceField;
use ocean::{CascadeSpectrum, dispersion};
use proptest::prelude::*;

/// Any float, the edges more often than not.
fn edgy() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => prop::sample::select(vec![
            0.0, -0.0, 1.0, -1.0, 0.05, 0.5, 2.0, 0.1, 20.0, 1e4, 1e7, f32::NAN, f32::INFINITY, f32::NEG_INFINITY,
            f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), f32::EPSILON,
        ]),
        1 => any::<f32>(),
        4 => 0.0f32..100.0,
    ]
}

fn cascade() -> impl Strategy<Value = Cascade> {
    prop::collection::vec(edgy(), CASCADE_PARAMETERS.len()).prop_map(|values| {
        let mut cascade = Cascade::DEFAULT;
        for (parameter, value) in CASCADE_PARAMETERS.iter().zip(values) {
            (parameter.set)(&mut cascade, value);
        }
        cascade
    })
}

fn sea() -> impl Strategy<Value = SeaState> {
    let amplitude = prop::sample::select(vec![Amplitude::Artistic, Amplitude::Physical]);
    (edgy(), any::<u32>(), amplitude, prop::collection::vec(cascade(), 1..4))
        .prop_map(|(sea_depth, seed, amplitude, cascades)| SeaState { sea_depth, seed, amplitude, cascades })
}

fn settings(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(settings(4000))]

    #[test]
    fn formulas_are_finite(sea in sea()) {
        for (index, spectrum) in CascadeSpectrum::all(&sea).iter().enumerate() {
            for (ix, iz) in [(0, 0), (1, 0), (0, -1), (-3, 5), (100, -100), (2047, 2047), (-2047, 0)] {
                let variance = spectrum.bin_variance(ix, iz);
                prop_assert!(variance.is_finite() && variance >= 0.0, "cascade {}: {}", index, variance);
                let [kx, kz] = spectrum.wave_vector(ix, iz);
                let k = kx.hypot(kz);
                prop_assert!(dispersion::omega(k, spectrum.depth).is_finite());
                prop_assert!(dispersion::group_speed(k, spectrum.depth).is_finite());
                let [re, im] = spectrum.h0(ix, iz);
                prop_assert!((re as f32).is_finite() && (im as f32).is_finite());
            }
            prop_assert!(spectrum.alpha.is_finite() && spectrum.peak_omega.is_finite());
            let height = estimated_wave_height(spectrum, 1024);
            prop_assert!(height.is_finite() && height > 0.0);
            prop_assert!(peak_period(spectrum).is_finite());
            prop_assert!(cascade_variance(spectrum, 16).is_finite());
            let direction = mean_direction(spectrum, 16);
            prop_assert!((0.0..360.0).contains(&direction.heading), "{:?}", direction);
            prop_assert!((0.0..=1.000001).contains(&direction.concentration), "{:?}", direction);
        }
    }

    #[test]
    fn validation_ends_in_a_valid_sea(sea in sea()) {
        let (validated, _) = sea.validated();
        prop_assert_eq!(validated.validated(), (validated.clone(), vec![]));
        prop_assert!(significant_wave_height(&validated, 16).is_finite());
    }
}

proptest! {
    #![proptest_config(settings(2000))]

    #[test]
    fn the_field_is_finite(sea in sea(), dt in edgy(), x in edgy(), z in edgy()) {
        let mut field = SurfaceField::with_resolution(&sea, 16).unwrap();
        let mut clocks = Clocks::new();
        for _ in 0..2 {
            clocks.advance(f64::from(dt), &sea);
            field.update(&clocks);
        }
        for cascade in 0..sea.cascades.len() {
            let maps = field.maps(cascade).unwrap();
            let texels = [maps.displacement(), maps.gradient(), maps.velocity()].concat();
            prop_assert!(texels.iter().flatten().all(|value| value.is_finite()));
        }
        let sample = field.at(0.3).sample_at([x, z]);
        let values = [sample.displacement, sample.normal, sample.velocity].concat();
        prop_assert!(values.iter().all(|value| value.is_finite()), "{:?}", sample);
        let length = sample.normal.iter().map(|component| component * component).sum::<f32>();
        prop_assert!((length - 1.0).abs() < 1e-4 && sample.normal[1] >= 0.0, "{:?}", sample);
    }
}

/// The least wind over the longest detail: what energy there is, is so little that its products with a direction lose their digits.
#[test]
fn hardly_any_energy_has_no_direction_beyond_all_one_way() {
    let cascade = Cascade {
        tile_length: [85.770004, 53.835247],
        time_scale: 0.0,
        wind_speed: 0.5,
        wind_direction: 71.78112,
        fetch_length: 1.0,
        swell: 74.76385,
        detail: 20.0,
        spread: 0.0,
        ..Cascade::DEFAULT
    };
    let sea = SeaState { sea_depth: 20.0, seed: 0, amplitude: Amplitude::Artistic, cascades: vec![cascade] };
    for spectrum in CascadeSpectrum::all(&sea) {
        let direction = mean_direction(&spectrum, 16);
        assert!((0.0..=1.000001).contains(&direction.concentration), "{direction:?}");
    }
}
