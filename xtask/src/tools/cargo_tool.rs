//! Trunk and wasm-bindgen's command-line tool: programs that `cargo install` builds, each at one exact version.
//!
//! They go where `cargo install` puts everything, so that plain `trunk serve` works afterwards. If another version is
//! already there, somebody else needs it: then ours goes into our cache, and only what we start finds it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{announce, on_path, program_file, version_of};
use crate::{process, workspace};

const LIMIT: Duration = Duration::from_secs(45 * 60);

/// Built to be there soon: each is run a few times a day, and most of its time is spent waiting for rustc.
const BUILD_QUICKLY: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

/// A program that comes from a crate.
pub struct CargoTool {
    /// The crate.
    package: &'static str,
    /// The program it installs.
    program: &'static str,
    version: String,
    why: &'static str,
}

impl fmt::Display for CargoTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.program, self.version)
    }
}

/// Trunk puts the site together, serves it and watches for changes. `Trunk.toml` says the same version.
pub fn trunk() -> CargoTool {
    CargoTool {
        package: "trunk",
        program: "trunk",
        version: "0.21.14".to_owned(),
        why: "It builds the demos, puts the site together, serves it and watches for changes.",
    }
}

/// The other half of the `wasm-bindgen` crate: the lock file says which version.
pub fn wasm_bindgen() -> Result<CargoTool> {
    Ok(CargoTool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: workspace::wasm_bindgen_version()?,
        why: "It writes the JavaScript between the page and the wasm, and must have the version of the crate in Cargo.lock.",
    })
}

/// Where a tool is.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Its directory, if PATH does not lead there.
    pub not_on_path: Option<PathBuf>,
}

/// What there is of a tool.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Right(Place),
    /// Another version, for somebody else.
    Other(PathBuf, String),
    Nothing,
}

impl CargoTool {
    /// Finds the tool, or installs it.
    pub fn ensure(&self) -> Result<Place> {
        match self.find()? {
            Found::Right(place) => return Ok(place),
            Found::Other(file, version) => {
                println!("{} is version {version} and stays as it is; ours goes into the cache.", file.display());
                self.install(Some(self.own_root()?))?;
            }
            Found::Nothing => self.install(None)?,
        }
        match self.find()? {
            Found::Right(place) => Ok(place),
            found => bail!(
                "cargo install has succeeded, but {self} is not found afterwards ({found:?}). Fix: see where it was \
                 installed to, and put that directory on PATH"
            ),
        }
    }

    /// The directory for a version of our own, apart from what the user has.
    fn own_root(&self) -> Result<PathBuf> {
        let name = format!("{}-{}", self.package, self.version);
        Ok(workspace::cache()?.join("tools").join(name))
    }

    fn find(&self) -> Result<Found> {
        let file = program_file(self.program);
        let own = self.own_root()?.join("bin");
        let installed = workspace::cargo_bin()?;
        let candidates =
            [(on_path(self.program), None), (Some(own.join(&file)), Some(own)), (Some(installed.join(&file)), Some(installed))];
        Ok(choose(candidates, &self.version, version_of))
    }

    fn install(&self, root: Option<PathBuf>) -> Result<()> {
        let locked = self.install_command(root.as_deref(), true)?;
        announce(&self.to_string(), self.why, &locked);
        println!("    this compiles it, which takes a few minutes, once");
        if let Err(error) = process::run_ok(locked, LIMIT) {
            let unlocked = self.install_command(root.as_deref(), false)?;
            println!("{error:#}.");
            println!(
                "    The versions it was released with may not all be available. With those that are: {}",
                process::typed(&unlocked)
            );
            let again = process::typed(&unlocked);
            process::run_ok(unlocked, LIMIT)
                .with_context(|| format!("Fix: see the error above, then run `{again}` by hand and start over"))?;
        }
        // What was compiled on the way; the program itself is elsewhere.
        let build = self.build_directory()?;
        if build.exists()
            && let Err(error) = std::fs::remove_dir_all(&build)
        {
            println!("    could not remove {}: {error}", build.display());
        }
        Ok(())
    }

    /// Kept until the installation has succeeded, so that one that was interrupted goes on where it was.
    fn build_directory(&self) -> Result<PathBuf> {
        Ok(workspace::cache()?.join("tools").join("build").join(self.package))
    }

    fn install_command(&self, root: Option<&Path>, locked: bool) -> Result<Command> {
        let mut command = process::command("cargo");
        command.args(["install", self.package, "--version", &self.version]);
        command.args(["--bin", self.program]);
        if locked {
            command.arg("--locked");
        }
        if let Some(root) = root {
            command.arg("--root").arg(root);
        }
        // What is set for this project's own builds is not meant for this one.
        for name in ["CARGO_BUILD_TARGET", "CARGO_BUILD_TARGET_DIR", "CARGO_INSTALL_ROOT"] {
            command.env_remove(name);
        }
        command.env("CARGO_TARGET_DIR", self.build_directory()?);
        command.envs(BUILD_QUICKLY);
        Ok(command)
    }
}

/// Of the files that may be the tool, in the order in which they would be used, the first with the right version.
fn choose(
    candidates: impl IntoIterator<Item = (Option<PathBuf>, Option<PathBuf>)>,
    version: &str,
    version_of: impl Fn(&Path) -> Option<String>,
) -> Found {
    let mut other = None;
    for (file, not_on_path) in candidates {
        let Some(file) = file else { continue };
        match version_of(&file) {
            Some(found) if found == version => return Found::Right(Place { not_on_path }),
            Some(found) => other = other.or(Some((file, found))),
            None => {}
        }
    }
    match other {
        Some((file, version)) => Found::Other(file, version),
        None => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_out(on_path: Option<&str>, own: Option<&str>, installed: Option<&str>) -> Found {
        let versions = [on_path, own, installed];
        let candidates = ["path", "own", "installed"].into_iter().enumerate().map(|(i, name)| {
            let directory = (i > 0).then(|| PathBuf::from(name));
            (Some(PathBuf::from(name)), directory)
        });
        choose(candidates, "1.2.3", |file| {
            let names = ["path", "own", "installed"];
            let i = names.iter().position(|name| Path::new(name) == file)?;
            versions[i].map(str::to_owned)
        })
    }

    #[test]
    fn the_users_own_is_used_if_it_is_right() {
        let place = |directory: Option<&str>| Found::Right(Place { not_on_path: directory.map(PathBuf::from) });
        assert_eq!(try_out(Some("1.2.3"), Some("1.2.3"), None), place(None));
        assert_eq!(try_out(Some("1.2.2"), Some("1.2.3"), None), place(Some("own")));
        assert_eq!(try_out(None, None, Some("1.2.3")), place(Some("installed")));
    }

    #[test]
    fn another_version_is_not_nothing() {
        let other = Found::Other("path".into(), "1.2.2".into());
        assert_eq!(try_out(Some("1.2.2"), None, Some("1.2.1")), other);
        assert_eq!(try_out(None, None, None), Found::Nothing);
    }

    #[test]
    fn trunk_toml_says_the_same_version() {
        let file = workspace::root().join("Trunk.toml");
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&format!("\"={}\"", trunk().version)));
    }
}
