//! Questions at world points: the water that is there, not the water that belongs there at rest.

mod common;

use common::{rms, sea_of};
use ocean::clock::Clocks;
use ocean::preset::Preset;
use ocean::surface_field::SurfaceField;
use ocean::{Amplitude, Cascade, SeaState};

fn running(sea: &SeaState) -> SurfaceField {
    let mut field = SurfaceField::new(sea);
    let mut clocks = Clocks::new();
    clocks.advance(7.0, sea);
    field.update(&clocks);
    field
}

fn points() -> impl Iterator<Item = [f32; 2]> {
    (0..4000).map(|at| [at as f32 * 1.37 - 900.0, at as f32 * -0.71])
}

/// How far from each point the water is that was found for it, m, in ascending order.
fn misses(sea: &SeaState) -> Vec<f64> {
    let field = running(sea);
    let moment = field.at(1.0);
    let mut misses: Vec<f64> = points()
        .map(|world| {
            let found = moment.displacement_at(world);
            let rest = [f64::from(world[0]) - f64::from(found[0]), f64::from(world[1]) - f64::from(found[2])];
            let there = moment.displacement_of(rest);
            f64::from(there[0] - found[0]).hypot(f64::from(there[2] - found[2]))
        })
        .collect();
    misses.sort_by(f64::total_cmp);
    misses
}

#[test]
fn the_water_found_is_at_the_point_asked_for() {
    for preset in Preset::ALL {
        let mut sea = preset.sea_state();
        sea.amplitude = Amplitude::Physical;
        let misses = misses(&sea);
        assert!(misses[misses.len() - 1] < 5e-3, "{}: {:?}", preset.name(), misses.last());
    }
}

/// At the artistic amplitude the steepest presets have places where the surface has folded over itself.
#[test]
fn also_where_the_sea_folds_nearly_always() {
    for preset in Preset::ALL {
        let misses = misses(&preset.sea_state());
        let beyond = misses.iter().filter(|&&miss| miss > 1e-2).count();
        assert!(beyond * 200 <= misses.len(), "{}: {beyond} of {}", preset.name(), misses.len());
    }
}

#[test]
fn the_answers_agree_with_each_other() {
    let field = running(&Preset::Ocean.sea_state());
    for world in points().take(200) {
        let sample = field.sample_at(world);
        assert_eq!(sample.displacement, field.displacement_at(world));
        assert_eq!(sample.displacement[1], field.height_at(world));
        assert_eq!(sample.normal, field.normal_at(world));
        assert_eq!(sample.velocity, field.velocity_at(world));
    }
}

#[test]
fn the_normal_is_that_of_the_surface_as_it_stands() {
    // Without waves of a few texels, on which the derivative of a reading and the reading of a derivative differ.
    let field = running(&sea_of(Cascade { detail: 0.0, ..Cascade::DEFAULT }, 20.0, Amplitude::Physical));
    let step = 0.2;
    let off = rms(points().take(1000).flat_map(|[x, z]| {
        let normal = field.normal_at([x, z]);
        let slope_x = (field.height_at([x + step, z]) - field.height_at([x - step, z])) / (2.0 * step);
        let slope_z = (field.height_at([x, z + step]) - field.height_at([x, z - step])) / (2.0 * step);
        [f64::from(normal[0] / normal[1] + slope_x), f64::from(normal[2] / normal[1] + slope_z)]
    }));
    let scale = rms(points().take(1000).map(|world| f64::from(field.normal_at(world)[0])));
    assert!(off < 0.08 * scale, "off by {off} of {scale}");
}

#[test]
fn velocity_is_the_water_s_in_real_time() {
    let mut sea = sea_of(Cascade { wind_speed: 6.0, ..Cascade::DEFAULT }, 20.0, Amplitude::Physical);
    sea.cascades[0].time_scale = 2.0;
    let (mut field, mut clocks) = (SurfaceField::new(&sea), Clocks::new());
    field.update(&clocks);
    let dt = 0.01;
    clocks.advance(dt, &sea);
    field.update(&clocks);
    for world in points().take(100) {
        let velocity = field.at(0.5).velocity_at(world);
        let found = field.at(0.5).displacement_at(world);
        let rest = [f64::from(world[0] - found[0]), f64::from(world[1] - found[2])];
        let (before, after) = (field.at(0.0).displacement_of(rest), field.at(1.0).displacement_of(rest));
        for axis in 0..3 {
            let moved = (after[axis] - before[axis]) / dt as f32;
            assert!((moved - velocity[axis]).abs() < 2e-2, "{velocity:?} at {world:?}: {moved}");
        }
    }
}

#[test]
fn tiles_repeat() {
    let field = running(&sea_of(Cascade::DEFAULT, 20.0, Amplitude::Physical));
    for [x, z] in points().take(100) {
        let (here, there) = (field.height_at([x, z]), field.height_at([x + 88.0, z - 176.0]));
        assert!((here - there).abs() < 5e-3, "{here} and {there}");
    }
}

#[test]
fn points_that_are_no_points_find_flat_water() {
    let field = running(&SeaState::default());
    for world in [[f32::NAN, 0.0], [0.0, f32::INFINITY], [f32::NEG_INFINITY, f32::NAN]] {
        assert_eq!(field.displacement_at(world), [0.0; 3]);
    }
    for far in [f32::MAX, 1e20, -1e9] {
        assert!(field.sample_at([far, -far]).velocity.iter().all(|part| part.is_finite()));
    }
}
