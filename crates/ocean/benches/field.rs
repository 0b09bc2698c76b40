//! What the CPU field costs: `cargo xtask bench ocean_field`. One core; best of many, as a neighbour on the machine only ever adds.

use std::hint::black_box;
use std::time::Instant;

use ocean::{CascadeSpectrum, Clocks, Preset, SurfaceField};

const QUERIES: usize = 2000;

/// The shortest time of `rounds` runs, seconds.
fn best(rounds: usize, mut run: impl FnMut()) -> f64 {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let sea = Preset::Ocean.sea_state();
    println!("the Ocean preset, {} cascades", sea.cascades.len());
    for resolution in [32, 64, 128, 256] {
        let Ok(mut field) = SurfaceField::with_resolution(&sea, resolution) else { continue };
        let mut clocks = Clocks::new();
        let update = best(100, || {
            clocks.advance(0.05, &sea);
            field.update(&clocks);
        });
        let points: Vec<[f32; 2]> =
            (0..QUERIES).map(|i| [(i * 37 % 997) as f32 * 0.31, (i * 71 % 991) as f32 * 0.27]).collect();
        let query = best(50, || {
            for &point in &points {
                black_box(field.height_at(point));
            }
        }) / QUERIES as f64;
        // What a query does at every step of the inversion.
        let moment = field.at(1.0);
        let step = best(50, || {
            for &point in &points {
                black_box(moment.displacement_of(point.map(f64::from)));
            }
        }) / QUERIES as f64;
        println!(
            "{resolution:>4}²: rebuild {:.3} ms, height_at {:.2} µs, of which a step {:.2} µs",
            update * 1e3,
            query * 1e6,
            step * 1e6
        );
    }
    let build = best(20, || {
        black_box(SurfaceField::new(&sea));
    });
    let table = best(3, || {
        black_box(ocean::dispersion::frequency_table([88.0, 88.0], 20.0, 1024));
    });
    let statistics = best(5, || {
        black_box(ocean::statistics::cascade_variance(&CascadeSpectrum::new(&sea, 0), 512));
    });
    println!(
        "a new field {:.2} ms, the frequencies of 1024² {:.1} ms, m0 of 512² {:.1} ms",
        build * 1e3,
        table * 1e3,
        statistics * 1e3
    );
}
