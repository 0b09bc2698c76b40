//! Foam over time: the exact solution at any rate, where the waves break, and gone when they no longer do.
//!
//! The state is a unorm16, rounded at random in proportion, and the map an f16. So "equal" is within 5·10⁻⁴: half an f16's step below 1, and four
//! standard deviations of what the rounding of the state leaves.

use ocean::gpu::{Engine, Ocean, Precision, Resolution};
use ocean::{Cascade, Preset, SeaState};

use crate::band::{correlation, mean};
use crate::device::{engine, ocean, read_layer};
use crate::reference::{Fields, bins_of};
use crate::running::{bits, channel, foam, run};

const EQUAL: f64 = 5e-4;
const R128: Resolution = Resolution::R128;

/// A rough sea of one cascade that stands still, so that the source of the foam is held.
fn held(whitecap: f32, foam_amount: f32) -> SeaState {
    SeaState { cascades: vec![Cascade { time_scale: 0.0, ..rough(whitecap, foam_amount) }], ..SeaState::default() }
}

fn rough(whitecap: f32, foam_amount: f32) -> Cascade {
    Cascade { whitecap, foam_amount, ..Preset::StormyOcean.sea_state().cascades[1] }
}

/// Foam after `seconds` of a source J held at `jacobian`, from none.
fn exact(jacobian: f64, sea: &SeaState, seconds: f64) -> f64 {
    let Cascade { whitecap, foam_amount, .. } = sea.cascades[0];
    let (whitecap, amount) = (f64::from(whitecap), f64::from(foam_amount));
    let source = (1.0 - whitecap - jacobian).max(0.0);
    let decay = 1.15 * (10.0 - amount).max(0.5);
    (source * 7.5 * amount / decay * (1.0 - (-decay * seconds).exp())).min(1.0)
}

fn jacobians(engine: &Engine, ocean: &Ocean) -> Vec<f64> {
    channel(&read_layer(engine, ocean.surface_map(), 0, 0), 2)
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn covered(foam: &[f64]) -> usize {
    foam.iter().filter(|&&foam| foam > 0.0).count()
}

#[test]
fn a_held_source_makes_the_same_foam_at_any_rate() {
    let (_guard, engine) = engine();
    let after_a_second = |rate: u32| {
        let mut ocean = ocean(engine, &held(0.3, 8.0), R128, Precision::Mixed);
        run(engine, &mut ocean, 1.0 / f64::from(rate), rate as usize);
        foam(engine, &ocean, 0)
    };
    let slow = after_a_second(20);
    assert!(covered(&slow) > 1000 && mean(&slow) < 0.9, "foam enough to compare, and sea between");
    for rate in [50, 60, 120] {
        let difference = largest_difference(&slow, &after_a_second(rate));
        println!("{rate} Hz differs from 20 Hz by up to {difference:.1e}");
        assert!(difference <= EQUAL, "{rate} Hz: {difference:e}");
    }
}

/// From the map's own J, an f16, with so little gain that its rounding does not count.
#[test]
fn a_held_source_makes_the_foam_of_the_exact_solution() {
    let (_guard, engine) = engine();
    for foam_amount in [0.5, 1.0] {
        let sea = held(0.3, foam_amount);
        let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
        let (mut seconds, mut reached) = (0.0, 0.0f64);
        for (dt, updates) in [(0.0, 1), (0.02, 1), (0.02, 9), (1.0 / 60.0, 30), (0.5, 3)] {
            run(engine, &mut ocean, dt, updates);
            seconds += dt * updates as f64;
            let want: Vec<f64> = jacobians(engine, &ocean).into_iter().map(|j| exact(j, &sea, seconds)).collect();
            let got = foam(engine, &ocean, 0);
            let difference = largest_difference(&got, &want);
            println!("foam amount {foam_amount}, {seconds:.2} s: off by up to {difference:.1e}");
            assert!(difference <= EQUAL, "foam amount {foam_amount}, {seconds} s: {difference:e}");
            reached = got.into_iter().fold(reached, f64::max);
        }
        assert!(reached > 0.25 * f64::from(foam_amount), "foam enough to compare: {reached}");
    }
}

/// With a preset's gain, 26, an f16 of J is too coarse: from J in f64, by the transform in f32, whose last digits the gain still shows.
#[test]
fn strong_foam_is_the_exact_solution_too() {
    let (_guard, engine) = engine();
    let sea = held(0.3, 8.0);
    let mut ocean = ocean(engine, &sea, R128, Precision::Full);
    run(engine, &mut ocean, 0.02, 1);
    let bins = bins_of(engine, &ocean, 0);
    let fields = Fields::new(&bins, 128, sea.cascades[0].tile_length.map(f64::from), ocean.clocks().get(0));
    let got = foam(engine, &ocean, 0);
    let want: Vec<f64> = (0..128 * 128).map(|at| exact(fields.texel(at % 128, at / 128)[6], &sea, 0.02)).collect();
    let difference = largest_difference(&got, &want);
    println!("off by up to {difference:.1e}");
    assert!(covered(&got) > 1000 && difference <= EQUAL, "{difference:e}");
}

/// Ten minutes at once, as after a tab was hidden: the foam of ten minutes, neither more than 1 nor a power of the step.
#[test]
fn ten_minutes_in_one_step_are_ten_minutes() {
    let (_guard, engine) = engine();
    let sea = held(0.3, 1.0);
    let mut still = ocean(engine, &sea, R128, Precision::Mixed);
    run(engine, &mut still, 0.02, 5);
    run(engine, &mut still, 600.0, 1);
    let want: Vec<f64> = jacobians(engine, &still).into_iter().map(|j| exact(j, &sea, 600.0)).collect();
    let difference = largest_difference(&foam(engine, &still, 0), &want);
    assert!(difference <= EQUAL, "{difference:e}");

    let mut moving = ocean(engine, &Preset::StormyOcean.sea_state(), R128, Precision::Mixed);
    run(engine, &mut moving, 0.02, 5);
    run(engine, &mut moving, 600.0, 1);
    for cascade in 0..3 {
        let foam = foam(engine, &moving, cascade);
        assert!(foam.iter().all(|foam| (0.0..=1.0).contains(foam)), "cascade {cascade}");
        assert!((0.001..0.9).contains(&mean(&foam)), "cascade {cascade}: {}", mean(&foam));
    }
}

#[test]
fn a_step_of_no_time_changes_no_foam() {
    let (_guard, engine) = engine();
    let mut ocean = ocean(engine, &Preset::StormyOcean.sea_state(), R128, Precision::Mixed);
    run(engine, &mut ocean, 0.05, 20);
    // The map of a step shows the foam before its rounding; one without time shows the state.
    run(engine, &mut ocean, 0.0, 1);
    let before = bits(engine, &ocean);
    for updates in [1, 100] {
        run(engine, &mut ocean, 0.0, updates);
        assert!(bits(engine, &ocean) == before, "after {updates} steps of no time");
    }
    // No other step is one: time that runs backwards or is not a number counts as none.
    for dt in [-1.0, f64::NAN, f64::INFINITY] {
        run(engine, &mut ocean, dt, 3);
        assert!(bits(engine, &ocean) == before, "after steps of {dt}");
    }
}

/// To nothing, not to the last half of a unit, at any rate.
#[test]
fn foam_fades_to_nothing() {
    let (_guard, engine) = engine();
    for rate in [20, 240] {
        // Fading by a factor of e each tenth of a second: of 65535 units one is left after a second, and of 16384 texels none after another.
        let mut sea = held(0.3, 1.0);
        let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
        run(engine, &mut ocean, 0.05, 20);
        assert!(covered(&foam(engine, &ocean, 0)) > 1000);
        sea.cascades[0].whitecap = 2.0;
        ocean.set_sea(&sea).expect("it fits");
        // Nothing may break any more: the sea is gentle enough for a Jacobian of −1 to be far away.
        assert!(jacobians(engine, &ocean).into_iter().fold(f64::MAX, f64::min) > -1.0);
        let seconds = 3;
        run(engine, &mut ocean, 1.0 / f64::from(rate), (rate * seconds) as usize);
        assert_eq!(covered(&foam(engine, &ocean, 0)), 0, "after {seconds} s at {rate} Hz");
    }
}

#[test]
fn a_running_sea_has_as_much_foam_at_any_rate() {
    let (_guard, engine) = engine();
    // Little and quick to go: nowhere at its limit of 1, which would hide what a rate adds.
    let sea = SeaState { cascades: vec![rough(0.3, 1.0)], ..SeaState::default() };
    let means = |rate: u32| {
        let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
        [3, 1].map(|seconds| {
            run(engine, &mut ocean, 1.0 / f64::from(rate), (rate * seconds) as usize);
            mean(&foam(engine, &ocean, 0))
        })
    };
    let fast = means(120);
    assert!(fast.iter().all(|mean| (0.01..0.9).contains(mean)), "{fast:?}");
    for rate in [20, 50] {
        for (slow, fast) in means(rate).into_iter().zip(fast) {
            println!("{rate} Hz: {slow:.4}, 120 Hz: {fast:.4}");
            assert!((slow / fast - 1.0).abs() < 0.03, "{rate} Hz: {slow}, 120 Hz: {fast}");
        }
    }
}

#[test]
fn foam_lies_on_crests_and_not_in_troughs() {
    let (_guard, engine) = engine();
    let mut ocean = ocean(engine, &Preset::StormyOcean.sea_state(), R128, Precision::Mixed);
    run(engine, &mut ocean, 0.02, 100);
    for cascade in 0..3 {
        let heights = channel(&read_layer(engine, ocean.displacement_map(), cascade, 0), 1);
        let correlation = correlation(&foam(engine, &ocean, cascade), &heights);
        println!("cascade {cascade}: corr(foam, h) = {correlation:.2}");
        assert!(correlation > 0.1, "cascade {cascade}: {correlation}");
    }
}

#[test]
fn at_whitecap_one_foam_grows_where_the_surface_folds_and_nowhere_else() {
    let (_guard, engine) = engine();
    let mut sea = held(1.0, 8.0);
    // A young sea is a steep one, and folds in many places.
    sea.cascades[0] = Cascade { tile_length: [60.0; 2], wind_speed: 20.0, fetch_length: 5.0, ..sea.cascades[0] };
    let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
    run(engine, &mut ocean, 0.05, 20);
    let heights = channel(&read_layer(engine, ocean.displacement_map(), 0, 0), 1);
    let foam = foam(engine, &ocean, 0);
    let mut folded = 0;
    for ((jacobian, foam), height) in jacobians(engine, &ocean).into_iter().zip(foam).zip(heights) {
        // Right at 0 the two differ by what J is rounded by.
        assert!(jacobian.abs() < 1e-4 || (foam > 0.0) == (jacobian < 0.0), "J {jacobian}, foam {foam}");
        assert!(foam == 0.0 || height > 0.0, "foam {foam} at {height} m");
        folded += usize::from(jacobian < 0.0);
    }
    assert!(folded > 20, "the sea folds in {folded} texels");
}

#[test]
fn a_lower_whitecap_is_more_foam_and_no_foam_amount_is_none() {
    let (_guard, engine) = engine();
    let foam_of = |whitecap, foam_amount| {
        let mut ocean = ocean(engine, &held(whitecap, foam_amount), R128, Precision::Mixed);
        run(engine, &mut ocean, 0.05, 20);
        foam(engine, &ocean, 0)
    };
    let means = [1.2, 1.0, 0.7, 0.5, 0.3, 0.0].map(|whitecap| mean(&foam_of(whitecap, 4.0)));
    assert!(means.windows(2).all(|pair| pair[0] < pair[1]), "{means:?}");
    assert_eq!(covered(&foam_of(0.0, 0.0)), 0);
}

/// The scales belong to the renderer: no bit of a map may depend on them.
#[test]
fn foam_is_decided_before_the_scales() {
    let (_guard, engine) = engine();
    let bits_at = |scale| {
        let mut sea = Preset::StormyOcean.sea_state();
        for cascade in &mut sea.cascades {
            (cascade.displacement_scale, cascade.normal_scale) = (scale, 2.0 * scale);
        }
        let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
        run(engine, &mut ocean, 0.02, 30);
        bits(engine, &ocean)
    };
    let whole = bits_at(1.0);
    assert!(bits_at(0.0) == whole && bits_at(2.0) == whole);
}
