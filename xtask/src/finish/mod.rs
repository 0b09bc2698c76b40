//! The last step of every `trunk build` and `trunk serve`, as Trunk's `post_build` hook (see `Trunk.toml`).
//!
//! Trunk has put the site together in its staging directory and will move it into place when this has succeeded. What is
//! left to do: reloading without an inline script (while serving), optimising and compressing (for what is deployed), and
//! saying in `pkg/manifest.json` how long each file is and what its digest is. Doing it twice changes nothing.

mod compress;
mod kept;
mod live_reload;
mod manifest;
mod wasm_opt;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// What Trunk is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Situation {
    /// `--release`.
    release: bool,
    /// `trunk serve`, with automatic reloading.
    serving: bool,
}

/// Finishes the site in the directory that Trunk names.
pub fn run() -> Result<bool> {
    let site = std::env::var_os("TRUNK_STAGING_DIR").context(
        "`finish` is what Trunk runs at the end of a build, and TRUNK_STAGING_DIR is not set: \
         run `trunk build` or `cargo xtask build`",
    )?;
    let release = std::env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    finish(&PathBuf::from(site), release)?;
    Ok(true)
}

fn finish(site: &Path, release: bool) -> Result<()> {
    remove_junk(site)?;
    tidy_index(site)?;
    let serving = live_reload::install(site)?;
    let situation = Situation { release, serving };
    if for_deployment(situation) {
        wasm_opt::optimise_all(&site.join("pkg"))?;
    }
    manifest::write(&site.join("pkg"))?;
    if for_deployment(situation) {
        compress::compress_all(site)?;
    }
    Ok(())
}

/// Whether the minutes of optimising and compressing are worth it.
fn for_deployment(situation: Situation) -> bool {
    situation.release && !situation.serving
}

/// Removes the lines of spaces that Trunk leaves where its links were: validators dislike them.
fn tidy_index(site: &Path) -> Result<()> {
    let path = site.join("index.html");
    let html = std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let tidy = without_lines_of_spaces(&html);
    if tidy != html {
        std::fs::write(&path, tidy).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn without_lines_of_spaces(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.trim().is_empty() || !line.starts_with([' ', '\t'])).collect()
}

/// Removes what systems and editors leave in directories that Trunk copies whole.
fn remove_junk(site: &Path) -> Result<()> {
    for name in crate::site::files_below(site)? {
        if is_junk(&name) {
            let path = crate::site::file(site, &name);
            std::fs::remove_file(&path).with_context(|| format!("could not remove {}", path.display()))?;
        }
    }
    Ok(())
}

fn is_junk(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    ["Thumbs.db", "desktop.ini", ".gitkeep"].contains(&name)
        || name.starts_with(".DS_Store")
        || name.starts_with("._")
        || name.ends_with('~')
        || name.starts_with(".#")
        || crate::site::has_extension(name, &["orig", "rej", "swp", "swo", "bak"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_told_from_files() {
        for junk in [".gitkeep", ".DS_Store", "a/Thumbs.db", "b/index.html~", "c.js.orig", ".main.css.swp", "._x.png"] {
            assert!(is_junk(junk), "{junk}");
        }
        for file in ["index.html", ".nojekyll", "a/swp.js", "original.png"] {
            assert!(!is_junk(file), "{file}");
        }
    }

    #[test]
    fn only_lines_of_spaces_go() {
        let text = "<p>\n  \n\t\r\n\n  x\n</p>  ";
        assert_eq!(without_lines_of_spaces(text), "<p>\n\n  x\n</p>  ");
    }

    #[test]
    fn twice_is_once() {
        let site = std::env::temp_dir().join(format!("xtask-finish-{}", std::process::id()));
        let page = "<!doctype html><body><p>x</p><script>a='{{__TRUNK_ADDRESS__}}'</script></body>";
        std::fs::create_dir_all(site.join("pkg")).unwrap();
        std::fs::create_dir_all(site.join("demos/a")).unwrap();
        std::fs::write(site.join("index.html"), page).unwrap();
        std::fs::write(site.join("demos/a/index.html"), "<body></body>").unwrap();
        std::fs::write(site.join("pkg/a.js"), "export default 1").unwrap();
        std::fs::write(site.join("junk~"), "").unwrap();
        let read_all = || {
            let names = crate::site::files_below(&site).unwrap();
            let read = |name: String| (std::fs::read(site.join(&name)).unwrap(), name);
            names.into_iter().map(read).collect::<Vec<_>>()
        };
        finish(&site, false).unwrap();
        let once = read_all();
        finish(&site, false).unwrap();
        let twice = read_all();
        let index = std::fs::read_to_string(site.join("index.html")).unwrap();
        std::fs::remove_dir_all(&site).unwrap();
        assert_eq!(once, twice);
        assert!(!index.contains("__TRUNK_ADDRESS__"));
        let names: Vec<_> = once.iter().map(|(_, name)| name.as_str()).collect();
        let expected = ["demos/a/index.html", "index.html", "pkg/a.js", "pkg/manifest.json", "scripts/live-reload.js"];
        assert_eq!(names, expected);
    }
}
