//! The component: one actor's blood, and the two images that show it.
//!
//! The CPU state is the authority and the images are output. [`WetCanvas::flush`] is the one function that writes them, and
//! nothing of them goes back into the state: it only looks what they need not be given again.

use crate::mesh;
use crate::model::{MAX_SIZE, Rows, SizeError, WetSettings, Wetmap};
use crate::ray::{Affine, Ray, hit_uv};
use bevy::asset::{AssetId, RenderAssetUsages};
use bevy::image::Image;
use bevy::mesh::Mesh;
use bevy::prelude::*;
use bloodstain::StainShape;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// Bytes of a texel of either image.
pub(crate) const TEXEL_BYTES: usize = 4;

/// One actor's canvas: the buffer of blood and the handles of its two images.
///
/// Hand [`albedo`](Self::albedo) and [`roughness`](Self::roughness) to a `StandardMaterial`, with `perceptual_roughness: 1.0` and
/// `metallic: 1.0`, because Bevy multiplies those scalars by the texture. The dry surface is composited into the images on the CPU,
/// so no shader of its own is needed.
///
/// A clone is the same blood over the same two images. What they show by then it cannot know, so it is dirty, and putting it back in the component's place
/// (`*canvas = saved.clone()`) is a rollback that is seen; with rows sent by themselves the images go whole once. [`restore`](Self::restore), and `clone_from`, which is that, keep account
/// of what is shown, allocate nothing and send the rows that differ.
#[derive(Component, Debug)]
pub struct WetCanvas {
    map: Wetmap,
    albedo: Handle<Image>,
    roughness: Handle<Image>,
    /// Rows that were flushed and that nobody has sent on by themselves.
    unsent: Rows,
    /// The last tick number that was given.
    tick: u32,
    /// The map may have been put in another's place, so that what it says of its picture is not said of the images.
    moved: bool,
}

impl Clone for WetCanvas {
    fn clone(&self) -> Self {
        let mut unsent = Rows::none_of(self.size());
        unsent.insert_all(self.size());
        let Self { map, albedo, roughness, tick, .. } = self;
        Self { map: map.clone(), albedo: albedo.clone(), roughness: roughness.clone(), unsent, tick: *tick, moved: true }
    }

    fn clone_from(&mut self, other: &Self) {
        if (&self.albedo, &self.roughness) == (&other.albedo, &other.roughness) {
            self.restore(other, other.tick);
        } else {
            *self = other.clone();
        }
    }
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
        Self { unsent: Rows::none_of(map.size()), map, albedo, roughness, tick: 0, moved: false }
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
        self.tick = tick;
        self.map.paint_uv(uv.to_array(), shape, tick)
    }

    /// Paints a stain where a shot in the world meets the actor's mesh. Returns whether it hit.
    ///
    /// The nearest triangle in front of the muzzle is hit, from either side. A miss returns `false` silently. A mesh that cannot be
    /// painted (it is no triangle list, or has no `Float32x3` positions or no `Float32x2` UV0, or lives only in the render world)
    /// paints nothing, returns `false`, and warns once.
    ///
    /// A large mesh that is shot at again is searched by an index made of it, which is kept. If vertices are moved in place, a few of many, call
    /// [`forget_meshes`](crate::ray::forget_meshes), or the mesh may be hit where it was.
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
        self.paint_uv(uv, shape, tick);
        true
    }

    /// The texture coordinate where a shot in the world meets an actor's mesh, which is where [`paint_world`](Self::paint_world)
    /// paints: for whoever wants to write it down. `None` where that would paint nothing; it warns as that does, and of a mesh that is
    /// edited in place wants to be told by [`forget_meshes`](crate::ray::forget_meshes) likewise.
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
        self.tick = tick;
        self.map.tick(tick, gravity_uv.to_array(), settings);
    }

    /// Writes both images where they are not the picture, and says whether it wrote. A clean canvas looks at nothing; one that is dirty only
    /// because it was painted with what it showed already writes nothing, and is clean after that.
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
        if !self.is_dirty() || !parts.iter().all(fits) {
            return false;
        }
        // To look is not to write: Bevy sends on whatever was written to.
        let is_shown = |(id, bytes, _): &(AssetId<Image>, &[u8], TextureFormat)| {
            images.get(*id).and_then(|image| image.data.as_deref()) == Some(*bytes)
        };
        let written = !parts.iter().all(is_shown);
        if written {
            let pitch = self.map.size() as usize * TEXEL_BYTES;
            for (id, bytes, _) in parts {
                let Some(mut image) = images.get_mut(id) else { continue };
                let Some(data) = &mut image.data else { continue };
                for (y, (shown, row)) in (0..).zip(data.chunks_exact_mut(pitch).zip(bytes.chunks_exact(pitch))) {
                    if shown != row {
                        shown.copy_from_slice(row);
                        self.unsent.insert(y);
                    }
                }
            }
            // Somebody else may have written a row that is to be there already.
            self.unsent.union(self.map.changed_rows());
        }
        self.map.mark_clean();
        self.moved = false;
        written
    }

    /// Its two images.
    #[cfg(feature = "render")]
    pub(crate) fn images(&self) -> [AssetId<Image>; 2] {
        [self.albedo.id(), self.roughness.id()]
    }

    /// The rows that were flushed since this was last asked.
    #[cfg(feature = "render")]
    pub(crate) fn take_unsent(&mut self) -> Option<Rows> {
        if self.unsent.is_empty() {
            return None;
        }
        let rows = self.unsent.clone();
        self.unsent.clear();
        Some(rows)
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

    /// Whether the images may be behind the state: something was painted, changed or put in its place since the last [`flush`](Self::flush).
    pub fn is_dirty(&self) -> bool {
        self.map.is_dirty() || self.moved
    }

    /// The tick number at which the images fell behind the state.
    pub fn dirty_since(&self) -> Option<u32> {
        self.map.dirty_since().or(self.moved.then_some(self.tick))
    }

    /// Whether nothing on it is wet, so that a tick with the settings of the last one changes and costs nothing.
    pub fn is_still(&self) -> bool {
        self.map.is_still()
    }

    /// Goes back to what `saved` was, for rollback, every frame if need be: its blood, dials and looks; the images stay this canvas's own. It is
    /// dirty since `tick` if the pictures differ, by the rows that do. See [`Wetmap::restore`].
    pub fn restore(&mut self, saved: &Self, tick: u32) {
        self.replace(&saved.map, tick);
    }

    /// Takes over another buffer's blood, dials and looks: those of one that was loaded ([`Wetmap::load`]), say. Otherwise like
    /// [`restore`](Self::restore). One of another size does not fit the images: it is never written to them, and the canvas stays dirty.
    pub fn replace(&mut self, map: &Wetmap, tick: u32) {
        self.tick = tick;
        self.map.restore(map, tick);
    }

    /// The buffer itself, for reading.
    pub fn map(&self) -> &Wetmap {
        &self.map
    }

    /// The buffer itself, to change how it is drawn ([`Wetmap::set_looks`]), say.
    ///
    /// To put another in its place use [`restore`](Self::restore) or [`replace`](Self::replace), which keep account of what the images show. An assignment, a
    /// `clone_from` and [`Wetmap::mark_clean`] through this do not; so a canvas whose buffer was borrowed here counts as dirty until the next
    /// [`flush`](Self::flush), which compares it with the images.
    pub fn map_mut(&mut self) -> &mut Wetmap {
        self.moved = true;
        &mut self.map
    }
}
