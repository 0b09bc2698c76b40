//! Waves by frequency: bands as narrow as the tile's few long waves allow, and no narrower.

use std::f64::consts::TAU;

use super::tally::{Estimate, Tally};

/// A band ends when its frequencies would span more than this ratio.
const BAND_RATIO: f64 = 1.1;

/// Frequencies that are averaged over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// From here, rad/s,
    pub from: f64,
    /// to here.
    pub to: f64,
    /// S, m²·s.
    pub density: Estimate,
}

/// Waves of one frequency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub omega: f64,
    pub tally: Tally,
}

/// Neighbouring rings.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: f64,
    last: f64,
    tally: Tally,
    /// Σ ω × measured variance.
    moment: f64,
}

impl Group {
    fn of(ring: &Ring) -> Self {
        Self { first: ring.omega, last: ring.omega, tally: ring.tally, moment: ring.omega * ring.tally.measured() }
    }

    fn add(&mut self, ring: &Ring) {
        self.last = ring.omega;
        self.tally.add(&ring.tally);
        self.moment += ring.omega * ring.tally.measured();
    }
}

/// Bands that touch, from `lowest` rad/s to the highest ring, and the measured peak's period, s: 2π over the mean frequency of the
/// energy in the band where S is largest; 0 where there is none.
pub(super) fn bands(mut rings: Vec<Ring>, lowest: f64) -> (Vec<Band>, f64) {
    rings.sort_unstable_by(|a, b| a.omega.total_cmp(&b.omega));
    let mut groups: Vec<Group> = Vec::new();
    for ring in &rings {
        match groups.last_mut() {
            Some(group) if ring.omega <= BAND_RATIO * group.first => group.add(ring),
            _ => groups.push(Group::of(ring)),
        }
    }
    let mut bands = Vec::with_capacity(groups.len());
    let (mut from, mut highest, mut peak_period) = (lowest, 0.0, 0.0);
    for (index, group) in groups.iter().enumerate() {
        // A last ring on its own would be a band of no width.
        let beyond = groups.get(index + 1).map_or(group.last * BAND_RATIO, |next| next.first);
        let to = libm::sqrt(group.last * beyond);
        let density = group.tally.over(to - from);
        if density.measured > highest {
            highest = density.measured;
            peak_period = TAU * group.tally.measured() / group.moment;
        }
        bands.push(Band { from, to, density });
        from = to;
    }
    (bands, peak_period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(omega: f64, measured: f64) -> Ring {
        Ring { omega, tally: Tally::of(1.0, measured) }
    }

    #[test]
    fn bands_touch_hold_everything_and_are_at_least_a_tenth_wide() {
        let rings: Vec<_> = (1..400).map(|n| ring(0.3 * f64::from(n).sqrt(), 2.0)).rev().collect();
        let (bands, _) = bands(rings, 0.2);
        assert_eq!(bands[0].from, 0.2);
        for pair in bands.windows(2) {
            assert_eq!(pair[0].to, pair[1].from);
            assert!(pair[1].to / pair[1].from > 1.09, "{pair:?}");
        }
        let sum =
            |value: fn(&Estimate) -> f64| bands.iter().map(|band| value(&band.density) * (band.to - band.from)).sum::<f64>();
        assert!((sum(|density| density.expected) / 399.0 - 1.0).abs() < 1e-12);
        assert!((sum(|density| density.measured) / 798.0 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_peak_is_in_the_band_that_is_highest_not_the_one_with_most_energy() {
        let (_, period) = bands(vec![ring(1.0, 3.0), ring(1.05, 3.0), ring(2.0, 1.0), ring(8.0, 7.0)], 0.9);
        assert!((period - TAU / 1.025).abs() < 1e-12, "{period} s");
    }

    #[test]
    fn no_waves_are_no_bands() {
        assert_eq!(bands(Vec::new(), 0.0), (Vec::new(), 0.0));
    }
}
