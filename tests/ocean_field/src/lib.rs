//! The ocean's CPU field behind one C function: what `tests/browser/ocean_field.test.mjs` runs as wasm32 in Node.js and in the browser, against the digests that
//! the native tests hold too.

use ocean::{Clocks, Preset, SurfaceField};

/// The field's digest for preset number `preset` (in the order of `Preset::ALL`) on `resolution`² points, after `updates` updates of 1/20 s; 0 where there is no such
/// preset or size.
// SAFETY: the name is this module's only one, and nothing else is linked into it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn field_digest(preset: u32, resolution: u32, updates: u32) -> u64 {
    let Some(preset) = Preset::ALL.get(preset as usize) else { return 0 };
    let sea = preset.sea_state();
    let Ok(mut field) = SurfaceField::with_resolution(&sea, resolution) else { return 0 };
    let mut clocks = Clocks::new();
    for _ in 0..updates {
        clocks.advance(0.05, &sea);
        field.update(&clocks);
    }
    field.digest()
}
