//! What a file of the site refers to, and where a reference leads.

use super::html::{self, Tag};
use super::script;

/// What a reference is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The visitor may follow it.
    Follow,
    /// The browser loads it.
    Load,
    /// A script imports it as a module: relative to the script, whatever page that is on.
    Import,
    /// It may be a file's name: a string in a script, or a `data-` attribute.
    Perhaps,
}

/// A reference as it is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Reference {
    /// What it is for.
    pub kind: Use,
    /// Relative to the file it is in, or not.
    pub url: String,
}

fn reference(kind: Use, url: impl Into<String>) -> Reference {
    let url: String = url.into();
    let url = url.trim().to_owned();
    Reference { kind, url }
}

/// The references of a file, by its kind.
pub fn of_file(name: &str, text: &str) -> Vec<Reference> {
    if super::has_extension(name, &["html"]) {
        html::tags(text).iter().flat_map(of_tag).collect()
    } else if super::has_extension(name, &["css"]) {
        of_css(text)
    } else if super::has_extension(name, &["js", "mjs"]) {
        of_script(text)
    } else {
        Vec::new()
    }
}

/// `rel` values of links that only a visitor, or nobody, follows.
const FOLLOWED: [&str; 8] = ["alternate", "author", "canonical", "help", "license", "me", "next", "prev"];

fn of_tag(tag: &Tag) -> Vec<Reference> {
    let mut found = Vec::new();
    for (name, value) in &tag.attributes {
        let kind = match (name.as_str(), tag.name.as_str()) {
            ("href", "a" | "area") | ("action" | "formaction" | "cite" | "ping", _) => Use::Follow,
            ("href", "link") => {
                let rel = tag.attribute("rel").unwrap_or_default().to_ascii_lowercase();
                let mut words = rel.split_whitespace();
                if words.any(|word| FOLLOWED.contains(&word)) { Use::Follow } else { Use::Load }
            }
            ("href" | "xlink:href" | "src" | "poster" | "background", _) | ("data", "object") => Use::Load,
            ("srcset" | "imagesrcset", _) => {
                let candidates = value.split(',').filter_map(|c| c.split_whitespace().next());
                found.extend(candidates.map(|url| reference(Use::Load, url)));
                continue;
            }
            ("style", _) => {
                found.extend(of_css(value));
                continue;
            }
            (name, _) if name.starts_with("data-") => Use::Perhaps,
            _ => continue,
        };
        found.push(reference(kind, value.as_str()));
    }
    match tag.name.as_str() {
        "style" => found.extend(of_css(&tag.text)),
        "script" => found.extend(of_script(&tag.text)),
        _ => {}
    }
    found
}

/// `url(…)` and `@import "…"`.
fn of_css(css: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut plain = String::new();
    let mut rest = css;
    while let Some(start) = rest.find("/*") {
        plain.push_str(&rest[..start]);
        let comment = &rest[start + 2..];
        rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
    }
    plain.push_str(rest);
    let unquoted = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    for part in plain.split("url(").skip(1) {
        if let Some((url, _)) = part.split_once(')') {
            found.push(reference(Use::Load, unquoted(url)));
        }
    }
    for part in plain.split("@import").skip(1) {
        let statement = part.split(';').next().unwrap_or_default();
        if let Some(quoted) = statement.trim().strip_prefix(['"', '\'']) {
            let url = quoted.split(['"', '\'']).next().unwrap_or_default();
            found.push(reference(Use::Load, url));
        }
    }
    found
}

/// What a script imports and loads, by the code before the string; every other string is only perhaps a name.
fn of_script(text: &str) -> Vec<Reference> {
    let kind = |before: &str| {
        let ends = |calls: &[&str]| calls.iter().any(|call| before.ends_with(call));
        if ends(&["from", "import", "import("]) {
            Use::Import
        } else if ends(&["fetch(", "newURL(", "Worker(", "importScripts("]) {
            Use::Load
        } else {
            Use::Perhaps
        }
    };
    let literals = script::literals(text).into_iter();
    literals.map(|literal| reference(kind(&literal.before), literal.text)).collect()
}

/// Where a reference leads.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// To this place in the site, without query and fragment; a directory ends with `/` or is empty.
    Inside(String),
    /// To another part of the same file.
    Itself,
    /// It carries its own data.
    Data,
    /// Above the site's root.
    Above,
    /// To this site, but only if it is at the root of its host.
    Rooted,
    /// Elsewhere: it names a scheme or a host.
    Elsewhere,
}

/// Resolves a reference in the file of that name.
pub fn resolve(from: &str, url: &str) -> Target {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |s: &str| s.len() > 1 && s.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match scheme {
        Some("data" | "blob") => return Target::Data,
        Some(scheme) if is_scheme(scheme) => return Target::Elsewhere,
        _ => {}
    }
    if path.starts_with("//") {
        return Target::Elsewhere;
    }
    if path.starts_with('/') {
        return Target::Rooted;
    }
    if path.is_empty() {
        return Target::Itself;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Target::Above;
                }
            }
            part => parts.push(part),
        }
    }
    let mut inside = parts.join("/");
    let directory = path.ends_with('/') || path.ends_with("..") || path == ".";
    if directory && !inside.is_empty() {
        inside.push('/');
    }
    Target::Inside(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_somewhere() {
        let inside = |path: &str| Target::Inside(path.to_owned());
        for (from, url, target) in [
            ("index.html", "notes/a.html#x", inside("notes/a.html")),
            ("demos/a/index.html", "../../pkg/a.js?v=1", inside("pkg/a.js")),
            ("demos/a/index.html", "../..", inside("")),
            ("demos/a/index.html", "../", inside("demos/")),
            ("demos/a/index.html", "./", inside("demos/a/")),
            ("index.html", "../up", Target::Above),
            ("index.html", "/styles/a.css", Target::Rooted),
            ("index.html", "//host/a", Target::Elsewhere),
            ("index.html", "https://host/a", Target::Elsewhere),
            ("index.html", "mailto:a@b", Target::Elsewhere),
            ("index.html", "#top", Target::Itself),
            ("index.html", "data:,", Target::Data),
        ] {
            assert_eq!(resolve(from, url), target, "{url} in {from}");
        }
    }

    #[test]
    fn pages_styles_and_scripts_refer() {
        let urls = |name: &str, text: &str| -> Vec<(Use, String)> {
            let found = of_file(name, text).into_iter();
            found.map(|r| (r.kind, r.url)).collect()
        };
        let page = r#"<link rel="stylesheet" href="a.css"><link rel="license" href="b"><a href="c"></a>
            <img srcset="d.png 1x, e.png 2x" style="background:url('f.png')" data-demo="g"><script>fetch("h")</script>"#;
        let expected = [
            (Use::Load, "a.css"),
            (Use::Follow, "b"),
            (Use::Follow, "c"),
            (Use::Load, "d.png"),
            (Use::Load, "e.png"),
            (Use::Load, "f.png"),
            (Use::Perhaps, "g"),
            (Use::Load, "h"),
        ];
        assert_eq!(urls("p.html", page), expected.map(|(k, u)| (k, u.to_owned())));
        let css = "@import 'a.css'; /* url(no) */ p { background: url(\"b.svg\") }";
        assert_eq!(urls("s.css", css), [(Use::Load, "b.svg".to_owned()), (Use::Load, "a.css".to_owned())]);
        let js = "import './a.js'; const b = 'b'; Array.from('c');";
        let kinds: Vec<_> = urls("s.js", js).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Use::Import, Use::Perhaps, Use::Perhaps]);
    }
}
