//! The main world's half in an app without a renderer, for tests.

use crate::OceanPlugin;
use crate::diagnostics::WaterDiagnostics;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use ocean::SeaState;
use std::time::Duration;

/// Seconds of a frame.
pub const FRAME: f64 = 0.02;

/// An app with the water's plugin. Its frames are 20 ms long, and on one thread: counters may be a thread's.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .init_asset::<Mesh>()
        .init_asset::<Image>()
        .init_asset::<Shader>()
        .add_plugins(OceanPlugin)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.finish();
    app.cleanup();
    app
}

/// Lets so many seconds pass.
pub fn run(app: &mut App, seconds: f64) {
    for _ in 0..(seconds / FRAME).round() as u32 {
        app.update();
    }
}

/// The same in frames of a fifth of a second, for what takes its time.
pub fn run_long(app: &mut App, seconds: u32) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(200)));
    for _ in 0..5 * seconds {
        app.update();
    }
}

/// The only surface's sea, as drawn.
pub fn sea(app: &App) -> SeaState {
    let surfaces = &app.world().resource::<WaterDiagnostics>().surfaces;
    assert_eq!(surfaces.len(), 1);
    surfaces[0].sea.clone()
}
