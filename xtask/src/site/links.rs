//! Whether the site works wherever it is put: every address relative, nothing loaded from elsewhere, nothing missing.
//!
//! A site on `host/some/repo/` breaks on the first address that starts with `/`, and nobody sees it on localhost. So every
//! page, style sheet and script is read and every address in it resolved.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::references::{self, Target, Use};

/// What hosts show where there is nothing.
const NOT_FOUND: &str = "404.html";

/// What is wrong, one sentence each; empty if nothing is.
pub fn problems(site: &Path) -> Result<Vec<String>> {
    let files = super::files_below(site)?;
    let known: HashSet<&str> = files.iter().map(String::as_str).collect();
    let mut problems = Vec::new();
    for name in &files {
        if !super::has_extension(name, &["html", "css", "js", "mjs"]) {
            continue;
        }
        let text = super::text(site, name)?;
        for reference in references::of_file(name, &text) {
            let target = references::resolve(name, &reference.url);
            if let Some(problem) = problem(reference.kind, &target, name, &known) {
                problems.push(format!("{name}: `{}` {problem}", reference.url));
            }
        }
        if super::has_extension(name, &["html"]) && super::html::tags(&text).iter().any(|t| t.name == "base") {
            problems.push(format!("{name}: `<base>` makes every other address mean something else"));
        }
    }
    Ok(problems)
}

fn problem(kind: Use, target: &Target, from: &str, known: &HashSet<&str>) -> Option<String> {
    match (kind, target) {
        (Use::Perhaps, _) | (_, Target::Data | Target::Itself) => None,
        (Use::Follow, Target::Elsewhere) => None,
        (Use::Load | Use::Import, Target::Elsewhere) => {
            Some("is loaded from elsewhere; the site asks nobody but its own host".into())
        }
        (_, Target::Rooted) => Some("works only at the root of a host; write it relative".into()),
        // Shown at whatever address is missing, at any depth: its links climb.
        (Use::Follow, Target::Above) if from == NOT_FOUND => None,
        (_, Target::Above) => Some("leads out of the site".into()),
        (_, Target::Inside(path)) => {
            let page = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.clone() };
            // What a script loads is relative to the script for some calls and to the page for others: nothing is certain
            // but its imports.
            let uncertain = kind == Use::Load && super::has_extension(from, &["js", "mjs"]);
            if known.contains(page.as_str()) || uncertain {
                None
            } else if known.contains(format!("{path}/index.html").as_str()) {
                Some("is a directory; end it with `/`".into())
            } else {
                Some("is not there".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(kind: Use, from: &str, url: &str) -> Option<String> {
        let known = HashSet::from(["index.html", "notes/a.html", "demos/a/index.html", "styles/a.css"]);
        problem(kind, &references::resolve(from, url), from, &known)
    }

    #[test]
    fn what_works_anywhere_is_fine() {
        for (kind, from, url) in [
            (Use::Load, "index.html", "styles/a.css"),
            (Use::Load, "notes/a.html", "../styles/a.css?v"),
            (Use::Follow, "notes/a.html", "../demos/a/"),
            (Use::Follow, "notes/a.html", "../#top"),
            (Use::Follow, "notes/a.html", "#here"),
            (Use::Follow, "index.html", "https://example.org/"),
            (Use::Follow, "404.html", "../"),
            (Use::Load, "index.html", "data:image/png;base64,"),
            (Use::Perhaps, "index.html", "/anything"),
            (Use::Load, "scripts/a.js", "relative-to-the-page.json"),
            (Use::Import, "scripts/a.js", "../styles/a.css"),
        ] {
            assert_eq!(judge(kind, from, url), None, "{url} in {from}");
        }
    }

    #[test]
    fn what_does_not_is_a_problem() {
        for (kind, from, url) in [
            (Use::Load, "index.html", "/styles/a.css"),
            (Use::Load, "scripts/a.js", "/pkg/a.js"),
            (Use::Load, "index.html", "https://example.org/a.js"),
            (Use::Load, "index.html", "//example.org/a.js"),
            (Use::Import, "scripts/a.js", "./b.js"),
            (Use::Import, "scripts/a.js", "bare"),
            (Use::Follow, "notes/a.html", "../../"),
            (Use::Follow, "notes/a.html", "b.html"),
            (Use::Follow, "index.html", "demos/a"),
        ] {
            assert!(judge(kind, from, url).is_some(), "{url} in {from}");
        }
    }
}
