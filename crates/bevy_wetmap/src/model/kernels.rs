//! The passes over a run of texels in one row, as loops that compilers turn into vector code.
//!
//! What makes them so, on every target and without a vector library: planes of one integer type, 16-bit lanes throughout, slices cut
//! to one length before the loop, and choices between values instead of branches. Each is one of the plain passes (see `plain`)
//! rewritten in that form; what they compute is defined there.

use super::exact::{Flux, Soak};
use super::settings::Dials;

/// An age no dial calls wet: what stands where a texel neither gives nor takes, such as beyond the canvas's edge.
pub(crate) const NEVER_WET: u16 = u16::MAX;

/// Coverage and age of a run of texels, as they are kept between ticks.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub amounts: &'a [u8],
    pub ages: &'a [u16],
}

/// The same while a tick works on them: coverage in 16 bits.
#[derive(Clone, Copy)]
pub(crate) struct Loose<'a> {
    pub amounts: &'a [u16],
    pub ages: &'a [u16],
}

/// Where a kernel writes a run of [`Loose`] texels.
pub(crate) struct LooseMut<'a> {
    pub amounts: &'a mut [u16],
    pub ages: &'a mut [u16],
}

/// What a texel sheds.
#[inline(always)]
fn parcel(amount: u16, age: u16, threshold: u16, span: u16) -> u16 {
    if age < span { amount.saturating_sub(threshold) } else { 0 }
}

/// A texel that sheds and takes in what its source sheds.
#[inline(always)]
fn drip_texel(own: (u16, u16), source: (u16, u16), threshold: u16, span: u16) -> (u16, u16) {
    let arriving = parcel(source.0, source.1, threshold, span);
    let residue = own.0 - parcel(own.0, own.1, threshold, span);
    let amount = (residue + arriving).min(255);
    // The threshold is at least 1, so a texel that had blood keeps some: its age counts exactly then.
    let own_age = if own.0 > 0 { own.1 } else { u16::MAX };
    let arriving_age = if arriving > 0 { source.1 } else { u16::MAX };
    let youngest = own_age.min(arriving_age);
    (amount, if amount > 0 { youngest } else { 0 })
}

/// No drip: only into the wider form.
#[inline(never)]
pub(crate) fn widen(own: Kept, out: LooseMut) {
    let n = out.amounts.len();
    let (own_amounts, own_ages) = (&own.amounts[..n], &own.ages[..n]);
    for (wide, &amount) in out.amounts.iter_mut().zip(own_amounts) {
        *wide = u16::from(amount);
    }
    out.ages[..n].copy_from_slice(own_ages);
}

/// **Drip** along y: each texel of the run, and the one of the row it drips from.
#[inline(never)]
pub(crate) fn drip_down(own: Kept, source: Kept, out: LooseMut, dials: &Dials) {
    let (threshold, span, n) = (u16::from(dials.threshold), dials.span, out.amounts.len());
    let (own_amounts, own_ages) = (&own.amounts[..n], &own.ages[..n]);
    let (source_amounts, source_ages) = (&source.amounts[..n], &source.ages[..n]);
    let (amounts, ages) = (&mut out.amounts[..n], &mut out.ages[..n]);
    for i in 0..n {
        let own = (u16::from(own_amounts[i]), own_ages[i]);
        let source = (u16::from(source_amounts[i]), source_ages[i]);
        (amounts[i], ages[i]) = drip_texel(own, source, threshold, span);
    }
}

/// **Drip** along x, from texels that are loose already because they need a neighbour beyond the run's end.
#[inline(never)]
pub(crate) fn drip_along(own: Loose, source: Loose, out: LooseMut, dials: &Dials) {
    let (threshold, span, n) = (u16::from(dials.threshold), dials.span, out.amounts.len());
    let (own_amounts, own_ages) = (&own.amounts[..n], &own.ages[..n]);
    let (source_amounts, source_ages) = (&source.amounts[..n], &source.ages[..n]);
    let (amounts, ages) = (&mut out.amounts[..n], &mut out.ages[..n]);
    for i in 0..n {
        let own = (own_amounts[i], own_ages[i]);
        (amounts[i], ages[i]) = drip_texel(own, (source_amounts[i], source_ages[i]), threshold, span);
    }
}

/// A texel and its four neighbours after the drip.
#[derive(Clone, Copy)]
pub(crate) struct Cross<'a> {
    pub own: Loose<'a>,
    pub around: [Loose<'a>; 4],
}

/// Where a run of texels goes when its tick is done.
pub(crate) struct Settled<'a> {
    pub amounts: &'a mut [u8],
    pub ages: &'a mut [u16],
    /// Coverage of what is still wet, 0 elsewhere.
    pub wet: &'a mut [u8],
}

/// A texel's part of one edge: what it gives, less what it takes, and the age of what it takes.
#[inline(always)]
fn edge<F: Flux>(own: u16, neighbour: u16, age: u16, span: u16, flux: F) -> (u16, u16) {
    let down = own.saturating_sub(neighbour);
    let up = neighbour.saturating_sub(own);
    let crossing = if age < span { flux.across(down | up) } else { 0 };
    let taken = if up > 0 { crossing } else { 0 };
    // One of the two is 0: given less twice what is taken.
    (crossing.wrapping_sub(taken).wrapping_sub(taken), if taken > 0 { age } else { u16::MAX })
}

/// **Spread**, then **time**, of a run of texels.
#[inline(never)]
pub(crate) fn spread_and_age<F: Flux, S: Soak>(cross: Cross, out: Settled, flux: F, soak: S, span: u16) {
    let n = out.amounts.len();
    let cut = |run: Loose<'_>| -> (usize, usize) { (run.amounts.len(), run.ages.len()) };
    debug_assert!(cross.around.iter().all(|run| cut(*run) == (n, n)));
    let (own_amounts, own_ages) = (&cross.own.amounts[..n], &cross.own.ages[..n]);
    let [a, b, c, d] = cross.around;
    let (a_amounts, a_ages) = (&a.amounts[..n], &a.ages[..n]);
    let (b_amounts, b_ages) = (&b.amounts[..n], &b.ages[..n]);
    let (c_amounts, c_ages) = (&c.amounts[..n], &c.ages[..n]);
    let (d_amounts, d_ages) = (&d.amounts[..n], &d.ages[..n]);
    let (amounts, ages, wet) = (&mut out.amounts[..n], &mut out.ages[..n], &mut out.wet[..n]);
    for i in 0..n {
        let (own, age) = (own_amounts[i], own_ages[i]);
        let a = edge(own, a_amounts[i], a_ages[i], span, flux);
        let b = edge(own, b_amounts[i], b_ages[i], span, flux);
        let c = edge(own, c_amounts[i], c_ages[i], span, flux);
        let d = edge(own, d_amounts[i], d_ages[i], span, flux);
        let leaving = a.0.wrapping_add(b.0).wrapping_add(c.0).wrapping_add(d.0);
        let youngest = age.min(a.1.min(b.1).min(c.1.min(d.1)));
        let levelled = (own.wrapping_sub(leaving) as i16).clamp(0, 255) as u16;
        let is_wet = age < span;
        let (amount, age) = if is_wet { (levelled, youngest) } else { (own, age) };
        (amounts[i], ages[i], wet[i]) = age_texel(amount, age, soak, span);
    }
}

/// **Time** alone, where nothing spreads.
#[inline(never)]
pub(crate) fn age_only<S: Soak>(own: Loose, out: Settled, soak: S, span: u16) {
    let n = out.amounts.len();
    let (own_amounts, own_ages) = (&own.amounts[..n], &own.ages[..n]);
    let (amounts, ages, wet) = (&mut out.amounts[..n], &mut out.ages[..n], &mut out.wet[..n]);
    for i in 0..n {
        (amounts[i], ages[i], wet[i]) = age_texel(own_amounts[i], own_ages[i], soak, span);
    }
}

/// Amount, age, and the amount again if it is still wet.
#[inline(always)]
fn age_texel<S: Soak>(amount: u16, age: u16, soak: S, span: u16) -> (u8, u16, u8) {
    let older = age.saturating_add(1).min(span);
    let taken = if age < span { soak.taken(age) } else { 0 };
    let left = amount.saturating_sub(taken);
    let age = if left > 0 { older } else { 0 };
    (left as u8, age, if older < span { left as u8 } else { 0 })
}
