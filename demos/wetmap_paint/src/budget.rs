//! How long the blood may hold up a frame.
//!
//! A large canvas, all wet and fast-forwarded, has more ticks to run in a frame than a processor has time for, and a link may ask for one. All ticks of a frame
//! share this budget, with what a replay paints between them. Past it they are left out of the frame and not made up for: the blood runs slower, and nothing falls
//! ever further behind. A script's ticks are its own and none of them is skipped: they come later.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// What ticks and replayed stains may take of a frame.
const MOST: Duration = Duration::from_millis(50);

/// A clock: the time since some moment.
type Clock = Box<dyn FnMut() -> Duration + Send + Sync>;

/// What is left of a frame's time.
#[derive(Resource)]
pub(crate) struct Budget {
    clock: Clock,
    /// When it is spent. Nothing before the first question of a frame.
    end: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        let start = Instant::now();
        Self::on(Box::new(move || start.elapsed()))
    }
}

impl Budget {
    /// By a clock.
    pub fn on(clock: Clock) -> Self {
        Self { clock, end: None }
    }

    /// At the beginning of a frame.
    pub fn renew(&mut self) {
        self.end = None;
    }

    /// Whether there is time for something more. In each frame there is for something: however slow it is, it gets on.
    pub fn has_time(&mut self) -> bool {
        let now = (self.clock)();
        now < *self.end.get_or_insert(now + MOST)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Budget>().add_systems(First, |mut budget: ResMut<Budget>| budget.renew());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_time_until_it_is_spent_and_for_one_thing_at_the_least() {
        let things = |each: Duration| {
            let mut now = Duration::ZERO;
            let mut budget = Budget::on(Box::new(move || {
                now += each;
                now
            }));
            let mut in_a_frame = || {
                budget.renew();
                (0..1000).take_while(|_| budget.has_time()).count()
            };
            [in_a_frame(), in_a_frame()]
        };
        assert_eq!(things(Duration::ZERO), [1000, 1000]);
        assert_eq!(things(MOST / 10), [10, 10]);
        assert_eq!(things(10 * MOST), [1, 1]);
    }
}
