//! The time of each cascade, kept so that a day later it is as exact as at the start.
//!
//! A clock is an `f64` modulo [`LOOP_SECONDS`]. What the waves see of it is [`Clock::phase_step`], one 32-bit fraction of the
//! loop; the phase of frequency index n is n times that, wrapping, which is the same integer on a GPU.

use crate::dispersion::LOOP_SECONDS;
use crate::sea_state::{MAX_CASCADES, SeaState};

const TURN: f64 = 4_294_967_296.0;

/// One cascade's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    seconds: f64,
}

impl Clock {
    /// Where the clock of cascade number `cascade` starts: 120 s, when no phase is near zero any more, and π s further for
    /// each cascade, so that equal cascades are not in step.
    pub fn start(cascade: usize) -> Self {
        Self::at(120.0 + std::f64::consts::PI * cascade as f64)
    }

    /// A clock that shows `seconds` (modulo the loop). Non-finite values show 0.
    pub fn at(seconds: f64) -> Self {
        let within = libm::fmod(seconds, LOOP_SECONDS);
        let within = if within < 0.0 { within + LOOP_SECONDS } else { within };
        // A tiny negative remainder rounds up to the whole loop.
        Self { seconds: if within < LOOP_SECONDS { within } else { 0.0 } }
    }

    /// What it shows, in [0, [`LOOP_SECONDS`]).
    pub fn seconds(self) -> f64 {
        self.seconds
    }

    /// Lets `dt` seconds pass at `time_scale`. Negative, infinite and NaN steps are ignored: time does not run backwards.
    pub fn advance(&mut self, dt: f64, time_scale: f32) {
        let step = dt * f64::from(time_scale);
        if step.is_finite() && step > 0.0 {
            *self = Self::at(self.seconds + step);
        }
    }

    /// The loop's fraction that has passed, in units of 2⁻³² (about a microsecond), rounded down.
    pub fn phase_step(self) -> u32 {
        (self.seconds * (TURN / LOOP_SECONDS)) as u32
    }
}

/// The phase ωt of frequency index `index` at [`Clock::phase_step`] `step`, radians in [0, 2π).
pub fn angle(index: u16, step: u32) -> f64 {
    f64::from(u32::from(index).wrapping_mul(step)) * (std::f64::consts::TAU / TURN)
}

/// The clocks of all cascades a sea can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    clocks: [Clock; MAX_CASCADES],
}

impl Default for Clocks {
    fn default() -> Self {
        Self::new()
    }
}

impl Clocks {
    /// All at their start.
    pub fn new() -> Self {
        Self { clocks: std::array::from_fn(Clock::start) }
    }

    /// Lets `dt` seconds of real time pass, for each cascade at its own scale; for cascades the sea does not have, at 1.
    pub fn advance(&mut self, dt: f64, sea: &SeaState) {
        for (index, clock) in self.clocks.iter_mut().enumerate() {
            clock.advance(dt, sea.cascades.get(index).map_or(1.0, |cascade| cascade.admitted().time_scale));
        }
    }

    /// The clock of cascade number `cascade` (one past the last shows what the last does).
    pub fn get(&self, cascade: usize) -> Clock {
        self.clocks[cascade.min(MAX_CASCADES - 1)]
    }

    /// Sets one clock, for instance to join a running sea. Cascades beyond the last are ignored.
    pub fn set(&mut self, cascade: usize, clock: Clock) {
        if let Some(slot) = self.clocks.get_mut(cascade) {
            *slot = clock;
        }
    }

    /// All of them, by cascade.
    pub fn as_array(&self) -> &[Clock; MAX_CASCADES] {
        &self.clocks
    }
}
