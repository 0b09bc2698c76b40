//! What happens to values that no sea can have.

use ocean::sea_state::{Adjustment, CASCADE_PARAMETERS, Cascade, MAX_CASCADES, SeaState, Wrap};

fn validated(change: impl FnOnce(&mut SeaState)) -> (SeaState, Vec<Adjustment>) {
    let mut sea = SeaState::default();
    change(&mut sea);
    sea.validated()
}

#[test]
fn every_dial_is_clamped_to_its_range_and_the_change_reported() {
    for parameter in CASCADE_PARAMETERS.iter().filter(|parameter| parameter.wrap == Wrap::Clamped) {
        for (given, used) in [
            (f32::NAN, parameter.default),
            (f32::INFINITY, parameter.max),
            (f32::NEG_INFINITY, parameter.min),
            (f32::MAX, parameter.max),
            (-1.0, parameter.min),
        ] {
            let (sea, adjustments) = validated(|sea| (parameter.set)(&mut sea.cascades[1], given));
            assert_eq!((parameter.get)(&sea.cascades[1]), used, "{} = {given}", parameter.field);
            let [adjustment] = adjustments[..] else { panic!("{}: {adjustments:?}", parameter.field) };
            assert_eq!((adjustment.field, adjustment.cascade, adjustment.used), (parameter.field, Some(1), used));
            assert_eq!(adjustment.given.to_bits(), given.to_bits());
        }
    }
}

#[test]
fn the_depth_is_clamped() {
    let (sea, adjustments) = validated(|sea| sea.sea_depth = 0.0);
    assert_eq!((sea.sea_depth, adjustments.len()), (0.1, 1));
    assert_eq!(validated(|sea| sea.sea_depth = f32::NAN).0.sea_depth, 20.0);
    assert_eq!(validated(|sea| sea.sea_depth = f32::INFINITY).0.sea_depth, 10_000.0);
}

#[test]
fn headings_go_around() {
    for (given, used) in [(-30.0, 330.0), (360.0, 0.0), (725.0, 5.0), (-1e-30, 0.0), (-0.0, 0.0)] {
        let (sea, adjustments) = validated(|sea| sea.cascades[0].wind_direction = given);
        assert_eq!(sea.cascades[0].wind_direction.to_bits(), f32::to_bits(used), "{given}");
        assert_eq!(adjustments, [], "the same heading is no news");
    }
    let (sea, adjustments) = validated(|sea| sea.cascades[0].wind_direction = f32::INFINITY);
    assert_eq!((sea.cascades[0].wind_direction, adjustments.len()), (20.0, 1));
}

#[test]
fn there_are_one_to_eight_cascades() {
    let (sea, adjustments) = validated(|sea| sea.cascades.clear());
    assert_eq!(sea.cascades, [Cascade::DEFAULT]);
    assert_eq!(adjustments.len(), 1);
    let (sea, adjustments) = validated(|sea| sea.cascades = vec![Cascade::DEFAULT; 12]);
    assert_eq!((sea.cascades.len(), adjustments.len()), (MAX_CASCADES, 1));
}

#[test]
fn validating_twice_changes_nothing_more() {
    let (once, _) = validated(|sea| {
        sea.cascades[0] = Cascade { wind_speed: f32::NAN, wind_direction: -7.0, spread: 3.0, ..Cascade::DEFAULT };
    });
    assert_eq!(once.validated(), (once.clone(), vec![]));
}

#[test]
fn the_message_says_what_to_do() {
    let (_, adjustments) = validated(|sea| {
        sea.cascades[1].wind_speed = 75.0;
        sea.cascades[2].swell = f32::NAN;
    });
    let messages: Vec<String> = adjustments.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "cascade 2, wind_speed is 75 m/s; 60 m/s is used. Set it from 0 to 60 m/s.",
            "cascade 3, swell is not a number; the default, 0.8, is used. Set it from 0 to 2.",
        ]
    );
}
