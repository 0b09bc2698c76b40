//! What rustup provides: the target for the browser, and the components that check the code.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::announce;
use crate::process;

/// What the browser runs.
const TARGET: &str = "wasm32-unknown-unknown";
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The standard library for the browser.
pub fn ensure_wasm_target() -> Result<()> {
    if has_target() {
        return Ok(());
    }
    let mut add = process::command("rustup");
    add.args(["target", "add", TARGET]);
    announce(TARGET, "It is the standard library for the browser; the demos are built for it.", &add);
    if let Err(error) = process::run_ok(add, LIMIT) {
        bail!(
            "{error:#}. Fix: install rustup (https://rustup.rs) and run `rustup target add {TARGET}` in this directory, or \
             install the target the way this Rust was installed (Debian: the package libstd-rust-dev-wasm32)"
        );
    }
    if !has_target() {
        bail!("rustup has added {TARGET}, but rustc does not find it: is rustc on PATH rustup's?");
    }
    Ok(())
}

fn has_target() -> bool {
    let mut command = process::command("rustc");
    command.args(["--print", "target-libdir", "--target", TARGET]);
    process::ask(command).is_some_and(|directory| Path::new(&directory).is_dir())
}

/// `cargo fmt` and `cargo clippy`.
pub fn ensure_components() -> Result<()> {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let mut asked = process::command("cargo");
        asked.args([subcommand, "--version"]);
        if process::ask(asked).is_some() {
            continue;
        }
        let mut add = process::command("rustup");
        add.args(["component", "add", component]);
        announce(component, "The tests check the code with it.", &add);
        if let Err(error) = process::run_ok(add, LIMIT) {
            bail!("{error:#}. Fix: make `cargo {subcommand} --version` work in this directory");
        }
    }
    Ok(())
}
