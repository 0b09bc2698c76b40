//! A canvas as bytes: to be stored, sent, and gone on with as if nothing had happened.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `"wetmap"`, a zero, the version (1) |
//! | 4 | texels along an edge |
//! | 4 | the dry surface: red, green, blue, roughness |
//! | 2, 4 | span in ticks and humidity (`f32`) of the last tick: what its picture was shaded by |
//! | … | coverage, row-major: how many empty texels, how many that are not, and those, until all are there |
//! | … | ages of those that are not empty, in the same order: how many of one age, and the age |
//! | 8 | the digest of the state |
//! | 8 | FNV-1a of all bytes before |
//!
//! Numbers are little-endian and counts are LEB128 without padding, so one canvas has one form on every machine. The digest says that the
//! state is the one that was saved; the last number, that the rest is. Neither is a signature: whoever can write the file can write a
//! consistent one. Loading checks everything before it believes it, and allocates nothing until all but the digest is found right: then the
//! canvas, up to 176 MiB of which may stand in a few bytes, if they are those of a bare one.

use super::digest::Fnv1a;
use super::settings::Dials;
use super::surface::Surface;
use super::{MAX_SIZE, SizeError, WetSettings, Wetmap};

const MAGIC: [u8; 7] = *b"wetmap\0";

/// The version this writes, and the only one it reads.
const VERSION: u8 = 1;

/// Why bytes are no saved canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// They do not begin like one.
    NotAWetmap,
    /// They are of a version that this one does not read: save the canvas again with the program that wrote it, or load it there.
    Version {
        /// The version they say they have.
        found: u8,
    },
    /// They end too soon: the file was cut off.
    Truncated,
    /// There are more of them than there should be.
    TrailingBytes {
        /// How many.
        count: usize,
    },
    /// The size is 0 or above [`MAX_SIZE`].
    Size {
        /// What stands there.
        size: u32,
    },
    /// Something in them cannot have been written by [`Wetmap::save`].
    Corrupt {
        /// What.
        what: &'static str,
    },
    /// They were changed after they were written: a checksum differs.
    Checksum,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAWetmap => write!(f, "these bytes are no saved wetmap"),
            Self::Version { found } => {
                write!(f, "this wetmap was saved in version {found} of the format, and this program reads version {VERSION}")
            }
            Self::Truncated => write!(f, "the saved wetmap ends too soon; load a whole copy of it"),
            Self::TrailingBytes { count } => {
                write!(f, "the saved wetmap is followed by {count} bytes that do not belong to it")
            }
            Self::Size { size } => write!(f, "the saved wetmap has {size} texels along an edge; 1 to {MAX_SIZE} are possible"),
            Self::Corrupt { what } => write!(f, "the saved wetmap is corrupt: {what}"),
            Self::Checksum => write!(f, "the saved wetmap was changed after it was written: its checksum differs"),
        }
    }
}

impl std::error::Error for LoadError {}

fn put_count(bytes: &mut Vec<u8>, mut count: u64) {
    while count >= 0x80 {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.bytes(bytes);
    hash.finish()
}

/// What is still to be read.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(LoadError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(LoadError::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn count(&mut self) -> Result<usize, LoadError> {
        let mut count = 0u64;
        for shift in (0..).step_by(7) {
            let [byte] = self.array()?;
            if shift > 28 || (byte == 0 && shift > 0) {
                return Err(LoadError::Corrupt { what: "a count is too large or padded" });
            }
            count |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        usize::try_from(count).map_err(|_| LoadError::Corrupt { what: "a count is too large" })
    }
}

/// Runs of equal items: how many, and the item.
fn runs<T: PartialEq + Copy>(items: impl Iterator<Item = T>) -> impl Iterator<Item = (u64, T)> {
    let mut items = items.peekable();
    std::iter::from_fn(move || {
        let first = items.next()?;
        let mut count = 1;
        while items.next_if_eq(&first).is_some() {
            count += 1;
        }
        Some((count, first))
    })
}

impl Wetmap {
    /// The canvas as bytes. A few dozen where it is bare; otherwise one a texel that holds blood, and little more.
    ///
    /// Whether it was dirty is not saved: what is loaded is a new canvas, whose picture nobody has taken or waited for yet.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        bytes.extend(self.size().to_le_bytes());
        bytes.extend(self.picture.surface().channels());
        bytes.extend(self.dials.span.to_le_bytes());
        bytes.extend(self.dials.humidity.to_le_bytes());
        let amounts: Vec<u8> = self.texels().map(|texel| texel.0).collect();
        let mut at = 0;
        for (count, bare) in runs(amounts.iter().map(|&amount| amount == 0)) {
            if at == 0 && !bare {
                put_count(&mut bytes, 0);
            }
            put_count(&mut bytes, count);
            if !bare {
                bytes.extend(&amounts[at..][..count as usize]);
            }
            at += count as usize;
        }
        for (count, age) in runs(self.texels().filter(|texel| texel.0 > 0).map(|texel| texel.1)) {
            put_count(&mut bytes, count);
            bytes.extend(age.to_le_bytes());
        }
        bytes.extend(self.digest().to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The canvas that was saved: it ticks to the same digests and has the same picture as the one that went on.
    ///
    /// That is so with [`Looks::default`](super::Looks). Other looks are not saved; give them to the canvas again with
    /// [`set_looks`](Self::set_looks) before anything else: without the `film` it has another picture, and without the `edge_samples` stains to
    /// come are stamped otherwise, and have other digests.
    ///
    /// # Errors
    /// [`LoadError`] for anything that [`save`](Self::save) has not written, whole.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader(bytes);
        let header = Header::read(&mut reader)?;
        let texels = reader;
        let held = header.visit_amounts(&mut reader, |_, _| {})?;
        visit_ages(&mut reader, held, |_, _| {})?;
        let digest = u64::from_le_bytes(reader.array()?);
        let sum = u64::from_le_bytes(reader.array()?);
        if !reader.0.is_empty() {
            return Err(LoadError::TrailingBytes { count: reader.0.len() });
        }
        if sum != checksum(&bytes[..bytes.len() - size_of::<u64>()]) {
            return Err(LoadError::Checksum);
        }
        let map = header.read_texels(texels)?;
        if digest == map.digest() { Ok(map) } else { Err(LoadError::Checksum) }
    }
}

/// What stands before the texels.
struct Header {
    size: u32,
    surface: Surface,
    span: u16,
    humidity: f32,
}

impl Header {
    fn read(reader: &mut Reader) -> Result<Self, LoadError> {
        if reader.array() != Ok(MAGIC) {
            return Err(LoadError::NotAWetmap);
        }
        let [version] = reader.array()?;
        if version != VERSION {
            return Err(LoadError::Version { found: version });
        }
        let size = u32::from_le_bytes(reader.array()?);
        SizeError::check(size).map_err(|_| LoadError::Size { size })?;
        let [r, g, b, roughness] = reader.array()?;
        let span = u16::from_le_bytes(reader.array()?);
        let humidity = f32::from_le_bytes(reader.array()?);
        if span == 0 || !(0.0..=1.0).contains(&humidity) {
            return Err(LoadError::Corrupt { what: "its dials are out of range" });
        }
        Ok(Self { size, surface: Surface { srgb: [r, g, b], roughness }, span, humidity })
    }

    /// Visits the runs of texels that hold blood: the number of the first, and their amounts. Returns how many texels those are.
    fn visit_amounts(&self, reader: &mut Reader, mut visit: impl FnMut(usize, &[u8])) -> Result<usize, LoadError> {
        let texels = self.size as usize * self.size as usize;
        let (mut at, mut held, mut bare) = (0, 0, true);
        while at < texels {
            let count = reader.count()?;
            if count > texels - at {
                return Err(LoadError::Corrupt { what: "it has more texels than its size" });
            }
            // Only the first run may be empty: it says that the canvas begins with blood.
            if count == 0 && !(bare && at == 0) {
                return Err(LoadError::Corrupt { what: "a run of texels is empty" });
            }
            if !bare {
                let amounts = reader.take(count)?;
                if amounts.contains(&0) {
                    return Err(LoadError::Corrupt { what: "an empty texel stands among those that are not" });
                }
                visit(at, amounts);
                held += count;
            }
            at += count;
            bare = !bare;
        }
        Ok(held)
    }

    /// The canvas, from texels that were found to be in order.
    fn read_texels(&self, mut reader: Reader) -> Result<Wetmap, LoadError> {
        let mut map = Wetmap::over(self.size, self.surface).map_err(|_| LoadError::Size { size: self.size })?;
        let size = self.size as usize;
        let state = &mut map.state;
        let held = self.visit_amounts(&mut reader, |first, amounts| {
            for (at, &amount) in (first..).zip(amounts) {
                state.set_texel(at % size, at / size, (amount, 0));
            }
        })?;
        let mut places = (0..size * size).map(|at| (at % size, at / size));
        visit_ages(&mut reader, held, |count, age| {
            for _ in 0..count {
                let Some((x, y)) = places.find(|&(x, y)| state.texel(x, y).0 != 0) else { return };
                state.set_texel(x, y, (state.texel(x, y).0, age));
            }
        })?;
        map.dials = Dials::of(&WetSettings { dry_ticks: self.span.into(), humidity: self.humidity, ..WetSettings::default() });
        map.shade_all();
        map.mark_clean();
        map.wake_restless();
        Ok(map)
    }
}

/// Visits the runs of ages of so many texels that hold blood: how many of one age, and the age.
fn visit_ages(reader: &mut Reader, held: usize, mut visit: impl FnMut(usize, u16)) -> Result<(), LoadError> {
    let (mut left, mut last) = (held, None);
    while left > 0 {
        let count = reader.count()?;
        let age = u16::from_le_bytes(reader.array()?);
        if count == 0 {
            return Err(LoadError::Corrupt { what: "a run of ages is empty" });
        }
        if last.replace(age) == Some(age) {
            return Err(LoadError::Corrupt { what: "a run of ages is in two parts" });
        }
        left = left.checked_sub(count).ok_or(LoadError::Corrupt { what: "it has more ages than blood" })?;
        visit(count, age);
    }
    Ok(())
}
