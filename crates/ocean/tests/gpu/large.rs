//! 2048 and 4096, where a plane of f64 for every field would take gigabytes: whole columns of the maps instead, each from all of the bins.

use ocean::gpu::{Engine, Ocean, Precision, Resolution};
use ocean::{Cascade, Clock, SeaState};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;

use crate::band::{Band, Waves};
use crate::device::{clocks_at, engine, ocean, read_layer};
use crate::reference::{Bin, bins_of, rms};
use crate::running::run;

const CHANNELS: [&str; 7] = ["Dx", "h", "Dz", "s2", "sx", "sz", "J"];

/// Long waves and short ones on one tile that is not square, so that no two of the fields are alike.
fn wide_sea() -> SeaState {
    let cascade = Cascade { tile_length: [900.0, 400.0], wind_speed: 15.0, wind_direction: 70.0, ..Cascade::DEFAULT };
    SeaState { cascades: vec![cascade], ..SeaState::default() }
}

/// The bins of a tile at one moment, from which columns of the maps are summed.
struct Moment {
    n: usize,
    tile: [f64; 2],
    /// h(k, t), `[k_z][k_x]`, k_z ≥ 0.
    h: Vec<Complex64>,
}

impl Moment {
    fn new(bins: &[Bin], n: usize, tile: [f64; 2], clock: Clock) -> Self {
        let step = clock.phase_step();
        let at = |bin: &Bin| {
            let turn = Complex64::from_polar(1.0, ocean::clock::angle(bin.frequency, step));
            bin.along * turn.conj() + bin.against.conj() * turn
        };
        Self { n, tile, h: bins.iter().map(at).collect() }
    }

    /// What the maps hold at (x, z) for all z, foam left out: the sum along k_x by its definition, then a transform along k_z.
    fn column(&self, x: usize) -> Vec<[f64; 7]> {
        let n = self.n;
        let roots: Vec<_> = (0..n).map(|i| Complex64::from_polar(1.0, std::f64::consts::TAU * i as f64 / n as f64)).collect();
        let mut lines: [Vec<Complex64>; 8] = std::array::from_fn(|_| vec![Complex64::default(); n]);
        for iz in 0..n / 2 {
            let sums = self.line(iz, x, &roots);
            for (line, sum) in lines.iter_mut().zip(sums) {
                line[iz] = sum;
                if iz > 0 {
                    line[n - iz] = sum.conj();
                }
            }
        }
        let transform = FftPlanner::new().plan_fft_inverse(n);
        for line in &mut lines {
            transform.process(line);
        }
        let texel = |z: usize| {
            let [xx, zz, h, xz, sx, sz, dx, dz] = std::array::from_fn(|field| lines[field][z].re);
            [dx, h, dz, sx * sx + sz * sz, sx, sz, (1.0 + xx) * (1.0 + zz) - xz * xz]
        };
        (0..n).map(texel).collect()
    }

    /// The eight fields' sums over k_x of one k_z: ∂D_x/∂x, ∂D_z/∂z, h, ∂D_x/∂z, ∂h/∂x, ∂h/∂z, D_x, D_z.
    fn line(&self, iz: usize, x: usize, roots: &[Complex64]) -> [Complex64; 8] {
        let n = self.n;
        let kz = iz as f64 * std::f64::consts::TAU / self.tile[1];
        // h, k_x h, h/k, k_x h/k, k_x² h/k: the others are these times k_z.
        let mut sums = [Complex64::default(); 5];
        for (jx, h) in self.h[iz * n..(iz + 1) * n].iter().enumerate() {
            let signed = if jx < n / 2 { jx as f64 } else { jx as f64 - n as f64 };
            let kx = signed * std::f64::consts::TAU / self.tile[0];
            let k = (kx * kx + kz * kz).sqrt();
            let wave = h * roots[(jx * x) & (n - 1)];
            let over_k = wave * if k > 0.0 { 1.0 / k } else { 0.0 };
            sums[0] += wave;
            sums[1] += wave * kx;
            sums[2] += over_k;
            sums[3] += over_k * kx;
            sums[4] += over_k * (kx * kx);
        }
        let [h, kx_h, over_k, kx_over_k, kxx_over_k] = sums;
        let i = Complex64::i();
        [-kxx_over_k, -over_k * (kz * kz), h, -kx_over_k * kz, i * kx_h, i * h * kz, i * kx_over_k, i * over_k * kz]
    }
}

/// Texels of whole columns within what `maps.rs` allows at the smaller sizes: 2⁻¹⁰·|value| + 10⁻³·RMS.
fn assert_columns(resolution: Resolution) {
    let sea = wide_sea();
    let n = resolution.texels() as usize;
    // The edges and the middle, and no pattern between: each of a workgroup's columns, each of a thread's points.
    let columns: Vec<usize> = [0, 1, n / 2, n - 1].into_iter().chain((1..12).map(|i| i * 367 % n)).collect();
    let (bins, clock, [displacement, surface]) = {
        let (_guard, engine) = engine();
        let mut sea_on_gpu = at(engine, &sea, resolution, 2345.6);
        run(engine, &mut sea_on_gpu, 0.0, 1);
        let maps = [sea_on_gpu.displacement_map(), sea_on_gpu.surface_map()];
        let columns_of = |map| -> Vec<Vec<[f32; 4]>> {
            let texels = read_layer(engine, map, 0, 0);
            columns.iter().map(|&x| (0..n).map(|z| texels[z * n + x]).collect()).collect()
        };
        (bins_of(engine, &sea_on_gpu, 0), sea_on_gpu.clocks().get(0), maps.map(columns_of))
    };
    let moment = Moment::new(&bins, n, sea.cascades[0].tile_length.map(f64::from), clock);
    drop(bins);
    let expected: Vec<Vec<[f64; 7]>> = columns.iter().map(|&x| moment.column(x)).collect();
    for (channel, name) in CHANNELS.iter().enumerate() {
        let size = rms(expected.iter().flatten().map(|texel| texel[channel]));
        let mut worst = 0.0f64;
        for (column, x) in columns.iter().enumerate() {
            for z in 0..n {
                let [dx, h, dz, s2] = displacement[column][z];
                let [sx, sz, jacobian, _] = surface[column][z];
                let got = f64::from([dx, h, dz, s2 / ocean::gpu::SQUARED_SLOPE_SCALE, sx, sz, jacobian][channel]);
                let want = expected[column][z][channel];
                let share = (got - want).abs() / (want.abs() / 1024.0 + 1e-3 * size);
                assert!(share <= 1.0, "{resolution:?}, {name} at ({x}, {z}): {got}, not {want}; RMS {size}");
                worst = worst.max(share);
            }
        }
        println!("{resolution:?} {name}: largest share of the allowed error {worst:.2}, RMS {size:.3}");
    }
}

fn at(engine: &Engine, sea: &SeaState, resolution: Resolution, seconds: f64) -> Ocean {
    let mut ocean = ocean(engine, sea, resolution, Precision::Mixed);
    ocean.set_clocks(clocks_at(seconds));
    ocean
}

#[test]
fn at_2048() {
    assert_columns(Resolution::R2048);
}

#[test]
fn at_4096() {
    assert_columns(Resolution::R4096);
}

/// A change of resolution refines the sea: the waves that both grids hold stay as they are.
#[test]
fn the_sea_is_the_same_at_256_and_1024_and_2048() {
    let sea = wide_sea();
    let waves = |resolution| {
        let (guard, engine) = engine();
        let mut ocean = at(engine, &sea, resolution, 500.0);
        run(engine, &mut ocean, 0.0, 1);
        let displacement = read_layer(engine, ocean.displacement_map(), 0, 0);
        let surface = read_layer(engine, ocean.surface_map(), 0, 0);
        drop((ocean, guard));
        // The fields that are sums of waves; J and s² mix them.
        [(&displacement, 0), (&displacement, 1), (&displacement, 2), (&surface, 0), (&surface, 1)]
            .map(|(map, channel)| Waves::of_channel(map, channel))
    };
    let coarse = waves(Resolution::R256);
    for resolution in [Resolution::R1024, Resolution::R2048] {
        for (name, (fine, coarse)) in ["Dx", "h", "Dz", "sx", "sz"].iter().zip(waves(resolution).iter().zip(&coarse)) {
            let difference = fine.difference(coarse, Band::of_grid(256));
            println!("{resolution:?} {name}: {difference:.1e} of RMS");
            assert!(difference <= 1e-3, "{resolution:?}, {name}: {difference:e} of RMS");
        }
    }
}
