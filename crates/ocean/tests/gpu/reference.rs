//! What the maps are held against: the sea in f64, from h₀ as the GPU has it or as the formulas give it.

use ocean::gpu::{Engine, Ocean};
use rustfft::num_complex::Complex64;

use crate::device::read_buffer;

pub use crate::f64_sea::{Bin, Fields, NAMES, bins_by_formula, rms};

/// h₀ of one cascade as the GPU holds it, `[k_z][k_x]` in the transform's order.
pub fn bins_of(engine: &Engine, ocean: &Ocean, cascade: u32) -> Vec<Bin> {
    let n = u64::from(ocean.options().resolution.texels());
    let (buffer, offset) = ocean.amplitudes(cascade).expect("the sea has this cascade");
    let bytes = read_buffer(engine, buffer, offset, n * n * 8);
    bytes
        .chunks(16)
        .map(|bin| {
            let words = [0, 4, 8, 12].map(|at| u32::from_le_bytes([bin[at], bin[at + 1], bin[at + 2], bin[at + 3]]));
            let [sum_re, sum_im, difference_im, difference_re] = words.map(|word| f64::from(f32::from_bits(word & !15)));
            let frequency = (0..4).map(|i| ((words[i] & 15) as u16) << (4 * i)).sum();
            Bin {
                along: Complex64::new((sum_re + difference_re) / 2.0, (sum_im + difference_im) / 2.0),
                against: Complex64::new((sum_re - difference_re) / 2.0, (sum_im - difference_im) / 2.0),
                frequency,
            }
        })
        .collect()
}
