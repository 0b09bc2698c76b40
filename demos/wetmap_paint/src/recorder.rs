//! Writes down what happens to the canvas, so that it can be done again somewhere else and compared.
//!
//! It is told of every stain before it is painted and of every tick before it runs, with the dials that are in force then, and so cannot miss
//! a change of any. A recording begins with its first stain: what passed before that did nothing to a clean canvas. It ends at a
//! bound, and says so; what was written down until then stays a script that can be played.

use crate::dials::Dials;
use bevy::prelude::*;
use bevy_wetmap::script::{Event, Expectation, Float, MAX_EVENTS, Script, ScriptSettings};
use bevy_wetmap::{Looks, StainShape, WetSettings, Wetmap};

/// The most ticks that are recorded: an hour of them.
pub const MAX_TICKS: u32 = 60 * 60 * 60;

/// The dials that digests depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Conditions {
    gravity: Vec2,
    settings: WetSettings,
    looks: Looks,
}

impl Conditions {
    fn of(dials: &Dials) -> Self {
        Self { gravity: dials.gravity.uv(), settings: dials.blood, looks: dials.looks.looks() }
    }

    fn since(&self, earlier: &Self) -> ScriptSettings {
        ScriptSettings::between((&earlier.settings, &earlier.looks), (&self.settings, &self.looks))
    }
}

/// Why a recording has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It has [`MAX_EVENTS`].
    Events,
    /// It has [`MAX_TICKS`].
    Ticks,
}

impl Bound {
    /// For people.
    pub fn sentence(self) -> String {
        match self {
            Self::Events => format!("The recording has ended: it holds {MAX_EVENTS} hits and changes. Reset to begin another."),
            Self::Ticks => format!("The recording has ended: it holds {} minutes. Reset to begin another.", MAX_TICKS / 3600),
        }
    }
}

/// A recording that has begun.
#[derive(Clone, Debug)]
struct Begun {
    /// The run's tick that is the recording's first.
    start: u32,
    size: u32,
    first: Conditions,
    latest: Conditions,
    events: Vec<Event>,
    ended: Option<(Bound, Expectation)>,
}

/// What has been recorded since the last reset.
#[derive(Resource, Clone, Debug, Default)]
pub struct Recorder(Option<Begun>);

impl Recorder {
    /// Before a stain is painted on `map` in the run's tick `tick`.
    pub fn stain(&mut self, tick: u32, dials: &Dials, uv: Vec2, shape: &StainShape, map: &Wetmap) {
        let now = Conditions::of(dials);
        let begun = self.0.get_or_insert_with(|| Begun {
            start: tick,
            size: map.size(),
            first: now,
            latest: now,
            events: Vec::new(),
            ended: None,
        });
        begun.follow(tick, now, map);
        begun.push(map, Event::Uv { tick: begun.at(tick), uv: uv.to_array().map(Float), shape: shape.into() });
    }

    /// Before the run's tick `tick`.
    pub fn tick(&mut self, tick: u32, dials: &Dials, map: &Wetmap) {
        let Some(begun) = &mut self.0 else {
            return;
        };
        if begun.at(tick) >= MAX_TICKS {
            begun.end(Bound::Ticks, tick, map);
        }
        begun.follow(tick, Conditions::of(dials), map);
    }

    /// How many hits and changes there are.
    pub fn events(&self) -> usize {
        self.0.as_ref().map_or(0, |begun| begun.events.len())
    }

    /// How many ticks it has, in the run's tick `tick`.
    pub fn ticks(&self, tick: u32) -> u32 {
        self.0.as_ref().map_or(0, |begun| match &begun.ended {
            Some((_, last)) => last.after_ticks,
            None => begun.at(tick),
        })
    }

    /// Why it has ended, if it has.
    pub fn ended(&self) -> Option<Bound> {
        self.0.as_ref().and_then(|begun| Some(begun.ended.as_ref()?.0))
    }

    /// What was recorded, as a script that expects what the canvas is at `now`: [`Expectation::of`] it in the run's tick `tick`. `None` while
    /// there is nothing.
    pub fn script(&self, tick: u32, now: &Expectation) -> Option<Script> {
        let begun = self.0.as_ref()?;
        let expectation = match &begun.ended {
            Some((_, last)) => last.clone(),
            None => Expectation { after_ticks: begun.at(tick), ..now.clone() },
        };
        let ticks = expectation.after_ticks;
        let plain = Conditions { settings: WetSettings::default(), looks: Looks::default(), ..begun.first };
        Some(Script {
            id: "recorded".into(),
            size: begun.size,
            ticks,
            gravity: begun.first.gravity.to_array().map(Float),
            settings: begun.first.since(&plain),
            events: begun.events.clone(),
            ends_painted: begun.events.last().is_some_and(|event| event.tick() == ticks),
            mesh: None,
            transform: None,
            expect: vec![expectation],
            expect_hits: Vec::new(),
        })
    }
}

impl Begun {
    /// A tick of the run as one of the recording. Ticks wrap.
    fn at(&self, tick: u32) -> u32 {
        tick.wrapping_sub(self.start)
    }

    /// Writes down what is other than it last was.
    fn follow(&mut self, tick: u32, now: Conditions, map: &Wetmap) {
        let at = self.at(tick);
        if now.gravity != self.latest.gravity {
            self.push(map, Event::Gravity { tick: at, gravity: now.gravity.to_array().map(Float) });
        }
        let settings = now.since(&self.latest);
        if settings != ScriptSettings::default() {
            self.push(map, Event::Settings { tick: at, settings });
        }
        self.latest = now;
    }

    fn push(&mut self, map: &Wetmap, event: Event) {
        if self.ended.is_some() {
            return;
        }
        if self.events.len() == MAX_EVENTS {
            self.end(Bound::Events, event.tick().wrapping_add(self.start), map);
        } else {
            self.events.push(event);
        }
    }

    /// The canvas is taken as it is now: whatever happens next is not in the recording.
    fn end(&mut self, bound: Bound, tick: u32, map: &Wetmap) {
        let at = self.at(tick);
        self.ended.get_or_insert_with(|| (bound, Expectation::of(map, at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gravity::Gravity;

    /// A canvas that is recorded, and the run's clock.
    struct Bench {
        map: Wetmap,
        recorder: Recorder,
        dials: Dials,
        tick: u32,
    }

    impl Bench {
        fn new(tick: u32) -> Self {
            let map = Wetmap::new(64, [0.7; 3], 0.5).expect("64 is a size");
            Self { map, recorder: Recorder::default(), dials: Dials::default(), tick }
        }

        fn stain(&mut self, x: f32, y: f32) {
            let shape = StainShape { major: 0.12, minor: 0.09, spines: 5, satellites: 2, direction: [0.6, 0.8], seed: 7 };
            self.recorder.stain(self.tick, &self.dials, Vec2::new(x, y), &shape, &self.map);
            self.map.set_looks(self.dials.looks.looks(), self.tick);
            self.map.paint_uv([x, y], &shape, self.tick);
        }

        fn ticks(&mut self, count: u32) {
            for _ in 0..count {
                self.recorder.tick(self.tick, &self.dials, &self.map);
                self.map.tick(self.tick, self.dials.gravity.uv().to_array(), &self.dials.blood);
                self.tick = self.tick.wrapping_add(1);
            }
        }

        fn script(&self) -> Script {
            self.recorder.script(self.tick, &Expectation::of(&self.map, self.tick)).expect("something was recorded")
        }
    }

    fn is_met(script: &Script) -> bool {
        script.is_met_by(&script.replay().expect("a size within the limits"))
    }

    #[test]
    fn what_was_recorded_gives_the_same_digest_again() {
        // From any tick, even one that wraps, and with everything changing under way.
        for start in [0, 312, u32::MAX - 20] {
            let mut bench = Bench::new(start);
            bench.ticks(9);
            bench.dials.blood.drip_rate = 0.2;
            bench.stain(0.3, 0.4);
            bench.ticks(12);
            bench.dials.gravity = Gravity::Left;
            bench.dials.blood.spread_rate = 0.4;
            bench.ticks(5);
            bench.dials.looks.edge_samples = 3;
            bench.stain(0.6, 0.5);
            bench.stain(0.61, 0.2);
            let before_a_tick = bench.script();
            assert_eq!((before_a_tick.ticks, before_a_tick.ends_painted), (17, true));
            assert!(is_met(&before_a_tick), "painted and not ticked since");
            bench.ticks(30);
            let script = bench.script();
            assert_eq!((script.ticks, script.ends_painted, script.events.len()), (47, false, 6));
            assert_eq!(script.expect[0].digest, format!("{:016x}", bench.map.digest()));
            assert!(is_met(&script));
            let mut other = script.clone();
            other.events.remove(1);
            assert!(!is_met(&other), "without the turn of gravity it is another run");
        }
    }

    #[test]
    fn a_clean_canvas_has_no_recording() {
        let mut bench = Bench::new(0);
        bench.ticks(10);
        assert!(bench.recorder.script(10, &Expectation::of(&bench.map, 10)).is_none());
        assert_eq!((bench.recorder.events(), bench.recorder.ticks(10)), (0, 0));
    }

    #[test]
    fn a_full_recording_ends_and_is_still_true() {
        let mut bench = Bench::new(5);
        for hit in 0..MAX_EVENTS + 40 {
            bench.stain(0.1 + 0.8 * hit as f32 / 1100.0, 0.5);
            if hit % 100 == 0 {
                bench.ticks(1);
            }
        }
        bench.ticks(20);
        assert_eq!(bench.recorder.ended(), Some(Bound::Events));
        let script = bench.script();
        assert_eq!(script.events.len(), MAX_EVENTS);
        assert_eq!(bench.recorder.ticks(bench.tick), script.ticks);
        assert!(is_met(&script));
        assert_ne!(script.expect[0].digest, format!("{:016x}", bench.map.digest()), "the run went on");

        let mut bench = Bench::new(0);
        bench.stain(0.5, 0.5);
        bench.dials.blood.dry_ticks = 10;
        bench.ticks(100);
        bench.tick = MAX_TICKS - 1;
        bench.ticks(3);
        assert_eq!(bench.recorder.ended(), Some(Bound::Ticks));
        assert_eq!(bench.script().ticks, MAX_TICKS);
    }
}
