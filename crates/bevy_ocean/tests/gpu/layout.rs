//! What the shaders are bound to, and how much of it there may be.

use crate::stage::Stage;
use bevy::core_pipeline::prepass::{MotionVectorPrepass, NormalPrepass};
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::{Atmosphere, AtmosphereEnvironmentMapLight};
use bevy::pbr::{AtmosphereSettings, DistanceFog};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::render_resource::{
    BindingType, CachedPipelineState, Pipeline, PipelineCache, PipelineDescriptor, ShaderStages,
};
use bevy::render::renderer::RenderDevice;
use bevy_ocean::Preset;

/// Sampled textures a stage that WebGPU guarantees.
const SAMPLED_TEXTURES: usize = 16;

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn webgpus_default_limits_are_enough() {
    let (eye, forward) = (Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0));
    let mut stage = Stage::within_webgpus_defaults(UVec2::new(64, 64), eye, forward, |camera| {
        camera.insert((Msaa::Sample4, DistanceFog::default()));
    });
    let limits = stage.app.sub_app(RenderApp).world().resource::<RenderDevice>().limits();
    let webgpu = wgpu::Limits::default();
    let of = |limits: &wgpu::Limits| {
        [
            limits.max_compute_invocations_per_workgroup,
            limits.max_compute_workgroup_storage_size,
            limits.max_sampled_textures_per_shader_stage,
            limits.max_storage_buffers_per_shader_stage,
            limits.max_storage_textures_per_shader_stage,
            limits.max_bind_groups,
        ]
    };
    assert_eq!(of(&limits), of(&webgpu), "the device was not constrained");
    assert!(limits.max_storage_buffer_binding_size <= webgpu.max_storage_buffer_binding_size);
    // The largest kernel that the demo's first picture has, and spray.
    stage.add(Preset::StormyOcean, |surface| {
        (surface.wave_resolution, surface.enable_sea_spray) = (512, true);
    });
    stage.settle();
    let picture = stage.picture();
    assert!(picture.iter().all(|pixel| pixel.is_finite()));
    let surfaces = stage.report().surfaces;
    assert_eq!((surfaces[0].error.clone(), surfaces[0].resolution), (None, 512));
    let (used, allowed) = surfaces[0].workgroup_bytes;
    assert!(used <= allowed && allowed == 16_384, "{used} / {allowed}");
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn with_every_camera_feature_the_water_has_sixteen_textures_at_most() {
    let mut stage = Stage::with(UVec2::new(64, 64), Vec3::new(0.0, 5.0, 0.0), Vec3::new(1.0, -0.3, 0.0), |camera| {
        camera.insert((
            NormalPrepass,
            MotionVectorPrepass,
            Msaa::Sample4,
            AtmosphereSettings::default(),
            AtmosphereEnvironmentMapLight { size: UVec2::splat(64), ..default() },
            DistanceFog::default(),
        ));
    });
    let medium = stage.app.world_mut().resource_mut::<Assets<ScatteringMedium>>().add(ScatteringMedium::default());
    stage.app.world_mut().spawn(Atmosphere::earth(medium));
    stage.app.world_mut().spawn((PointLight { shadow_maps_enabled: true, ..default() }, Transform::from_xyz(3.0, 3.0, 0.0)));
    stage.add(Preset::Ocean, |_| {});
    stage.settle();
    let cache = stage.app.sub_app(RenderApp).world().resource::<PipelineCache>();
    let mut seen = 0;
    for pipeline in cache.pipelines() {
        let PipelineDescriptor::RenderPipelineDescriptor(descriptor) = &pipeline.descriptor else { continue };
        let Some(material) = descriptor.layout.iter().find(|group| group.label == "water") else { continue };
        assert!(!material.entries.is_empty());
        assert!(matches!(pipeline.state, CachedPipelineState::Ok(Pipeline::RenderPipeline(_))), "{:?}", pipeline.state);
        for stage in [ShaderStages::VERTEX, ShaderStages::FRAGMENT] {
            let textures = descriptor
                .layout
                .iter()
                .flat_map(|group| &group.entries)
                .filter(|entry| entry.visibility.contains(stage) && matches!(entry.ty, BindingType::Texture { .. }))
                // Where there are arrays of bindings, which WebGPU has not, Bevy puts many environment maps in one: there, it is one.
                .count();
            assert!(textures <= SAMPLED_TEXTURES, "{textures} textures in {stage:?}");
            seen = seen.max(textures);
        }
        assert!(descriptor.depth_stencil.as_ref().is_some_and(|depth| depth.depth_write_enabled == Some(true)));
    }
    assert!(seen > 8, "the water's pipeline was looked at: {seen} textures");
    let picture = stage.picture();
    assert!(picture.iter().all(|pixel| pixel.is_finite()));
}
