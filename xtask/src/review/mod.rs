//! `cargo xtask review`: the notes pages beside what a browser was seen to do, as one page for people to read.
//!
//! The tests in `tests/browser` take each notes page as the specification and write down what they press and see, row by row (see
//! `record.mjs` there). This command runs them with everything switched on and pictures taken, or takes a record that is there, and
//! lays it beside the rows *as the pages have them*: a row of which the record says nothing is shown as untried.

mod notes;
mod page;
mod record;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::check::stages;
use crate::{cli, process, workspace};
use notes::Row;
use record::Trial;

/// Every row of both demos, with pictures, where the GPU is a program.
const LIMIT: Duration = Duration::from_secs(180 * 60);

/// The tests that keep a record. A demo without one is all untried.
const TESTS: [&str; 4] = ["wetmap_paint.test.mjs", "wetmap_panel.test.mjs", "link.test.mjs", "ocean.test.mjs"];

/// Makes the page; whether every row that was tried does what it says, and the tests had nothing else to say either.
pub fn run(options: &cli::Review) -> Result<bool> {
    let (folder, passed) = match &options.from {
        Some(folder) => (PathBuf::from(folder), true),
        None => record_anew()?,
    };
    let site = workspace::root().join("site");
    let demos = notes::read(&site.join("notes"))?;
    let trials = record::read(&folder)?;
    let review = page::Review::new(&demos, &trials);
    let html = page::render(&review, &|picture| std::fs::read(folder.join(picture)).ok());
    let to = folder.join("review.html");
    std::fs::write(&to, html).with_context(|| format!("could not write {}", to.display()))?;
    println!("{}\n{}", review.summary(), to.display());
    Ok(passed && review.failed() == 0)
}

/// Builds the site and runs the tests on it; where their record is, and whether they passed.
fn record_anew() -> Result<(PathBuf, bool)> {
    let mut context = stages::Context::new()?;
    let built = stages::wasm(&mut context, LIMIT)?;
    ensure!(built.failed == 0, "the site does not build. Fix: see the first error above");
    let artifacts = stages::artifacts()?;
    let folder = artifacts.join("review");
    // What an earlier run has seen is no evidence for this one.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("could not remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
    let mut tests = stages::node_tests(&mut context, &artifacts)?;
    tests.args(TESTS).env("REVIEW", "1").env("OCEAN_PAGE", "all");
    println!("{}", process::typed(&tests));
    let passed = process::run(tests, LIMIT)?.success();
    Ok((folder, passed))
}

/// The trials of a row, in the order in which they were made.
fn trials_of<'a>(row: &Row, trials: &'a [Trial]) -> Vec<&'a Trial> {
    trials.iter().filter(|trial| trial.is_of(row)).collect()
}

/// The demos' names and rows, read from the notes pages of `folder`.
struct Demo {
    /// As its files are called.
    name: String,
    /// As its page is titled.
    title: String,
    rows: Vec<Row>,
}

/// A file's name without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_that_keep_a_record_are_there_and_no_others_do() {
        let folder = workspace::root().join("tests").join("browser");
        let keeps = |text: &str| text.contains("recordOf(") || text.contains("./ocean/");
        let mut keepers = Vec::new();
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".test.mjs") && keeps(&std::fs::read_to_string(&file).unwrap()) {
                keepers.push(name);
            }
        }
        keepers.sort();
        let mut tests = TESTS.to_vec();
        tests.sort_unstable();
        assert_eq!(keepers, tests, "left: tests/browser; right: TESTS");
    }
}
