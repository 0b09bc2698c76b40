//! `cargo xtask build`: the site that is deployed, in `dist/`, and whether it keeps what it promises.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::tools::{Purpose, Tools};
use crate::{process, site, workspace};

/// From nothing, with link-time optimisation and npm's wasm-opt, on few cores.
const LIMIT: Duration = Duration::from_secs(120 * 60);

/// Builds, measures and judges; whether all is well.
pub fn run() -> Result<bool> {
    let started = Instant::now();
    let tools = Tools::ensure(Purpose::Build)?;
    let mut command = tools.trunk()?;
    command.args(["build", "--release"]);
    println!("building the site for deployment: {}", process::typed(&command));
    process::run_ok(command, LIMIT).context("Fix: see the first error above")?;

    let dist = workspace::root().join("dist");
    let rows = site::budget::weigh(&dist)?;
    let problems = site::links::problems(&dist)?;
    println!("\n{}", site::budget::table(&rows));
    println!("1 kB is 1000 bytes, 1 MB a million; a budget is for what brotli leaves");
    for problem in &problems {
        println!("address: {problem}");
    }
    let over: Vec<_> = rows.iter().filter(|row| row.is_over()).collect();
    for row in &over {
        println!("over its budget: {}", row.what);
    }
    println!("\n{} is {}; {:.0} s", dist.display(), verdict(over.len(), problems.len()), started.elapsed().as_secs_f64());
    Ok(over.is_empty() && problems.is_empty())
}

fn verdict(over: usize, problems: usize) -> String {
    match (over, problems) {
        (0, 0) => "ready to be deployed: every budget is kept and every address is relative".into(),
        _ => format!("NOT ready: {over} over budget, {problems} bad addresses, see above"),
    }
}
