//! Saved and loaded canvases: the same canvas, or an error with a name, and never a panic.

mod common;

use bevy_wetmap::bloodstain::spectral::Film;
use bevy_wetmap::model::plain::Plain;
use bevy_wetmap::{LoadError, Looks, StainShape, WetSettings, Wetmap};
use common::{gravity, settings, shape, state, uv};
use proptest::prelude::*;

fn canvas(size: u32, texels: &[(u8, u16)], settings: &WetSettings) -> Wetmap {
    let mut map = Wetmap::new(size, [0.78, 0.66, 0.60], 0.55).expect("a size within the limits");
    assert!(map.set_texels(texels, settings, 0));
    map
}

/// Whatever is asked of these bytes, the answer is a canvas that saves to them or an error.
fn is_answered(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(map) = Wetmap::load(bytes) {
        prop_assert_eq!(map.save(), bytes, "only one form of a canvas is accepted");
    }
    Ok(())
}

/// FNV-1a 64, so that a changed file can be given a matching checksum and what lies behind it is tried as well.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len().saturating_sub(8);
    let sum = bytes[..body]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    bytes.truncate(body);
    bytes.extend(sum.to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    /// Saved in the middle of a script, loaded, and gone on with: the same state, picture and digest after every tick.
    #[test]
    fn a_resumed_canvas_goes_on_like_an_uninterrupted_one(
        (size, texels) in state(24),
        dials in settings(),
        later in settings(),
        down in gravity(),
        (uv, shape) in (uv(), shape()),
    ) {
        let mut map = canvas(size, &texels, &dials);
        map.tick(0, down, &dials);
        let bytes = map.save();
        let mut resumed = Wetmap::load(&bytes).expect("what was saved can be loaded");
        prop_assert_eq!(resumed.save(), bytes);
        prop_assert!(!resumed.is_dirty());
        for tick in 1..6 {
            prop_assert!(resumed.texels().eq(map.texels()));
            prop_assert_eq!(resumed.digest(), map.digest());
            prop_assert!(resumed.albedo_bytes() == map.albedo_bytes());
            prop_assert!(resumed.roughness_bytes() == map.roughness_bytes());
            // Painted before the next tick: shaded by the dials of the last.
            prop_assert_eq!(resumed.paint_uv(uv, &shape, tick), map.paint_uv(uv, &shape, tick));
            let dials = if tick < 3 { &dials } else { &later };
            resumed.tick(tick, down, dials);
            map.tick(tick, down, dials);
        }
    }

    #[test]
    fn a_cut_file_is_an_error((size, texels) in state(12), cut in any::<prop::sample::Index>()) {
        let bytes = canvas(size, &texels, &WetSettings::default()).save();
        let cut = cut.index(bytes.len());
        prop_assert!(Wetmap::load(&bytes[..cut]).is_err());
        if cut >= 8 {
            prop_assert_eq!(Wetmap::load(&bytes[..cut]).err(), Some(LoadError::Truncated));
        }
    }

    #[test]
    fn a_changed_byte_is_an_error((size, texels) in state(12), at in any::<prop::sample::Index>(), flip in 1u8..) {
        let mut bytes = canvas(size, &texels, &WetSettings::default()).save();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Wetmap::load(&bytes).is_err(), "byte {}", at);
    }

    /// With a checksum that fits, every other check is on its own.
    #[test]
    fn changed_bytes_under_a_right_checksum_are_answered(
        (size, texels) in state(8),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        more in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let mut bytes = canvas(size, &texels, &WetSettings::default()).save();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let end = bytes.len() - 8;
        bytes.splice(end..end, more);
        is_answered(&sealed(bytes))?;
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200), size in 0u32..64) {
        is_answered(&bytes)?;
        let header = [&b"wetmap\0\x01"[..], &size.to_le_bytes()].concat();
        is_answered(&sealed([header, bytes].concat()))?;
    }
}

#[test]
fn each_fault_is_named() {
    let bytes = canvas(3, &[(9, 4); 9], &WetSettings::default()).save();
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        Wetmap::load(&sealed(bytes)).err()
    };
    assert_eq!(Wetmap::load(&[]).err(), Some(LoadError::NotAWetmap));
    assert_eq!(Wetmap::load(b"a picture of a cat").err(), Some(LoadError::NotAWetmap));
    assert_eq!(with(7, 2), Some(LoadError::Version { found: 2 }));
    assert_eq!(with(8, 0), Some(LoadError::Size { size: 0 }));
    assert_eq!(with(11, 1), Some(LoadError::Size { size: 3 + (1 << 24) }));
    // 1800 ticks are 0x0708: with 0 for the lower byte 1792, and the state is the same.
    assert_eq!((bytes[16..18].to_vec(), with(16, 0)), (vec![0x08, 0x07], None));
    let corrupt = |bytes: Vec<u8>| match Wetmap::load(&sealed(bytes)).err() {
        Some(LoadError::Corrupt { what }) => what,
        other => panic!("{other:?}"),
    };
    let dials = |span: u16, humidity: f32| [&bytes[..16], &span.to_le_bytes(), &humidity.to_le_bytes(), &bytes[22..]].concat();
    assert_eq!(corrupt(dials(0, 0.4)), "its dials are out of range");
    assert_eq!(corrupt(dials(1800, f32::NAN)), "its dials are out of range");
    assert_eq!(corrupt(dials(1800, 1.5)), "its dials are out of range");
    assert_eq!(Wetmap::load(&[&bytes[..], &[0]].concat()).err(), Some(LoadError::TrailingBytes { count: 1 }));
    // 22 bytes of header, then: 0 bare, 9 held.
    assert_eq!(bytes[22..24], [0, 9]);
    // Then nine amounts, nine of one age, and the age.
    assert_eq!(bytes[33..36], [9, 4, 0]);
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        corrupt(bytes)
    };
    assert_eq!(changed(23, 10), "it has more texels than its size");
    assert_eq!(changed(23, 0), "a run of texels is empty");
    assert_eq!(changed(24, 0), "an empty texel stands among those that are not");
    assert_eq!(changed(33, 0), "a run of ages is empty");
    assert_eq!(changed(33, 10), "it has more ages than blood");
    assert_eq!(corrupt([&bytes[..33], &[4, 4, 0, 5, 4, 0], &bytes[36..]].concat()), "a run of ages is in two parts");
    assert_eq!(corrupt([&bytes[..22], &[0xFF; 8], &bytes[22..]].concat()), "a count is too large or padded");
    assert_eq!(with(25, 77), Some(LoadError::Checksum), "the digest notices another amount under a right checksum");
    for error in [LoadError::NotAWetmap, LoadError::Truncated, LoadError::Checksum, LoadError::Version { found: 9 }] {
        assert!(error.to_string().contains("wetmap"), "{error}");
    }
}

#[test]
fn a_saved_canvas_is_small() {
    let mut map = Wetmap::new(512, [0.5; 3], 0.5).expect("a size within the limits");
    assert!(map.save().len() < 64, "a bare one: {}", map.save().len());
    let shape = StainShape { major: 0.07, minor: 0.06, spines: 12, satellites: 4, direction: [0.3, 1.0], seed: 7 };
    for i in 0..10 {
        map.paint_uv([0.1 * i as f32, 0.5], &shape, 0);
        map.tick(i, [0.0, 1.0], &WetSettings::default());
    }
    let held = map.texels().filter(|texel| texel.0 > 0).count();
    let saved = map.save().len();
    assert!(saved < 2 * held + 1000, "{saved} bytes for {held} texels with blood, of {}", 512 * 512);
}

#[test]
fn a_restored_canvas_is_the_earlier_one_and_dirty() {
    let settings = WetSettings::default();
    let mut map = canvas(9, &[(200, 3); 81], &settings);
    let earlier = map.clone();
    let digests = |map: &mut Wetmap| -> Vec<u64> {
        let tick = |tick| {
            map.tick(tick, [0.2, 1.0], &settings);
            map.digest()
        };
        (0..9).map(tick).collect()
    };
    let first = digests(&mut map);
    map.mark_clean();
    map.restore(&earlier, 77);
    assert_eq!(map.dirty_since(), Some(77), "the picture that was taken is not this one");
    assert_eq!(digests(&mut map), first);
    let mut other = Wetmap::new(30, [0.1; 3], 0.9).expect("a size within the limits");
    other.tick(0, [1.0, 0.0], &settings);
    other.restore(&earlier, 5);
    assert_eq!((other.size(), digests(&mut other)), (9, first), "of another size and surface too");
    assert!(other.albedo_bytes() == map.albedo_bytes());
    map.restore(&earlier, 78);
    map.mark_clean();
    map.restore(&earlier, 79);
    assert!(!map.is_dirty(), "it is that one already");
}

#[test]
fn after_going_back_the_rows_that_differ_have_changed() {
    let settings = WetSettings::default();
    let mut map = Wetmap::new(64, [0.5; 3], 0.5).expect("a size within the limits");
    let shape = StainShape { major: 0.05, minor: 0.05, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 7 };
    map.paint_uv([0.5, 0.1], &shape, 0);
    map.tick(0, [0.0, 1.0], &settings);
    map.mark_clean();
    let taken = map.albedo_bytes().to_vec();
    let earlier = map.clone();
    map.paint_uv([0.5, 0.8], &shape, 1);
    let added = map.changed_rows().clone();
    map.restore(&earlier, 2);
    assert_eq!(map.changed_rows(), &added, "what had changed since the picture was taken, and is back");
    assert!((1..6).contains(&added.count()), "{added:?}");
    // Taken in between: what differs from it, and nothing else.
    map.paint_uv([0.5, 0.8], &shape, 3);
    map.mark_clean();
    map.restore(&earlier, 4);
    assert_eq!(map.changed_rows(), &added);
    assert!(map.albedo_bytes() == taken);
}

/// A canvas on which everything is dry, or past it, or all but one texel is.
#[test]
fn a_dry_canvas_is_still_as_soon_as_it_is_loaded() {
    let settings = WetSettings::default();
    for (age, odd, still) in [(1800, 1800, true), (1800, 1799, false), (1800, 1801, false), (1801, 1801, false)] {
        let mut texels = [(90, age); 400];
        texels[217] = (90, odd);
        texels[3] = (0, 0);
        let mut map = canvas(20, &texels, &settings);
        let mut plain = Plain::new(20, [0.78, 0.66, 0.60], 0.55);
        plain.set_texels(&texels, &settings);
        let mut loaded = Wetmap::load(&map.save()).expect("what was saved can be loaded");
        assert_eq!((map.is_still(), loaded.is_still()), (still, still), "{age} {odd}");
        for tick in 0..3 {
            map.tick(tick, [0.0, 1.0], &settings);
            loaded.tick(tick, [0.0, 1.0], &settings);
            plain.tick([0.0, 1.0], &settings);
            for map in [&map, &loaded] {
                assert!(map.texels().eq(plain.texels().iter().copied()), "{age} {odd}");
                assert!(map.albedo_bytes() == plain.albedo_bytes(), "{age} {odd}");
            }
        }
        assert!(map.is_still() && loaded.is_still());
        // Other dials wake it all the same.
        let sooner = WetSettings { dry_ticks: 600, humidity: 0.9, ..settings };
        loaded.tick(3, [0.0, 1.0], &sooner);
        plain.tick([0.0, 1.0], &sooner);
        assert!(loaded.texels().eq(plain.texels().iter().copied()) && loaded.albedo_bytes() == plain.albedo_bytes());
    }
}

/// Looks are not part of the state: what a loaded canvas has to be told again.
#[test]
fn looks_are_not_saved() {
    let looks = Looks { edge_samples: 4, film: Some(Film::venous(2.0)) };
    let shape = StainShape { major: 0.4, minor: 0.3, spines: 9, satellites: 3, direction: [0.0, 1.0], seed: 7 };
    let mut map = Wetmap::new(32, [0.5; 3], 0.5).expect("a size within the limits");
    map.set_looks(looks, 0);
    map.paint_uv([0.5, 0.5], &shape, 0);
    map.tick(0, [0.0, 1.0], &WetSettings::default());
    let loaded = Wetmap::load(&map.save()).expect("what was saved can be loaded");
    assert_eq!((loaded.digest(), loaded.looks()), (map.digest(), Looks::default()));
    let mut told = loaded.clone();
    told.set_looks(looks, 0);
    assert!(loaded.albedo_bytes() != map.albedo_bytes() && told.albedo_bytes() == map.albedo_bytes());
    for map in [&mut map, &mut told] {
        map.paint_uv([0.2, 0.3], &shape, 1);
    }
    assert_eq!(told.digest(), map.digest());
}
