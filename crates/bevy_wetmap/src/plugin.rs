//! The plugin: the settings resource, and one system that uploads a budget of dirty canvases a frame.

use crate::canvas::WetCanvas;
use crate::model::WetSettings;
use bevy::ecs::entity::EntityHashMap;
use bevy::image::Image;
use bevy::prelude::*;

/// Adds [`WetSettings`] and the upload budget on `Update`. Registers nothing else: the tick is yours, from your own schedule.
#[derive(Clone, Copy, Debug, Default)]
pub struct WetmapPlugin;

/// The one system [`WetmapPlugin`] adds, so that you can order against it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WetmapSystems;

impl Plugin for WetmapPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WetSettings>().add_systems(Update, upload_oldest.in_set(WetmapSystems));
    }
}

/// When a dirty canvas was first seen by the upload, and the tick number it gave then.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    frame: u64,
    dirty_since: u32,
}

/// Uploads the oldest dirty canvases, at most `max_canvas_updates_per_tick` of them, ties by [`Entity`].
///
/// Who has waited longest is counted in frames of this system first and by tick number second. With a tick number that only grows
/// the order is that of the tick numbers; with one that repeats, wraps or starts again, a canvas still cannot be overtaken for ever.
///
/// A canvas that cannot be written (its image is gone or resized) costs nothing of the budget, so that it cannot starve the others;
/// it stays dirty and is tried again next frame.
fn upload_oldest(
    settings: Option<Res<WetSettings>>,
    images: Option<ResMut<Assets<Image>>>,
    mut canvases: Query<(Entity, &mut WetCanvas)>,
    mut waiting: Local<EntityHashMap<Waiting>>,
    mut queue: Local<Vec<(u64, u32, Entity)>>,
    mut frame: Local<u64>,
) {
    let (Some(settings), Some(mut images)) = (settings, images) else {
        return;
    };
    *frame += 1;
    queue.clear();
    queue.extend(canvases.iter().filter_map(|(entity, canvas)| {
        let dirty_since = canvas.dirty_since()?;
        let known = waiting.get(&entity).filter(|known| known.dirty_since == dirty_since);
        Some((known.map_or(*frame, |known| known.frame), dirty_since, entity))
    }));
    queue.sort_unstable();
    let mut budget = settings.max_canvas_updates_per_tick;
    waiting.clear();
    for &(frame, dirty_since, entity) in queue.iter() {
        let written = budget > 0 && canvases.get_mut(entity).is_ok_and(|(_, canvas)| flush(canvas, &mut images));
        if written {
            budget -= 1;
        } else {
            waiting.insert(entity, Waiting { frame, dirty_since });
        }
    }
}

/// Flushes a canvas, and marks the component changed only if that wrote something.
fn flush(mut canvas: Mut<WetCanvas>, images: &mut Assets<Image>) -> bool {
    let written = canvas.bypass_change_detection().flush(images);
    if written {
        canvas.set_changed();
    }
    written
}
