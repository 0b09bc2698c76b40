//! A hundred thousand seas from the edges of what a float can be, through the CPU's formulas: `cargo xtask bench sea_states`. The tests do a few thousand of them at every
//! run; this is for a change of a formula. Exits with 1 at the first number that is not finite, and prints the sea.

use std::process::ExitCode;

use ocean::sea_state::{Amplitude, CASCADE_PARAMETERS, MAX_CASCADES};
use ocean::statistics::{estimated_wave_height, peak_period};
use ocean::{Cascade, CascadeSpectrum, SeaState, noise};

const SEAS: u32 = 100_000;

const EDGES: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.05,
    0.5,
    2.0,
    0.1,
    20.0,
    1e4,
    1e7,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-45,
    f32::EPSILON,
    360.0,
];

/// Numbers that follow from a seed, so that a failure can be run again.
struct Random {
    seed: u32,
    drawn: u32,
}

impl Random {
    fn bits(&mut self) -> u32 {
        self.drawn += 1;
        noise::pcg3d([self.seed, self.drawn, 0])[0]
    }

    /// Any float, the edges more often than not.
    fn edgy(&mut self) -> f32 {
        match self.bits() % 8 {
            0..=2 => EDGES[self.bits() as usize % EDGES.len()],
            3 => f32::from_bits(self.bits()),
            _ => self.bits() as f32 / u32::MAX as f32 * 100.0,
        }
    }

    fn sea(&mut self) -> SeaState {
        let cascades = 1 + self.bits() as usize % MAX_CASCADES;
        SeaState {
            sea_depth: self.edgy(),
            seed: self.bits(),
            amplitude: if self.bits().is_multiple_of(2) { Amplitude::Artistic } else { Amplitude::Physical },
            cascades: (0..cascades).map(|_| self.cascade()).collect(),
        }
    }

    fn cascade(&mut self) -> Cascade {
        let mut cascade = Cascade::DEFAULT;
        for parameter in CASCADE_PARAMETERS {
            (parameter.set)(&mut cascade, self.edgy());
        }
        cascade
    }
}

/// What of the sea is not finite, if anything.
fn fault(sea: &SeaState, random: &mut Random) -> Option<String> {
    let (valid, _) = sea.validated();
    if valid.validated().0 != valid {
        return Some("validating twice is not validating once".into());
    }
    for (index, spectrum) in CascadeSpectrum::all(sea).iter().enumerate() {
        for _ in 0..8 {
            let [ix, iz] = [0, 1].map(|_| random.bits() as i32 % 2048);
            let variance = spectrum.bin_variance(ix, iz);
            let [re, im] = spectrum.h0(ix, iz);
            // What the GPU and the field hold is f32.
            if !(variance.is_finite() && variance >= 0.0 && (re as f32).is_finite() && (im as f32).is_finite()) {
                return Some(format!("cascade {index}, bin ({ix}, {iz}): energy {variance}, h₀ ({re}, {im})"));
            }
        }
        let numbers = [estimated_wave_height(spectrum, 256), peak_period(spectrum), spectrum.alpha, spectrum.peak_omega];
        if numbers.iter().any(|number| !(number.is_finite() && *number >= 0.0)) {
            return Some(format!("cascade {index}: height, period, α, ω_p are {numbers:?}"));
        }
    }
    None
}

fn main() -> ExitCode {
    for seed in 0..SEAS {
        let mut random = Random { seed, drawn: 0 };
        let sea = random.sea();
        if let Some(fault) = fault(&sea, &mut random) {
            println!("sea {seed}: {fault}\n{sea:#?}");
            return ExitCode::FAILURE;
        }
    }
    println!("{SEAS} seas, everything finite");
    ExitCode::SUCCESS
}
