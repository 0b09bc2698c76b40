//! The component: one actor's blood, and the two images that show it.
//!
//! The CPU state is the authority and the images are output. [`WetCanvas::flush`] is the one function that writes them, and
//! nothing reads them back.

use crate::mesh;
use crate::model::{MAX_SIZE, Rows, SizeError, WetSettings, Wetmap};
use crate::ray::{Affine, Ray, hit_uv};
use bevy::asset::{AssetId, RenderAssetUsages};
use bevy::image::Image;
use bevy::mesh::Mesh;
use bevy::prelude::*;
use bloodstain::StainShape;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// One actor's canvas: the buffer of blood and the handles of its two images.
///
/// Hand [`albedo`](Self::albedo) and [`roughness`](Self::roughness) to a `StandardMaterial`, with `perceptual_roughness: 1.0` and
/// `metallic: 1.0`, because Bevy multiplies those scalars by the texture. The dry surface is composited into the images on the CPU,
/// so no shader of its own is needed.
#[derive(Component, Clone, Debug)]
pub struct WetCanvas {
    map: Wetmap,
    albedo: Handle<Image>,
    roughness: Handle<Image>,
    /// Rows that were flushed and that nobody has sent on by themselves.
    unsent: Rows,
}

impl WetCanvas {
    /// A clean canvas of `size × size` texels over a dry surface: its colour in encoded sRGB and its perceptual roughness, each in
    /// `0..=1` and clamped to it.
    ///
    /// 128 is the size the upload budget is made for and 256 the practical ceiling. A size of 0 becomes 1 and one above
    /// [`MAX_SIZE`] becomes that, with a warning; [`try_new`](Self::try_new) refuses them instead.
    pub fn new(images: &mut Assets<Image>, size: u32, srgb: [f32; 3], roughness: f32) -> Self {
        let clamped = size.clamp(1, MAX_SIZE);
        match Wetmap::new(size, srgb, roughness).or_else(|error| {
            warn!("WetCanvas::new: {error}; using {clamped}");
            Wetmap::new(clamped, srgb, roughness)
        }) {
            Ok(map) => Self::with_map(images, map),
            Err(error) => unreachable!("{clamped} is within the limits: {error}"),
        }
    }

    /// Like [`new`](Self::new), for a size that comes from outside the program.
    ///
    /// # Errors
    /// [`SizeError`] when `size` is 0 or above [`MAX_SIZE`]; no image is made then.
    pub fn try_new(images: &mut Assets<Image>, size: u32, srgb: [f32; 3], roughness: f32) -> Result<Self, SizeError> {
        Ok(Self::with_map(images, Wetmap::new(size, srgb, roughness)?))
    }

    /// A canvas from a buffer of one's own: one that was loaded ([`Wetmap::load`]), say. Its two images are added with its picture in them.
    pub fn from_map(images: &mut Assets<Image>, mut map: Wetmap) -> Self {
        map.mark_clean();
        Self::with_map(images, map)
    }

    fn with_map(images: &mut Assets<Image>, map: Wetmap) -> Self {
        let mut image = |bytes: &[u8], format| {
            let extent = Extent3d { width: map.size(), height: map.size(), depth_or_array_layers: 1 };
            // Kept in the main world too: that copy is what refills the GPU after a lost device.
            let usage = RenderAssetUsages::default();
            images.add(Image::new(extent, TextureDimension::D2, bytes.to_vec(), format, usage))
        };
        let albedo = image(map.albedo_bytes(), TextureFormat::Rgba8UnormSrgb);
        let roughness = image(map.roughness_bytes(), TextureFormat::Rgba8Unorm);
        Self { unsent: Rows::none_of(map.size()), map, albedo, roughness }
    }

    /// The base colour image, `Rgba8UnormSrgb`, for `StandardMaterial::base_color_texture`.
    pub fn albedo(&self) -> Handle<Image> {
        self.albedo.clone()
    }

    /// The metallic-roughness image, linear `Rgba8Unorm` with G roughness and B metallic, for
    /// `StandardMaterial::metallic_roughness_texture`.
    pub fn roughness(&self) -> Handle<Image> {
        self.roughness.clone()
    }

    /// Paints a stain with its middle at a texture coordinate. Returns whether any texel was touched; see [`Wetmap::paint_uv`].
    pub fn paint_uv(&mut self, uv: Vec2, shape: &StainShape, tick: u32) -> bool {
        self.map.paint_uv(uv.to_array(), shape, tick)
    }

    /// Paints a stain where a shot in the world meets the actor's mesh. Returns whether it hit.
    ///
    /// The nearest triangle in front of the muzzle is hit, from either side. A miss returns `false` silently. A mesh that cannot be
    /// painted (it is no triangle list, or has no `Float32x3` positions or no `Float32x2` UV0, or lives only in the render world)
    /// paints nothing, returns `false`, and warns once.
    pub fn paint_world(
        &mut self,
        mesh: &Mesh,
        actor: &GlobalTransform,
        muzzle: Vec3,
        direction: Vec3,
        shape: &StainShape,
        tick: u32,
    ) -> bool {
        let Some(uv) = Self::hit_world(mesh, actor, muzzle, direction) else {
            return false;
        };
        self.map.paint_uv(uv.to_array(), shape, tick);
        true
    }

    /// The texture coordinate where a shot in the world meets an actor's mesh, which is where [`paint_world`](Self::paint_world)
    /// paints: for whoever wants to write it down. `None` where that would paint nothing; it warns as that does.
    pub fn hit_world(mesh: &Mesh, actor: &GlobalTransform, muzzle: Vec3, direction: Vec3) -> Option<Vec2> {
        let triangles = match mesh::triangles(mesh) {
            Ok(triangles) => triangles,
            Err(error) => {
                mesh::warn_once(mesh, error);
                return None;
            }
        };
        let affine = actor.affine();
        let matrix = affine.matrix3;
        let place = Affine {
            axes: [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.to_array()),
            translation: affine.translation.to_array(),
        };
        let ray = Ray { origin: muzzle.to_array(), direction: direction.to_array() };
        hit_uv(&triangles, &place, ray).map(Vec2::from_array)
    }

    /// One tick: drip, spread, time, shade. `gravity_uv` is down in texture space.
    ///
    /// Nothing here reads a clock: call it from your own fixed schedule with your own tick number. The number only says since when
    /// the canvas is dirty; it may repeat, go backwards or wrap.
    pub fn tick(&mut self, tick: u32, gravity_uv: Vec2, settings: &WetSettings) {
        self.map.tick(tick, gravity_uv.to_array(), settings);
    }

    /// Writes both images if the picture changed, and says whether it wrote them. A clean canvas writes nothing.
    ///
    /// If an image is gone, or is no longer of this canvas's size or format, nothing is written and the canvas stays dirty, to be
    /// tried again.
    pub fn flush(&mut self, images: &mut Assets<Image>) -> bool {
        let parts = [
            (self.albedo.id(), self.map.albedo_bytes(), TextureFormat::Rgba8UnormSrgb),
            (self.roughness.id(), self.map.roughness_bytes(), TextureFormat::Rgba8Unorm),
        ];
        let fits = |(id, bytes, format): &(AssetId<Image>, &[u8], TextureFormat)| {
            images.get(*id).is_some_and(|image| {
                image.texture_descriptor.format == *format
                    && image.width() == self.map.size()
                    && image.height() == self.map.size()
                    && image.data.as_ref().is_some_and(|data| data.len() == bytes.len())
            })
        };
        if !self.is_dirty() {
            return false;
        }
        if !parts.iter().all(fits) {
            // What will be there in its place is not what was written last.
            self.unsent.insert_all(self.map.size());
            return false;
        }
        for (id, bytes, _) in parts {
            if let Some(mut image) = images.get_mut(id)
                && let Some(data) = &mut image.data
            {
                data.copy_from_slice(bytes);
            }
        }
        self.unsent.union(self.map.changed_rows());
        self.map.mark_clean();
        true
    }

    /// The rows that were flushed since this was last asked, with the two images that they are of.
    #[cfg(feature = "render")]
    pub(crate) fn take_unsent(&mut self) -> Option<([AssetId<Image>; 2], Rows)> {
        if self.unsent.is_empty() {
            return None;
        }
        let rows = self.unsent.clone();
        self.unsent.clear();
        Some(([self.albedo.id(), self.roughness.id()], rows))
    }

    /// FNV-1a 64 over `(amount, age)` in row-major order: a fold over the blood, not over a screenshot.
    pub fn digest(&self) -> u64 {
        self.map.digest()
    }

    /// How much surface the blood covers, m², wet or dry.
    pub fn wetted_area(&self) -> f32 {
        self.map.wetted_area()
    }

    /// Texels along one edge.
    pub fn size(&self) -> u32 {
        self.map.size()
    }

    /// Coverage of one texel, `0..=255`; 0 outside the canvas.
    pub fn amount_at(&self, x: u32, y: u32) -> u8 {
        self.map.amount_at(x, y)
    }

    /// Ticks since the youngest blood of one texel landed; 0 outside the canvas.
    pub fn age_at(&self, x: u32, y: u32) -> u16 {
        self.map.age_at(x, y)
    }

    /// Whether the images are behind the state.
    pub fn is_dirty(&self) -> bool {
        self.map.is_dirty()
    }

    /// The tick number at which the images fell behind the state.
    pub fn dirty_since(&self) -> Option<u32> {
        self.map.dirty_since()
    }

    /// Whether nothing on it is wet, so that a tick with the settings of the last one changes and costs nothing.
    pub fn is_still(&self) -> bool {
        self.map.is_still()
    }

    /// The buffer itself, for reading.
    pub fn map(&self) -> &Wetmap {
        &self.map
    }

    /// The buffer itself, to go back to an earlier state ([`Wetmap::restore`]) or to change how it is drawn ([`Wetmap::set_looks`]). One of
    /// another size does not fit the images: it is never written to them, and the canvas stays dirty.
    pub fn map_mut(&mut self) -> &mut Wetmap {
        &mut self.map
    }
}
