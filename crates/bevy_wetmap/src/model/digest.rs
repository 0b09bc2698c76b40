//! The number under the picture: FNV-1a (Fowler, Noll & Vo, 1991), 64 bits, over the state.
//!
//! Chosen because anyone can write it in ten lines in any language and get the same number. It is a checksum against accident and
//! difference, not against an adversary.

use super::blocks::BLOCK;
use super::state::State;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// A hash that is still taking bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fnv1a(u64);

impl Fnv1a {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self(OFFSET_BASIS)
    }

    /// Takes one byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
    }

    /// Takes some bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    /// Takes one texel: the amount byte, then the age as two little-endian bytes.
    #[inline(always)]
    pub fn texel(&mut self, amount: u8, age: u16) {
        let [low, high] = age.to_le_bytes();
        self.byte(amount);
        self.byte(low);
        self.byte(high);
    }

    /// The hash of what was taken.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The prime to the power of all bytes of a block: what a block of zeros does to the hash.
const EMPTY_BLOCK: u64 = {
    let (mut power, mut bytes) = (1u64, 0);
    while bytes < 3 * BLOCK {
        power = power.wrapping_mul(PRIME);
        bytes += 1;
    }
    power
};

/// Each texel of the canvas in row-major order.
pub(crate) fn digest(state: &State) -> u64 {
    let mut hash = Fnv1a::new();
    for row in state.rows() {
        for (amounts, ages) in row.amounts.chunks(BLOCK).zip(row.ages.chunks(BLOCK)) {
            // An empty texel has age 0, and to take a zero is to multiply: a whole empty block is one multiplication.
            if let Ok(block) = <[u8; BLOCK]>::try_from(amounts)
                && u64::from_ne_bytes(block) == 0
            {
                hash.0 = hash.0.wrapping_mul(EMPTY_BLOCK);
                continue;
            }
            for (&amount, &age) in amounts.iter().zip(ages) {
                hash.texel(amount, age);
            }
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        assert_eq!(Fnv1a::new().finish(), OFFSET_BASIS);
        // FNV-1a 64 of "foobar", from the authors' test vectors: "foo" and "bar" as two texels.
        let mut hash = Fnv1a::new();
        for three in [b"foo", b"bar"] {
            hash.texel(three[0], u16::from_le_bytes([three[1], three[2]]));
        }
        assert_eq!(hash.finish(), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn empty_blocks_are_hashed_like_any() {
        for size in [1, 15, 16, 17, 33, 64] {
            let mut state = State::new(size);
            state.set_texel(size / 2, size / 3, (7, 300));
            state.set_texel(size - 1, size - 1, (255, 65_535));
            let mut hash = Fnv1a::new();
            for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
                let (amount, age) = state.texel(x, y);
                hash.texel(amount, age);
            }
            assert_eq!(digest(&state), hash.finish(), "{size}");
        }
    }
}
