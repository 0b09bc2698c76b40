//! What goes wrong is a typed error that says what to do, and leaves what there was as it was.

use ocean::gpu::{Engine, Ocean, OceanError, OceanOptions, Precision, Resolution};
use ocean::{Cascade, Preset, SeaState};

use crate::device::{engine, new_device, ocean, read_layer, update};
use crate::running::bits;

const R128: Resolution = Resolution::R128;

fn with(resolution: Resolution) -> OceanOptions {
    OceanOptions { resolution, ..Default::default() }
}

fn engine_with(limits: &wgpu::Limits) -> Engine {
    let (device, queue) = new_device(limits);
    Engine::new(&device, &queue).expect("it is enough for the smallest ocean")
}

#[test]
fn a_lost_device_is_a_typed_error_of_everything() {
    let (_guard, _) = engine();
    let engine = engine_with(&wgpu::Limits::default());
    engine.health().watch(engine.device());
    let sea = SeaState::default();
    let mut ocean = ocean(&engine, &sea, R128, Precision::Mixed);
    update(&engine, &mut ocean, 0.02);
    let clocks = *ocean.clocks();

    engine.device().destroy();
    // The callback comes with a poll, whose own complaint is not of interest.
    let _ = engine.device().poll(wgpu::PollType::Poll);
    let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let lost = |error: OceanError| assert!(matches!(error, OceanError::DeviceLost(_)), "{error:?}");
    lost(ocean.update(&mut encoder, 0.02, None).expect_err("the device is gone"));
    lost(ocean.set_options(with(Resolution::R256)).expect_err("the device is gone"));
    lost(Ocean::new(&engine, &sea, with(R128)).expect_err("the device is gone"));
    assert_eq!(*ocean.clocks(), clocks, "what to go on from is still there");
    // A change that needs nothing from the device is taken, for whoever reads it back from the ocean.
    ocean.set_sea(&Preset::Arctic.sea_state().validated().0).err().into_iter().for_each(lost);
}

#[test]
fn too_small_a_limit_is_named() {
    let (_guard, _) = engine();
    let cases: [(&str, wgpu::Limits, u64); 3] = [
        (
            "max_storage_buffer_binding_size",
            wgpu::Limits { max_storage_buffer_binding_size: 64 << 20, ..wgpu::Limits::default() },
            128 << 20,
        ),
        ("max_texture_dimension_2d", wgpu::Limits { max_texture_dimension_2d: 2048, ..wgpu::Limits::default() }, 4096),
        ("max_buffer_size", wgpu::Limits { max_buffer_size: 64 << 20, ..wgpu::Limits::default() }, 128 << 20),
    ];
    for (name, limits, least) in cases {
        let engine = engine_with(&limits);
        let sea = SeaState { cascades: vec![Cascade::DEFAULT], ..SeaState::default() };
        match Ocean::new(&engine, &sea, with(Resolution::R4096)).expect_err(name) {
            OceanError::Limit { limit, needed, available } => {
                assert_eq!(limit, name);
                assert!(needed >= least && available < needed, "{needed} of {available}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// A sea that grows past what the device allows is refused, and the sea before goes on.
#[test]
fn a_change_that_does_not_fit_changes_nothing() {
    let (_guard, _) = engine();
    let limits = wgpu::Limits { max_texture_dimension_2d: 256, max_texture_array_layers: 4, ..wgpu::Limits::default() };
    let engine = engine_with(&limits);
    let sea = Preset::StormyOcean.sea_state();
    let [mut tried, mut left_alone] = [(); 2].map(|()| ocean(&engine, &sea, R128, Precision::Mixed));
    for ocean in [&mut tried, &mut left_alone] {
        update(&engine, ocean, 0.05);
    }
    let crowd = SeaState { cascades: vec![Cascade::DEFAULT; 5], ..sea.clone() };
    assert!(matches!(tried.set_sea(&crowd), Err(OceanError::Limit { limit: "max_texture_array_layers", .. })));
    let too_fine = tried.set_options(with(Resolution::R512));
    assert!(matches!(too_fine, Err(OceanError::Limit { limit: "max_texture_dimension_2d", .. })));
    assert_eq!((tried.sea(), tried.options()), (left_alone.sea(), left_alone.options()));
    assert_eq!(tried.pending_rebuilds(), 0);
    for ocean in [&mut tried, &mut left_alone] {
        update(&engine, ocean, 0.05);
    }
    assert!(bits(&engine, &tried) == bits(&engine, &left_alone));
}

/// What wgpu reports becomes the error of the same meaning. By its conversion: a software adapter has no budget to run out of, and takes the machine's memory.
#[test]
fn errors_of_wgpu_keep_their_meaning() {
    let memory = wgpu::Error::OutOfMemory { source: "not enough".into() };
    assert_eq!(OceanError::from(memory), OceanError::OutOfMemory("not enough".to_owned()));
    let validation = wgpu::Error::Validation { source: "wrong".into(), description: "all wrong".to_owned() };
    assert_eq!(OceanError::from(validation), OceanError::Refused("all wrong".to_owned()));
}

#[test]
fn errors_say_what_to_do() {
    let limit = OceanError::Limit { limit: "max_buffer_size", needed: 2, available: 1 }.to_string();
    assert!(
        limit.contains("max_buffer_size = 1") && limit.contains("needs 2") && limit.contains("wgpu::Limits::default()"),
        "{limit}"
    );
    let memory = OceanError::OutOfMemory("why".to_owned()).to_string();
    assert!(memory.contains("lower resolution or fewer cascades") && memory.contains("why"), "{memory}");
    let lost = OceanError::DeviceLost("why".to_owned()).to_string();
    assert!(lost.contains("make a new device, engine and ocean") && lost.contains("why"), "{lost}");
    let refused = OceanError::Refused("why".to_owned()).to_string();
    assert!(refused.contains("worth reporting") && refused.contains("why"), "{refused}");
}

/// Before the first update there is no sea, and nothing undefined either.
#[test]
fn maps_are_flat_before_the_first_update() {
    let (_guard, engine) = engine();
    let ocean = ocean(engine, &SeaState::default(), R128, Precision::Mixed);
    assert!(read_layer(engine, ocean.displacement_map(), 2, 0).iter().flatten().all(|&value| value == 0.0));
}

/// The callback that tells of a lost device comes late. Until then everything is an error or nothing, and never a panic.
#[test]
fn a_rebuild_on_a_device_that_is_gone_and_has_not_said_so_is_an_error() {
    let (device, queue) = new_device(&wgpu::Limits::default());
    let engine = Engine::new(&device, &queue).expect("it has the limits");
    engine.health().watch(&device);
    let mut ocean = ocean(&engine, &SeaState::default(), Resolution::R128, Precision::Mixed);
    update(&engine, &mut ocean, 0.1);
    device.destroy();
    ocean.set_sea(&SeaState { sea_depth: 7.0, ..SeaState::default() }).expect("this touches no GPU");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let error = ocean.update(&mut encoder, 0.1, None).expect_err("there is no device to update on");
    assert!(matches!(error, OceanError::DeviceLost(_) | OceanError::Refused(_)), "{error}");
    assert!(ocean.pending_rebuilds() > 0, "and the rebuild is still due");
}

#[test]
fn limits_that_only_the_mip_levels_pass_are_named_too() {
    for limits in [
        wgpu::Limits { max_compute_invocations_per_workgroup: 128, ..wgpu::Limits::default() },
        wgpu::Limits { max_compute_workgroup_size_y: 8, ..wgpu::Limits::default() },
    ] {
        let (device, queue) = new_device(&limits);
        let error = Engine::new(&device, &queue).expect_err("the shaders need more");
        assert!(matches!(error, OceanError::Limit { .. }), "{error}");
    }
}
