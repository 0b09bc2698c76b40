//! The render world's half: the oceans on Bevy's device.
//!
//! Each frame the main world says what each surface wants ([`ExtractedWater`]) and this does it: [`Oceans::sync`] makes, resizes and frees what is on the GPU before the
//! materials are prepared, and [`simulate`] records the updates in front of every camera, once, whatever the number of cameras. What came of it goes back through [`Feedback`].

mod feedback;
mod ocean;
mod order;
mod refusals;
mod spray;
mod timing;

pub use feedback::{Feedback, Report};
pub use ocean::Oceans;
pub(crate) use ocean::has_history;
pub use timing::GpuTimes;

use crate::material::WaterMaterial;
use crate::spray::SprayUniform;
use crate::surface::WaterSurface;
use crate::time::Step;
use crate::uniform::WaterUniform;
use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy::core_pipeline::schedule::{Core3d, camera_driver};
use bevy::pbr::{MeshMaterial3d, ViewTransmissionTexture, main_transmissive_pass_3d};
use bevy::prelude::*;
use bevy::render::erased_render_asset::prepare_erased_assets;
use bevy::render::render_resource::PipelineCache;
use bevy::render::renderer::{RenderContext, RenderDevice, RenderGraph, RenderQueue};
use bevy::render::sync_world::MainEntity;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderStartup, RenderSystems};
use spray::SprayPipelines;
use std::sync::Arc;
use timing::{GpuTimer, Section};

/// What one surface wants of this frame.
pub struct ExtractedWater {
    pub surface: MainEntity,
    /// Admitted.
    pub settings: WaterSurface,
    pub step: Option<Step>,
    pub uniform: WaterUniform,
    pub spray: Option<SprayUniform>,
    pub feedback: Arc<Feedback>,
}

/// What all of them want.
#[derive(Resource, Default)]
pub(crate) struct ExtractedWaters(pub Vec<ExtractedWater>);

/// How many devices have been drawn on, one after the other. In both worlds: the render world counts, the main world is told.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Devices(pub u32);

pub(crate) fn build(app: &mut App) {
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
    render_app
        .init_resource::<ExtractedWaters>()
        .init_resource::<Devices>()
        .add_systems(RenderStartup, start)
        .add_systems(ExtractSchedule, extract)
        .add_systems(
            Render,
            sync.in_set(RenderSystems::PrepareAssets).before(prepare_erased_assets::<MeshMaterial3d<WaterMaterial>>),
        )
        .add_systems(RenderGraph, simulate.before(camera_driver))
        .add_systems(
            Core3d,
            (
                timing::before_water.after(main_opaque_pass_3d).before(main_transmissive_pass_3d),
                timing::after_water.after(main_transmissive_pass_3d).before(main_transparent_pass_3d),
            ),
        );
}

pub(crate) fn finish(app: &mut App) {
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        // Without a sky there is nothing to order, but Bevy's plugins bring one.
        if order::draw_the_sky_after_the_water(render_app) == 0 {
            warn!(
                "Bevy's sky pass was not found: the far sea may be drawn without haze. Fix: add OceanPlugin after the plugins that draw, with Bevy 0.19"
            );
        }
    }
}

/// Also after a lost device, when everything on it is gone.
fn start(
    mut commands: Commands,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    pipelines: Res<PipelineCache>,
    views: Query<Entity, With<ViewTransmissionTexture>>,
    mut devices: ResMut<Devices>,
) {
    devices.0 += 1;
    // Bevy replaces a view's copy of the scene behind the water only in frames that draw something transmissive, and binds the one that is there in all others: in the first frames on
    // a new device, whose pipelines are not compiled yet, that would be one of the lost device's.
    for view in &views {
        commands.entity(view).remove::<ViewTransmissionTexture>();
    }
    commands.insert_resource(SprayPipelines::new(&pipelines));
    commands.insert_resource(Oceans::new(&device, &queue));
    commands.insert_resource(GpuTimer::new(device.wgpu_device(), queue.get_timestamp_period()));
}

fn extract(mut waters: ResMut<ExtractedWaters>, mut main: ResMut<MainWorld>, devices: Res<Devices>) {
    waters.0 = crate::water::extracted(&mut main);
    main.resource_mut::<Devices>().set_if_neq(*devices);
}

fn sync(mut oceans: ResMut<Oceans>, waters: Res<ExtractedWaters>) {
    oceans.sync(&waters.0);
}

fn simulate(
    mut oceans: ResMut<Oceans>,
    mut waters: ResMut<ExtractedWaters>,
    mut timer: ResMut<GpuTimer>,
    queue: Res<RenderQueue>,
    spray: Res<SprayPipelines>,
    pipelines: Res<PipelineCache>,
    mut context: RenderContext,
) {
    timer.read_back(&waters.0);
    let encoder = context.command_encoder();
    timer.begin_frame(encoder);
    // The steps are taken: a frame that is rendered twice is not simulated twice.
    let step = |water: &mut ExtractedWater| oceans.step(water, encoder).then_some(water.surface);
    let stepped: Vec<_> = waters.0.iter_mut().filter_map(step).collect();
    if !stepped.is_empty() {
        {
            let mut pass = timer.compute_pass(encoder, "ocean", Section::Simulation);
            stepped.iter().for_each(|surface| oceans.encode(*surface, &mut pass));
        }
        let mut pass = timer.compute_pass(encoder, "ocean mips", Section::Mips);
        stepped.iter().for_each(|surface| oceans.encode_mips(*surface, &mut pass));
    }
    for water in &waters.0 {
        oceans.tell(water, &queue);
    }
    spray::encode(&mut oceans, &waters.0, &spray, &pipelines, &queue, &mut timer, encoder);
}
