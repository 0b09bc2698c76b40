//! Where on a canvas something is still wet, in blocks of [`BLOCK`] texels of a row: what a tick has to walk, and nothing else.
//!
//! Each row has sets of blocks as bits: which hold wet blood, which hold enough of it to creep or to drip, and which do within
//! [`REACH`] texels of an end. So a stain does not wake the blocks around it before its blood can get there, and one that has come to rest
//! wakes none. A bit that is set without need costs time; one that is missing would be a wrong digest. So everything here errs towards
//! setting.

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

/// Sets of blocks, one a row, in words of 64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockSet {
    rows: usize,
    words: usize,
    bits: Vec<u64>,
}

impl BlockSet {
    fn new(rows: usize, blocks: usize) -> Self {
        let words = blocks.div_ceil(64);
        Self { rows, words, bits: vec![0; rows * words] }
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
        (self.rows, self.words) = (other.rows, other.words);
        self.bits.clone_from(&other.bits);
    }
}

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

/// The sets of [`WetBlocks`], by number.
const WET: usize = 0;
const CREEPS: usize = 1;
const DRIPS: usize = 2;
const LEFT: usize = 3;
const RIGHT: usize = 4;

/// The blocks of a canvas that may hold wet blood.
#[derive(Debug, Default)]
pub(crate) struct WetBlocks {
    blocks: usize,
    sets: [BlockSet; 5],
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
        for (set, other) in self.sets.iter_mut().zip(&other.sets) {
            set.clone_from_set(other);
        }
        self.rows = other.rows.clone();
    }
}

impl WetBlocks {
    /// None wet, for so many rows of so many texels, a multiple of [`BLOCK`].
    pub fn new(rows: usize, stride: usize) -> Self {
        let blocks = stride / BLOCK;
        Self { blocks, sets: std::array::from_fn(|_| BlockSet::new(rows, blocks)), rows: 0..0 }
    }

    /// The rows that may hold wet blood.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Says that the texels `x` of row `y` may be wet, and may move.
    pub fn insert(&mut self, y: usize, x: Range<usize>) {
        for block in x.start / BLOCK..x.end.div_ceil(BLOCK) {
            self.sets.iter_mut().for_each(|set| set.insert(y, block));
        }
        self.rows = if self.rows.is_empty() { y..y + 1 } else { self.rows.start.min(y)..self.rows.end.max(y + 1) };
    }

    /// Forgets everything that was said of a row.
    pub fn clear_row(&mut self, y: usize) {
        self.sets.iter_mut().for_each(|set| set.row_mut(y).fill(0));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.sets.iter_mut().for_each(|set| set.bits.fill(0));
        self.rows = 0..0;
    }

    /// Notes the blocks from `first` on after a tick, by the [`class`] of each of their texels.
    pub fn note(&mut self, y: usize, first: usize, classes: &[u8]) {
        let (mut rest, _) = classes.as_chunks::<BLOCK>();
        let mut block = first;
        while !rest.is_empty() {
            let (word, bit) = (block / 64, block % 64);
            let (now, later) = rest.split_at(rest.len().min(64 - bit));
            let mut found = [0u64; 5];
            for (classes, bit) in now.iter().zip(bit..) {
                let classes = u64::from_le_bytes(*classes);
                found[WET] |= u64::from(classes != 0) << bit;
                found[CREEPS] |= u64::from(classes & everywhere(class::CREEPS) != 0) << bit;
                found[DRIPS] |= u64::from(classes & everywhere(class::DRIPS) != 0) << bit;
                found[LEFT] |= u64::from(classes & MOVES_LEFT != 0) << bit;
                found[RIGHT] |= u64::from(classes & MOVES_RIGHT != 0) << bit;
            }
            for (set, found) in self.sets.iter_mut().zip(found) {
                set.row_mut(y)[word] |= found;
            }
            block += now.len();
            rest = later;
        }
    }

    /// Says that only rows of `rows` hold wet blood, and finds which of them do.
    pub fn keep_rows(&mut self, rows: Range<usize>) {
        let first = rows.clone().find(|&y| self.sets[WET].holds_any(y));
        let last = rows.rev().find(|&y| self.sets[WET].holds_any(y));
        self.rows = match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        };
    }

    /// The blocks a tick can change, given which way parcels step along y: those that hold wet blood, those it can drip into, and
    /// those that it can creep into from either. Returns the rows they are in.
    pub fn reached(&self, step_y: isize, reached: &mut Reached) -> Range<usize> {
        let (height, words) = (self.sets[WET].rows, self.sets[WET].words);
        let rows = self.rows.start.saturating_sub(2)..(self.rows.end + 2).min(height);
        reached.reset(&rows, height, words);
        for y in rows.clone() {
            for word in 0..words {
                let (here, beyond) = self.reach_of(y, word, step_y);
                reached.row_mut(y)[word] |= here;
                if beyond != 0 {
                    for near in [y.wrapping_sub(1), y + 1].into_iter().filter(|near| rows.contains(near)) {
                        reached.row_mut(near)[word] |= beyond;
                    }
                }
            }
        }
        rows
    }

    /// One word of the blocks of row `y` that a tick can change from there, and of those above and below them that it can.
    fn reach_of(&self, y: usize, word: usize, step_y: isize) -> (u64, u64) {
        // A row before the first wraps to one that no canvas has, and so is empty.
        let source = y.wrapping_add_signed(-step_y);
        let set = |set: usize, word: usize| self.sets[set].word(y, word) | self.sets[set].word(source, word);
        let from_right = set(LEFT, word) >> 1 | set(LEFT, word + 1) << 63;
        let from_left = set(RIGHT, word) << 1 | word.checked_sub(1).map_or(0, |before| set(RIGHT, before) >> 63);
        let exist = match self.blocks - word * 64 {
            0..64 => (1 << (self.blocks - word * 64)) - 1,
            _ => u64::MAX,
        };
        let beside = (from_right | from_left) & exist;
        let dripped_on = self.sets[DRIPS].word(source, word);
        (self.sets[WET].word(y, word) | dripped_on | beside, self.sets[CREEPS].word(y, word) | dripped_on | beside)
    }
}

/// What one tick walks: a set of blocks for each of some rows. Kept between ticks to spare an allocation.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    first: usize,
    set: BlockSet,
}

impl Reached {
    /// Empty, for `rows` of a canvas that has `height`. Room for all of them is made at once, so that later ticks make none.
    fn reset(&mut self, rows: &Range<usize>, height: usize, words: usize) {
        self.first = rows.start;
        (self.set.rows, self.set.words) = (rows.len(), words);
        self.set.bits.clear();
        self.set.bits.reserve(height * words);
        self.set.bits.resize(rows.len() * words, 0);
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
        wet.note(y, block, &classes);
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
