//! The water's shaders, from the workspace's `shaders/water`, put into the app.

use crate::material::{FRAGMENT_SHADER, VERTEX_SHADER};
use bevy::asset::{Handle, uuid_handle};
use bevy::prelude::*;

/// One file: its name, its text, and the handle that keeps it.
pub(crate) struct WaterShader {
    pub name: &'static str,
    pub source: &'static str,
    pub handle: Handle<Shader>,
}

macro_rules! water_shaders {
    ($($name:literal: $handle:expr),* $(,)?) => {
        /// All of them. What imports comes after what it imports.
        pub(crate) const SHADERS: &[WaterShader] = &[$(WaterShader {
            name: $name,
            source: include_str!(concat!("../../../shaders/water/", $name)),
            handle: $handle,
        }),*];
    };
}

water_shaders! {
    "types.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b01"),
    "varyings.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b09"),
    "clipmap.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b02"),
    "bindings.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b03"),
    "maps.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b04"),
    "optics.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b05"),
    "foam.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b06"),
    "underwater.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b07"),
    "lights.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b08"),
    "spray_types.wgsl": uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b20"),
    "spray.wgsl": crate::spray::SIMULATION_SHADER,
    "spray_draw.wgsl": crate::spray::DRAW_SHADER,
    "map_view.wgsl": crate::map_view::SHADER,
    "vertex.wgsl": VERTEX_SHADER,
    "fragment.wgsl": FRAGMENT_SHADER,
}

/// Puts them where the pipelines look for them.
pub(crate) fn insert(app: &mut App) {
    let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
    for shader in SHADERS {
        let asset = Shader::from_wgsl(shader.source, format!("bevy_ocean/{}", shader.name));
        // A handle that was made from a constant has a place in any collection.
        if let Err(error) = shaders.insert(&shader.handle, asset) {
            error!("the shader {} could not be stored: {error}", shader.name);
        }
    }
}

#[cfg(test)]
mod composed;
#[cfg(test)]
mod on_gpu;

#[cfg(test)]
mod tests {
    use super::*;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    /// Those that import nothing of Bevy's, which naga can read by itself. `composed` puts the others together with what they import.
    #[test]
    fn what_stands_alone_is_valid() {
        for name in ["types.wgsl", "clipmap.wgsl", "optics.wgsl", "foam.wgsl", "map_view.wgsl"] {
            let shader = SHADERS.iter().find(|shader| shader.name == name).unwrap_or_else(|| panic!("{name} is not embedded"));
            let source: String =
                shader.source.lines().filter(|line| !line.starts_with('#')).map(|line| line.to_owned() + "\n").collect();
            let module =
                naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
            validator.validate(&module).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
        }
    }

    #[test]
    fn every_file_is_embedded_and_named_after_its_import_path() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders/water");
        let files = std::fs::read_dir(folder).expect("the shaders' folder").map(|file| file.expect("a file").file_name());
        let mut files: Vec<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let mut embedded: Vec<_> = SHADERS.iter().map(|shader| shader.name.to_owned()).collect();
        files.sort();
        embedded.sort();
        assert_eq!(files, embedded);
        for shader in SHADERS {
            let path = format!("#define_import_path bevy_ocean::{}", shader.name.trim_end_matches(".wgsl"));
            assert!(shader.source.lines().any(|line| line == path), "{} has no line `{path}`", shader.name);
        }
    }

    #[test]
    fn shared_constants_are_equal() {
        let maps = SHADERS.iter().find(|shader| shader.name == "maps.wgsl").expect("maps.wgsl");
        assert!(maps.source.contains(&format!("const SQUARED_SLOPE_SCALE: f32 = {:?};", ocean::gpu::SQUARED_SLOPE_SCALE)));
        let types = SHADERS.iter().find(|shader| shader.name == "types.wgsl").expect("types.wgsl");
        assert!(types.source.contains(&format!("array<WaterCascade, {}>", ocean::sea_state::MAX_CASCADES)));
    }
}
