//! `cargo xtask bench`: the workspace's benchmarks, each with as little built around it as it needs. Those that run in a browser (`wetmap_web`, `start`) are run when they are named.

use std::time::Duration;

use anyhow::{Result, bail, ensure};

use crate::process;
use crate::tools::{chromium, node};
use crate::workspace::{self, Bench, Metadata};

const WASM: &str = "wasm32-unknown-unknown";

const LIMIT: Duration = Duration::from_secs(120 * 60);

/// Runs the benchmark that is named, with the other arguments, or all of them.
pub fn run(arguments: &[String]) -> Result<bool> {
    let benches = Metadata::load()?.benches();
    if arguments.first().is_some_and(|name| name == WETMAP_WEB) {
        return wetmap_in_a_browser();
    }
    if arguments.first().is_some_and(|name| name == START) {
        return start_in_a_browser();
    }
    let names: Vec<&str> = benches.iter().map(|bench| bench.name.as_str()).chain([WETMAP_WEB, START]).collect();
    let (chosen, rest): (Vec<&Bench>, &[String]) = match arguments {
        [] => (benches.iter().collect(), &[]),
        [name, rest @ ..] => match benches.iter().find(|bench| bench.name == *name) {
            Some(bench) => (vec![bench], rest),
            None => bail!("there is no benchmark `{name}`; there are: {}", names.join(", ")),
        },
    };
    if chosen.is_empty() {
        bail!("the workspace has no benchmarks");
    }
    let mut all_well = true;
    for bench in chosen {
        let mut command = process::command("cargo");
        command.args(cargo_arguments(bench));
        if !rest.is_empty() {
            command.arg("--").args(rest);
        }
        println!("{}", process::typed(&command));
        all_well &= process::run(command, LIMIT)?.success();
    }
    Ok(all_well)
}

/// The same scenes as `wetmap`'s, in a browser.
const WETMAP_WEB: &str = "wetmap_web";

/// The package whose scenes they are.
const WETMAP_PACKAGE: &str = "wetmap_bench";

/// Builds the scenes for wasm32, optimised as the site's own tick is, with vectors and without, and has Chromium and Node.js run them.
fn wetmap_in_a_browser() -> Result<bool> {
    let tests = workspace::root().join("tests").join("browser");
    node::ensure()?;
    node::ensure_packages(&tests)?;
    let browser = chromium::ensure()?;
    let mut node = process::command("node");
    node.current_dir(tests).arg("measure_wetmap.mjs").env("CHROMIUM", browser);
    for (folder, flags) in [("simd128", "-Ctarget-feature=+simd128"), ("plain", "-Ctarget-feature=-simd128")] {
        // A folder for each: in one, each would build everything again.
        let target = Metadata::load()?.target()?.join(WETMAP_WEB).join(folder);
        let mut build = process::command("cargo");
        build.args(["rustc", "--package", WETMAP_PACKAGE, "--lib", "--crate-type", "cdylib", "--release", "--target", WASM]);
        build.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &target);
        println!("RUSTFLAGS={flags} {}", process::typed(&build));
        process::run_ok(build, LIMIT)?;
        node.arg(target.join(WASM).join("release").join(format!("{WETMAP_PACKAGE}.wasm")));
    }
    println!("{}", process::typed(&node));
    Ok(process::run(node, LIMIT)?.success())
}

/// How long the demos of the built site take to their first frame.
const START: &str = "start";

/// Has Chromium open each demo of the site that is there as it is deployed, several times.
fn start_in_a_browser() -> Result<bool> {
    let dist = workspace::root().join("dist");
    ensure!(
        dist.join("pkg").join("manifest.json").is_file(),
        "there is no site in {}: run `cargo xtask build` first",
        dist.display()
    );
    let tests = workspace::root().join("tests").join("browser");
    crate::tools::node::ensure()?;
    crate::tools::node::ensure_packages(&tests)?;
    let mut node = process::command("node");
    node.current_dir(tests).arg("measure_start.mjs").env("DIST", dist).env("CHROMIUM", crate::tools::chromium::ensure()?);
    println!("{}", process::typed(&node));
    Ok(process::run(node, LIMIT)?.success())
}

/// An engine is minutes of compiling that no benchmark of a core needs: features that bring one are left out.
fn cargo_arguments(bench: &Bench) -> Vec<String> {
    let mut arguments = ["bench", "--package", &bench.package, "--bench", &bench.name].map(str::to_owned).to_vec();
    if bench.features.iter().any(|feature| feature == "bevy") {
        arguments.push("--no-default-features".into());
        if bench.features.iter().any(|feature| feature == "script") {
            arguments.extend(["--features".into(), "script".into()]);
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_measured_without_an_engine() {
        let bench = |features: &[&str]| Bench {
            name: "tick".into(),
            package: "core".into(),
            features: features.iter().map(|&f| f.to_owned()).collect(),
        };
        let line = |features| cargo_arguments(&bench(features)).join(" ");
        assert_eq!(line(&[]), "bench --package core --bench tick");
        assert_eq!(
            line(&["bevy", "default", "script"]),
            "bench --package core --bench tick --no-default-features --features script"
        );
    }
}
