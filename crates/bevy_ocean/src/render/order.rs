//! The sky after the water.
//!
//! Bevy draws its atmosphere somewhere between the opaque and the transparent pass, unordered against the transmissive pass that draws the water. It lays haze over what
//! the depth buffer holds, so it has to come after the water, or the sea would have no haze and would meet the sky in a line.
//!
//! Its system is private, so it cannot be named in an ordering; but what orders it can: whatever is placed after the opaque and before the transparent pass, and is not a pass
//! of ours or Bevy's transmissive one, is placed after the transmissive pass too.

use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy::core_pipeline::schedule::Core3d;
use bevy::ecs::schedule::graph::Direction;
use bevy::ecs::schedule::{InternedSystemSet, IntoScheduleConfigs, IntoSystemSet, NodeId, Schedule, Schedules, SystemSet};
use bevy::pbr::main_transmissive_pass_3d;
use bevy::prelude::*;

use super::timing::{after_water, before_water};

/// A place in the schedule between the water and what goes over it.
fn water_is_drawn() {}

/// Call it when all plugins are built. Returns how many systems it has ordered.
pub(super) fn draw_the_sky_after_the_water(app: &mut SubApp) -> usize {
    let core_3d = app.world().get_resource::<Schedules>().and_then(|schedules| schedules.get(Core3d));
    let sets = core_3d.map(drawn_over_the_opaque_world).unwrap_or_default();
    for set in &sets {
        app.add_systems(Core3d, water_is_drawn.after(main_transmissive_pass_3d).after(after_water).before(*set));
    }
    sets.len()
}

/// The systems that are placed after the opaque and before the transparent pass, each as the set that it alone is in.
fn drawn_over_the_opaque_world(core_3d: &Schedule) -> Vec<InternedSystemSet> {
    let graph = core_3d.graph();
    let node = |set: InternedSystemSet| graph.system_sets.get_key(set).map(NodeId::Set);
    let (Some(opaque), Some(transparent)) =
        (node(main_opaque_pass_3d.into_system_set().intern()), node(main_transparent_pass_3d.into_system_set().intern()))
    else {
        return Vec::new();
    };
    let ours = [
        main_transmissive_pass_3d.into_system_set().intern(),
        before_water.into_system_set().intern(),
        after_water.into_system_set().intern(),
    ];
    let order = graph.dependency().graph();
    order
        .neighbors_directed(opaque, Direction::Outgoing)
        .filter(|node| order.contains_edge(*node, transparent))
        .filter_map(|node| match node {
            NodeId::System(key) => graph.systems.get(key)?.system().default_system_sets().first().copied(),
            NodeId::Set(_) => None,
        })
        .filter(|set| !ours.contains(set))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::log::LogPlugin;
    use bevy::render::RenderApp;
    use bevy::window::ExitCondition;
    use bevy::winit::WinitPlugin;

    fn a_sky() {}

    /// A render world that has the passes, and what else is said.
    fn passes(add: impl FnOnce(&mut SubApp)) -> SubApp {
        let mut app = SubApp::new();
        app.init_resource::<Schedules>();
        app.add_systems(
            Core3d,
            (main_opaque_pass_3d, main_transmissive_pass_3d, main_transparent_pass_3d).chain_ignore_deferred(),
        );
        add(&mut app);
        app
    }

    #[test]
    fn what_is_drawn_over_the_opaque_world_is_drawn_over_the_water() {
        let sky = |app: &mut SubApp| {
            app.add_systems(Core3d, a_sky.after(main_opaque_pass_3d).before(main_transparent_pass_3d));
        };
        assert_eq!(draw_the_sky_after_the_water(&mut passes(sky)), 1);
        assert_eq!(draw_the_sky_after_the_water(&mut passes(|_| {})), 0);
        let late = |app: &mut SubApp| {
            app.add_systems(Core3d, a_sky.after(main_transparent_pass_3d));
        };
        assert_eq!(draw_the_sky_after_the_water(&mut passes(late)), 0, "it comes after the water as it is");
    }

    /// Needs a GPU adapter, as Bevy adds its sky only where it can draw; a software one will do.
    #[test]
    fn bevys_sky_is_found() {
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                .disable::<WinitPlugin>()
                .disable::<LogPlugin>(),
        )
        .add_plugins(crate::OceanPlugin);
        app.finish();
        let render_app = app.get_sub_app_mut(RenderApp).expect("there is a GPU adapter");
        assert!(draw_the_sky_after_the_water(render_app) >= 1);
    }
}
