//! The CPU field floats what the GPU draws: both are the same waves at the same moment, today and after a day.

use ocean::dispersion::looped_omega;
use ocean::gpu::{Engine, Ocean, Precision, Resolution};
use ocean::{Clocks, Preset, SeaState, SurfaceField};
use rustfft::num_complex::Complex64;

use crate::band::{Band, Waves};
use crate::device::{clocks_at, engine, ocean, read_layer};
use crate::reference::{Bin, bins_of};
use crate::running::run;

const DAY: f64 = 86_400.0;
const UPDATE: f64 = 0.05;

/// The clocks of a sea that has run for a day, update by update: what rounds in a step has 1.7 million times to show.
fn a_day_of_updates(sea: &SeaState) -> Clocks {
    let mut clocks = Clocks::new();
    for _ in 0..(DAY / UPDATE) as u32 {
        clocks.advance(UPDATE, sea);
    }
    clocks
}

fn ocean_at(engine: &Engine, sea: &SeaState, clocks: &Clocks) -> Ocean {
    let mut ocean = ocean(engine, sea, Resolution::R256, Precision::Mixed);
    ocean.set_clocks(*clocks);
    run(engine, &mut ocean, 0.0, 1);
    ocean
}

/// D_x, h and D_z of both sides within 1 % of RMS in the field's band, and every wave of it in phase.
fn assert_together(sea: &SeaState, clocks: &Clocks) {
    let (_guard, engine) = engine();
    let drawn = ocean_at(engine, sea, clocks);
    for field_resolution in [64, 128] {
        let mut field = SurfaceField::with_resolution(sea, field_resolution).expect("a size it has");
        field.update(clocks);
        let band = Band::of_grid(field_resolution);
        for cascade in 0..sea.cascades.len() {
            let texels = read_layer(engine, drawn.displacement_map(), cascade as u32, 0);
            for (channel, name) in ["Dx", "h", "Dz"].iter().enumerate() {
                let gpu = Waves::of_channel(&texels, channel);
                let cpu = Waves::of_channel(field.maps(cascade).expect("it has it").displacement(), channel);
                let difference = gpu.difference(&cpu, band);
                let turned = largest_turn(&gpu, &cpu, band);
                println!("{field_resolution}², cascade {cascade}, {name}: {difference:.1e} of RMS, {turned:.1e} rad");
                assert!(difference <= 0.01, "{field_resolution}², cascade {cascade}, {name}: {difference:e} of RMS");
                assert!(turned <= 0.05, "{field_resolution}², cascade {cascade}, {name}: {turned} rad");
            }
        }
    }
}

/// The largest difference of phase, of the waves that stand out of what rounding to f16 leaves in every bin.
fn largest_turn(gpu: &Waves, cpu: &Waves, band: Band) -> f64 {
    let floor = 2e-4 * cpu.energy(band).sqrt();
    let loud: Vec<_> = band.indices().filter(|&index| cpu.at(index).norm() > floor).collect();
    assert!(loud.len() > 100, "only {} waves stand out", loud.len());
    loud.into_iter().map(|index| (gpu.at(index) * cpu.at(index).conj()).arg().abs()).fold(0.0, f64::max)
}

#[test]
fn the_field_is_the_drawn_sea_after_ten_seconds() {
    for preset in [Preset::Ocean, Preset::CalmLake] {
        let sea = preset.sea_state();
        let mut clocks = Clocks::new();
        clocks.advance(10.0, &sea);
        assert_together(&sea, &clocks);
    }
}

#[test]
fn the_field_is_the_drawn_sea_after_a_day() {
    let sea = Preset::Ocean.sea_state();
    assert_together(&sea, &clocks_at(DAY));
    assert_together(&sea, &a_day_of_updates(&sea));
}

/// The two sides share their clocks, so that they agree says nothing of the clocks: this is time as f64 has it, without steps.
#[test]
fn after_a_day_of_updates_every_wave_has_the_phase_of_its_frequency() {
    let sea = Preset::Ocean.sea_state();
    let (_guard, engine) = engine();
    let drawn = ocean_at(engine, &sea, &a_day_of_updates(&sea));
    for cascade in 0..sea.cascades.len() {
        let bins = bins_of(engine, &drawn, cascade as u32);
        let waves = Waves::of_channel(&read_layer(engine, drawn.displacement_map(), cascade as u32, 0), 1);
        let seconds = 120.0 + std::f64::consts::PI * cascade as f64 + DAY;
        let floor = 2e-4 * waves.energy(Band::of_grid(64)).sqrt();
        let mut worst = 0.0f64;
        for index @ [ix, iz] in Band::of_grid(64).indices().filter(|[_, iz]| *iz >= 0) {
            let Bin { along, against, frequency } = bins[(iz * 256 + ix.rem_euclid(256)) as usize];
            let turn = Complex64::from_polar(1.0, looped_omega(frequency) * seconds);
            let want = along * turn.conj() + against.conj() * turn;
            if want.norm() > floor {
                worst = worst.max((waves.at(index) * want.conj()).arg().abs());
            }
        }
        println!("cascade {cascade}: {worst:.1e} rad");
        assert!(worst <= 0.05, "cascade {cascade}: {worst} rad");
    }
}

/// The energy of the shortest waves neither grows nor fades. Two moments differ by chance: where a wave and its mirror image meet, |h|² beats
/// by 2 |h₀(k) h₀(−k)|; allowed are four standard deviations of that.
#[test]
fn after_a_day_the_sea_is_as_smooth_as_after_ten_seconds() {
    let sea = Preset::Ocean.sea_state();
    let (_guard, engine) = engine();
    let mut early = Clocks::new();
    early.advance(10.0, &sea);
    let [early, late] = [early, a_day_of_updates(&sea)].map(|clocks| ocean_at(engine, &sea, &clocks));
    let top = Band { from: 64, below: 128 };
    for cascade in 0..sea.cascades.len() as u32 {
        let [before, after] = [&early, &late]
            .map(|ocean| Waves::of_channel(&read_layer(engine, ocean.displacement_map(), cascade, 0), 1).energy(top));
        let bins = bins_of(engine, &early, cascade);
        let beats = top.indices().filter(|[_, iz]| *iz >= 0).map(|[ix, iz]| {
            let Bin { along, against, .. } = bins[(iz * 256 + ix.rem_euclid(256)) as usize];
            8.0 * along.norm_sqr() * against.norm_sqr()
        });
        let allowed = 4.0 * (2.0 * beats.sum::<f64>()).sqrt() / before;
        let change = after / before - 1.0;
        println!("cascade {cascade}: {change:.1e} of its energy, {allowed:.1e} allowed");
        assert!(allowed < 0.2, "{allowed}");
        assert!(change.abs() <= allowed, "cascade {cascade}: {change:e} of its energy, {allowed:e} allowed");
    }
}
