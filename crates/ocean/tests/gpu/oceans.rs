//! Several oceans, several devices, several updates to a submission: nothing is shared that one could see in the other's bits.

use ocean::gpu::{Engine, Ocean, OceanOptions, Precision, Resolution};
use ocean::{Cascade, Clocks, Preset, SeaState};

use crate::device::{clocks_at, engine, new_device, ocean, update, wait};
use crate::running::{bits, bits_of, channel, run};

const R128: Resolution = Resolution::R128;

/// Steps of different lengths, of which some are none.
fn steps(count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(|step| 0.007 * (step % 5) as f64)
}

fn encoder(engine: &Engine) -> wgpu::CommandEncoder {
    engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

fn record(ocean: &mut Ocean, encoder: &mut wgpu::CommandEncoder, dt: f64) {
    ocean.update(encoder, dt, None).expect("the device lives");
    ocean.update_mips(encoder);
}

/// The bits of a fresh ocean after `count` steps, each submitted for itself.
fn alone(engine: &Engine, sea: &SeaState, resolution: Resolution, count: usize) -> Vec<u32> {
    let mut ocean = ocean(engine, sea, resolution, Precision::Mixed);
    for dt in steps(count) {
        update(engine, &mut ocean, dt);
    }
    bits(engine, &ocean)
}

#[test]
fn two_oceans_in_one_encoder_are_each_what_it_is_alone() {
    let (_guard, engine) = engine();
    let seas = [(Preset::StormyOcean.sea_state(), R128), (Preset::River.sea_state(), Resolution::R256)];
    let mut oceans = seas.each_ref().map(|(sea, resolution)| ocean(engine, sea, *resolution, Precision::Mixed));
    for dt in steps(12) {
        let mut encoder = encoder(engine);
        for ocean in &mut oceans {
            record(ocean, &mut encoder, dt);
        }
        engine.queue().submit([encoder.finish()]);
    }
    wait(engine);
    for ((sea, resolution), ocean) in seas.iter().zip(&oceans) {
        assert!(bits(engine, ocean) == alone(engine, sea, *resolution, 12), "{resolution:?}");
    }
}

#[test]
fn two_devices_have_the_same_sea() {
    let (_guard, first) = engine();
    let (device, queue) = new_device(&wgpu::Limits::default());
    let second = Engine::new(&device, &queue).expect("a device with default limits");
    let sea = Preset::StormyOcean.sea_state();
    // In turns, so that anything they shared would show.
    let mut oceans = [first, &second].map(|engine| (engine, ocean(engine, &sea, R128, Precision::Mixed)));
    for dt in steps(6) {
        for (engine, ocean) in &mut oceans {
            update(engine, ocean, dt);
        }
    }
    let [on_first, on_second] = oceans.each_ref().map(|(engine, ocean)| bits(engine, ocean));
    assert!(on_first == on_second);
}

#[test]
fn a_seed_is_a_sea() {
    let (_guard, engine) = engine();
    let sea = Preset::Ocean.sea_state();
    let first = alone(engine, &sea, R128, 6);
    assert!(alone(engine, &sea, R128, 6) == first, "the same seed, the same bits");
    let other = SeaState { seed: sea.seed + 1, ..sea };
    assert!(alone(engine, &other, R128, 6) != first, "another seed, another sea");
}

/// `queue.write_buffer` takes effect before the whole of the next submission: each of the updates in it needs parameters of its own. With a
/// change of the sea between them.
#[test]
fn sixty_four_updates_in_one_submission_are_sixty_four() {
    let (_guard, engine) = engine();
    assert_submissions_do_not_matter(engine, &Preset::StormyOcean.sea_state(), 64);
}

fn assert_submissions_do_not_matter(engine: &Engine, sea: &SeaState, updates: usize) {
    let windier = {
        let mut sea = sea.clone();
        sea.cascades[0].wind_speed += 3.0;
        sea
    };
    let mut apart = ocean(engine, sea, R128, Precision::Mixed);
    let mut together = ocean(engine, sea, R128, Precision::Mixed);
    let mut one = encoder(engine);
    for (step, dt) in steps(updates).enumerate() {
        if step == updates / 2 {
            for ocean in [&mut apart, &mut together] {
                ocean.set_sea(&windier).expect("it fits");
            }
        }
        update(engine, &mut apart, dt);
        together.update(&mut one, dt, None).expect("the device lives");
    }
    together.update_mips(&mut one);
    engine.queue().submit([one.finish()]);
    wait(engine);
    assert!(bits(engine, &together) == bits(engine, &apart));
}

/// A device that binds so little that cascades are dispatched in groups, as 4096² with two cascades is at the default limits.
fn engine_in_groups() -> Engine {
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 18, ..wgpu::Limits::default() };
    let (device, queue) = new_device(&limits);
    Engine::new(&device, &queue).expect("a cascade at a time fits")
}

#[test]
fn cascades_in_groups_are_what_they_are_together() {
    let (_guard, whole) = engine();
    let grouped = engine_in_groups();
    let sea = SeaState {
        cascades: [Preset::StormyOcean, Preset::Ocean, Preset::CalmLake].map(|preset| preset.sea_state().cascades).concat(),
        ..SeaState::default()
    };
    let [mut together, mut apart] = [whole, &grouped].map(|engine| ocean(engine, &sea, R128, Precision::Mixed));
    assert_eq!(together.groups(), 1);
    assert!(apart.groups() > 2, "{} groups", apart.groups());
    run(whole, &mut together, 0.02, 20);
    run(&grouped, &mut apart, 0.02, 20);
    for layer in 0..sea.cascades.len() as u32 {
        let maps = [(whole, &together), (&grouped, &apart)].map(|(engine, ocean)| {
            [ocean.displacement_map(), ocean.surface_map()].map(|map| crate::device::read_layer(engine, map, layer, 0))
        });
        let [[displacement, surface], [displacement_apart, surface_apart]] = maps;
        assert!(displacement == displacement_apart, "cascade {layer}");
        for part in 0..3 {
            assert!(channel(&surface, part) == channel(&surface_apart, part), "cascade {layer}, channel {part}");
        }
        // The dice of the foam's rounding fall by place in the buffer.
        let unlike =
            channel(&surface, 3).iter().zip(channel(&surface_apart, 3)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(unlike <= 5e-4, "cascade {layer}: foam differs by {unlike:e}");
    }
}

/// As many updates to a submission as without groups: each group of each has parameters of its own.
#[test]
fn updates_in_groups_may_be_as_many_in_one_submission() {
    let (_guard, _) = engine();
    let engine = engine_in_groups();
    let sea = SeaState {
        cascades: [Preset::StormyOcean.sea_state().cascades, vec![Cascade::DEFAULT]].concat(),
        ..SeaState::default()
    };
    assert_submissions_do_not_matter(&engine, &sea, 64);
}

#[test]
fn history_is_the_update_before() {
    let (_guard, engine) = engine();
    let options = OceanOptions { resolution: R128, history: true, ..Default::default() };
    let sea = Preset::StormyOcean.sea_state();
    let mut with = Ocean::new(engine, &sea, options).expect("it fits");
    let mut without = ocean(engine, &sea, R128, Precision::Mixed);
    assert!(without.previous_maps().is_none());
    let mut last = None;
    for dt in steps(6) {
        update(engine, &mut with, dt);
        update(engine, &mut without, dt);
        let (displacement, surface) = with.previous_maps().expect("it keeps them");
        if let Some(last) = last {
            assert!(bits_of(engine, [displacement, surface]) == last);
        }
        let now = bits(engine, &with);
        assert!(now == bits(engine, &without), "keeping the last maps changes none");
        last = Some(now);
    }
}

/// What a caller does after its device was lost: everything new, at the clocks of the old. Foam starts afresh; the waves do not.
#[test]
fn an_ocean_made_anew_with_the_same_clocks_is_the_same_sea() {
    let (_guard, first) = engine();
    let sea = Preset::StormyOcean.sea_state();
    let (clocks, before): (Clocks, _) = {
        let mut old = ocean(first, &sea, R128, Precision::Mixed);
        old.set_clocks(clocks_at(3333.3));
        run(first, &mut old, 0.02, 10);
        old.set_sea(&no_foam(&sea)).expect("it fits");
        update(first, &mut old, 30.0);
        (*old.clocks(), bits(first, &old))
    };
    let (device, queue) = new_device(&wgpu::Limits::default());
    let second = Engine::new(&device, &queue).expect("a device with default limits");
    let mut new = ocean(&second, &no_foam(&sea), R128, Precision::Mixed);
    new.set_clocks(clocks);
    update(&second, &mut new, 0.0);
    assert!(bits(&second, &new) == before);
}

fn no_foam(sea: &SeaState) -> SeaState {
    let mut sea = sea.clone();
    for cascade in &mut sea.cascades {
        cascade.foam_amount = 0.0;
    }
    sea
}
