//! `cargo xtask prove`: the wetmap's numbers on every kind of machine that this one can be or imitate.
//!
//! The package `wetmap_proof` plays one list of scripts and prints one number for each kind of them. Here it is built for each of
//! [`KINDS`] and run, by the processor, by QEMU, by Node.js or by Miri, and every number has to be that of the first. What cannot be
//! run is said with what is missing, and is no failure: no machine has all of it.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace::{self, Metadata};

const PACKAGE: &str = "wetmap_proof";
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// How much of the lists is played: how many generated, and up to how many texels times ticks a script.
type Amount = [&'static str; 2];
const ALL: Amount = ["1000", "4294967295"];
/// For an interpreter, which takes seconds for what is made once for every new humidity.
const SOME: Amount = ["8", "300"];

/// What runs the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    /// This machine's processor.
    Processor,
    /// A user-mode emulator, with the linker for its target.
    Qemu { program: &'static str, linker: &'static str },
    /// Node.js.
    Node,
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
    runner: Runner,
}

const fn native(name: &'static str, release: bool, flags: &'static str) -> Kind {
    Kind { name, target: None, release, flags, runner: Runner::Processor }
}

const fn emulated(name: &'static str, target: &'static str, program: &'static str, linker: &'static str) -> Kind {
    // Static, so that the emulator needs no library of that machine.
    let flags = "-Ctarget-feature=+crt-static";
    Kind { name, target: Some(target), release: true, flags, runner: Runner::Qemu { program, linker } }
}

const fn web(name: &'static str, flags: &'static str) -> Kind {
    Kind { name, target: Some("wasm32-unknown-unknown"), release: true, flags, runner: Runner::Node }
}

const fn miri(name: &'static str, target: Option<&'static str>) -> Kind {
    Kind { name, target, release: false, flags: "", runner: Runner::Miri }
}

const KINDS: &[Kind] = &[
    native("this machine, release", true, ""),
    native("this machine, debug", false, "-Copt-level=0 -Coverflow-checks=on"),
    native("x86-64-v3 (AVX2 everywhere)", true, "-Ctarget-cpu=x86-64-v3"),
    emulated("x86-64 without AVX2", "x86_64-unknown-linux-gnu", "qemu-x86_64 -cpu Nehalem", "cc"),
    emulated("i686", "i686-unknown-linux-gnu", "qemu-i386", "i686-linux-gnu-gcc"),
    emulated("aarch64", "aarch64-unknown-linux-gnu", "qemu-aarch64", "aarch64-linux-gnu-gcc"),
    emulated("s390x (big-endian)", "s390x-unknown-linux-gnu", "qemu-s390x", "s390x-linux-gnu-gcc"),
    web("wasm32", "-Ctarget-feature=-simd128"),
    web("wasm32 with simd128", "-Ctarget-feature=+simd128"),
    miri("Miri, this machine", None),
    miri("Miri, i686", Some("i686-unknown-linux-gnu")),
    miri("Miri, s390x (big-endian)", Some("s390x-unknown-linux-gnu")),
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
    let mut references: Vec<(Amount, String)> = Vec::new();
    let mut rows = Vec::new();
    for kind in chosen {
        println!("--- {}", kind.name);
        let amount = kind.amount();
        if !references.iter().any(|(known, _)| *known == amount) {
            match KINDS[0].numbers(amount) {
                Outcome::Numbers { line, .. } => references.push((amount, line)),
                Outcome::Missing(why) | Outcome::Failed(why) => {
                    bail!("this machine itself gives no numbers to compare with: {why}")
                }
            }
        }
        rows.push((kind, kind.numbers(amount)));
    }
    Ok(print(&rows, &references))
}

/// The table. Returns whether everything that ran agrees.
fn print(rows: &[(&Kind, Outcome)], references: &[(Amount, String)]) -> bool {
    let mut agree = true;
    println!("\n| machine | published, corners, generated | texels × ticks | seconds | |\n|---|---|--:|--:|---|");
    for (kind, outcome) in rows {
        let amount = kind.amount();
        let share = if amount == ALL { "all".to_owned() } else { format!("up to {}", amount[1]) };
        match outcome {
            Outcome::Numbers { line, seconds } => {
                let same = references.iter().any(|(known, reference)| *known == amount && reference == line);
                agree &= same;
                println!(
                    "| {} | `{line}` | {share} | {seconds:.1} | {} |",
                    kind.name,
                    if same { "equal" } else { "**DIFFERENT**" }
                );
            }
            Outcome::Missing(why) => println!("| {} | | | | not run: {why} |", kind.name),
            Outcome::Failed(why) => {
                agree = false;
                println!("| {} | | | | **failed**: {why} |", kind.name);
            }
        }
    }
    agree
}

impl Kind {
    fn amount(&self) -> Amount {
        if self.runner == Runner::Miri { SOME } else { ALL }
    }

    fn numbers(&self, amount: Amount) -> Outcome {
        if let Some(why) = self.missing() {
            return Outcome::Missing(why);
        }
        let numbers = self.program(amount).and_then(|command| {
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
            Runner::Node | Runner::Qemu { .. } => {
                let target = self.target?;
                let mut command = process::command("rustc");
                command.args(["--print", "target-libdir", "--target", target]);
                if process::ask(command).is_none_or(|directory| !PathBuf::from(directory).is_dir()) {
                    return Some(format!("rustup target add {target}"));
                }
                let Runner::Qemu { program, linker } = self.runner else {
                    return (!starts("node", "--version")).then(|| "Node.js".into());
                };
                let program = program.split(' ').next().unwrap_or(program);
                if !starts(program, "--version") {
                    return Some(format!("{program} (Debian: apt install qemu-user)"));
                }
                (!starts(linker, "--version")).then(|| format!("{linker} (Debian: its gcc and libc6-dev packages)"))
            }
        }
    }

    /// Builds it and says how to run it.
    fn program(&self, amount: Amount) -> Result<Command> {
        // A folder for each set of flags: in one, each would build everything again.
        let folder = self.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let target_directory = Metadata::load()?.target()?.join("prove").join(folder);
        let mut cargo = process::command("cargo");
        cargo.env("CARGO_TARGET_DIR", &target_directory);
        if self.runner == Runner::Miri {
            // The toolchain that runs us is in the environment of what we start.
            cargo.env_remove("RUSTUP_TOOLCHAIN").args(["+nightly", "miri", "run", "--quiet", "--package", PACKAGE]);
            cargo.args(["--features", "soft-floats"]);
            cargo.args(self.target.iter().flat_map(|target| ["--target", target]));
            cargo.arg("--").args(amount);
            return Ok(cargo);
        }
        cargo.env("RUSTFLAGS", self.flags);
        match self.runner {
            Runner::Node => cargo.args(["rustc", "--lib", "--crate-type", "cdylib"]),
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
            Runner::Node => {
                let mut node = process::command("node");
                node.arg(workspace::root().join("crates/bevy_wetmap/proof/prove.mjs"));
                node.arg(file(format!("{PACKAGE}.wasm"))?);
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
        command.args(amount);
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
    fn every_kind_has_a_name_of_its_own() {
        for (at, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..at].iter().all(|other| other.name != kind.name), "{}", kind.name);
            assert_eq!(kind.target.is_none(), kind.runner == Runner::Processor || kind.name == "Miri, this machine");
        }
    }

    #[test]
    fn a_number_that_differs_is_no_agreement() {
        let row = |line: &str| (&KINDS[0], Outcome::Numbers { line: line.into(), seconds: 0.1 });
        let references = [(ALL, "a b c".to_owned())];
        assert!(print(&[row("a b c")], &references));
        assert!(!print(&[row("a b c"), row("a b d")], &references));
        assert!(!print(&[row("")], &references));
        assert!(print(&[(&KINDS[1], Outcome::Missing("a part".into()))], &references), "what is missing is no failure");
        assert!(!print(&[(&KINDS[1], Outcome::Failed("it broke".into()))], &references));
    }
}
