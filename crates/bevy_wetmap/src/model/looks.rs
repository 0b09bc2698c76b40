//! How blood is drawn, where that is a matter of taste. Everything here is off by default, and off it changes no byte.

use bloodstain::spectral::Film;

/// The most samples along an edge of a texel: more is not visible in 8 bits of coverage.
const MOST_SAMPLES: u32 = 8;

/// The thickest film, mm. Blood of one is as dark as it gets already.
const THICKEST_MM: f32 = 100.0;

/// How blood is drawn. [`Looks::default`] is the model as it is published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Samples along an edge of a texel when a stain is stamped, `1..=8` and clamped to it. Default 1: a texel is what its middle is.
    ///
    /// With more, the edge of a stain, its spines and satellites are smooth. What is stamped *is* the state, so digests change with it, the same way
    /// on every machine; and stamping costs the square of it.
    pub edge_samples: u32,
    /// The film that full coverage is: thickness in mm, oxygen saturation and what lies under it, each clamped to its range. Default
    /// none: fresh blood has one colour, `bloodstain`'s authored red.
    ///
    /// With it the colour comes from `bloodstain`'s spectral model by thickness, which goes with coverage in sixteen steps. In encoded sRGB, fresh, at full
    /// coverage over white (substrate 0.9):
    ///
    /// | | 0.05 mm, a smear | 3 mm, a pool |
    /// |---|---|---|
    /// | arterial, 97 % oxygen | 219 50 48, scarlet | 138 24 41, dark crimson |
    /// | venous, 75 % | 208 52 53 | 113 33 42 |
    /// | without oxygen | 173 60 83 | 77 40 50, the darkest there is |
    ///
    /// A pool gives back 3 to 6 % of the light and a smear about three times that; black it is not, in that model, and a millimetre is as dark as ten.
    /// It is the picture only, and no digest changes.
    pub film: Option<Film>,
}

impl Default for Looks {
    fn default() -> Self {
        Self { edge_samples: 1, film: None }
    }
}

impl Looks {
    /// With everything in range; NaN counts as 0.
    pub(crate) fn in_range(self) -> Self {
        let within = |x: f32, most: f32| if x.is_nan() { 0.0 } else { x.clamp(0.0, most) };
        let film = self.film.map(|film| Film {
            thickness_mm: within(film.thickness_mm, THICKEST_MM),
            so2: within(film.so2, 1.0),
            substrate: within(film.substrate, 1.0),
        });
        Self { edge_samples: self.edge_samples.clamp(1, MOST_SAMPLES), film }
    }
}
