//! A demo's state as the fragment of a URL: `#v=1&preset=tropical&c2.wind_speed=12.5&camera=0,2.5,0,0.3,-0.1`.
//!
//! A link is what people send each other, so it is short (what stands at its default is left out), it can be read and changed by hand,
//! and it says of which version it is, so that an old one keeps its meaning. The fragment never reaches a server.
//!
//! The grammar, the same for every demo:
//!
//! ```text
//! fragment = [ "#" ] pair *( "&" pair )
//! pair     = name "=" value
//! name     = 1*48( ALPHA / DIGIT / "_" / "." / "-" )
//! value    = UTF-8, percent-encoded where it must be: all but letters, digits and - . _ ~ , : ; /
//! ```
//!
//! The first pair is `v`, the version. What the other names mean is the demo's business; a name stands once. An empty fragment is a link
//! that says nothing; any other without a `=` is none, but the place of something on the page ([`is_link`]).
//!
//! Anyone can write a link, so reading one never fails: what can be used is kept, and everything else becomes a [`Notice`], a sentence
//! for the page to show. Nor can one cost more than a small multiple of [`MAX_BYTES`], however long it is.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::fmt::{self, Display, Formatter};

/// The version that is written. A change of what a name or a default means counts it up, and the old meaning stays readable.
pub const VERSION: u32 = 1;

/// The longest link, bytes as written: a script of a few hundred shots, and less than what browsers and messengers cut off.
pub const MAX_BYTES: usize = 16 * 1024;

/// The most pairs in one, twice what the demo with the most parameters needs.
pub const MAX_PAIRS: usize = 256;

/// The longest name, bytes.
pub const MAX_NAME_BYTES: usize = 48;

/// How much of what was not understood a notice repeats, characters.
const QUOTED: usize = 32;

/// The name of the version's pair.
const VERSION_NAME: &str = "v";

/// Bytes of an empty link: `v=1`.
const VERSION_BYTES: usize = 3;

/// What is written as an escape. The marks that stay are those that URLs allow in a fragment and that no messenger takes for the end of
/// one when they stand inside.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b',').remove(b':').remove(b';').remove(b'/');

/// Whether a fragment, with or without its `#`, is a link and not the place of something on the page.
pub fn is_link(fragment: &str) -> bool {
    matches!(fragment, "" | "#") || fragment.contains('=')
}

/// Named values, in order, each name once. One that exists can be written within [`MAX_BYTES`] and [`MAX_PAIRS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    pairs: Vec<(String, String)>,
    /// Bytes of the pairs as written, each with the `&` before it.
    bytes: usize,
}

impl Link {
    /// A link of the present version that says nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a fragment, with or without its `#`, and says what of it is not used.
    pub fn read(fragment: &str) -> (Self, Vec<Notice>) {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        if fragment.is_empty() {
            return (Self::new(), Vec::new());
        }
        let (fragment, cut) = shortened(fragment);
        let mut reading = Reading::default();
        let mut pieces = fragment.split('&').filter(|piece| !piece.is_empty());
        // Nothing is refused in silence, and every piece costs a notice at most: so pieces are counted, not pairs.
        for piece in pieces.by_ref().take(MAX_PAIRS + 1) {
            reading.take(piece);
        }
        if pieces.next().is_some() {
            reading.note(Notice::TooMany);
        }
        if cut {
            reading.note(Notice::TooLong);
        }
        reading.finish()
    }

    /// Adds a pair. It is refused if the name is not one or stands already, or if the link would be too long.
    pub fn push(&mut self, name: &str, value: &str) -> Result<(), Notice> {
        if !is_name(name) || name == VERSION_NAME {
            return Err(Notice::Malformed(quote(name)));
        }
        if self.get(name).is_some() {
            return Err(Notice::Duplicate(name.to_owned()));
        }
        if self.pairs.len() == MAX_PAIRS {
            return Err(Notice::TooMany);
        }
        // Escapes are three times as long as what they stand for.
        let bytes = name.len() + 2 + escaped(value).map(str::len).sum::<usize>();
        if VERSION_BYTES + self.bytes + bytes > MAX_BYTES {
            return Err(Notice::TooLong);
        }
        self.bytes += bytes;
        self.pairs.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// The value of a name, if the link has it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs().find(|pair| pair.0 == name).map(|pair| pair.1)
    }

    /// Names and values, in the order in which they were added.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The fragment, without its `#`.
impl Display for Link {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.pairs.is_empty() {
            return Ok(());
        }
        write!(f, "{VERSION_NAME}={VERSION}")?;
        for (name, value) in self.pairs() {
            write!(f, "&{name}=")?;
            escaped(value).try_for_each(|part| f.write_str(part))?;
        }
        Ok(())
    }
}

/// What could not be used of a link, or not as it was written. Shown as a sentence; [`Notice::kind`] is for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is no version.
    NoVersion,
    /// Something that is no version.
    UnknownVersion(String),
    /// A version that was not known when this program was built.
    NewerVersion(String),
    /// It does not end within [`MAX_BYTES`].
    TooLong,
    /// There are more pairs than [`MAX_PAIRS`].
    TooMany,
    /// No pair, or one whose name is none.
    Malformed(String),
    /// A value whose escapes are not UTF-8.
    NotText(String),
    /// A name that stands there a second time.
    Duplicate(String),
    /// A name that the demo does not have.
    Unknown(String),
    /// A value that means nothing to the demo.
    Refused {
        /// Whose value.
        name: String,
        /// Why, as a sentence.
        why: String,
    },
    /// A value that was brought to one the demo can have.
    Adjusted {
        /// Whose value.
        name: String,
        /// To what and why, as a sentence.
        what: String,
    },
}

impl Notice {
    /// What happened, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoVersion => "no-version",
            Self::UnknownVersion(_) => "unknown-version",
            Self::NewerVersion(_) => "newer-version",
            Self::TooLong => "too-long",
            Self::TooMany => "too-many",
            Self::Malformed(_) => "malformed",
            Self::NotText(_) => "not-text",
            Self::Duplicate(_) => "duplicate",
            Self::Unknown(_) => "unknown",
            Self::Refused { .. } => "refused",
            Self::Adjusted { .. } => "adjusted",
        }
    }

    /// The name in the link that it is about, if it is about one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::NotText(name) | Self::Duplicate(name) | Self::Unknown(name) => Some(name),
            Self::Refused { name, .. } | Self::Adjusted { name, .. } => Some(name),
            Self::NoVersion | Self::UnknownVersion(_) | Self::NewerVersion(_) => Some(VERSION_NAME),
            Self::TooLong | Self::TooMany | Self::Malformed(_) => None,
        }
    }
}

impl Display for Notice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVersion => write!(f, "The link does not say its version, and was read as version {VERSION}."),
            Self::UnknownVersion(version) => {
                write!(f, "Ignored v={version}: there is no such version. Read as version {VERSION}.")
            }
            Self::NewerVersion(version) => {
                write!(
                    f,
                    "The link is of version {version}, and this page knows versions up to {VERSION}: some of it may be ignored."
                )
            }
            Self::TooLong => write!(f, "Ignored a part of the link: it is longer than {MAX_BYTES} bytes."),
            Self::TooMany => write!(f, "Ignored a part of the link: it has more than {MAX_PAIRS} values."),
            Self::Malformed(text) => write!(f, "Ignored “{text}”: it is not a name with a value."),
            Self::NotText(name) => write!(f, "Ignored {name}: its value is not text."),
            Self::Duplicate(name) => write!(f, "Ignored {name} the second time: a name stands once."),
            Self::Unknown(name) => write!(f, "Ignored {name}: there is nothing of that name here."),
            Self::Refused { name, why } => write!(f, "Ignored {name}: {why}"),
            Self::Adjusted { name, what } => write!(f, "Changed {name}: {what}"),
        }
    }
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    link: Link,
    version: Option<String>,
    notices: Vec<Notice>,
}

impl Reading {
    /// The same sentence twice says no more than once.
    fn note(&mut self, notice: Notice) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    fn take(&mut self, piece: &str) {
        if let Err(notice) = self.try_take(piece) {
            self.note(notice);
        }
    }

    fn try_take(&mut self, piece: &str) -> Result<(), Notice> {
        let malformed = || Notice::Malformed(quote(piece));
        let (name, value) = piece.split_once('=').ok_or_else(malformed)?;
        // Some programs escape whatever they can, names too.
        let name = percent_decode_str(name).decode_utf8().map_err(|_| malformed())?;
        if !is_name(&name) {
            return Err(malformed());
        }
        let value = percent_decode_str(value).decode_utf8().map_err(|_| Notice::NotText(name.clone().into_owned()))?;
        if name != VERSION_NAME {
            return self.link.push(&name, &value);
        }
        match self.version {
            Some(_) => return Err(Notice::Duplicate(name.into_owned())),
            None => self.version = Some(quote(&value)),
        }
        Ok(())
    }

    /// What is said about the version comes first.
    fn finish(mut self) -> (Link, Vec<Notice>) {
        let notice = match self.version {
            None => Some(Notice::NoVersion),
            Some(version) => match version.parse::<u32>() {
                Ok(1..=VERSION) => None,
                Ok(number) if number > VERSION => Some(Notice::NewerVersion(version)),
                _ => Some(Notice::UnknownVersion(version)),
            },
        };
        self.notices.splice(0..0, notice);
        (self.link, self.notices)
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(allowed)
}

fn escaped(value: &str) -> impl Iterator<Item = &str> {
    utf8_percent_encode(value, ESCAPED)
}

/// The whole pairs that fit into [`MAX_BYTES`], and whether something was cut off.
fn shortened(fragment: &str) -> (&str, bool) {
    if fragment.len() <= MAX_BYTES {
        return (fragment, false);
    }
    // A `&` is no part of a longer character, so there is a border of characters before it.
    let end = fragment.as_bytes()[..=MAX_BYTES].iter().rposition(|byte| *byte == b'&').unwrap_or(0);
    (&fragment[..end], true)
}

/// The beginning of what somebody wrote, as it can be shown.
fn quote(text: &str) -> String {
    let shown = |character: char| if character.is_control() { '\u{fffd}' } else { character };
    let mut quoted: String = text.chars().take(QUOTED).map(shown).collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}
