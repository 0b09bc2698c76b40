//! The random numbers of the sea: an integer hash of a frequency's place in the grid, the same here and in WGSL.
//!
//! Keyed on the **signed, centred** index, so a 64² and a 1024² grid draw the same number for the same wave: a finer grid
//! refines the sea and does not re-roll it. The hash is pcg3d of Jarzynski & Olano, *Hash Functions for GPU Rendering* (2020).

/// pcg3d: three words in, three well-mixed words out. Wrapping arithmetic throughout.
pub fn pcg3d(v: [u32; 3]) -> [u32; 3] {
    let [mut x, mut y, mut z] = v.map(|word| word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    x = x.wrapping_add(y.wrapping_mul(z));
    y = y.wrapping_add(z.wrapping_mul(x));
    z = z.wrapping_add(x.wrapping_mul(y));
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    x = x.wrapping_add(y.wrapping_mul(z));
    y = y.wrapping_add(z.wrapping_mul(x));
    z = z.wrapping_add(x.wrapping_mul(y));
    [x, y, z]
}

/// The seed of cascade number `cascade` of a sea with seed `seed`. Cascades that shared one would be one realisation, rescaled.
pub fn cascade_seed(seed: u32, cascade: u32) -> u32 {
    pcg3d([seed, cascade, 0x9E37_79B9])[0]
}

/// Two independent unit normals for the wave (i_x, i_z), by Box and Muller. At most 5.77 in size: u ≥ 2⁻²⁴.
pub fn unit_normals(ix: i32, iz: i32, seed: u32) -> [f64; 2] {
    let [first, second, _] = pcg3d([ix as u32, iz as u32, seed]);
    let uniform = f64::from((first >> 8) + 1) * (1.0 / 16_777_216.0);
    let angle = f64::from(second) * (std::f64::consts::TAU / 4_294_967_296.0);
    let radius = libm::sqrt(-2.0 * libm::log(uniform));
    let (sin, cos) = libm::sincos(angle);
    [radius * cos, radius * sin]
}
