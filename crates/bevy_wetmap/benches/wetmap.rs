//! What a tick, a digest, a copy and a hit cost, and what the same ticks cost as four plain passes: `cargo xtask bench wetmap`.
//!
//! Prints tables and judges nothing but its own targets; no test of this project fails on a clock. Each figure is the best of several
//! samples, as a neighbour on the machine only ever adds. The two implementations take turns, sample by sample, so that a machine that slows down slows both, and the scenes are made
//! anew for each sample because a tick changes what the next one costs.

use bevy_wetmap::ray::{Indices, MeshIndex, Ray, Triangles, nearest_uv, nearest_uv_cached};
use bevy_wetmap::{WetSettings, Wetmap};
use std::hint::black_box;
use std::time::Instant;
use wetmap_bench::{GRAVITY, Lcg, SCENES, SIZES, Scene, shape};

const SAMPLES: usize = 15;
const TICKS: u32 = 20;

/// Samples of ticks: many short ones rather than a few long ones, so that some fall between a neighbour's bursts.
fn samples(size: u32) -> usize {
    if size > 256 { SAMPLES } else { 4 * SAMPLES }
}

fn seconds(measured: impl FnOnce()) -> f64 {
    let start = Instant::now();
    measured();
    start.elapsed().as_secs_f64()
}

fn best(samples: impl IntoIterator<Item = f64>) -> f64 {
    samples.into_iter().fold(f64::INFINITY, f64::min)
}

/// Seconds a tick of both, in turns: ours and the plain passes'.
fn both(scene: &Scene, size: u32) -> (f64, f64) {
    let settings = WetSettings::default();
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..samples(size) {
        let mut map = scene.on_wetmap(size);
        let mut slow = scene.on_plain(&map);
        ours.push(seconds(|| (1..=TICKS).for_each(|tick| map.tick(tick, GRAVITY, &settings))));
        plain.push(seconds(|| {
            (1..=TICKS).for_each(|_| {
                black_box(slow.tick(GRAVITY, &settings));
            })
        }));
        assert!(map.texels().eq(slow.texels().iter().copied()), "a benchmark of two different results compares nothing");
    }
    (best(ours) / f64::from(TICKS), best(plain) / f64::from(TICKS))
}

/// Texels that are wet, half-way through what is measured.
fn wet_texels(scene: &Scene, size: u32) -> usize {
    let mut map = scene.on_wetmap(size);
    (1..=TICKS / 2).for_each(|tick| map.tick(tick, GRAVITY, &WetSettings::default()));
    map.texels().filter(|texel| texel.0 > 0 && texel.1 < 1800).count()
}

/// What the targets are held against.
#[derive(Default)]
struct Measured {
    full_ratio: f64,
    full_128_ms: f64,
    stains_512_ratio: f64,
    still_ratio: f64,
    forty_ms: f64,
    hit_ratio: f64,
}

fn bench_ticks(measured: &mut Measured) {
    println!("| tick of | size | wet texels | ms | ns / wet texel | plain, ms | ratio |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    measured.full_ratio = f64::INFINITY;
    measured.still_ratio = f64::INFINITY;
    for (name, make) in SCENES {
        for size in SIZES {
            let scene = make(size);
            let wet = wet_texels(&scene, size);
            let (ours, plain) = both(&scene, size);
            let ratio = plain / ours;
            let each = if wet > 0 { format!("{:.2}", ours * 1e9 / wet as f64) } else { "".into() };
            println!("| {name} | {size} | {wet} | {:.5} | {each} | {:.3} | {ratio:.0} |", ours * 1e3, plain * 1e3);
            match (name, size) {
                ("fully wet", _) => {
                    measured.full_ratio = measured.full_ratio.min(ratio);
                    if size == 128 {
                        measured.full_128_ms = ours * 1e3;
                    }
                }
                ("ten stains", 512) => measured.stains_512_ratio = ratio,
                ("dry" | "empty", _) => measured.still_ratio = measured.still_ratio.min(ratio),
                _ => {}
            }
        }
    }
}

/// Forty actors with ten stains each.
fn bench_crowd(measured: &mut Measured) {
    let settings = WetSettings::default();
    let samples = (0..samples(128)).map(|_| {
        let mut crowd: Vec<Wetmap> = (0..40).map(|_| Scene::ten_stains(128).on_wetmap(128)).collect();
        seconds(|| (1..=TICKS).for_each(|tick| crowd.iter_mut().for_each(|map| map.tick(tick, GRAVITY, &settings))))
    });
    measured.forty_ms = best(samples) * 1e3 / f64::from(TICKS);
    println!("\n40 canvases of 128² with ten stains each: {:.3} ms a tick", measured.forty_ms);
}

fn bench_whole_canvas() {
    println!("\n| of a canvas | size | digest, ms | digest with ten stains, ms | clone_from, ms |");
    println!("|---|--:|--:|--:|--:|");
    for size in SIZES {
        let (full, stains) = (Scene::fully_wet(size).on_wetmap(size), Scene::ten_stains(size).on_wetmap(size));
        let mut copy = full.clone();
        let time = |measured: &mut dyn FnMut()| best((0..SAMPLES).map(|_| seconds(&mut *measured))) * 1e3;
        let digest = time(&mut || {
            black_box(full.digest());
        });
        let sparse = time(&mut || {
            black_box(stains.digest());
        });
        let restore = time(&mut || copy.clone_from(black_box(&full)));
        println!("| | {size} | {digest:.4} | {sparse:.4} | {restore:.4} |");
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

fn bench_hits(measured: &mut Measured) {
    println!("\n| hit | ms |\n|---|--:|");
    for size in SIZES {
        let samples = (0..SAMPLES).map(|_| {
            let mut map = Scene::empty(size).on_wetmap(size);
            seconds(|| {
                black_box(map.paint_uv([0.5, 0.5], &shape(0.1, 1), 0));
            })
        });
        println!("| `paint_uv`, 10 cm on {size}² | {:.4} |", best(samples) * 1e3);
    }
    println!("\n| ray | walk, ms | index, ms | ratio | kept index, ms | building it, ms |\n|---|--:|--:|--:|--:|--:|");
    for (sectors, stacks) in [(64, 32), (320, 160)] {
        let (positions, uvs, indices) = sphere(sectors, stacks);
        let mesh = Triangles { positions: &positions, uvs: &uvs, indices: Indices::U32(&indices) };
        let (walk, index, kept) = bench_rays(&mesh);
        let building = best((0..SAMPLES).map(|_| seconds(|| drop(black_box(MeshIndex::new(&mesh))))));
        let count = mesh.count();
        let ms = |seconds: f64| seconds * 1e3;
        println!(
            "| {count} triangles | {:.4} | {:.5} | {:.0} | {:.5} | {:.2} |",
            ms(walk),
            ms(index),
            walk / index,
            ms(kept),
            ms(building)
        );
        measured.hit_ratio = walk / kept;
    }
}

/// Seconds a ray: walked, through an index, and through the cache that `paint_ray` uses. In turns, from a few radii away, most of them hits.
fn bench_rays(mesh: &Triangles) -> (f64, f64, f64) {
    const RAYS: usize = 64;
    let mut random = Lcg(3);
    let mut unit = || random.unit() * 2.0 - 1.0;
    let rays: Vec<Ray> = (0..RAYS)
        .map(|_| {
            let origin = [unit() * 3.0, unit() * 3.0, 3.0];
            let towards = [0, 1, 2].map(|k| unit() * 0.6 - origin[k]);
            let length = towards.iter().map(|x| x * x).sum::<f32>().sqrt();
            Ray { origin, direction: towards.map(|x| x / length) }
        })
        .collect();
    let index = MeshIndex::new(mesh);
    let (mut walked, mut indexed, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        walked.push(seconds(|| {
            rays.iter().for_each(|ray| {
                black_box(nearest_uv(mesh, ray));
            })
        }));
        indexed.push(seconds(|| {
            rays.iter().for_each(|ray| {
                black_box(index.nearest_uv(mesh, ray));
            })
        }));
        kept.push(seconds(|| {
            rays.iter().for_each(|ray| {
                black_box(nearest_uv_cached(mesh, ray));
            })
        }));
    }
    for ray in &rays {
        assert_eq!(index.nearest_uv(mesh, ray), nearest_uv(mesh, ray), "a benchmark of two different results compares nothing");
    }
    (best(walked) / RAYS as f64, best(indexed) / RAYS as f64, best(kept) / RAYS as f64)
}

/// What was aimed at, and what came out.
fn print_targets(measured: &Measured) {
    println!("\n| target | aim | measured | |\n|---|--:|--:|---|");
    let row = |what: &str, aim: f64, value: f64, unit: &str, at_least: bool| {
        let met = if at_least { value >= aim } else { value <= aim };
        let sign = if at_least { "≥" } else { "≤" };
        println!("| {what} | {sign} {aim}{unit} | {value:.3}{unit} | {} |", if met { "met" } else { "**missed**" });
    };
    row("fully wet, against the plain passes, at the worst size", 8.0, measured.full_ratio, " ×", true);
    row("ten stains on 512², against the plain passes", 30.0, measured.stains_512_ratio, " ×", true);
    row("dry and empty, against the plain passes, at the worst size", 1000.0, measured.still_ratio, " ×", true);
    row("40 canvases of 128² with ten stains each, a tick", 1.0, measured.forty_ms, " ms", false);
    row("a ray on 102,400 triangles through the kept index, against the walk", 50.0, measured.hit_ratio, " ×", true);
    row("128² fully wet, a tick", 0.1, measured.full_128_ms, " ms", false);
}

/// Half a second of work, so that the first figure is not that of a processor that is still asleep.
fn warm_up() {
    let start = Instant::now();
    let mut map = Scene::fully_wet(128).on_wetmap(128);
    while start.elapsed().as_secs_f64() < 0.5 {
        map.tick(1, GRAVITY, &WetSettings::default());
    }
}

fn main() {
    warm_up();
    println!("wetmap, one thread, the best of {SAMPLES} samples of {TICKS} ticks or more\n");
    let mut measured = Measured::default();
    bench_ticks(&mut measured);
    bench_crowd(&mut measured);
    bench_whole_canvas();
    bench_hits(&mut measured);
    print_targets(&measured);
}
