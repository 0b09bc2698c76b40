//! The sea in f64, in the plainest way: every bin of the plane, one inverse transform a field.
//!
//! Nothing here knows of a GPU: what writes the browser tests' expectations includes this file too.

use ocean::{CascadeSpectrum, Clock};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;

/// One bin of the half plane k_z ≥ 0: h₀(k), h₀(−k), and the frequency index of both.
#[derive(Clone, Copy, Debug)]
pub struct Bin {
    pub along: Complex64,
    pub against: Complex64,
    pub frequency: u16,
}

/// h₀ from the CPU's formulas, `[k_z][k_x]` in the transform's order.
pub fn bins_by_formula(spectrum: &CascadeSpectrum, n: u32) -> Vec<Bin> {
    let signed = |j: u32| if j < n / 2 { j as i32 } else { j as i32 - n as i32 };
    let complex = |[re, im]: [f64; 2]| Complex64::new(re, im);
    let mut bins = Vec::with_capacity((n * n / 2) as usize);
    for iz in 0..n / 2 {
        for jx in 0..n {
            let (ix, iz) = (signed(jx), iz as i32);
            let [kx, kz] = spectrum.wave_vector(ix, iz);
            bins.push(Bin {
                along: complex(spectrum.grid_h0(ix, iz, n)),
                against: complex(spectrum.grid_h0(-ix, -iz, n)),
                frequency: ocean::dispersion::frequency_index(kx.hypot(kz), spectrum.depth),
            });
        }
    }
    bins
}

/// The eight fields at one moment, each `[x][z]`: in the order of the GPU's transforms.
pub struct Fields {
    pub n: usize,
    /// ∂D_x/∂x, ∂D_z/∂z, h, ∂D_x/∂z, ∂h/∂x, ∂h/∂z, D_x, D_z.
    pub fields: [Vec<f64>; 8],
}

/// The names of [`Fields::fields`].
pub const NAMES: [&str; 8] = ["dDx/dx", "dDz/dz", "h", "dDx/dz", "dh/dx", "dh/dz", "Dx", "Dz"];

impl Fields {
    /// From the bins of a tile, at `clock`.
    pub fn new(bins: &[Bin], n: u32, tile_length: [f64; 2], clock: Clock) -> Self {
        let n = n as usize;
        let half = n / 2;
        let step = clock.phase_step();
        let mut h = vec![Complex64::default(); n * n];
        for iz in 0..half {
            for jx in 0..n {
                let Bin { along, against, frequency } = bins[iz * n + jx];
                let turn = Complex64::from_polar(1.0, ocean::clock::angle(frequency, step));
                let value = along * turn.conj() + against.conj() * turn;
                h[iz * n + jx] = value;
                if iz > 0 {
                    h[(n - iz) * n + (n - jx) % n] = value.conj();
                }
            }
        }
        let wave = |j: usize, length: f64| {
            let signed = if j < half { j as f64 } else { j as f64 - n as f64 };
            signed * std::f64::consts::TAU / length
        };
        let i = Complex64::i();
        let mut planner = FftPlanner::new();
        let transform = planner.plan_fft_inverse(n);
        let fields = std::array::from_fn(|field| {
            let mut plane: Vec<Complex64> = (0..n * n)
                .map(|at| {
                    let (kx, kz) = (wave(at % n, tile_length[0]), wave(at / n, tile_length[1]));
                    let k = kx.hypot(kz);
                    let over_k = if k > 0.0 { 1.0 / k } else { 0.0 };
                    h[at]
                        * match field {
                            0 => Complex64::from(-kx * kx * over_k),
                            1 => Complex64::from(-kz * kz * over_k),
                            2 => Complex64::from(1.0),
                            3 => Complex64::from(-kx * kz * over_k),
                            4 => i * kx,
                            5 => i * kz,
                            6 => i * kx * over_k,
                            _ => i * kz * over_k,
                        }
                })
                .collect();
            transform.process(&mut plane);
            let mut turned = vec![Complex64::default(); n * n];
            for z in 0..n {
                for x in 0..n {
                    turned[x * n + z] = plane[z * n + x];
                }
            }
            transform.process(&mut turned);
            turned.into_iter().map(|value| value.re).collect()
        });
        Self { n, fields }
    }

    /// What the maps hold at texel (x, z), foam left out: D_x, h, D_z, s², s_x, s_z, J.
    pub fn texel(&self, x: usize, z: usize) -> [f64; 7] {
        let [xx, zz, h, xz, sx, sz, dx, dz] = std::array::from_fn(|field| self.fields[field][x * self.n + z]);
        [dx, h, dz, sx * sx + sz * sz, sx, sz, (1.0 + xx) * (1.0 + zz) - xz * xz]
    }
}

/// Root of the mean square.
pub fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value * value, count + 1));
    (sum / count.max(1) as f64).sqrt()
}
