//! Reloading while serving, on every page and under our Content-Security-Policy.
//!
//! Trunk puts an inline script into `index.html` alone; our pages forbid inline scripts, and there is more than one of
//! them. So that script is replaced by a module that every page loads and that talks to the same web socket. A site that
//! is built rather than served has neither.

use std::path::Path;

use anyhow::{Context, Result};

use crate::site;

const MODULE: &str = include_str!("live-reload.js");
const NAME: &str = "scripts/live-reload.js";
/// What Trunk's script contains, and nothing else: the server replaces it.
const MARK: &str = "{{__TRUNK_ADDRESS__}}";

/// Replaces Trunk's script, if there is one; returns whether the site is being served.
pub fn install(directory: &Path) -> Result<bool> {
    let index = site::text(directory, "index.html")?;
    let without = without_inline_script(&index);
    // The second time round the script is gone, but ours is there.
    let serving = without.is_some() || site::file(directory, NAME).is_file();
    if !serving {
        return Ok(false);
    }
    if let Some(without) = without {
        write(directory, "index.html", &without)?;
    }
    write(directory, NAME, MODULE)?;
    for page in site::files_below(directory)? {
        if site::has_extension(&page, &["html"]) {
            let text = site::text(directory, &page)?;
            if allows_scripts(&text)
                && let Some(with) = with_module(&page, &text)
            {
                write(directory, &page, &with)?;
            }
        }
    }
    Ok(true)
}

fn write(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = site::file(directory, name);
    let parent = path.parent().unwrap_or(directory);
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(&path, text))
        .with_context(|| format!("could not write {}", path.display()))
}

/// The page without Trunk's script; nothing if it has none.
fn without_inline_script(html: &str) -> Option<String> {
    let tags = site::html::tags(html);
    let script = tags.iter().find(|tag| tag.name == "script" && tag.text.contains(MARK))?;
    let place = script.place.clone();
    Some(format!("{}{}", &html[..place.start], &html[place.end..]))
}

/// Whether the page's own policy, if it has one, lets it run scripts of this site: one that has none needs no script of ours.
fn allows_scripts(html: &str) -> bool {
    let tags = site::html::tags(html);
    let is_policy = |tag: &&site::html::Tag| {
        let equivalent = tag.attribute("http-equiv").unwrap_or_default();
        tag.name == "meta" && equivalent.eq_ignore_ascii_case("content-security-policy")
    };
    let Some(policy) = tags.iter().find(is_policy) else {
        return true;
    };
    let directives = policy.attribute("content").unwrap_or_default().split(';');
    let find = |name: &str| {
        let mut named = directives.clone().map(str::split_whitespace);
        named.find_map(|mut words| (words.next() == Some(name)).then_some(words))
    };
    match find("script-src").or(find("default-src")) {
        Some(mut sources) => sources.any(|source| source == "'self'"),
        None => true,
    }
}

/// The page with our module at the end of its body; nothing if it has it already.
fn with_module(page: &str, html: &str) -> Option<String> {
    if html.contains("live-reload.js") {
        return None;
    }
    let up = "../".repeat(page.matches('/').count());
    let script = format!("<script type=\"module\" src=\"{up}{NAME}\"></script>\n");
    let end = html.to_ascii_lowercase().rfind("</body").unwrap_or(html.len());
    Some(format!("{}{script}{}", &html[..end], &html[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunks_script_goes_and_others_stay() {
        let page = "<body><script src=a.js></script><script>\"use strict\"; x = '{{__TRUNK_ADDRESS__}}' < 1;</script></body>";
        let expected = "<body><script src=a.js></script></body>";
        assert_eq!(without_inline_script(page).as_deref(), Some(expected));
        assert_eq!(without_inline_script(expected), None);
    }

    #[test]
    fn a_page_without_scripts_stays_without() {
        let page = |policy| format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
        assert!(allows_scripts("<p>"));
        assert!(allows_scripts(&page("default-src 'none'; script-src 'self'")));
        assert!(allows_scripts(&page("default-src 'self'; style-src 'none'")));
        assert!(!allows_scripts(&page("default-src 'none'; style-src 'self'")));
        assert!(!allows_scripts(&page("default-src 'self'; script-src 'none'")));
    }

    #[test]
    fn our_module_is_found_from_every_depth() {
        let with = with_module("index.html", "<body>x</BODY></html>").unwrap();
        let expected = "<body>x<script type=\"module\" src=\"scripts/live-reload.js\"></script>\n</BODY></html>";
        assert_eq!(with, expected);
        assert_eq!(with_module("index.html", &with), None);
        let deep = with_module("demos/a/index.html", "no body").unwrap();
        assert!(deep.ends_with("src=\"../../scripts/live-reload.js\"></script>\n"));
    }
}
