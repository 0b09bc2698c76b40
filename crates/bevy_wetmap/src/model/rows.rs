//! A set of rows: those of the picture that have changed since it was last taken, so that no others need be sent anywhere.

use std::ops::Range;

/// Rows of a texture, by number from the first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// A bit a row.
    words: Vec<u64>,
}

impl Clone for Rows {
    fn clone(&self) -> Self {
        Self { words: self.words.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
    }
}

impl Rows {
    /// None of a texture of so many rows, with room for all.
    pub fn none_of(rows: u32) -> Self {
        Self { words: vec![0; rows.div_ceil(u64::BITS) as usize] }
    }

    /// Adds one.
    pub fn insert(&mut self, row: u32) {
        let word = (row / u64::BITS) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (row % u64::BITS);
    }

    /// Adds the first `rows` of them.
    pub fn insert_all(&mut self, rows: u32) {
        (0..rows).for_each(|row| self.insert(row));
    }

    /// Adds those of another set.
    pub fn union(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether a row is one of them.
    pub fn contains(&self, row: u32) -> bool {
        self.words.get((row / u64::BITS) as usize).is_some_and(|word| word >> (row % u64::BITS) & 1 == 1)
    }

    /// Neighbours together, from the first on.
    pub fn runs(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let end = self.words.len() as u32 * u64::BITS;
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = (next..end).find(|row| self.contains(*row))?;
            next = (start..end).find(|row| !self.contains(*row)).unwrap_or(end);
            Some(start..next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_neighbours_across_words() {
        let mut rows = Rows::none_of(130);
        assert!(rows.is_empty() && rows.runs().next().is_none());
        for row in [0, 1, 62, 63, 64, 65, 129] {
            rows.insert(row);
        }
        assert_eq!(rows.runs().collect::<Vec<_>>(), [0..2, 62..66, 129..130]);
        assert_eq!(rows.count(), 7);
        let mut other = Rows::none_of(1);
        other.insert(2);
        other.union(&rows);
        assert_eq!(other.runs().collect::<Vec<_>>(), [0..3, 62..66, 129..130]);
        other.clear();
        assert!(other.is_empty());
        other.insert_all(128);
        assert!(other.runs().eq(std::iter::once(0..128)));
    }
}
