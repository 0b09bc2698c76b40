//! Nothing passes WebGPU's default limits: by what the plans say, by what naga finds in the WGSL, and by what is allocated.

use naga::AddressSpace;
use ocean::gpu::{Engine, MemoryUse, OceanError, OceanOptions, Plan, Precision, Resolution, proof};
use ocean::{Cascade, SeaState};

use crate::device::{engine, new_device, ocean};

fn parsed(shader: &proof::Shader) -> naga::Module {
    naga::front::wgsl::parse_str(&shader.source)
        .unwrap_or_else(|error| panic!("{}: {}", shader.name, error.emit_to_string(&shader.source)))
}

#[test]
fn every_shader_takes_what_it_says_and_no_more_than_the_defaults() {
    let limits = wgpu::Limits::default();
    assert_eq!((limits.max_compute_invocations_per_workgroup, limits.max_compute_workgroup_storage_size), (256, 16_384));
    for shader in proof::shaders() {
        let module = parsed(&shader);
        let entry = module.entry_points.iter().find(|entry| entry.name == shader.entry).expect("the entry point is there");
        let invocations: u32 = entry.workgroup_size.iter().product();
        assert_eq!(invocations, shader.invocations, "{}", shader.name);
        assert!(invocations <= limits.max_compute_invocations_per_workgroup, "{}", shader.name);

        let size = |ty| module.types[ty].inner.size(module.to_ctx());
        let globals = || module.global_variables.iter().map(|(_, global)| global);
        let workgroup: u32 =
            globals().filter(|global| global.space == AddressSpace::WorkGroup).map(|global| size(global.ty)).sum();
        assert_eq!(workgroup, shader.workgroup_bytes, "{}", shader.name);
        assert!(workgroup <= limits.max_compute_workgroup_storage_size, "{}", shader.name);

        let buffers = globals().filter(|global| matches!(global.space, AddressSpace::Storage { .. })).count() as u32;
        assert!(buffers <= limits.max_storage_buffers_per_shader_stage, "{}: {buffers} storage buffers", shader.name);
        let stores = globals().filter(|global| {
            matches!(module.types[global.ty].inner, naga::TypeInner::Image { class: naga::ImageClass::Storage { .. }, .. })
        });
        let stores = stores.count() as u32;
        assert!(stores <= limits.max_storage_textures_per_shader_stage, "{}: {stores} storage textures", shader.name);
    }
}

#[test]
fn no_shader_needs_a_capability_that_webgpu_lacks() {
    for shader in proof::shaders() {
        let module = parsed(&shader);
        // pack2x16float is core WGSL; naga asks leave for it because old hardware lacks it.
        let core = naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), core);
        validator.validate(&module).unwrap_or_else(|error| panic!("{}: {error:?}", shader.name));
    }
}

#[test]
fn the_uniform_is_laid_out_alike_in_rust_and_wgsl() {
    let shader = proof::shaders().remove(0);
    let module = parsed(&shader);
    let size = |name: &str| {
        let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the type is there");
        ty.inner.size(module.to_ctx()) as usize
    };
    assert_eq!((size("Update"), size("CascadeUpdate")), proof::update_layout());
}

#[test]
fn dispatches_stay_within_the_defaults() {
    for resolution in Resolution::ALL {
        let plan = Plan::of(resolution, Precision::Mixed);
        for count in plan.rows_workgroups(8).into_iter().chain(plan.columns_workgroups(8)) {
            assert!((1..=65_535).contains(&count), "{resolution:?}: {count} workgroups");
        }
        assert_eq!(plan.rows.points(), resolution.texels());
        assert_eq!(plan.columns.points(), resolution.texels());
    }
}

/// 8 bytes of h₀, 2 of foam and 16 of maps a texel, a third of the maps for their mip levels; and no buffer over a binding.
#[test]
fn memory_is_what_was_promised() {
    let limits = wgpu::Limits::default();
    for resolution in Resolution::ALL {
        for cascades in 1..=8u32 {
            let memory = MemoryUse::of(resolution, Precision::Mixed, cascades, false, &limits);
            let texels = u64::from(resolution.texels()).pow(2) * u64::from(cascades);
            assert_eq!(memory.amplitudes + memory.foam + memory.maps, 26 * texels);
            assert!(memory.mips * 3 <= memory.maps && memory.mips * 3 > memory.maps - 48 * u64::from(cascades));
            let per_texel = memory.scratch as f64 / texels as f64;
            assert!(per_texel < 13.5, "{resolution:?} × {cascades}: {per_texel} bytes of scratch a texel");
        }
    }
}

#[test]
fn memory_is_what_is_allocated() {
    let (_guard, engine) = engine();
    for (resolution, cascades, history) in
        [(Resolution::R128, 1, false), (Resolution::R128, 8, true), (Resolution::R512, 3, false), (Resolution::R1024, 2, true)]
    {
        let sea = SeaState { cascades: vec![Cascade::DEFAULT; cascades], ..SeaState::default() };
        let options = OceanOptions { resolution, history, ..Default::default() };
        let ocean = ocean::gpu::Ocean::new(engine, &sea, options).expect("it fits");
        assert_eq!(ocean.allocated_bytes(), ocean.memory().total(), "{resolution:?} × {cascades}");
    }
}

#[test]
fn cascades_go_together_where_the_bindings_allow() {
    let (_guard, engine) = engine();
    let sea = |cascades| SeaState { cascades: vec![Cascade::DEFAULT; cascades], ..SeaState::default() };
    for (resolution, cascades, groups) in [(Resolution::R512, 8, 1), (Resolution::R1024, 8, 1), (Resolution::R2048, 3, 1)] {
        assert_eq!(ocean(engine, &sea(cascades), resolution, Precision::Mixed).groups(), groups, "{resolution:?} × {cascades}");
    }
}

#[test]
fn a_device_with_less_than_the_defaults_is_refused_by_name() {
    let limits = wgpu::Limits { max_compute_workgroup_storage_size: 8192, ..wgpu::Limits::default() };
    let (device, queue) = new_device(&limits);
    match Engine::new(&device, &queue) {
        // The smallest plan may fit; then a larger one must not.
        Ok(engine) => {
            let options = OceanOptions { resolution: Resolution::R2048, ..Default::default() };
            let error = ocean::gpu::Ocean::new(&engine, &SeaState::default(), options).expect_err("16 KiB are needed");
            assert!(matches!(error, OceanError::Limit { limit: "max_compute_workgroup_storage_size", .. }), "{error}");
        }
        Err(error) => {
            assert!(matches!(error, OceanError::Limit { limit: "max_compute_workgroup_storage_size", .. }), "{error}")
        }
    }
}
