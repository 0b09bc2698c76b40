//! Every shader of the water's, put together with what it imports of Bevy's as pipelines do it, and validated: without a GPU, in the forms that cameras ask for.

use super::SHADERS;
use crate::OceanPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::shader::{ShaderCache, ShaderCacheError, ShaderCacheSource, ShaderDefVal, ValidateShader};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::time::Duration;

/// What Bevy's shaders need of WebGPU beyond what naga takes for granted, all of it core.
const CORE: Capabilities =
    Capabilities::CUBE_ARRAY_TEXTURES.union(Capabilities::MULTISAMPLED_SHADING).union(Capabilities::SHADER_FLOAT16_IN_FLOAT32);

/// What a camera may bring along, all of it at once.
const OF_CAMERAS: [&str; 7] = [
    "DEPTH_PREPASS",
    "MULTISAMPLED",
    "ENVIRONMENT_MAP",
    "ATMOSPHERE",
    "DISTANCE_FOG",
    "TONEMAP_IN_SHADER",
    "TONEMAP_METHOD_TONY_MC_MAPFACE",
];

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation: WgpuSettings { backends: None, ..default() }.into(), ..default() })
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>(),
    )
    .add_plugins(OceanPlugin);
    app.finish();
    app.cleanup();
    app
}

fn module(_: &(), source: ShaderCacheSource<'_>, _: &ValidateShader) -> Result<naga::Module, ShaderCacheError> {
    match source {
        ShaderCacheSource::Naga(module) => Ok(module),
        _ => Err(ShaderCacheError::CreateShaderModule("it is not WGSL".to_owned())),
    }
}

/// A cache of all the shaders that have been read so far.
fn cache(app: &App) -> ShaderCache<naga::Module, ()> {
    let mut cache = ShaderCache::new((), wgpu::Features::empty(), wgpu::DownlevelFlags::all(), module);
    for (id, shader) in app.world().resource::<Assets<Shader>>().iter() {
        cache.set_shader(id, shader.clone());
    }
    cache
}

/// The definitions of a mesh's pipeline, and these.
fn definitions(group: u32, more: &[&'static str]) -> Vec<ShaderDefVal> {
    let number = |name: &'static str, value| ShaderDefVal::UInt(name.into(), value);
    let mut definitions = vec![
        number("MATERIAL_BIND_GROUP", group),
        number("AVAILABLE_STORAGE_BUFFER_BINDINGS", 8),
        number("TONEMAPPING_LUT_TEXTURE_BINDING_INDEX", 18),
        number("TONEMAPPING_LUT_SAMPLER_BINDING_INDEX", 19),
        ShaderDefVal::Int("SCREEN_SPACE_SPECULAR_TRANSMISSION_BLUR_TAPS".into(), 8),
    ];
    let of_meshes = [
        "MESH_PIPELINE",
        "VERTEX_OUTPUT_INSTANCE_INDEX",
        "VERTEX_POSITIONS",
        "VIEW_PROJECTION_PERSPECTIVE",
        "SHADOW_FILTER_METHOD_GAUSSIAN",
        "IRRADIANCE_VOLUMES_ARE_USABLE",
    ];
    definitions.extend(of_meshes.iter().chain(more).map(|name| ShaderDefVal::Bool((*name).into(), true)));
    definitions
}

#[test]
fn every_form_of_every_pipeline_is_valid() {
    let mut app = app();
    let id = |name: &str| {
        let shader = SHADERS.iter().find(|shader| shader.name == name).unwrap_or_else(|| panic!("{name} is not embedded"));
        shader.handle.id()
    };
    // Bevy's own are assets, which come when they have been read.
    let mut shaders = cache(&app);
    for _ in 0..2000 {
        app.update();
        shaders = cache(&app);
        match shaders.get(0, id("fragment.wgsl"), &definitions(3, &OF_CAMERAS)) {
            Err(ShaderCacheError::ShaderImportNotYetAvailable | ShaderCacheError::ShaderNotLoaded(_)) => {}
            _ => break,
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Bevy's modules take a while to put together, so not every form of every one.
    let [none, samples_apart, all]: [&[&str]; 3] = [&[], &["DEPTH_PREPASS"], &OF_CAMERAS];
    for (name, entries, group, forms) in [
        ("vertex.wgsl", &["vertex"][..], 3, &[none][..]),
        ("fragment.wgsl", &["fragment"], 3, &[none, samples_apart, all]),
        ("spray_draw.wgsl", &["vertex", "fragment"], 3, &[none, all]),
        ("spray.wgsl", &["find", "fly"], 0, &[none]),
        ("map_view.wgsl", &["vertex", "fragment"], 3, &[none]),
    ] {
        for form in forms {
            let module = match shaders.get(0, id(name), &definitions(group, form)) {
                Ok(module) => module,
                Err(ShaderCacheError::ProcessShaderError(error)) => {
                    panic!("{name} with {form:?}: {}", error.emit_to_string(&shaders.composer))
                }
                Err(error) => panic!("{name} with {form:?}: {error}"),
            };
            if let Err(error) = Validator::new(ValidationFlags::all(), CORE).validate(&module) {
                panic!("{name} with {form:?}: {error:?}");
            }
            let found: Vec<_> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
            assert_eq!(found, entries, "{name} with {form:?}");
            for entry in &module.entry_points {
                assert!(entry.workgroup_size.iter().product::<u32>() <= 256, "{name}: {}", entry.name);
            }
        }
    }
}
