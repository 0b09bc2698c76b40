//! The faults that this technique has elsewhere, each looked for in the GPU's maps: where the waves go, which way the axes lie, how high the sea is
//! and what its crests are like.

use ocean::dispersion::{frequency_index, looped_omega};
use ocean::gpu::{Engine, Ocean, Precision, Resolution};
use ocean::statistics::significant_wave_height;
use ocean::{Amplitude, Cascade, CascadeSpectrum, Preset, SeaState};

use crate::band::{Band, Waves, correlation, mean};
use crate::device::{clocks_at, engine, ocean, read_layer};
use crate::reference::rms;
use crate::running::{channel, run};

const R128: Resolution = Resolution::R128;

fn sea_of(cascade: Cascade) -> SeaState {
    SeaState { cascades: vec![cascade], ..SeaState::default() }
}

/// The ocean at rest at some moment.
fn at(engine: &Engine, sea: &SeaState, resolution: Resolution, seconds: f64) -> Ocean {
    let mut ocean = ocean(engine, sea, resolution, Precision::Mixed);
    ocean.set_clocks(clocks_at(seconds));
    run(engine, &mut ocean, 0.0, 1);
    ocean
}

fn heights(engine: &Engine, ocean: &Ocean, cascade: u32) -> Vec<f64> {
    channel(&read_layer(engine, ocean.displacement_map(), cascade, 0), 1)
}

/// The loudest wave of a map, of the two that are one the one with a positive first index.
fn dominant(waves: &Waves, band: Band) -> [i32; 2] {
    let loudest = band.indices().max_by(|a, b| waves.at(*a).norm().total_cmp(&waves.at(*b).norm())).expect("there are waves");
    if loudest < [0, 0] { loudest.map(|index| -index) } else { loudest }
}

/// Travel: its phase falls by ωt when the wave vector is taken downwind.
#[test]
fn the_dominant_wave_goes_downwind_at_its_own_speed() {
    let (_guard, engine) = engine();
    let dt = 0.2;
    for heading in [0.0f32, 90.0, 200.0, 315.0] {
        let sea = sea_of(Cascade { wind_direction: heading, spread: 0.0, swell: 2.0, ..Cascade::DEFAULT });
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let mut ocean = at(engine, &sea, R128, 200.0);
        let before = Waves::of(heights(engine, &ocean, 0));
        run(engine, &mut ocean, dt, 1);
        let after = Waves::of(heights(engine, &ocean, 0));
        let index = dominant(&before, Band::of_grid(128));
        let [kx, kz] = spectrum.wave_vector(index[0], index[1]);
        let downwind = kx * spectrum.downwind[0] + kz * spectrum.downwind[1];
        let turned = (after.at(index) * before.at(index).conj()).arg() * downwind.signum();
        let expected = -looped_omega(frequency_index(kx.hypot(kz), spectrum.depth)) * dt;
        println!("{heading}°: {index:?} turned {turned:.4} rad of {expected:.4}");
        assert!((turned / expected - 1.0).abs() < 0.02, "{heading}°, {index:?}: {turned}, not {expected}");
    }
}

/// A narrow swell toward +x on a tile five times as long as it is wide: with the axes swapped it would run along z, at a fifth of its length.
#[test]
fn a_swell_along_x_lies_along_the_map_s_first_axis() {
    let (_guard, engine) = engine();
    for (wind_direction, tile_length, along) in [(0.0, [200.0, 40.0], 0), (90.0, [40.0, 200.0], 1)] {
        let sea = sea_of(Cascade { wind_direction, tile_length, spread: 0.0, swell: 2.0, ..Cascade::DEFAULT });
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let drawn = at(engine, &sea, R128, 200.0);
        let waves = Waves::of(heights(engine, &drawn, 0));
        let index = dominant(&waves, Band::of_grid(128));
        println!("{wind_direction}° on {tile_length:?}: {index:?}");
        assert!(index[along] > 0 && index[1 - along] == 0, "{wind_direction}° on {tile_length:?}: {index:?}");
        // As long as the longest that the spectrum has: within a factor of its peak, or the whole tile where that is shorter.
        let k = spectrum.wave_vector(index[0], index[1])[along];
        let peak = spectrum.peak_omega * spectrum.peak_omega / ocean::sea_state::GRAVITY;
        let longest = peak.max(std::f64::consts::TAU / f64::from(tile_length[along]));
        assert!((0.6..2.5).contains(&(k / longest)), "{k} rad/m, the peak is at {longest}");
        // And the sideways displacement goes the same way.
        let texels = read_layer(engine, drawn.displacement_map(), 0, 0);
        let [long, across] = [2 * along, 2 - 2 * along].map(|part| rms(channel(&texels, part).into_iter()));
        assert!(long > 3.0 * across, "{long} along, {across} across");
    }
}

#[test]
fn the_sea_is_as_high_at_any_resolution() {
    let (_guard, engine) = engine();
    for sea in [Preset::Ocean.sea_state(), sea_of(Cascade { tile_length: [60.0, 150.0], ..Cascade::DEFAULT })] {
        let oceans = [R128, Resolution::R512].map(|resolution| at(engine, &sea, resolution, 300.0));
        for cascade in 0..sea.cascades.len() as u32 {
            let [coarse, fine] =
                oceans.each_ref().map(|ocean| Waves::of(heights(engine, ocean, cascade)).energy(Band::of_grid(128)).sqrt());
            println!("cascade {cascade}: {coarse:.4} m at 128, {fine:.4} m at 512");
            assert!((fine / coarse - 1.0).abs() < 0.01, "cascade {cascade}: {coarse} m at 128, {fine} m at 512");
        }
    }
}

/// 4σ of what is drawn against 4√m₀ of the discrete spectrum, over enough seeds that three standard errors are below 5 %.
#[test]
fn the_sea_is_as_high_as_its_spectrum_says() {
    let (_guard, engine) = engine();
    for (preset, seeds) in [(Preset::Ocean, 160), (Preset::CalmLake, 20)] {
        let mut sea = SeaState { amplitude: Amplitude::Physical, ..preset.sea_state() };
        sea.cascades.truncate(2);
        let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
        let mut variance_of = |sea: &SeaState| {
            ocean.set_sea(sea).expect("it fits");
            run(engine, &mut ocean, 0.0, 1);
            variance_as_drawn(engine, &ocean)
        };
        let variances: Vec<f64> = (0..seeds).map(|seed| variance_of(&SeaState { seed, ..sea.clone() })).collect();
        let (variance, height) = (mean(&variances), 4.0 * mean(&variances).sqrt());
        let spread = rms(variances.iter().map(|value| value - variance)) / f64::from(seeds).sqrt();
        // The error of a root is half that of its square.
        let three_errors = 1.5 * spread / variance;
        let expected = significant_wave_height(&sea, 128);
        println!("{preset:?}: {height:.4} m, {expected:.4} m expected, three errors {three_errors:.3}");
        assert!(three_errors < 0.05, "{three_errors}");
        assert!((height / expected - 1.0).abs() < three_errors, "{preset:?}: {height} m, {expected} m expected");

        let artistic = variance_of(&SeaState { amplitude: Amplitude::Artistic, seed: 0, ..sea.clone() });
        assert!((artistic / variances[0] / 8.0 - 1.0).abs() < 1e-3, "the same sea, √8 times as high: {artistic}");
    }
}

/// The variance of the sum of the cascades, which repeat at different lengths and so have nothing in common.
fn variance_as_drawn(engine: &Engine, ocean: &Ocean) -> f64 {
    let cascades = ocean.sea().cascades.iter().enumerate();
    let drawn = cascades.filter(|(_, cascade)| cascade.displacement_scale > 0.0);
    drawn
        .map(|(index, cascade)| {
            (f64::from(cascade.displacement_scale) * rms(heights(engine, ocean, index as u32).into_iter())).powi(2)
        })
        .sum()
}

#[test]
fn crests_are_sharp_and_fold_first() {
    let (_guard, engine) = engine();
    let drawn = at(engine, &Preset::StormyOcean.sea_state(), Resolution::R256, 130.0);
    let mut folded: Vec<f64> = Vec::new();
    for cascade in 0..3 {
        let heights = heights(engine, &drawn, cascade);
        let jacobians = channel(&read_layer(engine, drawn.surface_map(), cascade, 0), 2);
        let correlation = correlation(&heights, &jacobians);
        println!("cascade {cascade}: corr(h, J) = {correlation:.2}");
        assert!(correlation < -0.3, "cascade {cascade}: {correlation}");
        let folds = heights.iter().zip(&jacobians).filter(|(_, jacobian)| **jacobian < 0.0);
        folded.extend(folds.map(|(height, _)| *height));
    }
    // A short wave may fold on the back of a long one's trough, now and then.
    let on_crests = folded.iter().filter(|height| **height > 0.0).count();
    println!("{on_crests} of {} folds are on crests", folded.len());
    assert!(folded.len() > 100, "the sea is steep enough to say something: {}", folded.len());
    assert!(on_crests * 10 > folded.len() * 9, "{on_crests} of {} folds are on crests", folded.len());
}

#[test]
fn displacement_has_no_mean() {
    let (_guard, engine) = engine();
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        let drawn = at(engine, &sea, R128, 130.0);
        for cascade in 0..sea.cascades.len() as u32 {
            let texels = read_layer(engine, drawn.displacement_map(), cascade, 0);
            for (part, name) in ["Dx", "h", "Dz"].iter().enumerate() {
                let values = channel(&texels, part);
                let share = mean(&values).abs() / rms(values.iter().copied());
                assert!(share < 2e-5, "{}, cascade {cascade}, {name}: {share:e} of RMS", preset.name());
            }
        }
    }
}
