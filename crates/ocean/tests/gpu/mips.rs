//! What the maps are stored as: the nearest f16, and mip levels that are means.

use ocean::gpu::{OceanOptions, Precision, Resolution};
use ocean::{Cascade, Preset, SeaState};

use crate::band::mean;
use crate::device::{clocks_at, engine, ocean, read_layer, update};
use crate::reference::{Fields, bins_of, rms};
use crate::running::{channel, run};

/// Half the distance of f16s at a value: what rounding to the nearest may be off by.
fn half_step(value: f64) -> f64 {
    // Below 2⁻¹⁴ they are evenly spaced.
    let exponent = value.abs().max(2f64.powi(-14)).log2().floor();
    2f64.powf(exponent - 11.0)
}

/// Of both maps, every level and layer: the mean of four, summed up to two levels at once in f32 and then rounded. Against the level above as it is stored,
/// that is half a step of its own and half a step of each of the four.
#[test]
fn every_level_is_the_mean_of_the_one_above() {
    let (_guard, engine) = engine();
    let mut ocean = ocean(engine, &Preset::StormyOcean.sea_state(), Resolution::R256, Precision::Mixed);
    run(engine, &mut ocean, 1.0, 1);
    for resolution in [Resolution::R256, Resolution::R128, Resolution::R512] {
        ocean.set_options(OceanOptions { resolution, ..ocean.options() }).expect("it fits");
        update(engine, &mut ocean, 0.02);
        for map in [ocean.displacement_map(), ocean.surface_map()] {
            assert_eq!(map.mip_level_count(), resolution.texels().ilog2() + 1);
            for layer in 0..3 {
                let mut above = read_layer(engine, map, layer, 0);
                for level in 1..map.mip_level_count() {
                    let texels = read_layer(engine, map, layer, level);
                    assert_means(&above, &texels, &format!("{resolution:?}, layer {layer}, level {level}"));
                    above = texels;
                }
                assert_eq!(above.len(), 1);
            }
        }
    }
}

fn assert_means(above: &[[f32; 4]], level: &[[f32; 4]], what: &str) {
    let edge = level.len().isqrt();
    for (at, texel) in level.iter().enumerate() {
        let corner = at / edge * 2 * (2 * edge) + at % edge * 2;
        let four = [0, 1, 2 * edge, 2 * edge + 1].map(|offset| above[corner + offset]);
        for (channel, &value) in texel.iter().enumerate() {
            let four = four.map(|texel| f64::from(texel[channel]));
            let mean = four.iter().sum::<f64>() / 4.0;
            let allowed = half_step(mean) + four.iter().copied().map(half_step).sum::<f64>() / 4.0 + 1e-6 * mean.abs();
            let error = (f64::from(value) - mean).abs();
            assert!(error <= allowed, "{what}, channel {channel}, texel {at}: {value}, not {mean}");
        }
    }
}

/// Errors of rounding do not add up on the way down: the last texel is the mean of the first level.
#[test]
fn the_last_level_is_the_mean_of_the_map() {
    let (_guard, engine) = engine();
    for resolution in [Resolution::R128, Resolution::R256, Resolution::R512] {
        let mut ocean = ocean(engine, &Preset::StormyOcean.sea_state(), resolution, Precision::Mixed);
        // Long enough a step for foam.
        update(engine, &mut ocean, 1.0);
        for map in [ocean.displacement_map(), ocean.surface_map()] {
            for layer in 0..3 {
                let texels = read_layer(engine, map, layer, 0);
                let last = read_layer(engine, map, layer, map.mip_level_count() - 1)[0];
                for (index, &last) in last.iter().enumerate() {
                    let values = channel(&texels, index);
                    let (mean, size) = (mean(&values), rms(values.iter().copied()));
                    // A rounding every two levels, whose errors average out but for the last few texels', and the last one.
                    let allowed = half_step(mean) + 2e-4 * size;
                    let error = (f64::from(last) - mean).abs();
                    assert!(error <= allowed, "{resolution:?}, layer {layer}, channel {index}: {last}, not {mean}; RMS {size}");
                }
            }
        }
    }
}

/// Truncation would take half a step off every value, 3.5·10⁻⁴ of it on average; to the nearest it takes as much as it gives.
#[test]
fn values_are_rounded_and_not_truncated() {
    let (_guard, engine) = engine();
    let cascade = Cascade { tile_length: [60.0, 150.0], ..Cascade::DEFAULT };
    let sea = SeaState { cascades: vec![cascade], ..SeaState::default() };
    for resolution in [Resolution::R128, Resolution::R512] {
        let mut ocean = ocean(engine, &sea, resolution, Precision::Mixed);
        ocean.set_clocks(clocks_at(400.0));
        update(engine, &mut ocean, 0.0);
        let n = resolution.texels() as usize;
        let tile = cascade.tile_length.map(f64::from);
        let expected = Fields::new(&bins_of(engine, &ocean, 0), n as u32, tile, ocean.clocks().get(0));
        let [displacement, surface] = [ocean.displacement_map(), ocean.surface_map()].map(|map| read_layer(engine, map, 0, 0));
        for (at, name) in ["Dx", "h", "Dz", "s2", "sx", "sz", "J"].iter().enumerate() {
            let want: Vec<f64> = (0..n * n).map(|texel| expected.texel(texel % n, texel / n)[at]).collect();
            let size = rms(want.iter().copied());
            let texels = displacement.iter().zip(&surface);
            let got = texels.map(|(&[dx, h, dz, s2], &[sx, sz, jacobian, _])| {
                f64::from([dx, h, dz, s2 / ocean::gpu::SQUARED_SLOPE_SCALE, sx, sz, jacobian][at])
            });
            // Of values that stand well out of the transform's own noise.
            let errors: Vec<f64> =
                got.zip(&want).filter(|(_, want)| want.abs() > 0.3 * size).map(|(got, want)| (got - want) / want).collect();
            println!("{resolution:?} {name}: mean error {:+.1e}", mean(&errors));
            assert!(errors.len() > 1000 && mean(&errors).abs() < 3e-5, "{resolution:?} {name}: {:e}", mean(&errors));
        }
        assert_means_are_rounded(&displacement, &read_layer(engine, ocean.displacement_map(), 0, 1));
    }
}

/// The same for a mip level.
fn assert_means_are_rounded(above: &[[f32; 4]], level: &[[f32; 4]]) {
    let edge = level.len().isqrt();
    let errors: Vec<f64> = level
        .iter()
        .enumerate()
        .flat_map(|(at, texel)| {
            let corner = at / edge * 2 * (2 * edge) + at % edge * 2;
            [0, 1, 2].map(|channel| {
                let sum: f64 =
                    [0, 1, 2 * edge, 2 * edge + 1].map(|offset| f64::from(above[corner + offset][channel])).iter().sum();
                (f64::from(texel[channel]), sum / 4.0)
            })
        })
        .filter(|(_, want)| want.abs() > 1e-2)
        .map(|(got, want)| (got - want) / want)
        .collect();
    println!("level 1: mean error {:+.1e}", mean(&errors));
    assert!(errors.len() > 1000 && mean(&errors).abs() < 3e-5, "{:e}", mean(&errors));
}
