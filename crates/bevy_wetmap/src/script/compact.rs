//! A script as a short text for a link: base64url of a few bytes a thing.
//!
//! JSON says `"major":` for every hit; here a hit is 33 bytes, so a dozen of them are some 600 characters of a link. Numbers go as their bits, so that what
//! is read back is what was written. A link comes from a stranger: every length is checked before anything is allocated for it,
//! every byte has to be accounted for, and whatever is wrong is an error with a name. What is damaged and can still be read as a script
//! is another script, and its digest says so.
//!
//! All integers are LEB128 unless said otherwise, all `f32` four bytes, little-endian:
//!
//! | what | bytes |
//! |---|---|
//! | version | `1` |
//! | flags | bit 0: ends painted |
//! | size, ticks | integers |
//! | name | its length (64 at the most), then UTF-8 |
//! | gravity | two `f32` |
//! | settings | a byte with a bit for each dial that is named, in the order of [`ScriptSettings`], then their values |
//! | events | how many (1,024 at the most), then each: kind, ticks since the one before, and a hit's `u`, `v`, major, minor, direction (`f32`), seed (four bytes), spines, satellites (a byte each); or a gravity; or settings |
//! | expectations | how many (16 at the most), then each: ticks, digest (eight bytes), sum of amounts, sum of ages |

use super::{Event, Expectation, Float, Script, ScriptSettings, ScriptShape};
use crate::model::MAX_SIZE;
use data_encoding::BASE64URL_NOPAD;
use std::fmt;

/// The most events that the compact form holds.
pub const MAX_EVENTS: usize = 1024;

/// The longest text that is a compact script. That of the most events, each with the longest of ticks, is shorter.
pub const MAX_COMPACT_CHARS: usize = 64 * 1024;

const VERSION: u8 = 1;
const MAX_NAME: usize = 64;
const MAX_EXPECTATIONS: usize = 16;

const ENDS_PAINTED: u8 = 1;

const STAIN: u8 = 0;
const GRAVITY: u8 = 1;
const SETTINGS: u8 = 2;

/// Why a text is no compact script, or a script has no compact form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactError {
    /// More characters than [`MAX_COMPACT_CHARS`].
    TooLong {
        /// How many.
        chars: usize,
    },
    /// A character that is not of base64url, or a length that none has.
    NotBase64 {
        /// Where.
        at: usize,
    },
    /// Of a version of the form that this program does not know.
    Version {
        /// Which.
        version: u8,
    },
    /// The text ends in the middle of the script.
    CutOff,
    /// Something follows the script.
    Trailing,
    /// A number of things that is more than the form holds.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many it says there are.
        count: u64,
        /// How many there may be.
        most: u64,
    },
    /// A value that means nothing there.
    Meaningless {
        /// Of what.
        what: &'static str,
    },
    /// The script has something that the form has no place for.
    NoPlaceFor {
        /// What.
        what: &'static str,
    },
}

impl fmt::Display for CompactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { chars } => write!(f, "{chars} characters are more than a script's {MAX_COMPACT_CHARS}"),
            Self::NotBase64 { at } => write!(f, "it is no base64url at character {}", at + 1),
            Self::Version { version } => {
                write!(f, "its form is of version {version}, and this program reads version {VERSION}")
            }
            Self::CutOff => write!(f, "it ends in the middle; part of it is missing"),
            Self::Trailing => write!(f, "something follows its end"),
            Self::TooMany { what, count, most } => write!(f, "its {what} is {count}, and the most is {most}"),
            Self::Meaningless { what } => write!(f, "its {what} means nothing"),
            Self::NoPlaceFor { what } => write!(f, "{what} cannot stand in a link; save the script as a file"),
        }
    }
}

impl std::error::Error for CompactError {}

impl Script {
    /// The script as a short text of letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// [`CompactError`] when there is too much of it, or it has a mesh or rays, for which there is no place.
    pub fn to_compact(&self) -> Result<String, CompactError> {
        let mut out = Writer::default();
        out.script(self)?;
        let text = BASE64URL_NOPAD.encode(&out.0);
        if text.len() > MAX_COMPACT_CHARS {
            return Err(CompactError::TooLong { chars: text.len() });
        }
        Ok(text)
    }

    /// The script of a text.
    ///
    /// # Errors
    /// [`CompactError`] when it is none. Whatever the text, this neither panics nor allocates more than the text is long, a few times over.
    pub fn from_compact(text: &str) -> Result<Self, CompactError> {
        if text.len() > MAX_COMPACT_CHARS {
            return Err(CompactError::TooLong { chars: text.len() });
        }
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|error| CompactError::NotBase64 { at: error.position })?;
        let mut reader = Reader(&bytes);
        let script = reader.script()?;
        if reader.0.is_empty() { Ok(script) } else { Err(CompactError::Trailing) }
    }
}

fn checked(what: &'static str, count: u64, most: u64) -> Result<(), CompactError> {
    if count > most { Err(CompactError::TooMany { what, count, most }) } else { Ok(()) }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn integer(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn float(&mut self, value: Float) {
        self.0.extend(value.0.to_bits().to_le_bytes());
    }

    fn floats<const N: usize>(&mut self, values: [Float; N]) {
        values.into_iter().for_each(|value| self.float(value));
    }

    fn count(&mut self, what: &'static str, count: usize, most: usize) -> Result<(), CompactError> {
        checked(what, count as u64, most as u64)?;
        self.integer(count as u64);
        Ok(())
    }

    fn settings(&mut self, settings: &ScriptSettings) {
        let ScriptSettings { drip_rate, spread_rate, dry_ticks, absorbency, humidity, edge_samples } = *settings;
        let named = [
            drip_rate.is_some(),
            spread_rate.is_some(),
            dry_ticks.is_some(),
            absorbency.is_some(),
            humidity.is_some(),
            edge_samples.is_some(),
        ];
        self.0.push(named.iter().rev().fold(0, |bits, &named| bits << 1 | u8::from(named)));
        drip_rate.into_iter().chain(spread_rate).for_each(|value| self.float(value));
        dry_ticks.into_iter().for_each(|value| self.integer(value.into()));
        absorbency.into_iter().chain(humidity).for_each(|value| self.float(value));
        edge_samples.into_iter().for_each(|value| self.integer(value.into()));
    }

    fn event(&mut self, event: &Event, since: u32) -> Result<(), CompactError> {
        let kind = match event {
            Event::Uv { .. } => STAIN,
            Event::Gravity { .. } => GRAVITY,
            Event::Settings { .. } => SETTINGS,
            Event::Ray { .. } => return Err(CompactError::NoPlaceFor { what: "a ray" }),
        };
        self.0.push(kind);
        self.integer((event.tick() - since).into());
        match event {
            Event::Uv { uv, shape, .. } => {
                self.floats(*uv);
                self.floats([shape.major, shape.minor]);
                self.floats(shape.direction);
                self.0.extend(shape.seed.to_le_bytes());
                self.0.extend([shape.spines, shape.satellites]);
            }
            Event::Gravity { gravity, .. } => self.floats(*gravity),
            Event::Settings { settings, .. } => self.settings(settings),
            Event::Ray { .. } => {}
        }
        Ok(())
    }

    fn expectation(&mut self, expectation: &Expectation) -> Result<(), CompactError> {
        let digest = u64::from_str_radix(&expectation.digest, 16).ok().filter(|_| expectation.digest.len() == 16);
        let digest = digest.ok_or(CompactError::Meaningless { what: "expected digest" })?;
        self.integer(expectation.after_ticks.into());
        self.0.extend(digest.to_le_bytes());
        self.integer(expectation.amount_sum);
        self.integer(expectation.age_sum);
        Ok(())
    }

    fn script(&mut self, script: &Script) -> Result<(), CompactError> {
        if script.mesh.is_some() || script.transform.is_some() || !script.expect_hits.is_empty() {
            return Err(CompactError::NoPlaceFor { what: "a mesh" });
        }
        checked("size", script.size.into(), MAX_SIZE.into())?;
        self.0.extend([VERSION, if script.ends_painted { ENDS_PAINTED } else { 0 }]);
        self.integer(script.size.into());
        self.integer(script.ticks.into());
        self.count("name's length", script.id.len(), MAX_NAME)?;
        self.0.extend(script.id.as_bytes());
        self.floats(script.gravity);
        self.settings(&script.settings);
        self.count("number of events", script.events.len(), MAX_EVENTS)?;
        let mut events: Vec<_> = script.events.iter().collect();
        events.sort_by_key(|event| event.tick());
        let mut since = 0;
        for event in events {
            self.event(event, since)?;
            since = event.tick();
        }
        self.count("number of expectations", script.expect.len(), MAX_EXPECTATIONS)?;
        script.expect.iter().try_for_each(|expectation| self.expectation(expectation))
    }
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CompactError> {
        let (bytes, rest) = self.0.split_first_chunk::<N>().ok_or(CompactError::CutOff)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn byte(&mut self) -> Result<u8, CompactError> {
        self.bytes::<1>().map(|[byte]| byte)
    }

    fn integer(&mut self, what: &'static str) -> Result<u64, CompactError> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(CompactError::Meaningless { what })
    }

    fn narrow(&mut self, what: &'static str) -> Result<u32, CompactError> {
        u32::try_from(self.integer(what)?).map_err(|_| CompactError::Meaningless { what })
    }

    /// A number of things that are `least` bytes each at the least: there are no more of them than the rest can hold.
    fn count(&mut self, what: &'static str, most: usize, least: usize) -> Result<usize, CompactError> {
        let count = self.integer(what)?;
        checked(what, count, most as u64)?;
        let count = count as usize;
        if count * least > self.0.len() { Err(CompactError::CutOff) } else { Ok(count) }
    }

    fn float(&mut self) -> Result<Float, CompactError> {
        self.bytes().map(|bytes| Float(f32::from_bits(u32::from_le_bytes(bytes))))
    }

    fn two(&mut self) -> Result<[Float; 2], CompactError> {
        Ok([self.float()?, self.float()?])
    }

    fn name(&mut self) -> Result<String, CompactError> {
        let length = self.count("name's length", MAX_NAME, 1)?;
        let (name, rest) = self.0.split_at_checked(length).ok_or(CompactError::CutOff)?;
        self.0 = rest;
        str::from_utf8(name).map(str::to_owned).map_err(|_| CompactError::Meaningless { what: "name" })
    }

    fn settings(&mut self) -> Result<ScriptSettings, CompactError> {
        let named = self.byte()?;
        if named >> 6 != 0 {
            return Err(CompactError::Meaningless { what: "list of dials" });
        }
        let is_named = |dial: u8| named >> dial & 1 == 1;
        Ok(ScriptSettings {
            drip_rate: is_named(0).then(|| self.float()).transpose()?,
            spread_rate: is_named(1).then(|| self.float()).transpose()?,
            dry_ticks: is_named(2).then(|| self.narrow("drying time")).transpose()?,
            absorbency: is_named(3).then(|| self.float()).transpose()?,
            humidity: is_named(4).then(|| self.float()).transpose()?,
            edge_samples: is_named(5).then(|| self.narrow("number of samples")).transpose()?,
        })
    }

    fn event(&mut self, since: u32) -> Result<Event, CompactError> {
        let kind = self.byte()?;
        let tick = since.checked_add(self.narrow("tick")?).ok_or(CompactError::Meaningless { what: "tick" })?;
        match kind {
            STAIN => {
                let uv = self.two()?;
                let [major, minor] = self.two()?;
                let direction = self.two()?;
                let seed = u32::from_le_bytes(self.bytes()?);
                let [spines, satellites] = self.bytes()?;
                Ok(Event::Uv { tick, uv, shape: ScriptShape { major, minor, spines, satellites, direction, seed } })
            }
            GRAVITY => Ok(Event::Gravity { tick, gravity: self.two()? }),
            SETTINGS => Ok(Event::Settings { tick, settings: self.settings()? }),
            _ => Err(CompactError::Meaningless { what: "kind of event" }),
        }
    }

    fn expectation(&mut self) -> Result<Expectation, CompactError> {
        Ok(Expectation {
            after_ticks: self.narrow("tick")?,
            digest: format!("{:016x}", u64::from_le_bytes(self.bytes()?)),
            amount_sum: self.integer("sum of amounts")?,
            age_sum: self.integer("sum of ages")?,
        })
    }

    fn script(&mut self) -> Result<Script, CompactError> {
        let version = self.byte()?;
        if version != VERSION {
            return Err(CompactError::Version { version });
        }
        let flags = self.byte()?;
        if flags & !ENDS_PAINTED != 0 {
            return Err(CompactError::Meaningless { what: "list of flags" });
        }
        let size = self.integer("size")?;
        checked("size", size, MAX_SIZE.into())?;
        let ticks = self.narrow("number of ticks")?;
        let id = self.name()?;
        let gravity = self.two()?;
        let settings = self.settings()?;
        let count = self.count("number of events", MAX_EVENTS, 3)?;
        let mut events = Vec::with_capacity(count);
        for _ in 0..count {
            events.push(self.event(events.last().map_or(0, Event::tick))?);
        }
        let count = self.count("number of expectations", MAX_EXPECTATIONS, 11)?;
        let expect = (0..count).map(|_| self.expectation()).collect::<Result<_, _>>()?;
        Ok(Script {
            id,
            size: size as u32,
            ticks,
            gravity,
            settings,
            events,
            ends_painted: flags & ENDS_PAINTED != 0,
            mesh: None,
            transform: None,
            expect,
            expect_hits: Vec::new(),
        })
    }
}
