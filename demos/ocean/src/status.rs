//! What the demo says of itself: one snapshot a frame, for the page's read-out, the window's title, tests and consoles.

use crate::afloat::blood::Blood;
use crate::afloat::carry::Hand;
use crate::afloat::proof::Script;
use crate::afloat::{self, Body, BodyReport};
use crate::camera::{Eye, Pose};
use crate::quality::Quality;
use crate::scene::{Notices, Run, Sea, preset_surface};
use crate::sky::Sun;
use crate::weather::Arriving;
use bevy::diagnostic::FrameCount;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;
use bevy_ocean::ocean::{SeaState, statistics};
use bevy_ocean::{GpuTimes, SurfaceReport, WaterDiagnostics, WaterField, WaterSurface, WaterTime, WaterView, WorldWind};

/// How much of a new measurement goes into a running mean.
const SMOOTHING: f32 = 0.1;

/// Points along an edge of the grid that a sea's figures are summed over. Finer ones hold more waves and no more height.
const FIGURES_RESOLUTION: u32 = 64;

/// A sea in three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SeaFigures {
    /// Significant wave height as drawn, m.
    pub wave_height: f32,
    /// Period of the spectrum's peak, s.
    pub peak_period: f32,
    /// Where the waves go to, degrees: 0 is +x, 90 is +z.
    pub direction: f32,
}

impl SeaFigures {
    fn of(sea: &SeaState) -> Self {
        Self {
            wave_height: statistics::significant_wave_height(sea, FIGURES_RESOLUTION) as f32,
            peak_period: statistics::dominant_period(sea, FIGURES_RESOLUTION) as f32,
            direction: statistics::sea_direction(sea, FIGURES_RESOLUTION).heading as f32,
        }
    }
}

/// One consistent picture of the demo, made at the end of each frame.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Status {
    /// Frames so far.
    pub frame: u32,
    /// What the run is at.
    pub run: Run,
    /// The name of the preset; "custom" once a parameter is another.
    pub preset: &'static str,
    /// The water as it is asked for.
    pub surface: WaterSurface,
    /// Its figures, in the wind that there is.
    pub sea: SeaFigures,
    /// What there is of it on the GPU.
    pub report: Option<SurfaceReport>,
    /// GPU milliseconds, where they can be measured.
    pub gpu_ms: Option<GpuTimes>,
    /// Whether the waves stand.
    pub paused: bool,
    /// The scene's wind, m/s and degrees.
    pub wind: (f32, f32),
    /// What floats.
    pub bodies: Vec<BodyReport>,
    /// Whether one of them is being carried.
    pub carrying: bool,
    /// The blood on the buoys.
    pub blood: Blood,
    /// The proof: whether its script is being played, and what came of it.
    pub proof: (bool, Option<bool>),
    /// Lines and maps.
    pub view: WaterView,
    /// The sky.
    pub sun: Sun,
    /// The eye.
    pub pose: Pose,
    /// The eye's height above the water, m.
    pub height_above_water: f32,
    /// What draws it.
    pub adapter: String,
    /// Name of the quality, and why it is not full.
    pub quality: (&'static str, Option<String>),
    /// The last notices.
    pub notices: Vec<String>,
    /// Whether the read-out is to be shown.
    pub readout_shown: bool,
    /// Whether the legend is open.
    pub help_shown: bool,
    /// Running mean of the time between frames, milliseconds.
    pub frame_ms: f32,
    /// Physical pixels.
    pub window: UVec2,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            frame: 0,
            run: Run::default(),
            preset: Run::default().preset.name(),
            surface: WaterSurface::default(),
            sea: SeaFigures::default(),
            report: None,
            gpu_ms: None,
            paused: false,
            wind: (0.0, 0.0),
            bodies: Vec::new(),
            carrying: false,
            blood: Blood::default(),
            proof: (false, None),
            view: WaterView::default(),
            sun: Sun::default(),
            pose: Pose::from(crate::views::View::of(Run::default().preset)),
            height_above_water: 0.0,
            adapter: String::new(),
            quality: ("", None),
            notices: Vec::new(),
            readout_shown: true,
            help_shown: false,
            frame_ms: 0.0,
            window: UVec2::ZERO,
        }
    }
}

impl Status {
    /// Frames a second.
    pub fn fps(&self) -> f32 {
        if self.frame_ms > 0.0 { 1e3 / self.frame_ms } else { 0.0 }
    }
}

/// A running mean that begins with its first value.
fn mix(mean: &mut f32, value: f32) {
    *mean = if *mean == 0.0 { value } else { *mean + SMOOTHING * (value - *mean) };
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Status>().add_systems(Last, (note_sea, note_frame, note_afloat).chain().in_set(NoteStatus));
}

/// The systems that make the snapshot.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NoteStatus;

/// The surface and what follows from it and the wind; its figures cost a millisecond or two, so only when the sea changed.
pub(crate) fn note_sea(
    mut status: ResMut<Status>,
    mut notices: ResMut<Notices>,
    run: Res<Run>,
    quality: Res<Quality>,
    diagnostics: Res<WaterDiagnostics>,
    surface: Query<(Entity, Ref<WaterSurface>), With<Sea>>,
) {
    let Ok((entity, surface)) = surface.single() else {
        return;
    };
    if surface.is_changed() || run.is_changed() {
        let named = *surface == preset_surface(run.preset, &quality);
        status.preset = if named { run.preset.name() } else { "custom" };
        status.surface = WaterSurface::clone(&surface);
    }
    let report = diagnostics.surfaces.iter().find(|report| report.entity == entity);
    if let Some(report) = report.filter(|now| status.report.as_ref().is_none_or(|before| before.sea != now.sea)) {
        status.sea = SeaFigures::of(&report.sea);
    }
    if let Some(error) = report.and_then(|report| report.error.as_ref())
        && status.report.as_ref().and_then(|before| before.error.as_ref()) != Some(error)
    {
        notices.say(error.clone());
    }
    status.report = report.cloned();
    status.gpu_ms = diagnostics.gpu_ms;
}

/// What floats, what is on it, and the wind.
fn note_afloat(
    mut status: ResMut<Status>,
    bodies: Query<(&Body, &GlobalTransform)>,
    eye: Query<(&Camera, &GlobalTransform), With<Eye>>,
    hand: Res<Hand>,
    blood: Res<Blood>,
    script: Res<Script>,
    wind: Option<Res<WorldWind>>,
    arriving: Res<Arriving>,
) {
    status.bodies = afloat::reports(&bodies, &eye);
    status.carrying = hand.carried().is_some();
    status.blood = *blood;
    status.proof = (script.plays(), script.holds());
    if let Some(wind) = arriving.0.or(wind.as_deref().copied()) {
        status.wind = (wind.speed, wind.heading);
    }
}

fn note_frame(
    mut status: ResMut<Status>,
    run: Res<Run>,
    sun: Res<Sun>,
    pose: Res<Pose>,
    water: Res<WaterTime>,
    view: Res<WaterView>,
    quality: Res<Quality>,
    notices: Res<Notices>,
    frame: Res<FrameCount>,
    real: Res<Time<Real>>,
    adapter: Option<Res<RenderAdapterInfo>>,
    window: Query<&Window, With<PrimaryWindow>>,
    field: Query<&WaterField, With<Sea>>,
) {
    status.frame = frame.0;
    status.run = *run;
    status.sun = *sun;
    status.pose = *pose;
    status.view = *view;
    status.paused = water.paused;
    let eye = pose.position();
    status.height_above_water = field.single().map_or(eye.y, |field| eye.y - field.height_at(eye.xz()));
    if status.quality.0 != quality.name() {
        status.quality = (quality.name(), quality.reason().map(str::to_owned));
    }
    if notices.is_changed() {
        status.notices = notices.iter().map(str::to_owned).collect();
    }
    if let Some(adapter) = adapter.filter(|_| status.adapter.is_empty()) {
        status.adapter.clone_from(&adapter.name);
    }
    mix(&mut status.frame_ms, real.delta_secs() * 1e3);
    if let Ok(window) = window.single() {
        status.window = window.physical_size();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ocean::Preset;

    #[test]
    fn a_running_mean_begins_with_its_first_value_and_follows() {
        let mut mean = 0.0;
        mix(&mut mean, 2.0);
        assert_eq!(mean, 2.0);
        for _ in 0..100 {
            mix(&mut mean, 4.0);
        }
        assert!((mean - 4.0).abs() < 1e-3);
    }

    #[test]
    fn a_storm_is_higher_than_a_lake_and_goes_where_its_wind_blows() {
        let [storm, lake] = [Preset::StormyOcean, Preset::CalmLake].map(|preset| SeaFigures::of(&preset.sea_state()));
        assert!(storm.wave_height > 10.0 * lake.wave_height, "{storm:?} {lake:?}");
        assert!(storm.peak_period > lake.peak_period);
        assert!((storm.direction - 29.0).abs() < 15.0, "{storm:?}");
    }
}
