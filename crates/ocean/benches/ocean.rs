//! What an update of the ocean costs on a GPU: `cargo xtask bench ocean`, or with `-- --help` for what else it can do.
//!
//! A time in microseconds says little by itself, so the engine is timed beside a baseline for either side of it. Above is the
//! classic form of the technique (`classic.rs`), below are the bytes that an update has to move whatever it computes and the
//! dispatches it has to launch (`floors.rs`); on an NVIDIA GPU, `--cufft` adds the vendor's library, which does only the
//! transforms. All of them take turns in one run on one device with WebGPU's default limits (`gpu_timer.rs`). The bench prints
//! tables and judges nothing; no test of this project fails on a clock.

mod arguments;
mod check;
mod classic;
mod contestant;
mod cufft;
mod engine;
mod floors;
mod gpu;
mod gpu_timer;
mod report;
mod sea;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::arguments::Arguments;
use crate::contestant::{Contestant, Entry, Role};
use crate::gpu::{Gpu, RuntimeChecks};
use crate::gpu_timer::{Repetitions, Timer};
use crate::report::{Report, Row};

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}; --help lists what there is");
            return ExitCode::from(2);
        }
    };
    if arguments.help {
        println!("{}", arguments::HELP);
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let gpu = Gpu::open(arguments.adapter.as_deref())?;
    let cascades = arguments.cascades.unwrap_or(3);
    if arguments.check {
        println!("{}: the classic form against a plain sum in f64", gpu.info.name);
        return check::run(&gpu, cascades);
    }
    let (sizes, iterations): (&[u32], _) = if gpu.is_software() { (&[256, 512], 6) } else { (&[256, 512, 1024, 2048], 200) };
    let sizes = arguments.sizes.clone().unwrap_or_else(|| sizes.to_vec());
    let repetitions = Repetitions::of(arguments.iterations.unwrap_or(iterations));

    let timer = Timer::new(&gpu);
    let mut rows = Vec::new();
    for &size in &sizes {
        rows.extend(measure(&gpu, &timer, size, cascades, repetitions, arguments)?);
    }
    let report = Report { adapter: gpu.info.clone(), software: gpu.is_software(), sizes, cascades, repetitions, rows };
    if let Some(path) = &arguments.json {
        let json = format!("{:#}\n", report.json());
        std::fs::write(path, json).with_context(|| format!("while writing {}", path.display()))?;
    }
    // `println!` panics where the reader has gone, `| head` for one.
    std::io::stdout().write_all(report.markdown().as_bytes()).context("while printing the tables")?;
    Ok(true)
}

/// Everything at one size.
fn measure(
    gpu: &Gpu,
    timer: &Timer<'_>,
    size: u32,
    cascades: u32,
    repetitions: Repetitions,
    arguments: &Arguments,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    let mut places = Vec::new();
    for entry in line_up(gpu, size, cascades, arguments)? {
        let name = entry.name();
        let (role, bytes_per_texel, outcome) = match entry {
            Entry::Unable { role, reason, .. } => (role, 0.0, Err(reason)),
            Entry::Ready(role, contestant) => {
                places.push(rows.len());
                let bytes = contestant.bytes_per_texel();
                contestants.push(contestant);
                (role, bytes, Err("it was not timed".into()))
            }
        };
        rows.push(Row { size, name, role, bytes_per_texel, outcome });
    }
    eprintln!("{size} × {size} × {cascades}: {} contestants on {}", contestants.len(), gpu.info.name);
    let timings = timer.race(&mut contestants, repetitions).with_context(|| format!("at {size}"))?;
    for (place, timing) in places.into_iter().zip(timings) {
        rows[place].outcome = Ok(timing);
    }

    let name = cufft::name(cascades);
    if let Some(python) = arguments.cufft.as_deref().filter(|_| arguments.wants(&name)) {
        // Another process cannot take turns with this one; the next best is to follow while the clocks are still up.
        let outcome = cufft::time(python, size, cascades, repetitions).map_err(|error| format!("{error:#}"));
        rows.push(Row { size, name, role: Role::Cufft, bytes_per_texel: 0.0, outcome });
    }
    Ok(rows)
}

/// The engine first, then the baselines, each built only if it is wanted: at 2048 one of them is a gigabyte.
fn line_up(gpu: &Gpu, size: u32, cascades: u32, arguments: &Arguments) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = match engine::contestants(&gpu.device, &gpu.queue, size, cascades) {
        Ok(contestants) => contestants.into_iter().map(|(role, contestant)| Entry::Ready(role, contestant)).collect(),
        Err(error) => vec![Entry::Unable { name: "engine".into(), role: Role::Engine, reason: format!("{error:#}") }],
    };
    entries.retain(|entry| arguments.wants(&entry.name()));
    gpu.check().context("while building the engine")?;
    for checks in [RuntimeChecks::On, RuntimeChecks::Off] {
        if arguments.wants(classic::name(checks)) {
            entries.push(classic::entry(gpu, size, cascades, checks));
        }
    }
    if arguments.wants(floors::STREAMING_NAME) {
        entries.push(floors::streaming(gpu, size, cascades));
    }
    for name in floors::EMPTY_NAMES {
        if arguments.wants(name) {
            entries.push(floors::empty(gpu, name));
        }
    }
    gpu.check().context("while building the baselines")?;
    Ok(entries)
}
