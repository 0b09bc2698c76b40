//! Optimising the wasm that is deployed.
//!
//! Features are named: `--all-features` yields modules that browsers refuse. The result is kept by the digest of its input
//! and the flags, because npm's single-threaded wasm-opt takes minutes for what changes seldom.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::kept::{Shelf, sha256};
use crate::tools::binaryen;
use crate::{process, site, workspace};

const LIMIT: Duration = Duration::from_secs(40 * 60);

/// For size, without names, for browsers that have WebGPU: all of them have these features.
const FLAGS: [&str; 12] = [
    "-Oz",
    "--strip-debug",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Optimises every wasm file in the directory, in place.
pub fn optimise_all(directory: &Path) -> Result<()> {
    let shelf = Shelf::open("wasm-opt")?;
    for name in site::files_below(directory)? {
        if site::has_extension(&name, &["wasm"]) {
            let path = site::file(directory, &name);
            optimise(&path, &name, &shelf).with_context(|| format!("optimising {name}"))?;
        }
    }
    Ok(())
}

fn optimise(path: &Path, name: &str, shelf: &Shelf) -> Result<()> {
    let before = std::fs::read(path).context("could not read it")?;
    // Doing it twice must change nothing: what has come out of here is known by its digest.
    let made_here = |wasm: &[u8]| format!("{}.made", sha256(wasm));
    if shelf.get(&made_here(&before)).is_some() {
        return Ok(());
    }
    let key = key(&before);
    if let Some(after) = shelf.get(&key) {
        println!("wasm-opt: {name} has not changed; its optimised form is in the cache");
        // Touched together, or the mark could be forgotten before what it marks.
        shelf.put(&made_here(&after), b"")?;
        return std::fs::write(path, after).context("could not write it");
    }
    let mut command = binaryen::ensure()?;
    println!(
        "wasm-opt: optimising {name}, {:.1} MB, for size; this takes some minutes, once for each change",
        before.len() as f64 / 1e6
    );
    let started = Instant::now();
    let output = scratch()?;
    command.args(FLAGS).arg(path).arg("-o").arg(&output);
    process::run_ok(command, LIMIT)?;
    let after = std::fs::read(&output).context("wasm-opt has written nothing")?;
    std::fs::remove_file(&output).context("could not remove wasm-opt's output")?;
    println!("wasm-opt: {name} is {:.1} MB now; {:.0} s", after.len() as f64 / 1e6, started.elapsed().as_secs_f64());
    shelf.put(&key, &after)?;
    shelf.put(&made_here(&after), b"")?;
    std::fs::write(path, after).context("could not write it")
}

fn key(wasm: &[u8]) -> String {
    let recipe = format!("{} {} {}", binaryen::VERSION, FLAGS.join(" "), sha256(wasm));
    format!("{}.wasm", sha256(recipe.as_bytes()))
}

fn scratch() -> Result<PathBuf> {
    let name = format!("wasm-opt-{}.wasm", std::process::id());
    Ok(workspace::cache()?.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_module_is_another_key() {
        assert_ne!(key(b"a"), key(b"b"));
        assert_eq!(key(b"a"), key(b"a"));
    }

    #[test]
    fn features_are_named() {
        assert!(!FLAGS.contains(&"--all-features"));
    }
}
