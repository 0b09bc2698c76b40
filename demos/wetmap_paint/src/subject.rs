//! The sphere, its canvas, what happens to it and the clock that ages it.
//!
//! The sphere is one metre around, so that one UV unit is one metre along its equator as `bevy_wetmap` takes it to be. Its v
//! coordinate runs from 0.5 at the top to 1 at the bottom for the same reason: half a metre of meridian is half a UV unit, and a
//! round stain is round. So blood that runs off the bottom leaves the canvas there, as the model says it does.
//!
//! Whatever reaches the canvas goes through [`Bench`], which writes it down first: the visitor's shots and a replayed script's stains alike.

use crate::budget::{self, Budget};
use crate::dials::Dials;
use crate::input::ReadInput;
use crate::keys::Action;
use crate::recorder::Recorder;
use crate::replay::{Replay, Running};
use crate::shot::{Pellet, Shot, burst, impact};
use crate::studio::{Eye, Orbit};
use crate::{TICK_HZ, status::Status};
use bevy::mesh::VertexAttributeValues;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_wetmap::bloodstain::{BloodSettings, stain_shape};
use bevy_wetmap::script::{Script, Step};
use bevy_wetmap::{StainShape, UV_SPAN_M, WetCanvas, WetSettings};
use std::f32::consts::{FRAC_PI_2, TAU};
use std::time::Duration;

/// Texels along the edge of the canvas: twice the practical ceiling, because there is one canvas and it fills the window. It is
/// 2 MiB to upload where the budget of a game, four canvases of 128, is half of one.
pub(crate) const CANVAS_SIZE: u32 = 512;

/// One metre around the equator.
pub(crate) const RADIUS_M: f32 = UV_SPAN_M / TAU;

/// The dry surface: unglazed plaster.
const PLASTER_SRGB: [f32; 3] = [0.78, 0.66, 0.60];
const PLASTER_ROUGHNESS: f32 = 0.55;

/// A frame that took longer than this is taken for this long: a slow machine plays slower instead of falling ever further behind.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// What the run is at: the tick number comes from here, since the model has no clock.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub tick: u32,
    pub fast: bool,
    pub hits: u32,
    pub misses: u32,
    pub resets: u32,
    /// Shots so far, hit or missed: the seed of the next.
    shots: u32,
}

/// A script to be played from its start.
#[derive(Message, Clone, Debug)]
pub(crate) struct PlayScript(pub Script);

/// The sphere's entity.
#[derive(Component)]
pub(crate) struct Subject;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Run>()
        .init_resource::<Dials>()
        .init_resource::<Recorder>()
        .init_resource::<Replay>()
        .insert_resource(Dials::default().blood)
        .add_plugins(budget::plugin)
        .add_message::<Shot>()
        .add_message::<PlayScript>()
        .insert_resource(Time::<Fixed>::from_hz(TICK_HZ))
        .add_systems(Startup, (place_subject, limit_frame))
        .add_systems(PreUpdate, (act, play, shoot).chain().after(ReadInput))
        .add_systems(FixedUpdate, tick)
        .add_systems(Update, follow_dials);
}

fn limit_frame(mut time: ResMut<Time<Virtual>>) {
    time.set_max_delta(LONGEST_FRAME);
}

/// A UV sphere with the poles up and down, and v in `0.5..=1`; see the module.
fn sphere() -> Mesh {
    let mut mesh = Sphere::new(RADIUS_M).mesh().uv(96, 64).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    if let Some(VertexAttributeValues::Float32x2(uvs)) = mesh.attribute_mut(Mesh::ATTRIBUTE_UV_0) {
        for uv in uvs {
            uv[1] = 0.5 + 0.5 * uv[1];
        }
    }
    mesh
}

fn clean_canvas(images: &mut Assets<Image>, size: u32) -> WetCanvas {
    WetCanvas::new(images, size, PLASTER_SRGB, PLASTER_ROUGHNESS)
}

fn material_of(canvas: &WetCanvas) -> StandardMaterial {
    StandardMaterial {
        base_color_texture: Some(canvas.albedo()),
        metallic_roughness_texture: Some(canvas.roughness()),
        perceptual_roughness: 1.0,
        metallic: 1.0,
        ..default()
    }
}

fn place_subject(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let canvas = clean_canvas(&mut images, CANVAS_SIZE);
    commands.spawn((
        Subject,
        Mesh3d(meshes.add(sphere())),
        MeshMaterial3d(materials.add(material_of(&canvas))),
        canvas,
        // Turns the seam to the far side, and +u to the right as seen from the eye.
        Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_2)),
    ));
}

/// The sphere's canvas, its material and where it stands, and what a new one of those is made of.
#[derive(bevy::ecs::system::SystemParam)]
struct Sphere3d<'w, 's> {
    images: ResMut<'w, Assets<Image>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    canvas: Query<'w, 's, (&'static mut WetCanvas, &'static MeshMaterial3d<StandardMaterial>), With<Subject>>,
}

impl Sphere3d<'_, '_> {
    /// A clean canvas of a size, in place of the one there is.
    fn clean(&mut self, size: u32) {
        for (mut canvas, material) in &mut self.canvas {
            *canvas = clean_canvas(&mut self.images, size);
            if let Some(mut material) = self.materials.get_mut(material) {
                *material = material_of(&canvas);
            }
        }
    }
}

fn act(
    mut actions: MessageReader<Action>,
    mut run: ResMut<Run>,
    mut dials: ResMut<Dials>,
    mut recorder: ResMut<Recorder>,
    mut replay: ResMut<Replay>,
    mut orbit: ResMut<Orbit>,
    mut status: ResMut<Status>,
    mut time: ResMut<Time<Virtual>>,
    eye: Query<&GlobalTransform, With<Eye>>,
    mut shots: MessageWriter<Shot>,
    mut sphere: Sphere3d,
) {
    for action in actions.read() {
        match action {
            Action::Burst => {
                let aim = eye.single().ok().zip(centre_ray(&eye));
                let drops = aim.map(|(eye, middle)| burst(eye, middle, &dials.shot, run.shots));
                shots.write_batch(drops.into_iter().flatten());
            }
            Action::ShootCentre => {
                shots.write_batch(centre_ray(&eye).map(|ray| Shot { ray, pellet: Pellet::Aimed }));
            }
            Action::TurnGravity if replay.is_playing() => replay.refused += 1,
            Action::TurnGravity => dials.gravity = dials.gravity.turned(),
            Action::ToggleDigest => status.digest_shown = !status.digest_shown,
            Action::ToggleHelp => status.help_shown = !status.help_shown,
            Action::Orbit(yaw, pitch) => orbit.step(*yaw, *pitch),
            Action::ToggleFastForward => run.fast = !run.fast,
            Action::TogglePause if time.is_paused() => time.unpause(),
            Action::TogglePause => time.pause(),
            Action::Reset => {
                *replay = Replay::default();
                begin(&mut run, &mut recorder, &mut sphere, CANVAS_SIZE);
            }
        }
    }
}

/// A clean subject at tick 0. Dials and speed are how one looks on, and stay.
fn begin(run: &mut Run, recorder: &mut Recorder, sphere: &mut Sphere3d, size: u32) {
    *run = Run { resets: run.resets + 1, fast: run.fast, ..default() };
    *recorder = Recorder::default();
    sphere.clean(size);
}

/// Begins the script that was asked for last.
fn play(
    mut scripts: MessageReader<PlayScript>,
    mut run: ResMut<Run>,
    mut recorder: ResMut<Recorder>,
    mut replay: ResMut<Replay>,
    mut sphere: Sphere3d,
) {
    let Some(PlayScript(script)) = scripts.read().last() else {
        return;
    };
    begin(&mut run, &mut recorder, &mut sphere, script.size);
    *replay = Replay { running: Some(Running::new(script)), refused: 0 };
}

/// The ray through the middle of the view.
fn centre_ray(eye: &Query<&GlobalTransform, With<Eye>>) -> Option<Ray3d> {
    eye.single().ok().map(|eye| Ray3d::new(eye.translation(), eye.forward()))
}

/// What a stain is painted with, and a tick run.
struct Bench<'a> {
    canvas: &'a mut WetCanvas,
    recorder: &'a mut Recorder,
    run: &'a mut Run,
    dials: &'a Dials,
}

impl Bench<'_> {
    fn paint(&mut self, uv: Vec2, shape: &StainShape) {
        let tick = self.run.tick;
        self.recorder.stain(tick, self.dials, uv, shape, self.canvas.map());
        self.canvas.map_mut().set_looks(self.dials.looks.looks(), tick);
        self.canvas.paint_uv(uv, shape, tick);
        self.run.hits += 1;
    }

    fn tick(&mut self) {
        let tick = self.run.tick;
        self.recorder.tick(tick, self.dials, self.canvas.map());
        self.canvas.tick(tick, self.dials.gravity.uv(), &self.dials.blood);
        self.run.tick = tick.wrapping_add(1);
    }
}

/// Paints the shots of this frame. They belong to the start of the next tick, so a paused run can be painted too. While a script is played, they
/// are not: the digest would no longer be its own.
fn shoot(
    mut shots: MessageReader<Shot>,
    mut run: ResMut<Run>,
    mut recorder: ResMut<Recorder>,
    mut replay: ResMut<Replay>,
    dials: Res<Dials>,
    meshes: Res<Assets<Mesh>>,
    mut subject: Query<(&mut WetCanvas, &Mesh3d, &GlobalTransform), With<Subject>>,
) {
    for shot in shots.read() {
        if replay.is_playing() {
            replay.refused += 1;
            continue;
        }
        let Ok((mut canvas, mesh, transform)) = subject.single_mut() else {
            continue;
        };
        let Some(mesh) = meshes.get(mesh) else {
            continue;
        };
        let seed = run.shots.wrapping_mul(0x9E37_79B9) ^ 0x51ED_0000;
        run.shots = run.shots.wrapping_add(1);
        let impact = impact(shot, transform.translation(), &dials.shot, seed);
        let shape = stain_shape(&impact, &BloodSettings::default(), seed);
        match WetCanvas::hit_world(mesh, transform, shot.ray.origin, *shot.ray.direction) {
            Some(uv) => {
                let mut bench = Bench { canvas: &mut canvas, recorder: &mut recorder, run: &mut run, dials: &dials };
                bench.paint(uv, &shape);
            }
            None => run.misses += 1,
        }
    }
}

/// What became of a script's next tick.
enum Played {
    /// It may run.
    Tick,
    /// There is more to paint before it, and no time left in this frame.
    Busy,
    /// There is none.
    Over,
}

/// Paints what a script has before its next tick, under the script's own dials.
fn play_on(
    running: &mut Running,
    budget: &mut Budget,
    dials: &mut Dials,
    run: &mut Run,
    recorder: &mut Recorder,
    canvas: &mut WetCanvas,
) -> Played {
    while budget.has_time() {
        let step = running.player.advance();
        dials.follow(running.player.gravity(), running.player.settings(), &running.player.looks());
        match step {
            Some(Step::Stain { uv, shape, .. }) => Bench { canvas, recorder, run, dials }.paint(uv.into(), &shape),
            // Admitted scripts have none.
            Some(Step::Shot { .. }) => {}
            Some(Step::Tick { .. }) => return Played::Tick,
            None => return Played::Over,
        }
    }
    Played::Busy
}

fn tick(
    mut budget: ResMut<Budget>,
    mut run: ResMut<Run>,
    mut status: ResMut<Status>,
    mut dials: ResMut<Dials>,
    mut recorder: ResMut<Recorder>,
    mut replay: ResMut<Replay>,
    mut time: ResMut<Time<Virtual>>,
    mut subject: Query<&mut WetCanvas, With<Subject>>,
) {
    // A script that has ended in this frame has paused the clock, and the rest of the frame's ticks are not its own.
    let Some(mut canvas) = subject.single_mut().ok().filter(|_| !time.is_paused()) else {
        return;
    };
    let start = Instant::now();
    let ticks = if run.fast { dials.fast_forward } else { 1 };
    let before = run.tick;
    for _ in 0..ticks {
        let mut running = replay.running.as_mut().filter(|running| running.verdict.is_none());
        let played = match &mut running {
            Some(running) => play_on(running, &mut budget, &mut dials, &mut run, &mut recorder, &mut canvas),
            None if budget.has_time() => Played::Tick,
            None => Played::Busy,
        };
        match played {
            Played::Tick => {}
            Played::Busy => break,
            Played::Over => {
                if let Some(running) = running {
                    running.finish(canvas.map(), run.hits, &dials);
                }
                time.pause();
                break;
            }
        }
        Bench { canvas: &mut canvas, recorder: &mut recorder, run: &mut run, dials: &dials }.tick();
        if let Some(running) = running {
            running.look(canvas.map(), run.tick);
        }
    }
    let done = run.tick.wrapping_sub(before);
    if done > 0 {
        status.note_ticks(done, start.elapsed());
    }
}

/// Hands the dials to those who read them elsewhere: the upload budget, and the canvas that is drawn.
fn follow_dials(
    dials: Res<Dials>,
    run: Res<Run>,
    mut settings: ResMut<WetSettings>,
    mut subject: Query<&mut WetCanvas, With<Subject>>,
) {
    settings.set_if_neq(dials.blood);
    for mut canvas in &mut subject {
        if canvas.map().looks() != dials.looks.looks() {
            canvas.map_mut().set_looks(dials.looks.looks(), run.tick);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_uv_unit_is_one_metre_on_the_sphere() {
        let mesh = sphere();
        let (Some(positions), Some(VertexAttributeValues::Float32x2(uvs))) = (
            mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(VertexAttributeValues::as_float3),
            mesh.attribute(Mesh::ATTRIBUTE_UV_0),
        ) else {
            panic!("the sphere has positions and texture coordinates");
        };
        let (first, last) = (0, uvs.len() - 1);
        assert!((positions[first][1] - RADIUS_M).abs() < 1e-6 && uvs[first][1] == 0.5, "the top");
        assert!((positions[last][1] + RADIUS_M).abs() < 1e-6 && uvs[last][1] == 1.0, "the bottom");
        // Two neighbours on the equator, row 32 of 64, and two on a meridian.
        let at = |row: usize, column: usize| (Vec3::from(positions[row * 97 + column]), Vec2::from(uvs[row * 97 + column]));
        for ((a, uv_a), (b, uv_b)) in [(at(32, 10), at(32, 11)), (at(20, 5), at(21, 5))] {
            let metres_per_uv = a.distance(b) / uv_a.distance(uv_b);
            assert!((metres_per_uv - UV_SPAN_M).abs() < 0.01, "{metres_per_uv}");
        }
    }

    /// Cases whose digests are published.
    const CASES: &str = include_str!("../../../tests/cases/wetmap-digests.json");

    /// The demo's canvas and clock, without a picture, fast-forwarding by as much as there is.
    fn bench(size: u32, clock: impl FnMut() -> Duration + Send + Sync + 'static) -> App {
        let mut app = App::new();
        app.insert_resource(Budget::on(Box::new(clock)))
            .insert_resource(Run { fast: true, ..default() })
            .insert_resource(Dials { fast_forward: 20, ..default() })
            .init_resource::<Status>()
            .init_resource::<Recorder>()
            .init_resource::<Replay>()
            .init_resource::<Time<Virtual>>()
            .init_resource::<Assets<Image>>()
            .add_systems(Update, (tick, tick, tick, tick, tick, tick).chain());
        let canvas = clean_canvas(&mut app.world_mut().resource_mut::<Assets<Image>>(), size);
        app.world_mut().spawn((Subject, canvas));
        app
    }

    /// One frame of as many steps as there may be; how many ticks it had.
    fn frame(app: &mut App) -> u32 {
        let before = app.world().resource::<Run>().tick;
        app.world_mut().resource_mut::<Budget>().renew();
        app.update();
        app.world().resource::<Run>().tick - before
    }

    /// A clock that goes on by so much at each look.
    fn clock(each: Duration) -> impl FnMut() -> Duration {
        let mut now = Duration::ZERO;
        move || {
            now += each;
            now
        }
    }

    #[test]
    fn a_frame_is_held_up_for_so_long_and_what_is_left_out_is_not_made_up_for() {
        assert_eq!(frame(&mut bench(16, clock(Duration::ZERO))), 120, "six steps of twenty");
        let mut slow = bench(16, clock(Duration::from_millis(20)));
        assert_eq!([0; 3].map(|_| frame(&mut slow)), [3, 3, 3]);
        let mut slower = bench(16, clock(Duration::from_secs(9)));
        assert_eq!([0; 3].map(|_| frame(&mut slower)), [1, 1, 1], "it gets on");
    }

    #[test]
    fn a_script_gives_its_digest_however_slowly_it_is_played() {
        let cases: Vec<Script> = serde_json::from_str(CASES).expect("the cases are scripts");
        let case = &cases[0];
        assert!(case.mesh.is_none() && case.events.len() >= 3 && case.ticks >= 90);
        for each in [Duration::ZERO, Duration::from_millis(20), Duration::from_secs(9)] {
            let mut app = bench(case.size, clock(each));
            app.insert_resource(Replay { running: Some(Running::new(case)), refused: 0 });
            let frames = (1..500).find(|_| {
                frame(&mut app);
                !app.world().resource::<Replay>().is_playing()
            });
            let replay = app.world().resource::<Replay>();
            assert_eq!(replay.running.as_ref().and_then(|running| running.verdict), Some(true), "{each:?}");
            assert_eq!(app.world().resource::<Run>().tick, case.ticks);
            assert_eq!(frames > Some(20), each > Duration::ZERO, "{frames:?} frames");
        }
    }
}
