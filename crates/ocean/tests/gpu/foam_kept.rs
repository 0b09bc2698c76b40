//! Foam outlives what is done to the sea under it: another wind, another resolution, more cascades.
//!
//! Looked at through steps of no time, which show the state of the foam and change nothing of it.

use ocean::gpu::{Engine, Ocean, OceanOptions, Precision, Resolution};
use ocean::{Cascade, Preset, SeaState};

use crate::band::{correlation, mean};
use crate::device::{engine, ocean};
use crate::running::{foam, run};

use Resolution::{R128, R256, R512};

/// A sea with foam on all of its cascades.
fn foamy(engine: &Engine, resolution: Resolution) -> Ocean {
    let mut ocean = ocean(engine, &Preset::StormyOcean.sea_state(), resolution, Precision::Mixed);
    run(engine, &mut ocean, 0.2, 10);
    ocean
}

/// The foam's state, by cascade.
fn state(engine: &Engine, ocean: &mut Ocean) -> Vec<Vec<f64>> {
    run(engine, ocean, 0.0, 1);
    (0..ocean.sea().cascades.len() as u32).map(|cascade| foam(engine, ocean, cascade)).collect()
}

fn resize(ocean: &mut Ocean, resolution: Resolution) {
    ocean.set_options(OceanOptions { resolution, ..ocean.options() }).expect("it fits");
}

/// Means over the cells of a grid of 32², coarser than any of the foam's: a coarser grid keeps what a finer one has around a texel and not at it.
fn cells(foam: &[f64]) -> Vec<f64> {
    const EDGE: usize = 32;
    let n = foam.len().isqrt();
    let size = n / EDGE;
    let mut sums = vec![0.0; EDGE * EDGE];
    for (at, foam) in foam.iter().enumerate() {
        sums[at / n / size * EDGE + at % n / size] += foam / (size * size) as f64;
    }
    sums
}

/// The same foam on two grids: as much of it, in the same places.
fn assert_same_pattern(what: &str, before: &[Vec<f64>], after: &[Vec<f64>]) {
    for (cascade, (before, after)) in before.iter().zip(after).enumerate() {
        let change = mean(after) / mean(before) - 1.0;
        let alike = correlation(&cells(before), &cells(after));
        println!("{what}, cascade {cascade}: mean {:.4}, {change:+.1e} of it, correlation {alike:.4}", mean(before));
        assert!(mean(before) > 1e-3, "{what}, cascade {cascade}: there is foam to keep");
        assert!(change.abs() < 0.01, "{what}, cascade {cascade}: {change:e} of the mean");
        assert!(alike > 0.95, "{what}, cascade {cascade}: correlation {alike}");
    }
}

#[test]
fn another_wind_leaves_the_foam() {
    let (_guard, engine) = engine();
    let mut ocean = foamy(engine, R128);
    let before = state(engine, &mut ocean);
    let mut sea = ocean.sea().clone();
    for cascade in &mut sea.cascades {
        cascade.wind_speed *= 0.5;
        cascade.wind_direction += 90.0;
        cascade.tile_length = [cascade.tile_length[0] * 0.9; 2];
    }
    ocean.set_sea(&sea).expect("it fits");
    assert_eq!(ocean.pending_rebuilds(), 3);
    assert!(state(engine, &mut ocean) == before, "to the bit");
    // And goes on from there: a step later only a step's worth has gone.
    run(engine, &mut ocean, 0.02, 1);
    for (cascade, before) in before.iter().enumerate() {
        let decay = 1.15 * (10.0 - f64::from(sea.cascades[cascade].foam_amount)).max(0.5);
        let after = foam(engine, &ocean, cascade as u32);
        let kept = (-decay * 0.02).exp();
        assert!(after.iter().zip(before).all(|(after, before)| *after >= before * kept - 1e-3), "cascade {cascade}");
    }
}

#[test]
fn another_resolution_keeps_the_foam() {
    let (_guard, engine) = engine();
    let mut ocean = foamy(engine, R128);
    let mut before = state(engine, &mut ocean);
    let first = before.clone();
    for resolution in [R256, R512, R128] {
        resize(&mut ocean, resolution);
        let after = state(engine, &mut ocean);
        assert_same_pattern(&format!("to {resolution:?}"), &before, &after);
        before = after;
    }
    assert_same_pattern("there and back", &first, &before);
}

/// What lies between two changes was never filled: the foam must come from before both.
#[test]
fn two_changes_of_resolution_before_an_update_keep_it_too() {
    let (_guard, engine) = engine();
    let mut ocean = foamy(engine, R256);
    let before = state(engine, &mut ocean);
    resize(&mut ocean, R512);
    resize(&mut ocean, R128);
    let after = state(engine, &mut ocean);
    assert_same_pattern("256, 512, 128", &before, &after);
    let there = after;
    resize(&mut ocean, R512);
    resize(&mut ocean, R128);
    assert!(state(engine, &mut ocean) == there, "there and back without an update is no change");
}

#[test]
fn another_number_of_cascades_keeps_the_others_foam() {
    let (_guard, engine) = engine();
    let mut ocean = foamy(engine, R128);
    let before = state(engine, &mut ocean);
    let sea = ocean.sea().clone();
    let with = |cascades: Vec<Cascade>| SeaState { cascades, ..sea.clone() };

    ocean.set_sea(&with(sea.cascades[..2].to_vec())).expect("it fits");
    let two = state(engine, &mut ocean);
    assert!(two == before[..2], "a cascade fewer");
    // Foam belongs to the cascade: a new one has none.
    ocean.set_sea(&with([sea.cascades.clone(), sea.cascades.clone()].concat())).expect("it fits");
    let six = state(engine, &mut ocean);
    assert!(six[..2] == before[..2], "four cascades more");
    assert!(six[2..].iter().flatten().all(|&foam| foam == 0.0), "new cascades have no foam");
}

#[test]
fn history_can_be_switched_without_losing_foam() {
    let (_guard, engine) = engine();
    let mut ocean = foamy(engine, R128);
    let before = state(engine, &mut ocean);
    for history in [true, false] {
        ocean.set_options(OceanOptions { history, ..ocean.options() }).expect("it fits");
        assert!(state(engine, &mut ocean) == before);
    }
}
