//! Where on a canvas something is still wet, in blocks of [`BLOCK`] texels of a row: what a tick has to walk, and nothing else.
//!
//! Each row has a set of blocks as bits. A bit that is set without need costs time; one that is missing would be a wrong digest. So
//! everything here errs towards setting. Two more sets say which blocks are wet within [`REACH`] texels of their left or right end,
//! so that a stain does not wake the blocks beside it before its blood can get there.

use std::ops::Range;

/// Texels of one block. A whole number of vector registers on every target, and small enough that a speck wakes little around it.
pub(crate) const BLOCK: usize = 16;

/// How far blood gets along a row in one tick: one texel by drip and one by spread.
const REACH: usize = 2;

/// Sets of blocks, one a row, in words of 64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockSet {
    words: usize,
    bits: Vec<u64>,
}

impl BlockSet {
    fn new(rows: usize, blocks: usize) -> Self {
        let words = blocks.div_ceil(64);
        Self { words, bits: vec![0; rows * words] }
    }

    /// The words of one row; of a row outside the canvas there are none.
    pub fn row(&self, y: usize) -> &[u64] {
        self.bits.get(y.saturating_mul(self.words)..).and_then(|rest| rest.get(..self.words)).unwrap_or(&[])
    }

    /// One word of one row; 0 outside the canvas.
    pub fn word(&self, y: usize, word: usize) -> u64 {
        self.row(y).get(word).copied().unwrap_or(0)
    }

    fn row_mut(&mut self, y: usize) -> &mut [u64] {
        &mut self.bits[y * self.words..][..self.words]
    }

    fn insert(&mut self, y: usize, block: usize) {
        self.row_mut(y)[block / 64] |= 1 << (block % 64);
    }

    fn holds_any(&self, y: usize) -> bool {
        self.row(y).iter().any(|&word| word != 0)
    }

    fn clone_from_set(&mut self, other: &Self) {
        self.words = other.words;
        self.bits.clone_from(&other.bits);
    }
}

/// The texels that runs of neighbouring blocks cover, from the left. The words are of one row.
pub(crate) fn runs(words: impl Iterator<Item = u64>, mut visit: impl FnMut(Range<usize>)) {
    let mut open: Option<usize> = None;
    let mut end = 0;
    for (word, first) in words.zip((0..).step_by(64)) {
        end = first + 64;
        let (mut rest, mut at) = (word, 0);
        while at < 64 {
            // Zeros up to the next run, or ones up to its end.
            let ones = open.is_some();
            let length = if ones { (!rest).trailing_zeros() } else { rest.trailing_zeros() }.min(64 - at);
            at += length;
            rest = rest.checked_shr(length).unwrap_or(0);
            if at < 64 {
                open = match open {
                    Some(start) => {
                        visit(start * BLOCK..(first + at as usize) * BLOCK);
                        None
                    }
                    None => Some(first + at as usize),
                };
            }
        }
    }
    if let Some(start) = open {
        visit(start * BLOCK..end * BLOCK);
    }
}

/// The blocks of a canvas that may hold wet blood.
#[derive(Debug, Default)]
pub(crate) struct WetBlocks {
    blocks: usize,
    wet: BlockSet,
    /// Wet within [`REACH`] of the block's left end, and of its right end.
    left: BlockSet,
    right: BlockSet,
    /// The rows that have any; empty when nothing is wet.
    rows: Range<usize>,
}

impl Clone for WetBlocks {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.blocks = other.blocks;
        self.wet.clone_from_set(&other.wet);
        self.left.clone_from_set(&other.left);
        self.right.clone_from_set(&other.right);
        self.rows = other.rows.clone();
    }
}

impl WetBlocks {
    /// None wet, for so many rows of so many texels, a multiple of [`BLOCK`].
    pub fn new(rows: usize, stride: usize) -> Self {
        let blocks = stride / BLOCK;
        let none = BlockSet::new(rows, blocks);
        Self { blocks, wet: none.clone(), left: none.clone(), right: none, rows: 0..0 }
    }

    /// The rows that may hold wet blood.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Says that the texels `x` of row `y` may be wet.
    pub fn insert(&mut self, y: usize, x: Range<usize>) {
        for block in x.start / BLOCK..x.end.div_ceil(BLOCK) {
            self.wet.insert(y, block);
            self.left.insert(y, block);
            self.right.insert(y, block);
        }
        self.rows = if self.rows.is_empty() { y..y + 1 } else { self.rows.start.min(y)..self.rows.end.max(y + 1) };
    }

    /// Forgets everything that was said of a row.
    pub fn clear_row(&mut self, y: usize) {
        for set in [&mut self.wet, &mut self.left, &mut self.right] {
            set.row_mut(y).fill(0);
        }
    }

    /// Notes one block after a tick: the coverage of each of its texels that is wet, 0 for the others.
    pub fn note(&mut self, y: usize, block: usize, wet: &[u8; BLOCK]) {
        if u128::from_ne_bytes(*wet) == 0 {
            return;
        }
        self.wet.insert(y, block);
        if wet[..REACH].iter().any(|&amount| amount != 0) {
            self.left.insert(y, block);
        }
        if wet[BLOCK - REACH..].iter().any(|&amount| amount != 0) {
            self.right.insert(y, block);
        }
    }

    /// Says that only rows of `rows` hold wet blood, and finds which of them do.
    pub fn keep_rows(&mut self, rows: Range<usize>) {
        let first = rows.clone().find(|&y| self.wet.holds_any(y));
        let last = rows.rev().find(|&y| self.wet.holds_any(y));
        self.rows = match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        };
    }

    /// The blocks a tick can change, given which way parcels step along y: those that hold wet blood, those it can drip into, and
    /// those that it can creep into from either. Returns the rows they are in.
    pub fn reached(&self, step_y: isize, reached: &mut Reached) -> Range<usize> {
        let height = if self.wet.words == 0 { 0 } else { self.wet.bits.len() / self.wet.words };
        let rows = self.rows.start.saturating_sub(2)..(self.rows.end + 2).min(height);
        reached.reset(rows.start, rows.len(), self.wet.words);
        for y in rows.clone() {
            for word in 0..self.wet.words {
                let beside = self.beside(y, word, step_y);
                // What is reached along the row may creep one row on, up and down.
                for near in y.saturating_sub(1).max(rows.start)..(y + 2).min(rows.end) {
                    reached.row_mut(near)[word] |= beside;
                }
            }
        }
        rows
    }

    /// One word of what is wet in row `y` after the drip, with the neighbours in the row that it can reach.
    fn beside(&self, y: usize, word: usize, step_y: isize) -> u64 {
        // A row before the first wraps to one that no canvas has, and so is empty.
        let source = y.wrapping_add_signed(-step_y);
        let both = |set: &BlockSet, word: usize| set.word(y, word) | set.word(source, word);
        let leftwards = |word: usize| both(&self.left, word);
        let rightwards = |word: usize| both(&self.right, word);
        let from_right = leftwards(word) >> 1 | leftwards(word + 1) << 63;
        let from_left = rightwards(word) << 1 | word.checked_sub(1).map_or(0, |before| rightwards(before) >> 63);
        let exist = match self.blocks - word * 64 {
            0..64 => (1 << (self.blocks - word * 64)) - 1,
            _ => u64::MAX,
        };
        (both(&self.wet, word) | from_right | from_left) & exist
    }
}

/// What one tick walks: a set of blocks for each of some rows. Kept between ticks to spare an allocation.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    first: usize,
    set: BlockSet,
}

impl Reached {
    fn reset(&mut self, first: usize, rows: usize, words: usize) {
        self.first = first;
        self.set.words = words;
        self.set.bits.clear();
        self.set.bits.resize(rows * words, 0);
    }

    fn row_mut(&mut self, y: usize) -> &mut [u64] {
        self.set.row_mut(y - self.first)
    }

    /// Words a row.
    pub fn words(&self) -> usize {
        self.set.words
    }

    /// One word of row `y`, which may lie outside: 0 there.
    pub fn word(&self, y: isize, word: usize) -> u64 {
        usize::try_from(y - self.first as isize).map_or(0, |y| self.set.word(y, word))
    }

    /// All words of row `y`, which may lie outside.
    pub fn row(&self, y: isize) -> impl Iterator<Item = u64> + '_ {
        (0..self.set.words).map(move |word| self.word(y, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(words: &[u64]) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        runs(words.iter().copied(), |run| all.push(run.start / BLOCK..run.end / BLOCK));
        all
    }

    #[test]
    fn runs_are_whole_even_across_words() {
        assert_eq!(ranges(&[]), []);
        assert_eq!(ranges(&[0, 0]), []);
        assert_eq!(ranges(&[0b1011_0001]), [0..1, 4..6, 7..8]);
        assert_eq!(ranges(&[u64::MAX, u64::MAX]), [0..128]);
        assert_eq!(ranges(&[1 << 63, 0b11]), [63..66]);
        assert_eq!(ranges(&[1 << 63, 0b10, 1 << 63]), [63..64, 65..66, 191..192]);
    }

    #[test]
    fn only_what_blood_can_reach_is_walked() {
        let mut wet = WetBlocks::new(20, 20 * BLOCK);
        let mut middle = [0; BLOCK];
        middle[7] = 9;
        wet.note(10, 5, &middle);
        wet.keep_rows(0..20);
        assert_eq!(wet.rows(), 10..11);
        let mut reached = Reached::default();
        assert_eq!(wet.reached(1, &mut reached), 8..13);
        let rows: Vec<u64> = (8..13).map(|y| reached.word(y, 0)).collect();
        assert_eq!(rows, [0, 1 << 5, 1 << 5, 1 << 5, 1 << 5], "a drip down, and one more row by creeping");
        wet.reached(-1, &mut reached);
        assert_eq!(reached.word(8, 0), 1 << 5);
        assert_eq!(reached.word(12, 0), 0);
    }

    #[test]
    fn an_end_wakes_the_block_beside_it_and_none_outside_the_canvas() {
        let mut wet = WetBlocks::new(1, 65 * BLOCK);
        let mut ends = [0; BLOCK];
        (ends[1], ends[BLOCK - 2]) = (1, 1);
        let mut reached = Reached::default();
        for block in [0, 63, 64] {
            wet.clear_row(0);
            wet.note(0, block, &ends);
            wet.keep_rows(0..1);
            wet.reached(0, &mut reached);
            let expected: Vec<usize> = (block.saturating_sub(1)..=(block + 1).min(64)).collect();
            let found: Vec<usize> = (0..128).filter(|b| reached.word(0, b / 64) >> (b % 64) & 1 == 1).collect();
            assert_eq!(found, expected);
        }
    }
}
