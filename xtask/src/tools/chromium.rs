//! A browser for the tests: the one that `CHROMIUM` names, one that is there, or Debian's.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::{debian, on_path};

const FIX: &str = "Fix: install Chromium or Chrome, or set CHROMIUM to the program's path";

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The browser's program, installed if need be.
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

/// The browser's program, if there is one.
pub fn there() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").filter(|named| !named.is_empty()).map(PathBuf::from);
    named.map_or_else(find, |named| named.is_file().then_some(named))
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
    let why = "The pages are tested in a real browser, with a font to draw their text.";
    debian::install("Chromium", why, &["chromium", "fonts-dejavu-core"]).map_err(|error| error.context(FIX))
}
