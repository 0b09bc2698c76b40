//! What the sea's maps may take of a GPU's memory: one check, wherever their resolution or number is set.
//!
//! A panel, a key or a stranger's link can each ask for eight cascades of 4096² points, which are nine gigabytes. The resolution is what gives way: a sea with
//! fewer cascades is another sea, one on a coarser grid is the same without its smallest waves.

use crate::Machine;
use bevy_ocean::WaterSurface;

/// The resolutions there are.
pub(crate) const COARSEST: u32 = 128;
pub(crate) const FINEST: u32 = 4096;

/// The finest that is asked of a program.
const FINEST_OF_SOFTWARE: u32 = 2048;

/// Bytes of a texel of a cascade: amplitudes 8, foam 2, scratch 12, two sets of two maps with their mips 43.
const BYTES_PER_TEXEL: u64 = 65;

/// The most the sea may take, bytes. A browser does not say how much memory there is; this much a card for games has.
const MEMORY: u64 = 4 << 30;

fn bytes(resolution: u32, cascades: usize) -> u64 {
    u64::from(resolution).pow(2) * cascades as u64 * BYTES_PER_TEXEL
}

/// The finest resolution for so many cascades on a machine.
pub(crate) fn finest(cascades: usize, machine: Machine) -> u32 {
    let mut finest = match machine {
        Machine::Gpu => FINEST,
        Machine::Software => FINEST_OF_SOFTWARE,
    };
    while finest > COARSEST && bytes(finest, cascades) > MEMORY {
        finest /= 2;
    }
    finest
}

/// Why a resolution that is finer than [`finest`] is not used, as the end of a sentence.
pub(crate) fn refusal(resolution: u32, cascades: usize) -> String {
    let (gigabytes, s) = (bytes(resolution, cascades) as f64 / 1e9, if cascades == 1 { "" } else { "s" });
    format!("{resolution} would take {gigabytes:.1} GB with {cascades} cascade{s}, which is more than is asked for here.")
}

/// Brings a surface's resolution down to what is admitted. Returns a sentence where that is another one.
pub(crate) fn admit(surface: &mut WaterSurface, machine: Machine) -> Option<String> {
    let (asked, cascades) = (surface.wave_resolution, surface.sea.cascades.len());
    let finest = finest(cascades, machine);
    if asked <= finest {
        return None;
    }
    surface.wave_resolution = finest;
    Some(format!("Wave Resolution is {finest} now: {}", refusal(asked, cascades)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ocean::ocean::sea_state::MAX_CASCADES;

    #[test]
    fn nothing_that_is_admitted_takes_more_than_there_is() {
        for machine in [Machine::Gpu, Machine::Software] {
            for cascades in 1..=MAX_CASCADES {
                assert!(bytes(finest(cascades, machine), cascades) <= MEMORY, "{cascades} on {machine:?}");
            }
        }
        assert_eq!([1, 3, 4, 8].map(|cascades| finest(cascades, Machine::Gpu)), [4096, 4096, 2048, 2048]);
        assert_eq!([1, 8].map(|cascades| finest(cascades, Machine::Software)), [2048, 2048]);
    }

    #[test]
    fn the_resolution_gives_way_and_that_is_said() {
        let mut surface = WaterSurface { wave_resolution: 4096, ..WaterSurface::default() };
        assert_eq!(admit(&mut surface, Machine::Gpu), None);
        surface.sea.cascades = vec![surface.sea.cascades[0]; 8];
        let said = admit(&mut surface, Machine::Gpu).unwrap_or_default();
        assert!(said.contains("8.7 GB") && said.ends_with('.'), "{said}");
        assert_eq!((surface.wave_resolution, surface.sea.cascades.len()), (2048, 8));
        assert_eq!(admit(&mut surface, Machine::Gpu), None);
    }
}
