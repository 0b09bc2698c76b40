//! What the water mirrors: the sky as an environment map, computed here once a change.
//!
//! Bevy makes such a map of its atmosphere on the GPU, but its filter needs six storage textures a stage, of which WebGPU guarantees four, and where it runs it filters
//! anew in every frame, some eight million samples. So the map is light scattered once on its way to the eye, in the same medium (Nishita et al., *Display of the Earth Taking
//! into Account Atmospheric Scattering*, 1993), with a constant for what was scattered more often; the same on every machine. So is the map of the clouds, which are
//! no atmosphere.

use crate::camera::Eye;
use crate::clouds;
use crate::sky::{DIMMED, Sky, Sun};
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageSampler, ImageSamplerDescriptor};
use bevy::light::EnvironmentMapLight;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureUsages, TextureViewDescriptor, TextureViewDimension,
};
use half::f16;

/// Texels along an edge of the map, and its mip levels. The sky has no detail, and the sun is not in it.
const COMPUTED_SIZE: u32 = 16;
const COMPUTED_MIPS: u32 = 5;

/// Texels along an edge of the diffuse one.
const DIFFUSE_SIZE: u32 = 4;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, mirror);
}

/// Keeps the map up to date.
fn mirror(
    mut commands: Commands,
    sun: Res<Sun>,
    mut images: ResMut<Assets<Image>>,
    eye: Query<Entity, With<Eye>>,
    mut mirrored: Local<Option<Sun>>,
) {
    if *mirrored == Some(*sun) {
        return;
    }
    for eye in &eye {
        *mirrored = Some(*sun);
        commands.entity(eye).insert(compute(&sun, &mut images));
    }
}

/// The map of a sky, computed here.
fn compute(sun: &Sun, images: &mut Assets<Image>) -> EnvironmentMapLight {
    if sun.sky == Sky::Overcast {
        return map_of(clouds::radiance, DIMMED * clouds::zenith_luminance(sun.elevation), images);
    }
    let medium = sun.sky.medium();
    let light = SkyLight::new(&medium, sun.direction());
    map_of(|direction| light.radiance(direction), DIMMED, images)
}

/// The map of what is seen in every direction, times an intensity.
fn map_of(radiance: impl Fn(Vec3) -> Vec3, intensity: f32, images: &mut Assets<Image>) -> EnvironmentMapLight {
    let seen: Vec<_> = texels(COMPUTED_SIZE).map(|direction| (direction, radiance(direction))).collect();
    let diffuse = cube_map(DIFFUSE_SIZE, 1, |direction, _| blurred(&seen, |cosine| cosine.max(0.0), direction));
    let specular = cube_map(COMPUTED_SIZE, COMPUTED_MIPS, |direction, roughness| {
        if roughness == 0.0 {
            return radiance(direction);
        }
        // A GGX lobe is nearly a spherical Gaussian of sharpness 2/α² (Wang et al. 2009), α the roughness squared.
        let sharpness = 2.0 / (roughness * roughness).max(0.02).powi(2);
        blurred(&seen, |cosine| (sharpness * (cosine - 1.0)).exp(), direction)
    });
    EnvironmentMapLight { diffuse_map: images.add(diffuse), specular_map: images.add(specular), intensity, ..default() }
}

/// A weighted mean of what is seen in all directions.
fn blurred(seen: &[(Vec3, Vec3)], weight: impl Fn(f32) -> f32, direction: Vec3) -> Vec3 {
    let (sum, total) = seen.iter().fold((Vec3::ZERO, 0.0), |(sum, total), (towards, radiance)| {
        let weight = weight(direction.dot(*towards));
        (sum + weight * radiance, total + weight)
    });
    sum / total.max(1e-6)
}

/// The planet of Bevy's `Atmosphere::earth`, m.
const PLANET_RADIUS: f32 = 6_360_000.0;
const ATMOSPHERE_HEIGHT: f32 = 100_000.0;

/// Heights that the sunlight is known at, and steps along a way through the air.
const HEIGHTS: usize = 33;
const STEPS: usize = 24;

/// The sky's light, scattered once.
struct SkyLight<'a> {
    medium: &'a ScatteringMedium,
    sun: Vec3,
    /// What is left of the sun at so many evenly spaced heights.
    sunlight: [Vec3; HEIGHTS],
}

impl<'a> SkyLight<'a> {
    fn new(medium: &'a ScatteringMedium, sun: Vec3) -> Self {
        let mut light = Self { medium, sun, sunlight: [Vec3::ZERO; HEIGHTS] };
        light.sunlight = std::array::from_fn(|i| light.transmittance(ATMOSPHERE_HEIGHT * i as f32 / (HEIGHTS - 1) as f32));
        light
    }

    /// The atmosphere's top, seen from a height at this sine of elevation, m away.
    fn to_top(height: f32, sine: f32) -> f32 {
        let radius = PLANET_RADIUS + height;
        let half = radius * sine;
        (half * half + (ATMOSPHERE_HEIGHT - height) * (2.0 * PLANET_RADIUS + ATMOSPHERE_HEIGHT + height)).max(0.0).sqrt() - half
    }

    /// The height after a way of so many metres at this sine of elevation.
    fn height_along(height: f32, sine: f32, way: f32) -> f32 {
        let radius = PLANET_RADIUS + height;
        // √(r² + 2rsw + w²) − R, without the difference of two large numbers.
        let grown = way * (2.0 * radius * sine + way);
        height + grown / (radius + (radius * radius + grown).max(0.0).sqrt())
    }

    fn extinction(&self, height: f32) -> Vec3 {
        let p = 1.0 - (height / ATMOSPHERE_HEIGHT).clamp(0.0, 1.0);
        self.medium.terms.iter().map(|term| term.falloff.sample(p) * (term.absorption + term.scattering)).sum()
    }

    /// What is left of the sun at a height; nothing where it is below the horizon.
    fn transmittance(&self, height: f32) -> Vec3 {
        let sine = self.sun.y;
        if sine < -(2.0 * (height + 1.0) / PLANET_RADIUS).sqrt() {
            return Vec3::ZERO;
        }
        let way = Self::to_top(height, sine);
        let mut depth = Vec3::ZERO;
        let mut before = 0.0;
        for step in 1..=STEPS {
            // Short steps first: the air is thickest where the way begins.
            let after = way * (step as f32 / STEPS as f32).powi(2);
            depth += self.extinction(Self::height_along(height, sine, (before + after) / 2.0)) * (after - before);
            before = after;
        }
        (-depth).exp()
    }

    fn sunlight(&self, height: f32) -> Vec3 {
        let at = (height / ATMOSPHERE_HEIGHT).clamp(0.0, 1.0) * (HEIGHTS - 1) as f32;
        let below = (at as usize).min(HEIGHTS - 2);
        self.sunlight[below].lerp(self.sunlight[below + 1], at - below as f32)
    }

    /// Radiance from a direction, cd/m². Below the horizon it is the horizon's, darkened: the sea's.
    fn radiance(&self, direction: Vec3) -> Vec3 {
        /// Radiance of light scattered before, as a share of the illuminance.
        const SCATTERED_BEFORE: f32 = 0.05;
        if direction.y < 0.0 {
            let horizon = Vec3::new(direction.x, 0.0, direction.z).normalize_or(Vec3::X);
            return self.radiance(horizon) * 0.25;
        }
        let cosine = direction.dot(self.sun);
        let phases: Vec<Vec3> = self
            .medium
            .terms
            .iter()
            .map(|term| term.phase.sample(cosine).map_or(Vec3::ZERO, |phase| Vec3::new(phase.red, phase.green, phase.blue)))
            .collect();
        let way = Self::to_top(0.0, direction.y);
        let (mut radiance, mut left, mut before) = (Vec3::ZERO, Vec3::ONE, 0.0);
        for step in 1..=STEPS {
            let after = way * (step as f32 / STEPS as f32).powi(2);
            let height = Self::height_along(0.0, direction.y, (before + after) / 2.0);
            let p = 1.0 - (height / ATMOSPHERE_HEIGHT).clamp(0.0, 1.0);
            let sunlight = self.sunlight(height);
            let ambient = (sunlight.powf(0.3) * SCATTERED_BEFORE * self.sun.y.max(0.02)).min(Vec3::splat(1.0));
            let (mut scattered, mut extinction) = (Vec3::ZERO, Vec3::ZERO);
            for (term, phase) in self.medium.terms.iter().zip(&phases) {
                let density = term.falloff.sample(p);
                scattered += density * term.scattering * (*phase * sunlight + ambient);
                extinction += density * (term.scattering + term.absorption);
            }
            let through = (-extinction * (after - before)).exp();
            radiance += left * scattered * (Vec3::ONE - through) / extinction.max(Vec3::splat(1e-12));
            left *= through;
            before = after;
        }
        (radiance * lux::RAW_SUNLIGHT).min(Vec3::splat(60_000.0))
    }
}

/// Every direction of a cube map without mips, face by face.
fn texels(edge: u32) -> impl Iterator<Item = Vec3> {
    let at = move |i: u32| (i as f32 + 0.5) / edge as f32 * 2.0 - 1.0;
    (0..6).flat_map(move |face| (0..edge * edge).map(move |i| face_direction(face, at(i % edge), at(i / edge))))
}

/// A cube map from what is seen in a direction, blurred for a perceptual roughness.
pub(crate) fn cube_map(edge: u32, mips: u32, texel: impl Fn(Vec3, f32) -> Vec3) -> Image {
    let mut bytes = Vec::new();
    // Layer by layer, and each with all its mips, as Bevy uploads them.
    for face in 0..6 {
        for mip in 0..mips {
            let size = edge >> mip;
            let roughness = if mips > 1 { mip as f32 / (mips - 1) as f32 } else { 0.0 };
            let per_face = (size * size) as usize;
            for direction in texels(size).skip(face * per_face).take(per_face) {
                let colour = texel(direction, roughness);
                for value in [colour.x, colour.y, colour.z, 1.0] {
                    bytes.extend(f16::from_f32(value).to_le_bytes());
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d { width: edge, height: edge, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba16Float,
        // Kept in the main world as well, so that a restarted GPU gets it again.
        RenderAssetUsages::default(),
    );
    image.data = Some(bytes);
    image.texture_descriptor.mip_level_count = mips;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    image.texture_view_descriptor = Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor::linear());
    image
}

/// The direction in the world that a texel of a cube face stands for: the faces +x, −x, +y, −y, +z, −z, `s` to the right and `t` down,
/// each `−1..=1`. A cube map is left-handed and the world is not: their z are opposite.
fn face_direction(face: u32, s: f32, t: f32) -> Vec3 {
    let in_map = match face {
        0 => Vec3::new(1.0, -t, -s),
        1 => Vec3::new(-1.0, -t, s),
        2 => Vec3::new(s, 1.0, t),
        3 => Vec3::new(s, -1.0, -t),
        4 => Vec3::new(s, -t, 1.0),
        _ => Vec3::new(-s, -t, -1.0),
    };
    (in_map * Vec3::new(1.0, 1.0, -1.0)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::Sky;

    fn light(sky: Sky, elevation: f32, look: impl Fn(&SkyLight) -> Vec3) -> Vec3 {
        let medium = sky.medium();
        look(&SkyLight::new(&medium, Sun { sky, azimuth: 0.0, elevation }.direction()))
    }

    #[test]
    fn a_clear_zenith_is_blue_and_the_horizon_paler() {
        let zenith = light(Sky::Noon, 40.0, |sky| sky.radiance(Vec3::Y));
        assert!(zenith.z > 1.5 * zenith.x, "{zenith}");
        assert!((1e3..2e4).contains(&zenith.z), "{zenith} cd/m²");
        let horizon = light(Sky::Noon, 40.0, |sky| sky.radiance(Vec3::Z));
        assert!(horizon.z / horizon.x < zenith.z / zenith.x, "{horizon} {zenith}");
    }

    #[test]
    fn the_evening_is_red_towards_the_sun_and_dark_after_it() {
        let towards = |elevation| light(Sky::Sunset, elevation, |sky| sky.radiance(Vec3::new(1.0, 0.06, 0.0).normalize()));
        assert!(towards(3.0).x > towards(3.0).z, "{}", towards(3.0));
        assert!(towards(-6.0).max_element() < 0.1 * towards(3.0).max_element());
    }

    #[test]
    fn every_direction_is_finite_under_every_sun() {
        for sky in [Sky::Noon, Sky::Sunset] {
            for elevation in [-6.0, 0.0, 3.0, 85.0] {
                for direction in texels(8) {
                    let seen = light(sky, elevation, |sky| sky.radiance(direction));
                    assert!(seen.is_finite() && seen.min_element() >= 0.0, "{sky:?} {elevation}° {direction}: {seen}");
                }
            }
        }
    }

    #[test]
    fn a_cube_map_has_all_its_mips() {
        let image = cube_map(8, 4, |_, _| Vec3::ONE);
        // 6 faces of 64 + 16 + 4 + 1 texels of 8 bytes.
        assert_eq!(image.data.map(|data| data.len()), Some(6 * 85 * 8));
        assert_eq!(texels(4).count(), 96);
    }
}
