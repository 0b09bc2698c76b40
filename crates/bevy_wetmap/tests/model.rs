//! The model against its specification: a second implementation, and the laws that hold from any state.

mod common;

use bevy_wetmap::{WetSettings, Wetmap};
use common::{Naive, gravity, settings, shape, state, uv};
use proptest::prelude::*;

fn map(size: u32, texels: &[(u8, u16)], settings: &WetSettings) -> Wetmap {
    let mut map = Wetmap::new(size, [0.5; 3], 0.5).expect("a size within the limits");
    assert!(map.set_texels(texels, settings, 0), "as many texels as the canvas has");
    map.mark_clean();
    map
}

fn held(map: &Wetmap) -> Vec<(u8, u16)> {
    map.texels().collect()
}

fn sum(map: &Wetmap) -> i64 {
    map.texels().map(|texel| i64::from(texel.0)).sum()
}

/// One thing that happens to a canvas.
#[derive(Clone, Debug)]
enum Deed {
    Paint([f32; 2], bevy_wetmap::StainShape),
    Tick([f32; 2]),
    Dials(WetSettings),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        2 => (uv(), shape()).prop_map(|(uv, shape)| Deed::Paint(uv, shape)),
        6 => gravity().prop_map(Deed::Tick),
        1 => settings().prop_map(Deed::Dials),
    ];
    prop::collection::vec(deed, 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    /// Random scripts from random states, with dials that change on the way: every texel as in the second implementation.
    #[test]
    fn a_second_implementation_gives_the_same_texels((size, texels) in state(13), first in settings(), deeds in deeds()) {
        let mut settings = first;
        let mut map = map(size, &texels, &settings);
        let mut naive = Naive::new(size, &texels);
        for (tick, deed) in (0u32..).zip(&deeds) {
            match deed {
                Deed::Paint(uv, shape) => {
                    map.paint_uv(*uv, shape, tick);
                    naive.paint(*uv, shape);
                }
                Deed::Tick(gravity) => {
                    map.tick(tick, *gravity, &settings);
                    naive.tick(*gravity, &settings);
                }
                Deed::Dials(new) => settings = *new,
            }
            prop_assert_eq!(held(&map), naive.texels(), "after {:?}", deed);
        }
    }

    /// The order in which texels are visited cannot change the answer.
    #[test]
    fn traversal_order_does_not_matter(
        (size, texels) in state(9),
        settings in settings(),
        gravity in gravity(),
        seed in any::<u64>(),
    ) {
        let mut map = map(size, &texels, &settings);
        let mut naive = Naive::new(size, &texels);
        // Any permutation will do; this one sorts by a hash of the place.
        naive.order.sort_by_key(|(x, y)| {
            ((x * 31 + y) as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).wrapping_mul(0xD134_2543_DE82_EF95)
        });
        for tick in 0..4 {
            map.tick(tick, gravity, &settings);
            naive.tick(gravity, &settings);
        }
        prop_assert_eq!(held(&map), naive.texels());
    }

    /// Drip loses exactly what leaves the canvas and what a saturated dry crust cannot take.
    #[test]
    fn drip_conserves_the_byte_sum((size, texels) in state(13), settings in settings(), gravity in gravity()) {
        let settings = WetSettings { spread_rate: 0.0, absorbency: 0.0, ..settings };
        let mut map = map(size, &texels, &settings);
        let naive = Naive::new(size, &texels);
        let lost: i64 = naive.parcels(gravity, &settings).iter().map(|(_, to, amount, _)| match naive.cells.get(to) {
            None => *amount,
            Some(cell) if cell.age >= Naive::span(&settings) => (cell.amount + amount - 255).max(0),
            Some(_) => 0,
        }).sum();
        let before = sum(&map);
        map.tick(0, gravity, &settings);
        prop_assert_eq!(sum(&map), before - lost);
    }

    /// Spread loses nothing but where a texel is cut at 0 or 255.
    #[test]
    fn spread_conserves_the_byte_sum((size, texels) in state(13), settings in settings()) {
        let settings = WetSettings { absorbency: 0.0, ..settings };
        let mut map = map(size, &texels, &settings);
        let uncut = Naive::new(size, &texels).spread_uncut(&settings);
        let cut: i64 = uncut.values().map(|cell| cell.amount.clamp(0, 255) - cell.amount).sum();
        let before = sum(&map);
        map.tick(0, [0.0, 0.0], &settings);
        prop_assert_eq!(sum(&map), before + cut);
        if settings.spread_rate <= 0.5 {
            prop_assert_eq!(cut, 0, "at this rate nothing is ever cut");
        }
    }

    /// A dry canvas is a fixed point, whatever gravity does.
    #[test]
    fn dry_blood_stays((size, texels) in state(13), settings in settings(), gravity in gravity()) {
        let span = settings.dry_ticks.clamp(1, 65535) as u16;
        let texels: Vec<_> = texels.into_iter().map(|texel| if texel.0 == 0 { texel } else { (texel.0, span) }).collect();
        let mut map = map(size, &texels, &settings);
        let digest = map.digest();
        for tick in 0..3 {
            map.tick(tick, gravity, &settings);
            prop_assert_eq!(map.digest(), digest);
            prop_assert!(!map.is_dirty());
        }
    }

    /// Everything that only runs dries: after the span no texel is wet, and nothing changes any more. (Creeping into a bare texel
    /// starts the age of that texel at 0, so what spreads stays wet for a little longer.)
    #[test]
    fn everything_dries((size, texels) in state(9), settings in settings(), gravity in gravity()) {
        let settings = WetSettings { dry_ticks: settings.dry_ticks.min(40), spread_rate: 0.0, ..settings };
        let span = settings.dry_ticks.max(1) as u16;
        let mut map = map(size, &texels, &settings);
        // Blood that arrives is as old as it was where it came from, so the youngest drop dries last.
        for tick in 0..u32::from(span) {
            map.tick(tick, gravity, &settings);
        }
        prop_assert!(map.texels().all(|texel| texel.0 == 0 || texel.1 == span), "{:?}", held(&map));
        let digest = map.digest();
        map.mark_clean();
        map.tick(99, gravity, &settings);
        prop_assert_eq!((map.digest(), map.is_dirty()), (digest, false));
    }
}

#[test]
fn texels_of_another_size_are_refused() {
    let mut map = map(2, &[(9, 9); 4], &WetSettings::default());
    assert!(!map.set_texels(&[(1, 1); 5], &WetSettings::default(), 0));
    assert_eq!(held(&map), [(9, 9); 4]);
}

#[test]
fn a_clone_ticks_to_the_same_digests() {
    let mut map = map(7, &[(200, 3); 49], &WetSettings::default());
    let mut copy = map.clone();
    for tick in 0..50 {
        map.tick(tick, [0.3, 1.0], &WetSettings::default());
        copy.tick(tick + 1000, [0.3, 1.0], &WetSettings::default());
        assert_eq!(map.digest(), copy.digest(), "whatever the tick's number");
    }
}
