//! Where on a canvas something is still wet, in blocks of [`BLOCK`] texels of a row: what a tick has to walk, and nothing else.
//!
//! Each row has sets of blocks as bits: which hold wet blood, which hold enough of it to creep or to drip, and which do within
//! [`REACH`] texels of an end. So a stain does not wake the blocks around it before its blood can get there, and one that has come to rest
//! wakes none. A bit that is set without need costs time; one that is missing would be a wrong digest. So everything here errs towards
//! setting.

use super::lanes::{Lanes, wide};
use std::ops::Range;

/// Texels of one block. A whole vector register of 16-bit lanes on every target, and small enough that a speck wakes little around it.
pub(crate) const BLOCK: usize = 8;

/// How far blood gets along a row in one tick: one texel by drip and one by spread.
const REACH: usize = 2;

/// What wet blood in a texel can do in the next tick, as bits of one byte a texel. 0 where nothing is wet.
pub(crate) mod class {
    /// There is some.
    pub const WET: u16 = 1;
    /// Enough for a flux to a bare neighbour.
    pub const CREEPS: u16 = 2;
    /// More than the threshold.
    pub const DRIPS: u16 = 4;
}

/// One class bit of every texel of a block, the first texel in the lowest byte.
const fn everywhere(class: u16) -> u64 {
    class as u64 * 0x0101_0101_0101_0101
}

/// What moves within [`REACH`] of the left end, and of the right end.
const MOVES_LEFT: u64 = everywhere(class::CREEPS | class::DRIPS) & ((1 << (8 * REACH)) - 1);
const MOVES_RIGHT: u64 = MOVES_LEFT << (8 * (BLOCK - REACH));

/// The texels that runs of neighbouring blocks cover, from the left. The words are of one row.
pub(crate) fn runs(words: impl Iterator<Item = u64>, mut visit: impl FnMut(Range<usize>)) {
    // A run that reached the end of a word may go on in the next.
    let mut open: Option<usize> = None;
    let mut end = 0;
    for (mut word, first) in words.zip((0..).step_by(64)) {
        if let Some(start) = open {
            let more = word.trailing_ones() as usize;
            if more == 64 {
                end = first + 64;
                continue;
            }
            visit(start * BLOCK..(first + more) * BLOCK);
            word &= u64::MAX << more;
            open = None;
        }
        while word != 0 {
            let start = word.trailing_zeros() as usize;
            let length = (word >> start).trailing_ones() as usize;
            if start + length == 64 {
                open = Some(first + start);
                end = first + 64;
                break;
            }
            visit((first + start) * BLOCK..(first + start + length) * BLOCK);
            word &= u64::MAX << (start + length);
        }
    }
    if let Some(start) = open {
        visit(start * BLOCK..end * BLOCK);
    }
}

/// 64 blocks of a row, a bit each: the sets that a block can be in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    wet: u64,
    creeps: u64,
    drips: u64,
    /// Moves within [`REACH`] of the block's left end, and of its right end.
    left: u64,
    right: u64,
}

impl Marks {
    fn sets(&mut self) -> [&mut u64; 5] {
        [&mut self.wet, &mut self.creeps, &mut self.drips, &mut self.left, &mut self.right]
    }
}

wide! {
    /// The sets of [`Marks`] in their order, for up to 64 blocks of which the first has bit number `first`.
    fn found_in(blocks: &[[u8; BLOCK]], first: u32) -> [u64; 5] {
        let mut found = [0; 5];
        for (classes, bit) in blocks.iter().zip(u64::from(first)..) {
            // The first texel in the lowest byte, whatever the machine's order.
            let classes = u64::from_le_bytes(*classes);
            found[0] |= u64::from(classes != 0) << bit;
            found[1] |= u64::from(classes & everywhere(class::CREEPS) != 0) << bit;
            found[2] |= u64::from(classes & everywhere(class::DRIPS) != 0) << bit;
            found[3] |= u64::from(classes & MOVES_LEFT != 0) << bit;
            found[4] |= u64::from(classes & MOVES_RIGHT != 0) << bit;
        }
        found
    }
}

/// The blocks of a canvas that may hold wet blood.
#[derive(Debug, Default)]
pub(crate) struct WetBlocks {
    blocks: usize,
    /// Words a row.
    words: usize,
    height: usize,
    marks: Vec<Marks>,
    /// The rows that have any; empty when nothing is wet.
    rows: Range<usize>,
}

impl Clone for WetBlocks {
    fn clone(&self) -> Self {
        Self { marks: self.marks.clone(), rows: self.rows.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        (self.blocks, self.words, self.height) = (other.blocks, other.words, other.height);
        self.marks.clone_from(&other.marks);
        self.rows = other.rows.clone();
    }
}

impl WetBlocks {
    /// None wet, for so many rows of so many texels, a multiple of [`BLOCK`].
    pub fn new(rows: usize, stride: usize) -> Self {
        let blocks = stride / BLOCK;
        let words = blocks.div_ceil(64);
        Self { blocks, words, height: rows, marks: vec![Marks::default(); rows * words], rows: 0..0 }
    }

    /// The rows that may hold wet blood.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// One word of one row; nothing outside the canvas.
    #[inline(always)]
    fn word(&self, y: usize, word: usize) -> Marks {
        if y < self.height && word < self.words { self.marks[y * self.words + word] } else { Marks::default() }
    }

    fn row_mut(&mut self, y: usize) -> &mut [Marks] {
        &mut self.marks[y * self.words..][..self.words]
    }

    /// Says that the texels `x` of row `y` may be wet, and may move.
    pub fn insert(&mut self, y: usize, x: Range<usize>) {
        let row = self.row_mut(y);
        for block in x.start / BLOCK..x.end.div_ceil(BLOCK) {
            let bit = 1 << (block % 64);
            row[block / 64].sets().into_iter().for_each(|set| *set |= bit);
        }
        self.rows = if self.rows.is_empty() { y..y + 1 } else { self.rows.start.min(y)..self.rows.end.max(y + 1) };
    }

    /// Forgets everything that was said of a row.
    pub fn clear_row(&mut self, y: usize) {
        self.row_mut(y).fill(Marks::default());
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.marks.fill(Marks::default());
        self.rows = 0..0;
    }

    /// Notes the blocks from `first` on after a tick, by the [`class`] of each of their texels.
    pub fn note(&mut self, lanes: Lanes, y: usize, first: usize, classes: &[u8]) {
        let (mut rest, _) = classes.as_chunks::<BLOCK>();
        let mut block = first;
        while !rest.is_empty() {
            let (word, bit) = (block / 64, block % 64);
            let (now, later) = rest.split_at(rest.len().min(64 - bit));
            let marks = &mut self.row_mut(y)[word];
            let found = found_in(lanes, now, bit as u32);
            for (set, found) in marks.sets().into_iter().zip(found) {
                *set |= found;
            }
            block += now.len();
            rest = later;
        }
    }

    /// Says that only rows of `rows` hold wet blood, and finds which of them do.
    pub fn keep_rows(&mut self, rows: Range<usize>) {
        let is_wet = |y: &usize| (0..self.words).any(|word| self.word(*y, word).wet != 0);
        let (first, last) = (rows.clone().find(is_wet), rows.rev().find(is_wet));
        self.rows = match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        };
    }

    /// The blocks a tick can change, given which way parcels step along y: those that hold wet blood, those it can drip into, and
    /// those that it can creep into from either. Returns the rows they are in.
    pub fn reached(&self, step_y: isize, reached: &mut Reached) -> Range<usize> {
        let words = self.words;
        let rows = self.rows.start.saturating_sub(2)..(self.rows.end + 2).min(self.height);
        reached.reset(&rows, self.height, words);
        for y in rows.clone() {
            let at = (y - rows.start) * words;
            for word in 0..words {
                let (here, beyond) = self.reach_of(y, word, step_y);
                let bits = &mut reached.bits;
                bits[at + word] |= here;
                if y > rows.start {
                    bits[at + word - words] |= beyond;
                }
                if y + 1 < rows.end {
                    bits[at + word + words] |= beyond;
                }
            }
        }
        rows
    }

    /// One word of the blocks of row `y` that a tick can change from there, and of those above and below them that it can.
    #[inline(always)]
    fn reach_of(&self, y: usize, word: usize, step_y: isize) -> (u64, u64) {
        // A row before the first wraps to one that no canvas has, and so is empty.
        let source = y.wrapping_add_signed(-step_y);
        let (here, from) = (self.word(y, word), self.word(source, word));
        let mut from_right = (here.left | from.left) >> 1;
        let mut from_left = (here.right | from.right) << 1;
        if self.words > 1 {
            from_right |= (self.word(y, word + 1).left | self.word(source, word + 1).left) << 63;
            let before = word.wrapping_sub(1);
            from_left |= (self.word(y, before).right | self.word(source, before).right) >> 63;
        }
        let exist = match self.blocks - word * 64 {
            0..64 => (1 << (self.blocks - word * 64)) - 1,
            _ => u64::MAX,
        };
        let beside = (from_right | from_left) & exist;
        (here.wet | from.drips | beside, here.creeps | from.drips | beside)
    }
}

/// What one tick walks: a set of blocks for each of some rows. Kept between ticks to spare an allocation.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    first: usize,
    rows: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Reached {
    /// Empty, for `rows` of a canvas that has `height`. Room for all of them is made at once, so that later ticks make none.
    fn reset(&mut self, rows: &Range<usize>, height: usize, words: usize) {
        (self.first, self.rows, self.words) = (rows.start, rows.len(), words);
        self.bits.clear();
        self.bits.reserve(height * words);
        self.bits.resize(rows.len() * words, 0);
    }

    /// Words a row.
    pub fn words(&self) -> usize {
        self.words
    }

    /// One word of row `y`, which may lie outside: 0 there.
    #[inline(always)]
    pub fn word(&self, y: isize, word: usize) -> u64 {
        // A row before the first wraps to one that is past the last.
        let row = y.wrapping_sub(self.first as isize) as usize;
        if row < self.rows && word < self.words { self.bits[row * self.words + word] } else { 0 }
    }

    /// All words of row `y`, which may lie outside.
    pub fn row(&self, y: isize) -> impl Iterator<Item = u64> + '_ {
        (0..self.words).map(move |word| self.word(y, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(words: &[u64]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        runs(words.iter().copied(), |run| all.push((run.start / BLOCK, run.end / BLOCK)));
        all
    }

    #[test]
    fn runs_are_whole_even_across_words() {
        assert_eq!(ranges(&[]), []);
        assert_eq!(ranges(&[0, 0]), []);
        assert_eq!(ranges(&[0b1011_0001]), [(0, 1), (4, 6), (7, 8)]);
        assert_eq!(ranges(&[u64::MAX, u64::MAX]), [(0, 128)]);
        assert_eq!(ranges(&[u64::MAX, u64::MAX, 0b101]), [(0, 129), (130, 131)]);
        assert_eq!(ranges(&[1 << 63, 0b11]), [(63, 66)]);
        assert_eq!(ranges(&[1 << 63, 0b10, 1 << 63]), [(63, 64), (65, 66), (191, 192)]);
    }

    /// A canvas of one row of classes.
    fn noted(rows: usize, y: usize, blocks: usize, block: usize, classes: [u8; BLOCK]) -> WetBlocks {
        let mut wet = WetBlocks::new(rows, blocks * BLOCK);
        wet.note(Lanes::here(), y, block, &classes);
        wet.keep_rows(0..rows);
        wet
    }

    const ALL: u8 = (class::WET | class::CREEPS | class::DRIPS) as u8;

    #[test]
    fn only_what_blood_can_reach_is_walked() {
        let rows = |class: u8, step| {
            let mut middle = [0; BLOCK];
            middle[4] = class;
            let wet = noted(20, 10, 20, 5, middle);
            assert_eq!(wet.rows(), 10..11);
            let mut reached = Reached::default();
            assert_eq!(wet.reached(step, &mut reached), 8..13);
            assert!((8..13).all(|y| reached.word(y, 0) & !(1 << 5) == 0), "no other block");
            (8..13).filter(|&y| reached.word(y, 0) != 0).collect::<Vec<_>>()
        };
        assert_eq!(rows(ALL, 1), [9, 10, 11, 12], "a drip down, and one more row by creeping");
        assert_eq!(rows(ALL, -1), [8, 9, 10, 11]);
        assert_eq!(rows(class::WET as u8, 1), [10], "blood at rest wakes nothing");
        assert_eq!(rows((class::WET | class::CREEPS) as u8, 1), [9, 10, 11]);
    }

    #[test]
    fn an_end_wakes_the_block_beside_it_and_none_outside_the_canvas() {
        let mut ends = [0; BLOCK];
        (ends[1], ends[BLOCK - 2]) = (ALL, ALL);
        for block in [0, 63, 64] {
            let mut reached = Reached::default();
            noted(1, 0, 65, block, ends).reached(0, &mut reached);
            let expected: Vec<usize> = (block.saturating_sub(1)..=(block + 1).min(64)).collect();
            let found: Vec<usize> = (0..128).filter(|b| reached.word(0, b / 64) >> (b % 64) & 1 == 1).collect();
            assert_eq!(found, expected);
        }
    }
}
