//! A stain's mask onto the state.
//!
//! The silhouette is [`bloodstain`]'s; this module only decides how many texels it is wide, where it lands, and how its bytes
//! add up with what is there.

use super::blocks::BLOCK;
use super::lanes::Lanes;
use super::{MAX_SIZE, UV_SPAN_M, Wetmap};
use crate::StainShape;
use crate::ray::{Affine, Ray, Triangles, hit_uv};
use bloodstain::stain::rasterise;

/// Edge of the square mask in texels, `1..=size`. A `major` that is negative or not finite counts as 0, and so as one texel.
fn mask_edge(major: f32, size: u32) -> u32 {
    let major = if major.is_finite() && major > 0.0 { major } else { 0.0 };
    (major / UV_SPAN_M * size as f32).round().clamp(1.0, size as f32) as u32
}

/// The texel a texture coordinate lies in, `0..size`. `None` when it is not finite.
fn texel_of(uv: f32, size: u32) -> Option<u32> {
    uv.is_finite().then(|| ((uv.clamp(0.0, 1.0) * size as f32).floor() as u32).min(size - 1))
}

/// The part of `0..size` that a mask of `edge` texels covers when its middle lies on `centre`: first texel on the canvas, first
/// texel of the mask, how many.
fn overlap(centre: u32, edge: u32, size: u32) -> (usize, usize, usize) {
    let start = i64::from(centre) - i64::from(edge / 2);
    let first = start.max(0);
    let end = (start + i64::from(edge)).min(i64::from(size));
    // The centre is on the canvas and in the mask, so the overlap is never empty.
    (first as usize, (first - start) as usize, (end - first) as usize)
}

/// Where a mask lies on a canvas: all in texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Of the square mask.
    pub edge: usize,
    /// First texel on the canvas.
    pub x: usize,
    pub y: usize,
    /// First texel of the mask that is on the canvas.
    pub mask_x: usize,
    pub mask_y: usize,
    /// How much of the mask is.
    pub width: usize,
    pub height: usize,
}

impl Placement {
    /// Of a stain with its middle at a texture coordinate. `None` when that is not finite.
    pub fn of(uv: [f32; 2], shape: &StainShape, size: u32) -> Option<Self> {
        let edge = mask_edge(shape.major, size);
        let (x, mask_x, width) = overlap(texel_of(uv[0], size)?, edge, size);
        let (y, mask_y, height) = overlap(texel_of(uv[1], size)?, edge, size);
        Some(Self { edge: edge as usize, x, y, mask_x, mask_y, width, height })
    }
}

impl Wetmap {
    /// Paints a stain with its middle at a texture coordinate, clamped to `0..=1`. What falls off the canvas is dropped.
    ///
    /// Where the mask is not 0 the coverage adds up, to 255 at the most, and the age starts again at 0: fresh blood on a crust is
    /// wet. The texels it touched are shaded at once, so a paused canvas shows what was painted; if the canvas was clean it is
    /// dirty since `tick`.
    ///
    /// Returns whether any texel was touched. A non-finite coordinate, or a shape whose mask is empty, touches nothing.
    pub fn paint_uv(&mut self, uv: [f32; 2], shape: &StainShape, tick: u32) -> bool {
        let Some(place) = Placement::of(uv, shape, self.size()) else {
            return false;
        };
        let mut mask = std::mem::take(&mut self.mask);
        let touched = draw(shape, place.edge, self.looks.edge_samples, &mut mask) && self.stamp(&mask, &place);
        self.mask = mask;
        if touched {
            self.mark_dirty(tick);
        }
        touched
    }

    /// Paints a stain where a ray in the world first meets a mesh that stands there as `world_from_mesh` says.
    ///
    /// Returns whether the ray hit: a miss, a ray or a transform that is not finite, and a hit whose texture coordinate is not
    /// finite all paint nothing and return `false`. See [`ray`](crate::ray) for what counts as a hit, and
    /// [`forget_meshes`](crate::ray::forget_meshes) for meshes that are edited in place.
    pub fn paint_ray(&mut self, mesh: &Triangles, world_from_mesh: &Affine, ray: Ray, shape: &StainShape, tick: u32) -> bool {
        let Some(uv) = hit_uv(mesh, world_from_mesh, ray) else {
            return false;
        };
        self.paint_uv(uv, shape, tick);
        true
    }

    fn stamp(&mut self, mask: &[u8], place: &Placement) -> bool {
        let mut touched = false;
        let run = place.x..place.x + place.width;
        for row in 0..place.height {
            let y = place.y + row;
            let mask = &mask[(place.mask_y + row) * place.edge + place.mask_x..][..place.width];
            if !add(mask, self.state.run_mut(y, &run)) {
                continue;
            }
            touched = true;
            self.wet.insert(y, run.clone());
            let blocks = run.start / BLOCK * BLOCK..run.end.next_multiple_of(BLOCK);
            self.picture.shade(Lanes::here(), y, blocks.start, self.state.run(y as isize, &blocks), &self.dials);
        }
        touched
    }
}

/// Draws a mask of `edge × edge` texels into the beginning of `mask`, which grows as it must. Returns whether there is one.
fn draw(shape: &StainShape, edge: usize, samples: u32, mask: &mut Vec<u8>) -> bool {
    // A finer mask may be as large as the largest canvas, and no larger.
    let samples = samples.min(MAX_SIZE / edge as u32).max(1) as usize;
    let fine = edge * samples;
    mask.resize(fine * fine, 0);
    if !rasterise(shape, fine as u32, mask) {
        return false;
    }
    if samples > 1 {
        average(mask, edge, samples);
    }
    true
}

/// Brings a mask that is finer by `samples` along each edge down to `edge × edge`, in place: every texel the mean of its samples,
/// rounded to the nearest.
fn average(mask: &mut [u8], edge: usize, samples: usize) {
    let count = (samples * samples) as u32;
    for (y, x) in (0..edge).flat_map(|y| (0..edge).map(move |x| (y, x))) {
        let sum: u32 = (0..samples)
            .flat_map(|row| {
                let start = ((y * samples + row) * edge + x) * samples;
                mask[start..start + samples].iter().map(|&cover| u32::from(cover))
            })
            .sum();
        // A texel's samples lie behind it, and those of the texels to come lie behind those.
        mask[y * edge + x] = ((sum + count / 2) / count) as u8;
    }
}

/// Adds one row of a mask. Returns whether it touched a texel.
fn add(mask: &[u8], (amounts, ages): (&mut [u8], &mut [u16])) -> bool {
    let mut touched = false;
    for ((amount, age), &cover) in amounts.iter_mut().zip(ages).zip(mask) {
        *amount = amount.saturating_add(cover);
        *age = if cover == 0 { *age } else { 0 };
        touched |= cover != 0;
    }
    touched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(major: f32) -> StainShape {
        StainShape { major, minor: major, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 1 }
    }

    fn map(size: u32) -> Wetmap {
        Wetmap::new(size, [0.5; 3], 0.5).expect("a size within the limits")
    }

    #[test]
    fn the_mask_is_as_wide_as_the_stain() {
        assert_eq!(mask_edge(0.07, 128), 9);
        assert_eq!(mask_edge(0.0, 128), 1);
        assert_eq!(mask_edge(50.0, 128), 128);
        for nonsense in [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(mask_edge(nonsense, 128), 1, "{nonsense}");
        }
    }

    #[test]
    fn texture_coordinates_are_clamped_onto_texels() {
        assert_eq!(texel_of(0.0, 8), Some(0));
        assert_eq!(texel_of(0.124, 8), Some(0));
        assert_eq!(texel_of(0.125, 8), Some(1));
        assert_eq!(texel_of(1.0, 8), Some(7));
        assert_eq!((texel_of(-3.0, 8), texel_of(1e30, 8)), (Some(0), Some(7)));
        assert_eq!((texel_of(f32::NAN, 8), texel_of(f32::INFINITY, 8)), (None, None));
    }

    #[test]
    fn the_middle_of_the_mask_lands_on_the_centre() {
        // (first on the canvas, first of the mask, how many)
        assert_eq!(overlap(4, 3, 8), (3, 0, 3));
        assert_eq!(overlap(4, 4, 8), (2, 0, 4));
        assert_eq!(overlap(0, 5, 8), (0, 2, 3));
        assert_eq!(overlap(7, 5, 8), (5, 0, 3));
        assert_eq!(overlap(0, 8, 8), (0, 4, 4));
    }

    #[test]
    fn a_hit_lands_where_it_was_aimed_and_is_fresh() {
        let mut map = map(16);
        map.set_texels(&[(10, 500); 256], &Default::default(), 0);
        map.mark_clean();
        assert!(map.paint_uv([0.53, 0.28], &shape(0.2), 42));
        // 0.53 · 16 and 0.28 · 16 are in texel (8, 4).
        assert_eq!((map.amount_at(8, 4), map.age_at(8, 4)), (255, 0));
        assert_eq!((map.amount_at(0, 0), map.age_at(0, 0)), (10, 500));
        assert_eq!(map.dirty_since(), Some(42));
        let fresh = &map.albedo_bytes()[(4 * 16 + 8) * 4..][..3];
        assert_eq!(fresh, [153, 8, 8], "shaded without waiting for a tick");
    }

    #[test]
    fn nonsense_paints_nothing_and_poisons_nothing() {
        let mut map = map(16);
        for uv in [[f32::NAN, 0.5], [0.5, f32::INFINITY], [f32::NEG_INFINITY, f32::NAN]] {
            assert!(!map.paint_uv(uv, &shape(0.2), 0), "{uv:?}");
        }
        assert!(!map.is_dirty());
        let extremes = [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE];
        for (major, minor) in extremes.iter().flat_map(|a| extremes.iter().map(move |b| (*a, *b))) {
            let direction = [major, minor];
            map.paint_uv([0.5, 0.5], &StainShape { major, minor, spines: 255, satellites: 255, direction, seed: 9 }, 1);
            map.tick(1, [0.0, 1.0], &Default::default());
        }
        assert!(map.texels().all(|texel| texel.1 <= 1800));
    }
}
