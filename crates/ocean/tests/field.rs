//! The maps against the sum they stand for, and the field's promises about seas that change.

mod common;

use common::{clock_after, coefficient, fields, heights, rms, sea_of, waves};
use ocean::clock::{Clock, Clocks};
use ocean::preset::Preset;
use ocean::surface_field::SurfaceField;
use ocean::{Amplitude, Cascade, CascadeSpectrum, SeaState};

fn updated(sea: &SeaState, resolution: u32, clock: Clock) -> SurfaceField {
    let mut field = SurfaceField::with_resolution(sea, resolution).unwrap();
    let mut clocks = Clocks::new();
    clocks.set(0, clock);
    field.update(&clocks);
    field
}

/// Every channel of every map, in the order of its texels, from the naive sum.
fn naive_channels(sea: &SeaState, resolution: u32, seconds: f64) -> [Vec<f64>; 11] {
    let spectrum = CascadeSpectrum::new(sea, 0);
    let waves = waves(&spectrum, resolution, seconds);
    let n = f64::from(resolution);
    let mut channels: [Vec<f64>; 11] = Default::default();
    for z in 0..resolution {
        for x in 0..resolution {
            let point = [spectrum.tile_length[0] * f64::from(x) / n, spectrum.tile_length[1] * f64::from(z) / n];
            let at = fields(&waves, point);
            let values = [&at.displacement[..], &at.slope, &at.stretch, &at.velocity].concat();
            for (channel, value) in channels.iter_mut().zip(values) {
                channel.push(value);
            }
        }
    }
    channels
}

fn map_channels(field: &SurfaceField) -> [Vec<f64>; 11] {
    let maps = field.maps(0).unwrap();
    let take = |map: &[[f32; 4]], channel: usize| map.iter().map(|texel| f64::from(texel[channel])).collect();
    let (displacement, gradient, velocity) = (maps.displacement(), maps.gradient(), maps.velocity());
    [
        take(displacement, 0),
        take(displacement, 1),
        take(displacement, 2),
        take(gradient, 0),
        take(gradient, 1),
        take(gradient, 2),
        take(gradient, 3),
        take(displacement, 3),
        take(velocity, 0),
        take(velocity, 1),
        take(velocity, 2),
    ]
}

#[test]
fn every_map_is_the_sum_of_its_waves() {
    let oblong = Cascade { tile_length: [120.0, 40.0], wind_direction: 30.0, ..Cascade::DEFAULT };
    let small = Cascade { tile_length: [3.0, 5.0], wind_direction: 250.0, ..Cascade::DEFAULT };
    for (cascade, resolution) in [(Cascade::DEFAULT, 32), (oblong, 32), (small, 16)] {
        let sea = sea_of(cascade, 20.0, Amplitude::Artistic);
        let (clock, seconds) = clock_after(12.34);
        let got = map_channels(&updated(&sea, resolution, clock));
        for (channel, (got, expected)) in got.iter().zip(naive_channels(&sea, resolution, seconds)).enumerate() {
            let scale = rms(expected.iter().copied());
            let off = rms(got.iter().zip(&expected).map(|(got, expected)| got - expected)) / scale;
            assert!(off < 1e-5, "channel {channel} at {resolution}²: off by {off:e} of {scale}");
        }
    }
}

#[test]
fn a_finer_grid_refines_the_same_sea() {
    let sea = Preset::Ocean.sea_state();
    let (clock, _) = clock_after(3.0);
    let coarse = heights(updated(&sea, 64, clock).maps(0).unwrap());
    let fine = heights(updated(&sea, 256, clock).maps(0).unwrap());
    let scale = rms(coarse.iter().map(|&height| f64::from(height)));
    for index in [[1, 0], [0, 1], [2, 1], [-3, 2], [5, -7], [10, 10], [-31, 31], [20, 0], [0, -30]] {
        let (a, b) = (coefficient(&coarse, 64, index), coefficient(&fine, 256, index));
        assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 1e-6 * scale, "{index:?}: {a:?} and {b:?}");
    }
}

#[test]
fn heights_have_no_mean() {
    for preset in Preset::ALL {
        let heights = heights(updated(&preset.sea_state(), 64, Clock::start(0)).maps(0).unwrap());
        let scale = rms(heights.iter().map(|&height| f64::from(height)));
        let mean = coefficient(&heights, 64, [0, 0])[0];
        assert!(mean.abs() < 1e-6 * scale, "{}: {mean}", preset.name());
    }
}

#[test]
fn between_texels_the_field_keeps_to_its_waves() {
    let sea = sea_of(Cascade::DEFAULT, 20.0, Amplitude::Physical);
    let (clock, seconds) = clock_after(1.0);
    let field = updated(&sea, 64, clock);
    let waves = waves(&CascadeSpectrum::new(&sea, 0), 64, seconds);
    let heights = heights(field.maps(0).unwrap());
    let (mut off, mut off_linear, mut scale) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..300 {
        let point = [f64::from(at) * 1.237 - 90.0, f64::from(at) * -2.611];
        let expected = fields(&waves, point).displacement[1];
        off.push(f64::from(field.at(1.0).displacement_of(point)[1]) - expected);
        off_linear.push(bilinear(&heights, point.map(|metres| metres * 64.0 / 88.0)) - expected);
        scale.push(expected);
    }
    let [off, off_linear] = [off, off_linear].map(|off| rms(off) / rms(scale.iter().copied()));
    assert!(off < 0.02 && off < 0.7 * off_linear, "{off}, and {off_linear} between four texels");
}

fn bilinear(heights: &[f32], [x, z]: [f64; 2]) -> f64 {
    let texel = |dx: f64, dz: f64| {
        let [x, z] = [x.floor() + dx, z.floor() + dz].map(|index| index.rem_euclid(64.0) as usize);
        f64::from(heights[z * 64 + x])
    };
    let (s, t) = (x - x.floor(), z - z.floor());
    (1.0 - t) * ((1.0 - s) * texel(0.0, 0.0) + s * texel(1.0, 0.0)) + t * ((1.0 - s) * texel(0.0, 1.0) + s * texel(1.0, 1.0))
}

#[test]
fn water_is_flat_before_the_first_update() {
    let sample = SurfaceField::new(&SeaState::default()).sample_at([3.0, 4.0]);
    assert_eq!(sample.displacement, [0.0; 3]);
    assert_eq!(sample.normal, [0.0, 1.0, 0.0]);
    assert_eq!(sample.velocity, [0.0; 3]);
}

#[test]
fn the_surface_moves_from_one_update_to_the_next() {
    let sea = Preset::Ocean.sea_state();
    let (mut field, mut clocks) = (SurfaceField::new(&sea), Clocks::new());
    let point = [10.0, -3.0];
    field.update(&clocks);
    let first = field.at(1.0).displacement_of(point);
    assert_eq!(field.at(0.0).displacement_of(point), first, "there is nothing to come from yet");
    clocks.advance(0.05, &sea);
    field.update(&clocks);
    let second = field.at(1.0).displacement_of(point);
    assert_eq!(field.at(0.0).displacement_of(point), first);
    assert_eq!(field.at(f32::NAN).displacement_of(point), second);
    let middle = field.at(0.5).displacement_of(point);
    for axis in 0..3 {
        assert!((middle[axis] - 0.5 * (first[axis] + second[axis])).abs() < 1e-5);
    }
}

#[test]
fn only_a_changed_cascade_changes() {
    let sea = Preset::Ocean.sea_state();
    let (mut field, clocks) = (SurfaceField::new(&sea), Clocks::new());
    field.update(&clocks);
    let before = [0, 1, 2].map(|cascade| field.maps(cascade).unwrap().clone());
    let mut changed = sea.clone();
    changed.cascades[1].wind_speed = 7.0;
    changed.cascades[2].time_scale = 3.0;
    field.set_sea(&changed);
    field.update(&clocks);
    assert_eq!(field.maps(0), Some(&before[0]));
    assert_ne!(field.maps(1), Some(&before[1]));
    assert_eq!(field.maps(2), Some(&before[2]), "a time scale is not part of the spectrum");
    let mut fresh = SurfaceField::new(&changed);
    fresh.update(&clocks);
    assert_eq!(field.digest(), fresh.digest(), "a sea reached by changes is the sea itself");
}

#[test]
fn cascades_come_and_go() {
    let mut sea = Preset::Ocean.sea_state();
    let (mut field, clocks) = (SurfaceField::new(&sea), Clocks::new());
    field.update(&clocks);
    sea.cascades.truncate(1);
    field.set_sea(&sea);
    assert!(field.maps(1).is_none());
    sea.cascades.resize(8, Cascade::DEFAULT);
    field.set_sea(&sea);
    field.update(&clocks);
    let (fifth, sixth) = (field.maps(5).unwrap(), field.maps(6).unwrap());
    assert_ne!(fifth, sixth, "equal cascades are different seas");
}

#[test]
fn displacement_scale_scales_what_is_drawn_at_once() {
    let mut sea = sea_of(Cascade::DEFAULT, 20.0, Amplitude::Physical);
    let mut field = updated(&sea, 64, Clock::start(0));
    let full = field.at(1.0).displacement_of([5.0, 6.0]);
    sea.cascades[0].displacement_scale = 0.5;
    field.set_sea(&sea);
    assert_eq!(field.at(1.0).displacement_of([5.0, 6.0]), full.map(|part| 0.5 * part));
    sea.cascades[0].displacement_scale = 0.0;
    field.set_sea(&sea);
    assert_eq!(field.height_at([5.0, 6.0]), 0.0);
    assert_eq!(field.normal_at([5.0, 6.0]), [0.0, 1.0, 0.0]);
}

#[test]
fn other_resolutions_are_refused_by_name() {
    for given in [0, 8, 63, 100, 512, u32::MAX] {
        let error = SurfaceField::with_resolution(&SeaState::default(), given).unwrap_err();
        assert_eq!(error.given, given);
        assert!(error.to_string().contains("16, 32, 64, 128 or 256"));
    }
}

#[test]
fn another_tile_or_one_more_cascade_shows_with_the_next_update_and_whole() {
    let sea = Preset::Ocean.sea_state();
    let clocks = Clocks::new();
    let mut field = SurfaceField::new(&sea);
    field.update(&clocks);
    field.update(&clocks);
    let point = [500.0, -320.0];
    let before = field.height_at(point);

    let mut other = sea.clone();
    other.cascades[0].tile_length = [96.8, 96.8];
    other.cascades.push(Cascade::DEFAULT);
    field.set_sea(&other);
    assert_eq!(field.height_at(point), before, "nothing shows before the update");
    field.update(&clocks);
    assert_eq!(field.at(0.0).height_at(point), field.at(1.0).height_at(point), "there is nothing to blend from");
}
