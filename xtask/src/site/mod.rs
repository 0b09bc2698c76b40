//! Understanding a site that has been put together: what its pages refer to, whether that is there, and what it weighs.
//!
//! Used on `dist/` by `cargo xtask build` and by the `pages` stage of `cargo xtask test`.

pub mod budget;
pub mod html;
pub mod links;
mod references;
mod script;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Every file below a directory, relative to it, with `/` between the names, in order.
pub fn files_below(directory: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut todo = vec![(directory.to_owned(), String::new())];
    while let Some((path, prefix)) = todo.pop() {
        let entries = std::fs::read_dir(&path).with_context(|| format!("could not read the directory {}", path.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("could not read {}", path.display()))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                todo.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A file by its name relative to the site.
pub fn file(site: &Path, name: &str) -> PathBuf {
    name.split('/').fold(site.to_owned(), |path, part| path.join(part))
}

/// A file's text, with what is not UTF-8 replaced.
pub fn text(site: &Path, name: &str) -> Result<String> {
    let path = file(site, name);
    let bytes = std::fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a name ends so, whatever its case.
pub fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = name.rsplit('/').next().and_then(|last| last.rsplit_once('.'));
    extension.is_some_and(|(_, e)| extensions.iter().any(|x| x.eq_ignore_ascii_case(e)))
}
