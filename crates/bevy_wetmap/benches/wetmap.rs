//! What a tick, a digest and a hit cost: `cargo xtask bench wetmap`.
//!
//! Prints a table and judges nothing; no test of this project fails on a clock. Each figure is the median of several samples, each
//! long enough to be timed, and the scenes are made anew for each sample because a tick changes what the next one costs.

use bevy_wetmap::ray::{Affine, Indices, Ray, Triangles};
use bevy_wetmap::{StainShape, WetSettings, Wetmap};
use std::hint::black_box;
use std::time::Instant;

const SAMPLES: usize = 7;
const TICKS: u32 = 20;
const SIZES: [u32; 4] = [128, 256, 512, 1024];
const GRAVITY: [f32; 2] = [0.0, 1.0];

/// A small generator of scenes: an LCG, because a bench needs variety and not quality.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn unit(&mut self) -> f32 {
        (self.next() % 10_000) as f32 / 10_000.0
    }
}

fn shape(major: f32, seed: u32) -> StainShape {
    StainShape { major, minor: major * 0.8, spines: 12, satellites: 4, direction: [0.3, 1.0], seed }
}

fn blank(size: u32) -> Wetmap {
    match Wetmap::new(size, [0.78, 0.66, 0.60], 0.55) {
        Ok(map) => map,
        Err(error) => panic!("the sizes of this bench are within the limits: {error}"),
    }
}

fn fully_wet(size: u32) -> Wetmap {
    let mut random = Lcg(1);
    let mut map = blank(size);
    let texels: Vec<_> = map.texels().iter().map(|_| ((random.next() % 255 + 1) as u8, (random.next() % 900) as u16)).collect();
    map.set_texels(&texels, &WetSettings::default(), 0);
    map
}

fn stains(size: u32, count: u32, major: f32) -> Wetmap {
    let mut random = Lcg(2);
    let mut map = blank(size);
    for seed in 0..count {
        map.paint_uv([random.unit(), random.unit()], &shape(major, seed), 0);
    }
    map
}

fn dry(size: u32) -> Wetmap {
    let mut map = fully_wet(size);
    let texels: Vec<_> = map.texels().iter().map(|texel| (texel.0, 1800)).collect();
    map.set_texels(&texels, &WetSettings::default(), 0);
    map
}

/// Median seconds of `measured` over fresh scenes.
fn median<S>(scene: impl Fn() -> S, measured: impl Fn(&mut S)) -> f64 {
    let mut seconds: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let mut scene = scene();
            let start = Instant::now();
            measured(&mut scene);
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[SAMPLES / 2]
}

fn bench_ticks() {
    let settings = WetSettings::default();
    let scenes: [(&str, fn(u32) -> Wetmap); 5] = [
        ("fully wet", fully_wet),
        ("ten stains", |size| stains(size, 10, 0.07)),
        ("a thousand specks", |size| stains(size, 1000, 0.01)),
        ("dry", dry),
        ("empty", blank),
    ];
    println!("{:<20} {:>6} {:>12} {:>14}", "tick", "size", "ms / tick", "ns / texel");
    for (name, scene) in scenes {
        for size in SIZES {
            let seconds =
                median(|| scene(size), |map| (0..TICKS).for_each(|tick| map.tick(tick, GRAVITY, &settings))) / f64::from(TICKS);
            let texels = f64::from(size) * f64::from(size);
            println!("{name:<20} {size:>6} {:>12.4} {:>14.2}", seconds * 1e3, seconds * 1e9 / texels);
        }
    }
}

fn bench_digests() {
    println!("\n{:<20} {:>6} {:>12} {:>14}", "digest", "size", "ms", "ns / texel");
    for size in SIZES {
        let seconds = median(
            || fully_wet(size),
            |map| {
                black_box(map.digest());
            },
        );
        println!("{:<20} {size:>6} {:>12.4} {:>14.2}", "fully wet", seconds * 1e3, seconds * 1e9 / f64::from(size * size));
    }
}

/// A sphere of so many quads, with texture coordinates.
fn sphere(sectors: u32, stacks: u32) -> (Vec<[f32; 3]>, Vec<[f32; 2]>, Vec<u32>) {
    let (mut positions, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for stack in 0..=stacks {
        for sector in 0..=sectors {
            let (u, v) = (sector as f32 / sectors as f32, stack as f32 / stacks as f32);
            let (longitude, latitude) = (u * std::f32::consts::TAU, v * std::f32::consts::PI);
            positions.push([latitude.sin() * longitude.cos(), latitude.cos(), latitude.sin() * longitude.sin()]);
            uvs.push([u, v]);
            if stack < stacks && sector < sectors {
                let a = stack * (sectors + 1) + sector;
                let b = a + sectors + 1;
                indices.extend([a, b, a + 1, a + 1, b, b + 1]);
            }
        }
    }
    (positions, uvs, indices)
}

fn bench_hits() {
    println!("\n{:<34} {:>12}", "hit", "ms");
    for size in SIZES {
        let seconds = median(
            || blank(size),
            |map| {
                map.paint_uv([0.5, 0.5], &shape(0.1, 1), 0);
            },
        );
        println!("{:<34} {:>12.4}", format!("paint_uv, 10 cm on {size}"), seconds * 1e3);
    }
    for (sectors, stacks) in [(64, 32), (320, 160)] {
        let (positions, uvs, indices) = sphere(sectors, stacks);
        let mesh = Triangles { positions: &positions, uvs: &uvs, indices: Indices::U32(&indices) };
        let ray = Ray { origin: [0.1, 0.2, 3.0], direction: [0.0, 0.0, -1.0] };
        let seconds = median(
            || blank(16),
            |map| {
                map.paint_ray(&mesh, &Affine::IDENTITY, ray, &shape(0.01, 1), 0);
            },
        );
        println!("{:<34} {:>12.4}", format!("paint_ray, {} triangles", indices.len() / 3), seconds * 1e3);
    }
}

fn main() {
    println!("wetmap, one thread, {SAMPLES} samples of {TICKS} ticks\n");
    bench_ticks();
    bench_digests();
    bench_hits();
}
