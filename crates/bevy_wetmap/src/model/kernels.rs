//! The passes over a run of texels in one row, as loops that compilers turn into vector code.
//!
//! What makes them so, on every target and without a vector library: 16-bit lanes throughout, blocks of a fixed number of texels as
//! arrays, and choices between values instead of branches. Each is one of the plain passes (see `plain`) rewritten in that form; what
//! they compute is defined there. Runs are a whole number of [`BLOCK`]s long.
//!
//! While a tick works on them, ages are signed and shifted down by 2¹⁵, which keeps their order: the baseline of x86-64 compares
//! and takes the smaller of signed 16-bit lanes only.

use super::blocks::{BLOCK, class};
use super::exact::{Flux, Soak};
use super::lanes::{Lanes, wide};
use super::settings::Dials;

/// Texels that are worked on at once where a run is long enough: what a call costs is spread over them. Measured, on 128-bit and on
/// 256-bit registers; ageing has a 32-bit product that is vector code up to 16 lanes only.
pub(crate) const WIDE: usize = 4 * BLOCK;
pub(crate) const MIDDLE: usize = 2 * BLOCK;

/// A shifted age no dial calls wet: what stands where a texel neither gives nor takes, such as beyond the canvas's edge.
pub(crate) const NEVER_WET: i16 = i16::MAX;

/// The sign bit, which turns an age into its shifted form and back.
const SHIFT: u16 = 1 << 15;

#[inline(always)]
fn shifted(age: u16) -> i16 {
    (age ^ SHIFT) as i16
}

#[inline(always)]
fn unshifted(age: i16) -> u16 {
    age as u16 ^ SHIFT
}

/// Coverage and age of a run of texels, as they are kept between ticks.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub amounts: &'a [u8],
    pub ages: &'a [u16],
}

/// The same while a tick works on them: coverage in 16 bits, shifted ages.
#[derive(Clone, Copy)]
pub(crate) struct Loose<'a> {
    pub amounts: &'a [u16],
    pub ages: &'a [i16],
}

impl<'a> Loose<'a> {
    /// So many texels of it, from one on.
    pub fn part(self, first: usize, length: usize) -> Self {
        Self { amounts: &self.amounts[first..][..length], ages: &self.ages[first..][..length] }
    }
}

/// Where a kernel writes a run of [`Loose`] texels.
pub(crate) struct LooseMut<'a> {
    pub amounts: &'a mut [u16],
    pub ages: &'a mut [i16],
}

/// Visits a run in blocks, the larger ones first: `$at` is where the block begins, `$L` how long it is.
macro_rules! in_blocks {
    ($n:expr, $block:ident($at:ident) $body:block) => {
        in_blocks!([WIDE, MIDDLE, BLOCK], $n, $block($at) $body)
    };
    ([$($length:expr),*], $n:expr, $block:ident($at:ident) $body:block) => {{
        let n = $n;
        let mut $at = 0;
        $(
            while $at + $length <= n {
                const $block: usize = $length;
                $body
                $at += $length;
            }
        )*
    }};
}

pub(crate) use in_blocks;

/// The block at a place of a run. Every run is a whole number of blocks, so it is there; were it not, this would panic and not read on.
#[inline(always)]
pub(crate) fn at<const L: usize, T>(run: &[T], place: usize) -> &[T; L] {
    match run[place..].first_chunk() {
        Some(block) => block,
        None => panic!("a run of {} texels has no block at {place}", run.len()),
    }
}

/// The same, to be written.
#[inline(always)]
pub(crate) fn at_mut<const L: usize, T>(run: &mut [T], place: usize) -> &mut [T; L] {
    let length = run.len();
    match run[place..].first_chunk_mut() {
        Some(block) => block,
        None => panic!("a run of {length} texels has no block at {place}"),
    }
}

/// All ones where something holds, none where not: a choice that stays in 16-bit lanes.
#[inline(always)]
fn mask(holds: bool) -> u16 {
    u16::from(holds).wrapping_neg()
}

/// What a texel sheds.
#[inline(always)]
fn parcel(amount: u16, age: i16, threshold: u16, span: i16) -> u16 {
    amount.saturating_sub(threshold) & mask(age < span)
}

/// A texel that sheds and takes in what its source sheds.
#[inline(always)]
fn drip_texel(own: (u16, i16), source: (u16, i16), threshold: u16, span: i16) -> (u16, i16) {
    let arriving = parcel(source.0, source.1, threshold, span);
    let residue = own.0 - parcel(own.0, own.1, threshold, span);
    let amount = (residue + arriving).min(255);
    // The threshold is at least 1, so a texel that had blood keeps some: its age counts exactly then. The oldest age there is loses
    // against any other.
    let own_age = if own.0 == 0 { i16::MAX } else { own.1 };
    let youngest = own_age.min(if arriving == 0 { i16::MAX } else { source.1 });
    (amount, if amount == 0 { shifted(0) } else { youngest })
}

/// No drip: only into the looser form.
pub(crate) fn loosen(lanes: Lanes, own: Kept, out: LooseMut) {
    in_blocks!(out.amounts.len(), L(i) {
        loosen_block::<L>(lanes, at(own.amounts, i), at(own.ages, i), at_mut(out.amounts, i), at_mut(out.ages, i));
    });
}

wide! {
    fn loosen_block [const L: usize] [L] (own_amounts: &[u8; L], own_ages: &[u16; L], amounts: &mut [u16; L], ages: &mut [i16; L]) {
        *amounts = own_amounts.map(u16::from);
        *ages = own_ages.map(shifted);
    }
}

/// **Drip** along y: each texel of the run, and the one of the row it drips from.
pub(crate) fn drip_down(lanes: Lanes, own: Kept, source: Kept, out: LooseMut, dials: &Dials) {
    let (threshold, span) = (u16::from(dials.threshold), shifted(dials.span));
    in_blocks!(out.amounts.len(), L(i) {
        drip_down_block::<L>(
            lanes,
            at(own.amounts, i),
            at(own.ages, i),
            at(source.amounts, i),
            at(source.ages, i),
            at_mut(out.amounts, i),
            at_mut(out.ages, i),
            threshold,
            span,
        );
    });
}

wide! {
    fn drip_down_block [const L: usize] [L] (
        own_amounts: &[u8; L],
        own_ages: &[u16; L],
        source_amounts: &[u8; L],
        source_ages: &[u16; L],
        amounts: &mut [u16; L],
        ages: &mut [i16; L],
        threshold: u16,
        span: i16,
    ) {
        for i in 0..L {
            let own = (u16::from(own_amounts[i]), shifted(own_ages[i]));
            let source = (u16::from(source_amounts[i]), shifted(source_ages[i]));
            (amounts[i], ages[i]) = drip_texel(own, source, threshold, span);
        }
    }
}

/// **Drip** along x, from texels that are loose already because they need a neighbour beyond the run's end.
pub(crate) fn drip_along(lanes: Lanes, own: Loose, source: Loose, out: LooseMut, dials: &Dials) {
    let (threshold, span) = (u16::from(dials.threshold), shifted(dials.span));
    in_blocks!(out.amounts.len(), L(i) {
        drip_along_block::<L>(
            lanes,
            at(own.amounts, i),
            at(own.ages, i),
            at(source.amounts, i),
            at(source.ages, i),
            at_mut(out.amounts, i),
            at_mut(out.ages, i),
            threshold,
            span,
        );
    });
}

wide! {
    fn drip_along_block [const L: usize] [L] (
        own_amounts: &[u16; L],
        own_ages: &[i16; L],
        source_amounts: &[u16; L],
        source_ages: &[i16; L],
        amounts: &mut [u16; L],
        ages: &mut [i16; L],
        threshold: u16,
        span: i16,
    ) {
        for i in 0..L {
            let source = (source_amounts[i], source_ages[i]);
            (amounts[i], ages[i]) = drip_texel((own_amounts[i], own_ages[i]), source, threshold, span);
        }
    }
}

/// A run after the drip, with one more texel at either end, and the runs above and below it.
#[derive(Clone, Copy)]
pub(crate) struct Cross<'a> {
    pub own: Loose<'a>,
    pub above: Loose<'a>,
    pub below: Loose<'a>,
}

/// A texel's part of one edge: what it gives, less what it takes, and the age of what it takes.
#[inline(always)]
fn edge<F: Flux>(own: u16, neighbour: u16, age: i16, span: i16, flux: F) -> (u16, i16) {
    let down = own.saturating_sub(neighbour);
    let up = neighbour.saturating_sub(own);
    let crossing = flux.across(down | up) & mask(age < span);
    let taken = crossing & mask(up != 0);
    // Given, less what is taken: one of the two is 0.
    (crossing.wrapping_sub(taken).wrapping_sub(taken), if taken == 0 { i16::MAX } else { age })
}

/// **Spread.**
pub(crate) fn spread<F: Flux>(lanes: Lanes, cross: Cross, out: LooseMut, flux: F, span: u16) {
    let span = shifted(span);
    let Cross { own, above, below } = cross;
    in_blocks!(out.amounts.len(), L(i) {
        spread_block::<L, { L + 2 }, F>(
            lanes,
            at(own.amounts, i),
            at(own.ages, i),
            at(above.amounts, i),
            at(above.ages, i),
            at(below.amounts, i),
            at(below.ages, i),
            at_mut(out.amounts, i),
            at_mut(out.ages, i),
            flux,
            span,
        );
    });
}

wide! {
    fn spread_block [const L: usize, const W: usize, F: Flux] [L, W, F] (
        own_amounts: &[u16; W],
        own_ages: &[i16; W],
        above_amounts: &[u16; L],
        above_ages: &[i16; L],
        below_amounts: &[u16; L],
        below_ages: &[i16; L],
        amounts: &mut [u16; L],
        ages: &mut [i16; L],
        flux: F,
        span: i16,
    ) {
        for i in 0..L {
            let (own, age) = (own_amounts[i + 1], own_ages[i + 1]);
            let left = edge(own, own_amounts[i], own_ages[i], span, flux);
            let right = edge(own, own_amounts[i + 2], own_ages[i + 2], span, flux);
            let above = edge(own, above_amounts[i], above_ages[i], span, flux);
            let below = edge(own, below_amounts[i], below_ages[i], span, flux);
            let leaving = left.0.wrapping_add(right.0).wrapping_add(above.0).wrapping_add(below.0) & mask(age < span);
            let youngest = left.1.min(right.1).min(above.1.min(below.1));
            amounts[i] = (own.wrapping_sub(leaving) as i16).clamp(0, 255) as u16;
            // Dry blood takes nothing, and keeps its age.
            ages[i] = if age < span { age.min(youngest) } else { age };
        }
    }
}

/// Where a run of texels goes when its tick is done.
pub(crate) struct Settled<'a> {
    pub amounts: &'a mut [u8],
    pub ages: &'a mut [u16],
    /// The [`class`] of each.
    pub classes: &'a mut [u8],
}

/// What blood of this coverage and age will do.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Dry from this age on, ticks.
    pub span: u16,
    /// Creeps from this coverage on, at least 1.
    pub creeps: u16,
    /// Drips from this coverage on.
    pub drips: u16,
}

/// **Time.**
pub(crate) fn age<S: Soak>(lanes: Lanes, own: Loose, out: Settled, soak: S, limits: Limits) {
    in_blocks!([MIDDLE, BLOCK], out.amounts.len(), L(i) {
        age_block::<L, S>(
            lanes,
            at(own.amounts, i),
            at(own.ages, i),
            at_mut(out.amounts, i),
            at_mut(out.ages, i),
            at_mut(out.classes, i),
            soak,
            limits,
        );
    });
}

wide! {
    fn age_block [const L: usize, S: Soak] [L, S] (
        own_amounts: &[u16; L],
        own_ages: &[i16; L],
        amounts: &mut [u8; L],
        ages: &mut [u16; L],
        classes: &mut [u8; L],
        soak: S,
        limits: Limits,
    ) {
        let Limits { span, creeps, drips } = limits;
        let (mut left, mut class) = ([0u16; L], [0u16; L]);
        for i in 0..L {
            let age = unshifted(own_ages[i]);
            let older = age.saturating_add(1).min(span);
            left[i] = own_amounts[i].saturating_sub(soak.taken(age) & mask(age < span));
            ages[i] = older & mask(left[i] != 0);
            let wet = left[i] & mask(older < span);
            let moves = (mask(wet >= creeps) & class::CREEPS) | (mask(wet >= drips) & class::DRIPS);
            class[i] = (mask(wet != 0) & class::WET) | moves;
        }
        *amounts = left.map(|amount| amount as u8);
        *classes = class.map(|class| class as u8);
    }
}
