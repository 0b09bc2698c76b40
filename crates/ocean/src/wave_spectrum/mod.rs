//! The spectrum of a field that is there: how its variance lies over frequencies and headings, measured in its maps, beside what theory
//! expects of a sea on these tiles and on open water.
//!
//! **Open water** ([`theory`]) is the formulas' smooth S(ω) and D(θ). A tile holds only the waves that fit on it, a few of them near the peak, so what is
//! **expected** of it is a sum over those: by band and by sector, its integral the very variance that [`statistics`](crate::statistics) makes
//! Hs of. What is **measured** is a throw of the dice about that, each wave's variance times a χ² of two degrees of freedom, and stays what it is
//! while the sea does: waves pass, their amplitudes do not change. [`Estimate::range`] says how far from the expected it may well be.
//!
//! S is one-sided and of heights at points at rest, as the formulas have it: ∫S dω = ∫D dθ = m₀, Hs = 4√m₀. What a buoy would say of the surface as drawn
//! differs a little, since crests are sharpened sideways.
//!
//! One [`WaveSpectrum::of`] a 64² field costs about a millisecond a cascade, most of it for the spectrum's formulas, and allocates two grids and a few lists.

mod bands;
mod tally;
pub mod theory;

pub use bands::Band;
pub use tally::Estimate;

use std::f64::consts::TAU;

use crate::dispersion::omega;
use crate::spectrum::CascadeSpectrum;
use crate::statistics::peak_period;
use crate::surface_field::{DrawnCascade, LatticeWave, SurfaceField};

use bands::{Ring, bands};
use tally::Tally;

/// Sectors of the compass, the first around heading 0.
pub const SECTORS: usize = 16;

/// Headings that are averaged over: a 16th of the circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sector {
    /// Its middle, radians: 0 is +x, π/2 is +z.
    pub heading: f64,
    /// D, m²/rad.
    pub density: Estimate,
}

/// A sea in three numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// m₀, the variance of the heights, m².
    pub variance: f64,
    /// Tp, s. 0 where there are no waves.
    pub peak_period: f64,
    /// Heading that the energy goes to, radians in (−π, π].
    pub heading: f64,
}

impl Summary {
    /// Hs = 4√m₀, m.
    pub fn wave_height(&self) -> f64 {
        4.0 * libm::sqrt(self.variance)
    }
}

/// The wind of one cascade that moves the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CascadeWind {
    /// m/s.
    pub speed: f64,
    /// Heading it blows to, radians.
    pub heading: f64,
    /// This cascade's share of the expected variance.
    pub share: f64,
}

/// See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct WaveSpectrum {
    /// S(ω) by ascending frequency, without gaps between bands.
    pub bands: Vec<Band>,
    /// D(θ) around the circle.
    pub sectors: [Sector; SECTORS],
    /// Expected of these tiles. Tp is that of the cascade with most of the variance.
    pub expected: Summary,
    /// Measured in this sea. Tp is that of the band where S is largest, at the mean of its energy.
    pub measured: Summary,
    /// The variance that nine seeds in ten lie between, m².
    pub variance_range: [f64; 2],
    /// The winds, by cascade.
    pub winds: Vec<CascadeWind>,
}

impl WaveSpectrum {
    /// Measures `field` as it is at its last update.
    pub fn of(field: &SurfaceField) -> Self {
        let cascades: Vec<DrawnCascade> = field.drawn_cascades().collect();
        let mut sums = Sums { by_cascade: vec![0.0; cascades.len()], ..Sums::default() };
        field.for_each_wave(|wave| sums.add(&wave));
        let (bands, measured_period) = bands(std::mem::take(&mut sums.rings), longest(&cascades));
        Self {
            bands,
            sectors: sums.sectors(),
            expected: Summary {
                variance: sums.all.expected(),
                peak_period: dominant(&cascades, &sums.by_cascade).map_or(0.0, peak_period),
                heading: heading(sums.expected_along),
            },
            measured: Summary {
                variance: sums.all.measured(),
                peak_period: measured_period,
                heading: heading(sums.measured_along),
            },
            variance_range: sums.all.over(1.0).range,
            winds: sums.winds(&cascades),
        }
    }

    /// The upper edge of the band below which `share` of the expected variance lies, rad/s: where a plot may end. 0 where there are no waves.
    pub fn omega_below_which(&self, share: f64) -> f64 {
        let mut sum = 0.0;
        let reached = self.bands.iter().find(|band| {
            sum += band.density.expected * (band.to - band.from);
            sum >= share * self.expected.variance
        });
        reached.or(self.bands.last()).map_or(0.0, |band| band.to)
    }
}

/// What is added up over the waves.
#[derive(Default)]
struct Sums {
    all: Tally,
    rings: Vec<Ring>,
    sectors: [Tally; SECTORS],
    /// Expected variance, by cascade.
    by_cascade: Vec<f64>,
    expected_along: [f64; 2],
    measured_along: [f64; 2],
}

impl Sums {
    fn add(&mut self, wave: &LatticeWave) {
        let tally = Tally::of(wave.expected, wave.measured);
        self.all.add(&tally);
        self.by_cascade[wave.cascade] += wave.expected;
        match self.rings.last_mut() {
            Some(ring) if ring.omega == wave.omega => ring.tally.add(&tally),
            _ => self.rings.push(Ring { omega: wave.omega, tally }),
        }
        self.sectors[sector_of(wave.direction)].add(&tally);
        for axis in 0..2 {
            self.expected_along[axis] += wave.expected * wave.direction[axis];
            self.measured_along[axis] += wave.measured * wave.direction[axis];
        }
    }

    fn sectors(&self) -> [Sector; SECTORS] {
        let width = TAU / SECTORS as f64;
        std::array::from_fn(|index| Sector { heading: width * index as f64, density: self.sectors[index].over(width) })
    }

    fn winds(&self, cascades: &[DrawnCascade]) -> Vec<CascadeWind> {
        let total = self.all.expected();
        let wind = |(drawn, variance): (&DrawnCascade, &f64)| CascadeWind {
            speed: drawn.spectrum.wind_speed,
            heading: drawn.spectrum.heading,
            share: if total > 0.0 { variance / total } else { 0.0 },
        };
        cascades.iter().zip(&self.by_cascade).map(wind).collect()
    }
}

/// The spectrum of the cascade with most of the variance; the first of equals.
fn dominant<'a>(cascades: &'a [DrawnCascade], variances: &[f64]) -> Option<&'a CascadeSpectrum> {
    let mut candidates = cascades.iter().zip(variances);
    let first = candidates.next()?;
    let (drawn, _) = candidates.fold(first, |best, candidate| if candidate.1 > best.1 { candidate } else { best });
    Some(&drawn.spectrum)
}

/// The lower edge of the longest wave's place among the wave vectors, as a frequency in rad/s.
fn longest(cascades: &[DrawnCascade]) -> f64 {
    let edge = |DrawnCascade { spectrum, .. }: &DrawnCascade| {
        let [x, z] = spectrum.tile_length;
        omega(0.5 * TAU / x.max(z), spectrum.depth)
    };
    cascades.iter().map(edge).reduce(f64::min).unwrap_or(0.0)
}

fn sector_of(direction: [f64; 2]) -> usize {
    let sector = libm::round(heading(direction) * (SECTORS as f64 / TAU));
    (sector as i32).rem_euclid(SECTORS as i32) as usize
}

fn heading([x, z]: [f64; 2]) -> f64 {
    libm::atan2(z, x)
}
