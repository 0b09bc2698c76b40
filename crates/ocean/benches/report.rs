//! The tables, as Markdown and as JSON.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::contestant::Role;
use crate::gpu_timer::{Repetitions, Time, Timing};

/// One contestant at one size.
pub struct Row {
    pub size: u32,
    pub name: String,
    pub role: Role,
    /// Zero where it means nothing.
    pub bytes_per_texel: f64,
    /// The times, or why there are none.
    pub outcome: Result<Timing, String>,
}

/// Everything a run found.
pub struct Report {
    pub adapter: wgpu::AdapterInfo,
    pub sizes: Vec<u32>,
    pub cascades: u32,
    pub repetitions: Repetitions,
    /// Times are by the wall clock: see `gpu_timer.rs`.
    pub software: bool,
    pub rows: Vec<Row>,
}

impl Report {
    /// Tables to paste into a page.
    pub fn markdown(&self) -> String {
        let Repetitions { rounds, singles, batch } = self.repetitions;
        let mut text = format!(
            "{} · {} · {} · cascades: {}\n{} single updates in {rounds} rounds, and {rounds} × {batch} back to back\n",
            self.adapter.name,
            self.driver(),
            today(),
            self.cascades,
            rounds * singles,
        );
        if self.software {
            text.push_str(
                "A software adapter, timed by the wall clock: its timestamps do not wait for the dispatches before them.\n",
            );
        }
        self.table(&mut text, "µs per update, best: single / back to back", |row| {
            row.outcome.as_ref().map_or(Some("–".into()), |t| Some(pair(t.single.best, t.back_to_back.best, microseconds)))
        });
        self.table(&mut text, "µs per update, median: single / back to back", |row| {
            row.outcome
                .as_ref()
                .map_or(Some("–".into()), |t| Some(pair(t.single.median, t.back_to_back.median, microseconds)))
        });
        self.table(&mut text, "TB/s of the traffic it cannot avoid: single / back to back", |row| {
            let timing = row.outcome.as_ref().ok().filter(|_| row.bytes_per_texel > 0.0)?;
            let rate = |time: Time| self.terabytes_per_second(row, time);
            Some(pair(rate(timing.single), rate(timing.back_to_back), terabytes))
        });
        self.ratios(&mut text);
        self.dispatches(&mut text);
        self.footnotes(&mut text);
        text
    }

    /// The same for a program.
    pub fn json(&self) -> Value {
        let time = |time: Time| json!({ "best_us": time.best, "median_us": time.median });
        let row = |row: &Row| match &row.outcome {
            Ok(timing) => json!({
                "size": row.size,
                "name": row.name,
                "role": row.role.name(),
                "single": time(timing.single),
                "back_to_back": time(timing.back_to_back),
                "dispatches": timing.dispatches.iter().map(|&(label, t)| json!({ "label": label, "time": time(t) })).collect::<Vec<_>>(),
                "bytes_per_texel": row.bytes_per_texel,
                "tb_per_s": self.terabytes_per_second(row, timing.back_to_back),
            }),
            Err(reason) => json!({ "size": row.size, "name": row.name, "role": row.role.name(), "missing": reason }),
        };
        json!({
            "adapter": self.adapter.name,
            "driver": self.driver(),
            "date": today(),
            "cascades": self.cascades,
            "rounds": self.repetitions.rounds,
            "singles_per_round": self.repetitions.singles,
            "batch": self.repetitions.batch,
            "wall_clock": self.software,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    fn driver(&self) -> String {
        format!("{} {} ({:?})", self.adapter.driver, self.adapter.driver_info, self.adapter.backend)
    }

    fn terabytes_per_second(&self, row: &Row, time: Time) -> f64 {
        let texels = f64::from(row.size).powi(2) * f64::from(self.cascades);
        row.bytes_per_texel * texels / time.best / 1e6
    }

    /// One line per contestant for which `cell` has something to say, one column per size.
    fn table(&self, text: &mut String, title: &str, cell: impl Fn(&Row) -> Option<String>) {
        let lines = self.names(|_| true).into_iter().filter_map(|name| {
            let cells: Vec<_> = self.sizes.iter().map(|&size| self.row(size, &name).and_then(&cell)).collect();
            cells.iter().any(Option::is_some).then_some((name, cells))
        });
        write_table(text, title, &self.sizes, lines.collect());
    }

    fn ratios(&self, text: &mut String) {
        let engines = self.names(|role| role == Role::Engine);
        let mut pairs = Vec::new();
        for engine in &engines {
            pairs.extend(self.names(|role| role == Role::Classic).into_iter().map(|classic| (classic, engine.clone())));
            let bounds = self.names(|role| matches!(role, Role::Streaming | Role::Cufft));
            pairs.extend(bounds.into_iter().map(|bound| (engine.clone(), bound)));
        }
        let cell = |size, above: &str, below: &str| {
            let above = self.row(size, above)?.outcome.as_ref().ok()?;
            let below = self.row(size, below)?.outcome.as_ref().ok()?;
            let (single, back_to_back) =
                (above.single.best / below.single.best, above.back_to_back.best / below.back_to_back.best);
            Some(pair(single, back_to_back, |ratio| format!("{ratio:.2}")))
        };
        let lines = pairs.iter().map(|(above, below)| {
            (format!("{above} ÷ {below}"), self.sizes.iter().map(|&size| cell(size, above, below)).collect())
        });
        write_table(text, "Ratios of the best: single / back to back", &self.sizes, lines.collect());
        if engines.is_empty() {
            text.push_str("\nNo variant of the engine took part, so there are no ratios.\n");
        }
    }

    fn dispatches(&self, text: &mut String) {
        let mut lines: Vec<(String, Vec<Option<String>>)> = Vec::new();
        for name in self.names(|role| role != Role::Cufft) {
            let timing = |size| self.row(size, &name).and_then(|row| row.outcome.as_ref().ok());
            let mut labels = Vec::new();
            for (label, _) in self.sizes.iter().filter_map(|&size| timing(size)).flat_map(|timing| &timing.dispatches) {
                if !labels.contains(label) {
                    labels.push(label);
                }
            }
            for label in labels {
                let time = |size| timing(size)?.dispatches.iter().find(|(of, _)| *of == label).map(|(_, time)| time.best);
                let cells = self.sizes.iter().map(|&size| time(size).map(microseconds)).collect();
                lines.push((format!("{name}: {label}"), cells));
            }
        }
        write_table(text, "µs per dispatch, best, each held apart by its own timestamps", &self.sizes, lines);
    }

    fn footnotes(&self, text: &mut String) {
        let missing = self.rows.iter().filter_map(|row| Some((row, row.outcome.as_ref().err()?)));
        for (index, (row, reason)) in missing.enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            let _ = writeln!(text, "{gap}– {} at {}: {reason}", row.name, row.size);
        }
    }

    /// Names in the order in which they first appear.
    fn names(&self, wanted: impl Fn(Role) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for row in self.rows.iter().filter(|row| wanted(row.role)) {
            if !names.contains(&row.name) {
                names.push(row.name.clone());
            }
        }
        names
    }

    fn row(&self, size: u32, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.size == size && row.name == name)
    }
}

fn write_table(text: &mut String, title: &str, sizes: &[u32], lines: Vec<(String, Vec<Option<String>>)>) {
    if lines.is_empty() {
        return;
    }
    let heads: String = sizes.iter().map(|size| format!(" {size} |")).collect();
    let _ = writeln!(text, "\n{title}\n\n| |{heads}\n|---|{}", "---|".repeat(sizes.len()));
    for (name, cells) in lines {
        let cells: String = cells.into_iter().map(|cell| format!(" {} |", cell.unwrap_or_default())).collect();
        let _ = writeln!(text, "| {name} |{cells}");
    }
}

fn pair(first: f64, second: f64, spelled: impl Fn(f64) -> String) -> String {
    format!("{} / {}", spelled(first), spelled(second))
}

fn terabytes(rate: f64) -> String {
    if rate < 0.1 { format!("{rate:.5}") } else { format!("{rate:.2}") }
}

fn microseconds(time: f64) -> String {
    if time < 100.0 { format!("{time:.1}") } else { format!("{time:.0}") }
}

/// Today's date in UTC. A table without one is worth little, and a calendar crate is much for one line.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Days since 0000-03-01, whose years end with their leap day.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
