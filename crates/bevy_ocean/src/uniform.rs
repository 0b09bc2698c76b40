//! What the water's shaders are told each frame: the Rust side of `shaders/water/types.wgsl`.
//!
//! Positions are told relative to a point near the camera, worked out here in f64: an f32 has 8 mm steps at 10⁵ m from the world's origin, and the fraction
//! of a tile that such a position lies in is what every texture coordinate is made of.

use crate::surface::{MeshMode, WaterSurface};
use crate::time::Timeline;
use bevy::math::DVec2;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use ocean::sea_state::MAX_CASCADES;
use ocean::{CascadeSpectrum, SeaState, statistics};

/// Metres after which the foam's pattern repeats: `PERIOD` of `foam.wgsl`.
const FOAM_PERIOD: f64 = 256.0;
/// Seconds after which all that moves in it is where it was: by `ROUNDS` of `foam.wgsl`, 27 minutes.
const FOAM_SECONDS: f64 = 256.0 * std::f64::consts::TAU;

/// `WaterCascade` of `types.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct CascadeUniform {
    pub inverse_tile: Vec2,
    pub phase: Vec2,
    pub displacement_scale: f32,
    pub normal_scale: f32,
    pub texel: f32,
    pub deviation: f32,
}

/// `Water` of `types.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterUniform {
    pub cascades: [CascadeUniform; MAX_CASCADES],
    pub water_color: Vec3,
    pub roughness: f32,
    pub foam_color: Vec3,
    pub normal_strength: f32,
    pub extinction: Vec3,
    pub level: f32,
    pub origin: Vec2,
    pub half_extent: f32,
    pub stretch: f32,
    pub grid_center: Vec2,
    pub grid_x: Vec2,
    pub grid_z: Vec2,
    pub foam_origin: Vec2,
    pub blend: f32,
    pub latest: u32,
    pub cascade_count: u32,
    pub resolution: f32,
    pub quad_size: f32,
    pub quads: u32,
    pub rings: u32,
    pub mesh_mode: u32,
    pub lines: u32,
    pub deviation: f32,
    pub foam_turn: f32,
    pub sea_depth: f32,
}

/// Standard deviation of each cascade's height as it is drawn, m. It costs a walk over a spectrum, so it is worked out only when the sea changes.
pub(crate) fn deviations(sea: &SeaState, resolution: u32) -> [f32; MAX_CASCADES] {
    // The long waves have nearly all of the height, and a coarse grid holds them.
    let resolution = resolution.min(128);
    std::array::from_fn(|index| {
        let Some(cascade) = sea.cascades.get(index).filter(|cascade| cascade.displacement_scale != 0.0) else {
            return 0.0;
        };
        let height = statistics::cascade_wave_height(&CascadeSpectrum::new(sea, index), resolution);
        (height / 4.0 * f64::from(cascade.displacement_scale.abs())) as f32
    })
}

/// Standard deviation of the whole drawn height, m.
pub(crate) fn total_deviation(deviations: &[f32; MAX_CASCADES]) -> f32 {
    deviations.iter().map(|deviation| deviation * deviation).sum::<f32>().sqrt()
}

/// Where the surface is and how it is cut.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// The surface's own transform.
    pub transform: GlobalTransform,
    /// The shaders' point of reference.
    pub origin: DVec2,
    /// Half the edge of what is drawn, m.
    pub half_extent: f32,
    /// Edge of the finest quad, quads along an edge, rings; as the mesh has them, which rounds the quad to what f32 can count with.
    pub lattice: (f32, u32, u32),
}

impl WaterUniform {
    /// Of an admitted surface.
    pub fn new(surface: &WaterSurface, timeline: &Timeline, deviations: &[f32; MAX_CASCADES], placement: Placement) -> Self {
        let Placement { transform, origin, half_extent, lattice: (quad_size, quads, rings) } = placement;
        let position = transform.translation();
        let affine = transform.affine();
        let grid = surface.mesh_mode == MeshMode::Grid;
        Self {
            cascades: cascades(surface, timeline.drift(), deviations, origin),
            water_color: surface.water_color.to_vec3(),
            roughness: surface.roughness,
            foam_color: surface.foam_color.to_vec3(),
            normal_strength: surface.normal_strength,
            extinction: surface.extinction,
            level: position.y,
            origin: origin.as_vec2(),
            half_extent,
            stretch: (half_extent / 256.0).clamp(1.0, 3.0),
            grid_center: (position.xz().as_dvec2() - origin).as_vec2(),
            grid_x: Vec3::from(affine.matrix3.x_axis).xz(),
            grid_z: Vec3::from(affine.matrix3.z_axis).xz(),
            foam_origin: foam_origin(origin, timeline.drift()),
            blend: timeline.blend(),
            latest: 0,
            cascade_count: surface.sea.cascades.len() as u32,
            resolution: surface.wave_resolution as f32,
            quad_size,
            quads,
            rings,
            mesh_mode: u32::from(grid),
            lines: 0,
            deviation: total_deviation(deviations),
            foam_turn: foam_turn(timeline.elapsed()),
            sea_depth: surface.sea.sea_depth,
        }
    }
}

/// Where the origin lies on the foam, which the current carries along and which is the same again after each period: small numbers, and the same pattern at the same place on the
/// water wherever the origin is.
fn foam_origin(origin: DVec2, drift: DVec2) -> Vec2 {
    (origin - drift).rem_euclid(DVec2::splat(FOAM_PERIOD)).as_vec2()
}

/// How much has passed of the foam's own time. By the seconds that the sea has run and not by a clock: clocks go at their cascade's pace, and start again.
fn foam_turn(elapsed: f64) -> f32 {
    (elapsed / FOAM_SECONDS).rem_euclid(1.0) as f32
}

fn cascades(
    surface: &WaterSurface,
    drift: DVec2,
    deviations: &[f32; MAX_CASCADES],
    origin: DVec2,
) -> [CascadeUniform; MAX_CASCADES] {
    let texels = f64::from(surface.wave_resolution);
    std::array::from_fn(|index| {
        let Some(cascade) = surface.sea.cascades.get(index) else { return CascadeUniform::default() };
        let tile = DVec2::from_array(cascade.tile_length.map(f64::from));
        let phase = ((origin - drift) / tile).rem_euclid(DVec2::ONE) + 0.5 / texels;
        CascadeUniform {
            inverse_tile: tile.recip().as_vec2(),
            phase: phase.as_vec2(),
            displacement_scale: cascade.displacement_scale,
            normal_scale: cascade.normal_scale,
            texel: (tile.max_element() / texels) as f32,
            deviation: deviations[index],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::WaterFrame;
    use bevy::render::render_resource::encase::UniformBuffer;
    use naga::{Module, StructMember, TypeInner};
    use ocean::Preset;

    fn module() -> Module {
        let source = include_str!("../../../shaders/water/types.wgsl").replace("#define_import_path bevy_ocean::types", "");
        // Types that nothing uses are kept in naga's arena only if something names them.
        naga::front::wgsl::parse_str(&(source + "\n@group(0) @binding(0) var<uniform> water: Water;"))
            .expect("types.wgsl parses")
    }

    fn members<'m>(module: &'m Module, name: &str) -> (&'m [StructMember], u32) {
        module
            .types
            .iter()
            .find_map(|(_, ty)| match &ty.inner {
                TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => Some((members.as_slice(), *span)),
                _ => None,
            })
            .unwrap_or_else(|| panic!("there is no struct {name}"))
    }

    fn offset(members: &[StructMember], name: &str) -> usize {
        let member = members.iter().find(|member| member.name.as_deref() == Some(name));
        member.unwrap_or_else(|| panic!("there is no member {name}")).offset as usize
    }

    fn words(bytes: &[u8], offset: usize, count: usize) -> Vec<u32> {
        bytes[offset..offset + 4 * count].as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// A uniform whose every number is another one.
    fn numbered() -> WaterUniform {
        let mut next = 0.0;
        let mut number = || {
            next += 1.0;
            next
        };
        let mut pair = || Vec2::new(number(), number());
        let mut water = WaterUniform::default();
        for cascade in &mut water.cascades {
            cascade.inverse_tile = pair();
            cascade.phase = pair();
            let [scales, sizes] = [pair(), pair()];
            (cascade.displacement_scale, cascade.normal_scale) = (scales.x, scales.y);
            (cascade.texel, cascade.deviation) = (sizes.x, sizes.y);
        }
        (water.origin, water.grid_center, water.grid_x, water.grid_z) = (pair(), pair(), pair(), pair());
        water.foam_origin = pair();
        for color in [&mut water.water_color, &mut water.foam_color, &mut water.extinction] {
            let [xy, z] = [pair(), pair()];
            *color = xy.extend(z.x);
        }
        for field in [
            &mut water.roughness,
            &mut water.normal_strength,
            &mut water.level,
            &mut water.half_extent,
            &mut water.stretch,
            &mut water.blend,
            &mut water.resolution,
            &mut water.quad_size,
            &mut water.deviation,
            &mut water.foam_turn,
            &mut water.sea_depth,
        ] {
            *field = pair().x;
        }
        for field in [
            &mut water.latest,
            &mut water.cascade_count,
            &mut water.quads,
            &mut water.rings,
            &mut water.mesh_mode,
            &mut water.lines,
        ] {
            *field = pair().x as u32 + 100_000;
        }
        water
    }

    #[test]
    fn both_sides_lay_the_struct_out_alike() {
        let water = numbered();
        let mut buffer = UniformBuffer::new(Vec::new());
        buffer.write(&water).expect("a struct of numbers can be written");
        let bytes = buffer.into_inner();
        let module = module();
        let (members, span) = members(&module, "Water");
        assert_eq!(span as usize, bytes.len());

        let WaterUniform {
            cascades,
            water_color,
            roughness,
            foam_color,
            normal_strength,
            extinction,
            level,
            origin,
            half_extent,
            stretch,
            grid_center,
            grid_x,
            grid_z,
            foam_origin,
            blend,
            latest,
            cascade_count,
            resolution,
            quad_size,
            quads,
            rings,
            mesh_mode,
            lines,
            deviation,
            foam_turn,
            sea_depth,
        } = water;
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let expected = [
            ("water_color", bits(&water_color.to_array())),
            ("roughness", bits(&[roughness])),
            ("foam_color", bits(&foam_color.to_array())),
            ("normal_strength", bits(&[normal_strength])),
            ("extinction", bits(&extinction.to_array())),
            ("level", bits(&[level])),
            ("origin", bits(&origin.to_array())),
            ("half_extent", bits(&[half_extent])),
            ("stretch", bits(&[stretch])),
            ("grid_center", bits(&grid_center.to_array())),
            ("grid_x", bits(&grid_x.to_array())),
            ("grid_z", bits(&grid_z.to_array())),
            ("foam_origin", bits(&foam_origin.to_array())),
            ("blend", bits(&[blend])),
            ("latest", vec![latest]),
            ("cascade_count", vec![cascade_count]),
            ("resolution", bits(&[resolution])),
            ("quad_size", bits(&[quad_size])),
            ("quads", vec![quads]),
            ("rings", vec![rings]),
            ("mesh_mode", vec![mesh_mode]),
            ("lines", vec![lines]),
            ("deviation", bits(&[deviation])),
            ("foam_turn", bits(&[foam_turn])),
            ("sea_depth", bits(&[sea_depth])),
        ];
        assert_eq!(members.len(), expected.len() + 1, "a member is on one side only");
        for (name, expected) in expected {
            assert_eq!(words(&bytes, offset(members, name), expected.len()), expected, "{name}");
        }
        let (of_cascade, stride) = self::members(&module, "WaterCascade");
        assert_eq!(of_cascade.len(), 6);
        for (index, cascade) in cascades.iter().enumerate() {
            let base = offset(members, "cascades") + index * stride as usize;
            for (name, expected) in [
                ("inverse_tile", bits(&cascade.inverse_tile.to_array())),
                ("phase", bits(&cascade.phase.to_array())),
                ("displacement_scale", bits(&[cascade.displacement_scale])),
                ("normal_scale", bits(&[cascade.normal_scale])),
                ("texel", bits(&[cascade.texel])),
                ("deviation", bits(&[cascade.deviation])),
            ] {
                assert_eq!(words(&bytes, base + offset(of_cascade, name), expected.len()), expected, "{index}: {name}");
            }
        }
    }

    #[test]
    fn the_phase_is_exact_far_from_the_origin() {
        let surface = WaterSurface::from(Preset::Ocean);
        let timeline = Timeline::new(&surface);
        let deviations = deviations(&surface.sea, 128);
        let at = |origin: DVec2| {
            let placement =
                Placement { transform: GlobalTransform::IDENTITY, origin, half_extent: 1024.0, lattice: (0.25, 256, 5) };
            WaterUniform::new(&surface, &timeline, &deviations, placement).cascades
        };
        // 88, 57 and 16 m tiles: 100,320 m are whole numbers of all three.
        let (here, there) = (at(DVec2::new(256.0, -512.0)), at(DVec2::new(256.0 + 100_320.0, -512.0 - 100_320.0)));
        for (here, there) in here.iter().zip(&there) {
            assert!((here.phase - there.phase).abs().max_element() < 1e-6, "{here:?} {there:?}");
        }
    }

    #[test]
    fn a_place_on_the_water_keeps_its_foam() {
        // Where the water rests, from the origin, and what carries it: the same water from another origin, and after the current has carried it on, has the same place in the pattern.
        let place = |world: DVec2, origin: DVec2, drift: DVec2| {
            let rest = (world - origin).as_vec2();
            (rest + foam_origin(origin, drift)).as_dvec2().rem_euclid(DVec2::splat(FOAM_PERIOD))
        };
        let apart = |a: DVec2, b: DVec2| {
            let apart = (a - b).abs();
            apart.min(FOAM_PERIOD - apart).max_element()
        };
        let step = crate::mesh::ClipmapDimensions::new(5, 160, 0.35).origin_step();
        for water in [DVec2::new(3.25, -70.5), DVec2::new(1e5 + 0.125, -4e4)] {
            let camera = (water / step).round() * step;
            let here = place(water, camera, DVec2::ZERO);
            for jump in [DVec2::new(step, 0.0), DVec2::new(-step, 2.0 * step), DVec2::splat(256.0)] {
                assert!(apart(here, place(water, camera + jump, DVec2::ZERO)) < 1e-3, "{water}: the origin jumps by {jump}");
            }
            for drift in [DVec2::new(0.7, -0.3), DVec2::new(5000.3, 1e4)] {
                let carried = place(water + drift, camera + (drift / step).round() * step, drift);
                assert!(apart(here, carried) < 1e-3, "{water}: carried by {drift}");
            }
        }
    }

    #[test]
    fn the_foam_moves_on_evenly_whatever_the_clocks_do() {
        let mut surface = WaterSurface { updates_per_second: 0.0, ..WaterSurface::from(Preset::Ocean) };
        surface.sea.cascades[0].time_scale = 0.0;
        let mut timeline = Timeline::new(&surface);
        let turn = |timeline: &Timeline, surface: &WaterSurface| {
            let placement = Placement {
                transform: GlobalTransform::IDENTITY,
                origin: DVec2::ZERO,
                half_extent: 1024.0,
                lattice: (0.25, 256, 5),
            };
            WaterUniform::new(surface, timeline, &[0.0; MAX_CASCADES], placement).foam_turn
        };
        let mut before = turn(&timeline, &surface);
        // More than two of the foam's periods, an hour, and no moment at which it starts again from elsewhere.
        for frame in 0..40_000 {
            surface.sea.cascades[0].time_scale = (frame % 3) as f32;
            timeline.advance(&surface, WaterFrame { seconds: 0.1, at_once: false });
            let now = turn(&timeline, &surface);
            let moved = f64::from(now - before).rem_euclid(1.0) * FOAM_SECONDS;
            assert!((moved - 0.1).abs() < 1e-3, "frame {frame}: {moved} s");
            before = now;
        }
    }

    #[test]
    fn the_shader_repeats_where_it_is_told_that_it_does() {
        let source = include_str!("../../../shaders/water/foam.wgsl");
        assert!(source.contains(&format!("const PERIOD: f32 = {FOAM_PERIOD:?};")));
        assert!(source.contains(&format!("const ROUNDS: f32 = {:?};", FOAM_SECONDS / std::f64::consts::TAU)));
        // Cells in a period are whole numbers, and each lattice is wrapped at its own.
        for call in source.split("noise_at(position, ").skip(1) {
            let cells: f32 = call.split(',').next().and_then(|cells| cells.parse().ok()).expect("a number of cells");
            assert_eq!(cells.fract(), 0.0);
        }
        for call in source.split("/ PERIOD), ").skip(1) {
            let cells = call.split(',').next().expect("a number of cells");
            assert!(source.contains(&format!("({cells} / PERIOD), {cells}, turn")), "{cells}");
            assert_eq!(cells.parse::<f32>().expect("a number").fract(), 0.0);
        }
    }

    #[test]
    fn the_deviation_is_a_quarter_of_the_significant_height() {
        for preset in Preset::ALL {
            let sea = preset.sea_state();
            let height = statistics::significant_wave_height(&sea, 256) as f32;
            let deviation = total_deviation(&deviations(&sea, 512));
            assert!((4.0 * deviation - height).abs() < 0.03 * height + 1e-4, "{preset:?}: {height} m, {}", 4.0 * deviation);
        }
    }
}
