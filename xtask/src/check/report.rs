//! What the stages have come to: a table, and the last line.

use std::fmt::Write;
use std::time::Duration;

use super::count::Tally;

/// What has become of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It ran to its end.
    Ran(Tally),
    /// It could not.
    Broke,
    /// What it needs has failed.
    LeftOut,
}

impl State {
    fn is_good(self) -> bool {
        matches!(self, Self::Ran(tally) if tally.failed == 0)
    }

    /// Failures by their number; what has no number is one.
    fn tally(self) -> Tally {
        match self {
            Self::Ran(tally) => tally,
            Self::Broke => Tally::one(false),
            Self::LeftOut => Tally::default(),
        }
    }
}

/// The stages so far, in order.
#[derive(Debug, Default)]
pub struct Report {
    stages: Vec<(&'static str, State, Duration)>,
}

impl Report {
    /// Takes down what has become of a stage.
    pub fn add(&mut self, name: &'static str, state: State, time: Duration) {
        self.stages.push((name, state, time));
    }

    /// Whether a stage was meant to run and did not succeed.
    pub fn has_failed(&self, name: &str) -> bool {
        let stage = self.stages.iter().find(|(other, ..)| *other == name);
        stage.is_some_and(|(_, state, _)| !state.is_good())
    }

    /// Whether every stage has succeeded.
    pub fn all_well(&self) -> bool {
        self.stages.iter().all(|(_, state, _)| state.is_good())
    }

    /// A line for each stage: its name, what became of it, its time.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let mut total = Duration::ZERO;
        for (name, state, time) in &self.stages {
            total += *time;
            let result = match state {
                State::LeftOut => "left out".to_owned(),
                State::Broke => "FAILED: see above".to_owned(),
                State::Ran(tally) => {
                    let mut text = format!("{} passed", tally.passed);
                    if tally.failed > 0 {
                        text = format!("FAILED: {text}, {} failed", tally.failed);
                    }
                    if tally.ignored > 0 {
                        // Writing to a string cannot fail.
                        let _ = write!(text, ", {} ignored", tally.ignored);
                    }
                    text
                }
            };
            let _ = writeln!(table, "{name:<9}{:>9}   {result}", clock(*time));
        }
        let ignored: usize = self.stages.iter().map(|(_, state, _)| state.tally().ignored).sum();
        let _ = writeln!(table, "{:<9}{:>9}   {ignored} ignored", "together", clock(total));
        table
    }

    /// How many checks passed and failed, and how many stages were left out if any was.
    pub fn last_line(&self) -> String {
        let mut sum = Tally::default();
        for (_, state, _) in &self.stages {
            sum += state.tally();
        }
        let mut line = format!("{} passed, {} failed", sum.passed, sum.failed);
        let left_out = self.stages.iter().filter(|(_, state, _)| *state == State::LeftOut);
        match left_out.count() {
            0 => {}
            count => {
                let _ = write!(line, ", {count} skipped");
            }
        }
        line
    }
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(passed: usize, failed: usize, ignored: usize) -> State {
        State::Ran(Tally { passed, failed, ignored })
    }

    #[test]
    fn all_well() {
        let mut report = Report::default();
        report.add("fmt", ran(1, 0, 0), Duration::from_secs(2));
        report.add("unit", ran(41, 0, 1), Duration::from_secs(75));
        assert!(report.all_well());
        assert_eq!(report.last_line(), "42 passed, 0 failed");
        assert!(report.table().contains("unit          1:15   41 passed, 1 ignored"));
    }

    #[test]
    fn failures_and_what_they_keep_from_running() {
        let mut report = Report::default();
        report.add("unit", ran(3, 2, 0), Duration::ZERO);
        report.add("wasm", State::Broke, Duration::ZERO);
        report.add("pages", State::LeftOut, Duration::ZERO);
        assert!(!report.all_well());
        assert!(report.has_failed("unit") && report.has_failed("wasm") && report.has_failed("pages"));
        assert!(!report.has_failed("tools"));
        assert_eq!(report.last_line(), "3 passed, 3 failed, 1 skipped");
    }
}
