//! Two roundings of the model as integer arithmetic that is exact for every argument, and wide: what a vector register can do to
//! eight or sixteen texels at once.
//!
//! Both are made once for a set of dials and *checked there against the formula*, for every argument there is. Where the fast form
//! does not fit, a slow one stands in that is the formula itself; so being fast is luck, and being right is not.

use super::settings::Dials;

/// Coverage that crosses an edge for a difference of coverage `0..=255`: `round(k · difference)`, half away from zero. The rounding is
/// odd, so the sign is the caller's.
pub(crate) trait Flux: Copy {
    /// From the absolute difference.
    fn across(self, difference: u16) -> u16;
}

/// `(⌊difference · multiplier / 256⌋ + offset) >> shift`.
///
/// A rounded multiple is a straight line in steps, and a line in steps of 256 points has a fixed-point form if the factor is fine
/// enough; 16 bits nearly always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineFlux {
    /// The factor's two bytes: two products that stay within 16 bits, where one of 32 would halve what a register holds.
    high: u16,
    low: u16,
    offset: u16,
    shift: u16,
}

impl Flux for LineFlux {
    #[inline(always)]
    fn across(self, difference: u16) -> u16 {
        let scaled = difference.wrapping_mul(self.high).wrapping_add(difference.wrapping_mul(self.low) >> 8);
        scaled.wrapping_add(self.offset) >> (self.shift & 15)
    }
}

/// The formula, tabulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableFlux<'a>(pub &'a [u8; 256]);

impl Flux for TableFlux<'_> {
    #[inline(always)]
    fn across(self, difference: u16) -> u16 {
        u16::from(self.0[usize::from(difference & 255)])
    }
}

/// Both forms of the flux at one rate.
#[derive(Clone, Debug)]
pub(crate) struct Fluxes {
    edge_rate: f32,
    table: [u8; 256],
    line: Option<LineFlux>,
    least: u16,
}

impl Fluxes {
    /// For a quarter of the spread rate, `0..=0.25`.
    pub fn at(edge_rate: f32) -> Self {
        // At most a quarter of 255. The product is rounded to `f32` first, as the model says.
        let table = std::array::from_fn(|difference| (edge_rate * difference as f32).round() as u8);
        let least = table.iter().position(|&flux| flux > 0).map_or(u16::MAX, |difference| difference as u16);
        Self { edge_rate, table, line: line_through(&table, edge_rate), least }
    }

    /// The rate these were made for.
    pub fn edge_rate(&self) -> f32 {
        self.edge_rate
    }

    /// The smallest difference that moves anything; more than any coverage if none does.
    pub fn least(&self) -> u16 {
        self.least
    }

    /// The fast form, if there is one.
    pub fn line(&self) -> Option<LineFlux> {
        self.line
    }

    /// The form that always is.
    pub fn table(&self) -> TableFlux<'_> {
        TableFlux(&self.table)
    }
}

/// A fixed-point line that goes through every one of these steps.
fn line_through(steps: &[u8; 256], rate: f32) -> Option<LineFlux> {
    const NEARBY: i64 = 24;
    // The finest factor whose sum with the offset still fits 16 bits.
    let fits = |shift: &u16| f64::from(rate) * 2f64.powi(i32::from(*shift) + 8) + 2f64.powi(i32::from(*shift)) < 65_535.0;
    for shift in (1..=15).rev().filter(fits).take(3) {
        let middle = (f64::from(rate) * 2f64.powi(i32::from(shift) + 8)).round() as i64;
        for distance in 0..=NEARBY {
            for multiplier in [middle - distance, middle + distance] {
                let Ok(multiplier) = u16::try_from(multiplier) else { continue };
                if let Some(offset) = offset_for(steps, multiplier, shift) {
                    return Some(LineFlux { high: multiplier >> 8, low: multiplier & 255, offset, shift });
                }
            }
        }
    }
    None
}

/// The smallest offset with which a factor gives every step.
fn offset_for(steps: &[u8; 256], multiplier: u16, shift: u16) -> Option<u16> {
    let (mut least, mut most) = (0i64, (1i64 << shift) - 1);
    for (difference, &step) in steps.iter().enumerate() {
        let scaled = (difference as i64 * i64::from(multiplier)) >> 8;
        least = least.max((i64::from(step) << shift) - scaled);
        most = most.min(((i64::from(step) + 1) << shift) - 1 - scaled);
    }
    let offset = u16::try_from(least).ok().filter(|_| least <= most)?;
    let largest = ((255 * u32::from(multiplier)) >> 8) + u32::from(offset);
    (largest <= u32::from(u16::MAX)).then_some(offset)
}

/// Coverage that the substrate takes from wet blood in one tick: `absorbed(age + 1) − absorbed(age)`, for `age < span`.
pub(crate) trait Soak: Copy {
    /// From the age before the tick, ticks.
    fn taken(self, age: u16) -> u16;
}

/// For a share smaller than the span, so that at most one step falls into a tick: it does where the remainder of `age · soak / span`
/// and the share together reach the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepSoak {
    soak: u16,
    span: u16,
    /// ⌊soak · 2¹⁶ / span⌋.
    reciprocal: u16,
}

impl StepSoak {
    /// `None` when a tick may take more than one, or the remainder does not fit 16 bits.
    pub fn of(dials: &Dials) -> Option<Self> {
        const LONGEST: u16 = 32_768;
        let soak = u16::from(dials.soak);
        if soak >= dials.span || dials.span > LONGEST {
            return None;
        }
        let reciprocal = (u32::from(soak) << 16) / u32::from(dials.span);
        Some(Self { soak, span: dials.span, reciprocal: u16::try_from(reciprocal).ok()? })
    }
}

impl Soak for StepSoak {
    #[inline(always)]
    fn taken(self, age: u16) -> u16 {
        // The quotient is exact or one too small: the reciprocal is short by less than 2⁻¹⁶, and the age is below 2¹⁶.
        let quotient = ((u32::from(age) * u32::from(self.reciprocal)) >> 16) as u16;
        let remainder = age.wrapping_mul(self.soak).wrapping_sub(quotient.wrapping_mul(self.span));
        // Below twice the span. If it is below the span, taking that away wraps to something larger.
        let remainder = remainder.min(remainder.wrapping_sub(self.span));
        u16::from(remainder.wrapping_add(self.soak) >= self.span)
    }
}

/// For any dials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnySoak {
    share: Ratio,
    span: u16,
}

impl AnySoak {
    /// Of these dials.
    pub fn of(dials: &Dials) -> Self {
        Self { share: Ratio::new(u32::from(dials.soak), dials.span), span: dials.span }
    }
}

impl Soak for AnySoak {
    #[inline(always)]
    fn taken(self, age: u16) -> u16 {
        let age = age.min(self.span);
        let older = age.saturating_add(1).min(self.span);
        (self.share.of(older) - self.share.of(age)) as u16
    }
}

/// `⌊age · numerator / span⌋` for `age ≤ span`, without a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    factor: u64,
}

impl Ratio {
    /// The product stays below 2²⁷ and the span below 2¹⁶, so a reciprocal rounded up at 43 bits is off by less than what separates a
    /// quotient from the next.
    const BITS: u32 = 43;

    /// A numerator up to 2,047.
    pub fn new(numerator: u32, span: u16) -> Self {
        debug_assert!(numerator < 2_048 && span > 0);
        Self { factor: (1u64 << Self::BITS).div_ceil(u64::from(span)) * u64::from(numerator) }
    }

    /// Of an age that is at most the span.
    #[inline(always)]
    pub fn of(self, age: u16) -> u32 {
        (u64::from(age).wrapping_mul(self.factor) >> Self::BITS) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WetSettings;

    fn rates() -> impl Iterator<Item = f32> {
        let named = [0.0, f32::MIN_POSITIVE, 1e-30, 1e-6, 0.001, 0.02, 0.1, 0.125, 0.2, 0.249_999, 0.25];
        // Every 1/4096, and numbers that lie just beside a tie: rates at which k · d is nearly a half for some d.
        let even = (1..=1024).map(|i| i as f32 / 4096.0);
        let ties = (1..=255u16).flat_map(|d| {
            let rate = 0.5 / f32::from(d);
            [rate, rate.next_up(), rate.next_down()]
        });
        named.into_iter().chain(even).chain(ties).filter(|rate| *rate <= 0.25)
    }

    #[test]
    fn flux_is_the_rounded_product() {
        let (mut lines, mut all) = (0, 0);
        for rate in rates() {
            let fluxes = Fluxes::at(rate);
            for difference in 0..=255u16 {
                let exact = (rate * f32::from(difference)).round() as u16;
                assert_eq!(fluxes.table().across(difference), exact, "{rate} {difference}");
                if let Some(line) = fluxes.line() {
                    assert_eq!(line.across(difference), exact, "{rate} {difference} {line:?}");
                }
            }
            all += 1;
            lines += usize::from(fluxes.line().is_some());
        }
        assert!(lines * 100 >= all * 99, "{lines} of {all} rates have the fast form");
        assert!(Fluxes::at(0.02).line().is_some(), "the default has");
    }

    #[test]
    fn soaking_is_the_difference_of_the_schedule() {
        let spans = (1..=300).chain([1000, 1799, 1800, 1801, 3600, 32_767, 32_768, 32_769, 36_000, 65_534, 65_535]);
        let mut steps = 0;
        for dry_ticks in spans {
            for absorbency in [0.0, 0.003, 0.15, 0.5, 1.0] {
                let dials = Dials::of(&WetSettings { dry_ticks, absorbency, ..Default::default() });
                let (step, any) = (StepSoak::of(&dials), AnySoak::of(&dials));
                steps += usize::from(step.is_some());
                for age in 0..dials.span {
                    let exact = u16::from(dials.absorbed(age + 1) - dials.absorbed(age));
                    assert_eq!(any.taken(age), exact, "{dials:?} {age}");
                    assert!(step.is_none_or(|step| step.taken(age) == exact), "{dials:?} {age}");
                }
            }
        }
        assert!(steps > 500, "the fast form is met: {steps}");
    }

    #[test]
    fn ratios_are_the_integer_quotient() {
        let spans = (1..=2000u16).chain((2000..65_000).step_by(997)).chain([65_534, 65_535]);
        for span in spans {
            let ratio = Ratio::new(1800, span);
            // Around every multiple the quotient changes; these are where a short reciprocal would show.
            for age in (0..=span).step_by(usize::from(span / 500 + 1)).chain([span - 1, span]) {
                assert_eq!(ratio.of(age), u32::from(age) * 1800 / u32::from(span), "{age} of {span}");
            }
        }
    }
}
