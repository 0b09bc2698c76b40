//! Sea spray: droplets that are thrown from the crests that break, on the GPU from birth to picture.
//!
//! Each frame one dispatch looks at the sea around the main camera and writes down where waves break, and a second moves the droplets and throws new ones from those places
//! (`shaders/water/spray.wgsl`, recorded by `render::spray`). They are drawn as one mesh of as many squares in the transparent phase, where the water's depth hides what is
//! behind a wave. The budget is [`WaterSurface::spray_particles`]; without spray there is no buffer, no dispatch and no mesh.

mod material;

pub use material::SprayMaterial;
pub(crate) use material::{DRAW_SHADER, SIMULATION_SHADER};

use crate::camera::MainView;
use crate::surface::WaterSurface;
use crate::water::Water;
use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::NotShadowCaster;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use bevy::render::sync_world::MainEntity;
use ocean::SeaState;
use ocean::sea_state::MAX_CASCADES;

/// How far from the camera spray is made, m.
const REACH: f32 = 70.0;

/// Seconds that a droplet lives, in the mean: how fast places come free.
const MEAN_LIFE: f32 = 1.05;

/// A Jacobian that no wave reaches.
const NEVER: f32 = -1e9;

/// `Spray` of `spray_types.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct SprayUniform {
    pub breaks_below: [Vec4; 2],
    pub wind: Vec2,
    pub camera: Vec2,
    pub current: Vec2,
    pub reach: f32,
    pub seconds: f32,
    pub update_seconds: f32,
    pub births: u32,
    pub count: u32,
    pub frame: u32,
}

/// Bytes of `Droplet` of `spray_types.wgsl`.
pub(crate) const DROPLET_BYTES: u64 = 32;

/// What is drawn of a surface's spray.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct SprayMesh {
    surface: Entity,
    count: u32,
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(MaterialPlugin::<SprayMaterial>::default());
}

/// Droplets that a surface may have; 0 without spray.
pub(crate) fn budget(surface: &WaterSurface) -> u32 {
    if surface.enable_sea_spray { surface.spray_particles } else { 0 }
}

/// Makes, changes and takes away what draws the spray.
pub(crate) fn follow_budgets(
    mut commands: Commands,
    waters: Query<(Entity, &Water, Option<&RenderLayers>)>,
    sprays: Query<(Entity, &SprayMesh)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SprayMaterial>>,
) {
    for (entity, spray) in &sprays {
        let wanted = waters.get(spray.surface).map_or(0, |(_, water, _)| budget(&water.settings));
        if wanted != spray.count {
            commands.entity(entity).try_despawn();
        }
    }
    for (surface, water, layers) in &waters {
        let count = budget(&water.settings);
        if count == 0 || sprays.iter().any(|(_, spray)| spray.surface == surface && spray.count == count) {
            continue;
        }
        let mesh = Mesh3d(meshes.add(squares(count)));
        let material = MeshMaterial3d(materials.add(SprayMaterial { surface: MainEntity::from(surface) }));
        let layers = layers.cloned().unwrap_or_default();
        commands.spawn((
            SprayMesh { surface, count },
            mesh,
            material,
            layers,
            NoFrustumCulling,
            NotShadowCaster,
            ChildOf(surface),
        ));
    }
}

/// As many squares: each vertex has its corner, −1 to 1, and its droplet's number.
fn squares(count: u32) -> Mesh {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let positions: Vec<[f32; 3]> = (0..count).flat_map(|index| corners.map(|[x, y]| [x, y, index as f32])).collect();
    let indices = (0..count).flat_map(|index| [0, 1, 2, 0, 2, 3].map(|corner| 4 * index + corner)).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices))
}

/// What the spray of a surface is told this frame; nothing without spray.
pub(crate) fn told(water: &Water, view: &MainView, frame: u32) -> Option<SprayUniform> {
    let count = budget(&water.settings);
    (count > 0).then(|| {
        let seconds = water.moved as f32;
        let origin = water.geometry.as_ref().map_or(bevy::math::DVec2::ZERO, |geometry| geometry.origin(view.position_xz()));
        SprayUniform {
            breaks_below: breaks_below(&water.settings.sea),
            wind: wind(&water.settings.sea) * water.gust,
            camera: (view.position_xz() - origin).as_vec2(),
            current: water.settings.current().as_vec2(),
            reach: REACH,
            seconds,
            update_seconds: water.timeline.last_step() as f32,
            // What dies is replaced; never more at once than a tenth of a second's worth.
            births: (count as f32 * seconds.min(0.1) / MEAN_LIFE).ceil() as u32,
            count,
            frame,
        }
    })
}

/// Below which Jacobian each cascade breaks: where its foam grows.
fn breaks_below(sea: &SeaState) -> [Vec4; 2] {
    let limit = |index: usize| {
        let cascade = sea.cascades.get(index).filter(|cascade| cascade.displacement_scale != 0.0 && cascade.foam_amount > 0.0);
        cascade.map_or(NEVER, |cascade| 1.0 - cascade.whitecap)
    };
    let limits: [f32; MAX_CASCADES] = std::array::from_fn(limit);
    let [a, b, c, d, e, f, g, h] = limits;
    [Vec4::new(a, b, c, d), Vec4::new(e, f, g, h)]
}

/// The strongest of the cascades' winds, m/s.
fn wind(sea: &SeaState) -> Vec2 {
    let strongest = sea.cascades.iter().max_by(|a, b| a.wind_speed.total_cmp(&b.wind_speed));
    strongest.map_or(Vec2::ZERO, |cascade| cascade.wind_speed * Vec2::from_angle(cascade.wind_direction.to_radians()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::TypeInner;
    use ocean::Preset;

    #[test]
    fn the_two_sides_agree() {
        let source = include_str!("../../../../shaders/water/spray_types.wgsl")
            .replace("#define_import_path bevy_ocean::spray_types", "");
        let module = naga::front::wgsl::parse_str(
            &(source + "\n@group(0) @binding(0) var<uniform> a: Spray;\n@group(0) @binding(1) var<storage> b: array<Droplet>;"),
        )
        .expect("spray_types.wgsl parses");
        let size = |name: &str| {
            let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the struct is used").1;
            match &found.inner {
                TypeInner::Struct { span, members } => {
                    (u64::from(*span), members.iter().map(|m| m.name.clone().unwrap_or_default()).collect())
                }
                other => panic!("{other:?}"),
            }
        };
        let (bytes, members): (_, Vec<String>) = size("Spray");
        assert_eq!(bytes, SprayUniform::min_size().get());
        let ours =
            ["breaks_below", "wind", "camera", "current", "reach", "seconds", "update_seconds", "births", "count", "frame"];
        assert_eq!(members, ours);
        assert_eq!(size("Droplet").0, DROPLET_BYTES);
    }

    #[test]
    fn only_what_foams_and_is_drawn_breaks() {
        let [first, _] = breaks_below(&Preset::Ocean.sea_state());
        assert_eq!(first, Vec4::new(0.5, NEVER, NEVER, NEVER));
        let [lake, _] = breaks_below(&Preset::CalmLake.sea_state());
        assert!(lake.max_element() < -1e8, "nothing flies from a calm lake: {lake}");
    }

    #[test]
    fn without_spray_there_is_no_budget() {
        let on = WaterSurface { enable_sea_spray: true, spray_particles: 500, ..default() };
        assert_eq!(budget(&on), 500);
        assert_eq!(budget(&WaterSurface { enable_sea_spray: false, ..on }), 0);
        let mesh = squares(3);
        assert_eq!((mesh.count_vertices(), mesh.indices().map_or(0, Indices::len)), (12, 18));
    }
}
