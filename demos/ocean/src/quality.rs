//! What the machine can do: watches how long frames take, and asks for less where they take too long.
//!
//! It only ever goes down, a step at a time: first the mesh, then the maps' resolution. Going up again by itself would mean to try,
//! fail and come back for ever. It looks at a span of frames, not at one, and after each step waits until what was asked for has been
//! made. What the visitor has chosen himself is not touched: neither the resolution nor the mesh nor the spray, once he set it.

use crate::Machine;
use crate::scene::{Notices, Sea};
use bevy::prelude::*;
use bevy_ocean::{MeshMode, WaterSurface, WaveMeshQuality};

/// A frame that takes longer is too slow, seconds: fewer than 25 in a second. A screen that shows 30 is not.
const SLOW_FRAME: f32 = 0.040;

/// How long and over how many frames it is watched before anything is done.
const SPAN_SECONDS: f32 = 2.5;
const SPAN_FRAMES: u32 = 12;

/// The share of slow frames of a span that is too much.
const TOO_MANY: f32 = 0.75;

/// How long nothing is counted after the start and after a step, seconds: shaders compile and meshes are made.
const GRACE_SECONDS: f32 = 4.0;

/// A frame that took longer than this was no frame but a pause: a hidden page, a debugger.
const PAUSE: f32 = 5.0;

/// A level of quality: the most that is asked of the machine by itself.
#[derive(Clone, Copy, Debug)]
struct Level {
    name: &'static str,
    /// The densest clipmap; [`COARSE`] where it is [`WaveMeshQuality::Custom`].
    mesh: WaveMeshQuality,
    /// Most quads along a grid's edge.
    grid: u32,
    /// Most points along an edge of the maps.
    resolution: u32,
}

const LEVELS: [Level; 6] = [
    Level { name: "full", mesh: WaveMeshQuality::High, grid: 1024, resolution: 4096 },
    Level { name: "medium mesh", mesh: WaveMeshQuality::Medium, grid: 200, resolution: 4096 },
    Level { name: "low mesh", mesh: WaveMeshQuality::Low, grid: 128, resolution: 4096 },
    Level { name: "low mesh, 256 points", mesh: WaveMeshQuality::Low, grid: 128, resolution: 256 },
    Level { name: "low mesh, 128 points", mesh: WaveMeshQuality::Low, grid: 96, resolution: 128 },
    Level { name: "coarse mesh, 128 points", mesh: WaveMeshQuality::Custom, grid: 64, resolution: 128 },
];

/// Droplets of spray with that mesh.
const FEWEST_DROPLETS: u32 = 400;

/// A clipmap coarser than Low: rings, quads along an edge, and the finest quad in metres. Some hundredths of Low's triangles, for a
/// processor that plays a GPU: there a vertex costs what a pixel does.
const COARSE: (u32, u32, f32) = (4, 32, 2.0);

/// What the visitor has set himself since the preset was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub mesh: bool,
    pub resolution: bool,
    pub spray: bool,
}

impl Chosen {
    /// Takes note that a parameter was set, by its name.
    pub fn note(&mut self, parameter: &str) {
        match parameter {
            "wave_resolution" => self.resolution = true,
            "spray_particles" => self.spray = true,
            "mesh_mode" | "wave_mesh_quality" | "clipmap_rings" | "clipmap_resolution" | "clipmap_quad_size" | "grid_size"
            | "grid_subdivisions" => self.mesh = true,
            _ => {}
        }
    }
}

/// The level that holds, and why.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Quality {
    level: usize,
    reason: Option<String>,
    pub chosen: Chosen,
    watch: Watch,
}

impl Quality {
    /// Its name, for the read-out.
    pub fn name(&self) -> &'static str {
        LEVELS[self.level].name
    }

    /// Why it is not full.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Brings a surface down to the level, as far as the visitor has not chosen otherwise.
    pub fn limit(&self, surface: &mut WaterSurface) {
        let level = LEVELS[self.level];
        if !self.chosen.mesh {
            surface.wave_mesh_quality = coarser(surface.wave_mesh_quality, level.mesh);
            if surface.wave_mesh_quality == WaveMeshQuality::Custom {
                if !self.chosen.spray {
                    surface.spray_particles = surface.spray_particles.min(FEWEST_DROPLETS);
                }
                (surface.clipmap_rings, surface.clipmap_resolution, surface.clipmap_quad_size) = COARSE;
            }
            surface.grid_subdivisions = surface.grid_subdivisions.min(level.grid);
        }
        if !self.chosen.resolution {
            surface.wave_resolution = surface.wave_resolution.min(level.resolution);
        }
    }

    /// Goes down to the next level that changes this surface. Returns whether there was one; where there is none the level stays: it would say that
    /// something was lowered, and the next preset would be.
    fn lower(&mut self, surface: &mut WaterSurface) -> bool {
        let (level, before) = (self.level, surface.clone());
        while self.level + 1 < LEVELS.len() {
            self.level += 1;
            self.limit(surface);
            if drawn_differently(&before, surface) {
                return true;
            }
        }
        (self.level, *surface) = (level, before);
        false
    }

    /// Starts counting anew: what is drawn has become something else.
    pub fn wait(&mut self) {
        self.watch = Watch::default();
    }
}

/// The coarser of two densities. Custom is [`COARSE`] here, since a visitor's own numbers are never limited.
fn coarser(wanted: WaveMeshQuality, most: WaveMeshQuality) -> WaveMeshQuality {
    use WaveMeshQuality::{Custom, High, Low, Medium};
    match (wanted, most) {
        (Custom, _) | (_, Custom) => Custom,
        (Low, _) | (_, Low) => Low,
        (Medium, _) | (_, Medium) => Medium,
        _ => High,
    }
}

/// Whether a change of the limited fields shows: a clipmap has no grid and a grid no clipmap.
fn drawn_differently(a: &WaterSurface, b: &WaterSurface) -> bool {
    let mesh = match a.mesh_mode {
        MeshMode::Clipmap => a.wave_mesh_quality != b.wave_mesh_quality,
        MeshMode::Grid => a.grid_subdivisions != b.grid_subdivisions,
    };
    mesh || a.wave_resolution != b.wave_resolution
}

/// Frames of the span that is being watched.
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    waited: f32,
    seconds: f32,
    frames: u32,
    slow: u32,
}

impl Watch {
    /// Takes a frame of so many seconds in. At the end of a slow span it returns how long its frames took on average, seconds.
    fn note(&mut self, frame: f32) -> Option<f32> {
        if frame > PAUSE {
            *self = Self { waited: self.waited, ..Self::default() };
            return None;
        }
        if self.waited < GRACE_SECONDS {
            self.waited += frame;
            return None;
        }
        self.seconds += frame;
        self.frames += 1;
        self.slow += u32::from(frame > SLOW_FRAME);
        if self.seconds < SPAN_SECONDS || self.frames < SPAN_FRAMES {
            return None;
        }
        let Self { waited, seconds, frames, slow } = std::mem::take(self);
        self.waited = waited;
        (slow as f32 > TOO_MANY * frames as f32).then_some(seconds / frames as f32)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Quality>().add_systems(PreStartup, begin).add_systems(Update, watch);
}

fn begin(machine: Res<Machine>, mut quality: ResMut<Quality>) {
    if *machine == Machine::Software {
        quality.level = LEVELS.len() - 1;
        quality.reason = Some("the adapter is a program, not a GPU".into());
    }
}

fn watch(
    mut quality: ResMut<Quality>,
    mut notices: ResMut<Notices>,
    time: Res<Time<Real>>,
    clock: Res<Time<Virtual>>,
    mut sea: Query<&mut WaterSurface, With<Sea>>,
) {
    // The page is hidden, or comes back: such frames say nothing.
    if clock.is_paused() {
        return;
    }
    let Some(mean) = quality.bypass_change_detection().watch.note(time.delta_secs()) else {
        return;
    };
    let Ok(mut surface) = sea.single_mut() else {
        return;
    };
    let mut lowered = surface.clone();
    if quality.lower(&mut lowered) {
        *surface = lowered;
        let reason = format!("frames took {:.0} ms", mean * 1e3);
        notices.say(format!("Quality lowered to {}: {reason}.", quality.name()));
        quality.reason = Some(reason);
        quality.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ocean::Preset;

    /// Plays `seconds` of frames of this length; how often they were found slow.
    fn slow_spans(watch: &mut Watch, frame: f32, seconds: f32) -> usize {
        (0..(seconds / frame) as usize).filter(|_| watch.note(frame).is_some()).count()
    }

    #[test]
    fn frames_in_time_change_nothing_and_slow_ones_are_noticed() {
        for frame in [0.004, 0.0167, 0.0334, 0.039] {
            assert_eq!(slow_spans(&mut Watch::default(), frame, 60.0), 0, "{frame}");
        }
        for frame in [0.045, 0.2, 1.0] {
            assert!(slow_spans(&mut Watch::default(), frame, 60.0) > 0, "{frame}");
        }
    }

    #[test]
    fn a_hiccup_a_pause_and_the_start_are_no_slowness() {
        let mut watch = Watch::default();
        assert_eq!(slow_spans(&mut watch, 0.5, GRACE_SECONDS), 0, "shaders compile");
        for _ in 0..40 {
            assert_eq!(watch.note(0.3), None);
            assert_eq!(slow_spans(&mut watch, 0.016, 1.0), 0);
            assert_eq!(watch.note(600.0), None, "a hidden page");
        }
    }

    #[test]
    fn it_goes_down_step_by_step_to_the_end_and_never_up() {
        let mut quality = Quality::default();
        let mut surface = WaterSurface::from(Preset::Ocean);
        let mut seen = vec![(surface.wave_mesh_quality, surface.wave_resolution)];
        while quality.lower(&mut surface) {
            seen.push((surface.wave_mesh_quality, surface.wave_resolution));
        }
        use WaveMeshQuality::{Custom, High, Low, Medium};
        assert_eq!(seen, [(High, 512), (Medium, 512), (Low, 512), (Low, 256), (Low, 128), (Custom, 128)]);
        assert_eq!(surface.admitted().clipmap_dimensions(), COARSE);
        assert!(!quality.lower(&mut surface), "there is an end");
        // Another preset is limited too.
        let mut storm = WaterSurface::from(Preset::StormyOcean);
        quality.limit(&mut storm);
        assert_eq!((storm.wave_mesh_quality, storm.wave_resolution), (Custom, 128));
    }

    #[test]
    fn levels_that_would_not_show_are_passed_over() {
        let mut quality = Quality::default();
        let mut lake = WaterSurface::from(Preset::CalmLake);
        assert!(quality.lower(&mut lake));
        assert_eq!(lake.grid_subdivisions, 200);
        // The swamp has 128 points from the start, so only its mesh can go down.
        let mut quality = Quality::default();
        let mut swamp = WaterSurface::from(Preset::Swamp);
        while quality.lower(&mut swamp) {}
        assert_eq!(swamp.wave_resolution, 128);
    }

    #[test]
    fn the_visitors_own_choice_is_not_touched() {
        let mut quality = Quality::default();
        quality.chosen.note("wave_resolution");
        let mut surface = WaterSurface { wave_resolution: 2048, ..WaterSurface::from(Preset::Ocean) };
        while quality.lower(&mut surface) {}
        assert_eq!((surface.wave_mesh_quality, surface.wave_resolution), (WaveMeshQuality::Custom, 2048));

        let mut quality = Quality::default();
        quality.chosen.note("wave_mesh_quality");
        let mut surface = WaterSurface::from(Preset::Ocean);
        while quality.lower(&mut surface) {}
        assert_eq!((surface.wave_mesh_quality, surface.wave_resolution), (WaveMeshQuality::High, 128));

        let mut quality = Quality::default();
        quality.chosen.note("spray_particles");
        let mut surface = WaterSurface { spray_particles: 8000, ..WaterSurface::from(Preset::Ocean) };
        while quality.lower(&mut surface) {}
        assert_eq!((surface.wave_mesh_quality, surface.spray_particles), (WaveMeshQuality::Custom, 8000));
    }

    #[test]
    fn where_nothing_is_left_to_lower_nothing_is_lowered() {
        let mut quality = Quality::default();
        ["wave_resolution", "wave_mesh_quality"].iter().for_each(|name| quality.chosen.note(name));
        let mut surface = WaterSurface::from(Preset::Ocean);
        assert!(!quality.lower(&mut surface));
        assert_eq!((quality.name(), quality.reason(), &surface), ("full", None, &WaterSurface::from(Preset::Ocean)));
        // The next preset is not limited for the visitor's having chosen much of this one.
        quality.chosen = Chosen::default();
        let mut storm = WaterSurface::from(Preset::StormyOcean);
        quality.limit(&mut storm);
        assert_eq!(storm, WaterSurface::from(Preset::StormyOcean));
    }
}
