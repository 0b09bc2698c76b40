//! The page for people: every row as its notes page has it, and beside it what was done and seen.
//!
//! One file with its style and pictures in it, that can be sent or kept. No scripts.

use std::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::Demo;
use super::notes::{Row, TABLES, Table};
use super::record::{Step, Trial};
use super::trials_of;

/// What has become of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was tried, and each time it did what it says.
    Passed,
    /// It was tried, and did not.
    Failed,
    /// Nothing tried it.
    Untried,
}

impl Verdict {
    fn of(trials: &[&Trial]) -> Self {
        if trials.is_empty() {
            Self::Untried
        } else if trials.iter().all(|trial| trial.passed) {
            Self::Passed
        } else {
            Self::Failed
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Untried => "untried",
        }
    }
}

/// The rows with what is known of them.
pub struct Review<'a> {
    demos: Vec<(&'a Demo, Vec<Judged<'a>>)>,
}

struct Judged<'a> {
    row: &'a Row,
    trials: Vec<&'a Trial>,
    verdict: Verdict,
}

impl<'a> Review<'a> {
    /// Lays the record beside the notes.
    pub fn new(demos: &'a [Demo], trials: &'a [Trial]) -> Self {
        let judge = |row: &'a Row| {
            let trials = trials_of(row, trials);
            Judged { row, verdict: Verdict::of(&trials), trials }
        };
        Self { demos: demos.iter().map(|demo| (demo, demo.rows.iter().map(judge).collect())).collect() }
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.demos.iter().flat_map(|(_, rows)| rows).filter(|row| row.verdict == verdict).count()
    }

    /// How many rows were tried and did not do what they say.
    pub fn failed(&self) -> usize {
        self.count(Verdict::Failed)
    }

    /// In a line.
    pub fn summary(&self) -> String {
        let [passed, failed, untried] = [Verdict::Passed, Verdict::Failed, Verdict::Untried].map(|verdict| self.count(verdict));
        format!("{passed} rows passed, {failed} failed, {untried} untried")
    }
}

/// The page. `picture` gives the bytes of a picture by its file's name.
pub fn render(review: &Review, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, review, picture);
    page
}

fn write_page(out: &mut String, review: &Review, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> fmt::Result {
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Review of the notes pages</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Review of the notes pages</h1>\n\
         <p class=\"lede\">Every row that the notes promise, what was pressed or set in a browser, and what was seen. {}.</p>\n",
        escaped(&review.summary())
    )?;
    attention(out, review)?;
    for (demo, rows) in &review.demos {
        writeln!(out, "<section>\n<h2 id=\"{}\">{}</h2>", escaped(&demo.name), escaped(&demo.title))?;
        for (table, heading) in TABLES {
            writeln!(out, "<h3>{heading}</h3>")?;
            let mut last = None;
            for judged in rows.iter().filter(|judged| judged.row.table == table) {
                // The legend's own heading would only repeat the one above.
                let under = Some(judged.row.heading.as_str()).filter(|_| table == Table::Parameters);
                if under != last {
                    last = under;
                    writeln!(out, "<h4>{}</h4>", escaped(under.unwrap_or_default()))?;
                }
                write_row(out, judged, picture)?;
            }
        }
        writeln!(out, "</section>")?;
    }
    writeln!(out, "</main>\n</body>\n</html>")
}

/// The rows to look at first.
fn attention(out: &mut String, review: &Review) -> fmt::Result {
    let rows = || review.demos.iter().flat_map(|(_, rows)| rows);
    for verdict in [Verdict::Failed, Verdict::Untried] {
        if review.count(verdict) == 0 {
            continue;
        }
        write!(out, "<p><strong>{}:</strong> ", verdict.word())?;
        for judged in rows().filter(|judged| judged.verdict == verdict) {
            write!(out, "<a href=\"#{}\">{} {}</a> ", anchor(judged.row), escaped(&judged.row.demo), escaped(&judged.row.id))?;
        }
        writeln!(out, "</p>")?;
    }
    Ok(())
}

fn write_row(out: &mut String, judged: &Judged, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> fmt::Result {
    let Judged { row, trials, verdict } = judged;
    let word = verdict.word();
    writeln!(out, "<article class=\"{word}\" id=\"{}\">\n<p class=\"verdict\">{word}</p>\n<dl>", anchor(row))?;
    for (column, text) in row.cells.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(column), escaped(text))?;
    }
    writeln!(out, "</dl>")?;
    if trials.is_empty() {
        writeln!(out, "<p>Nothing tried this.</p>")?;
    }
    for trial in trials {
        write_trial(out, row, trial, picture)?;
    }
    writeln!(out, "</article>")
}

fn write_trial(out: &mut String, row: &Row, trial: &Trial, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> fmt::Result {
    if let Some(failure) = &trial.failure {
        writeln!(out, "<pre>{}</pre>", escaped(failure))?;
    }
    let pictures = [("before", &trial.before), ("after", &trial.after)];
    if pictures.iter().any(|(_, file)| file.is_some()) {
        writeln!(out, "<div class=\"pictures\">")?;
        for (when, file) in pictures {
            let Some(file) = file else { continue };
            match picture(file) {
                Some(bytes) => writeln!(
                    out,
                    "<figure><img src=\"data:image/jpeg;base64,{}\" alt=\"The picture {when} {}\" loading=\"lazy\"><figcaption>{when}</figcaption></figure>",
                    STANDARD.encode(bytes),
                    escaped(&row.id)
                )?,
                None => writeln!(out, "<p>The picture {when}, {}, is missing.</p>", escaped(file))?,
            }
        }
        writeln!(out, "</div>")?;
    }
    writeln!(out, "<ol>")?;
    for step in &trial.steps {
        match step {
            Step::Did { did } => writeln!(out, "<li class=\"did\">{}</li>", escaped(did))?,
            Step::Saw { saw, changed } => {
                write!(out, "<li>saw {}", escaped(saw))?;
                for (name, values) in changed {
                    let [before, after] = [0, 1].map(|i| escaped(&short(&values[i])));
                    write!(out, "<br><code>{}</code> {before} → {after}", escaped(name))?;
                }
                writeln!(out, "</li>")?;
            }
        }
    }
    writeln!(out, "</ol>")
}

/// A value as people read it: numbers to five digits.
fn short(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().filter(|x| x.fract() != 0.0).map_or(number.to_string(), rounded),
        Value::Array(items) => items.iter().map(short).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} {}", short(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn rounded(x: f64) -> String {
    let digits = (4 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{x:.digits$}")
}

/// A name for a row that an address can end with. Two keys may differ only in what such a name cannot have, so it is spelt in numbers.
fn anchor(row: &Row) -> String {
    let id: String =
        row.id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("-{:x}-", c as u32) }).collect();
    format!("{}-{}-{id}", row.demo, row.table.name())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "\
:root { color-scheme: light dark; --paper: #fbf9f6; --raised: #fff; --ink: #1f1a18; --soft: #655c57; --line: #ddd5cd; --good: #1d6b39; --bad: #9a1818; --open: #7a5200; }
@media (prefers-color-scheme: dark) { :root { --paper: #161211; --raised: #1f1a18; --ink: #ece5df; --soft: #a89c94; --line: #3a322e; --good: #7fc998; --bad: #f2857b; --open: #e2b45c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: min(100% - 2rem, 62rem); margin: 2rem auto 4rem; }
h1, h2, h3, h4 { font-family: ui-serif, Georgia, serif; line-height: 1.2; }
h2 { margin-top: 3rem; } h3 { margin-top: 2rem; } h4 { margin: 1.5rem 0 .5rem; color: var(--soft); }
a { color: inherit; }
article { position: relative; margin: 0 0 .8rem; padding: .8rem 1rem; border: 1px solid var(--line); border-left-width: 5px; border-radius: 8px; background: var(--raised); }
.passed { border-left-color: var(--good); } .failed { border-left-color: var(--bad); } .untried { border-left: 5px dashed var(--open); }
.verdict { position: absolute; top: .8rem; right: 1rem; margin: 0; font-weight: 600; }
.passed .verdict { color: var(--good); } .failed .verdict { color: var(--bad); } .untried .verdict { color: var(--open); }
dl { margin: 0 6rem .4rem 0; } dl div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .8rem; } dt { color: var(--soft); } dd { margin: 0; }
.pictures { display: flex; flex-wrap: wrap; gap: .8rem; } figure { margin: .4rem 0; width: 15rem; max-width: 100%; } img { display: block; width: 100%; border-radius: 6px; } figcaption { color: var(--soft); font-size: .85rem; }
ol { margin: .4rem 0 0; padding-left: 1.6rem; font-size: .9rem; color: var(--soft); max-height: 18rem; overflow: auto; } .did { color: var(--ink); font-weight: 500; }
pre { margin: .4rem 0; white-space: pre-wrap; color: var(--bad); font-size: .88rem; }
";

#[cfg(test)]
mod tests {
    use super::super::{notes, record};
    use super::*;

    const NOTES: &str = r#"<h1>Notes on X</h1><h2>Keys</h2><table><tr><th scope="col">key</th><th scope="col">action</th></tr>
        <tr data-key="&lt;"><td>&lt;</td><td>smaller &amp; "safer"</td></tr><tr data-key="g"><td>G</td><td>turn</td></tr>
        <tr data-key="h"><td>H</td><td>hide</td></tr></table>"#;

    fn demo() -> Vec<Demo> {
        vec![Demo { name: "x".into(), title: "Notes on X".into(), rows: notes::rows("x", NOTES) }]
    }

    fn trial(row: &str, words: &str, passed: bool) -> String {
        let failure = if passed { "null" } else { "\"waited for <it>\"" };
        format!(
            r#"{{"demo":"x","table":"legend","row":"{row}","words":"{words}","passed":{passed},"failure":{failure},"steps":[{{"did":"pressed <script>"}},{{"saw":"it","changed":{{"a":[null,0.123456]}}}}],"before":"b.jpg","after":"gone.jpg"}}"#
        )
    }

    fn rendered(record: &str) -> (String, String) {
        let (demos, trials) = (demo(), record::parse(record).unwrap());
        let review = Review::new(&demos, &trials);
        (render(&review, &|name| (name == "b.jpg").then(|| vec![1, 2, 3])), review.summary())
    }

    #[test]
    fn a_row_that_nothing_tried_is_untried_and_one_that_failed_once_has_failed() {
        let record = [trial("g", "G turn", true), trial("g", "G turn", false)].join("\n");
        let (page, summary) = rendered(&record);
        assert_eq!(summary, "0 rows passed, 1 failed, 2 untried");
        assert!(page.contains("<article class=\"failed\" id=\"x-legend-g\">"));
        assert!(page.contains("<article class=\"untried\" id=\"x-legend-h\">"));
        assert!(page.contains("Nothing tried this."));
        let (_, summary) = rendered(&trial("g", "G turn", true));
        assert_eq!(summary, "1 rows passed, 0 failed, 2 untried");
    }

    #[test]
    fn a_row_that_is_written_otherwise_now_is_untried() {
        let (_, summary) = rendered(&trial("g", "G turn it round", true));
        assert_eq!(summary, "0 rows passed, 0 failed, 3 untried");
        assert_eq!(rendered("").1, "0 rows passed, 0 failed, 3 untried");
    }

    #[test]
    fn whatever_was_written_is_text() {
        let (page, _) = rendered(&trial("<", "< smaller & \\\"safer\\\"", false));
        assert!(page.contains("<article class=\"failed\" id=\"x-legend--3c-\">"));
        assert!(page.contains("smaller &amp; &quot;safer&quot;"));
        assert!(page.contains("pressed &lt;script&gt;") && page.contains("waited for &lt;it&gt;"));
        assert!(!page.contains("<script"));
        assert!(page.contains("<code>a</code> null → 0.12346"));
    }

    #[test]
    fn it_stands_alone() {
        let (page, _) = rendered(&trial("g", "G turn", true));
        assert!(page.contains("data:image/jpeg;base64,AQID"));
        assert!(page.contains("The picture after, gone.jpg, is missing."));
        for outside in ["http://", "https://", "src=\"/", "<link", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
