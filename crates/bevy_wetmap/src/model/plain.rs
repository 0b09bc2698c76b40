//! The model as four plain passes over the whole canvas: what the fast tick is compared with, in tests and in the benchmark.
//!
//! Drip, spread and time are functions from a snapshot (`before`) to the next state (`after`), each writing each texel once, from
//! `before` alone, one `(amount, age)` after the other. Nothing is skipped, shared or kept. This is the definition in code: when it and
//! the fast tick differ, the fast one is wrong. Hidden from the documentation because no game wants it.

use super::gravity::Step;
use super::settings::{Dials, WetSettings};
use super::stamp::Placement;
use super::state::Texel;
use super::surface::{Surface, TEXEL_BYTES, byte};
use crate::StainShape;
use bloodstain::BloodSettings;
use bloodstain::dry::{DRY_REF_AREA_M2, DRY_REF_TICKS, appearance};
use bloodstain::stain::rasterise;

/// A canvas that is ticked by the plain passes.
#[derive(Clone, Debug)]
pub struct Plain {
    size: usize,
    texels: Vec<Texel>,
    before: Vec<Texel>,
    surface: Surface,
    albedo: Vec<[u8; TEXEL_BYTES]>,
    gloss: Vec<[u8; TEXEL_BYTES]>,
    /// One tone per reference tick, and the humidity it was made for.
    tones: Vec<[u8; 4]>,
    humidity: f32,
    dials: Dials,
}

impl Plain {
    /// An untouched canvas of `size × size` texels, like [`Wetmap::new`](super::Wetmap::new) but for any size.
    pub fn new(size: u32, srgb: [f32; 3], roughness: f32) -> Self {
        let (surface, size) = (Surface::new(srgb, roughness), size as usize);
        let count = size * size;
        Self {
            size,
            texels: vec![(0, 0); count],
            before: vec![(0, 0); count],
            surface,
            albedo: vec![surface.albedo(); count],
            gloss: vec![surface.gloss(); count],
            tones: Vec::new(),
            humidity: 0.0,
            dials: Dials::of(&WetSettings::default()),
        }
    }

    /// The state, row-major.
    pub fn texels(&self) -> &[Texel] {
        &self.texels
    }

    /// Base colour bytes, row-major.
    pub fn albedo_bytes(&self) -> &[u8] {
        self.albedo.as_flattened()
    }

    /// Roughness and metallic bytes, row-major.
    pub fn roughness_bytes(&self) -> &[u8] {
        self.gloss.as_flattened()
    }

    /// Replaces the state, which must have `size²` texels, and shades it.
    pub fn set_texels(&mut self, texels: &[Texel], settings: &WetSettings) {
        for (own, new) in self.texels.iter_mut().zip(texels) {
            *own = if new.0 == 0 { (0, 0) } else { *new };
        }
        self.dials = Dials::of(settings);
        self.shade();
    }

    /// One tick. Returns whether a byte of the picture changed.
    pub fn tick(&mut self, gravity_uv: [f32; 2], settings: &WetSettings) -> bool {
        let dials = Dials::of(settings);
        self.dials = dials;
        if let Some(step) = Step::along(gravity_uv) {
            std::mem::swap(&mut self.texels, &mut self.before);
            drip(&self.before, &mut self.texels, self.size, step, &dials);
        }
        if dials.edge_rate > 0.0 {
            std::mem::swap(&mut self.texels, &mut self.before);
            spread(&self.before, &mut self.texels, self.size, &dials);
        }
        time(&mut self.texels, &dials);
        self.shade()
    }

    /// Paints a stain, like [`Wetmap::paint_uv`](super::Wetmap::paint_uv).
    pub fn paint_uv(&mut self, uv: [f32; 2], shape: &StainShape) -> bool {
        let Some(place) = Placement::of(uv, shape, self.size as u32) else {
            return false;
        };
        let mut mask = vec![0; place.edge * place.edge];
        if !rasterise(shape, place.edge as u32, &mut mask) {
            return false;
        }
        let mut touched = false;
        for (row, y) in (0..place.height).map(|row| (row, place.y + row)) {
            for (column, x) in (0..place.width).map(|column| (column, place.x + column)) {
                let cover = mask[(place.mask_y + row) * place.edge + place.mask_x + column];
                if cover != 0 {
                    let texel = &mut self.texels[y * self.size + x];
                    *texel = (texel.0.saturating_add(cover), 0);
                    touched = true;
                }
            }
        }
        self.shade();
        touched
    }

    fn shade(&mut self) -> bool {
        if self.tones.is_empty() || self.humidity != self.dials.humidity {
            self.humidity = self.dials.humidity;
            let blood = BloodSettings { humidity: self.humidity, ..Default::default() };
            let tone = |age| {
                let look = appearance(age, 60, DRY_REF_AREA_M2, &blood);
                let [r, g, b] = look.srgb.map(byte);
                [r, g, b, byte(look.roughness)]
            };
            self.tones = (0..=DRY_REF_TICKS).map(tone).collect();
        }
        let mut changed = false;
        for ((texel, albedo), gloss) in self.texels.iter().zip(&mut self.albedo).zip(&mut self.gloss) {
            let (new_albedo, new_gloss) = composite(*texel, &self.surface, &self.tones, &self.dials);
            changed |= *albedo != new_albedo || *gloss != new_gloss;
            *albedo = new_albedo;
            *gloss = new_gloss;
        }
        changed
    }
}

/// The bytes of one texel: blood over the surface by coverage, on the encoded values.
fn composite(
    (amount, age): Texel,
    surface: &Surface,
    tones: &[[u8; 4]],
    dials: &Dials,
) -> ([u8; TEXEL_BYTES], [u8; TEXEL_BYTES]) {
    if amount == 0 {
        return (surface.albedo(), surface.gloss());
    }
    let reference_age = u32::from(age.min(dials.span)) * DRY_REF_TICKS / u32::from(dials.span);
    let tone = tones[reference_age as usize];
    let over = |base: u8, blood: u8| {
        let (cover, bare) = (u32::from(amount), 255 - u32::from(amount));
        ((u32::from(base) * bare + u32::from(blood) * cover + 127) / 255) as u8
    };
    let [r, g, b] = [0, 1, 2].map(|c| over(surface.srgb[c], tone[c]));
    ([r, g, b, 255], [255, over(surface.roughness, tone[3]), 0, 255])
}

/// What a texel sheds in one drip: the excess over the threshold while it is wet, nothing once it is dry.
fn parcel((amount, age): Texel, dials: &Dials) -> u8 {
    if dials.is_wet(age) { amount.saturating_sub(dials.threshold) } else { 0 }
}

/// **Drip.** Every wet texel's excess moves one texel along `step`; what leaves the canvas is lost.
///
/// Conserved to the byte wherever the destination is wet: its residue is at most the threshold and the parcel at most
/// `255 − threshold`. Onto a saturated dry crust the sum is cut at 255, because more than full coverage is not visible.
fn drip(before: &[Texel], after: &mut [Texel], size: usize, step: Step, dials: &Dials) {
    let stay = |own: Texel| own.0 - parcel(own, dials);
    for (y, row) in after.chunks_exact_mut(size).enumerate() {
        let own = &before[y * size..][..size];
        let source = match step {
            Step { y: 1, .. } => y.checked_sub(1).map(|source| &before[source * size..][..size]),
            Step { y: -1, .. } => before.get((y + 1) * size..).and_then(|rest| rest.get(..size)),
            _ => Some(own),
        };
        for (x, texel) in row.iter_mut().enumerate() {
            // Past either end of the row `get` gives nothing, and so does a row past the canvas.
            let source = source.and_then(|row| row.get(x.wrapping_add_signed(-step.x as isize)));
            let arriving = source.map_or((0, 0), |&source| (parcel(source, dials), source.1));
            *texel = receive(own[x], stay(own[x]), arriving);
        }
    }
}

/// A texel that keeps `residue` of its own and takes in a parcel. The younger of the two ages wins where both are blood.
fn receive(own: Texel, residue: u8, (arriving, arriving_age): Texel) -> Texel {
    let amount = residue.saturating_add(arriving);
    let age = match (residue, arriving) {
        (0, 0) => 0,
        (0, _) => arriving_age,
        (_, 0) => own.1,
        _ => own.1.min(arriving_age),
    };
    (amount, age)
}

/// **Spread.** Wet texels level out with their wet neighbours in the 4-neighbourhood; the edge of the canvas lets nothing through.
///
/// The flux on an edge is `round(k · (aᵢ − aⱼ))`, half away from zero. That rounding is odd, so the flux one way is exactly minus
/// the flux the other way, and nothing is made or lost except where a texel is cut at 0 or 255.
fn spread(before: &[Texel], after: &mut [Texel], size: usize, dials: &Dials) {
    let fluxes = Fluxes::at(dials.edge_rate);
    for (y, row) in after.chunks_exact_mut(size).enumerate() {
        let own_row = &before[y * size..][..size];
        // Where there is no neighbour a texel stands for its own, to which nothing flows.
        let above = if y > 0 { &before[(y - 1) * size..][..size] } else { own_row };
        let below = before.get((y + 1) * size..).filter(|rest| !rest.is_empty()).map_or(own_row, |rest| &rest[..size]);
        for (x, texel) in row.iter_mut().enumerate() {
            let left = own_row[x.saturating_sub(1)];
            let right = own_row[(x + 1).min(size - 1)];
            *texel = level(own_row[x], [left, right, above[x], below[x]], &fluxes, dials);
        }
    }
}

/// One texel after it has levelled out with its neighbours.
fn level(own: Texel, neighbours: [Texel; 4], fluxes: &Fluxes, dials: &Dials) -> Texel {
    if !dials.is_wet(own.1) {
        return own;
    }
    let mut leaving = 0;
    let mut youngest = own.1;
    for (amount, age) in neighbours {
        if dials.is_wet(age) {
            let flux = fluxes.across(own.0, amount);
            leaving += flux;
            if flux < 0 {
                youngest = youngest.min(age);
            }
        }
    }
    let amount = (i32::from(own.0) - leaving).clamp(0, 255) as u8;
    (amount, if amount == 0 { 0 } else { youngest })
}

/// Coverage that crosses an edge, for each of the 511 differences there are: rounding once a tick and not four times a texel.
struct Fluxes([i8; 511]);

impl Fluxes {
    fn at(edge_rate: f32) -> Self {
        // At most a quarter of 255 in size.
        Self(std::array::from_fn(|i| (edge_rate * (i as f32 - 255.0)).round() as i8))
    }

    /// From `a` to `b`; negative when it comes the other way.
    fn across(&self, a: u8, b: u8) -> i32 {
        i32::from(self.0[255 + usize::from(a) - usize::from(b)])
    }
}

/// **Time.** Blood ages by one tick, up to dry, and the substrate takes its share of what is still wet.
///
/// Age stops at the span and dry blood keeps its amount, which makes a dry canvas a fixed point.
fn time(texels: &mut [Texel], dials: &Dials) {
    for texel in texels {
        let (amount, age) = *texel;
        *texel = if amount == 0 { (0, 0) } else { one_tick_older(amount, age, dials) };
    }
}

fn one_tick_older(amount: u8, age: u16, dials: &Dials) -> Texel {
    let older = age.saturating_add(1).min(dials.span);
    if !dials.is_wet(age) {
        return (amount, older);
    }
    let left = amount.saturating_sub(dials.absorbed(older) - dials.absorbed(age));
    (left, if left == 0 { 0 } else { older })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WetSettings;

    #[test]
    fn a_run_leaves_a_trail() {
        let dials = Dials::of(&WetSettings::default());
        let mut before = vec![(255u8, 7u16), (0, 0), (0, 0)];
        let mut after = before.clone();
        // A single column cannot be expressed as a square canvas, so the drip runs along the first row of a 3 × 3.
        before.resize(9, (0, 0));
        after.resize(9, (0, 0));
        drip(&before, &mut after, 3, Step { x: 1, y: 0 }, &dials);
        assert_eq!(after[..3], [(89, 7), (166, 7), (0, 0)]);
    }

    #[test]
    fn what_steps_off_the_canvas_is_lost() {
        let dials = Dials::of(&WetSettings::default());
        let before = [(200, 3); 4];
        let mut after = before;
        drip(&before, &mut after, 2, Step { x: 0, y: -1 }, &dials);
        // The bottom row receives nothing, the top row's parcels leave.
        assert_eq!(after, [(200, 3), (200, 3), (89, 3), (89, 3)]);
    }

    #[test]
    fn a_saturated_dry_crust_takes_no_more() {
        let dials = Dials::of(&WetSettings { dry_ticks: 10, ..Default::default() });
        let before = [(200, 3), (250, 10), (0, 0), (0, 0)];
        let mut after = before;
        drip(&before, &mut after, 2, Step { x: 1, y: 0 }, &dials);
        assert_eq!(after[..2], [(89, 3), (255, 3)]);
    }

    #[test]
    fn flux_is_odd_and_rounds_half_away_from_zero() {
        for rate in [0.02, 0.1, 0.25] {
            let fluxes = Fluxes::at(rate);
            for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))) {
                assert_eq!(fluxes.across(a, b), -fluxes.across(b, a), "{a} {b} at {rate}");
            }
        }
        let fluxes = Fluxes::at(0.25);
        assert_eq!((fluxes.across(2, 0), fluxes.across(0, 2), fluxes.across(255, 0)), (1, -1, 64));
    }
}
