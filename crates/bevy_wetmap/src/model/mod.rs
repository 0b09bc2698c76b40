//! The model core: one canvas of blood as integers, with no engine, no clock and no GPU.
//!
//! A [`Wetmap`] is a square of texels, each an `(amount: u8, age: u16)`, in row-major order. That order *is* the canonical one: the
//! digest folds over it, nothing is ever sorted, and none of the passes cares in which order it is walked. Beside the state stand the bytes of the two textures, which are written from it and never read back into it.
//!
//! - `settings`, `gravity`: the dials and their ranges, and which way is down;
//! - `state`, `blocks`: the texels, and where among them something is wet;
//! - `sweep`, `kernels`, `exact`: one tick, the loops it runs, and the roundings in them as exact integer arithmetic;
//! - `shade`, `tones`, `surface`: state to texture bytes; `rows`: which of them have changed;
//! - `stamp`, `looks`: a stain's mask onto the state, and what of the drawing is a matter of taste;
//! - `digest`, `save`: the number, and a canvas as bytes;
//! - `plain`: the same model as four plain passes, which the fast tick is held against.
//!
//! A tick costs what the blood covers: it walks the blocks that hold wet blood and those such blood can reach, and a canvas on which
//! nothing is wet ([`Wetmap::is_still`]) is not walked at all. Painting and ticking allocate nothing once a canvas has seen its largest stain.
//!
//! Everything is integer arithmetic but for two roundings of `f32` products, which IEEE 754 fixes to the bit, and for
//! [`bloodstain`], which brings its own `libm`. So the state after a script of hits, and its digest, are the same on every
//! target, at every optimisation level.

mod blocks;
mod digest;
mod exact;
mod gravity;
mod kernels;
mod lanes;
mod looks;
#[doc(hidden)]
pub mod plain;
mod rows;
mod save;
mod settings;
mod shade;
mod stamp;
mod state;
mod surface;
mod sweep;
mod tones;

pub use looks::Looks;
pub use rows::Rows;
pub use save::LoadError;
pub use settings::WetSettings;
pub use state::Texel;

use blocks::{BLOCK, WetBlocks};
use gravity::Step;
use lanes::Lanes;
use settings::Dials;
use shade::Picture;
use state::State;
use std::ops::Range;
use surface::Surface;
use sweep::{Canvas, Workbench};

/// How much world one UV unit is taken to be, metres.
///
/// A texture coordinate carries no scale, so the bridge from [`StainShape::major`](crate::StainShape) in metres to texels has to
/// be stated somewhere. It is stated here, once, and not as a dial of each canvas that every caller would have to agree on.
pub const UV_SPAN_M: f32 = 1.0;

/// The largest canvas, texels along one edge.
///
/// 4096² is 48 MiB of state and 128 MiB of texture bytes, and in Bevy the images hold those
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

impl SizeError {
    /// Whether there is a canvas of this size.
    fn check(size: u32) -> Result<(), Self> {
        match size {
            0 => Err(Self::Zero),
            1..=MAX_SIZE => Ok(()),
            _ => Err(Self::TooLarge { size }),
        }
    }
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
/// Cloning copies the state and the picture; a clone ticks to the same digests. `clone_from` between canvases of one size allocates
/// nothing and is a plain copy of memory.
#[derive(Debug)]
pub struct Wetmap {
    state: State,
    wet: WetBlocks,
    picture: Picture,
    /// The dials of the last tick, by which texels painted between ticks are shaded.
    dials: Dials,
    dirty_since: Option<u32>,
    looks: Looks,
    /// The mask being painted. Kept to spare an allocation; holds nothing between calls.
    mask: Vec<u8>,
    /// Likewise for a tick.
    bench: Workbench,
}

impl Clone for Wetmap {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            wet: self.wet.clone(),
            picture: self.picture.clone(),
            mask: Vec::new(),
            bench: Workbench::default(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.wet.clone_from(&other.wet);
        self.picture.clone_from(&other.picture);
        (self.dials, self.dirty_since, self.looks) = (other.dials, other.dirty_since, other.looks);
    }
}

impl Wetmap {
    /// An untouched canvas of `size × size` texels over a dry surface of the given colour (encoded sRGB, `0..=1`) and perceptual
    /// roughness (`0..=1`). Colour and roughness out of range are clamped; NaN counts as 0.
    ///
    /// # Errors
    /// [`SizeError`] when `size` is 0 or above [`MAX_SIZE`].
    pub fn new(size: u32, srgb: [f32; 3], roughness: f32) -> Result<Self, SizeError> {
        Self::over(size, Surface::new(srgb, roughness))
    }

    fn over(size: u32, surface: Surface) -> Result<Self, SizeError> {
        SizeError::check(size)?;
        let texels = size as usize;
        let state = State::new(texels);
        Ok(Self {
            wet: WetBlocks::new(texels, state.stride()),
            state,
            picture: Picture::new(surface, texels),
            dials: Dials::of(&WetSettings::default()),
            dirty_since: None,
            looks: Looks::default(),
            mask: Vec::new(),
            bench: Workbench::default(),
        })
    }

    /// Texels along one edge.
    pub fn size(&self) -> u32 {
        self.state.size() as u32
    }

    /// The state, row-major from the texture's first row (v = 0), `size²` texels.
    pub fn texels(&self) -> impl Iterator<Item = Texel> + '_ {
        self.state.rows().flat_map(|row| row.amounts.iter().copied().zip(row.ages.iter().copied()))
    }

    /// Replaces the state, row-major, `size²` texels, and shades it. For tests and tools that start from a state of their own;
    /// the canvas becomes dirty since `tick` if a byte of the picture changed.
    ///
    /// Returns whether `texels` had the right length; otherwise nothing changes. Ages stand as they are given, and an empty
    /// texel's age is brought to 0, as the model keeps it.
    pub fn set_texels(&mut self, texels: &[Texel], settings: &WetSettings, tick: u32) -> bool {
        let size = self.state.size();
        if texels.len() != size * size {
            return false;
        }
        self.dials = Dials::of(settings);
        for (y, row) in texels.chunks_exact(size).enumerate() {
            for (x, &texel) in row.iter().enumerate() {
                self.state.set_texel(x, y, texel);
            }
        }
        if self.shade_all() {
            self.mark_dirty(tick);
        }
        self.wake_restless();
        true
    }

    /// Shades every texel. Returns whether a byte changed.
    fn shade_all(&mut self) -> bool {
        let row = 0..self.state.stride();
        let lanes = Lanes::here();
        (0..self.state.size())
            .fold(false, |changed, y| changed | self.picture.shade(lanes, y, 0, self.state.run(y as isize, &row), &self.dials))
    }

    /// How blood is drawn.
    pub fn looks(&self) -> Looks {
        self.looks
    }

    /// Changes how blood is drawn. A change of film shades the whole canvas, which is dirty since `tick` if a byte of its picture
    /// changed.
    ///
    /// Looks are a choice of the program and not part of the state: they are cloned with a canvas but not saved with it.
    pub fn set_looks(&mut self, looks: Looks, tick: u32) {
        let looks = looks.in_range();
        let other_film = looks.film != self.looks.film;
        self.looks = looks;
        if other_film {
            self.picture.set_film(looks.film);
            if self.shade_all() {
                self.mark_dirty(tick);
            }
        }
    }

    /// Goes back to what `earlier` was: for rollback, every frame if need be.
    ///
    /// One pass over memory, and no allocation if both are of one size. Unlike `clone_from`, which takes over what `earlier` knew of its
    /// own picture, this keeps account of the picture that was taken last: rows that differ count as changed beside those
    /// that had changed, and a clean canvas is dirty since `tick` if there are any.
    pub fn restore(&mut self, earlier: &Self, tick: u32) {
        self.state.clone_from(&earlier.state);
        self.wet.clone_from(&earlier.wet);
        (self.dials, self.looks) = (earlier.dials, earlier.looks);
        self.picture.become_like(&earlier.picture);
        if !self.picture.changed().is_empty() {
            self.mark_dirty(tick);
        }
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
        if x >= self.size() || y >= self.size() {
            return (0, 0);
        }
        self.state.texel(x as usize, y as usize)
    }

    /// One tick: drip, spread, time, shade, in this order.
    ///
    /// `tick` is the tick's number and only stamps when the picture became dirty; it may repeat, go backwards or wrap.
    /// `gravity_uv` is down in texture space, of which only the dominant axis counts.
    pub fn tick(&mut self, tick: u32, gravity_uv: [f32; 2], settings: &WetSettings) {
        let dials = Dials::of(settings);
        // What is dry, and what dry blood looks like, hangs on these two alone; what wet blood can do, on the others as well.
        let same = dials.span == self.dials.span && dials.humidity == self.dials.humidity;
        if same && self.is_still() {
            self.dials = dials;
            return;
        }
        if dials != self.dials {
            self.dials = dials;
            self.wake();
        }
        let canvas = Canvas { state: &mut self.state, wet: &mut self.wet, picture: &mut self.picture };
        if sweep::tick(canvas, &mut self.bench, Step::along(gravity_uv), &dials) {
            self.mark_dirty(tick);
        }
    }

    /// Whether nothing is wet, nor dry past its time: a tick with the settings of the last one would change nothing, and costs nothing.
    pub fn is_still(&self) -> bool {
        self.wet.rows().is_empty()
    }

    /// Lets the next tick walk all blood there is, wet or not: for dials that are not those it was aged and shaded by.
    fn wake(&mut self) {
        self.wake_where(State::has_blood);
    }

    /// Lets the next tick walk what the dials of the last one would change.
    fn wake_restless(&mut self) {
        let span = self.dials.span;
        self.wake_where(|state, y, run| state.is_restless(y, run, span));
    }

    fn wake_where(&mut self, holds: impl Fn(&State, usize, &Range<usize>) -> bool) {
        self.wet.clear();
        for y in 0..self.state.size() {
            for x in (0..self.state.stride()).step_by(BLOCK) {
                if holds(&self.state, y, &(x..x + BLOCK)) {
                    self.wet.insert(y, x..x + BLOCK);
                }
            }
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
        self.picture.taken();
    }

    /// The rows of the picture that have changed since [`mark_clean`](Self::mark_clean): all others are as they were taken then.
    pub fn changed_rows(&self) -> &Rows {
        self.picture.changed()
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
        digest::digest(&self.state)
    }

    /// How much surface the blood covers, m²: `Σ amount / 255 · UV_SPAN_M² / size²`. Wet or dry, it counts.
    pub fn wetted_area(&self) -> f32 {
        let covered: u64 = self.state.rows().map(|row| row.amounts.iter().map(|&amount| u64::from(amount)).sum::<u64>()).sum();
        let texels = f64::from(self.size()) * f64::from(self.size());
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
        assert_eq!(Wetmap::new(MAX_SIZE, [0.5; 3], 0.5).map(|map| map.texels().count()), Ok(1 << 24));
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
