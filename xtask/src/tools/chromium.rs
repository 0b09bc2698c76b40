//! A browser for the tests: the one that `CHROMIUM` names, one that is there, or Debian's.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::on_path;
use crate::process;

const LIMIT: Duration = Duration::from_secs(20 * 60);
const FIX: &str = "Fix: install Chromium or Chrome, or set CHROMIUM to the program's path";

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The browser's program.
pub fn ensure() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        ensure!(named.is_file(), "CHROMIUM is {}, and there is no such file. {FIX}", named.display());
        return Ok(named);
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    install_on_debian()?;
    match find() {
        Some(found) => Ok(found),
        None => bail!("apt-get has succeeded, but there is no browser on PATH. {FIX}"),
    }
}

fn find() -> Option<PathBuf> {
    let usual = usual_places().into_iter().find(|file| file.is_file());
    NAMES.iter().find_map(|name| on_path(name)).or(usual)
}

/// Where browsers are on systems that do not put them on PATH.
fn usual_places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> =
        ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"]
            .map(PathBuf::from)
            .into();
    for variable in ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"] {
        if let Some(directory) = std::env::var_os(variable) {
            let application = Path::new("Google").join("Chrome").join("Application");
            places.push(Path::new(&directory).join(application).join("chrome.exe"));
        }
    }
    places
}

fn install_on_debian() -> Result<()> {
    if on_path("apt-get").is_none() {
        bail!("there is no Chromium or Chrome here. {FIX}");
    }
    let Some(prefix) = root_prefix() else {
        bail!(
            "there is no Chromium or Chrome here, and installing Debian's needs root. \
             Fix: run `sudo apt-get install chromium`, or set CHROMIUM to a browser's path"
        );
    };
    let apt = |arguments: &[&str]| {
        let mut words = prefix.iter().copied().chain(["apt-get"]).chain(arguments.iter().copied());
        let mut command = process::command(words.next().unwrap_or("apt-get"));
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let install = apt(&["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]);
    super::announce("Chromium", "The pages are tested in a real browser, with a font to draw their text.", &install);
    let installed = process::run_ok(apt(&["update", "-q"]), LIMIT).and_then(|()| process::run_ok(install, LIMIT));
    if let Err(error) = installed {
        bail!("{error:#}. {FIX}");
    }
    Ok(())
}

/// What to put before a command so that it runs as root, if that is possible without asking for a password.
fn root_prefix() -> Option<&'static [&'static str]> {
    let answer = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments);
        process::ask(command)
    };
    if answer("id", &["-u"]).as_deref() == Some("0") {
        return Some(&[]);
    }
    answer("sudo", &["-n", "true"]).map(|_| &["sudo", "-n"] as &[&str])
}
