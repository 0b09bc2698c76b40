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

/// Who is uploaded first: the canvases that wait, and since when.
///
/// Who has waited longest is counted in frames of this queue first and by tick number second. With a tick number that only grows
/// the order is that of the tick numbers; with one that repeats, wraps or starts again, a canvas still cannot be overtaken for ever.
#[derive(Debug, Default)]
struct Queue {
    frame: u64,
    waiting: EntityHashMap<Waiting>,
    order: Vec<(u64, u32, Entity)>,
}

impl Queue {
    /// One frame: from who is dirty since which tick, at most `budget` that `upload` takes, the one that waited longest first. Whoever it does not take
    /// costs nothing of the budget and goes on waiting.
    fn serve(&mut self, dirty: impl Iterator<Item = (Entity, u32)>, mut budget: u32, mut upload: impl FnMut(Entity) -> bool) {
        let Self { frame, waiting, order } = self;
        *frame += 1;
        order.clear();
        order.extend(dirty.map(|(entity, dirty_since)| {
            let known = waiting.get(&entity).filter(|known| known.dirty_since == dirty_since);
            (known.map_or(*frame, |known| known.frame), dirty_since, entity)
        }));
        order.sort_unstable();
        waiting.clear();
        for &(frame, dirty_since, entity) in order.iter() {
            if budget > 0 && upload(entity) {
                budget -= 1;
            } else {
                waiting.insert(entity, Waiting { frame, dirty_since });
            }
        }
    }
}

/// Uploads the oldest dirty canvases, at most `max_canvas_updates_per_tick` of them, ties by [`Entity`].
///
/// A canvas that cannot be written (its image is gone or resized) costs nothing of the budget, so that it cannot starve the others;
/// it stays dirty and is tried again next frame.
fn upload_oldest(
    settings: Option<Res<WetSettings>>,
    images: Option<ResMut<Assets<Image>>>,
    mut canvases: Query<(Entity, &mut WetCanvas)>,
    mut queue: Local<Queue>,
    mut dirty: Local<Vec<(Entity, u32)>>,
) {
    let (Some(settings), Some(mut images)) = (settings, images) else {
        return;
    };
    dirty.clear();
    dirty.extend(canvases.iter().filter_map(|(entity, canvas)| Some((entity, canvas.dirty_since()?))));
    queue.serve(dirty.iter().copied(), settings.max_canvas_updates_per_tick, |entity| {
        canvases.get_mut(entity).is_ok_and(|(_, canvas)| flush(canvas, &mut images))
    });
}

/// Flushes a canvas, and marks the component changed only if that wrote something. Returns whether it was served: to find that there is nothing to
/// write takes its time too, and so counts.
fn flush(mut canvas: Mut<WetCanvas>, images: &mut Assets<Image>) -> bool {
    let unmarked = canvas.bypass_change_detection();
    let written = unmarked.flush(images);
    let served = !unmarked.is_dirty();
    if written {
        canvas.set_changed();
    }
    served
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloodstain::hash_f32;

    /// A thousand canvases, painted on at random with a tick number that wraps, for a hundred thousand frames.
    #[test]
    fn nobody_waits_longer_than_all_who_are_dirty_take() {
        const BUDGET: u32 = 4;
        const START: u32 = u32::MAX - 50_000;
        let entities: Vec<_> = (0..1000).filter_map(Entity::from_raw_u32).collect();
        let index_of: EntityHashMap<usize> = entities.iter().copied().zip(0..).collect();
        let mut queue = Queue::default();
        // Since which frame each is dirty, and the last frame in which it is to be served.
        let mut dirty: Vec<Option<(u32, u32)>> = vec![None; entities.len()];
        let (mut waiting, mut served, mut longest) = (0, 0, 0);
        for frame in 0..100_000u32 {
            // Bursts that fill the queue, and lulls in which it runs dry.
            let painted = if frame / 400 % 2 == 0 { 7 } else { 1 };
            let mut fresh = Vec::new();
            for hit in 0..painted {
                let chance = hash_f32(frame.wrapping_mul(0x9E37_79B9) ^ (hit * 0x05EB_CA6B));
                let index = (chance * 999.0) as usize;
                if dirty[index].is_none() {
                    dirty[index] = Some((frame, 0));
                    fresh.push(index);
                }
            }
            waiting += fresh.len() as u32;
            for index in fresh {
                dirty[index] = Some((frame, frame + waiting.div_ceil(BUDGET) - 1));
            }
            let since = |canvas: (u32, u32)| START.wrapping_add(canvas.0);
            let all: Vec<_> =
                entities.iter().zip(&dirty).filter_map(|(entity, canvas)| Some((*entity, since((*canvas)?)))).collect();
            let mut taken = 0;
            queue.serve(all.into_iter(), BUDGET, |entity| {
                let (since, latest) = dirty[index_of[&entity]].take().expect("who is served was dirty");
                assert!(frame <= latest, "frame {frame}: dirty since {since}, to be served by {latest}");
                longest = longest.max(frame - since);
                taken += 1;
                true
            });
            assert_eq!(taken, BUDGET.min(waiting), "the whole budget is spent");
            waiting -= taken;
            served += taken;
        }
        assert!(served > 100_000 && longest > 100, "{served} served, {longest} frames the longest wait: too easy");
    }
}
