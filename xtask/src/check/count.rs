//! Counting tests from what the test runners print.

/// How many checks passed, failed and were left out by their author.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Did what they should.
    pub passed: usize,
    /// Did not.
    pub failed: usize,
    /// Were not run, on purpose.
    pub ignored: usize,
}

impl Tally {
    /// One check that passed or failed.
    pub fn one(passed: bool) -> Self {
        Self { passed: passed.into(), failed: (!passed).into(), ignored: 0 }
    }

    /// How many were run.
    pub fn run(self) -> usize {
        self.passed + self.failed
    }

    /// Counts a runner that has failed without saying which check has, and one that has run nothing, as a failure.
    pub fn or_failure(mut self, runner_succeeded: bool) -> Self {
        if self.run() == 0 || (!runner_succeeded && self.failed == 0) {
            self.failed += 1;
        }
        self
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

/// What a line of `cargo test` adds: `test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; …`.
pub fn cargo_line(line: &str) -> Tally {
    let Some(counts) = line.trim_start().strip_prefix("test result: ") else {
        return Tally::default();
    };
    let count = |what: &str| {
        let part = counts.split([';', '.']).find(|part| part.trim().ends_with(what));
        let number = part.and_then(|part| part.split_whitespace().next());
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    Tally { passed: count(" passed"), failed: count(" failed"), ignored: count(" ignored") }
}

/// What Node's TAP reporter says at the end: `# pass 12`, `# fail 0`, `# cancelled 0`, `# skipped 1`, `# todo 0`.
pub fn tap(output: &str) -> Tally {
    // The last of each: a test may print such a line itself, but not after the summary.
    let count = |what: &str| {
        let prefix = format!("# {what} ");
        let mut numbers = output.lines().rev().filter_map(|line| line.strip_prefix(&prefix));
        numbers.find_map(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    Tally { passed: count("pass"), failed: count("fail") + count("cancelled"), ignored: count("skipped") + count("todo") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: usize, failed: usize, ignored: usize) -> Tally {
        Tally { passed, failed, ignored }
    }

    #[test]
    fn cargos_lines() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.00s";
        assert_eq!(cargo_line(line), tally(12, 0, 1));
        let line = "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(cargo_line(line), tally(10, 2, 0));
        assert_eq!(cargo_line("test a::b ... ok"), tally(0, 0, 0));
        assert_eq!(cargo_line("test result: what"), tally(0, 0, 0));
    }

    #[test]
    fn nodes_summary() {
        let output = "TAP version 13\n# Subtest: a\n# pass 99\nok 1 - a\n1..3\n# tests 4\n# suites 0\n# pass 1\n# fail 1\n\
                      # cancelled 1\n# skipped 1\n# todo 0\n# duration_ms 12.5\n";
        assert_eq!(tap(output), tally(1, 2, 1));
        assert_eq!(tap("nothing"), tally(0, 0, 0));
    }

    #[test]
    fn nothing_run_is_a_failure() {
        assert_eq!(tally(0, 0, 3).or_failure(true), tally(0, 1, 3));
        assert_eq!(tally(3, 0, 0).or_failure(false), tally(3, 1, 0));
        assert_eq!(tally(3, 1, 0).or_failure(false), tally(3, 1, 0));
        assert_eq!(tally(3, 0, 0).or_failure(true), tally(3, 0, 0));
    }
}
