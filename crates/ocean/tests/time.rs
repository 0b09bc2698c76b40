//! Clocks, loops, and a sea that has run for a day.

mod common;

use common::{fields, heights, rms, sea_of, waves};
use ocean::clock::{Clock, Clocks, angle};
use ocean::dispersion::{LOOP_SECONDS, frequency_index, frequency_table, looped_omega, omega};
use ocean::surface_field::SurfaceField;
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState};

const DAY: f64 = 86_400.0;

fn field_at(sea: &SeaState, clock: Clock) -> SurfaceField {
    let (mut field, mut clocks) = (SurfaceField::new(sea), Clocks::new());
    clocks.set(0, clock);
    field.update(&clocks);
    field
}

fn a_day_of_frames() -> Clock {
    let mut clock = Clock::start(0);
    for _ in 0..60 * 86_400 {
        clock.advance(1.0 / 60.0, 1.0);
    }
    clock
}

#[test]
fn after_a_day_the_sea_is_in_phase_and_as_smooth_as_ever() {
    let sea = sea_of(Cascade::DEFAULT, 20.0, Amplitude::Artistic);
    let spectrum = CascadeSpectrum::new(&sea, 0);
    let late = field_at(&sea, a_day_of_frames());

    let waves = waves(&spectrum, 64, Clock::start(0).seconds() + DAY);
    let heights_late = heights(late.maps(0).unwrap());
    let texels: Vec<usize> = (0..400).map(|at| at * 97 % 4096).collect();
    let expected = texels.iter().map(|at| {
        let point = [at % 64, at / 64].map(|index| index as f64 * 88.0 / 64.0);
        fields(&waves, point).displacement[1]
    });
    let expected: Vec<f64> = expected.collect();
    let off = rms(texels.iter().zip(&expected).map(|(&at, expected)| f64::from(heights_late[at]) - expected));
    let scale = rms(expected.iter().copied());
    assert!(off < 1e-4 * scale, "off by {off:e} of {scale}");

    let mut early = Clock::start(0);
    early.advance(10.0, 1.0);
    let ratio = roughness(&heights_late) / roughness(&heights(field_at(&sea, early).maps(0).unwrap()));
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

/// Power in the shortest waves: of second differences, which grow as k⁴.
fn roughness(heights: &[f32]) -> f64 {
    let at = |x: usize, z: usize| f64::from(heights[z % 64 * 64 + x % 64]);
    let bends = (0..64).flat_map(|z| {
        (0..64).flat_map(move |x| [at(x, z) - 2.0 * at(x + 1, z) + at(x + 2, z), at(x, z) - 2.0 * at(x, z + 1) + at(x, z + 2)])
    });
    let bends: Vec<f64> = bends.collect();
    rms(bends)
}

#[test]
fn clocks_start_apart_and_go_at_their_own_pace() {
    let mut sea = SeaState::default();
    sea.cascades[1].time_scale = 0.0;
    sea.cascades[2].time_scale = 2.0;
    let mut clocks = Clocks::new();
    clocks.advance(1.5, &sea);
    let shown = [0, 1, 2, 3].map(|cascade| clocks.get(cascade).seconds());
    let pi = std::f64::consts::PI;
    let expected = [121.5, 120.0 + pi, 123.0 + 2.0 * pi, 121.5 + 3.0 * pi];
    for (shown, expected) in shown.into_iter().zip(expected) {
        assert!((shown - expected).abs() < 1e-9, "{shown}, expected {expected}");
    }
}

#[test]
fn time_does_not_run_backwards_or_off_the_loop() {
    let mut clock = Clock::start(0);
    for dt in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
        clock.advance(dt, 1.0);
        assert_eq!(clock, Clock::start(0), "{dt}");
    }
    clock.advance(1.0, f32::NAN);
    assert_eq!(clock, Clock::start(0));
    clock.advance(LOOP_SECONDS * 1000.0 + 5.0, 1.0);
    assert!((clock.seconds() - 125.0).abs() < 1e-6);
    clock.advance(1e300, 10.0);
    assert!((0.0..LOOP_SECONDS).contains(&clock.seconds()));
    assert_eq!(Clock::at(-1e-30).seconds(), 0.0);
    assert_eq!(Clock::at(f64::NAN).seconds(), 0.0);
}

#[test]
fn phases_are_the_same_integer_at_any_time() {
    let clock = Clock::at(LOOP_SECONDS / 4.0);
    assert_eq!(clock.phase_step(), 1 << 30);
    assert_eq!(angle(1, clock.phase_step()), std::f64::consts::FRAC_PI_2);
    assert_eq!(angle(4, clock.phase_step()), 0.0);
    let clock = Clock::at(1234.567);
    for index in [0, 1, 77, 5000, 65_535] {
        let off = angle(index, clock.phase_step()) - looped_omega(index) * clock.seconds();
        let turns = off / std::f64::consts::TAU;
        assert!((turns - turns.round()).abs() < 2e-5, "{index}: {turns}");
    }
}

#[test]
fn looped_frequencies_are_within_half_a_step() {
    for k in [1e-3, 0.05, 0.7, 13.0, 900.0] {
        for depth in [0.1, 20.0, 1e4] {
            let off = looped_omega(frequency_index(k, depth)) - omega(k, depth);
            assert!(off.abs() <= std::f64::consts::PI / LOOP_SECONDS + 1e-12, "k {k}, depth {depth}: {off}");
        }
    }
    assert_eq!(frequency_index(0.0, 20.0), 0);
    assert_eq!(frequency_index(1e5, 20.0), 65_535);
}

#[test]
fn the_frequency_table_is_the_quarter_grid() {
    let table = frequency_table([120.0, 40.0], 20.0, 64);
    assert_eq!(table.len(), 33 * 33);
    let spectrum =
        CascadeSpectrum::new(&sea_of(Cascade { tile_length: [120.0, 40.0], ..Cascade::DEFAULT }, 20.0, Amplitude::Artistic), 0);
    for (ix, iz) in [(0, 0), (1, 0), (0, 1), (32, 5), (7, 32)] {
        let [kx, kz] = spectrum.wave_vector(ix, iz);
        let expected = frequency_index((kx * kx + kz * kz).sqrt(), 20.0);
        assert_eq!(table[iz as usize * 33 + ix as usize], expected, "({ix}, {iz})");
    }
}
