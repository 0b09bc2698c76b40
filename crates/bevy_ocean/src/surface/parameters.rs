//! The surface's own dials as data: the one place their ranges, units, defaults and meanings are written. Validation, panels and pages read this
//! table; the sea's dials are in [`ocean::sea_state::SEA_PARAMETERS`] and [`ocean::sea_state::CASCADE_PARAMETERS`].

use super::{MeshMode, WaterSurface, WaveMeshQuality};
use bevy::prelude::*;

/// What values a dial takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A number in a range.
    Number {
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
    /// A whole number in a range.
    Integer {
        /// Smallest value.
        min: u32,
        /// Largest value.
        max: u32,
    },
    /// One of a few whole numbers.
    Size(&'static [u32]),
    /// On or off.
    Flag,
    /// One of a few names.
    Choice(&'static [&'static str]),
    /// Three numbers in a range, one each for red, green and blue. Linear where it is a colour.
    Rgb {
        /// Largest value of each; the smallest is 0.
        max: f32,
    },
}

/// A dial's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterValue {
    /// Of [`ParameterKind::Number`].
    Number(f32),
    /// Of [`ParameterKind::Integer`] and [`ParameterKind::Size`].
    Integer(u32),
    /// Of [`ParameterKind::Flag`].
    Flag(bool),
    /// Of [`ParameterKind::Choice`].
    Choice(&'static str),
    /// Of [`ParameterKind::Rgb`].
    Rgb([f32; 3]),
}

/// One dial of a [`WaterSurface`].
#[derive(Clone, Copy, Debug)]
pub struct SurfaceParameter {
    /// The heading it stands under: Appearance, Following the world wind, Performance, Mesh, Current.
    pub group: &'static str,
    /// The field's name in code and files.
    pub field: &'static str,
    /// Its name on a panel.
    pub label: &'static str,
    /// Unit, empty for a bare number.
    pub unit: &'static str,
    /// What values it takes.
    pub kind: ParameterKind,
    /// What turning it does, in one sentence.
    pub meaning: &'static str,
    /// Reads the field.
    pub get: fn(&WaterSurface) -> ParameterValue,
    /// Writes the field, unchecked. A value of another kind changes nothing.
    pub set: fn(&mut WaterSurface, ParameterValue),
}

impl SurfaceParameter {
    /// What holds where nothing is said, and in place of NaN: the Ocean preset's.
    pub fn default_value(&self) -> ParameterValue {
        (self.get)(&WaterSurface::default())
    }

    /// The meaningful value nearest to `value`. One of another kind counts as nothing said.
    pub fn admit(&self, value: ParameterValue) -> ParameterValue {
        use ParameterKind as Kind;
        use ParameterValue as Value;
        match (self.kind, value, self.default_value()) {
            (Kind::Number { min, max }, Value::Number(value), Value::Number(default)) => {
                Value::Number(admit(value, min, max, default))
            }
            (Kind::Integer { min, max }, Value::Integer(value), _) => Value::Integer(value.clamp(min, max)),
            (Kind::Size(sizes), Value::Integer(value), _) => Value::Integer(
                sizes.iter().copied().min_by_key(|size| (size.abs_diff(value), u32::MAX - size)).unwrap_or(value),
            ),
            (Kind::Rgb { max }, Value::Rgb(value), Value::Rgb(default)) => {
                Value::Rgb(std::array::from_fn(|channel| admit(value[channel], 0.0, max, default[channel])))
            }
            (Kind::Flag, Value::Flag(_), _) => value,
            (Kind::Choice(names), Value::Choice(name), _) if names.contains(&name) => value,
            (_, _, default) => default,
        }
    }
}

/// −0 is in range and would make two equal surfaces differ.
fn admit(value: f32, min: f32, max: f32, default: f32) -> f32 {
    if value.is_nan() { default } else { value.clamp(min, max) + 0.0 }
}

/// The dials, in the order of a panel.
pub static SURFACE_PARAMETERS: &[SurfaceParameter] = &[
    SurfaceParameter {
        field: "water_color",
        label: "Water Color",
        kind: ParameterKind::Rgb { max: 1.0 },
        meaning: "Body colour of the water, linear. Deep water is much darker than it looks in an sRGB picker.",
        get: |surface| rgb(surface.water_color),
        set: |surface, value| color(&mut surface.water_color, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        field: "foam_color",
        label: "Foam Color",
        kind: ParameterKind::Rgb { max: 1.0 },
        meaning: "Colour of accumulated foam, linear.",
        get: |surface| rgb(surface.foam_color),
        set: |surface, value| color(&mut surface.foam_color, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        field: "roughness",
        label: "Roughness",
        kind: ParameterKind::Number { min: 0.0, max: 1.0 },
        meaning: "Roughness of what the maps do not resolve: feeds the specular lobe and the fresnel curve.",
        get: |surface| ParameterValue::Number(surface.roughness),
        set: |surface, value| number(&mut surface.roughness, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        field: "normal_strength",
        label: "Normal Strength",
        kind: ParameterKind::Number { min: 0.0, max: 2.0 },
        meaning: "Factor on the shading normal. 0 shades the surface flat without touching the geometry.",
        get: |surface| ParameterValue::Number(surface.normal_strength),
        set: |surface, value| number(&mut surface.normal_strength, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        field: "extinction",
        label: "Extinction",
        unit: "1/m",
        kind: ParameterKind::Rgb { max: 100.0 },
        meaning: "How fast red, green and blue light die in the water: shallows read turquoise, depths dark.",
        get: |surface| ParameterValue::Rgb(surface.extinction.to_array()),
        set: |surface, value| {
            if let ParameterValue::Rgb(value) = value {
                surface.extinction = Vec3::from_array(value);
            }
        },
        ..APPEARANCE
    },
    SurfaceParameter {
        group: WIND,
        field: "follow_world_wind",
        label: "Follow World Wind",
        kind: ParameterKind::Flag,
        meaning: "Scales and turns the whole sea with the scene's wind; off, the authored sea comes back.",
        get: |surface| ParameterValue::Flag(surface.follow_world_wind),
        set: |surface, value| flag(&mut surface.follow_world_wind, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: WIND,
        field: "wind_response",
        label: "Wind Response",
        kind: ParameterKind::Number { min: 0.0, max: 2.0 },
        meaning: "How much of the wind reaches this surface: 0.4 in a sheltered bay, 1 on the open ocean.",
        get: |surface| ParameterValue::Number(surface.wind_response),
        set: |surface, value| number(&mut surface.wind_response, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: PERFORMANCE,
        field: "wave_resolution",
        label: "Wave Resolution",
        kind: ParameterKind::Size(&[128, 256, 512, 1024, 2048, 4096]),
        meaning: "FFT grid of each cascade. Cost grows with the square.",
        get: |surface| ParameterValue::Integer(surface.wave_resolution),
        set: |surface, value| integer(&mut surface.wave_resolution, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: PERFORMANCE,
        field: "updates_per_second",
        label: "Updates / Second",
        unit: "Hz",
        kind: ParameterKind::Number { min: 0.0, max: 240.0 },
        meaning: "How often the simulation advances; 0 is every frame. Between updates the picture is interpolated.",
        get: |surface| ParameterValue::Number(surface.updates_per_second),
        set: |surface, value| number(&mut surface.updates_per_second, value),
    },
    SurfaceParameter {
        group: PERFORMANCE,
        field: "enable_sea_spray",
        label: "Enable Sea Spray",
        kind: ParameterKind::Flag,
        meaning: "Throws spray where waves break.",
        get: |surface| ParameterValue::Flag(surface.enable_sea_spray),
        set: |surface, value| flag(&mut surface.enable_sea_spray, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: PERFORMANCE,
        field: "spray_particles",
        label: "Spray Particles",
        kind: ParameterKind::Integer { min: 64, max: 65_536 },
        meaning: "Droplets there may be at once.",
        get: |surface| ParameterValue::Integer(surface.spray_particles),
        set: |surface, value| integer(&mut surface.spray_particles, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: MESH,
        field: "mesh_mode",
        label: "Mesh Mode",
        kind: ParameterKind::Choice(&["clipmap", "grid"]),
        meaning: "Clipmap reaches the horizon around the camera; Grid is a fixed square around the entity.",
        get: |surface| {
            ParameterValue::Choice(match surface.mesh_mode {
                MeshMode::Clipmap => "clipmap",
                MeshMode::Grid => "grid",
            })
        },
        set: |surface, value| match value {
            ParameterValue::Choice("clipmap") => surface.mesh_mode = MeshMode::Clipmap,
            ParameterValue::Choice("grid") => surface.mesh_mode = MeshMode::Grid,
            _ => (),
        },
        ..APPEARANCE
    },
    SurfaceParameter {
        group: MESH,
        field: "wave_mesh_quality",
        label: "Wave Mesh Quality",
        kind: ParameterKind::Choice(&["low", "medium", "high", "custom"]),
        meaning: "Density of the clipmap. Custom uses the three Clipmap fields and starts from what was on screen.",
        get: |surface| {
            ParameterValue::Choice(match surface.wave_mesh_quality {
                WaveMeshQuality::Low => "low",
                WaveMeshQuality::Medium => "medium",
                WaveMeshQuality::High => "high",
                WaveMeshQuality::Custom => "custom",
            })
        },
        set: |surface, value| {
            surface.wave_mesh_quality = match value {
                ParameterValue::Choice("low") => WaveMeshQuality::Low,
                ParameterValue::Choice("medium") => WaveMeshQuality::Medium,
                ParameterValue::Choice("high") => WaveMeshQuality::High,
                ParameterValue::Choice("custom") => WaveMeshQuality::Custom,
                _ => return,
            }
        },
        ..APPEARANCE
    },
    SurfaceParameter {
        group: MESH,
        field: "clipmap_rings",
        label: "Clipmap Rings",
        kind: ParameterKind::Integer { min: 0, max: 8 },
        meaning: "Rings around the centre; each doubles the extent. Custom quality only.",
        get: |surface| ParameterValue::Integer(surface.clipmap_rings),
        set: |surface, value| integer(&mut surface.clipmap_rings, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: MESH,
        field: "clipmap_resolution",
        label: "Clipmap Resolution",
        kind: ParameterKind::Integer { min: 32, max: 512 },
        meaning: "Quads along a ring's edge, rounded up to a multiple of 8. Custom quality only.",
        get: |surface| ParameterValue::Integer(surface.clipmap_resolution),
        set: |surface, value| integer(&mut surface.clipmap_resolution, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: MESH,
        field: "clipmap_quad_size",
        label: "Clipmap Quad Size",
        unit: "m",
        kind: ParameterKind::Number { min: 0.05, max: 8.0 },
        meaning: "Edge of the finest quad. Custom quality only.",
        get: |surface| ParameterValue::Number(surface.clipmap_quad_size),
        set: |surface, value| number(&mut surface.clipmap_quad_size, value),
    },
    SurfaceParameter {
        group: MESH,
        field: "grid_size",
        label: "Grid Size",
        unit: "m",
        kind: ParameterKind::Number { min: 1.0, max: 10_000.0 },
        meaning: "Edge of the fixed square. Grid mode only.",
        get: |surface| ParameterValue::Number(surface.grid_size),
        set: |surface, value| number(&mut surface.grid_size, value),
    },
    SurfaceParameter {
        group: MESH,
        field: "grid_subdivisions",
        label: "Grid Subdivisions",
        kind: ParameterKind::Integer { min: 1, max: 1024 },
        meaning: "Quads along the square's edge. Grid mode only.",
        get: |surface| ParameterValue::Integer(surface.grid_subdivisions),
        set: |surface, value| integer(&mut surface.grid_subdivisions, value),
        ..APPEARANCE
    },
    SurfaceParameter {
        group: CURRENT,
        field: "current_speed",
        label: "Current Speed",
        unit: "m/s",
        kind: ParameterKind::Number { min: 0.0, max: 10.0 },
        meaning: "A current that carries waves and foam along.",
        get: |surface| ParameterValue::Number(surface.current_speed),
        set: |surface, value| number(&mut surface.current_speed, value),
    },
    SurfaceParameter {
        group: CURRENT,
        field: "current_heading",
        label: "Current Heading",
        unit: "°",
        kind: ParameterKind::Number { min: 0.0, max: 360.0 },
        meaning: "Heading the current flows to: 0 is +x, 90 is +z.",
        get: |surface| ParameterValue::Number(surface.current_heading),
        set: |surface, value| number(&mut surface.current_heading, value),
    },
];

const WIND: &str = "Following the world wind";
const PERFORMANCE: &str = "Performance";
const MESH: &str = "Mesh";
const CURRENT: &str = "Current";

const APPEARANCE: SurfaceParameter = SurfaceParameter {
    group: "Appearance",
    field: "",
    label: "",
    unit: "",
    kind: ParameterKind::Flag,
    meaning: "",
    get: |_| ParameterValue::Flag(false),
    set: |_, _| (),
};

fn rgb(color: LinearRgba) -> ParameterValue {
    ParameterValue::Rgb([color.red, color.green, color.blue])
}

fn color(field: &mut LinearRgba, value: ParameterValue) {
    if let ParameterValue::Rgb([red, green, blue]) = value {
        *field = LinearRgba { red, green, blue, alpha: 1.0 };
    }
}

fn number(field: &mut f32, value: ParameterValue) {
    if let ParameterValue::Number(value) = value {
        *field = value;
    }
}

fn integer(field: &mut u32, value: ParameterValue) {
    if let ParameterValue::Integer(value) = value {
        *field = value;
    }
}

fn flag(field: &mut bool, value: ParameterValue) {
    if let ParameterValue::Flag(value) = value {
        *field = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_but_the_sea_has_one_dial() {
        let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(WaterSurface::default()) else {
            panic!("a struct is an object");
        };
        let mut named: Vec<_> = fields.keys().map(String::as_str).filter(|field| *field != "sea").collect();
        let mut dials: Vec<_> = SURFACE_PARAMETERS.iter().map(|dial| dial.field).collect();
        named.sort_unstable();
        dials.sort_unstable();
        assert_eq!(dials, named);
    }

    #[test]
    fn a_dial_writes_what_it_reads_and_nothing_else() {
        for dial in SURFACE_PARAMETERS {
            let value = match dial.kind {
                ParameterKind::Number { min, max } => ParameterValue::Number(min + 0.3 * (max - min)),
                ParameterKind::Integer { min, max } => ParameterValue::Integer((min + max) / 2),
                ParameterKind::Size(sizes) => ParameterValue::Integer(sizes[1]),
                ParameterKind::Flag => ParameterValue::Flag(dial.default_value() != ParameterValue::Flag(true)),
                ParameterKind::Choice(names) => ParameterValue::Choice(names[1]),
                ParameterKind::Rgb { max } => ParameterValue::Rgb([0.1 * max, 0.2 * max, 0.3 * max]),
            };
            let mut surface = WaterSurface::default();
            (dial.set)(&mut surface, value);
            assert_eq!((dial.get)(&surface), value, "{}", dial.field);
            assert_eq!(dial.admit(value), value, "{}", dial.field);
            (dial.set)(&mut surface, dial.default_value());
            assert_eq!(surface, WaterSurface::default(), "{} writes more than its field", dial.field);
        }
    }

    #[test]
    fn a_value_of_another_kind_counts_as_nothing_said() {
        for dial in SURFACE_PARAMETERS {
            let wrong = match dial.kind {
                ParameterKind::Flag => ParameterValue::Number(1.0),
                _ => ParameterValue::Flag(true),
            };
            assert_eq!(dial.admit(wrong), dial.default_value(), "{}", dial.field);
        }
    }
}
