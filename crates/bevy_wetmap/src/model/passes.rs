//! The three passes that change the state: drip, spread, time.
//!
//! Each pass is a function from the state at its own start (`before`) to the state at its end (`after`), and writes each texel
//! once, from `before` alone. So the order in which texels are visited cannot change the answer, and a parcel cannot be carried
//! along by the loop that moves it. Model: `wetmap_paint` notes page; one texel is `(amount, age)`.

use super::settings::Dials;

/// One texel: coverage `0..=255` and age in ticks since the youngest blood in it landed. `(0, 0)` is untouched.
pub type Texel = (u8, u16);

/// Which way a drip steps, in texels: exactly one of the two is ±1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub x: i32,
    pub y: i32,
}

impl Step {
    /// The dominant axis of a gravity vector in UV space. `None` for exactly zero or non-finite gravity: nothing drips.
    ///
    /// Quantised because a fractional step would need interpolation, and that is a second model of movement. A tie goes to `x`.
    pub fn along(gravity_uv: [f32; 2]) -> Option<Self> {
        let [x, y] = gravity_uv;
        if !x.is_finite() || !y.is_finite() || (x == 0.0 && y == 0.0) {
            return None;
        }
        Some(if x.abs() >= y.abs() {
            Self { x: if x > 0.0 { 1 } else { -1 }, y: 0 }
        } else {
            Self { x: 0, y: if y > 0.0 { 1 } else { -1 } }
        })
    }
}

/// What a texel sheds in one drip: the excess over the threshold while it is wet, nothing once it is dry.
fn parcel((amount, age): Texel, dials: &Dials) -> u8 {
    if dials.is_wet(age) { amount.saturating_sub(dials.threshold) } else { 0 }
}

/// **Drip.** Every wet texel's excess moves one texel along `step`; what leaves the canvas is lost.
///
/// Conserved to the byte wherever the destination is wet: its residue is at most the threshold and the parcel at most
/// `255 − threshold`. Onto a saturated dry crust the sum is cut at 255, because more than full coverage is not visible.
pub(crate) fn drip(before: &[Texel], after: &mut [Texel], size: usize, step: Step, dials: &Dials) {
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
pub(crate) fn spread(before: &[Texel], after: &mut [Texel], size: usize, dials: &Dials) {
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
pub(crate) fn time(texels: &mut [Texel], dials: &Dials) {
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
    fn gravity_is_quantised_to_the_dominant_axis() {
        let step = |x, y| Step::along([x, y]).map(|s| (s.x, s.y));
        assert_eq!(step(0.0, 1.0), Some((0, 1)));
        assert_eq!(step(0.0, -0.1), Some((0, -1)));
        assert_eq!(step(-2.0, 1.0), Some((-1, 0)));
        assert_eq!(step(1.0, -1.0), Some((1, 0)), "a tie goes to x");
        assert_eq!(step(1e-30, 0.0), Some((1, 0)), "however small");
        for (x, y) in [(0.0, 0.0), (-0.0, 0.0), (f32::NAN, 1.0), (1.0, f32::INFINITY)] {
            assert_eq!(step(x, y), None, "({x}, {y})");
        }
    }

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
