//! The maps and the bare transform against f64.

use ocean::gpu::{Precision, Resolution, proof};
use ocean::{Cascade, CascadeSpectrum, Preset, SeaState};

use crate::device::{clocks_at, engine, ocean, read_buffer, read_layer, update};
use crate::reference::{Fields, NAMES, bins_by_formula, bins_of, rms};

const CHANNELS: [&str; 7] = ["Dx", "h", "Dz", "s2", "sx", "sz", "J"];

/// Every value of both maps within 2⁻¹⁰·|value| + 10⁻³·RMS of the f64 transform of the same h₀.
fn assert_maps(sea: &SeaState, resolution: Resolution, seconds: f64) {
    let (_guard, engine) = engine();
    let mut sea_on_gpu = ocean(engine, sea, resolution, Precision::Mixed);
    sea_on_gpu.set_clocks(clocks_at(seconds));
    update(engine, &mut sea_on_gpu, 0.0);
    let n = resolution.texels();
    for cascade in 0..sea.cascades.len() {
        let layer = cascade as u32;
        let bins = bins_of(engine, &sea_on_gpu, layer);
        let tile = sea.cascades[cascade].tile_length.map(f64::from);
        let expected = Fields::new(&bins, n, tile, sea_on_gpu.clocks().get(cascade));
        let [displacement, surface] =
            [sea_on_gpu.displacement_map(), sea_on_gpu.surface_map()].map(|map| read_layer(engine, map, layer, 0));
        let size = std::array::from_fn::<_, 7, _>(|channel| {
            rms((0..(n * n) as usize).map(|at| expected.texel(at % n as usize, at / n as usize)[channel]))
        });
        let mut worst = [0.0f64; 7];
        for (at, (&[dx, h, dz, s2], &[sx, sz, jacobian, _])) in displacement.iter().zip(&surface).enumerate() {
            let want = expected.texel(at % n as usize, at / n as usize);
            let s2 = s2 / ocean::gpu::SQUARED_SLOPE_SCALE;
            for (channel, got) in [dx, h, dz, s2, sx, sz, jacobian].into_iter().enumerate() {
                let allowed = want[channel].abs() / 1024.0 + 1e-3 * size[channel];
                // A sea without waves is 0 to the bit; a NaN is never within anything.
                let share =
                    if f64::from(got) == want[channel] { 0.0 } else { (f64::from(got) - want[channel]).abs() / allowed };
                assert!(
                    share <= 1.0,
                    "{resolution:?}, cascade {cascade}, {} at ({}, {}): {got}, not {}; RMS {}",
                    CHANNELS[channel],
                    at % n as usize,
                    at / n as usize,
                    want[channel],
                    size[channel]
                );
                worst[channel] = worst[channel].max(share);
            }
        }
        println!("{resolution:?} cascade {cascade}: largest share of the allowed error, by channel: {worst:.2?}");
    }
}

/// Tiles longer one way than the other, both ways, from one cascade to eight.
fn oblong(cascades: usize) -> SeaState {
    let cascade = |i: usize| Cascade {
        tile_length: [[60.0, 150.0], [200.0, 40.0], [33.0, 33.0], [12.0, 90.0]][i % 4],
        wind_speed: 6.0 + i as f32,
        wind_direction: 40.0 * i as f32,
        ..Cascade::DEFAULT
    };
    SeaState { cascades: (0..cascades).map(cascade).collect(), ..SeaState::default() }
}

#[test]
fn every_preset_at_128() {
    for preset in Preset::ALL {
        assert_maps(&preset.sea_state(), Resolution::R128, 131.0);
    }
}

#[test]
fn oblong_tiles_and_one_to_eight_cascades() {
    for cascades in 1..=8 {
        assert_maps(&oblong(cascades), Resolution::R128, 777.7);
    }
}

#[test]
fn at_256() {
    assert_maps(&oblong(2), Resolution::R256, 3000.0);
    assert_maps(&Preset::StormyOcean.sea_state(), Resolution::R256, 3000.0);
}

#[test]
fn at_512() {
    assert_maps(&oblong(2), Resolution::R512, 86_400.0);
    assert_maps(&Preset::CalmLake.sea_state(), Resolution::R512, 10.0);
}

#[test]
fn at_1024() {
    assert_maps(&Preset::Ocean.sea_state(), Resolution::R1024, 500.0);
    assert_maps(&oblong(1), Resolution::R1024, 500.0);
}

/// The f32 transform on its own: 10⁻⁵ of the field in L2, from the very h₀ that the GPU holds.
#[test]
fn the_f32_transform_is_exact_to_one_in_a_hundred_thousand() {
    let sea = oblong(2);
    let (_guard, engine) = engine();
    for resolution in [Resolution::R128, Resolution::R256, Resolution::R512, Resolution::R1024] {
        let mut ocean = ocean(engine, &sea, resolution, Precision::Full);
        update(engine, &mut ocean, 0.0);
        let n = resolution.texels();
        let cascade = 0;
        let (amplitudes, _) = ocean.amplitudes(cascade).expect("it has one");
        let tile = sea.cascades[0].tile_length;
        let delta_k = tile.map(|length| (std::f64::consts::TAU / f64::from(length)) as f32);
        let clock = ocean::Clock::at(321.0);
        let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let result = proof::fields(
            engine,
            &mut encoder,
            resolution,
            Precision::Full,
            delta_k,
            clock.phase_step(),
            [4096.0, 2048.0],
            amplitudes,
        );
        engine.queue().submit([encoder.finish()]);
        let bytes = read_buffer(engine, &result, 0, result.size());
        let got: Vec<f32> = bytes.chunks(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let bins = bins_of(engine, &ocean, cascade);
        // The tile as the shader has it: its wave numbers are f32.
        let expected = Fields::new(&bins, n, delta_k.map(|delta| std::f64::consts::TAU / f64::from(delta)), clock);
        for (field, name) in NAMES.iter().enumerate() {
            let error = rms(expected.fields[field].iter().enumerate().map(|(at, want)| f64::from(got[at * 8 + field]) - want));
            let relative = error / rms(expected.fields[field].iter().copied());
            println!("{resolution:?} {name}: {relative:.2e}");
            assert!(relative <= 1e-5, "{resolution:?}, {name}: {relative:e}");
        }
    }
}

/// h₀ on the GPU is the formulas' h₀: relative to the sea, bin by bin, and with exactly the same frequencies.
#[test]
fn the_spectrum_is_the_formulas() {
    let (_guard, engine) = engine();
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        let mut ocean = ocean(engine, &sea, Resolution::R128, Precision::Mixed);
        update(engine, &mut ocean, 0.0);
        for cascade in 0..sea.cascades.len() {
            let got = bins_of(engine, &ocean, cascade as u32);
            let want = bins_by_formula(&CascadeSpectrum::new(ocean.sea(), cascade), 128);
            let size = rms(want.iter().map(|bin| bin.along.norm()));
            for (at, (got, want)) in got.iter().zip(&want).enumerate() {
                assert_eq!(got.frequency, want.frequency, "{preset:?}, cascade {cascade}, bin {at}");
                let error = (got.along - want.along).norm().max((got.against - want.against).norm());
                let allowed = 2e-4 * want.along.norm().max(want.against.norm()) + 1e-5 * size;
                assert!(error <= allowed, "{preset:?}, cascade {cascade}, bin {at}: {got:?}, not {want:?}");
            }
        }
    }
}
