//! The overcast sky.
//!
//! Bevy's atmosphere samples a way through the air at some sixteen points, which is right for air and wrong for a deck of clouds: its
//! underside would be bright above and black at the horizon. What a closed deck looks like from below has been measured instead. Its
//! luminance at an elevation γ is L_z (1 + 2 sin γ)/3 (Moon & Spencer, *Illumination from a Non-Uniform Sky*, 1942, the CIE's standard
//! since 1955), and the light it gives to the ground 300 + 21,000 sin h lux under a sun at h (Krochmann & Seidl 1974). The clouds
//! themselves are noise on a plane above. The atmosphere stays, without air: it then adds nothing and takes nothing.

use bevy::prelude::*;
use std::f32::consts::PI;

/// Texels along an edge of the picture of the clouds.
pub(crate) const PICTURE_SIZE: u32 = 256;

/// How far one sees under the clouds, m: where a contrast is down to a fiftieth (Koschmieder 1924).
const VISIBILITY: f32 = 8_000.0;

/// Extinction of the haze, 1/m.
pub(crate) const HAZE: f32 = 3.912 / VISIBILITY;

/// The share of the light that still comes from the sun's side.
const DIRECTED: f32 = 0.07;

/// How much clouds are darker or brighter than the mean.
const CONTRAST: f32 = 0.75;

/// Cells of the largest clouds for a unit of the plane at height 1.
const CLOUDS_PER_UNIT: f32 = 1.1;

/// The plane of the clouds bends down to the horizon like the earth; this much keeps it from going on for ever.
const BEND: f32 = 0.12;

/// The colour of thick clouds.
const GREY: Vec3 = Vec3::new(0.95, 0.985, 1.04);

/// Light on level ground, lux, under a sun so many degrees above the horizon. Below it, down to what the sky gives at the end of
/// civil twilight.
fn illuminance(elevation: f32) -> f32 {
    const AT_HORIZON: f32 = 300.0;
    if elevation > 0.0 { AT_HORIZON + 21_000.0 * elevation.to_radians().sin() } else { AT_HORIZON * (0.75 * elevation).exp() }
}

/// Luminance of the zenith, cd/m²: what gives that illuminance with the luminance's distribution.
pub(crate) fn zenith_luminance(elevation: f32) -> f32 {
    9.0 / (7.0 * PI) * illuminance(elevation)
}

/// What is left of direct sun, lux.
pub(crate) fn sunlight(elevation: f32) -> f32 {
    DIRECTED * illuminance(elevation)
}

/// The radiance from a direction, as a share of the zenith's: the deck's mean with its clouds. Below the horizon it is the haze's, then
/// the sea's.
pub(crate) fn radiance(direction: Vec3) -> Vec3 {
    let up = direction.y.max(0.0);
    let mean = (1.0 + 2.0 * up) / 3.0;
    if direction.y < 0.0 {
        return GREY * mean * (1.0 + 4.0 * direction.y).clamp(0.15, 1.0);
    }
    let plane = direction.xz() / (up + BEND) * CLOUDS_PER_UNIT;
    // Clouds that are far away are many in a texel, and behind haze.
    let seen = (up * 6.0).min(1.0);
    GREY * mean * (1.0 + CONTRAST * seen * (clouds(plane) - 0.5))
}

/// The horizon's radiance: what haze looks like.
pub(crate) fn horizon() -> Vec3 {
    radiance(Vec3::X)
}

/// Clouds at a point of their plane, 0 dark to 1 bright: five octaves, each pushed about by the one before, which is what turns blots
/// into clouds.
fn clouds(at: Vec2) -> f32 {
    let (mut sum, mut weight, mut total, mut point) = (0.0, 1.0, 0.0, at);
    for octave in 0..5 {
        let value = noise(point, octave);
        sum += weight * value;
        total += weight;
        weight *= 0.55;
        point = point * 2.07 + Vec2::new(1.7, 9.2) + 0.6 * Vec2::new(value, -value);
    }
    // A mean of noise keeps to the middle: spread it, without edges where it ends.
    let spread = ((sum / total - 0.5) * 1.5 + 0.5).clamp(0.0, 1.0);
    spread * spread * (3.0 - 2.0 * spread)
}

fn noise(at: Vec2, seed: u32) -> f32 {
    let cell = at.floor();
    let inside = at - cell;
    let eased = inside * inside * (3.0 - 2.0 * inside);
    let (x, z) = (cell.x as i32, cell.y as i32);
    let hash = |x, z| crate::basin::hash(x, z, seed + 700);
    let row = |z| hash(x, z).lerp(hash(x + 1, z), eased.x);
    row(z).lerp(row(z + 1), eased.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions evenly over the upper half of the sphere.
    fn upper_half() -> impl Iterator<Item = Vec3> {
        (0..20_000).map(|i| {
            let (up, turn) = ((i as f32 + 0.5) / 20_000.0, i as f32 * 2.399_963);
            let across = (1.0 - up * up).sqrt();
            Vec3::new(across * turn.cos(), up, across * turn.sin())
        })
    }

    #[test]
    fn the_deck_gives_the_light_that_it_is_said_to() {
        // ∫ L sin γ dΩ over the half sphere, of 2π sr.
        let sum: f32 = upper_half().map(|direction| radiance(direction).y * direction.y).sum();
        let given = zenith_luminance(45.0) * sum * 2.0 * PI / 20_000.0;
        let wanted = illuminance(45.0);
        assert!((given / wanted - 1.0).abs() < 0.12, "{given} lux, not {wanted}");
    }

    #[test]
    fn the_zenith_is_three_times_as_bright_as_the_horizon_on_the_mean() {
        let mean = |from: f32, to: f32| {
            let seen: Vec<_> = upper_half().filter(|direction| (from..to).contains(&direction.y)).collect();
            seen.iter().map(|direction| radiance(*direction).y).sum::<f32>() / seen.len() as f32
        };
        let ratio = mean(0.9, 1.0) / mean(0.0, 0.02);
        assert!((2.4..3.6).contains(&ratio), "{ratio}");
        assert!(radiance(Vec3::NEG_Y).y < horizon().y);
    }

    #[test]
    fn there_are_darker_and_brighter_clouds() {
        let seen: Vec<f32> =
            upper_half().filter(|way| way.y > 0.4).map(|way| radiance(way).y * 3.0 / (1.0 + 2.0 * way.y)).collect();
        let (low, high) = seen.iter().fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
        assert!(low > 0.4 && low < 0.9 && high > 1.1 && high < 1.6, "{low} to {high}");
    }

    #[test]
    fn it_gets_dark_when_the_sun_goes_down_and_not_at_once() {
        let light: Vec<f32> = (-6..=85).map(|elevation| illuminance(elevation as f32)).collect();
        assert!(light.is_sorted() && light[0] > 1.0 && light[0] < 10.0, "{}", light[0]);
        assert!((illuminance(-0.001) / illuminance(0.001) - 1.0).abs() < 0.01);
    }
}
