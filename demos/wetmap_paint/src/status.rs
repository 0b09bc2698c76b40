//! What the demo says of itself: one snapshot a frame, for the page's read-out, the window's title, tests and consoles.

use crate::dials::Dials;
use crate::recorder::Recorder;
use crate::replay::{Replay, Running};
use crate::studio::Orbit;
use crate::subject::{Run, Subject};
use bevy::diagnostic::FrameCount;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wetmap::script::{Expectation, Script};
use bevy_wetmap::{WetCanvas, WetmapSystems};
use std::time::Duration;

/// How much of a new measurement goes into a running mean.
const SMOOTHING: f32 = 0.1;

/// Bytes of one texel in the canvas's two textures.
const TEXTURE_BYTES_PER_TEXEL: u64 = 8;

/// One consistent picture of the demo, made at the end of each frame.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Status {
    /// Frames so far.
    pub frame: u32,
    /// What the run is at.
    pub run: Run,
    /// What the dials stand at.
    pub dials: Dials,
    /// What has been recorded.
    pub recorder: Recorder,
    /// The script on the canvas, if there is one.
    pub replay: Replay,
    /// Whether the clock stands.
    pub paused: bool,
    /// FNV-1a 64 of the canvas.
    pub digest: u64,
    /// Sum of its amounts.
    pub amount_sum: u64,
    /// Sum of its ages.
    pub age_sum: u64,
    /// Whether the digest is to be shown.
    pub digest_shown: bool,
    /// Whether the legend is open.
    pub help_shown: bool,
    /// m².
    pub wetted_area: f32,
    /// Texels with blood that is not dry yet.
    pub wet_texels: u32,
    /// Mean texture coordinate of the blood; NaN where there is none.
    pub mass: Vec2,
    /// Texels along an edge.
    pub size: u32,
    /// Running mean of one tick, milliseconds.
    pub tick_ms: f32,
    /// Running mean of the time between frames, milliseconds.
    pub frame_ms: f32,
    /// Physical pixels.
    pub window: UVec2,
    /// Bytes of the canvas's textures.
    pub texture_bytes: u64,
    /// Bytes uploaded to them so far.
    pub uploaded_bytes: u64,
    /// Where the eye is.
    pub orbit: Orbit,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            frame: 0,
            run: Run::default(),
            dials: Dials::default(),
            recorder: Recorder::default(),
            replay: Replay::default(),
            paused: false,
            digest: 0,
            amount_sum: 0,
            age_sum: 0,
            digest_shown: true,
            help_shown: false,
            wetted_area: 0.0,
            wet_texels: 0,
            mass: Vec2::NAN,
            size: 0,
            tick_ms: 0.0,
            frame_ms: 0.0,
            window: UVec2::ZERO,
            texture_bytes: 0,
            uploaded_bytes: 0,
            orbit: Orbit::default(),
        }
    }
}

impl Status {
    /// Takes the time of so many ticks into the mean.
    pub fn note_ticks(&mut self, ticks: u32, elapsed: Duration) {
        mix(&mut self.tick_ms, elapsed.as_secs_f32() * 1e3 / ticks.max(1) as f32);
    }

    /// The name of gravity's direction.
    pub fn gravity(&self) -> &'static str {
        self.dials.gravity.name()
    }

    /// What was recorded, as a script that expects the canvas as it is. `None` while there is nothing.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a page saves and sends it; a window does not"))]
    pub fn recording(&self) -> Option<Script> {
        let digest = format!("{:016x}", self.digest);
        let now = Expectation { after_ticks: 0, digest, amount_sum: self.amount_sum, age_sum: self.age_sum };
        self.recorder.script(self.run.tick, &now)
    }

    /// The script that is played or has been.
    pub fn replay(&self) -> Option<&Running> {
        self.replay.running.as_ref()
    }
}

/// A running mean that begins with its first value.
fn mix(mean: &mut f32, value: f32) {
    *mean = if *mean == 0.0 { value } else { *mean + SMOOTHING * (value - *mean) };
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Status>()
        .add_systems(Update, count_uploads.before(WetmapSystems))
        .add_systems(Last, (note_canvas, note_frame));
}

/// A dirty canvas is uploaded this frame, those of its rows that changed: there is one, and the budget is four.
fn count_uploads(mut status: ResMut<Status>, canvases: Query<&WetCanvas>) {
    let dirty = canvases.iter().filter(|canvas| canvas.is_dirty());
    let texels = dirty.map(|canvas| u64::from(canvas.size()) * u64::from(canvas.map().changed_rows().count()));
    let bytes = texels.sum::<u64>() * TEXTURE_BYTES_PER_TEXEL;
    status.uploaded_bytes += bytes;
}

/// Reads the canvas, if it or its clock moved: the sums and the digest cost a walk over every texel.
fn note_canvas(
    mut status: ResMut<Status>,
    run: Res<Run>,
    canvas: Query<&WetCanvas, With<Subject>>,
    dials: Res<Dials>,
    mut seen: Local<Option<(u32, u32, u32)>>,
) {
    let now = (run.tick, run.hits, run.resets);
    let Some(canvas) = canvas.single().ok().filter(|_| *seen != Some(now)) else {
        return;
    };
    *seen = Some(now);
    let size = canvas.size();
    let (mut amount, mut ages, mut moment, mut wet) = (0u64, 0u64, [0u64; 2], 0);
    for (texel, at) in canvas.map().texels().zip(0u64..).filter(|(texel, _)| texel.0 > 0) {
        let (here, x, y) = (u64::from(texel.0), at % u64::from(size), at / u64::from(size));
        amount += here;
        ages += u64::from(texel.1);
        moment[0] += here * (2 * x + 1);
        moment[1] += here * (2 * y + 1);
        wet += u32::from(u32::from(texel.1) < dials.blood.dry_ticks);
    }
    let mean = moment.map(|moment| (moment as f64 / (2 * amount * u64::from(size)) as f64) as f32);
    status.digest = canvas.digest();
    (status.amount_sum, status.age_sum) = (amount, ages);
    status.wetted_area = canvas.wetted_area();
    status.wet_texels = wet;
    status.mass = Vec2::from_array(mean);
    status.size = size;
    status.texture_bytes = u64::from(size).pow(2) * TEXTURE_BYTES_PER_TEXEL;
}

pub(crate) fn note_frame(
    mut status: ResMut<Status>,
    run: Res<Run>,
    dials: Res<Dials>,
    recorder: Res<Recorder>,
    replay: Res<Replay>,
    orbit: Res<Orbit>,
    frame: Res<FrameCount>,
    clock: Res<Time<Virtual>>,
    real: Res<Time<Real>>,
    window: Query<&Window, With<PrimaryWindow>>,
) {
    status.frame = frame.0;
    status.run = *run;
    status.dials = *dials;
    status.recorder.clone_from(&recorder);
    status.replay.clone_from(&replay);
    status.orbit = *orbit;
    status.paused = clock.is_paused();
    mix(&mut status.frame_ms, real.delta_secs() * 1e3);
    if let Ok(window) = window.single() {
        status.window = window.physical_size();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gravity::Gravity;

    #[test]
    fn a_running_mean_begins_with_its_first_value_and_follows() {
        let mut status = Status::default();
        status.note_ticks(10, Duration::from_millis(20));
        assert!((status.tick_ms - 2.0).abs() < 1e-6);
        for _ in 0..100 {
            status.note_ticks(1, Duration::from_millis(4));
        }
        assert!((status.tick_ms - 4.0).abs() < 1e-3);
        assert_eq!(Gravity::default().name(), status.gravity());
    }
}
