//! What the commands need beyond Cargo, and how it gets there.
//!
//! Each tool says its version, why it is needed, how to see that it is there and how to install it. What is there is used;
//! what is missing is announced and installed, once; what cannot be installed is an error that names the fix.

pub mod binaryen;
mod cargo_tool;
pub mod chromium;
mod debian;
pub mod node;
mod rust;
mod vulkan;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// What somebody is about to do, and so what has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `cargo xtask serve`.
    Serve,
    /// `cargo xtask build`.
    Build,
    /// `cargo xtask test`.
    Test,
}

/// The tools that have been found or installed.
#[derive(Debug, Default)]
pub struct Tools {
    /// Directories that go before the user's own on the PATH of what we start.
    first: Vec<PathBuf>,
    /// The browser, where one was needed.
    pub chromium: Option<PathBuf>,
}

impl Tools {
    /// Sees to it that everything is there that the purpose needs.
    pub fn ensure(purpose: Purpose) -> Result<Self> {
        let mut tools = Self::default();
        let mut there = Vec::new();

        if purpose == Purpose::Test {
            rust::ensure_components().context("rustfmt and clippy")?;
        }
        rust::ensure_wasm_target().context("the wasm32-unknown-unknown target")?;
        there.push("wasm32 target".to_owned());

        for tool in [cargo_tool::trunk(), cargo_tool::wasm_bindgen()?] {
            let place = tool.ensure().with_context(|| tool.to_string())?;
            if let Some(directory) = place.not_on_path
                && !tools.first.contains(&directory)
            {
                tools.first.push(directory);
            }
            there.push(tool.to_string());
        }
        if purpose != Purpose::Serve {
            there.push(format!("Node.js {}", node::ensure().context("Node.js")?));
        }
        if purpose == Purpose::Build {
            binaryen::ensure().context("wasm-opt")?;
            there.push(format!("wasm-opt {}", binaryen::VERSION));
        }
        if purpose == Purpose::Test {
            node::ensure_packages(&crate::workspace::root().join("tests").join("browser"))
                .context("the npm packages of tests/browser")?;
            there.push("npm packages".to_owned());
            there.push(vulkan::ensure().context("a GPU to test on")?);
            let browser = chromium::ensure().context("a browser to test in")?;
            there.push(browser.display().to_string());
            tools.chromium = Some(browser);
        }
        println!("tools: {}", there.join(", "));
        Ok(tools)
    }

    /// Trunk, finding our tools first, quiet about newer versions of itself: the version is pinned.
    pub fn trunk(&self) -> Result<Command> {
        // Looked up here: a child's PATH is not where every system looks for the child itself.
        let program = self
            .first
            .iter()
            .map(|directory| directory.join(program_file("trunk")))
            .find(|file| file.is_file())
            .unwrap_or_else(|| "trunk".into());
        let mut command = process::command(program);
        if let Some(path) = self.path()? {
            command.env("PATH", path);
        }
        command.env("TRUNK_SKIP_VERSION_CHECK", "true");
        // Trunk understands only `true` and `false` here and stops at the usual `NO_COLOR=1`.
        if let Some(wanted) = std::env::var_os("NO_COLOR") {
            let plain = if wanted.is_empty() { "false" } else { "true" };
            command.env("NO_COLOR", plain);
        }
        Ok(command)
    }

    fn path(&self) -> Result<Option<OsString>> {
        if self.first.is_empty() {
            return Ok(None);
        }
        let own = std::env::var_os("PATH").unwrap_or_default();
        let all = self.first.iter().cloned().chain(std::env::split_paths(&own));
        let joined = std::env::join_paths(all).context("a directory on PATH has a bad name")?;
        Ok(Some(joined))
    }
}

/// Says that something is missing, why that matters and what is done about it.
fn announce(what: &str, why: &str, doing: &Command) {
    println!("{what} is missing. {why}");
    println!("    installing it: {}", process::typed(doing));
}

/// A program's file name on this system.
fn program_file(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The first file of this name on PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(program_file(name))).find(|file| file.is_file())
}

/// The version a program says it has: the first word after its name that starts with a digit, `v` apart.
fn version_of(program: &Path) -> Option<String> {
    let mut command = process::command(program);
    command.arg("--version");
    version_in(&process::ask(command)?)
}

fn version_in(text: &str) -> Option<String> {
    text.split_whitespace()
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        for (printed, version) in [
            ("trunk 0.21.14", "0.21.14"),
            ("wasm-bindgen 0.2.130 (f8ad49dd1)", "0.2.130"),
            ("wasm-opt version 132 (version_132)", "132"),
            ("v20.20.2", "20.20.2"),
        ] {
            assert_eq!(version_in(printed).as_deref(), Some(version));
        }
        assert_eq!(version_in("no number here"), None);
    }
}
