//! Shoot a sphere, watch the blood run and dry, read the digest: the demo of the site, in a native window.
//!
//! This is the demo itself and not a copy of it. Keys: the notes page, or the terminal this was started from.

fn main() {
    wetmap_paint::run(wetmap_paint::Quality::Full);
}
