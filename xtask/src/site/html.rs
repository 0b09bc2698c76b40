//! The start tags of an HTML page, with their attributes and, for scripts and styles, their text.
//!
//! Not a parser: no tree, no error recovery, only the scanning that finding references takes. The pages are ours and
//! validated elsewhere.

/// A start tag.
#[derive(Debug, PartialEq, Eq)]
pub struct Tag {
    /// In lower case.
    pub name: String,
    /// Names in lower case, values with `&amp;` and the quotes resolved.
    pub attributes: Vec<(String, String)>,
    /// What is between a script's or style's tags; empty for all others.
    pub text: String,
    /// Where the tag starts, in bytes, and where it ends: with the end tag for scripts and styles.
    pub place: std::ops::Range<usize>,
}

impl Tag {
    /// An attribute's value.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// All start tags of a page.
pub fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = start + rest.find("-->").map_or(rest.len(), |end| end + 3);
        } else if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            let tag = tag(html, start);
            at = tag.place.end;
            tags.push(tag);
        } else {
            at = start + 1;
        }
    }
    tags
}

/// The text of an element, as it is read: without tags, references resolved, spaces as one. To its first end tag, so not of an
/// element that has one of its own kind in it.
pub fn text_in(html: &str, tag: &Tag) -> String {
    let rest = &html[tag.place.end..];
    let end = rest.find(&format!("</{}", tag.name)).unwrap_or(rest.len());
    let mut text = String::new();
    let mut inside = &rest[..end];
    while let Some(start) = inside.find('<') {
        text.push_str(&inside[..start]);
        inside = inside[start..].find('>').map_or("", |end| &inside[start + end + 1..]);
    }
    text.push_str(inside);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    resolved(&words)
}

/// Character references as characters: those that our pages need.
fn resolved(text: &str) -> String {
    let references = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}")];
    let text = references.iter().fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character));
    // The last: what it leaves may look like a reference and is none.
    text.replace("&amp;", "&")
}

/// The tag that starts here.
fn tag(html: &str, start: usize) -> Tag {
    let mut at = start + 1;
    let name = take(html, &mut at, |c| !c.is_whitespace() && c != '>' && c != '/');
    let name = name.to_ascii_lowercase();
    let mut attributes = Vec::new();
    loop {
        take(html, &mut at, |c| c.is_whitespace() || c == '/');
        match html[at..].chars().next() {
            None => break,
            Some('>') => {
                at += 1;
                break;
            }
            Some('=') => at += 1,
            Some(_) => {
                let key = take(html, &mut at, |c| !c.is_whitespace() && !matches!(c, '=' | '>' | '/'));
                attributes.push((key.to_ascii_lowercase(), value(html, &mut at)));
            }
        }
    }
    let mut text = String::new();
    if name == "script" || name == "style" {
        let lower = html[at..].to_ascii_lowercase();
        let end = lower.find(&format!("</{name}")).unwrap_or(lower.len());
        text = html[at..at + end].to_owned();
        at += end;
        at += html[at..].find('>').map_or(html.len() - at, |end| end + 1);
    }
    Tag { name, attributes, text, place: start..at }
}

/// The value of an attribute whose name has just been read; empty if it has none.
fn value(html: &str, at: &mut usize) -> String {
    let mut after = *at;
    take(html, &mut after, char::is_whitespace);
    if !html[after..].starts_with('=') {
        return String::new();
    }
    after += 1;
    take(html, &mut after, char::is_whitespace);
    let raw = match html[after..].chars().next() {
        Some(quote @ ('"' | '\'')) => {
            after += 1;
            let raw = take(html, &mut after, |c| c != quote);
            after = (after + 1).min(html.len());
            raw
        }
        _ => take(html, &mut after, |c| !c.is_whitespace() && c != '>'),
    };
    *at = after;
    resolved(raw)
}

fn take<'a>(text: &'a str, at: &mut usize, wanted: impl Fn(char) -> bool) -> &'a str {
    let rest = &text[*at..];
    let end = rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
    *at += end;
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_in_every_form() {
        let html = r#"<!doctype html><!-- <a href="no"> --><IMG Src='a&amp;b.png' alt = "x > y" hidden width=3/><p>"#;
        let tags = tags(html);
        assert_eq!(tags.len(), 2);
        assert_eq!(tags[0].name, "img");
        assert_eq!(tags[0].attribute("src"), Some("a&b.png"));
        assert_eq!(tags[0].attribute("alt"), Some("x > y"));
        assert_eq!(tags[0].attribute("hidden"), Some(""));
        assert_eq!(tags[1].name, "p");
    }

    #[test]
    fn scripts_keep_their_text_to_themselves() {
        let html = "<script type=module>if (a<b) '<img src=no>'</script ><style>p{}</style><br>";
        let tags = tags(html);
        let names: Vec<_> = tags.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["script", "style", "br"]);
        assert_eq!(tags[0].text, "if (a<b) '<img src=no>'");
        assert_eq!(&html[tags[1].place.clone()], "<style>p{}</style>");
    }

    #[test]
    fn text_is_what_is_read() {
        let html = "<td>a <kbd>b</kbd>c\n   &lt;d&gt; &amp;lt; &amp;</td><td>e";
        let tags = tags(html);
        assert_eq!(text_in(html, &tags[0]), "a bc <d> &lt; &");
        assert_eq!(text_in(html, &tags[2]), "e");
    }

    #[test]
    fn junk_ends() {
        for html in ["<", "<a", "<a href", "<a href=", "<a href='x", "<script>", "<!--", "< a>"] {
            tags(html);
        }
    }
}
