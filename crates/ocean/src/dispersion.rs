//! How fast a wave of a given length runs: ω² = g k tanh(k H), its derivative, and ω rounded so that the sea repeats.
//!
//! A phase ωt of a sea that has run for a day is 10⁶ radians, of which `f32` keeps a quarter of one. Tessendorf (2004, §4.2)
//! rounds every ω to a multiple of 2π/T: the sea then repeats after T, and the phase is an integer multiple of one angle, kept
//! modulo a turn in 32 bits. The integers are computed here, once per tile and depth, so that GPU and CPU have the same.

use crate::sea_state::GRAVITY;

/// T, seconds: after this the sea repeats, 68 minutes. Every ω is off by at most π/T = 0.0008 rad/s.
pub const LOOP_SECONDS: f64 = 4096.0;

/// From here on tanh(x) is 1 to the last bit of an `f64`.
const TANH_IS_ONE: f64 = 20.0;

fn tanh(x: f64) -> f64 {
    if x > TANH_IS_ONE { 1.0 } else { libm::tanh(x) }
}

/// Angular frequency in rad/s of the wave number `k` ≥ 0 in rad/m, on water `depth` > 0 metres deep. ω(0) = 0.
pub fn omega(k: f64, depth: f64) -> f64 {
    if k > 0.0 { libm::sqrt(GRAVITY * k * tanh(k * depth)) } else { 0.0 }
}

/// dω/dk in m/s, what the energy of a wave group travels with. √(g H) for k → 0.
pub fn group_speed(k: f64, depth: f64) -> f64 {
    let kh = k * depth;
    // Below this the correction, (kh)²/2, is below the last bit, and ω² may underflow.
    if kh < 1e-8 {
        return libm::sqrt(GRAVITY * depth);
    }
    let tanh = tanh(kh);
    GRAVITY * (tanh + kh * (1.0 - tanh * tanh)) / (2.0 * omega(k, depth))
}

/// ω as a multiple of 2π/[`LOOP_SECONDS`], rounded. Saturates at 65535, ω = 100.5 rad/s: waves under 6.1 mm, which hang
/// on surface tension and not on gravity, then run with that frequency.
pub fn frequency_index(k: f64, depth: f64) -> u16 {
    (omega(k, depth) * (LOOP_SECONDS / std::f64::consts::TAU) + 0.5) as u16
}

/// The angular frequency that a frequency index stands for, rad/s.
pub fn looped_omega(index: u16) -> f64 {
    f64::from(index) * (std::f64::consts::TAU / LOOP_SECONDS)
}

/// [`frequency_index`] of every bin of a `resolution`² grid on a tile of `tile_length` metres (x, z).
///
/// ω depends on |i_x| and |i_z| only, so this is the quarter 0..=N/2 of both: (N/2 + 1)² entries, row |i_z|, column |i_x|.
pub fn frequency_table(tile_length: [f32; 2], depth: f32, resolution: u32) -> Vec<u16> {
    let edge = resolution / 2 + 1;
    let [step_x, step_z] = tile_length.map(|length| std::f64::consts::TAU / f64::from(length));
    let depth = f64::from(depth);
    let mut table = Vec::with_capacity(edge as usize * edge as usize);
    for iz in 0..edge {
        let kz = f64::from(iz) * step_z;
        table.extend((0..edge).map(|ix| {
            let kx = f64::from(ix) * step_x;
            frequency_index(libm::sqrt(kx * kx + kz * kz), depth)
        }));
    }
    table
}
