//! What blood of each age looks like, in bytes: [`bloodstain`]'s chemistry, evaluated once for each of the reference ticks.
//!
//! A canvas keeps a pointer and not a table: forty canvases under one humidity share one, which then stays in the processor's first
//! cache, and a clone of a canvas copies nothing of it.

use super::exact::Ratio;
use super::settings::Dials;
use super::surface::byte;
use bloodstain::{
    BloodSettings,
    dry::{DRY_REF_AREA_M2, DRY_REF_TICKS, SRGB_OXY, appearance_with_fresh},
    spectral::{Film, srgb},
};
use std::sync::{Arc, Mutex, PoisonError};

/// The rate at which [`DRY_REF_TICKS`] is quoted, Hz.
const REFERENCE_HZ: u32 = 60;

/// Tables kept for canvases to come. One is enough unless somebody turns the humidity; past these the oldest is forgotten.
const SHELF_LENGTH: usize = 4;

/// Entries of a table: a power of two, so that a masked index needs no check.
const ENTRIES: usize = 2048;
const _: () = assert!(DRY_REF_TICKS < ENTRIES as u32);

/// Red, green and blue, encoded, and roughness.
pub(crate) type Tone = [u8; 4];

/// Steps of coverage that a film's colour is computed for, and how many bits of a byte tell them apart.
const LEVELS: usize = 16;
const LEVEL_SHIFT: u32 = 4;

/// What a table is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    humidity: f32,
    film: Option<Film>,
}

/// The tone of each reference tick, `0..=DRY_REF_TICKS`; of a film, that for each level of coverage.
#[derive(Debug)]
struct Table {
    kind: Kind,
    tones: Vec<Tone>,
}

static SHELF: Mutex<Vec<Arc<Table>>> = Mutex::new(Vec::new());

impl Table {
    fn new(kind: Kind) -> Self {
        let blood = BloodSettings { humidity: kind.humidity, ..Default::default() };
        let fresh: Vec<[f32; 3]> = match kind.film {
            // `bloodstain::dry::appearance` is this with its authored red.
            None => vec![SRGB_OXY],
            Some(film) => (0..LEVELS).map(|level| srgb(&film_at(film, level))).collect(),
        };
        let mut tones = vec![[0; 4]; ENTRIES * fresh.len()];
        for (tones, fresh) in tones.chunks_exact_mut(ENTRIES).zip(fresh) {
            for (age, tone) in (0..=DRY_REF_TICKS).zip(tones) {
                let look = appearance_with_fresh(age, REFERENCE_HZ, DRY_REF_AREA_M2, &blood, fresh);
                let [r, g, b] = look.srgb.map(byte);
                *tone = [r, g, b, byte(look.roughness)];
            }
        }
        Self { kind, tones }
    }

    /// From the shelf, or made and put there.
    fn shared(kind: Kind) -> Arc<Self> {
        let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = shelf.iter().find(|table| table.kind == kind) {
            return table.clone();
        }
        let table = Arc::new(Self::new(kind));
        if shelf.len() >= SHELF_LENGTH {
            shelf.remove(0);
        }
        shelf.push(table.clone());
        table
    }
}

/// The film in the middle of a level of coverage.
fn film_at(full: Film, level: usize) -> Film {
    let coverage = (level as f32 + 0.5) / LEVELS as f32;
    Film { thickness_mm: full.thickness_mm * coverage, ..full }
}

/// The tones of blood under one set of dials, by its age there.
#[derive(Clone, Debug)]
pub(crate) struct Tones {
    table: Arc<Table>,
    /// Stretches ages onto the reference timeline.
    stretch: Ratio,
    span: u16,
}

impl Tones {
    /// Of these dials, of which only span and humidity count, and of this film.
    pub fn of(dials: &Dials, film: Option<Film>) -> Self {
        let stretch = Ratio::new(DRY_REF_TICKS, dials.span);
        Self { table: Table::shared(Kind { humidity: dials.humidity, film }), stretch, span: dials.span }
    }

    /// Brings the tones to these.
    pub fn follow(&mut self, dials: &Dials, film: Option<Film>) {
        if self.span != dials.span || self.table.kind != (Kind { humidity: dials.humidity, film }) {
            *self = Self::of(dials, film);
        }
    }

    /// Of blood of these amounts and ages. The span is the only authority over the timeline: past it, blood is dry.
    #[inline(always)]
    pub fn look_up(&self, amounts: &[u8], ages: &[u16], tones: &mut [Tone]) {
        let table = &self.table.tones[..];
        let stretched = |age: u16| self.stretch.of(age.min(self.span)) as usize & (ENTRIES - 1);
        if self.table.kind.film.is_some() {
            for ((tone, &age), &amount) in tones.iter_mut().zip(ages).zip(amounts) {
                *tone = table[usize::from(amount >> LEVEL_SHIFT) * ENTRIES + stretched(age)];
            }
            return;
        }
        let Some(table) = table.first_chunk::<ENTRIES>() else {
            return;
        };
        if u32::from(self.span) == DRY_REF_TICKS {
            // The default: nothing to stretch.
            for (tone, &age) in tones.iter_mut().zip(ages) {
                *tone = table[usize::from(age.min(DRY_REF_TICKS as u16)) & (ENTRIES - 1)];
            }
        } else {
            for (tone, &age) in tones.iter_mut().zip(ages) {
                *tone = table[stretched(age)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WetSettings;

    #[test]
    fn canvases_share_a_table_and_the_shelf_is_bounded() {
        let tones = |humidity| Tones::of(&Dials::of(&WetSettings { humidity, ..Default::default() }), None);
        let (one, same) = (tones(0.123), tones(0.123));
        assert!(Arc::ptr_eq(&one.table, &same.table));
        for i in 0..50 {
            tones(i as f32 / 50.0);
        }
        assert!(SHELF.lock().unwrap_or_else(PoisonError::into_inner).len() <= SHELF_LENGTH);
        assert_eq!(one.table.tones, tones(0.123).table.tones, "a forgotten table is made again");
    }

    #[test]
    fn a_table_without_a_film_is_bloodstains_own_walk() {
        let blood = BloodSettings { humidity: 0.7, ..Default::default() };
        let table = Table::new(Kind { humidity: 0.7, film: None });
        for (age, tone) in (0..=DRY_REF_TICKS).zip(&table.tones) {
            let look = bloodstain::dry::appearance(age, REFERENCE_HZ, DRY_REF_AREA_M2, &blood);
            let [r, g, b] = look.srgb.map(byte);
            assert_eq!(*tone, [r, g, b, byte(look.roughness)], "{age}");
        }
    }
}
