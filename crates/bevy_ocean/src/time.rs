//! The water's time: one resource for all surfaces, and where each surface stands in it.
//!
//! Clocks and schedules live in the main world. The GPU's update, the interpolation between updates, the CPU field and the drift of a current are all read
//! from them, so they cannot come apart; the render world only does what it is told.

use crate::surface::WaterSurface;
use bevy::math::DVec2;
use bevy::prelude::*;
use ocean::schedule::{Frame, LONGEST_FRAME, Schedule};
use ocean::{Clock, Clocks, SeaState};

/// How the water's time runs, for every surface.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct WaterTime {
    /// Whether the sea stands still.
    pub paused: bool,
    /// Seconds of sea a second; 1 is real time. Negative and non-finite values count as 0.
    pub speed: f64,
    /// Seconds still to be stepped through although paused.
    step: f64,
}

impl Default for WaterTime {
    fn default() -> Self {
        Self { paused: false, speed: 1.0, step: 0.0 }
    }
}

impl WaterTime {
    /// Moves a paused sea on by `seconds`, at once. A running one ignores it.
    pub fn step(&mut self, seconds: f64) {
        if self.paused && seconds.is_finite() && seconds > 0.0 {
            self.step += seconds;
        }
    }

    /// What a frame of `dt` seconds is to the sea. A running one takes no more of it than [`LONGEST_FRAME`]; a step is as long as it was asked for.
    fn frame(&mut self, dt: f64) -> WaterFrame {
        let step = std::mem::take(&mut self.step);
        if self.paused {
            return WaterFrame { seconds: step, at_once: step > 0.0 };
        }
        WaterFrame { seconds: (dt * self.rate()).min(LONGEST_FRAME), at_once: false }
    }

    /// Seconds of sea a second, as the sea runs now.
    pub(crate) fn rate(&self) -> f64 {
        if self.paused || !self.speed.is_finite() { 0.0 } else { self.speed.max(0.0) }
    }
}

/// What this frame is to the sea: everything that moves with the water moves by it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterFrame {
    /// Seconds of sea.
    pub seconds: f64,
    /// Whether they are a step that must show at once.
    pub at_once: bool,
}

/// Takes the steps that have been asked for.
pub(crate) fn begin_frame(mut frame: ResMut<WaterFrame>, mut water_time: ResMut<WaterTime>, time: Res<Time>) {
    *frame = water_time.bypass_change_detection().frame(time.delta_secs_f64());
}

/// An update that the GPU has to do: from these clocks, by so many seconds.
#[derive(Clone, Debug)]
pub struct Step {
    pub clocks: Clocks,
    pub seconds: f64,
}

/// One surface's place in time.
#[derive(Clone, Debug)]
pub struct Timeline {
    schedule: Schedule,
    clocks: Clocks,
    frame: Frame,
    /// Seconds by which the last update moved the clocks.
    last_step: f64,
    /// Seconds of all updates.
    total: f64,
    /// How far the current has carried the water, m.
    drift: DVec2,
}

impl Timeline {
    pub fn new(surface: &WaterSurface) -> Self {
        Self {
            schedule: Schedule::new(surface.updates_per_second),
            clocks: Clocks::new(),
            frame: Frame { update: None, blend: 1.0 },
            last_step: 0.0,
            total: 0.0,
            drift: DVec2::ZERO,
        }
    }

    /// Goes on by a frame. Returns the update that is due.
    pub fn advance(&mut self, surface: &WaterSurface, frame: WaterFrame) -> Option<Step> {
        let WaterFrame { seconds, at_once } = frame;
        self.drift += surface.current() * seconds;
        // A single step is to be seen as soon as it is asked for, and exactly that long.
        if at_once {
            self.frame = Frame { update: Some(seconds), blend: 1.0 };
        } else {
            self.schedule.set_rate(surface.updates_per_second);
            self.frame = self.schedule.frame(seconds);
        }
        let seconds = self.frame.update?;
        let clocks = self.clocks;
        self.clocks.advance(seconds, &surface.sea);
        self.last_step = seconds;
        self.total += seconds;
        Some(Step { clocks, seconds })
    }

    /// What fills the maps of a sea that stands with what it has become: the update before last (`second` is false), then the last, neither of which takes any time.
    pub fn refill(&self, sea: &SeaState, second: bool) -> Step {
        let clocks = if second { self.clocks } else { moved(&self.clocks, sea, -self.last_step) };
        Step { clocks, seconds: 0.0 }
    }

    /// Seconds from the update before last to the last.
    pub fn last_step(&self) -> f64 {
        self.last_step
    }

    /// How far from the update before last (0) to the last (1) the picture is.
    pub fn blend(&self) -> f32 {
        self.frame.blend
    }

    /// How far the current has carried the water, m.
    pub fn drift(&self) -> DVec2 {
        self.drift
    }

    /// Seconds of sea from the start to the moment that is shown.
    pub fn elapsed(&self) -> f64 {
        self.total - self.behind()
    }

    /// How long before the last update the moment that is shown was.
    fn behind(&self) -> f64 {
        f64::from(1.0 - self.frame.blend) * self.last_step
    }

    /// Clocks `later` seconds after the moment that is shown.
    pub fn shown(&self, sea: &SeaState, later: f64) -> Clocks {
        moved(&self.clocks, sea, later - self.behind())
    }
}

/// Clocks as they stand `seconds` later, or earlier.
pub(crate) fn moved(clocks: &Clocks, sea: &SeaState, seconds: f64) -> Clocks {
    let mut moved = *clocks;
    for (index, cascade) in sea.cascades.iter().enumerate() {
        let shows = clocks.get(index).seconds() + seconds * f64::from(cascade.time_scale);
        moved.set(index, Clock::at(shows));
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(updates_per_second: f32) -> WaterSurface {
        WaterSurface { updates_per_second, ..default() }
    }

    fn running(seconds: f64) -> WaterFrame {
        WaterFrame { seconds, at_once: false }
    }

    #[test]
    fn the_updates_add_up_to_the_frames() {
        let surface = surface(50.0);
        let mut timeline = Timeline::new(&surface);
        let mut updated = 0.0;
        for _ in 0..600 {
            if let Some(step) = timeline.advance(&surface, running(1.0 / 60.0)) {
                assert!((step.clocks.get(0).seconds() - 120.0 - updated).abs() < 1e-9);
                updated += step.seconds;
            }
        }
        assert!((updated - 10.0).abs() < 0.03, "{updated}");
    }

    #[test]
    fn what_is_shown_moves_evenly() {
        let surface = surface(20.0);
        let mut timeline = Timeline::new(&surface);
        let mut before = None;
        for frame in 0..300 {
            timeline.advance(&surface, running(1.0 / 60.0));
            let now = timeline.shown(&surface.sea, 0.0).get(0).seconds();
            if let Some(before) = before.filter(|_| frame > 20) {
                let moved: f64 = now - before;
                assert!((moved - 1.0 / 60.0).abs() < 1e-6, "frame {frame} moved by {moved}");
            }
            before = Some(now);
        }
    }

    #[test]
    fn a_step_shows_at_once() {
        let surface = surface(50.0);
        let mut timeline = Timeline::new(&surface);
        timeline.advance(&surface, running(0.1));
        let before = timeline.clocks.get(0).seconds();
        let step = timeline.advance(&surface, WaterFrame { seconds: 0.5, at_once: true }).expect("a step is an update");
        assert_eq!((step.seconds, timeline.blend()), (0.5, 1.0));
        assert!((timeline.shown(&surface.sea, 0.0).get(0).seconds() - before - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_paused_sea_stands_until_it_is_stepped() {
        let mut time = WaterTime { paused: true, ..default() };
        assert_eq!(time.frame(0.1), running(0.0));
        time.step(0.25);
        assert_eq!(time.frame(0.1), WaterFrame { seconds: 0.25, at_once: true });
        assert_eq!(time.frame(0.1), running(0.0));
        time.paused = false;
        time.step(1.0);
        assert_eq!(time.frame(0.1), running(0.1));
        assert_eq!(time.frame(600.0), running(LONGEST_FRAME), "a hidden tab does not jump");
        time.speed = f64::NAN;
        assert_eq!(time.frame(0.1), running(0.0));
    }

    #[test]
    fn a_long_step_moves_the_waves_and_the_current_alike() {
        let surface = WaterSurface { current_speed: 2.0, current_heading: 0.0, ..default() };
        let mut time = WaterTime { paused: true, ..default() };
        let mut timeline = Timeline::new(&surface);
        timeline.advance(&surface, time.frame(0.02));
        let before = timeline.elapsed();
        time.step(10.0);
        let step = timeline.advance(&surface, time.frame(0.02)).expect("a step is an update");
        assert_eq!((step.seconds, timeline.elapsed() - before), (10.0, 10.0));
        assert!((timeline.drift() - DVec2::new(20.0, 0.0)).length() < 1e-9, "{}", timeline.drift());
    }

    #[test]
    fn a_refill_is_the_last_two_updates_again() {
        let surface = surface(50.0);
        let mut timeline = Timeline::new(&surface);
        for _ in 0..10 {
            timeline.advance(&surface, running(0.02));
        }
        let [before, last] = [false, true].map(|second| timeline.refill(&surface.sea, second));
        assert_eq!((before.seconds, last.seconds), (0.0, 0.0));
        let between = last.clocks.get(0).seconds() - before.clocks.get(0).seconds();
        assert!((between - 0.02).abs() < 1e-9, "{between}");
    }

    #[test]
    fn a_current_carries() {
        let surface = WaterSurface { current_speed: 2.0, current_heading: 90.0, ..default() };
        let mut timeline = Timeline::new(&surface);
        for _ in 0..100 {
            timeline.advance(&surface, running(0.01));
        }
        assert!((timeline.drift() - DVec2::new(0.0, 2.0)).length() < 1e-9);
    }
}
