//! Sends the GPU the rows that changed, and not both images whole.
//!
//! Bevy sends an image that was written to as one: 128 KiB for a canvas of 128², whatever has changed of it. It keeps the texture it has for that, so no bind group is made anew, and
//! [`WetCanvas::flush`] goes through it like any other writer. This plugin stands between the two in the render world: of an image that the GPU has already and that only a flush has
//! written to, it takes the whole copy out of Bevy's hands and writes the flushed rows. Everything else (a new image, another size, a device that was lost and has nothing any more, a texture
//! that cannot be written to) is left to Bevy, which finds all of the image's bytes where they always are.

use crate::canvas::{TEXEL_BYTES, WetCanvas};
use crate::model::Rows;
use bevy::asset::AssetId;
use bevy::ecs::query::QueryState;
use bevy::image::Image;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::render::render_asset::{AssetExtractionSystems, ExtractedAssets, RenderAssets, prepare_assets};
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, TextureUsages};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// Uploads by rows: add it beside [`WetmapPlugin`](crate::WetmapPlugin) in an app that draws, before or after `DefaultPlugins`. Without it, or in an app without a renderer, everything
/// works as it does with it, at the cost of whole images.
///
/// An image of a canvas that somebody else writes to is not sent again in a frame in which the canvas is flushed too; the canvas' images are the canvas' own.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowUploadPlugin;

/// The system in the render world that sends rows and takes the images that they are of out of [`ExtractedAssets`], so that you can order against it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowUploadSystems;

impl Plugin for RowUploadPlugin {
    fn build(&self, _: &mut App) {}

    /// Not in `build`: the renderer may be added after this.
    fn finish(&self, app: &mut App) {
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        let write = write.in_set(RowUploadSystems).in_set(RenderSystems::PrepareAssets).before(prepare_assets::<GpuImage>);
        render_app
            .init_resource::<Flushed>()
            .init_resource::<RowUploads>()
            .add_systems(ExtractSchedule, extract.after(AssetExtractionSystems))
            .add_systems(Render, write);
    }
}

/// What has been sent of the images of canvases so far. In the render world; for whoever wants to know what an upload costs.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowUploads {
    /// Images of which rows were sent, each time.
    pub images: u64,
    /// Rows of them.
    pub rows: u64,
    /// Bytes of those.
    pub bytes: u64,
    /// Images that were left to Bevy to send whole, each time: at first, to a new device, and where somebody else wrote to them.
    pub whole_images: u64,
    /// Bytes of those.
    pub whole_bytes: u64,
}

/// What is known of the images that canvases own.
#[derive(Resource, Default)]
struct Flushed {
    /// Rows that were flushed, until Bevy hands over the image that they are of.
    rows: HashMap<AssetId<Image>, Rows>,
    /// Of the images that Bevy hands over this frame, those of canvases.
    handed_over: HashSet<AssetId<Image>>,
}

fn extract(
    mut main: ResMut<MainWorld>,
    extracted: Res<ExtractedAssets<GpuImage>>,
    mut flushed: ResMut<Flushed>,
    mut canvases: Local<Option<QueryState<&'static mut WetCanvas>>>,
    mut all: Local<HashSet<AssetId<Image>>>,
) {
    let Flushed { rows, handed_over } = &mut *flushed;
    // An image that is gone will not be handed over; should it come back, it is sent whole.
    if !rows.is_empty()
        && let Some(images) = main.get_resource::<Assets<Image>>()
    {
        rows.retain(|image, _| images.contains(*image));
    }
    handed_over.clear();
    all.clear();
    all.extend(extracted.extracted.iter().map(|(id, _)| *id));
    let canvases = canvases.get_or_insert_with(|| main.query());
    for mut canvas in canvases.iter_mut(&mut main) {
        // Nobody's business in the main world.
        let canvas = canvas.bypass_change_detection();
        if !all.is_empty() {
            handed_over.extend(canvas.images().into_iter().filter(|image| all.contains(image)));
        }
        let Some(unsent) = canvas.take_unsent() else { continue };
        for image in canvas.images() {
            rows.entry(image).or_default().union(&unsent);
        }
    }
}

fn write(
    mut flushed: ResMut<Flushed>,
    mut extracted: ResMut<ExtractedAssets<GpuImage>>,
    prepared: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
    mut uploads: ResMut<RowUploads>,
) {
    let Flushed { rows, handed_over } = &mut *flushed;
    if handed_over.is_empty() {
        return;
    }
    extracted.extracted.retain(|(id, image)| {
        if !handed_over.contains(id) {
            return true;
        }
        // Whoever is left to Bevy is sent whole, and owes no rows.
        let rows = rows.remove(id);
        let sent = rows.and_then(|rows| Some((write_rows(&queue, prepared.get(*id)?, image, &rows)?, rows.count())));
        if let Some((bytes, count)) = sent {
            uploads.images += 1;
            uploads.rows += u64::from(count);
            uploads.bytes += bytes as u64;
        } else {
            uploads.whole_images += 1;
            uploads.whole_bytes += image.data.as_ref().map_or(0, Vec::len) as u64;
        }
        sent.is_none()
    });
}

/// Writes rows of an image to the texture that the GPU has of it. Returns how many bytes they were; none if it is not to be written so.
fn write_rows(queue: &RenderQueue, gpu: &GpuImage, image: &Image, rows: &Rows) -> Option<usize> {
    let Extent3d { width, height, .. } = image.texture_descriptor.size;
    let pitch = width as usize * TEXEL_BYTES;
    // The texture's own usage: Bevy adds to the descriptor's where it makes a texture from bytes.
    let fits = gpu.texture_descriptor == image.texture_descriptor && gpu.texture.usage().contains(TextureUsages::COPY_DST);
    let data = image.data.as_ref().filter(|data| fits && data.len() == height as usize * pitch)?;
    let mut sent = 0;
    for run in rows.runs() {
        let end = run.end.min(height);
        let Some(bytes) = data.get(run.start as usize * pitch..end as usize * pitch).filter(|bytes| !bytes.is_empty()) else {
            continue;
        };
        let place = TexelCopyTextureInfo { origin: Origin3d { x: 0, y: run.start, z: 0 }, ..gpu.texture.as_image_copy() };
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch as u32), rows_per_image: None };
        queue.write_texture(place, bytes, layout, Extent3d { width, height: end - run.start, depth_or_array_layers: 1 });
        sent += bytes.len();
    }
    Some(sent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloodstain::StainShape;

    const SHAPE: StainShape = StainShape { major: 0.3, minor: 0.3, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 7 };

    /// A render world beside a main one, without a GPU: as far as images are handed over.
    fn worlds() -> World {
        let mut main = MainWorld::default();
        main.insert_resource(Assets::<Image>::default());
        let mut render = World::new();
        render.insert_resource(main);
        render.init_resource::<Flushed>();
        render.init_resource::<ExtractedAssets<GpuImage>>();
        render
    }

    fn flush_a_canvas(main: &mut World) -> Entity {
        let mut images = main.resource_mut::<Assets<Image>>();
        let mut canvas = WetCanvas::new(&mut images, 16, [0.5; 3], 0.5);
        canvas.paint_uv(Vec2::splat(0.5), &SHAPE, 0);
        assert!(canvas.flush(&mut images));
        main.spawn(canvas).id()
    }

    #[test]
    fn rows_of_images_that_are_gone_are_forgotten() {
        let mut render = worlds();
        let waiting = |render: &World| render.resource::<Flushed>().rows.len();
        let extract = render.register_system(extract);
        for _ in 0..10 {
            render.resource_scope(|_, mut main: Mut<MainWorld>| {
                let removed = flush_a_canvas(&mut main);
                let id = main.get::<WetCanvas>(removed).expect("spawned").albedo().id();
                main.resource_mut::<Assets<Image>>().remove(id);
                flush_a_canvas(&mut main);
            });
            render.run_system(extract).expect("it is registered");
            assert_eq!(waiting(&render), 4, "two canvases, and an image that is not there yet");
            render.resource_scope(|_, mut main: Mut<MainWorld>| {
                let canvases: Vec<_> = main.query::<(Entity, &WetCanvas)>().iter(&main).map(|(e, c)| (e, c.clone())).collect();
                for (entity, canvas) in canvases {
                    main.despawn(entity);
                    let mut images = main.resource_mut::<Assets<Image>>();
                    for image in canvas.images() {
                        images.remove(image);
                    }
                }
            });
            render.run_system(extract).expect("it is registered");
            assert_eq!(waiting(&render), 0);
        }
    }
}
