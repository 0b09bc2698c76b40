//! The state itself: two planes, coverage and age.
//!
//! Apart and not as pairs, because a vector register wants one kind of number. A row is filled up to a whole number of blocks, so that
//! no loop over a row has a remainder; what is beyond the canvas is always empty.

use super::blocks::BLOCK;
use super::kernels::Kept;
use std::ops::Range;

/// One texel: coverage `0..=255` and age in ticks since the youngest blood in it landed. `(0, 0)` is untouched.
pub type Texel = (u8, u16);

/// Coverage and age of every texel of a square canvas. An empty texel has age 0.
#[derive(Debug)]
pub(crate) struct State {
    size: usize,
    stride: usize,
    amounts: Vec<u8>,
    ages: Vec<u16>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { amounts: self.amounts.clone(), ages: self.ages.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        (self.size, self.stride) = (other.size, other.stride);
        self.amounts.clone_from(&other.amounts);
        self.ages.clone_from(&other.ages);
    }
}

impl State {
    /// An untouched canvas.
    pub fn new(size: usize) -> Self {
        let stride = size.next_multiple_of(BLOCK);
        Self { size, stride, amounts: vec![0; size * stride], ages: vec![0; size * stride] }
    }

    /// Texels along an edge.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Texels from one row to the next, a multiple of [`BLOCK`].
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// A part of row `y`, which must be on the canvas.
    pub fn run(&self, y: isize, run: &Range<usize>) -> Kept<'_> {
        let start = y as usize * self.stride + run.start;
        Kept { amounts: &self.amounts[start..][..run.len()], ages: &self.ages[start..][..run.len()] }
    }

    /// The same, to be written.
    pub fn run_mut(&mut self, y: usize, run: &Range<usize>) -> (&mut [u8], &mut [u16]) {
        let start = y * self.stride + run.start;
        (&mut self.amounts[start..][..run.len()], &mut self.ages[start..][..run.len()])
    }

    /// One texel of the canvas.
    pub fn texel(&self, x: usize, y: usize) -> Texel {
        let at = y * self.stride + x;
        (self.amounts[at], self.ages[at])
    }

    /// Sets one texel of the canvas; an empty one has no age.
    pub fn set_texel(&mut self, x: usize, y: usize, (amount, age): Texel) {
        let at = y * self.stride + x;
        self.amounts[at] = amount;
        self.ages[at] = if amount == 0 { 0 } else { age };
    }

    /// The rows in order, as far as the canvas goes.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = Kept<'_>> + ExactSizeIterator + '_ {
        (0..self.size).map(|y| self.run(y as isize, &(0..self.size)))
    }

    /// Whether there is blood in a part of a row.
    pub fn has_blood(&self, y: usize, run: &Range<usize>) -> bool {
        // Not `any`, which stops at the first and so cannot be wide.
        self.run(y as isize, run).amounts.iter().fold(0, |all, &amount| all | amount) != 0
    }

    /// Whether a part of a row holds blood that time would change: all but what is exactly dry.
    pub fn is_restless(&self, y: usize, run: &Range<usize>, span: u16) -> bool {
        let Kept { amounts, ages } = self.run(y as isize, run);
        amounts.iter().zip(ages).any(|(&amount, &age)| amount != 0 && age != span)
    }
}
