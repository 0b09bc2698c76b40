//! One list of scripts, and one number for each kind of them: what has to be the same on every kind of machine.
//!
//! A number folds, with FNV-1a, the digest of every script after every tick, what its rays hit, and the bytes of both textures and of the
//! saved canvas at its end. The lists are in [`lists`]. `cargo xtask prove` runs this on all the targets that a machine can run; the
//! test beside it holds the numbers in `cargo test`; the module that it makes for wasm32 is called by Node.js.

pub mod lists;

use bevy_wetmap::script::Script;
use bevy_wetmap::{SizeError, Wetmap};

/// FNV-1a, 64 bits, written out again: a proof that used what it proves would prove less.
#[derive(Clone, Copy, Debug)]
struct Fold(u64);

impl Fold {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The number of one list of scripts.
///
/// # Errors
/// [`SizeError`] when a script's canvas cannot be had.
pub fn fold(scripts: &[Script]) -> Result<u64, SizeError> {
    let mut fold = Fold(0xcbf2_9ce4_8422_2325);
    for script in scripts {
        let mut end: Option<Wetmap> = None;
        let hits = script.play(|after, map| {
            fold.bytes(&map.digest().to_le_bytes());
            if after == script.ticks {
                end = Some(map.clone());
            }
        })?;
        hits.iter().for_each(|&hit| fold.bytes(&[hit.into()]));
        if let Some(map) = end {
            fold.bytes(map.albedo_bytes());
            fold.bytes(map.roughness_bytes());
            fold.bytes(&map.save());
            fold.bytes(&map.wetted_area().to_bits().to_le_bytes());
        }
    }
    Ok(fold.0)
}

/// How much of the lists is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// How many scripts are generated.
    pub generated: u32,
    /// Scripts of more texels times ticks are left out. For interpreters.
    pub largest: u32,
}

impl Amount {
    /// All there is.
    pub const ALL: Self = Self { generated: 1000, largest: u32::MAX };
}

/// The numbers of the published cases, of the corners, and of the generated scripts. A published case that does not give what was
/// published makes its number 0, and so does a script that cannot be played.
pub fn numbers(amount: Amount) -> [u64; 3] {
    let fits = |script: &Script| u64::from(script.size).pow(2) * u64::from(script.ticks) <= u64::from(amount.largest);
    let some = |list: Vec<Script>| -> Vec<Script> { list.into_iter().filter(fits).collect() };
    let published = some(lists::published());
    let met = published.iter().all(|case| case.replay().is_ok_and(|replay| case.is_met_by(&replay)));
    let number = |scripts: &[Script]| fold(scripts).unwrap_or(0);
    let published = if met { number(&published) } else { 0 };
    [published, number(&some(lists::corners())), number(&some(lists::generated(amount.generated)))]
}

/// For wasm32: number `list` of [`numbers`].
// SAFETY: the name is this module's only one, and nothing else is linked into it.
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn wetmap_proof(list: u32, generated: u32, largest: u32) -> u64 {
    numbers(Amount { generated, largest }).get(list as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed on x86-64 and, by `cargo xtask prove`, on the others. They change when the model does, which it must not, or these lists.
    #[test]
    fn the_numbers_are_those_of_every_machine() {
        let numbers = numbers(Amount { generated: 100, ..Amount::ALL }).map(|number| format!("{number:016x}"));
        assert_eq!(numbers, ["5d9c52fe997beaf1", "05b37ddcb1b39932", "d4f33cb6c03c1c6d"]);
    }

    #[test]
    fn another_script_is_another_number() {
        let scripts = lists::generated(40);
        let mut fewer = scripts.clone();
        fewer.pop();
        assert_ne!(fold(&scripts), fold(&fewer));
        assert!(scripts.iter().any(|script| script.mesh.is_some()));
    }
}
