//! What the tests wrote down: a line of JSON for each time that a row was tried.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::notes::Row;

/// One time that a row was tried. `tests/browser/record.mjs` writes these.
#[derive(Debug, Deserialize)]
pub struct Trial {
    demo: String,
    table: String,
    row: String,
    /// The row as it was written then.
    words: String,
    /// Whether what it says was seen to happen.
    pub passed: bool,
    /// Why it was not.
    pub failure: Option<String>,
    /// What was done and seen, in order.
    pub steps: Vec<Step>,
    /// The file of a picture of how it was.
    pub before: Option<String>,
    /// The file of a picture of how it was then.
    pub after: Option<String>,
}

/// Something that was done, or something that was seen to come of it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// What was pressed, touched or set.
    Did {
        /// In words.
        did: String,
    },
    /// What was waited for and came.
    Saw {
        /// In words.
        saw: String,
        /// The values that were others than before, by name: both.
        changed: serde_json::Map<String, Value>,
    },
}

impl Trial {
    /// Whether it is a trial of this row, as the row is written now: one of other words has been tried by nobody.
    pub fn is_of(&self, row: &Row) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let words: String = row.cells.iter().map(|(_, text)| plain(text)).collect();
        self.demo == row.demo && self.table == row.table.name() && self.row == row.id && plain(&self.words) == words
    }
}

/// Reads every record of a folder.
pub fn read(folder: &Path) -> Result<Vec<Trial>> {
    ensure!(
        folder.is_dir(),
        "{} is no folder. Fix: run `cargo xtask review` without --from, or the browser tests, which leave a record in tests/artifacts/review",
        folder.display()
    );
    let mut trials = Vec::new();
    let mut names = crate::site::files_below(folder)?;
    names.retain(|name| crate::site::has_extension(name, &["jsonl"]));
    ensure!(!names.is_empty(), "{} has no record (*.jsonl) in it", folder.display());
    for name in names {
        let path = crate::site::file(folder, &name);
        let text = std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
        trials.append(&mut parse(&text).with_context(|| path.display().to_string())?);
    }
    Ok(trials)
}

/// The trials in the text of a record.
pub fn parse(text: &str) -> Result<Vec<Trial>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(n, line)| serde_json::from_str(line).with_context(|| format!("line {} is not the record of a row", n + 1));
    lines.map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::super::notes;
    use super::*;

    const LINE: &str = r#"{"demo":"x","table":"legend","row":"g","words":"G  turn it","passed":true,"failure":null,"steps":[{"did":"pressed g"},{"saw":"it to turn","changed":{"gravity":["down","left"]}}],"before":null,"after":"x-001.jpg"}"#;

    #[test]
    fn a_trial_belongs_to_the_row_as_it_is_written_now() {
        let trial = &parse(LINE).unwrap()[0];
        let row = |words: &str| {
            let page = format!(r#"<table><tr data-key="g"><td><kbd>G</kbd></td><td>{words}</td></tr></table>"#);
            notes::rows("x", &page).remove(0)
        };
        assert!(trial.is_of(&row("turn it")));
        assert!(!trial.is_of(&row("turn it back")));
    }

    #[test]
    fn what_is_no_record_is_named() {
        let error = parse(&format!("{LINE}\n\n{{\"demo\":1}}\n")).unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error:#}");
        assert!(read(Path::new("/nowhere/at/all")).unwrap_err().to_string().contains("cargo xtask review"));
    }
}
