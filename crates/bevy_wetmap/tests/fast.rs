//! The fast tick against the plain four passes: the same state, the same picture and the same dirt, after every deed of any script.
//!
//! The plain passes are the definition in code, and are themselves held against a second implementation in `model.rs`. What can go
//! wrong here and not there is skipping: a block that should have been walked, at a border, after a change of dials, at a size that is no
//! multiple of a block.

mod common;

use bevy_wetmap::model::plain::Plain;
use bevy_wetmap::{StainShape, WetSettings, Wetmap};
use common::{gravity, settings, shape, state, uv};
use proptest::prelude::*;

const SURFACE: ([f32; 3], f32) = ([0.78, 0.66, 0.60], 0.55);

/// One canvas, twice.
struct Pair {
    fast: Wetmap,
    plain: Plain,
}

impl Pair {
    fn new(size: u32) -> Self {
        let fast = Wetmap::new(size, SURFACE.0, SURFACE.1).expect("a size within the limits");
        Self { fast, plain: Plain::new(size, SURFACE.0, SURFACE.1) }
    }

    fn set(&mut self, texels: &[(u8, u16)], settings: &WetSettings) {
        assert!(self.fast.set_texels(texels, settings, 0), "as many texels as the canvas has");
        self.plain.set_texels(texels, settings);
    }

    fn check(&self) -> Result<(), TestCaseError> {
        prop_assert!(self.fast.texels().eq(self.plain.texels().iter().copied()), "the state differs");
        prop_assert!(self.fast.albedo_bytes() == self.plain.albedo_bytes(), "the colours differ");
        prop_assert!(self.fast.roughness_bytes() == self.plain.roughness_bytes(), "the gloss differs");
        Ok(())
    }

    fn tick(&mut self, tick: u32, gravity: [f32; 2], settings: &WetSettings) -> Result<(), TestCaseError> {
        self.fast.mark_clean();
        self.fast.tick(tick, gravity, settings);
        let changed = self.plain.tick(gravity, settings);
        self.check()?;
        prop_assert_eq!(self.fast.dirty_since(), changed.then_some(tick));
        let span = settings.dry_ticks.clamp(1, 65535);
        let wet = self.plain.texels().iter().any(|texel| texel.0 > 0 && u32::from(texel.1) < span);
        prop_assert_eq!(self.fast.is_still(), !wet, "still is when nothing is wet");
        Ok(())
    }

    fn paint(&mut self, uv: [f32; 2], shape: &StainShape, tick: u32) -> Result<(), TestCaseError> {
        let touched = self.fast.paint_uv(uv, shape, tick);
        prop_assert_eq!(touched, self.plain.paint_uv(uv, shape));
        prop_assert!(!touched || !self.fast.is_still());
        self.check()
    }
}

/// One thing that happens to a canvas.
#[derive(Clone, Debug)]
enum Deed {
    Paint([f32; 2], StainShape),
    Tick([f32; 2], u8),
    Dials(WetSettings),
}

fn deeds(longest: usize) -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        2 => (uv(), shape()).prop_map(|(uv, shape)| Deed::Paint(uv, shape)),
        6 => (gravity(), 1u8..6).prop_map(|(gravity, times)| Deed::Tick(gravity, times)),
        1 => settings().prop_map(Deed::Dials),
    ];
    prop::collection::vec(deed, 1..longest)
}

fn play(pair: &mut Pair, first: WetSettings, deeds: &[Deed], start: u32) -> Result<(), TestCaseError> {
    let mut settings = first;
    let mut tick = start;
    for deed in deeds {
        match deed {
            Deed::Paint(uv, shape) => pair.paint(*uv, shape, tick)?,
            Deed::Dials(new) => settings = *new,
            Deed::Tick(gravity, times) => {
                for _ in 0..*times {
                    pair.tick(tick, *gravity, &settings)?;
                    tick = tick.wrapping_add(1);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    /// From any state, at small sizes: everything is near a border.
    #[test]
    fn any_state_of_a_small_canvas(
        (size, texels) in state(20),
        dials in settings(),
        deeds in deeds(12),
        start in prop_oneof![Just(0), Just(u32::MAX - 3), any::<u32>()],
    ) {
        let mut pair = Pair::new(size);
        pair.set(&texels, &dials);
        play(&mut pair, dials, &deeds, start)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    /// Stains on a bare canvas of up to a few blocks: most of it must be skipped, and nothing that matters.
    #[test]
    fn stains_on_larger_canvases(
        size in prop_oneof![31u32..34, 47u32..50, 60u32..100, Just(128), Just(143)],
        dials in settings(),
        deeds in deeds(16),
    ) {
        play(&mut Pair::new(size), dials, &deeds, 0)?;
    }
}

/// More than 64 blocks a row: the sets of blocks have several words.
#[test]
fn blood_crosses_every_border_of_a_wide_canvas() {
    let size = 1100;
    let settings = WetSettings { drip_rate: 0.01, spread_rate: 1.0, dry_ticks: 40, ..Default::default() };
    for gravity in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.0, 0.0]] {
        let mut pair = Pair::new(size);
        let shape = StainShape { major: 0.02, minor: 0.02, spines: 3, satellites: 2, direction: [1.0, 0.2], seed: 5 };
        // Beside the border between the first word and the second, at both ends, and in a corner.
        for uv in [[1022.0, 500.0], [1026.0, 700.0], [2.0, 300.0], [1098.0, 900.0], [1099.0, 1099.0]] {
            pair.paint(uv.map(|x: f32| x / size as f32), &shape, 0).expect("the same stain");
        }
        for tick in 0..12 {
            pair.tick(tick, gravity, &settings).expect("the same canvas");
        }
    }
}

/// A canvas that has dried is still, whatever else is turned; and wet again if the span grows.
#[test]
fn a_dry_canvas_is_still_and_a_longer_span_wakes_it() {
    let short = WetSettings { dry_ticks: 5, absorbency: 0.0, spread_rate: 0.0, ..Default::default() };
    let mut pair = Pair::new(40);
    pair.set(&[(200, 0); 1600], &short);
    for tick in 0..6 {
        pair.tick(tick, [0.0, 1.0], &short).expect("the same canvas");
    }
    assert!(pair.fast.is_still());
    let digest = pair.fast.digest();
    for (tick, drip_rate) in [(6, 0.0), (7, 1.0), (8, f32::NAN)] {
        pair.tick(tick, [1.0, 0.0], &WetSettings { drip_rate, spread_rate: 1.0, ..short }).expect("the same canvas");
        assert!(pair.fast.is_still());
        assert_eq!(pair.fast.digest(), digest);
    }
    pair.tick(9, [1.0, 0.0], &WetSettings { dry_ticks: 50, ..short }).expect("the same canvas");
    assert!(!pair.fast.is_still());
}
