//! A picture of the demo without a window: `ocean --photograph FILE.png [--preset NAME] [--sky NAME] [--size WxH] [--seconds S]
//! [--resolution N] [--beside BODY:METRES] [--software]`.
//!
//! The same scene, camera and sky as on screen. Its sea stands until every shader is compiled and the sky's reflection has settled, and
//! then runs for a given time in even steps, so that the same order gives the same picture.

use crate::Machine;
use crate::afloat::{Body, FLEET};
use crate::camera::{Eye, Pose};
use crate::input::ReadInput;
use crate::keys::Action;
use crate::scene::{DoActions, Sea};
use crate::sky::Sky;
use crate::status::Status;
use crate::views::View;
use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::{PipelineCache, PollType, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_ocean::{Preset, WaterSurface, WaterTime};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Seconds of sea a frame.
const FRAME: Duration = Duration::from_millis(40);

/// How many frames in a row must find every shader compiled before the sea begins.
const WARM_UP_FRAMES: u32 = 12;

/// Shaders that are still being compiled, as the renderer counts them; it lives in another world.
static COMPILING: AtomicUsize = AtomicUsize::new(usize::MAX);

/// What is to be photographed.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Order {
    file: String,
    preset: Preset,
    sky: Sky,
    size: UVec2,
    seconds: f32,
    resolution: Option<u32>,
    beside: Option<Beside>,
    machine: Machine,
}

/// A floating body to stand beside, and how far from it, m.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Beside {
    body: usize,
    metres: f32,
}

/// Why an order cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// An option without its value, or with one that it does not take.
    Value(String),
    /// No option of this name.
    Unknown(String),
}

impl std::fmt::Display for OrderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(option) => write!(f, "{option} needs another value"),
            Self::Unknown(option) => write!(f, "there is no option {option}"),
        }
    }
}

impl std::error::Error for OrderError {}

impl Order {
    /// Reads an order from a program's arguments. None where no photograph is asked for.
    pub fn from_arguments(arguments: impl IntoIterator<Item = String>) -> Result<Option<Self>, OrderError> {
        let mut order = Self {
            file: String::new(),
            preset: Preset::Ocean,
            sky: Sky::Noon,
            size: UVec2::new(1280, 720),
            seconds: 6.0,
            resolution: None,
            beside: None,
            machine: Machine::Gpu,
        };
        let mut arguments = arguments.into_iter();
        while let Some(option) = arguments.next() {
            if option == "--software" {
                order.machine = Machine::Software;
                continue;
            }
            let value = arguments.next().ok_or_else(|| OrderError::Value(option.clone()))?;
            let taken = match option.as_str() {
                "--photograph" => {
                    order.file = value;
                    Some(())
                }
                "--preset" => preset(&value).map(|preset| order.preset = preset),
                "--sky" => Sky::ALL.into_iter().find(|sky| sky.name() == value).map(|sky| order.sky = sky),
                "--size" => size(&value).map(|size| order.size = size),
                "--seconds" => {
                    value.parse().ok().filter(|seconds| (0.0..600.0).contains(seconds)).map(|seconds| order.seconds = seconds)
                }
                "--resolution" => value.parse().ok().map(|texels| order.resolution = Some(texels)),
                "--beside" => beside(&value).map(|beside| order.beside = Some(beside)),
                _ => return Err(OrderError::Unknown(option)),
            };
            taken.ok_or(OrderError::Value(option))?;
        }
        Ok((!order.file.is_empty()).then_some(order))
    }
}

/// A preset by its name, however its words are joined.
fn preset(name: &str) -> Option<Preset> {
    let plain = |name: &str| name.to_lowercase().replace([' ', '-', '_'], "");
    Preset::ALL.into_iter().find(|preset| plain(preset.name()) == plain(name))
}

/// Width and height, joined by an x.
fn size(text: &str) -> Option<UVec2> {
    let (width, height) = text.split_once('x')?;
    let edge = |text: &str| text.parse().ok().filter(|edge| (16..=8192).contains(edge));
    Some(UVec2::new(edge(width)?, edge(height)?))
}

/// A body's number in the fleet, from 0, and metres, joined by a colon.
fn beside(text: &str) -> Option<Beside> {
    let (body, metres) = text.split_once(':')?;
    let body = body.parse().ok().filter(|body| *body < FLEET.len())?;
    let metres = metres.parse().ok().filter(|metres| (1.0..200.0).contains(metres))?;
    Some(Beside { body, metres })
}

/// Takes the photograph.
pub fn take(order: Order) {
    let mut app = App::new();
    app.insert_resource(order.machine)
        .add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
                .disable::<WinitPlugin>(),
        )
        .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
        .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    crate::add_scene(&mut app);
    app.insert_resource(order)
        .add_systems(PostStartup, point_camera)
        .add_systems(PreUpdate, ask.in_set(ReadInput))
        .add_systems(PreUpdate, stand_beside.after(DoActions))
        .add_systems(Update, (set_resolution, expose));
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(Render, count_compiling.in_set(RenderSystems::Cleanup));
    }
    app.run();
}

/// Also waits for the frame to be drawn: without a screen that takes one picture after the other nothing else would, and a slow
/// machine would have hundreds of frames waiting.
fn count_compiling(cache: Res<PipelineCache>, device: Res<RenderDevice>) {
    COMPILING.store(cache.waiting_pipelines().count(), Ordering::Relaxed);
    if let Err(error) = device.poll(PollType::wait_indefinitely()) {
        warn!("{error}");
    }
}

fn point_camera(mut commands: Commands, order: Res<Order>, mut images: ResMut<Assets<Image>>, eye: Query<Entity, With<Eye>>) {
    let film = images.add(Image::new_target_texture(order.size.x, order.size.y, TextureFormat::Rgba8UnormSrgb, None));
    for eye in &eye {
        commands.entity(eye).insert(RenderTarget::Image(film.clone().into()));
    }
}

/// What a visitor would press, once.
fn ask(order: Res<Order>, mut actions: MessageWriter<Action>, mut asked: Local<bool>) {
    if std::mem::replace(&mut *asked, true) {
        return;
    }
    actions.write(Action::Choose(order.preset));
    let skies = Sky::ALL.iter().position(|sky| *sky == order.sky).unwrap_or_default();
    actions.write_batch(std::iter::repeat_n(Action::NextSky, skies));
    actions.write(Action::TogglePause);
}

/// Stands on the side from which the preset is first seen, a man's height above the body.
fn stand_beside(order: Res<Order>, mut pose: ResMut<Pose>, bodies: Query<(&Body, &Transform)>) {
    const EYE_HEIGHT: f32 = 1.7;
    let Some(Beside { body, metres }) = order.beside else { return };
    let Some((_, place)) = bodies.iter().find(|(known, _)| known.0 == body) else { return };
    let at = place.translation;
    let away = (View::of(order.preset).place - at).with_y(0.0).normalize_or(Vec3::Z);
    pose.place = at + metres * away + EYE_HEIGHT * Vec3::Y;
    pose.yaw = (-away.x).atan2(away.z);
    pose.pitch = (-EYE_HEIGHT / metres).atan();
}

fn set_resolution(order: Res<Order>, mut sea: Query<&mut WaterSurface, With<Sea>>) {
    for mut surface in &mut sea {
        if let Some(resolution) = order.resolution.filter(|resolution| *resolution != surface.wave_resolution) {
            surface.wave_resolution = resolution;
        }
    }
}

/// Waits, lets the sea run, and opens the shutter. Leaves when the picture is on the disk.
fn expose(
    mut commands: Commands,
    order: Res<Order>,
    mut water: ResMut<WaterTime>,
    camera: Query<&RenderTarget, With<Eye>>,
    status: Res<Status>,
    mut frames: Local<u32>,
    mut exposed: Local<bool>,
) {
    if *frames <= WARM_UP_FRAMES {
        *frames = if COMPILING.load(Ordering::Relaxed) == 0 { *frames + 1 } else { 0 };
        return;
    }
    *frames += 1;
    water.paused = false;
    let seconds = (*frames - WARM_UP_FRAMES) as f32 * FRAME.as_secs_f32();
    let Some(RenderTarget::Image(film)) = camera.single().ok().filter(|_| seconds >= order.seconds && !*exposed) else {
        return;
    };
    *exposed = true;
    println!("{}, {:.0} ms a frame", crate::native::title(&status), status.frame_ms);
    commands.spawn(Screenshot::image(film.handle.clone())).observe(save_to_disk(order.file.clone())).observe(
        |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            exit.write(AppExit::Success);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(line: &str) -> Result<Option<Order>, OrderError> {
        Order::from_arguments(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn an_order_is_read_whole_or_refused() {
        let read = order(
            "--photograph a.png --preset stormy-ocean --sky overcast --size 640x360 --seconds 3 --beside 3:12.5 --software",
        );
        let expected = Order {
            file: "a.png".into(),
            preset: Preset::StormyOcean,
            sky: Sky::Overcast,
            size: UVec2::new(640, 360),
            seconds: 3.0,
            resolution: None,
            beside: Some(Beside { body: 3, metres: 12.5 }),
            machine: Machine::Software,
        };
        assert_eq!(read, Ok(Some(expected)));
        assert_eq!(order("--software"), Ok(None));
        assert_eq!(order("--photograph"), Err(OrderError::Value("--photograph".into())));
        assert_eq!(order("--photograph a.png --size 3"), Err(OrderError::Value("--size".into())));
        assert_eq!(order("--photograph a.png --beside 4:5"), Err(OrderError::Value("--beside".into())));
        assert_eq!(order("--sky dawn"), Err(OrderError::Value("--sky".into())));
        assert_eq!(order("--film 400"), Err(OrderError::Unknown("--film".into())));
    }
}
