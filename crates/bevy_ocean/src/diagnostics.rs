//! What can be looked into: lines and maps on screen, and figures for a read-out.

use crate::geometry::Geometry;
use crate::render::GpuTimes;
use crate::water::Water;
use bevy::prelude::*;
use ocean::SeaState;

/// What is shown of the water besides itself, for every surface.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Default)]
pub struct WaterView {
    /// Draws the edges of the triangles on the water.
    pub lines: bool,
    /// Lays one of the maps over the picture.
    pub map: MapView,
    /// Which cascade's map; beyond the last one it is the last one's.
    pub cascade: u32,
}

/// One of the maps, as a picture of a whole tile.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapView {
    /// None.
    #[default]
    None,
    /// Displacement: x, height, z as red, green, blue around grey.
    Displacement,
    /// Slopes along x and z as red and green around grey.
    Slopes,
    /// The Jacobian: grey is 1, darker where the surface is pressed together, red where it folds.
    Jacobian,
    /// Foam, white.
    Foam,
}

impl MapView {
    /// All of them, in the order of a key that goes around.
    pub const ALL: [Self; 5] = [Self::None, Self::Displacement, Self::Slopes, Self::Jacobian, Self::Foam];

    /// The one after.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

/// What there is of the water, renewed every frame; what is on the GPU a frame or two late.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct WaterDiagnostics {
    /// The surfaces, in no particular order.
    pub surfaces: Vec<SurfaceReport>,
    /// GPU times, where the device has timestamps, once the first have come.
    pub gpu_ms: Option<GpuTimes>,
}

/// What there is of one surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceReport {
    /// The surface.
    pub entity: Entity,
    /// The sea that is drawn: the authored one in the wind that there is ([`WorldWind`](crate::WorldWind)).
    pub sea: SeaState,
    /// Points along an edge of the maps that are simulated; what was asked for if that could be had.
    pub resolution: u32,
    /// Cascades that are simulated.
    pub cascades: u32,
    /// Bytes of the maps and their mip levels.
    pub map_bytes: u64,
    /// All bytes of the sea on the GPU, the maps among them.
    pub gpu_bytes: u64,
    /// Bytes of workgroup memory that the larger of the two transforms takes, and that every WebGPU device allows.
    pub workgroup_bytes: (u32, u32),
    /// Triangles of the mesh, before culling.
    pub triangles: u32,
    /// Why it is not as it was asked for.
    pub error: Option<String>,
}

pub(crate) fn report(mut diagnostics: ResMut<WaterDiagnostics>, waters: Query<(Entity, &Water)>) {
    let mut gpu_ms = None;
    let surfaces = waters
        .iter()
        .map(|(entity, water)| {
            let report = water.feedback.report();
            gpu_ms = gpu_ms.or(report.times);
            SurfaceReport {
                entity,
                sea: water.settings.sea.clone(),
                resolution: report.resolution,
                cascades: report.cascades,
                map_bytes: report.map_bytes,
                gpu_bytes: report.gpu_bytes,
                workgroup_bytes: report.workgroup_bytes,
                triangles: water.geometry.as_ref().map_or(0, Geometry::triangles),
                error: report.error,
            }
        })
        .collect();
    diagnostics.set_if_neq(WaterDiagnostics { surfaces, gpu_ms });
}
