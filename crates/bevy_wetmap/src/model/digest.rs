//! The number under the picture: FNV-1a (Fowler, Noll & Vo, 1991), 64 bits, over the state.
//!
//! Chosen because anyone can write it in ten lines in any language and get the same number. It is a checksum against accident and
//! difference, not against an adversary.

use super::passes::Texel;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// Each texel in order: the amount byte, then the age as two little-endian bytes.
pub(crate) fn fnv1a(texels: &[Texel]) -> u64 {
    texels.iter().fold(OFFSET_BASIS, |hash, &(amount, age)| {
        let [low, high] = age.to_le_bytes();
        [amount, low, high].into_iter().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        assert_eq!(fnv1a(&[]), OFFSET_BASIS);
        // FNV-1a 64 of "foobar", from the authors' test vectors: "foo" and "bar" as two texels.
        let texel = |s: &[u8; 3]| (s[0], u16::from_le_bytes([s[1], s[2]]));
        assert_eq!(fnv1a(&[texel(b"foo"), texel(b"bar")]), 0x8594_4171_f739_67e8);
    }
}
