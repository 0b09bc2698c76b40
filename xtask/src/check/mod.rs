//! `cargo xtask test`: everything that is checked, in stages, each with a limit on its time.
//!
//! A stage that fails does not keep the others from running, so that one run tells everything; only those that need its
//! result are left out, and counted. The last line says how many checks passed and failed.

mod count;
mod report;
pub mod stages;

use std::collections::HashSet;
use std::time::Instant;

use anyhow::Result;

use crate::cli;
use report::{Report, State};
use stages::{Context, STAGES, Stage};

/// The names of all stages, in order.
pub fn stage_names() -> impl Iterator<Item = &'static str> {
    STAGES.iter().map(|stage| stage.name)
}

/// Whether there is a stage of that name.
pub fn is_stage(name: &str) -> bool {
    stage_names().any(|stage| stage == name)
}

/// Runs the stages; whether all is well.
pub fn run(options: &cli::Test) -> Result<bool> {
    let chosen = choose(options);
    let mut context = Context::new()?;
    let mut report = Report::default();
    for stage in STAGES.iter().filter(|stage| chosen.contains(stage.name)) {
        let failed = stage.needs.iter().find(|need| report.has_failed(need));
        if let Some(failed) = failed {
            println!("\n== {}: left out, because {failed} has failed", stage.name);
            report.add(stage.name, State::LeftOut, Instant::now().elapsed());
            continue;
        }
        println!("\n== {}: {}", stage.name, stage.what);
        let started = Instant::now();
        let state = match (stage.run)(&mut context, stage.limit()) {
            Ok(tally) => State::Ran(tally),
            Err(error) => {
                println!("{}: {error:#}", stage.name);
                State::Broke
            }
        };
        report.add(stage.name, state, started.elapsed());
    }
    println!("\n{}", report.table());
    println!("{}", report.last_line());
    Ok(report.all_well())
}

/// The stages that the options ask for.
fn choose(options: &cli::Test) -> HashSet<&'static str> {
    let named = |stage: &&Stage| match options.stages.is_empty() {
        true => !stage.asked,
        false => options.stages.iter().any(|name| name == stage.name),
    };
    let mut chosen: HashSet<&str> = STAGES.iter().filter(named).map(|stage| stage.name).collect();
    if options.quick {
        chosen.retain(|name| !["tools", "wasm", "pages", "browser"].contains(name));
    }
    if !options.only {
        // From the back: a stage comes after those that it needs.
        for stage in STAGES.iter().rev() {
            if chosen.contains(stage.name) {
                chosen.extend(stage.needs);
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(line: &str) -> Vec<&'static str> {
        let words = std::iter::once("test").chain(line.split_whitespace()).map(str::to_owned);
        let Ok(cli::Command::Test(options)) = cli::parse(words) else {
            panic!("{line}");
        };
        let chosen = choose(&options);
        stage_names().filter(|name| chosen.contains(name)).collect()
    }

    #[test]
    fn what_is_named_comes_with_what_it_needs() {
        assert_eq!(chosen(""), ["tools", "fmt", "clippy", "doc", "unit", "core", "wasm", "pages", "browser"]);
        assert_eq!(chosen("gpu"), ["gpu"]);
        assert_eq!(chosen("fmt"), ["fmt"]);
        assert_eq!(chosen("browser"), ["tools", "wasm", "browser"]);
        assert_eq!(chosen("browser --only"), ["browser"]);
        assert_eq!(chosen("--quick"), ["fmt", "clippy", "doc", "unit", "core"]);
    }

    #[test]
    fn what_a_stage_needs_comes_before_it() {
        let names: Vec<_> = stage_names().collect();
        for (i, stage) in STAGES.iter().enumerate() {
            for need in stage.needs {
                assert!(names[..i].contains(need), "{} needs {need}", stage.name);
            }
        }
    }
}
