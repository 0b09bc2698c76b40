//! What [`OceanPlugin`] puts into an app.

use crate::camera::{self, MainView, NoWaterRefraction};
use crate::diagnostics::{self, WaterDiagnostics, WaterView};
use crate::field::{self, WaterHeights};
use crate::material::WaterMaterial;
use crate::render::Devices;
use crate::surface::WaterSurface;
use crate::time::{self, WaterFrame, WaterTime};
use crate::wind::{self, SeaWind, WorldWind};
use crate::{map_view, render, shaders, spray, water};
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;

/// Draws every [`WaterSurface`]. Needs Bevy's `DefaultPlugins`, or those of them that draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct OceanPlugin;

/// Where the water is in a frame: after the game has moved things, before they are drawn.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OceanSystems {
    /// Surfaces follow their component, and time. In `PostUpdate`, before transforms are propagated.
    Advance,
    /// The shaders are told, and fields are computed. In `PostUpdate`, after that.
    Describe,
}

impl Plugin for OceanPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((MaterialPlugin::<WaterMaterial>::default(), map_view::plugin, spray::plugin))
            .register_type::<WaterSurface>()
            .register_type::<WaterTime>()
            .register_type::<WorldWind>()
            .register_type::<WaterView>()
            .register_type::<WaterHeights>()
            .register_type::<NoWaterRefraction>()
            .init_resource::<WaterTime>()
            .init_resource::<WaterFrame>()
            .init_resource::<SeaWind>()
            .init_resource::<WaterView>()
            .init_resource::<WaterDiagnostics>()
            .init_resource::<MainView>()
            .init_resource::<Devices>()
            .configure_sets(
                PostUpdate,
                (
                    OceanSystems::Advance.before(TransformSystems::Propagate),
                    OceanSystems::Describe.after(TransformSystems::Propagate),
                ),
            )
            .add_observer(water::on_remove)
            .add_systems(
                PostUpdate,
                (
                    (
                        time::begin_frame,
                        wind::follow,
                        water::forget_lost_meshes,
                        water::follow_components,
                        water::follow_wind,
                        water::cut_tiles,
                        water::follow_layers,
                        water::refresh_materials,
                        spray::follow_budgets,
                        water::advance,
                        field::follow_marks,
                        camera::ask_for_depth,
                        diagnostics::report,
                    )
                        .chain()
                        .in_set(OceanSystems::Advance),
                    (camera::find_main_view, water::describe, field::follow_time).chain().in_set(OceanSystems::Describe),
                    camera::cull_tiles
                        .after(VisibilitySystems::CheckVisibility)
                        .after(OceanSystems::Describe)
                        .before(VisibilitySystems::MarkNewlyHiddenEntitiesInvisible),
                ),
            );
        shaders::insert(app);
        render::build(app);
    }

    fn finish(&self, app: &mut App) {
        render::finish(app);
    }
}
