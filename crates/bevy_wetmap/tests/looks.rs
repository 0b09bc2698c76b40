//! The options of drawing: nothing while they are off, and what they say while they are on.

use bevy_wetmap::bloodstain::spectral::Film;
use bevy_wetmap::{Looks, StainShape, WetSettings, Wetmap};

const SHAPE: StainShape = StainShape { major: 0.4, minor: 0.3, spines: 11, satellites: 5, direction: [0.3, 1.0], seed: 4 };

fn painted(looks: Option<Looks>) -> Wetmap {
    let mut map = Wetmap::new(64, [0.9; 3], 0.5).expect("a size within the limits");
    if let Some(looks) = looks {
        map.set_looks(looks, 0);
    }
    map.paint_uv([0.5, 0.4], &SHAPE, 0);
    for tick in 0..30 {
        map.tick(tick, [0.0, 1.0], &WetSettings::default());
    }
    map
}

fn same_picture(a: &Wetmap, b: &Wetmap) -> bool {
    a.albedo_bytes() == b.albedo_bytes() && a.roughness_bytes() == b.roughness_bytes()
}

/// Red, green and blue of a texel of full coverage, or of so much.
fn colour(map: &mut Wetmap, amount: u8) -> [u8; 3] {
    assert!(map.set_texels(&[(amount, 0); 64 * 64], &WetSettings::default(), 0));
    [0, 1, 2].map(|c| map.albedo_bytes()[c])
}

#[test]
fn the_defaults_change_nothing() {
    let (plain, set) = (painted(None), painted(Some(Looks::default())));
    assert_eq!(plain.digest(), set.digest());
    assert!(same_picture(&plain, &set));
}

#[test]
fn a_film_is_the_picture_only() {
    let film = Some(Film::venous(2.0));
    let (plain, mut filmed) = (painted(None), painted(Some(Looks { film, ..Looks::default() })));
    assert_eq!(plain.digest(), filmed.digest());
    assert!(!same_picture(&plain, &filmed));
    filmed.mark_clean();
    filmed.set_looks(Looks::default(), 77);
    assert!(same_picture(&plain, &filmed), "turned off, everything is as before");
    assert_eq!(filmed.dirty_since(), Some(77));
    filmed.mark_clean();
    filmed.set_looks(Looks::default(), 78);
    assert!(!filmed.is_dirty(), "no byte changed");
}

#[test]
fn a_smear_is_lighter_than_a_pool_beyond_what_shows_through() {
    let mut map = painted(Some(Looks { film: Some(Film { substrate: 0.9, ..Film::arterial(1.0) }), ..Looks::default() }));
    let pool = colour(&mut map, 255);
    let plain = colour(&mut painted(None), 255);
    assert!(pool[0] < plain[0], "a millimetre is darker than the authored red: {pool:?} {plain:?}");
    // Covered by 40 of 255, and the surface (230) shows through the rest: what is left is the film's own.
    let smear = colour(&mut map, 40);
    let film = (f64::from(smear[0]) - 230.0 * 215.0 / 255.0) * 255.0 / 40.0;
    assert!(film > f64::from(pool[0]) + 5.0, "a sixth of the thickness is lighter: {film} {pool:?}");
}

/// What the documentation of `Looks::film` says of it, in sRGB.
#[test]
fn a_thin_smear_is_scarlet_and_a_pool_dark() {
    let look = |thickness_mm, so2| {
        let film = Some(Film { thickness_mm, so2, substrate: 0.9 });
        colour(&mut painted(Some(Looks { film, ..Looks::default() })), 255)
    };
    let luminance = |srgb: [u8; 3]| {
        let linear = srgb.map(|byte| {
            let x = f64::from(byte) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let documented =
        [(0.97, [219, 50, 48], [138, 24, 41]), (0.75, [208, 52, 53], [113, 33, 42]), (0.0, [173, 60, 83], [77, 40, 50])];
    for (so2, smear, pool) in documented {
        for (thickness, expected) in [(0.05, smear), (3.0, pool)] {
            let seen = look(thickness, so2);
            let near = seen.iter().zip(expected).all(|(seen, expected)| seen.abs_diff(expected) <= 1);
            assert!(near, "{thickness} mm at {so2}: {seen:?}, said to be {expected:?}");
        }
        assert!(luminance(look(3.0, so2)) < 0.07, "a pool is dark at {so2}");
        assert!(luminance(look(0.05, so2)) > 2.5 * luminance(look(3.0, so2)), "and a smear is not at {so2}");
        assert!(luminance(look(10.0, so2)) > luminance(look(1.0, so2)) * 0.9, "a millimetre is as dark as ten at {so2}");
    }
    let [red, green, blue] = look(0.05, 0.97);
    assert!(red > 200 && red > 4 * green && red > 4 * blue, "scarlet: {red} {green} {blue}");
}

#[test]
fn edge_samples_smooth_an_edge_and_keep_the_amount() {
    let mut sharp = Wetmap::new(64, [0.5; 3], 0.5).expect("a size within the limits");
    let mut smooth = sharp.clone();
    smooth.set_looks(Looks { edge_samples: 4, ..Looks::default() }, 0);
    for map in [&mut sharp, &mut smooth] {
        map.paint_uv([0.5, 0.5], &SHAPE, 0);
    }
    assert_ne!(sharp.digest(), smooth.digest());
    let (a, b) = (sharp.wetted_area(), smooth.wetted_area());
    assert!((a - b).abs() < 0.03 * a, "the same blood: {a} {b}");
    // How much coverage changes from one texel to the next, where it changes fastest.
    let steepest = |map: &Wetmap| {
        let amounts: Vec<i32> = map.texels().map(|texel| i32::from(texel.0)).collect();
        let rows = amounts.chunks(64);
        rows.flat_map(|row| row.windows(2).map(|pair| (pair[0] - pair[1]).pow(2))).map(i64::from).sum::<i64>()
    };
    assert!(steepest(&smooth) < steepest(&sharp), "{} {}", steepest(&smooth), steepest(&sharp));
}

#[test]
fn nonsense_is_clamped() {
    let mut map = painted(None);
    for x in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
        let film = Some(Film { thickness_mm: x, so2: x, substrate: x });
        map.set_looks(Looks { edge_samples: if x > 0.0 { u32::MAX } else { 0 }, film }, 0);
        map.paint_uv([0.2, 0.2], &SHAPE, 0);
        assert!((1..=8).contains(&map.looks().edge_samples));
    }
    let mut large = Wetmap::new(1000, [0.5; 3], 0.5).expect("a size within the limits");
    large.set_looks(Looks { edge_samples: 8, ..Looks::default() }, 0);
    assert!(large.paint_uv([0.5, 0.5], &StainShape { major: 0.05, spines: 0, satellites: 0, ..SHAPE }, 0));
}
