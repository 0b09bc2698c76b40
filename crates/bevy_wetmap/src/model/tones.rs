//! What blood of each age looks like, in bytes: [`bloodstain`]'s chemistry, evaluated once for each of the reference ticks.
//!
//! A canvas keeps a pointer and not a table: forty canvases under one humidity share one, which then stays in the processor's first
//! cache, and a clone of a canvas copies nothing of it.

use super::exact::Ratio;
use super::settings::Dials;
use super::surface::byte;
use bloodstain::{
    BloodSettings,
    dry::{DRY_REF_AREA_M2, DRY_REF_TICKS, appearance},
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

/// The tone of each reference tick, `0..=DRY_REF_TICKS`.
#[derive(Debug)]
struct Table {
    humidity: f32,
    tones: [Tone; ENTRIES],
}

static SHELF: Mutex<Vec<Arc<Table>>> = Mutex::new(Vec::new());

impl Table {
    fn new(humidity: f32) -> Self {
        let blood = BloodSettings { humidity, ..Default::default() };
        let mut tones = [[0; 4]; ENTRIES];
        for (age, tone) in (0..=DRY_REF_TICKS).zip(&mut tones) {
            let look = appearance(age, REFERENCE_HZ, DRY_REF_AREA_M2, &blood);
            let [r, g, b] = look.srgb.map(byte);
            *tone = [r, g, b, byte(look.roughness)];
        }
        Self { humidity, tones }
    }

    /// From the shelf, or made and put there.
    fn shared(humidity: f32) -> Arc<Self> {
        let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = shelf.iter().find(|table| table.humidity == humidity) {
            return table.clone();
        }
        let table = Arc::new(Self::new(humidity));
        if shelf.len() >= SHELF_LENGTH {
            shelf.remove(0);
        }
        shelf.push(table.clone());
        table
    }
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
    /// Of these dials: only span and humidity count.
    pub fn of(dials: &Dials) -> Self {
        let stretch = Ratio::new(DRY_REF_TICKS, dials.span);
        Self { table: Table::shared(dials.humidity), stretch, span: dials.span }
    }

    /// Brings the tones to these dials.
    pub fn follow(&mut self, dials: &Dials) {
        if self.table.humidity != dials.humidity || self.span != dials.span {
            *self = Self::of(dials);
        }
    }

    /// Of blood of these ages. The span is the only authority over the timeline: past it, blood is dry.
    #[inline(always)]
    pub fn look_up(&self, ages: &[u16], tones: &mut [Tone]) {
        let table = &self.table.tones;
        if u32::from(self.span) == DRY_REF_TICKS {
            // The default: nothing to stretch.
            for (tone, &age) in tones.iter_mut().zip(ages) {
                *tone = table[usize::from(age.min(DRY_REF_TICKS as u16)) & (ENTRIES - 1)];
            }
        } else {
            for (tone, &age) in tones.iter_mut().zip(ages) {
                *tone = table[self.stretch.of(age.min(self.span)) as usize & (ENTRIES - 1)];
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
        let tones = |humidity| Tones::of(&Dials::of(&WetSettings { humidity, ..Default::default() }));
        let (one, same) = (tones(0.123), tones(0.123));
        assert!(Arc::ptr_eq(&one.table, &same.table));
        for i in 0..50 {
            tones(i as f32 / 50.0);
        }
        assert!(SHELF.lock().unwrap_or_else(PoisonError::into_inner).len() <= SHELF_LENGTH);
        assert_eq!(one.table.tones, tones(0.123).table.tones, "a forgotten table is made again");
    }
}
