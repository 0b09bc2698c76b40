//! cuFFT's time for the bare transforms, from a Python process of its own: see `cufft.py`.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::gpu_timer::{Repetitions, Time, Timing};

/// Carried inside the program, which is often run far from its sources.
const SCRIPT: &str = include_str!("cufft.py");

/// The row of the table for so many cascades.
pub fn name(cascades: u32) -> String {
    format!("cuFFT, {} bare planes in place", planes(cascades))
}

fn planes(cascades: u32) -> u32 {
    4 * cascades
}

/// Runs the script in the Python that is named.
pub fn time(python: &str, size: u32, cascades: u32, repetitions: Repetitions) -> Result<Timing> {
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .args(["--size", &size.to_string(), "--planes", &planes(cascades).to_string()])
        .args(["--rounds", &repetitions.rounds.to_string(), "--singles", &repetitions.singles.to_string()])
        .args(["--batch", &repetitions.batch.to_string()])
        .output()
        .with_context(|| format!("`{python}` could not be started"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", output.status, said.lines().last().unwrap_or("it said nothing"));
    }
    let line = String::from_utf8_lossy(&output.stdout);
    parse(&line).with_context(|| format!("the script printed `{}`", line.trim()))
}

fn parse(line: &str) -> Result<Timing> {
    let answer: Value = serde_json::from_str(line)?;
    let number = |key: &str| answer[key].as_f64().with_context(|| format!("no `{key}`"));
    let time = |what: &str| -> Result<Time> {
        Ok(Time { best: number(&format!("{what}_best_us"))?, median: number(&format!("{what}_median_us"))? })
    };
    Ok(Timing { single: time("single")?, back_to_back: time("back_to_back")?, dispatches: Vec::new() })
}
