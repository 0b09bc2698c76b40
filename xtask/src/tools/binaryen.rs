//! wasm-opt, from npm's `binaryen`: it makes what is deployed a third smaller.
//!
//! npm's build runs anywhere Node.js does, where distributions carry versions too old for today's wasm. It is
//! single-threaded; a `wasm-opt` of the same version on PATH is preferred.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{announce, node, on_path, version_of};
use crate::{process, workspace};

/// The version, as `wasm-opt --version` and npm say it.
pub const VERSION: &str = "132";
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// wasm-opt, ready to be given arguments.
pub fn ensure() -> Result<Command> {
    if let Some(program) = on_path("wasm-opt")
        && version_of(&program).as_deref() == Some(VERSION)
    {
        return Ok(process::command(program));
    }
    node::ensure()?;
    let script = script()?;
    if !script.is_file() {
        install()?;
    }
    let mut command = process::command("node");
    command.arg(script);
    Ok(command)
}

fn directory() -> Result<PathBuf> {
    Ok(workspace::cache()?.join("tools").join(format!("binaryen-{VERSION}")))
}

fn script() -> Result<PathBuf> {
    let package = directory()?.join("node_modules").join("binaryen");
    Ok(package.join("bin").join("wasm-opt"))
}

fn install() -> Result<()> {
    let directory = directory()?;
    std::fs::create_dir_all(&directory).with_context(|| format!("could not create {}", directory.display()))?;
    let mut command = process::npm();
    command.args(["install", "--no-audit", "--no-fund", "--prefix"]);
    command.arg(&directory).arg(format!("binaryen@{VERSION}.0.0"));
    announce(&format!("wasm-opt {VERSION}"), "It makes the deployed wasm a third smaller.", &command);
    process::run_ok(command, LIMIT)
        .context("Fix: see npm's error above; where npm cannot install, put wasm-opt of this version on PATH")
}
