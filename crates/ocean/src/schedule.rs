//! When to update, and what to show in between.
//!
//! A simulation that advances 50 times a second judders on a screen of 60 or 144 Hz unless the picture moves between updates too. So what is shown runs one update period
//! behind and is blended from the last two: [`Frame::blend`] of the way from the one before last to the last. Then each frame shows the
//! moment that it should, whatever the two rates are to each other.

/// The longest frame that counts, seconds. A tab that was hidden for ten minutes comes back to the sea it left, not to one ten minutes on.
pub const LONGEST_FRAME: f64 = 0.25;

/// What one frame has to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Seconds by which to update before showing, or nothing to do.
    pub update: Option<f64>,
    /// How far from the update before last (0) to the last (1) the picture is.
    pub blend: f32,
}

/// Divides frames of any length into updates of a steady rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    updates_per_second: f64,
    /// Time towards the next update, which is due when it is a period.
    waiting: f64,
    /// Time between the last two updates; 0 before there are two.
    last_step: f64,
    started: bool,
}

impl Schedule {
    /// `updates_per_second` from 0, which means every frame, to 1000; anything else counts as the nearest of these, NaN as 0.
    pub fn new(updates_per_second: f32) -> Self {
        let mut schedule = Self { updates_per_second: 0.0, waiting: 0.0, last_step: 0.0, started: false };
        schedule.set_rate(updates_per_second);
        schedule
    }

    /// Changes the rate. The picture goes on from the moment that it shows; to and from 0, which shows the present and not the last period, it steps.
    pub fn set_rate(&mut self, updates_per_second: f32) {
        let rate = f64::from(updates_per_second);
        let rate = if rate.is_nan() { 0.0 } else { rate.clamp(0.0, 1000.0) };
        if rate > 0.0 && self.updates_per_second > 0.0 {
            // What is shown stays as far behind the last update as it is; below 0, the next update is further off than a period.
            self.waiting += 1.0 / rate - 1.0 / self.updates_per_second;
        } else {
            self.waiting = self.waiting.max(0.0);
        }
        self.updates_per_second = rate;
    }

    /// A frame, `dt` seconds after the one before. Negative and non-finite times count as 0, longer ones than [`LONGEST_FRAME`] as that. The first frame
    /// always updates: there is nothing to show yet.
    ///
    /// Several periods that have passed at once are one update: phases and foam are exact over any step.
    pub fn frame(&mut self, dt: f64) -> Frame {
        let dt = if dt.is_finite() { dt.clamp(0.0, LONGEST_FRAME) } else { 0.0 };
        if !self.started {
            self.started = true;
            return Frame { update: Some(dt), blend: 1.0 };
        }
        if self.updates_per_second == 0.0 {
            let step = dt + std::mem::take(&mut self.waiting);
            self.last_step = 0.0;
            return Frame { update: Some(step), blend: 1.0 };
        }
        let period = 1.0 / self.updates_per_second;
        self.waiting += dt;
        // A frame that ends on the very period, but for rounding, is on it.
        let periods = (self.waiting / period + 1e-9).floor();
        let update = (periods >= 1.0).then(|| {
            self.last_step = periods * period;
            self.waiting = (self.waiting - self.last_step).max(0.0);
            self.last_step
        });
        let behind = (period - self.waiting).max(0.0);
        let blend = if self.last_step > 0.0 { (1.0 - behind / self.last_step).clamp(0.0, 1.0) } else { 1.0 };
        Frame { update, blend: blend as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments that are shown, if blending is what it says: from the last two updates' times.
    fn shown(schedule: &mut Schedule, frames: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let (mut before, mut last) = (0.0, 0.0);
        let mut moments = Vec::new();
        for dt in frames {
            let frame = schedule.frame(dt);
            if let Some(step) = frame.update {
                before = last;
                last += step;
            }
            moments.push(before + f64::from(frame.blend) * (last - before));
        }
        moments
    }

    #[test]
    fn the_picture_moves_evenly_at_any_two_rates() {
        for updates in [20.0, 30.0, 50.0, 59.94, 120.0, 240.0] {
            for screen in [30.0, 60.0, 75.0, 144.0] {
                let dt = 1.0 / screen;
                let moments = shown(&mut Schedule::new(updates), std::iter::repeat_n(dt, 600));
                // Until two updates are there, the sea stands.
                let settled = (2.0 * f64::from(screen as f32) / f64::from(updates)).ceil() as usize + 3;
                for pair in moments[settled..].windows(2) {
                    let moved = pair[1] - pair[0];
                    assert!((moved - dt).abs() < 1e-6, "{updates} Hz on {screen} Hz: a frame of {dt} moved the sea by {moved}");
                }
            }
        }
    }

    #[test]
    fn no_time_is_lost_and_none_is_made() {
        let mut schedule = Schedule::new(50.0);
        let frames: Vec<f64> = (0..1000).map(|i| 0.001 + 0.03 * f64::from(i % 7) / 7.0).collect();
        let total: f64 = frames.iter().sum();
        let updated: f64 = frames.iter().filter_map(|&dt| schedule.frame(dt).update).sum();
        assert!((total - updated).abs() <= 0.02 + 1e-9, "{total} s passed, {updated} were computed");
    }

    #[test]
    fn a_change_of_rate_does_not_move_the_picture() {
        for (from, to) in [(20.0, 5.0), (50.0, 10.0), (10.0, 50.0), (60.0, 59.0)] {
            for phase in 0..60 {
                let mut schedule = Schedule::new(from);
                let (mut before, mut last, mut shown) = (0.0, 0.0, 0.0);
                let dt = 1.0 / 60.0;
                for frame in 0..400 + phase {
                    if frame == 200 + phase {
                        schedule.set_rate(to);
                    }
                    let Frame { update, blend } = schedule.frame(dt);
                    if let Some(step) = update {
                        before = last;
                        last += step;
                    }
                    let moment = before + f64::from(blend) * (last - before);
                    if frame > 100 {
                        assert!(
                            (moment - shown - dt).abs() < 1e-6,
                            "{from} → {to} Hz, frame {frame}: moved by {}",
                            moment - shown
                        );
                    }
                    shown = moment;
                }
            }
        }
    }

    #[test]
    fn zero_is_every_frame() {
        let mut schedule = Schedule::new(0.0);
        for dt in [0.016, 0.007, 0.0, 0.1] {
            assert_eq!(schedule.frame(dt), Frame { update: Some(dt), blend: 1.0 });
        }
    }

    #[test]
    fn the_first_frame_updates() {
        assert_eq!(Schedule::new(1.0).frame(0.0).update, Some(0.0));
    }

    #[test]
    fn a_hidden_tab_does_not_jump() {
        let mut schedule = Schedule::new(50.0);
        schedule.frame(0.016);
        assert!(schedule.frame(600.0).update.is_some_and(|step| step <= LONGEST_FRAME));
    }

    #[test]
    fn nonsense_is_no_time() {
        let mut schedule = Schedule::new(f32::NAN);
        schedule.frame(0.0);
        for dt in [f64::NAN, f64::INFINITY, -1.0] {
            let frame = schedule.frame(dt);
            assert_eq!(frame, Frame { update: Some(0.0), blend: 1.0 });
        }
        for rate in [-1.0, f32::INFINITY] {
            let frame = Schedule::new(rate).frame(0.1);
            assert!(frame.update.is_some_and(f64::is_finite));
        }
    }
}
