//! The model core: one canvas of blood as integers, with no engine, no clock and no GPU.
//!
//! A [`Wetmap`] is a square of texels, each an `(amount: u8, age: u16)`, kept in **one row-major `Vec`**. That order *is* the
//! canonical one: the digest folds over it, nothing is ever sorted, and none of the passes cares in which order it is walked.
//! Beside the state stand the bytes of the two textures, which are written from it and never read back into it.
//!
//! - `passes`: drip, spread and time, the only code that changes the state by itself;
//! - `shade`: state to texture bytes;
//! - `stamp`: a stain's mask onto the state;
//! - `settings`: the dials and their ranges.
//!
//! Everything is integer arithmetic but for two roundings of `f32` products, which IEEE 754 fixes to the bit, and for
//! [`bloodstain`], which brings its own `libm`. So the state after a script of hits, and its digest, are the same on every
//! target, at every optimisation level.

mod digest;
mod passes;
mod settings;
mod shade;
mod stamp;

pub use passes::Texel;
pub use settings::WetSettings;

use passes::Step;
use settings::Dials;
use shade::{Picture, Surface};
use std::ops::Range;

/// How much world one UV unit is taken to be, metres.
///
/// A texture coordinate carries no scale, so the bridge from [`StainShape::major`](crate::StainShape) in metres to texels has to
/// be stated somewhere. It is stated here, once, and not as a dial of each canvas that every caller would have to agree on.
pub const UV_SPAN_M: f32 = 1.0;

/// The largest canvas, texels along one edge.
///
/// 4096² is 128 MiB of state (a pass reads one copy and writes another) and 128 MiB of texture bytes, and in Bevy the images hold those
/// bytes once more and the GPU again: far past the 256 that is practical to upload every frame, and still within every WebGPU adapter's
/// texture limit (8192).
pub const MAX_SIZE: u32 = 4096;

/// A canvas size that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeError {
    /// Zero texels along an edge.
    Zero,
    /// More than [`MAX_SIZE`] texels along an edge.
    TooLarge {
        /// The size that was asked for.
        size: u32,
    },
}

impl std::fmt::Display for SizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Zero => write!(f, "a canvas of 0 texels along an edge holds nothing; the smallest is 1"),
            Self::TooLarge { size } => {
                write!(f, "a canvas of {size} texels along an edge is larger than the largest, {MAX_SIZE}")
            }
        }
    }
}

impl std::error::Error for SizeError {}

/// One canvas of blood: the state, its picture, and whether the picture has changed since it was last taken.
///
/// Cloning copies the state and the picture; a clone ticks to the same digests.
#[derive(Clone, Debug)]
pub struct Wetmap {
    size: u32,
    texels: Vec<Texel>,
    /// What a moving pass reads while it writes `texels`. Kept to spare an allocation a pass; holds nothing between ticks.
    before: Vec<Texel>,
    /// The mask being painted, likewise.
    mask: Vec<u8>,
    picture: Picture,
    /// The rows that hold blood or ever did: outside them both `texels` and `before` are empty, and nothing is walked.
    rows: Range<usize>,
    /// The dials under which the last tick found nothing wet, if nothing has been painted since: under these a tick changes nothing.
    still: Option<Dials>,
    /// The dials of the last tick, by which texels painted between ticks are shaded.
    dials: Dials,
    dirty_since: Option<u32>,
}

impl Wetmap {
    /// An untouched canvas of `size × size` texels over a dry surface of the given colour (encoded sRGB, `0..=1`) and perceptual
    /// roughness (`0..=1`). Colour and roughness out of range are clamped; NaN counts as 0.
    ///
    /// # Errors
    /// [`SizeError`] when `size` is 0 or above [`MAX_SIZE`].
    pub fn new(size: u32, srgb: [f32; 3], roughness: f32) -> Result<Self, SizeError> {
        match size {
            0 => return Err(SizeError::Zero),
            1..=MAX_SIZE => {}
            _ => return Err(SizeError::TooLarge { size }),
        }
        let count = size as usize * size as usize;
        Ok(Self {
            size,
            texels: vec![(0, 0); count],
            before: vec![(0, 0); count],
            mask: Vec::new(),
            rows: 0..0,
            still: None,
            picture: Picture::new(Surface::new(srgb, roughness), count),
            dials: Dials::of(&WetSettings::default()),
            dirty_since: None,
        })
    }

    /// Texels along one edge.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The state, row-major from the texture's first row (v = 0), `size²` texels.
    pub fn texels(&self) -> &[Texel] {
        &self.texels
    }

    /// Replaces the state, row-major, `size²` texels, and shades it. For tests and tools that start from a state of their own;
    /// the canvas becomes dirty since `tick` if a byte of the picture changed.
    ///
    /// Returns whether `texels` had the right length; otherwise nothing changes. Ages stand as they are given, and an empty
    /// texel's age is brought to 0, as the model keeps it.
    pub fn set_texels(&mut self, texels: &[Texel], settings: &WetSettings, tick: u32) -> bool {
        if texels.len() != self.texels.len() {
            return false;
        }
        for (own, new) in self.texels.iter_mut().zip(texels) {
            *own = if new.0 == 0 { (0, 0) } else { *new };
        }
        self.rows = 0..self.size as usize;
        self.still = None;
        self.dials = Dials::of(settings);
        self.shade(tick);
        true
    }

    /// Coverage of one texel, `0..=255`; 0 outside the canvas.
    pub fn amount_at(&self, x: u32, y: u32) -> u8 {
        self.texel(x, y).0
    }

    /// Ticks since the youngest blood of one texel landed; 0 where there is none, and outside the canvas.
    pub fn age_at(&self, x: u32, y: u32) -> u16 {
        self.texel(x, y).1
    }

    fn texel(&self, x: u32, y: u32) -> Texel {
        if x >= self.size || y >= self.size {
            return (0, 0);
        }
        self.texels[y as usize * self.size as usize + x as usize]
    }

    /// One tick: drip, spread, time, shade, in this order.
    ///
    /// `tick` is the tick's number and only stamps when the picture became dirty; it may repeat, go backwards or wrap.
    /// `gravity_uv` is down in texture space, of which only the dominant axis counts.
    pub fn tick(&mut self, tick: u32, gravity_uv: [f32; 2], settings: &WetSettings) {
        let dials = Dials::of(settings);
        self.dials = dials;
        if self.rows.is_empty() || self.still == Some(dials) {
            return;
        }
        let size = self.size as usize;
        if let Some(step) = Step::along(gravity_uv) {
            self.move_blood(|before, after| passes::drip(before, after, size, step, &dials));
        }
        if dials.edge_rate > 0.0 {
            self.move_blood(|before, after| passes::spread(before, after, size, &dials));
        }
        let walked = self.texels_of(&self.rows);
        passes::time(&mut self.texels[walked.clone()], &dials);
        self.shade(tick);
        let is_wet = |texel: &Texel| texel.0 > 0 && dials.is_wet(texel.1);
        self.still = (!self.texels[walked].iter().any(is_wet)).then_some(dials);
    }

    /// The part of the state that these rows are.
    fn texels_of(&self, rows: &Range<usize>) -> Range<usize> {
        let size = self.size as usize;
        rows.start * size..rows.end * size
    }

    /// Runs a pass from a snapshot of the state into the state. Blood moves by one row at the most, so the pass walks the rows that
    /// hold blood and one more on either side; those beyond are empty, and an empty row gives nothing and takes nothing from its
    /// empty neighbour, just like the canvas's edge.
    fn move_blood(&mut self, pass: impl FnOnce(&[Texel], &mut [Texel])) {
        let rows = self.rows.start.saturating_sub(1)..(self.rows.end + 1).min(self.size as usize);
        let walked = self.texels_of(&rows);
        std::mem::swap(&mut self.texels, &mut self.before);
        pass(&self.before[walked.clone()], &mut self.texels[walked]);
        let reached = |row: usize| self.texels[self.texels_of(&(row..row + 1))].iter().any(|texel| texel.0 > 0);
        let start = if reached(rows.start) { rows.start } else { self.rows.start };
        let end = if reached(rows.end - 1) { rows.end } else { self.rows.end };
        self.rows = start..end;
    }

    fn shade(&mut self, tick: u32) {
        let walked = self.texels_of(&self.rows);
        if self.picture.shade(walked.start, &self.texels[walked], &self.dials) {
            self.mark_dirty(tick);
        }
    }

    fn mark_dirty(&mut self, tick: u32) {
        self.dirty_since.get_or_insert(tick);
    }

    /// Whether the picture changed since [`mark_clean`](Self::mark_clean).
    pub fn is_dirty(&self) -> bool {
        self.dirty_since.is_some()
    }

    /// The tick number at which the clean picture became dirty.
    pub fn dirty_since(&self) -> Option<u32> {
        self.dirty_since
    }

    /// Says that the picture has been taken.
    pub fn mark_clean(&mut self) {
        self.dirty_since = None;
    }

    /// Base colour of every texel, `Rgba8UnormSrgb`, row-major, `size² · 4` bytes.
    pub fn albedo_bytes(&self) -> &[u8] {
        self.picture.albedo()
    }

    /// Roughness (G) and metallic (B, always 0) of every texel, linear `Rgba8Unorm`, row-major, `size² · 4` bytes.
    pub fn roughness_bytes(&self) -> &[u8] {
        self.picture.gloss()
    }

    /// FNV-1a 64 over the state: each texel in row-major order as its amount byte, then its age as two little-endian bytes.
    ///
    /// Fowler, Noll & Vo (1991). A fold over the blood and not over the picture.
    pub fn digest(&self) -> u64 {
        digest::fnv1a(&self.texels)
    }

    /// How much surface the blood covers, m²: `Σ amount / 255 · UV_SPAN_M² / size²`. Wet or dry, it counts.
    pub fn wetted_area(&self) -> f32 {
        let covered: u64 = self.texels.iter().map(|texel| u64::from(texel.0)).sum();
        let texels = f64::from(self.size) * f64::from(self.size);
        (covered as f64 / 255.0 * f64::from(UV_SPAN_M) * f64::from(UV_SPAN_M) / texels) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked() {
        assert_eq!(Wetmap::new(0, [0.5; 3], 0.5).err(), Some(SizeError::Zero));
        assert_eq!(Wetmap::new(4097, [0.5; 3], 0.5).err(), Some(SizeError::TooLarge { size: 4097 }));
        assert_eq!(Wetmap::new(u32::MAX, [0.5; 3], 0.5).err(), Some(SizeError::TooLarge { size: u32::MAX }));
        assert_eq!(Wetmap::new(MAX_SIZE, [0.5; 3], 0.5).map(|map| map.texels().len()), Ok(1 << 24));
    }

    #[test]
    fn wetted_area_counts_coverage_in_square_metres() {
        let mut map = Wetmap::new(4, [0.5; 3], 0.5).expect("4 is a size");
        let mut texels = [(0, 0); 16];
        texels[0] = (255, 0);
        texels[5] = (51, 1800);
        assert!(map.set_texels(&texels, &WetSettings::default(), 0));
        // 1.2 texels of a sixteenth of a square metre each.
        assert!((map.wetted_area() - 0.075).abs() < 1e-7, "{}", map.wetted_area());
    }

    #[test]
    fn dirt_keeps_the_tick_it_began_with() {
        let mut map = Wetmap::new(2, [0.5; 3], 0.5).expect("2 is a size");
        let settings = WetSettings::default();
        map.tick(3, [0.0, 1.0], &settings);
        assert_eq!(map.dirty_since(), None, "an empty canvas asks for no upload");
        map.set_texels(&[(200, 0); 4], &settings, 7);
        map.tick(8, [0.0, 1.0], &settings);
        assert_eq!(map.dirty_since(), Some(7));
        map.mark_clean();
        map.tick(9, [0.0, 1.0], &settings);
        assert_eq!(map.dirty_since(), Some(9));
    }

    #[test]
    fn outside_the_canvas_there_is_nothing() {
        let mut map = Wetmap::new(2, [0.5; 3], 0.5).expect("2 is a size");
        map.set_texels(&[(9, 4); 4], &WetSettings::default(), 0);
        assert_eq!((map.amount_at(1, 1), map.age_at(1, 1)), (9, 4));
        assert_eq!((map.amount_at(2, 0), map.age_at(0, u32::MAX)), (0, 0));
    }
}
