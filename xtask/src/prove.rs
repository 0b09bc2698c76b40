//! `cargo xtask prove`: the wetmap's numbers on every kind of machine that this one can be or imitate.
//!
//! The package `wetmap_proof` plays lists of scripts and prints one number for each. Here it is built for each of [`KINDS`] and run, by
//! the processor, by QEMU, by Node.js, in Chromium or by Miri, and every number has to be the one in [`PINNED`]. What cannot be run is
//! said with what is missing, in the table and in the last line, and is a failure only where it was asked for by name: no machine has
//! all of it.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::tools::chromium;
use crate::workspace::{self, Metadata};

const PACKAGE: &str = "wetmap_proof";
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// How much of the lists is played: how many generated, and up to how many texels times ticks a script.
type Amount = [&'static str; 2];
const ALL: Amount = ["1000", "4294967295"];
/// What `cargo test` plays as well. For an emulator of what was not optimised.
const QUICK: Amount = ["100", "4294967295"];
/// For an interpreter, which takes seconds for what is made once for every new humidity.
const SOME: Amount = ["8", "300"];

/// What has to come out: an amount and its numbers, a line.
const PINNED: &str = include_str!("../../crates/bevy_wetmap/proof/numbers.txt");

/// The numbers of an amount, as the program prints them.
fn pinned(amount: Amount) -> Option<&'static str> {
    PINNED.lines().find_map(|line| line.strip_prefix(&amount.join(" "))?.strip_prefix(' '))
}

/// What runs the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    /// This machine's processor.
    Processor,
    /// A user-mode emulator, with the linker for its target.
    Qemu { program: &'static str, linker: &'static str },
    /// Node.js.
    Node,
    /// The browser, through the package that the tests in the browser use.
    Chromium,
    /// The interpreter that also looks for undefined behaviour.
    Miri,
}

/// A kind of machine.
struct Kind {
    name: &'static str,
    /// None is this machine's own.
    target: Option<&'static str>,
    release: bool,
    flags: &'static str,
    amount: Amount,
    runner: Runner,
}

const fn native(name: &'static str, release: bool, flags: &'static str) -> Kind {
    Kind { name, target: None, release, flags, amount: ALL, runner: Runner::Processor }
}

const fn emulated(name: &'static str, target: &'static str, program: &'static str, linker: &'static str) -> Kind {
    // Static, so that the emulator needs no library of that machine.
    let flags = "-Ctarget-feature=+crt-static";
    Kind { name, target: Some(target), release: true, flags, amount: ALL, runner: Runner::Qemu { program, linker } }
}

const fn web(name: &'static str, flags: &'static str, runner: Runner) -> Kind {
    Kind { name, target: Some("wasm32-unknown-unknown"), release: true, flags, amount: ALL, runner }
}

const fn miri(name: &'static str, target: Option<&'static str>, flags: &'static str) -> Kind {
    Kind { name, target, release: false, flags, amount: SOME, runner: Runner::Miri }
}

const WITH_SIMD: &str = "-Ctarget-feature=+simd128";
const WITHOUT_SIMD: &str = "-Ctarget-feature=-simd128";

const KINDS: &[Kind] = &[
    native("this machine, release", true, ""),
    // Not optimised: the profile optimises the model even for debugging.
    native("this machine, debug", false, "-Copt-level=0 -Coverflow-checks=on"),
    native("x86-64-v3 (AVX2 everywhere), release", true, "-Ctarget-cpu=x86-64-v3"),
    native("x86-64-v3 (AVX2 everywhere), debug", false, "-Copt-level=0 -Coverflow-checks=on -Ctarget-cpu=x86-64-v3"),
    emulated("x86-64 without AVX2, release", "x86_64-unknown-linux-gnu", "qemu-x86_64 -cpu Nehalem", "cc"),
    Kind {
        release: false,
        flags: "-Copt-level=0 -Coverflow-checks=on -Ctarget-feature=+crt-static",
        amount: QUICK,
        ..emulated("x86-64 without AVX2, debug", "x86_64-unknown-linux-gnu", "qemu-x86_64 -cpu Nehalem", "cc")
    },
    emulated("i686, release", "i686-unknown-linux-gnu", "qemu-i386", "i686-linux-gnu-gcc"),
    emulated("aarch64, release", "aarch64-unknown-linux-gnu", "qemu-aarch64", "aarch64-linux-gnu-gcc"),
    emulated("s390x (big-endian), release", "s390x-unknown-linux-gnu", "qemu-s390x", "s390x-linux-gnu-gcc"),
    web("wasm32 in Node.js", WITHOUT_SIMD, Runner::Node),
    web("wasm32 with simd128 in Node.js", WITH_SIMD, Runner::Node),
    web("wasm32 in Chromium", WITHOUT_SIMD, Runner::Chromium),
    web("wasm32 with simd128 in Chromium", WITH_SIMD, Runner::Chromium),
    miri("Miri, this machine", None, ""),
    // Miri finds no features at run time, only those it was compiled with.
    miri("Miri, x86-64 with AVX2", Some("x86_64-unknown-linux-gnu"), "-Ctarget-feature=+avx2"),
    miri("Miri, i686", Some("i686-unknown-linux-gnu"), ""),
    miri("Miri, aarch64", Some("aarch64-unknown-linux-gnu"), ""),
    miri("Miri, s390x (big-endian)", Some("s390x-unknown-linux-gnu"), ""),
];

/// What became of one kind.
enum Outcome {
    Numbers { line: String, seconds: f64 },
    Missing(String),
    Failed(String),
}

/// Runs everything, or what has one of the arguments in its name, and prints a table.
pub fn run(arguments: &[String]) -> Result<bool> {
    let chosen: Vec<&Kind> = KINDS
        .iter()
        .filter(|kind| arguments.is_empty() || arguments.iter().any(|part| kind.name.contains(part.as_str())))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        bail!("no kind of machine has {} in its name; there are: {}", arguments.join(" or "), names.join(", "));
    }
    let mut rows = Vec::new();
    for kind in chosen {
        println!("--- {}", kind.name);
        rows.push((kind, kind.numbers()));
    }
    Ok(print(&rows, !arguments.is_empty()))
}

/// The numbers and the table, as they stand in the crate's README, and a line that says what of it ran. Returns whether all that ran gave
/// what is pinned, and all that was asked for by name ran.
fn print(rows: &[(&Kind, Outcome)], by_name: bool) -> bool {
    let (mut equal, mut wrong, mut missing) = (0, Vec::new(), Vec::new());
    println!("\n| machine | scripts | seconds | |\n|---|---|--:|---|");
    for (kind, outcome) in rows {
        let scripts = match kind.amount {
            ALL => "all",
            QUICK => "100 generated, and all others",
            _ => "8 generated, short ones only",
        };
        match outcome {
            Outcome::Numbers { line, seconds } if pinned(kind.amount) == Some(line) => {
                equal += 1;
                println!("| {} | {scripts} | {seconds:.1} | equal |", kind.name);
            }
            Outcome::Numbers { line, seconds } => {
                wrong.push(kind.name);
                let pinned = pinned(kind.amount).unwrap_or("nothing");
                println!("| {} | {scripts} | {seconds:.1} | **DIFFERENT**: `{line}`, and pinned is `{pinned}` |", kind.name);
            }
            Outcome::Missing(why) => {
                missing.push(format!("{} ({why})", kind.name));
                println!("| {} | | | not run: {why} |", kind.name);
            }
            Outcome::Failed(why) => {
                wrong.push(kind.name);
                println!("| {} | {scripts} | | **failed**: {why} |", kind.name);
            }
        }
    }
    println!("\n{}", last_line(equal, &wrong, &missing));
    wrong.is_empty() && equal > 0 && (missing.is_empty() || !by_name)
}

fn last_line(equal: usize, wrong: &[&str], missing: &[String]) -> String {
    let all = equal + wrong.len() + missing.len();
    let mut line = format!("{} of {all} kinds of machine ran, {equal} of them with the pinned numbers", equal + wrong.len());
    for (what, names) in [("WRONG", wrong.join(", ")), ("NOT RUN", missing.join(", "))] {
        if !names.is_empty() {
            line += &format!("; {what}: {names}");
        }
    }
    line
}

impl Kind {
    fn numbers(&self) -> Outcome {
        if let Some(why) = self.missing() {
            return Outcome::Missing(why);
        }
        let numbers = self.program().and_then(|command| {
            println!("{}", process::typed(&command));
            let started = Instant::now();
            let mut last = String::new();
            let status = process::run_seeing(command, LIMIT, |line| line.clone_into(&mut last))?;
            if !status.success() {
                bail!("{status}");
            }
            Ok((last, started.elapsed().as_secs_f64()))
        });
        match numbers {
            Ok((line, seconds)) => Outcome::Numbers { line, seconds },
            Err(error) => Outcome::Failed(format!("{error:#}")),
        }
    }

    /// What this machine lacks to run it, and how to get it.
    fn missing(&self) -> Option<String> {
        let starts = |program: &str, argument: &str| {
            let mut command = process::command(program);
            command.arg(argument);
            process::ask(command).is_some()
        };
        if self.name.starts_with("x86") && !cfg!(target_arch = "x86_64") {
            return Some("this machine is no x86-64".into());
        }
        if self.flags.contains("x86-64-v3") && !has_avx2() {
            return Some("this processor has no AVX2".into());
        }
        match self.runner {
            Runner::Processor => None,
            Runner::Miri => {
                let fix = "rustup toolchain install nightly --component miri,rust-src";
                let mut command = process::command("cargo");
                command.env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "miri", "--version"]);
                process::ask(command).is_none().then(|| fix.into())
            }
            Runner::Node | Runner::Chromium | Runner::Qemu { .. } => {
                let target = self.target?;
                let mut command = process::command("rustc");
                command.args(["--print", "target-libdir", "--target", target]);
                if process::ask(command).is_none_or(|directory| !PathBuf::from(directory).is_dir()) {
                    return Some(format!("rustup target add {target}"));
                }
                let Runner::Qemu { program, linker } = self.runner else {
                    if !starts("node", "--version") {
                        return Some("Node.js".into());
                    }
                    let package = workspace::root().join("tests/browser/node_modules/playwright-core");
                    return match self.runner {
                        Runner::Chromium if !package.is_dir() => Some("npm ci in tests/browser".into()),
                        Runner::Chromium if chromium::there().is_none() => {
                            Some("Chromium (`cargo xtask test` installs it; or set CHROMIUM)".into())
                        }
                        _ => None,
                    };
                };
                let program = program.split(' ').next().unwrap_or(program);
                if !starts(program, "--version") {
                    return Some(format!("{program} (Debian: apt install qemu-user)"));
                }
                (!starts(linker, "--version")).then(|| format!("{linker} (Debian: its gcc and libc6-dev packages)"))
            }
        }
    }

    /// A folder for each way of building: in one, each would build everything again.
    fn folder(&self) -> String {
        let profile = match self.runner {
            Runner::Miri => "miri",
            _ if self.release => "release",
            _ => "debug",
        };
        let flags = self.flags.replace("=-", "=no-");
        [self.target.unwrap_or("host"), profile, &flags].join("-").replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    }

    /// Builds it and says how to run it.
    fn program(&self) -> Result<Command> {
        let target_directory = Metadata::load()?.target()?.join("prove").join(self.folder());
        let mut cargo = process::command("cargo");
        cargo.env("CARGO_TARGET_DIR", &target_directory).env("RUSTFLAGS", self.flags);
        if self.runner == Runner::Miri {
            // The toolchain that runs us is in the environment of what we start.
            cargo.env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "miri", "run", "--quiet", "--package", PACKAGE]);
            cargo.args(["--features", "soft-floats"]);
            cargo.args(self.target.iter().flat_map(|target| ["--target", target]));
            cargo.arg("--").args(self.amount);
            return Ok(cargo);
        }
        match self.runner {
            Runner::Node | Runner::Chromium => cargo.args(["rustc", "--lib", "--crate-type", "cdylib"]),
            _ => cargo.arg("build"),
        };
        cargo.args(["--quiet", "--package", PACKAGE]);
        cargo.args(self.release.then_some("--release"));
        if let Some(target) = self.target {
            cargo.args(["--target", target]);
            if let Runner::Qemu { linker, .. } = self.runner {
                let variable = target.to_uppercase().replace('-', "_");
                cargo.env(format!("CARGO_TARGET_{variable}_LINKER"), linker);
            }
        }
        println!("{}", process::typed(&cargo));
        process::run_ok(cargo, LIMIT)?;
        let profile = if self.release { "release" } else { "debug" };
        let directory = target_directory.join(self.target.unwrap_or_default()).join(profile);
        let file = |name: String| {
            let file = directory.join(name);
            file.is_file().then_some(file).context("it was built, but is not where it should be")
        };
        let mut command = match self.runner {
            Runner::Node | Runner::Chromium => {
                let mut node = process::command("node");
                node.arg(workspace::root().join("crates/bevy_wetmap/proof/prove.mjs"));
                node.arg(if self.runner == Runner::Node { "node" } else { "chromium" });
                node.arg(file(format!("{PACKAGE}.wasm"))?);
                node.envs(chromium::there().map(|program| ("CHROMIUM", program)));
                node
            }
            Runner::Qemu { program, .. } => {
                let mut words = program.split(' ');
                let mut qemu = process::command(words.next().unwrap_or(program));
                qemu.args(words).arg(file(PACKAGE.into())?);
                qemu
            }
            Runner::Processor | Runner::Miri => process::command(file(format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX))?),
        };
        command.args(self.amount);
        Ok(command)
    }
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_and_numbers() {
        for (at, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..at].iter().all(|other| other.name != kind.name), "{}", kind.name);
            assert_eq!(kind.target.is_none(), kind.runner == Runner::Processor || kind.name == "Miri, this machine");
            let numbers: Vec<&str> = pinned(kind.amount).unwrap_or_default().split(' ').collect();
            assert_eq!(numbers.len(), 5, "{}", kind.name);
            assert!(
                numbers.iter().all(|number| number.len() == 16 && number.bytes().any(|digit| digit != b'0')),
                "{numbers:?}"
            );
        }
    }

    #[test]
    fn what_is_built_otherwise_has_another_folder() {
        let built = |kind: &Kind| (kind.target, kind.release, kind.flags, kind.runner == Runner::Miri);
        for one in KINDS {
            for other in KINDS {
                assert_eq!(one.folder() == other.folder(), built(one) == built(other), "{}, {}", one.name, other.name);
            }
        }
    }

    #[test]
    fn a_number_that_differs_is_no_agreement() {
        let numbers = pinned(ALL).unwrap();
        let row = |line: &str| (&KINDS[0], Outcome::Numbers { line: line.into(), seconds: 0.1 });
        let missing = || (&KINDS[1], Outcome::Missing("a part".into()));
        assert!(print(&[row(numbers)], true));
        assert!(!print(&[row(numbers), row(&numbers.replace(['1', '2'], "3"))], false));
        assert!(!print(&[row("")], false));
        assert!(!print(&[row("0000000000000000 0000000000000000 0000000000000000")], false));
        assert!(print(&[row(numbers), missing()], false), "no machine has everything");
        assert!(!print(&[row(numbers), missing()], true), "but this was asked for");
        assert!(!print(&[missing()], false), "nothing ran");
        assert!(!print(&[row(numbers), (&KINDS[1], Outcome::Failed("it broke".into()))], false));
    }

    #[test]
    fn what_did_not_run_is_said_last() {
        assert_eq!(
            last_line(1, &["i686"], &["s390x (a part)".into()]),
            "2 of 3 kinds of machine ran, 1 of them with the pinned numbers; WRONG: i686; NOT RUN: s390x (a part)"
        );
    }

    #[test]
    fn the_readme_has_every_kind_and_every_number() {
        let readme = include_str!("../../crates/bevy_wetmap/README.md");
        for kind in KINDS {
            assert!(readme.contains(&format!("\n| {} |", kind.name)), "{} is not in the README's table", kind.name);
            for number in pinned(kind.amount).unwrap().split(' ') {
                assert!(readme.contains(number), "{number} ({}) is not in the README", kind.amount.join(" "));
            }
        }
    }
}
