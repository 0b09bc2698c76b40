//! What a change of the sea makes anew, and that it makes no more and no less.

use ocean::dispersion::frequency_table;
use ocean::gpu::{Engine, Ocean, OceanError, OceanOptions, Precision, Resolution};
use ocean::{Amplitude, Cascade, CascadeSpectrum, Preset, SeaState};

use crate::device::{engine, new_device, ocean, read_buffer, read_layer, update};
use crate::reference::{bins_by_formula, bins_of, rms};
use crate::running::run;

const R128: Resolution = Resolution::R128;

/// h₀ and the frequencies of one cascade, to the bit.
fn amplitudes(engine: &Engine, ocean: &Ocean, cascade: u32) -> Vec<u8> {
    let n = u64::from(ocean.options().resolution.texels());
    let (buffer, offset) = ocean.amplitudes(cascade).expect("the sea has this cascade");
    read_buffer(engine, buffer, offset, n * n * 8)
}

fn all_amplitudes(engine: &Engine, ocean: &Ocean) -> Vec<Vec<u8>> {
    (0..ocean.sea().cascades.len() as u32).map(|cascade| amplitudes(engine, ocean, cascade)).collect()
}

/// The ocean after `change`, with h₀ before and after, and how many cascades were due.
fn changed(engine: &Engine, change: impl Fn(&mut SeaState)) -> (Vec<Vec<u8>>, usize, Vec<Vec<u8>>) {
    let mut sea = Preset::StormyOcean.sea_state();
    let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
    assert_eq!(ocean.pending_rebuilds(), 3, "nothing has been made yet");
    run(engine, &mut ocean, 0.02, 1);
    assert_eq!(ocean.pending_rebuilds(), 0);
    let before = all_amplitudes(engine, &ocean);
    change(&mut sea);
    ocean.set_sea(&sea).expect("it fits");
    let due = ocean.pending_rebuilds();
    run(engine, &mut ocean, 0.02, 1);
    assert_eq!(ocean.pending_rebuilds(), 0);
    (before, due, all_amplitudes(engine, &ocean))
}

#[test]
fn a_change_of_one_cascade_rebuilds_one() {
    let (_guard, engine) = engine();
    let changes: [fn(&mut Cascade); 7] = [
        |cascade| cascade.tile_length[1] = 77.0,
        |cascade| cascade.wind_speed += 1.0,
        |cascade| cascade.wind_direction += 10.0,
        |cascade| cascade.fetch_length *= 0.5,
        |cascade| cascade.swell = 0.1,
        |cascade| cascade.spread = 0.9,
        |cascade| cascade.detail = 0.4,
    ];
    for (which, change) in changes.into_iter().enumerate() {
        let cascade = which % 3;
        let (before, due, after) = changed(engine, |sea| change(&mut sea.cascades[cascade]));
        assert_eq!(due, 1, "change {which}");
        for index in 0..3 {
            assert_eq!(before[index] == after[index], index != cascade, "change {which}, cascade {index}");
        }
    }
}

#[test]
fn a_change_of_the_whole_sea_rebuilds_all() {
    let (_guard, engine) = engine();
    let changes: [fn(&mut SeaState); 3] =
        [|sea| sea.sea_depth = 7.0, |sea| sea.seed += 1, |sea| sea.amplitude = Amplitude::Physical];
    for change in changes {
        let (before, due, after) = changed(engine, change);
        assert_eq!(due, 3);
        assert!(before.iter().zip(&after).all(|(before, after)| before != after));
    }
}

#[test]
fn time_foam_and_scales_rebuild_nothing() {
    let (_guard, engine) = engine();
    let changes: [fn(&mut Cascade); 5] = [
        |cascade| cascade.time_scale = 0.3,
        |cascade| cascade.whitecap = 1.1,
        |cascade| cascade.foam_amount = 2.0,
        |cascade| cascade.displacement_scale = 0.0,
        |cascade| cascade.normal_scale = 3.0,
    ];
    for change in changes {
        let (before, due, after) = changed(engine, |sea| sea.cascades.iter_mut().for_each(change));
        assert_eq!(due, 0);
        assert!(before == after);
    }
}

/// A rebuild that keeps the frequencies reads them back out of the bins: they must come through any number of times. One that does not keep
/// them must take those of the new tile and depth.
#[test]
fn frequencies_stay_with_the_tile_and_the_depth() {
    let (_guard, engine) = engine();
    let mut sea = SeaState { cascades: vec![Cascade { tile_length: [88.0, 50.0], ..Cascade::DEFAULT }], ..SeaState::default() };
    let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
    let changes: [fn(&mut SeaState); 7] = [
        |_| (),
        |sea| sea.cascades[0].wind_speed = 3.0,
        |sea| sea.cascades[0].wind_speed = 30.0,
        |sea| sea.cascades[0].tile_length = [20.0, 300.0],
        |sea| sea.cascades[0].wind_direction = 200.0,
        |sea| sea.sea_depth = 0.5,
        |sea| sea.cascades[0].wind_speed = 0.0,
    ];
    for (which, change) in changes.into_iter().enumerate() {
        change(&mut sea);
        ocean.set_sea(&sea).expect("it fits");
        run(engine, &mut ocean, 0.02, 1);
        let table = frequency_table(sea.cascades[0].tile_length, sea.sea_depth, 128);
        let want = bins_by_formula(&CascadeSpectrum::new(&sea, 0), 128);
        let size = rms(want.iter().map(|bin| bin.along.norm()));
        for (at, (bin, want)) in bins_of(engine, &ocean, 0).into_iter().zip(want).enumerate() {
            let (jx, iz) = (at % 128, at / 128);
            assert_eq!(bin.frequency, table[iz * 65 + jx.min(128 - jx)], "change {which}, bin ({jx}, {iz})");
            let error = (bin.along - want.along).norm();
            assert!(error <= 2e-4 * want.along.norm() + 1e-5 * size, "change {which}, bin ({jx}, {iz}): {bin:?}, not {want:?}");
        }
    }
}

/// An update that fails has done nothing: neither the rebuild nor the step in time.
#[test]
fn a_rebuild_outlives_an_update_that_failed() {
    let (_guard, _) = engine();
    let (device, queue) = new_device(&wgpu::Limits::default());
    let engine = Engine::new(&device, &queue).expect("a device with default limits");
    let mut sea = SeaState::default();
    let mut ocean = ocean(&engine, &sea, R128, Precision::Mixed);
    run(&engine, &mut ocean, 0.02, 1);
    sea.cascades[1].wind_speed = 12.0;
    ocean.set_sea(&sea).expect("it fits");
    let clocks = *ocean.clocks();
    engine.health().report("unplugged");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    for _ in 0..3 {
        let error = ocean.update(&mut encoder, 0.02, None).expect_err("the device is said to be lost");
        assert_eq!(error, OceanError::DeviceLost("unplugged".to_owned()));
        assert_eq!(ocean.pending_rebuilds(), 1);
        assert_eq!(*ocean.clocks(), clocks);
    }
}

/// A finer grid draws the same waves and adds to them: nothing is drawn anew.
#[test]
fn a_change_of_resolution_is_the_same_sea() {
    let (_guard, engine) = engine();
    let sea = Preset::Ocean.sea_state();
    let mut ocean = ocean(engine, &sea, R128, Precision::Mixed);
    run(engine, &mut ocean, 0.02, 1);
    let coarse: Vec<_> = (0..3).map(|cascade| bins_of(engine, &ocean, cascade)).collect();
    ocean.set_options(OceanOptions { resolution: Resolution::R512, ..Default::default() }).expect("it fits");
    assert_eq!(ocean.pending_rebuilds(), 3);
    run(engine, &mut ocean, 0.02, 1);
    for (cascade, coarse) in coarse.iter().enumerate() {
        let fine = bins_of(engine, &ocean, cascade as u32);
        for iz in 0..64 {
            // The Nyquist column, jx = 64, is nothing on the coarse grid and a wave on the fine one.
            for jx in (0..128).filter(|&jx| jx != 64) {
                let coarse = coarse[iz * 128 + jx];
                let fine = fine[iz * 512 + if jx < 64 { jx } else { jx + 384 }];
                assert_eq!(coarse.frequency, fine.frequency, "cascade {cascade}, bin ({jx}, {iz})");
                let error = (coarse.along - fine.along).norm().max((coarse.against - fine.against).norm());
                let size = fine.along.norm().max(fine.against.norm());
                assert!(error <= 2e-6 * size, "cascade {cascade}, bin ({jx}, {iz}): {coarse:?}, then {fine:?}");
            }
        }
    }
}

/// A caller that records an update and then drops the encoder has a sea whose h₀ was never made, until it says so.
#[test]
fn a_dropped_encoder_is_mended_by_invalidating() {
    let (_guard, engine) = engine();
    let mut ocean = ocean(engine, &SeaState::default(), Resolution::R128, Precision::Mixed);
    let mut dropped = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    ocean.update(&mut dropped, 0.1, None).expect("the device lives");
    drop(dropped);
    ocean.invalidate();
    assert_eq!(ocean.pending_rebuilds(), ocean.sea().cascades.len());
    update(engine, &mut ocean, 0.1);
    let texels = read_layer(engine, ocean.displacement_map(), 0, 0);
    assert!(texels.iter().any(|texel| texel[1].abs() > 0.1), "the sea is flat");
}

/// Between a change of size and the next update the old sea is there to draw, and after it there is nothing flat to blend from.
#[test]
fn a_change_of_size_shows_no_flat_sea() {
    let (_guard, engine) = engine();
    let options = |resolution| OceanOptions { resolution, history: true, ..OceanOptions::default() };
    let mut ocean = Ocean::new(engine, &SeaState::default(), options(Resolution::R128)).expect("it fits");
    update(engine, &mut ocean, 0.1);
    update(engine, &mut ocean, 0.1);
    let before = read_layer(engine, ocean.displacement_map(), 0, 0);
    ocean.set_options(options(Resolution::R256)).expect("it fits");
    assert_eq!(read_layer(engine, ocean.displacement_map(), 0, 0), before);
    let (previous, _) = ocean.previous_maps().expect("it keeps them");
    assert_eq!(previous, ocean.displacement_map());
    update(engine, &mut ocean, 0.1);
    assert_eq!(ocean.displacement_map().width(), 256);
    let (previous, _) = ocean.previous_maps().expect("it keeps them");
    assert_eq!(previous, ocean.displacement_map());
    update(engine, &mut ocean, 0.1);
    let (previous, _) = ocean.previous_maps().expect("it keeps them");
    assert_ne!(previous, ocean.displacement_map());
}
