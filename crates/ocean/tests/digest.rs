//! The field to the last bit. `tests/cases/ocean-digests.json` holds on every target: a difference is a fault, not a tolerance. The browser tests hold the
//! same cases against wasm32.

use ocean::clock::Clocks;
use ocean::preset::Preset;
use ocean::surface_field::SurfaceField;

const CASES: &str = include_str!("../../../tests/cases/ocean-digests.json");

/// After `updates` updates of 1/20 s.
fn digest_after(preset: Preset, resolution: u32, updates: u64) -> u64 {
    let sea = preset.sea_state();
    let mut field = SurfaceField::with_resolution(&sea, resolution).expect("the cases name sizes that there are");
    let mut clocks = Clocks::new();
    for _ in 0..updates {
        clocks.advance(0.05, &sea);
        field.update(&clocks);
    }
    field.digest()
}

#[test]
fn every_case() {
    let cases: Vec<serde_json::Value> = serde_json::from_str(CASES).expect("the cases are JSON");
    assert_eq!(cases.len(), Preset::ALL.len() + 1);
    for case in &cases {
        let preset =
            Preset::ALL.into_iter().find(|preset| format!("{preset:?}") == case["preset"]).expect("a preset by this name");
        let resolution = case["resolution"].as_u64().expect("a number") as u32;
        let updates = case["updates"].as_u64().expect("a number");
        assert_eq!(format!("{:016x}", digest_after(preset, resolution, updates)), case["digest"], "{case}");
    }
}

#[test]
fn running_it_again_gives_it_again() {
    assert_eq!(digest_after(Preset::Arctic, 128, 3), digest_after(Preset::Arctic, 128, 3));
    assert_ne!(digest_after(Preset::Arctic, 128, 3), digest_after(Preset::Arctic, 128, 4));
}
