//! Where things are: the repository, Cargo's target directory, our cache, and what `Cargo.lock` and `Cargo.toml` say.
//!
//! Every other module asks here, so that `CARGO_TARGET_DIR` and `XDG_CACHE_HOME` are honoured everywhere or nowhere.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The repository's root: the directory above this crate.
///
/// Cargo says at run time where that is. What it said at build time is only for a program that was started without Cargo: two clones
/// may share a target directory, and then share this program.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_owned)
}

/// Ours outside the clone: tools of the wrong version for others, and results that are slow to get again.
pub fn cache() -> Result<PathBuf> {
    let base = match (std::env::var_os("XDG_CACHE_HOME"), std::env::home_dir()) {
        (Some(cache), _) if !cache.is_empty() => PathBuf::from(cache),
        _ if cfg!(windows) && std::env::var_os("LOCALAPPDATA").is_some() => {
            PathBuf::from(std::env::var_os("LOCALAPPDATA").unwrap_or_default())
        }
        (_, Some(home)) => home.join(".cache"),
        _ => bail!("no home directory: set XDG_CACHE_HOME to a directory that can be written"),
    };
    Ok(base.join("wetmap-and-ocean"))
}

/// Where `cargo install` puts programs: plain `trunk serve` finds them there afterwards.
pub fn cargo_bin() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    let home = match home {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir().context("no home directory: set CARGO_HOME")?.join(".cargo"),
    };
    Ok(home.join("bin"))
}

/// What `cargo metadata` says about this workspace.
pub struct Metadata(Value);

/// A benchmark that some package of the workspace has.
#[derive(Debug, PartialEq, Eq)]
pub struct Bench {
    /// Its name, `cargo bench --bench NAME`.
    pub name: String,
    /// The package it is in.
    pub package: String,
    /// The features of that package.
    pub features: Vec<String>,
}

impl Metadata {
    /// Asks Cargo.
    pub fn load() -> Result<Self> {
        let output = Command::new("cargo")
            .args(["metadata", "--format-version=1", "--no-deps"])
            .current_dir(root())
            .output()
            .context("could not start cargo: is it on PATH?")?;
        ensure!(
            output.status.success(),
            "cargo metadata failed; fix the workspace first:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let json = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
        Ok(Self(json))
    }

    /// Where Cargo puts what it builds, whatever chose it.
    pub fn target(&self) -> Result<PathBuf> {
        let target = self.0["target_directory"].as_str();
        Ok(target.context("cargo metadata names no target_directory")?.into())
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.0["packages"].as_array().into_iter().flatten()
    }

    /// The packages that are built for the browser: every demo, and the glue they share.
    pub fn web_packages(&self) -> Vec<String> {
        let demos = root().join("demos");
        let for_web = |package: &&Value| {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            manifest.starts_with(&demos) || manifest == root().join("web").join("Cargo.toml")
        };
        self.packages().filter(for_web).filter_map(|package| package["name"].as_str().map(str::to_owned)).collect()
    }

    /// Every benchmark of the workspace.
    pub fn benches(&self) -> Vec<Bench> {
        let mut found = Vec::new();
        for package in self.packages() {
            let features = package["features"].as_object();
            let features: Vec<String> = features.map(|all| all.keys().cloned().collect()).unwrap_or_default();
            for target in package["targets"].as_array().into_iter().flatten() {
                if target["kind"][0] == "bench" {
                    found.push(Bench {
                        name: target["name"].as_str().unwrap_or_default().to_owned(),
                        package: package["name"].as_str().unwrap_or_default().to_owned(),
                        features: features.clone(),
                    });
                }
            }
        }
        found
    }
}

/// The version of `wasm-bindgen` in `Cargo.lock`. The command-line tool must be the same to the digit.
pub fn wasm_bindgen_version() -> Result<String> {
    let path = root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    locked_version(&lock, "wasm-bindgen")
        .with_context(|| format!("{} has no package wasm-bindgen: run `cargo check -p web` and commit it", path.display()))
}

/// The version of a package in the text of a `Cargo.lock`.
fn locked_version(lock: &str, name: &str) -> Option<String> {
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines();
    lines.find(|line| line.trim() == wanted)?;
    let version = lines.next()?.trim().strip_prefix("version = \"")?;
    Some(version.strip_suffix('"')?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn this_workspace_is_found() {
        assert!(root().join("Cargo.toml").is_file());
        assert!(wasm_bindgen_version().is_ok());
    }
}
