//! Which way crests go, how fast, and what shape they have.

mod common;

use common::{coefficient, heights, sea_of};
use ocean::clock::{Clock, Clocks};
use ocean::dispersion::{frequency_index, looped_omega, omega};
use ocean::preset::Preset;
use ocean::surface_field::SurfaceField;
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState};

fn at(sea: &SeaState, seconds: f64) -> SurfaceField {
    let (mut field, mut clocks) = (SurfaceField::new(sea), Clocks::new());
    clocks.set(0, Clock::at(seconds));
    field.update(&clocks);
    field
}

/// Nearly all waves go the wind's way.
fn gathered(wind_direction: f32) -> SeaState {
    let cascade = Cascade { wind_direction, spread: 0.0, swell: 2.0, ..Cascade::DEFAULT };
    sea_of(cascade, 20.0, Amplitude::Physical)
}

#[test]
fn crests_go_downwind_at_the_speed_of_their_wavelength() {
    for heading in [0.0f32, 90.0, 200.0, 315.0] {
        let sea = gathered(heading);
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let [along_x, along_z] = spectrum.downwind;
        let dt = 0.4;
        let (before, after) = (at(&sea, 150.0), at(&sea, 150.0 + dt));
        let heights = [heights(before.maps(0).unwrap()), heights(after.maps(0).unwrap())];
        for cycles in [1.0, 2.0, 3.0, 5.0] {
            let index = [(cycles * along_x).round() as i32, (cycles * along_z).round() as i32];
            let [a, b] = [0, 1].map(|moment| coefficient(&heights[moment], 64, index));
            let turned = (b[1] * a[0] - b[0] * a[1]).atan2(b[0] * a[0] + b[1] * a[1]);
            let [kx, kz] = spectrum.wave_vector(index[0], index[1]);
            let expected = -looped_omega(frequency_index(kx.hypot(kz), 20.0)) * dt;
            assert!((turned / expected - 1.0).abs() < 0.05, "{heading}°, {index:?}: {turned} of {expected} rad");
        }
    }
}

#[test]
fn the_pattern_itself_moves_downwind() {
    for heading in [20.0, 110.0, 290.0] {
        let sea = gathered(heading);
        let spectrum = CascadeSpectrum::new(&sea, 0);
        let dt = 0.1;
        let (before, after) = (at(&sea, 150.0), at(&sea, 150.0 + dt));
        let way = pattern_speed(&spectrum) * dt;
        let likeness = |shift: f64| -> f64 {
            let points = (0..1024).map(|index| [f64::from(index % 32) * 2.75, f64::from(index / 32) * 2.75]);
            let unlike = points.map(|[x, z]| {
                let moved = [x + shift * spectrum.downwind[0], z + shift * spectrum.downwind[1]];
                before.at(1.0).displacement_of([x, z])[1] - after.at(1.0).displacement_of(moved)[1]
            });
            -unlike.map(|difference| f64::from(difference * difference)).sum::<f64>()
        };
        let shifts: Vec<f64> = (-40..=40).map(|step| f64::from(step) * way / 20.0).collect();
        let best = shifts.iter().copied().max_by(|a, b| likeness(*a).total_cmp(&likeness(*b))).unwrap();
        assert!((best / way - 1.0).abs() < 0.2, "{heading}°: moved {best} m of {way} m");
    }
}

/// How far in a second the surface has to be shifted downwind to look most like itself a moment later: each wave moves with
/// its own ω/k, and the steeper ones show more.
fn pattern_speed(spectrum: &CascadeSpectrum) -> f64 {
    let (mut turned, mut steepness) = (0.0, 0.0);
    spectrum.for_each_bin(64, |ix, iz, variance| {
        let [kx, kz] = spectrum.wave_vector(ix, iz);
        let along = kx * spectrum.downwind[0] + kz * spectrum.downwind[1];
        turned += variance * along * omega(kx.hypot(kz), spectrum.depth);
        steepness += variance * along * along;
    });
    turned / steepness
}

/// h and J of every texel, the Displacement Scale being 1.
fn heights_and_jacobians(field: &SurfaceField) -> Vec<[f64; 2]> {
    let maps = field.maps(0).unwrap();
    let texels = maps.displacement().iter().zip(maps.gradient());
    texels
        .map(|(displacement, gradient)| {
            let [stretch_x, stretch_z, shear] = [gradient[2], gradient[3], displacement[3]].map(f64::from);
            [f64::from(displacement[1]), (1.0 + stretch_x) * (1.0 + stretch_z) - shear * shear]
        })
        .collect()
}

fn correlation(pairs: &[[f64; 2]]) -> f64 {
    let count = pairs.len() as f64;
    let mean = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).sum::<f64>() / count);
    let moment = |a: usize, b: usize| pairs.iter().map(|pair| (pair[a] - mean[a]) * (pair[b] - mean[b])).sum::<f64>();
    moment(0, 1) / (moment(0, 0) * moment(1, 1)).sqrt()
}

#[test]
fn crests_are_sharp_and_fold_first() {
    let storm = Preset::StormyOcean.sea_state();
    let mut folded = 0;
    for seed in 0..60 {
        let sea = SeaState { seed, ..sea_of(storm.cascades[0], 20.0, Amplitude::Artistic) };
        let pairs = heights_and_jacobians(&at(&sea, 130.0));
        let correlation = correlation(&pairs);
        assert!(correlation < -0.3, "seed {seed}: {correlation}");
        for [height, _] in pairs.iter().filter(|[_, jacobian]| *jacobian < 0.0) {
            assert!(*height > 0.0, "seed {seed}: folds at {height} m");
            folded += 1;
        }
    }
    assert!(folded > 50, "the sea is steep enough to say something: {folded}");
}

#[test]
fn drawn_crests_are_narrower_than_troughs() {
    let field = at(&gathered(0.0), 130.0);
    // Over world points, as seen: less than half of the surface is above the level where crests are narrow.
    let points = (0..10_000).map(|at| [(at % 100) as f32 * 0.88, (at / 100) as f32 * 0.88]);
    let above = points.filter(|&world| field.height_at(world) > 0.0).count();
    assert!((3000..4900).contains(&above), "{above} of 10000");
}
