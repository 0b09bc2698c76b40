//! Bevy's atmosphere, the sun in it, the clouds under it, and the exposure that suits them.
//!
//! A clear sky is the atmosphere's alone, lit by the raw sun from outside of it. An overcast one is a picture ([`crate::clouds`])
//! behind an atmosphere without air. The atmosphere and the fog are never taken away from the camera, only emptied: what Bevy's
//! renderer has once made for a camera's atmosphere it goes on drawing, and a component that comes or goes has shaders compiled.

use crate::camera::{Eye, MoveEye, Pose};
use crate::keys::Action;
use crate::reflections::cube_map;
use crate::scene::{DoActions, Run};
use crate::views::View;
use crate::{Machine, clouds};
use bevy::camera::Exposure;
use bevy::light::atmosphere::{Falloff, PhaseFunction, ScatteringMedium, ScatteringTerm};
use bevy::light::light_consts::lux;
use bevy::light::{Atmosphere, CascadeShadowConfigBuilder, Skybox, SunDisk};
use bevy::pbr::{AtmosphereSettings, DistanceFog, FogFalloff};
use bevy::prelude::*;
use bevy_ocean::Preset;

/// Sun for one press of an arrow, degrees.
const SUN_STEP: f32 = 2.0;

/// How low and how high the sun goes, degrees. Below the horizon is dusk; in the zenith it would have no heading.
pub(crate) const LOWEST_SUN: f32 = -6.0;
pub(crate) const HIGHEST_SUN: f32 = 85.0;

/// From the planet's ground to where the atmosphere ends, m: what Bevy's `Atmosphere::earth` has.
const ATMOSPHERE_HEIGHT: f32 = 100_000.0;

/// What all light here is multiplied with, and every exposure divided by. Bevy keeps the sky in half floats, which end at 65,504 cd/m²,
/// and around a low sun it is brighter.
pub(crate) const DIMMED: f32 = 0.25;

/// How far shadows reach, m: over a basin.
const SHADOW_DISTANCE: f32 = 240.0;

/// What light through clouds comes from is at least so high, degrees: a low one would glitter.
const LOWEST_CLOUDED_SUN: f32 = 35.0;

/// The skies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sky {
    /// The sun high, on the side.
    #[default]
    Noon,
    /// The sun above the horizon, ahead.
    Sunset,
    /// Clouds all over.
    Overcast,
}

impl Sky {
    /// All of them, in the order of the key.
    pub const ALL: [Self; 3] = [Self::Noon, Self::Sunset, Self::Overcast];

    /// The one after.
    fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Its name in the page's state.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Noon => "noon",
            Self::Sunset => "sunset",
            Self::Overcast => "overcast",
        }
    }

    /// Where the sun stands at first, for a preset's first view: azimuth and elevation, degrees.
    fn sun(self, preset: Preset) -> (f32, f32) {
        let (aside, elevation) = match self {
            Self::Noon => (68.0, 38.0),
            Self::Sunset => (9.0, 4.0),
            Self::Overcast => (50.0, 48.0),
        };
        ((View::of(preset).heading + aside).rem_euclid(360.0), elevation)
    }

    /// What the sky consists of; nothing, where it is clouds. Scattering and absorption are per metre, heights are shares of the
    /// atmosphere's.
    pub fn medium(self) -> ScatteringMedium {
        let share = |metres: f32| metres / ATMOSPHERE_HEIGHT;
        // Hillaire, *A Scalable and Production Ready Sky and Atmosphere Rendering Technique* (2020), table 1, after Bruneton & Neyret.
        let air = ScatteringTerm {
            absorption: Vec3::ZERO,
            scattering: Vec3::new(5.802e-6, 13.558e-6, 33.1e-6),
            falloff: Falloff::Exponential { scale: share(8_000.0) },
            phase: PhaseFunction::Rayleigh,
        };
        let ozone = ScatteringTerm {
            absorption: Vec3::new(0.650e-6, 1.881e-6, 0.085e-6),
            scattering: Vec3::ZERO,
            falloff: Falloff::Tent { center: 1.0 - share(25_000.0), width: share(30_000.0) },
            phase: PhaseFunction::Isotropic,
        };
        // More than the table's, as it is over water, where the air is never quite clear.
        let haze = ScatteringTerm {
            absorption: Vec3::splat(2e-6),
            scattering: Vec3::splat(1.8e-5),
            falloff: Falloff::Exponential { scale: share(1_200.0) },
            phase: PhaseFunction::Mie { asymmetry: 0.8 },
        };
        let nothing = ScatteringTerm {
            absorption: Vec3::ZERO,
            scattering: Vec3::ZERO,
            falloff: Falloff::Linear,
            phase: PhaseFunction::Isotropic,
        };
        let terms = match self {
            Self::Noon | Self::Sunset => vec![air, ozone, haze],
            Self::Overcast => vec![nothing],
        };
        // Both alike: where they differ, Bevy 0.19 fills the table of the phase functions askew, and the sun has no glow.
        ScatteringMedium::new(256, 256, terms).with_label(self.name())
    }

    /// The exposure (EV at ISO 100) under this sky with the sun so many degrees above the horizon.
    pub fn exposure(self, elevation: f32) -> f32 {
        const CLEAR: [(f32, f32); 6] = [(-6.0, 7.2), (-2.0, 9.5), (1.0, 11.3), (5.0, 12.0), (15.0, 12.4), (40.0, 12.6)];
        const CLOUDED: [(f32, f32); 5] = [(-6.0, 2.5), (-2.0, 5.5), (0.0, 7.2), (15.0, 10.7), (45.0, 11.9)];
        match self {
            Self::Noon | Self::Sunset => along(&CLEAR, elevation),
            Self::Overcast => along(&CLOUDED, elevation),
        }
    }
}

/// The value at `x` of a line through points of growing x; beyond its ends, that of the end.
fn along(points: &[(f32, f32)], x: f32) -> f32 {
    let after = points.partition_point(|point| point.0 <= x);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some((_, y)), None) => y,
        (None, Some((_, y))) => *y,
        (None, None) => 0.0,
    }
}

/// The sky and where the sun stands in it.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sun {
    pub sky: Sky,
    /// Degrees in [0, 360): 0 is over +x, 90 over +z.
    pub azimuth: f32,
    /// Degrees above the horizon.
    pub elevation: f32,
}

impl Sun {
    /// The sun of a sky over a preset's first view.
    pub fn over(sky: Sky, preset: Preset) -> Self {
        let (azimuth, elevation) = sky.sun(preset);
        Self { sky, azimuth, elevation }
    }

    /// Moves it by steps to the right and up.
    fn step(&mut self, right: i8, up: i8) {
        self.azimuth = (self.azimuth + f32::from(right) * SUN_STEP).rem_euclid(360.0);
        self.elevation = (self.elevation + f32::from(up) * SUN_STEP).clamp(LOWEST_SUN, HIGHEST_SUN);
    }

    /// Unit vector towards it.
    pub fn direction(&self) -> Vec3 {
        let (azimuth, elevation) = (self.azimuth.to_radians(), self.elevation.to_radians());
        Vec3::new(elevation.cos() * azimuth.cos(), elevation.sin(), elevation.cos() * azimuth.sin())
    }
}

impl Default for Sun {
    fn default() -> Self {
        Self::over(Sky::Noon, Preset::Ocean)
    }
}

/// The sun's light.
#[derive(Component)]
struct Sunlight;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Sun>()
        .insert_resource(GlobalAmbientLight::NONE)
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(PostStartup, make_sky)
        .add_systems(PreUpdate, act.in_set(DoActions))
        .add_systems(
            Update,
            (shine.run_if(resource_changed::<Sun>.or_eager(resource_changed::<Run>)), keep_under.after(MoveEye)),
        );
}

fn make_sky(
    mut commands: Commands,
    mut media: ResMut<Assets<ScatteringMedium>>,
    machine: Res<Machine>,
    eye: Query<Entity, With<Eye>>,
) {
    commands.spawn(Atmosphere {
        // Light that comes back up from the sea, which multiple scattering counts on: nearly none.
        ground_albedo: Vec3::splat(0.06),
        ..Atmosphere::earth(media.add(Sky::Noon.medium()))
    });
    commands.spawn((
        Sunlight,
        DirectionalLight { illuminance: DIMMED * lux::RAW_SUNLIGHT, ..default() },
        CascadeShadowConfigBuilder {
            num_cascades: 3,
            maximum_distance: SHADOW_DISTANCE,
            first_cascade_far_bound: 24.0,
            ..default()
        }
        .build(),
        disk(Sky::Noon),
    ));
    for eye in &eye {
        let fog = DistanceFog { color: Color::NONE, falloff: FogFalloff::Exponential { density: clouds::HAZE }, ..default() };
        commands.entity(eye).insert((tables(*machine), Skybox::default(), fog));
    }
}

/// The sun one sees: as large as it is, and as bright as the picture's half floats can hold. At its own brightness it would be
/// infinite in them, and so would be whatever the bloom takes it into.
fn disk(sky: Sky) -> SunDisk {
    match sky {
        Sky::Noon | Sky::Sunset => SunDisk { intensity: 0.02, ..SunDisk::EARTH },
        Sky::Overcast => SunDisk::OFF,
    }
}

fn act(mut actions: MessageReader<Action>, mut sun: ResMut<Sun>, run: Res<Run>) {
    for action in actions.read() {
        match action {
            Action::MoveSun(right, up) => sun.step(*right, *up),
            Action::NextSky => *sun = Sun::over(sun.sky.next(), run.preset),
            // Each first view has its sun; the sky is how one looks on, and stays.
            Action::Choose(preset) => *sun = Sun::over(sun.sky, *preset),
            Action::Reset => *sun = Sun::default(),
            _ => {}
        }
    }
}

/// What has been made for a sky already.
#[derive(Default)]
struct Made {
    /// The sky whose air the atmosphere has.
    sky: Option<Sky>,
    /// The picture of the clouds.
    clouds: Option<Handle<Image>>,
}

/// Puts what the sun says into light, sky and camera.
fn shine(
    sun: Res<Sun>,
    run: Res<Run>,
    machine: Res<Machine>,
    mut commands: Commands,
    mut media: ResMut<Assets<ScatteringMedium>>,
    mut images: ResMut<Assets<Image>>,
    mut sky: Query<&mut Atmosphere>,
    mut light: Query<(Entity, &mut DirectionalLight, &mut Transform), With<Sunlight>>,
    mut eye: Query<(&mut Exposure, &mut Skybox, &mut DistanceFog), With<Eye>>,
    mut made: Local<Made>,
) {
    let clouded = sun.sky == Sky::Overcast;
    for (entity, mut light, mut transform) in &mut light {
        let elevation = if clouded { sun.elevation.max(LOWEST_CLOUDED_SUN) } else { sun.elevation };
        *transform = Transform::default().looking_to(-Sun { elevation, ..*sun }.direction(), Vec3::Y);
        light.illuminance = DIMMED * if clouded { clouds::sunlight(sun.elevation) } else { lux::RAW_SUNLIGHT };
        // Nothing stands in the open sea to throw one.
        light.shadow_maps_enabled = *machine == Machine::Gpu && crate::basin::Site::of(run.preset).is_some();
        commands.entity(entity).insert(disk(sun.sky));
    }
    for (mut exposure, mut skybox, mut fog) in &mut eye {
        exposure.ev100 = sun.sky.exposure(sun.elevation) + DIMMED.log2();
        if !clouded {
            skybox.image = None;
            fog.color = Color::NONE;
            continue;
        }
        let zenith = DIMMED * clouds::zenith_luminance(sun.elevation);
        let paint = || images.add(cube_map(clouds::PICTURE_SIZE, 1, |direction, _| clouds::radiance(direction)));
        skybox.image = Some(made.clouds.get_or_insert_with(paint).clone());
        skybox.brightness = zenith;
        // Fog is laid over a picture that is exposed already.
        let horizon = clouds::horizon() * zenith * exposure.exposure();
        fog.color = Color::linear_rgb(horizon.x, horizon.y, horizon.z);
    }
    if made.sky != Some(sun.sky) {
        made.sky = Some(sun.sky);
        for mut atmosphere in &mut sky {
            atmosphere.medium = media.add(sun.sky.medium());
        }
    }
}

/// How finely the atmosphere is tabled. Bevy computes every table anew in every frame.
fn tables(machine: Machine) -> AtmosphereSettings {
    match machine {
        Machine::Gpu => AtmosphereSettings::default(),
        Machine::Software => AtmosphereSettings {
            transmittance_lut_size: UVec2::new(64, 32),
            transmittance_lut_samples: 20,
            multiscattering_lut_size: UVec2::new(8, 8),
            multiscattering_lut_samples: 8,
            sky_view_lut_size: UVec2::new(96, 64),
            sky_view_lut_samples: 8,
            aerial_view_lut_size: UVec3::new(16, 16, 8),
            aerial_view_lut_samples: 2,
            ..default()
        },
    }
}

/// Keeps the planet under the eye. The sea is flat and the planet is not: 100 km from where they touch, the eye would be 800 m up.
fn keep_under(pose: Res<Pose>, mut sky: Query<(&Atmosphere, &mut GlobalTransform)>) {
    for (atmosphere, mut transform) in &mut sky {
        let centre = Vec3::new(pose.place.x, -atmosphere.inner_radius, pose.place.z);
        transform.set_if_neq(GlobalTransform::from_translation(centre));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_presses_come_back_to_the_first_sky() {
        let mut sky = Sky::default();
        let mut names = Vec::new();
        for _ in 0..3 {
            names.push(sky.name());
            sky = sky.next();
        }
        assert_eq!(names, ["noon", "sunset", "overcast"]);
        assert_eq!(sky, Sky::Noon);
    }

    #[test]
    fn the_sun_goes_around_to_the_right_and_stays_between_dusk_and_zenith() {
        let mut sun = Sun { sky: Sky::Noon, azimuth: 359.0, elevation: 0.0 };
        sun.step(1, 0);
        assert!((sun.azimuth - 1.0).abs() < 1e-3);
        for _ in 0..200 {
            sun.step(-1, 1);
        }
        assert_eq!(sun.elevation, HIGHEST_SUN);
        for _ in 0..200 {
            sun.step(0, -1);
        }
        assert_eq!(sun.elevation, LOWEST_SUN);
        assert!((0.0..360.0).contains(&sun.azimuth));
        // To the right of who looks to +x is +z.
        let right = Sun { azimuth: 90.0, elevation: 0.0, ..sun }.direction();
        assert!(right.abs_diff_eq(Vec3::Z, 1e-6));
    }

    #[test]
    fn a_lower_sun_and_a_clouded_one_are_exposed_longer() {
        for sky in Sky::ALL {
            let exposures: Vec<_> = (-6..=85).map(|elevation| sky.exposure(elevation as f32)).collect();
            assert!(exposures.is_sorted() && exposures.iter().all(|exposure| (2.0..15.0).contains(exposure)), "{sky:?}");
        }
        assert!(Sky::Overcast.exposure(45.0) < Sky::Noon.exposure(45.0));
    }

    #[test]
    fn most_of_the_sun_comes_through_clear_air_and_all_of_it_through_none() {
        // Straight down: the optical depth is the integral of extinction over height.
        let depth = |sky: Sky| {
            let medium = sky.medium();
            let steps = 4000;
            let extinction = |p: f32| -> Vec3 {
                medium.terms.iter().map(|term| term.falloff.sample(p) * (term.absorption + term.scattering)).sum()
            };
            (0..steps).map(|i| extinction((i as f32 + 0.5) / steps as f32)).sum::<Vec3>() * ATMOSPHERE_HEIGHT / steps as f32
        };
        let left = (-depth(Sky::Noon)).exp();
        assert!(left.y > 0.8 && left.z < left.x, "blue is scattered most: {left}");
        assert_eq!(depth(Sky::Overcast), Vec3::ZERO);
    }
}
