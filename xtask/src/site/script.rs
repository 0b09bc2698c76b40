//! The string literals of a script, each with the code before it.
//!
//! Enough of JavaScript's lexical grammar to tell strings, comments, regular expressions and templates apart; that is all
//! that finding the files a script names takes.

/// A string literal.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal {
    /// What is between the quotes, escapes unresolved: file names have none.
    pub text: String,
    /// The last of the code before it, without spaces, comments and earlier strings.
    pub before: String,
}

/// How much code before a literal is kept.
const BEFORE: usize = 24;

/// All string literals, and templates without substitutions.
pub fn literals(script: &str) -> Vec<Literal> {
    let chars: Vec<char> = script.chars().collect();
    let mut found = Vec::new();
    let mut code = String::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        match (c, next) {
            ('/', Some('/')) => at = skip_until(&chars, at, |c, _| c == '\n'),
            ('/', Some('*')) => {
                at = skip_until(&chars, at + 2, |c, next| c == '*' && next == Some('/')) + 2;
            }
            ('/', _) if expression_may_start(&code) => {
                at = end_of_regex(&chars, at);
                code.push('/');
            }
            ('"' | '\'' | '`', _) => {
                let end = end_of_string(&chars, at);
                let text: String = chars[at + 1..end.max(at + 1).min(chars.len())].iter().collect();
                if c != '`' || !text.contains("${") {
                    let skip = code.chars().count().saturating_sub(BEFORE);
                    let before = code.chars().skip(skip).collect();
                    found.push(Literal { text, before });
                }
                code.push(c);
                at = end + 1;
            }
            _ => {
                if !c.is_whitespace() {
                    code.push(c);
                }
                at += 1;
            }
        }
    }
    found
}

/// Where the condition holds for a character and the one after it; the end if nowhere.
fn skip_until(chars: &[char], from: usize, holds: impl Fn(char, Option<char>) -> bool) -> usize {
    (from..chars.len()).find(|&at| holds(chars[at], chars.get(at + 1).copied())).unwrap_or(chars.len())
}

/// The closing quote; for quotes that may not span lines, at the latest the line's end.
fn end_of_string(chars: &[char], start: usize) -> usize {
    let quote = chars[start];
    let mut at = start + 1;
    while let Some(&c) = chars.get(at) {
        match c {
            '\\' => at += 1,
            '\n' if quote != '`' => return at,
            c if c == quote => return at,
            _ => {}
        }
        at += 1;
    }
    chars.len()
}

/// Behind the regular expression that starts here.
fn end_of_regex(chars: &[char], start: usize) -> usize {
    let (mut at, mut in_class) = (start + 1, false);
    while let Some(&c) = chars.get(at) {
        match c {
            '\\' => at += 1,
            '\n' => return at,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    chars.len()
}

/// Whether a `/` after this code starts a regular expression rather than dividing.
fn expression_may_start(code: &str) -> bool {
    let operator = |c: char| "(,=:[!&|?{};+-*%<>~^".contains(c);
    code.is_empty() || code.ends_with(operator) || code.ends_with("return")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<String> {
        literals(script).into_iter().map(|l| l.text).collect()
    }

    #[test]
    fn strings_comments_and_regular_expressions() {
        let script = r#"
            import init from "./a.js"; // "not this"
            /* 'nor' this */ const q = s.replace(/["'`/]/g, 'b'); let half = n / 2; let x = "c\"d";
            fetch(`e.json`); `no ${f} here`; let url = "http://g";
        "#;
        assert_eq!(texts(script), ["./a.js", "b", "c\\\"d", "e.json", "http://g"]);
    }

    #[test]
    fn the_code_before_is_kept() {
        let script = "import { a } from './a.js'; await import( './b.js'); new URL('c', import.meta.url)";
        let before: Vec<_> = literals(script).into_iter().map(|l| l.before).collect();
        assert_eq!(before[0], "import{a}from");
        assert!(before[1].ends_with("awaitimport("));
        assert!(before[2].ends_with("newURL("));
    }

    #[test]
    fn junk_ends() {
        for script in ["'", "\"a", "`a", "/", "/*", "//", "/[", "'\\", "`${", "a = /x\n'b'"] {
            literals(script);
        }
    }
}
