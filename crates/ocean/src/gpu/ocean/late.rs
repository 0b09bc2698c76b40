//! What a browser says late: whether there was memory for what was made. Natively wgpu knows at once, so these tests send the answer by hand.

use super::{Engine, Ocean, OceanError, OceanOptions, Precision, Resolution, Scopes};
use crate::{Cascade, SeaState};

const FINER: OceanOptions = OceanOptions { resolution: Resolution::R256, history: false, precision: Precision::Mixed };

fn engine() -> Engine {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
        .expect("this test needs a GPU adapter; without a GPU, on Debian: apt-get install mesa-vulkan-drivers");
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))
        .expect("every adapter gives a device at WebGPU's default limits");
    Engine::new(&device, &queue).expect("a device with default limits runs the ocean")
}

fn ocean(engine: &Engine) -> Ocean {
    let options = OceanOptions { resolution: Resolution::R128, ..Default::default() };
    Ocean::new(engine, &SeaState::default(), options).expect("it fits")
}

fn out_of_memory() -> Option<wgpu::Error> {
    Some(wgpu::Error::OutOfMemory { source: "not enough".into() })
}

/// An update, and what wgpu had against it.
fn update(engine: &Engine, ocean: &mut Ocean, dt: f64) -> Result<(), OceanError> {
    let scopes = Scopes::default();
    let result = scopes.within(engine.device(), || {
        let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let result = ocean.update(&mut encoder, dt, None);
        ocean.update_mips(&mut encoder);
        engine.queue().submit([encoder.finish()]);
        result
    });
    scopes.check().expect("what was recorded is valid");
    result
}

#[test]
fn a_size_that_turns_out_not_to_fit_leaves_the_ocean_as_it_was() {
    let engine = engine();
    let mut ocean = ocean(&engine);
    update(&engine, &mut ocean, 0.1).expect("the device lives");
    let (maps, options, clocks) = (ocean.surface_map().clone(), ocean.options(), *ocean.clocks());

    ocean.set_options(FINER).expect("nothing is known against it yet");
    let (tell, scopes) = Scopes::told_later();
    ocean.making = scopes;
    for _ in 0..3 {
        update(&engine, &mut ocean, 0.1).expect("it waits");
        assert_eq!((ocean.steps(), ocean.is_ready()), (0, true));
        assert_eq!(*ocean.drawn_maps().sets[0].1, maps, "the old maps are drawn");
    }
    assert!(*ocean.clocks() != clocks, "time goes on");
    // A change that needs no other size is taken meanwhile, and stays.
    ocean.set_sea(&SeaState { sea_depth: 7.0, ..SeaState::default() }).expect("it needs nothing");

    tell.send(out_of_memory()).expect("it listens");
    let error = update(&engine, &mut ocean, 0.1).expect_err("it has become known");
    assert_eq!(error, OceanError::OutOfMemory("not enough".to_owned()));
    assert_eq!((ocean.options(), ocean.sea().sea_depth), (options, 7.0));
    assert_eq!(*ocean.surface_map(), maps);
    // And it goes on, with the old maps, and with the time that the foam has missed.
    assert!((ocean.owed - 0.3).abs() < 1e-9);
    for _ in 0..2 {
        update(&engine, &mut ocean, 0.1).expect("the error is told once");
    }
    assert_eq!((ocean.steps(), ocean.owed, ocean.pending_rebuilds()), (2, 0.0, 0));
    assert_eq!(*ocean.surface_map(), maps);

    // Nothing is spoilt: the next time there is room.
    ocean.set_options(FINER).expect("it fits");
    update(&engine, &mut ocean, 0.1).expect("it fits");
    assert_eq!((ocean.options(), ocean.surface_map().width()), (FINER, 256));
}

#[test]
fn cascades_that_turn_out_not_to_fit_are_not_of_the_sea() {
    let engine = engine();
    let mut ocean = ocean(&engine);
    update(&engine, &mut ocean, 0.1).expect("the device lives");
    let sea = ocean.sea().clone();
    ocean.set_sea(&SeaState { cascades: vec![Cascade::DEFAULT; 8], ..sea.clone() }).expect("nothing is known against it yet");
    let (tell, scopes) = Scopes::told_later();
    ocean.making = scopes;
    tell.send(out_of_memory()).expect("it listens");
    update(&engine, &mut ocean, 0.1).expect_err("it has become known");
    assert_eq!(*ocean.sea(), sea);
    update(&engine, &mut ocean, 0.1).expect("it goes on");
}

#[test]
fn what_turns_out_to_fit_is_used_from_then_on() {
    let engine = engine();
    let mut ocean = ocean(&engine);
    update(&engine, &mut ocean, 0.1).expect("the device lives");
    ocean.set_options(FINER).expect("it fits");
    let (tell, scopes) = Scopes::told_later();
    ocean.making = scopes;
    update(&engine, &mut ocean, 0.1).expect("it waits");
    assert_eq!(ocean.surface_map().width(), 128);
    tell.send(None).expect("it listens");
    update(&engine, &mut ocean, 0.1).expect("it is there");
    assert_eq!((ocean.steps(), ocean.surface_map().width()), (2, 256));
}

#[test]
fn an_ocean_that_never_was_is_never_ready() {
    let engine = engine();
    let mut ocean = ocean(&engine);
    let (tell, scopes) = Scopes::told_later();
    ocean.making = scopes;
    assert!(!ocean.is_ready(), "its maps are not to be bound");
    update(&engine, &mut ocean, 0.1).expect("it waits");
    tell.send(out_of_memory()).expect("it listens");
    for _ in 0..2 {
        update(&engine, &mut ocean, 0.1).expect_err("there is nothing to go back to");
        assert!(!ocean.is_ready());
    }
}

#[test]
fn a_rebuild_that_failed_late_is_made_again() {
    let engine = engine();
    let mut ocean = ocean(&engine);
    update(&engine, &mut ocean, 0.1).expect("the device lives");
    let (tell, scopes) = Scopes::told_later();
    ocean.rebuilding = scopes;
    tell.send(out_of_memory()).expect("it listens");
    update(&engine, &mut ocean, 0.1).expect_err("it has become known");
    assert_eq!(ocean.pending_rebuilds(), ocean.sea().cascades.len());
    update(&engine, &mut ocean, 0.1).expect("this one succeeds");
    assert_eq!(ocean.pending_rebuilds(), 0);
}
