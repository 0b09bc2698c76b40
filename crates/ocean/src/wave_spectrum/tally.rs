//! What a number of independent waves come to, and how far one throw of the dice may be from it.

/// Standard normal deviate that a twentieth lies above.
const NINETY_PERCENT: f64 = 1.645;

/// Variance of some waves: what is expected, and what is there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    expected: f64,
    /// Σ of the squares of each wave's expected variance.
    squares: f64,
    measured: f64,
}

/// A density, or a variance: what theory expects, and what was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The mean over all seeds.
    pub expected: f64,
    /// What nine seeds in ten lie between.
    pub range: [f64; 2],
    /// What this seed has.
    pub measured: f64,
}

impl Tally {
    pub fn of(expected: f64, measured: f64) -> Self {
        Self { expected, squares: expected * expected, measured }
    }

    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.squares += other.squares;
        self.measured += other.measured;
    }

    pub fn expected(&self) -> f64 {
        self.expected
    }

    pub fn measured(&self) -> f64 {
        self.measured
    }

    /// All of it divided by `width`.
    pub fn over(&self, width: f64) -> Estimate {
        Estimate {
            expected: self.expected / width,
            range: self.range().map(|bound| bound / width),
            measured: self.measured / width,
        }
    }

    /// Each wave's variance is a sum of two squares of normals. A sum of waves is then nearly (E/ν) χ²_ν with
    /// ν = 2E²/Σe² degrees of freedom (Welch 1938, Satterthwaite 1946); the quantiles are Wilson and Hilferty's (1931), good to a few percent even
    /// at ν = 2, but for the lower one, which is 0.040 there for 0.051.
    fn range(&self) -> [f64; 2] {
        if self.squares <= 0.0 {
            return [self.expected; 2];
        }
        let per_degree = self.squares / (9.0 * self.expected * self.expected);
        let quantile = |deviate: f64| {
            let root = 1.0 - per_degree + deviate * libm::sqrt(per_degree);
            self.expected * root * root * root
        };
        [quantile(-NINETY_PERCENT), quantile(NINETY_PERCENT)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_equal_waves(waves: u32) -> Estimate {
        let mut tally = Tally::default();
        for _ in 0..waves {
            tally.add(&Tally::of(1.0 / f64::from(waves), 0.0));
        }
        tally.over(1.0)
    }

    #[test]
    fn ranges_are_those_of_tables_of_chi_square() {
        // χ² at 5 % and 95 %, over the degrees of freedom, of which a wave has two.
        for (waves, [low, high]) in [(1, [0.0513, 2.996]), (5, [0.394, 1.831]), (50, [0.7793, 1.2434])] {
            let estimate = of_equal_waves(waves);
            assert!((estimate.expected - 1.0).abs() < 1e-12);
            assert!((estimate.range[0] - low).abs() < 0.012, "{waves} waves: {estimate:?}");
            assert!((estimate.range[1] / high - 1.0).abs() < 0.01, "{waves} waves: {estimate:?}");
        }
    }

    #[test]
    fn nothing_has_no_range() {
        assert_eq!(Tally::default().over(1.0), Estimate::default());
    }
}
