//! How much energy a cascade has at each wave number: JONSWAP for the wind and its fetch, TMA for the depth, Hasselmann's
//! directions with Horvath's swell, and the random amplitudes drawn from it.
//!
//! All in `f64`, all transcendental functions from `libm`, so every target computes the same bits. The GPU evaluates the same
//! formulas in `f32` from the fields of [`CascadeSpectrum`].
//!
//! Sources: Hasselmann et al., *Measurements of Wind-Wave Growth … (JONSWAP)* (1973); Kitaigorodskii et al. (1975);
//! Hasselmann, Dunckel & Ewing, *Directional Wave Spectra* (1980); Horvath, *Empirical Directional Wave Spectra for Computer
//! Graphics* (2015); Tessendorf, *Simulating Ocean Water* (2004).

use std::f64::consts::{PI, TAU};

use crate::dispersion::{group_speed, omega};
use crate::noise;
use crate::sea_state::{GRAVITY, SEA_PARAMETERS, SeaState};

/// JONSWAP's peak enhancement γ.
pub const GAMMA: f64 = 3.3;

/// JONSWAP's width σ of the peak, at and below the peak frequency, and above it.
pub const SIGMA_BELOW: f64 = 0.07;
/// See [`SIGMA_BELOW`].
pub const SIGMA_ABOVE: f64 = 0.09;

/// The least wind the formulas are evaluated with, m/s. At 0 the peak frequency is infinite.
pub const MIN_WIND_SPEED: f64 = 0.05;

/// The least fetch the formulas are evaluated with, m. At 0 the peak frequency is infinite.
pub const MIN_FETCH: f64 = 1.0;

/// cos²(θ/2) below this counts as 0, and no wave-follows-wind energy goes there.
///
/// Straight upwind Hasselmann's |cos(θ/2)|^{2s} is 0, and right beside it nearly 1 where s is small (short waves on a young
/// sea). In `f32` the difference is one rounding; with this both sides of the GPU's and the CPU's rounding are 0.
pub const MIN_COS_SQUARED: f64 = 2e-7;

/// α = 0.076 (U²/(F g))^0.22, for wind U in m/s and fetch F in m.
pub fn alpha(wind_speed: f64, fetch: f64) -> f64 {
    0.076 * libm::pow(wind_speed * wind_speed / (fetch * GRAVITY), 0.22)
}

/// ω_p = 22 (g²/(U F))^⅓ in rad/s, for wind U in m/s and fetch F in m.
pub fn peak_omega(wind_speed: f64, fetch: f64) -> f64 {
    22.0 * libm::cbrt(GRAVITY * GRAVITY / (wind_speed * fetch))
}

/// Q(s), the factor that makes ∫Q|cos(θ/2)|^{2s}dθ one, to 0.7 %: a fit for small s, Stirling's series above.
pub fn normalisation(s: f64) -> f64 {
    if s < 0.4 {
        1.0 / TAU + s * (0.220636 + s * (-0.109 + s * 0.090))
    } else {
        let root = libm::sqrt(s);
        (root * 0.5 + 1.0 / (16.0 * root)) / libm::sqrt(PI)
    }
}

/// The spectrum of one cascade, SI units and radians, floors applied: everything the formulas need, here and on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CascadeSpectrum {
    /// Tile along world x and z, m.
    pub tile_length: [f64; 2],
    /// Water depth, m.
    pub depth: f64,
    /// Wind U, m/s, at least [`MIN_WIND_SPEED`].
    pub wind_speed: f64,
    /// Fetch F, **metres**, at least [`MIN_FETCH`].
    pub fetch: f64,
    /// Heading the wind blows to, radians: 0 is +x, π/2 is +z.
    pub heading: f64,
    /// Unit vector of the heading (x, z).
    pub downwind: [f64; 2],
    /// Swell ξ.
    pub swell: f64,
    /// Spread, 0..=1.
    pub spread: f64,
    /// Detail, 0..=1.
    pub detail: f64,
    /// α, from wind and fetch.
    pub alpha: f64,
    /// ω_p in rad/s, from wind and fetch.
    pub peak_omega: f64,
    /// The factor a on h₀, see [`Amplitude::factor`](crate::sea_state::Amplitude::factor).
    pub amplitude: f64,
    /// The cascade's own seed.
    pub seed: u32,
}

/// What a bin's energy takes from |k| alone, shared by the four bins (±i_x, ±i_z).
#[derive(Clone, Copy)]
struct Radial {
    /// S (dω/dk)/k exp(−(1 − detail)² k²).
    density: f64,
    exponent: f64,
    normalisation: f64,
}

impl CascadeSpectrum {
    /// The spectrum of cascade number `index` of `sea`. Values out of range are taken as [`SeaState::validated`] would, so the
    /// result is finite for every input.
    ///
    /// # Panics
    /// If the sea has no such cascade.
    pub fn new(sea: &SeaState, index: usize) -> Self {
        let cascade = sea.cascades[index].admitted();
        let depth = SEA_PARAMETERS[0].admit(sea.sea_depth);
        Self {
            tile_length: cascade.tile_length.map(f64::from),
            depth: f64::from(depth),
            wind_speed: 0.0,
            fetch: 0.0,
            heading: 0.0,
            downwind: [1.0, 0.0],
            swell: f64::from(cascade.swell),
            spread: f64::from(cascade.spread),
            detail: f64::from(cascade.detail),
            alpha: 0.0,
            peak_omega: 0.0,
            amplitude: sea.amplitude.factor(),
            seed: noise::cascade_seed(sea.seed, index as u32),
        }
        .with_wind(
            f64::from(cascade.wind_speed),
            f64::from(cascade.fetch_length) * 1000.0,
            f64::from(cascade.wind_direction) * (PI / 180.0),
        )
    }

    /// The spectra of all cascades of `sea`.
    pub fn all(sea: &SeaState) -> Vec<Self> {
        (0..sea.cascades.len()).map(|index| Self::new(sea, index)).collect()
    }

    /// This spectrum under another wind (m/s, m, radians): sets the three and all that follows from them.
    pub fn with_wind(self, wind_speed: f64, fetch: f64, heading: f64) -> Self {
        let wind_speed = wind_speed.max(MIN_WIND_SPEED);
        let fetch = fetch.max(MIN_FETCH);
        let (sin, cos) = libm::sincos(heading);
        Self {
            wind_speed,
            fetch,
            heading,
            downwind: [cos, sin],
            alpha: alpha(wind_speed, fetch),
            peak_omega: peak_omega(wind_speed, fetch),
            ..self
        }
    }

    /// S_J(ω), m²·s: the energy of a fetch-limited sea in deep water. 0 for ω ≤ 0.
    pub fn jonswap(&self, omega: f64) -> f64 {
        let ratio = self.peak_omega / omega;
        let falloff = 1.25 * (ratio * ratio) * (ratio * ratio);
        // Catches ω ≤ 0 too (infinite, or NaN of nothing): exp would be 0 while ω⁻⁵ may be infinite.
        if !(omega > 0.0 && falloff < 700.0) {
            return 0.0;
        }
        let sigma = if omega <= self.peak_omega { SIGMA_BELOW } else { SIGMA_ABOVE };
        let distance = (omega - self.peak_omega) / (sigma * self.peak_omega);
        let enhancement = libm::pow(GAMMA, libm::exp(-0.5 * distance * distance));
        let squared = omega * omega;
        self.alpha * GRAVITY * GRAVITY / (squared * squared * omega) * libm::exp(-falloff) * enhancement
    }

    /// S(ω) = S_J(ω) Φ, m²·s: what is left of it at this depth (TMA).
    pub fn tma(&self, omega: f64) -> f64 {
        self.jonswap(omega) * depth_attenuation(omega * libm::sqrt(self.depth / GRAVITY))
    }

    /// Hasselmann's exponent s at ω, with Horvath's swell: the larger, the closer the waves keep to the wind.
    pub fn spreading_exponent(&self, omega: f64) -> f64 {
        let ratio = omega / self.peak_omega;
        let wind_sea = if ratio <= 1.0 {
            6.97 * libm::pow(ratio, 4.06)
        } else {
            9.77 * libm::pow(ratio, -2.33 - 1.45 * (self.wind_speed * self.peak_omega / GRAVITY - 1.17))
        };
        wind_sea + 16.0 * libm::tanh(self.peak_omega / omega) * self.swell * self.swell
    }

    /// Θ, 1/rad: the share of the waves of wave number `k` (rad/m) that go `theta_from_wind` radians off the wind, the detail
    /// factor included.
    pub fn directional(&self, k: f64, theta_from_wind: f64) -> f64 {
        self.spreading(omega(k, self.depth))(theta_from_wind) * self.detail_factor(k)
    }

    /// Θ at ω without the detail factor, as a function of the angle from the wind in radians.
    pub fn spreading(&self, omega: f64) -> impl Fn(f64) -> f64 {
        let spectrum = *self;
        let exponent = self.spreading_exponent(omega);
        let normalisation = normalisation(exponent);
        move |theta_from_wind| spectrum.share(exponent, normalisation, libm::cos(theta_from_wind))
    }

    /// S Θ (dω/dk)/k, m² per (rad/m)²: the energy density over the plane of wave vectors. 0 at k = 0.
    pub fn variance_density(&self, kx: f64, kz: f64) -> f64 {
        let k = libm::sqrt(kx * kx + kz * kz);
        if k > 0.0 { self.density(&self.radial(k), kx, kz, k) } else { 0.0 }
    }

    /// The wave vector of bin (i_x, i_z), rad/m.
    pub fn wave_vector(&self, ix: i32, iz: i32) -> [f64; 2] {
        [f64::from(ix) * (TAU / self.tile_length[0]), f64::from(iz) * (TAU / self.tile_length[1])]
    }

    /// The energy of bin (i_x, i_z), m²: [`variance_density`](Self::variance_density) × Δk_x Δk_z. 0 for (0, 0).
    pub fn bin_variance(&self, ix: i32, iz: i32) -> f64 {
        let [kx, kz] = self.wave_vector(ix, iz);
        self.variance_density(kx, kz) * self.bin_area()
    }

    /// h₀ of bin (i_x, i_z), m: (real, imaginary) = a n √(2 [`bin_variance`](Self::bin_variance)).
    pub fn h0(&self, ix: i32, iz: i32) -> [f64; 2] {
        self.realise(ix, iz, self.bin_variance(ix, iz))
    }

    /// [`h0`](Self::h0) as a grid of `resolution`² has it: 0 in the Nyquist row and column (−N/2), which have no mirror image,
    /// and outside the grid.
    pub fn grid_h0(&self, ix: i32, iz: i32, resolution: u32) -> [f64; 2] {
        let half = resolution / 2;
        if ix.unsigned_abs() < half && iz.unsigned_abs() < half { self.h0(ix, iz) } else { [0.0; 2] }
    }

    /// Calls `visit(i_x, i_z, bin_variance)` for every bin of a grid of `resolution`² but the Nyquist row and column: what
    /// depends on |k| is computed once for the four mirror images, which makes a whole grid three times faster.
    pub fn for_each_bin(&self, resolution: u32, mut visit: impl FnMut(i32, i32, f64)) {
        let half = (resolution / 2) as i32;
        let area = self.bin_area();
        for iz in 0..half {
            for ix in 0..half {
                let [kx, kz] = self.wave_vector(ix, iz);
                let k = libm::sqrt(kx * kx + kz * kz);
                if k == 0.0 {
                    visit(0, 0, 0.0);
                    continue;
                }
                let radial = self.radial(k);
                let mut image = |sx: i32, sz: i32| {
                    let density = self.density(&radial, f64::from(sx) * kx, f64::from(sz) * kz, k);
                    visit(sx * ix, sz * iz, density * area);
                };
                image(1, 1);
                if ix > 0 {
                    image(-1, 1);
                }
                if iz > 0 {
                    image(1, -1);
                }
                if ix > 0 && iz > 0 {
                    image(-1, -1);
                }
            }
        }
    }

    /// The random amplitude of a bin whose [`bin_variance`](Self::bin_variance) is known.
    pub(crate) fn realise(&self, ix: i32, iz: i32, bin_variance: f64) -> [f64; 2] {
        let size = self.amplitude * libm::sqrt(2.0 * bin_variance);
        noise::unit_normals(ix, iz, self.seed).map(|normal| size * normal)
    }

    /// Δk_x Δk_z.
    pub(crate) fn bin_area(&self) -> f64 {
        TAU / self.tile_length[0] * (TAU / self.tile_length[1])
    }

    fn radial(&self, k: f64) -> Radial {
        let omega = omega(k, self.depth);
        let exponent = self.spreading_exponent(omega);
        Radial {
            density: self.tma(omega) * group_speed(k, self.depth) / k * self.detail_factor(k),
            exponent,
            normalisation: normalisation(exponent),
        }
    }

    /// The cosine of the angle comes from the wave vector itself: no `atan2`, and the GPU does the same.
    fn density(&self, radial: &Radial, kx: f64, kz: f64, k: f64) -> f64 {
        if radial.density == 0.0 {
            return 0.0;
        }
        let cos = (kx * self.downwind[0] + kz * self.downwind[1]) / k;
        radial.density * self.share(radial.exponent, radial.normalisation, cos)
    }

    /// Θ without the detail factor. |cos(θ/2)|^{2s} is ((1 + cos θ)/2)^s, see [`MIN_COS_SQUARED`].
    fn share(&self, exponent: f64, normalisation: f64, cos: f64) -> f64 {
        let base = ((1.0 + cos) * 0.5).min(1.0);
        let towards = if base < MIN_COS_SQUARED { 0.0 } else { libm::pow(base, exponent) };
        self.spread / TAU + (1.0 - self.spread) * normalisation * towards
    }

    /// What the detail dial leaves of a wave number's energy.
    pub(crate) fn detail_factor(&self, k: f64) -> f64 {
        let lack = (1.0 - self.detail) * k;
        libm::exp(-lack * lack)
    }
}

/// Kitaigorodskii's Φ in the usual approximation, for ω_h = ω√(H/g).
fn depth_attenuation(omega_h: f64) -> f64 {
    if omega_h <= 1.0 {
        0.5 * omega_h * omega_h
    } else if omega_h < 2.0 {
        1.0 - 0.5 * (2.0 - omega_h) * (2.0 - omega_h)
    } else {
        1.0
    }
}
