//! The eye: where it is, how it flies, and what keeps it above the water and the land.
//!
//! It has a place of its own, which is what the visitor flies, and a lift on top of that: what a crest under it asks for. The lift
//! rises at once and falls slowly, so a low eye rides over the waves and comes back down to where it was put. The water is asked on
//! the CPU ([`WaterField`]), which knows all but the shortest waves; the clearance is for those.

use crate::Machine;
use crate::basin::Site;
use crate::keys::{Action, Direction};
use crate::scene::{Run, Sea};
use crate::status::Status;
use crate::views::View;
use bevy::camera::{Exposure, PerspectiveProjection};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy_ocean::WaterField;
use std::f32::consts::PI;

/// Vertical field of view, radians; the horizontal one where the window is taller than wide.
const FIELD_OF_VIEW: f32 = 0.96;

/// Half of the widest field of view, radians: a strip of a window must not see behind itself.
const WIDEST_HALF_ANGLE: f32 = 1.3;

/// The eye never looks straight up or down: there it has no heading.
pub(crate) const STEEPEST_PITCH: f32 = 1.5;

/// How long a tap of a key flies at least, seconds.
pub(crate) const TAP_SECONDS: f32 = 0.1;

/// How long a button's press flies, seconds.
pub(crate) const STEP_SECONDS: f32 = 0.25;

/// A frame that took longer than this is taken for this long.
const LONGEST_FRAME: f32 = 0.1;

/// Shift.
const FASTER: f32 = 5.0;

/// The least height above the water as the CPU knows it, m, and what comes to it for each metre of significant wave height: the
/// waves that it does not know.
const CLEARANCE: f32 = 0.5;
const CLEARANCE_PER_WAVE_HEIGHT: f32 = 0.08;

/// The least height above the land, m.
const LAND_CLEARANCE: f32 = 0.7;

/// How fast a lift that is no longer needed goes, 1/s.
const LIFT_DECAY: f32 = 0.8;

/// How far and how high one may go, m.
pub(crate) const FARTHEST: f32 = 1e6;
pub(crate) const HIGHEST: f32 = 12_000.0;

/// The camera's entity.
#[derive(Component)]
pub(crate) struct Eye;

/// What the visitor asks of the eye, since the last frame and until further notice.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Flight {
    /// A drag, logical pixels: right and down.
    pub look: Vec2,
    /// Two fingers' way, logical pixels: right and down.
    pub slide: Vec2,
    /// Notches of the wheel, forward.
    pub dolly: f32,
    /// Which directions are held, by [`Direction::index`].
    pub held: [bool; 6],
    /// Whether Shift is.
    pub fast: bool,
    /// Flying that is still to be done for taps and buttons, seconds.
    owed: [f32; 6],
}

impl Flight {
    /// Flies that way for so long at least.
    pub fn owe(&mut self, direction: Direction, seconds: f32) {
        let owed = &mut self.owed[direction.index()];
        *owed = owed.max(seconds);
    }

    /// What is still owed that way, seconds.
    #[cfg(test)]
    pub fn owed(&self, direction: Direction) -> f32 {
        self.owed[direction.index()]
    }

    /// The flying of a frame that took `dt` seconds: seconds to the right, up and forward.
    fn take(&mut self, dt: f32) -> Vec3 {
        let mut flown = Vec3::ZERO;
        for direction in Direction::ALL {
            let owed = &mut self.owed[direction.index()];
            let seconds = if self.held[direction.index()] { dt.max(owed.min(LONGEST_FRAME)) } else { owed.min(dt) };
            *owed = (*owed - seconds).max(0.0);
            flown += direction.unit() * seconds;
        }
        flown
    }
}

/// Where the eye is and looks.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    /// Where it was put, m; it may be lifted above that.
    pub place: Vec3,
    /// About the vertical, radians; 0 looks to −z, and it grows to the right.
    pub yaw: f32,
    /// Above the horizon, radians.
    pub pitch: f32,
    /// What a crest below adds to the height, m.
    pub lift: f32,
}

impl From<View> for Pose {
    fn from(view: View) -> Self {
        Self {
            place: view.place,
            yaw: (view.heading + 90.0).to_radians().rem_euclid(2.0 * PI),
            pitch: view.pitch.to_radians(),
            lift: 0.0,
        }
    }
}

impl Pose {
    /// Where the picture is taken from, m.
    pub fn position(&self) -> Vec3 {
        self.place + Vec3::Y * self.lift
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(-self.yaw) * Quat::from_rotation_x(self.pitch)
    }

    /// Turns to the right and up, radians.
    fn turn(&mut self, right: f32, up: f32) {
        self.yaw = (self.yaw + right).rem_euclid(2.0 * PI);
        self.pitch = (self.pitch + up).clamp(-STEEPEST_PITCH, STEEPEST_PITCH);
    }

    /// Moves by metres to the right, straight up, and to where the eye looks.
    fn travel(&mut self, way: Vec3) {
        let rotation = self.rotation();
        self.place += rotation * Vec3::X * way.x + Vec3::Y * way.y + rotation * Vec3::NEG_Z * way.z;
        self.place.x = self.place.x.clamp(-FARTHEST, FARTHEST);
        self.place.z = self.place.z.clamp(-FARTHEST, FARTHEST);
        self.place.y = self.place.y.min(HIGHEST);
    }

    /// Keeps the eye at `floor` m or above. The place itself never goes below `lowest` m, so that who flies down at a crest is not
    /// deep below the trough after it.
    fn keep_above(&mut self, floor: f32, lowest: f32, dt: f32) {
        self.place.y = self.place.y.max(lowest);
        let needed = (floor - self.place.y).max(0.0);
        self.lift = needed.max(self.lift * (-LIFT_DECAY * dt).exp());
    }

    /// How fast one flies from here, m/s: from high up far, near the water slowly.
    fn speed(&self) -> f32 {
        5.0 + 0.7 * self.place.y.max(0.0)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Pose::from(View::of(bevy_ocean::Preset::Ocean)))
        .add_systems(Startup, open_eye)
        .add_systems(Update, (step, fly, look).chain().in_set(MoveEye));
}

/// The systems that move the eye.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MoveEye;

fn open_eye(mut commands: Commands, machine: Res<Machine>) {
    let mut eye = commands.spawn((
        Eye,
        Camera3d::default(),
        // Those that look better need look-up tables of 0.7 MB.
        Tonemapping::AcesFitted,
        Exposure::default(),
        // The far plane does not clip, it culls; the water reaches to 1000 km.
        Projection::Perspective(PerspectiveProjection { near: 0.1, far: 2e6, ..default() }),
        Transform::default(),
    ));
    match *machine {
        Machine::Gpu => eye.insert((Msaa::Sample4, Bloom { intensity: 0.08, ..Bloom::NATURAL })),
        Machine::Software => eye.insert(Msaa::Off),
    };
}

/// Buttons fly a step.
fn step(mut actions: MessageReader<Action>, mut flight: ResMut<Flight>) {
    for action in actions.read() {
        if let Action::Fly(direction) = action {
            flight.owe(*direction, STEP_SECONDS);
        }
    }
}

fn fly(
    mut flight: ResMut<Flight>,
    mut pose: ResMut<Pose>,
    time: Res<Time<Real>>,
    run: Res<Run>,
    status: Res<Status>,
    camera: Query<(&Camera, &Projection), With<Eye>>,
    sea: Query<(Option<&WaterField>, &GlobalTransform), With<Sea>>,
) {
    let dt = time.delta_secs().min(LONGEST_FRAME);
    let radians_per_pixel = camera.single().map_or(0.001, |(camera, projection)| radians_per_pixel(camera, projection));
    let look = std::mem::take(&mut flight.look) * radians_per_pixel;
    pose.turn(-look.x, look.y);

    let speed = pose.speed() * if flight.fast { FASTER } else { 1.0 };
    let slide = std::mem::take(&mut flight.slide) * radians_per_pixel * 2.0;
    let dolly = std::mem::take(&mut flight.dolly) * 0.25;
    pose.travel((flight.take(dt) + Vec3::new(-slide.x, slide.y, dolly)) * speed);

    let here = Vec2::new(pose.place.x, pose.place.z);
    let clearance = CLEARANCE + CLEARANCE_PER_WAVE_HEIGHT * status.sea.wave_height;
    let (level, water) = sea.single().map_or((0.0, 0.0), |(field, transform)| {
        let level = transform.translation().y;
        (level, field.map_or(level, |field| highest_around(here, clearance, |at| field.height_at(at))))
    });
    let land = Site::of(run.preset).map_or(f32::NEG_INFINITY, |site| level + site.ground(here) + LAND_CLEARANCE);
    pose.keep_above((water + clearance).max(land), (level + clearance).max(land), dt);
}

/// The highest water at a place and in eight directions, so far away: a steep crest would come upon the eye from one frame to the next, and a breaking one, of whose faces the field knows
/// one, without any way up.
fn highest_around(here: Vec2, away: f32, height_at: impl Fn(Vec2) -> f32) -> f32 {
    let around = (0..8).map(|eighth| here + away * Vec2::from_angle(eighth as f32 * PI / 4.0));
    around.map(&height_at).fold(height_at(here), f32::max)
}

/// How far a pixel of drag turns, so that what is under the pointer stays there.
fn radians_per_pixel(camera: &Camera, projection: &Projection) -> f32 {
    let fov = if let Projection::Perspective(perspective) = projection { perspective.fov } else { FIELD_OF_VIEW };
    let height = camera.logical_viewport_size().map_or(720.0, |size| size.y.max(1.0));
    fov / height
}

/// Puts the camera where the pose says, with the field of view that suits the window.
fn look(pose: Res<Pose>, mut eye: Query<(&mut Transform, &mut Projection, &Camera), With<Eye>>) {
    for (mut transform, mut projection, camera) in &mut eye {
        let size = camera.logical_viewport_size().unwrap_or(Vec2::new(16.0, 9.0));
        let aspect = if size.y > 0.0 { (size.x / size.y).max(0.05) } else { 1.0 };
        if let Projection::Perspective(perspective) = &mut *projection {
            perspective.fov = field_of_view(aspect);
        }
        *transform = Transform::from_translation(pose.position()).with_rotation(pose.rotation());
    }
}

/// The vertical field of view of a window of this aspect, radians.
fn field_of_view(aspect: f32) -> f32 {
    let half = (FIELD_OF_VIEW / 2.0).tan();
    2.0 * (if aspect < 1.0 { half / aspect } else { half }).atan().min(WIDEST_HALF_ANGLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::Quality;
    use crate::scene::Notices;
    use crate::status;
    use bevy::time::TimeUpdateStrategy;
    use bevy_ocean::ocean::statistics;
    use bevy_ocean::{OceanPlugin, Preset, WaterDiagnostics, WaterHeights, WaterSurface, WorldWind};
    use std::f32::consts::FRAC_PI_2;
    use std::time::Duration;

    fn pose() -> Pose {
        Pose { place: Vec3::new(0.0, 3.0, 0.0), yaw: 0.0, pitch: 0.0, lift: 0.0 }
    }

    #[test]
    fn the_eye_stays_above_whatever_rises_under_it() {
        let mut pose = pose();
        let mut lowest = f32::INFINITY;
        for frame in 0..2000 {
            let t = frame as f32 / 60.0;
            let water = 6.0 * (t * 0.9).sin();
            // Flying down all the while.
            pose.travel(Vec3::new(0.0, -0.2, 0.0));
            pose.keep_above(water + 0.6, 0.6, 1.0 / 60.0);
            assert!(pose.position().y >= water + 0.6 - 1e-4, "{t} s");
            lowest = lowest.min(pose.position().y);
        }
        assert!(lowest >= 0.6 - 1e-4);
    }

    /// Seconds of a frame.
    const FRAME: f32 = 1.0 / 60.0;

    /// The eye over the Stormy Ocean, without a picture.
    fn over_a_storm(wind: Option<WorldWind>) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
            .init_asset::<Mesh>()
            .init_asset::<Image>()
            .init_asset::<Shader>()
            .add_message::<Action>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(FRAME)))
            .insert_resource(Machine::Software)
            .insert_resource(Run { preset: Preset::StormyOcean, ..default() })
            .init_resource::<Flight>()
            .init_resource::<Status>()
            .init_resource::<Notices>()
            .init_resource::<Quality>()
            .add_plugins((OceanPlugin, plugin))
            .add_systems(Last, status::note_sea)
            .insert_resource(Pose::from(View::of(Preset::StormyOcean)));
        if let Some(wind) = wind {
            app.insert_resource(wind);
        }
        app.world_mut().spawn((Sea, WaterSurface::from(Preset::StormyOcean), WaterHeights, Transform::default()));
        app.finish();
        app.cleanup();
        app.update();
        app
    }

    #[test]
    fn who_flies_down_in_a_storm_stays_above_its_waves_in_any_wind() {
        let mut heights = Vec::new();
        for wind in [None, Some(WorldWind { speed: 20.0, heading: 45.0, ..default() })] {
            let mut app = over_a_storm(wind);
            let sea = &app.world().resource::<WaterDiagnostics>().surfaces[0].sea;
            let wave_height = statistics::significant_wave_height(sea, 64) as f32;
            assert!((app.world().resource::<Status>().sea.wave_height - wave_height).abs() < 1e-3);
            heights.push(wave_height);
            let clearance = CLEARANCE + CLEARANCE_PER_WAVE_HEIGHT * wave_height;
            app.world_mut().resource_mut::<Flight>().held[Direction::Down.index()] = true;
            let mut lowest = f32::INFINITY;
            for frame in 0..600 {
                // Straight down: where the eye will be, the water that it will be told of.
                let below = |app: &mut App| {
                    let at = app.world().resource::<Pose>().place.xz();
                    app.world_mut().query::<&WaterField>().single(app.world()).map_or(f32::NAN, |field| field.height_at(at))
                };
                let told = below(&mut app);
                app.update();
                let shown = below(&mut app);
                let mut eye = app.world_mut().query_filtered::<&GlobalTransform, With<Eye>>();
                let eye = eye.single(app.world()).expect("an eye").translation().y;
                assert!(eye >= told + clearance - 1e-3, "frame {frame}: {} m over the water", eye - told);
                // It has risen since, by a frame.
                assert!(eye >= shown + 0.8 * clearance, "frame {frame}: {} m over what is drawn", eye - shown);
                lowest = lowest.min(eye - shown);
            }
            assert!(lowest < clearance + 0.5, "it never came down: {lowest} m");
        }
        assert!(heights[1] > 1.2 * heights[0], "{heights:?} m");
    }

    #[test]
    fn a_lift_comes_at_once_and_goes_slowly() {
        let mut pose = pose();
        pose.keep_above(5.0, 0.5, 1.0 / 60.0);
        assert_eq!(pose.position().y, 5.0);
        pose.keep_above(-5.0, 0.5, 1.0 / 60.0);
        assert!(pose.position().y > 4.9, "no jump back");
        for _ in 0..1200 {
            pose.keep_above(-5.0, 0.5, 1.0 / 60.0);
        }
        assert!((pose.position().y - 3.0).abs() < 0.01, "back where it was put");
    }

    #[test]
    fn yaw_grows_to_the_right_and_forward_is_where_one_looks() {
        let mut pose = pose();
        pose.travel(Vec3::new(0.0, 0.0, 1.0));
        assert!(pose.place.abs_diff_eq(Vec3::new(0.0, 3.0, -1.0), 1e-5));
        pose.turn(FRAC_PI_2, 0.0);
        pose.travel(Vec3::new(0.0, 0.0, 1.0));
        assert!(pose.place.abs_diff_eq(Vec3::new(1.0, 3.0, -1.0), 1e-5), "a quarter turn to the right of −z is +x");
        pose.turn(0.0, 9.0);
        assert_eq!(pose.pitch, STEEPEST_PITCH);
    }

    #[test]
    fn a_heading_is_where_the_eye_looks() {
        for preset in Preset::ALL {
            let view = View::of(preset);
            let mut pose = Pose::from(view);
            pose.pitch = 0.0;
            let before = pose.place;
            pose.travel(Vec3::new(0.0, 0.0, 1.0));
            let way = pose.place - before;
            let heading = view.heading.to_radians();
            assert!(way.abs_diff_eq(Vec3::new(heading.cos(), 0.0, heading.sin()), 1e-3), "{preset:?}");
        }
    }

    #[test]
    fn a_tap_flies_its_time_whatever_the_frames() {
        for frame in [0.004, 0.016, 0.1] {
            let mut flight = Flight::default();
            flight.owe(Direction::Forward, STEP_SECONDS);
            let flown: Vec3 = (0..200).map(|_| flight.take(frame)).sum();
            assert!((flown.z - STEP_SECONDS).abs() < 1e-3, "{frame}: {flown}");
        }
        let mut flight = Flight { held: [true; 6], ..default() };
        assert!(flight.take(0.02).length() < 1e-6, "opposite ways cancel");
    }

    #[test]
    fn narrow_windows_see_as_far_to_the_sides() {
        assert_eq!(field_of_view(1.0), field_of_view(2.0));
        let narrow = field_of_view(0.5);
        assert!(narrow > field_of_view(1.0) && narrow < PI);
        assert!(field_of_view(0.05) < PI);
    }
}
