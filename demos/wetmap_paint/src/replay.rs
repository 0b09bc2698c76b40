//! Plays a script on the sphere: the same stains at the same ticks, before one's eyes, and then the digests side by side.
//!
//! A script comes from a stranger's link or file, so it is looked at before it is let in ([`admit`]): what would take the page's memory or
//! hours of its time is refused with a name. What is let in is played by the crate's [`Player`], with no more painted in a frame than a frame has time for.

use crate::dials::Dials;
use crate::parameters::PARAMETERS;
use crate::recorder::MAX_TICKS;
use bevy::prelude::*;
use bevy_wetmap::Wetmap;
use bevy_wetmap::script::{CompactError, Event, Expectation, MAX_EVENTS, Player, Script};
use std::fmt;

/// The largest canvas that is played, texels along an edge.
pub const MAX_REPLAY_SIZE: u32 = 1024;

/// The most digests that a script may expect. Each is a walk over the canvas.
pub const MAX_EXPECTATIONS: usize = 64;

/// The longest file that is read, bytes: a full recording has some 300,000.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Why a script is not played here.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayError {
    /// The text of a link is no script.
    Compact(CompactError),
    /// The text of a file is no script.
    Json(String),
    /// A file longer than [`MAX_FILE_BYTES`].
    LongFile {
        /// Its length.
        bytes: usize,
    },
    /// A canvas of no texels, or of more than [`MAX_REPLAY_SIZE`] along an edge.
    Size {
        /// What it asks for.
        size: u32,
    },
    /// More ticks than [`MAX_TICKS`].
    Ticks {
        /// How many.
        ticks: u32,
    },
    /// More events than [`MAX_EVENTS`].
    Events {
        /// How many.
        events: usize,
    },
    /// More expectations than [`MAX_EXPECTATIONS`].
    Expectations {
        /// How many.
        expectations: usize,
    },
    /// It shoots at a mesh of its own.
    Mesh,
    /// There is nothing to compare with.
    NothingExpected,
}

impl ReplayError {
    /// For programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Compact(_) | Self::Json(_) => "malformed",
            Self::LongFile { .. } => "long-file",
            Self::Size { .. } => "size",
            Self::Ticks { .. } => "ticks",
            Self::Events { .. } => "events",
            Self::Expectations { .. } => "expectations",
            Self::Mesh => "mesh",
            Self::NothingExpected => "nothing-expected",
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compact(error) => {
                write!(f, "The recording in this link cannot be read: {error}. Ask for the link again, or for the file.")
            }
            Self::Json(error) => write!(f, "This file is no recording: {error}."),
            Self::LongFile { bytes } => {
                write!(f, "This file has {bytes} bytes, and a recording has {MAX_FILE_BYTES} at the most.")
            }
            Self::Size { size } => write!(
                f,
                "The recording is of a canvas of {size} texels along an edge; here it may have 1 to {MAX_REPLAY_SIZE}."
            ),
            Self::Ticks { ticks } => write!(f, "The recording runs for {ticks} ticks; here it may run for {MAX_TICKS}."),
            Self::Events { events } => write!(f, "The recording has {events} hits and changes; here it may have {MAX_EVENTS}."),
            Self::Expectations { expectations } => {
                write!(f, "The recording expects {expectations} digests; here it may expect {MAX_EXPECTATIONS}.")
            }
            Self::Mesh => write!(f, "The recording shoots at a mesh of its own, and there is only a sphere here."),
            Self::NothingExpected => write!(f, "The recording expects no digest, so there is nothing to compare with."),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The script in the text of a link, if it can be played here.
///
/// # Errors
/// [`ReplayError`] says why it cannot.
pub fn of_link(text: &str) -> Result<Script, ReplayError> {
    admit(Script::from_compact(text).map_err(ReplayError::Compact)?)
}

/// The script in the text of a file, if it can be played here.
///
/// # Errors
/// [`ReplayError`] says why it cannot.
pub fn of_file(text: &str) -> Result<Script, ReplayError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(ReplayError::LongFile { bytes: text.len() });
    }
    admit(serde_json::from_str(text).map_err(|error| ReplayError::Json(error.to_string()))?)
}

/// A script, if it can be played here.
///
/// # Errors
/// [`ReplayError`] says why it cannot.
pub fn admit(script: Script) -> Result<Script, ReplayError> {
    let Script { size, ticks, .. } = script;
    let (events, expectations) = (script.events.len(), script.expect.len());
    let shoots = script.events.iter().any(|event| matches!(event, Event::Ray { .. }));
    if !(1..=MAX_REPLAY_SIZE).contains(&size) {
        Err(ReplayError::Size { size })
    } else if ticks > MAX_TICKS {
        Err(ReplayError::Ticks { ticks })
    } else if events > MAX_EVENTS {
        Err(ReplayError::Events { events })
    } else if expectations > MAX_EXPECTATIONS {
        Err(ReplayError::Expectations { expectations })
    } else if shoots || script.mesh.is_some() || !script.expect_hits.is_empty() {
        Err(ReplayError::Mesh)
    } else if expectations == 0 {
        Err(ReplayError::NothingExpected)
    } else {
        Ok(script)
    }
}

/// A script that is being played, or has been.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    /// What comes next.
    pub player: Player,
    /// How many ticks there are to run.
    pub ticks: u32,
    expected: Vec<Expectation>,
    actual: Vec<Option<Expectation>>,
    /// Whether everything was as expected, once all has been seen.
    pub verdict: Option<bool>,
    /// The hits and the dials then.
    end: Option<(u32, Dials)>,
}

/// The script on the canvas, if there is one.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Replay {
    /// It.
    pub running: Option<Running>,
    /// What the visitor wanted to do to the canvas meanwhile and was not let, so often.
    pub refused: u32,
}

impl Replay {
    /// Whether a script decides what happens to the canvas.
    pub fn is_playing(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.verdict.is_none())
    }
}

impl Running {
    /// At the start of an admitted script.
    pub fn new(script: &Script) -> Self {
        let actual = vec![None; script.expect.len()];
        Self {
            player: Player::new(script),
            ticks: script.ticks,
            expected: script.expect.clone(),
            actual,
            verdict: None,
            end: None,
        }
    }

    /// Looks at the canvas after so many ticks, if the script expects something then.
    pub fn look(&mut self, map: &Wetmap, after_ticks: u32) {
        let mut seen = None;
        for (expected, actual) in self.expected.iter().zip(&mut self.actual) {
            if expected.after_ticks == after_ticks {
                *actual = Some(seen.get_or_insert_with(|| Expectation::of(map, after_ticks)).clone());
            }
        }
    }

    /// Compares, at the end, when there were so many hits and the dials stood so.
    pub fn finish(&mut self, map: &Wetmap, hits: u32, dials: &Dials) {
        self.end = Some((hits, *dials));
        self.look(map, self.ticks);
        let met = self.expected.iter().zip(&self.actual).all(|(expected, actual)| actual.as_ref() == Some(expected));
        self.verdict = Some(met);
    }

    /// Whether somebody has gone on from its end: with these hits or these dials, what happens to the canvas is another recording.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a window has no address"))]
    pub fn is_left(&self, hits: u32, dials: &Dials) -> bool {
        self.end.is_some_and(|(then, before)| {
            let turned = PARAMETERS.iter().any(|dial| dial.recorded && (dial.get)(&before) != (dial.get)(dials));
            then != hits || turned
        })
    }

    /// The digest that is expected and what came out: of the first that differ, or of the last. Before that has been seen it is empty.
    pub fn digests(&self) -> (&str, &str) {
        let digest = |actual: &Option<Expectation>| actual.as_ref().map(|actual| actual.digest.clone());
        let differs =
            |at: &usize| self.verdict.is_some() && digest(&self.actual[*at]).as_ref() != Some(&self.expected[*at].digest);
        let at = (0..self.expected.len()).find(differs).unwrap_or(self.expected.len().saturating_sub(1));
        let expected = self.expected.get(at).map_or("", |expected| &expected.digest);
        (expected, self.actual.get(at).and_then(Option::as_ref).map_or("", |actual| &actual.digest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Kind, Parameter, Setting};
    use bevy_wetmap::script::{Float, ScriptSettings};

    fn script() -> Script {
        Script {
            id: "test".into(),
            size: 64,
            ticks: 3,
            gravity: [0.0, 1.0].map(Float),
            settings: ScriptSettings::default(),
            events: vec![],
            ends_painted: false,
            mesh: None,
            transform: None,
            expect: vec![Expectation { after_ticks: 3, digest: "0123456789abcdef".into(), amount_sum: 0, age_sum: 0 }],
            expect_hits: vec![],
        }
    }

    #[test]
    fn what_would_take_too_much_is_refused_by_name() {
        assert_eq!(admit(script()), Ok(script()));
        let gravity = Event::Gravity { tick: 0, gravity: [0.0, 1.0].map(Float) };
        let cases = [
            (Script { size: 0, ..script() }, "size"),
            (Script { size: 4096, ..script() }, "size"),
            (Script { ticks: u32::MAX, ..script() }, "ticks"),
            (Script { events: vec![gravity; MAX_EVENTS + 1], ..script() }, "events"),
            (Script { expect: vec![script().expect[0].clone(); 65], ..script() }, "expectations"),
            (Script { expect_hits: vec![true], ..script() }, "mesh"),
            (Script { expect: vec![], ..script() }, "nothing-expected"),
        ];
        for (script, kind) in cases {
            let refused = admit(script).map_err(|error| (error.kind(), error.to_string()));
            assert!(
                matches!(&refused, Err((named, sentence)) if *named == kind && sentence.ends_with('.')),
                "{kind}: {refused:?}"
            );
        }
        assert_eq!(of_file(&" ".repeat(MAX_FILE_BYTES + 1)).map_err(|error| error.kind()), Err("long-file"));
        assert_eq!(of_file("[1, 2").map_err(|error| error.kind()), Err("malformed"));
        assert_eq!(of_link("not a script").map_err(|error| error.kind()), Err("malformed"));
    }

    #[test]
    fn the_digests_of_the_first_difference_are_told() {
        let mut script = script();
        let map = Wetmap::new(64, [0.5; 3], 0.5).expect("64 is a size");
        script.expect = vec![Expectation::of(&map, 1), Expectation::of(&map, 3)];
        let run = |script: &Script| {
            let mut running = Running::new(script);
            running.look(&map, 1);
            running.finish(&map, 0, &Dials::default());
            let (expected, actual) = running.digests();
            (running.verdict, expected.to_owned(), actual.to_owned())
        };
        let clean = format!("{:016x}", map.digest());
        assert_eq!(run(&script), (Some(true), clean.clone(), clean.clone()));
        script.expect[0].digest = "00000000000000aa".into();
        assert_eq!(run(&script), (Some(false), "00000000000000aa".into(), clean.clone()));
        script.expect.swap(0, 1);
        assert_eq!(run(&script), (Some(false), "00000000000000aa".into(), clean.clone()));
        script.expect.remove(1);
        script.expect[0].after_ticks = 99;
        assert_eq!(run(&script), (Some(false), clean, String::new()), "what is never reached is not met");
    }

    #[test]
    fn a_script_is_left_when_somebody_goes_on_from_its_end() {
        let map = Wetmap::new(64, [0.5; 3], 0.5).expect("64 is a size");
        let mut running = Running::new(&script());
        let dials = Dials::default();
        assert!(!running.is_left(9, &dials), "while it is played, hits are its own");
        running.finish(&map, 3, &dials);
        assert!(!running.is_left(3, &dials));
        assert!(running.is_left(4, &dials));
        for dial in &PARAMETERS {
            let mut turned = dials;
            (dial.set)(&mut turned, another(dial));
            assert_eq!(running.is_left(3, &turned), dial.recorded, "{}", dial.name);
        }
    }

    /// Another value than a dial's default.
    fn another(dial: &Parameter) -> Setting {
        let usual = dial.default_value();
        let values = match dial.kind {
            Kind::Number { min, max } => [min, max].map(Setting::Number),
            Kind::Integer { min, max } => [min, max].map(Setting::Integer),
            Kind::Flag => [false, true].map(Setting::Flag),
            Kind::Choice(names) => [names[0], names[1]].map(Setting::Choice),
        };
        if values[0] == usual { values[1] } else { values[0] }
    }
}
