//! Node.js and npm: they run wasm-opt and the browser tests. They are asked for, not installed.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};

use super::version_of;
use crate::process;

/// The oldest version that everything here runs on.
const OLDEST: (u32, u32) = (20, 19);
const LIMIT: Duration = Duration::from_secs(10 * 60);
const FIX: &str = "Fix: install Node.js 20.19 or newer with npm (https://nodejs.org, or your system's packages)";

/// Sees that Node.js is there and not too old; returns its version.
pub fn ensure() -> Result<String> {
    let Some(version) = version_of(Path::new("node")) else {
        bail!("`node --version` does not work. {FIX}");
    };
    ensure!(new_enough(&version), "Node.js is {version}, which is too old. {FIX}");
    Ok(version)
}

fn new_enough(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= OLDEST
}

/// Installs what `package-lock.json` names if that has not been done since the file was written.
pub fn ensure_packages(directory: &Path) -> Result<()> {
    let lock = directory.join("package-lock.json");
    let wanted = modified(&lock).with_context(|| format!("{} is missing, and with it the tests", lock.display()))?;
    // npm writes this file when it has finished.
    let installed = directory.join("node_modules").join(".package-lock.json");
    if modified(&installed).is_some_and(|done| done >= wanted) {
        return Ok(());
    }
    let mut command = process::npm();
    command.current_dir(directory);
    command.args(["ci", "--no-audit", "--no-fund"]);
    println!(
        "the npm packages of {} are missing or not those of package-lock.json. The tests in the browser use them.",
        directory.display()
    );
    println!("    installing them: {}", process::typed(&command));
    process::run_ok(command, LIMIT)
        .with_context(|| format!("Fix: see npm's error above, then run `npm ci` in {}", directory.display()))?;
    Ok(())
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_are_told_from_new_ones() {
        assert!(new_enough("20.19.0") && new_enough("22.1.0") && new_enough("20.20.2"));
        assert!(!new_enough("18.20.0") && !new_enough("20.18.9") && !new_enough("junk"));
    }
}
