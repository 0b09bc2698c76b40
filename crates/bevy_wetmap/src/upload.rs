//! Sends the GPU the rows that changed, and not both images whole.
//!
//! Bevy sends an image that was written to as one: 128 KiB for a canvas of 128², whatever has changed of it. It keeps the texture it has for that, so no bind group is made anew, and
//! [`WetCanvas::flush`] goes through it like any other writer. This plugin stands between the two in the render world: of an image that the GPU has already and that only a flush has
//! written to, it takes the whole copy out of Bevy's hands and writes the flushed rows. Everything else (a new image, another size, a device that was lost and has nothing any more) is
//! left to Bevy, which finds all of the image's bytes where they always are.

use crate::canvas::WetCanvas;
use crate::model::Rows;
use bevy::asset::AssetId;
use bevy::ecs::query::QueryState;
use bevy::image::Image;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_asset::{ExtractedAssets, RenderAssets, prepare_assets};
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// Bytes of a texel of either image.
const TEXEL_BYTES: usize = 4;

/// Uploads by rows: add it beside [`WetmapPlugin`](crate::WetmapPlugin) in an app that draws. Without it, or in an app without a renderer, everything
/// works as it does with it, at the cost of whole images.
///
/// An image of a canvas that somebody else writes to is not sent again in a frame in which the canvas is flushed too; the canvas' images are the canvas' own.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowUploadPlugin;

impl Plugin for RowUploadPlugin {
    fn build(&self, app: &mut App) {
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        render_app
            .init_resource::<FlushedRows>()
            .init_resource::<RowUploads>()
            .add_systems(ExtractSchedule, extract)
            .add_systems(Render, write.in_set(RenderSystems::PrepareAssets).before(prepare_assets::<GpuImage>));
    }
}

/// What has been sent by rows so far. In the render world; for whoever wants to know what an upload costs.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowUploads {
    /// Images that were written to.
    pub images: u64,
    /// Rows of them.
    pub rows: u64,
    /// Bytes of those.
    pub bytes: u64,
}

/// Rows that were flushed, until Bevy hands over the image that they are of.
#[derive(Resource, Default)]
struct FlushedRows(HashMap<AssetId<Image>, Rows>);

fn extract(
    mut main: ResMut<MainWorld>,
    mut flushed: ResMut<FlushedRows>,
    mut canvases: Local<Option<QueryState<&'static mut WetCanvas>>>,
) {
    let canvases = canvases.get_or_insert_with(|| main.query());
    for mut canvas in canvases.iter_mut(&mut main) {
        // Nobody's business in the main world.
        let Some((images, rows)) = canvas.bypass_change_detection().take_unsent() else { continue };
        for image in images {
            flushed.0.entry(image).or_default().union(&rows);
        }
    }
}

fn write(
    mut flushed: ResMut<FlushedRows>,
    mut extracted: ResMut<ExtractedAssets<GpuImage>>,
    prepared: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
    mut uploads: ResMut<RowUploads>,
) {
    for removed in &extracted.removed {
        flushed.0.remove(removed);
    }
    if flushed.0.is_empty() {
        return;
    }
    extracted.extracted.retain(|(id, image)| {
        // Whoever is left to Bevy is sent whole, and owes no rows.
        let Some(rows) = flushed.0.remove(id) else { return true };
        let Some(gpu) = prepared.get(*id).filter(|gpu| gpu.texture_descriptor == image.texture_descriptor) else { return true };
        let Some(data) = &image.data else { return true };
        for run in rows.runs() {
            let sent = write_rows(&queue, gpu, data, run.start, run.end);
            uploads.bytes += sent as u64;
        }
        uploads.images += 1;
        uploads.rows += u64::from(rows.count());
        false
    });
}

/// Writes the rows from `first` up to `end` of an image. Returns how many bytes they were.
fn write_rows(queue: &RenderQueue, gpu: &GpuImage, data: &[u8], first: u32, end: u32) -> usize {
    let width = gpu.texture_descriptor.size.width;
    let pitch = width as usize * TEXEL_BYTES;
    let end = end.min(gpu.texture_descriptor.size.height);
    let Some(bytes) = data.get(first as usize * pitch..end as usize * pitch).filter(|bytes| !bytes.is_empty()) else {
        return 0;
    };
    let place = TexelCopyTextureInfo { origin: Origin3d { x: 0, y: first, z: 0 }, ..gpu.texture.as_image_copy() };
    let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch as u32), rows_per_image: None };
    queue.write_texture(place, bytes, layout, Extent3d { width, height: end - first, depth_or_array_layers: 1 });
    bytes.len()
}
