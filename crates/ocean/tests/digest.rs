//! The field to the last bit. These constants hold on every target, wasm32 among them: a difference is a fault, not a tolerance.

use ocean::clock::Clocks;
use ocean::preset::Preset;
use ocean::surface_field::SurfaceField;

fn digest_after(preset: Preset, resolution: u32, updates: u32) -> u64 {
    let sea = preset.sea_state();
    let mut field = SurfaceField::with_resolution(&sea, resolution).unwrap();
    let mut clocks = Clocks::new();
    for _ in 0..updates {
        clocks.advance(0.05, &sea);
        field.update(&clocks);
    }
    field.digest()
}

#[test]
fn the_ocean_after_a_hundred_updates() {
    assert_eq!(format!("{:016x}", digest_after(Preset::Ocean, 64, 100)), "9d827412150645d7");
}

#[test]
fn every_preset_after_one_update() {
    let digests = Preset::ALL.map(|preset| format!("{:016x}", digest_after(preset, 32, 1)));
    let expected = [
        "8448ad27e4691d9b",
        "ae82b7c4dd502e8e",
        "64db8c8887f86aa9",
        "b1f55a03ef11454b",
        "4d16b0e64b88b36a",
        "82ffb43b7fd46518",
        "a7a06848a3b070ea",
    ];
    assert_eq!(digests, expected);
}

#[test]
fn running_it_again_gives_it_again() {
    assert_eq!(digest_after(Preset::Arctic, 128, 3), digest_after(Preset::Arctic, 128, 3));
    assert_ne!(digest_after(Preset::Arctic, 128, 3), digest_after(Preset::Arctic, 128, 4));
}
