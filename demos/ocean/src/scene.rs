//! The water and what is done to it: the one surface, the preset it came from, and every action that is not the sky's.

use crate::camera::{Flight, Pose};
use crate::input::ReadInput;
use crate::keys::Action;
use crate::quality::Quality;
use crate::status::Status;
use crate::views::View;
use crate::{Machine, memory};
use bevy::prelude::*;
use bevy_ocean::{Preset, WaterHeights, WaterSurface, WaterTime, WaterView};
use std::collections::VecDeque;

/// How many of the last notices are kept.
const NOTICES: usize = 4;

/// A step of a sea that is simulated every frame, seconds.
const STEP_SECONDS: f64 = 1.0 / 60.0;

/// A frame that took longer than this is taken for this long: the sea of a slow machine is slow, and does not jump.
const LONGEST_FRAME: std::time::Duration = std::time::Duration::from_millis(100);

/// The water's entity.
#[derive(Component)]
pub(crate) struct Sea;

/// The systems that do what was asked for.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DoActions;

/// What the run is at.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The preset that was chosen last.
    pub preset: Preset,
    /// Single steps so far.
    pub steps: u32,
    /// Resets so far.
    pub resets: u32,
    /// The water's clock since the start, seconds.
    pub time: f64,
}

impl Default for Run {
    fn default() -> Self {
        Self { preset: Preset::Ocean, steps: 0, resets: 0, time: 0.0 }
    }
}

/// What the visitor should be told: the last few sentences, the oldest first.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Notices(VecDeque<String>);

impl Notices {
    /// Adds a sentence. The same one again comes to the end and is not doubled.
    pub fn say(&mut self, sentence: String) {
        self.0.retain(|said| *said != sentence);
        self.0.push_back(sentence);
        while self.0.len() > NOTICES {
            self.0.pop_front();
        }
    }

    /// The sentences.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Run>()
        .init_resource::<Notices>()
        .configure_sets(PreUpdate, DoActions.after(ReadInput))
        .add_systems(Startup, (fill_sea, limit_frame))
        .add_systems(PreUpdate, act.in_set(DoActions))
        .add_systems(Update, run_clock);
}

fn limit_frame(mut time: ResMut<Time<Virtual>>) {
    time.set_max_delta(LONGEST_FRAME);
}

fn fill_sea(mut commands: Commands, quality: Res<Quality>) {
    commands.spawn((Sea, preset_surface(Preset::Ocean, &quality), WaterHeights, Transform::default()));
}

/// A preset as this machine is to draw it.
pub(crate) fn preset_surface(preset: Preset, quality: &Quality) -> WaterSurface {
    let mut surface = WaterSurface::from(preset);
    quality.limit(&mut surface);
    surface
}

/// A preset as this machine draws it for who has set nothing: what undoing goes back to.
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a window has no panel"))]
pub(crate) fn original_surface(preset: Preset, quality: &Quality) -> WaterSurface {
    let mut nothing_set = quality.clone();
    nothing_set.chosen = default();
    preset_surface(preset, &nothing_set)
}

fn run_clock(mut run: ResMut<Run>, time: Res<Time>, water: Res<WaterTime>) {
    if !water.paused {
        run.bypass_change_detection().time += time.delta_secs_f64() * water.speed;
    }
}

fn act(
    mut actions: MessageReader<Action>,
    machine: Res<Machine>,
    mut run: ResMut<Run>,
    mut notices: ResMut<Notices>,
    mut quality: ResMut<Quality>,
    mut pose: ResMut<Pose>,
    mut flight: ResMut<Flight>,
    mut status: ResMut<Status>,
    mut water: ResMut<WaterTime>,
    mut view: ResMut<WaterView>,
    mut sea: Query<&mut WaterSurface, With<Sea>>,
) {
    for action in actions.read() {
        let Ok(mut surface) = sea.single_mut() else {
            return;
        };
        match *action {
            Action::Choose(preset) => choose(preset, &mut run, &mut quality, &mut pose, &mut surface),
            Action::Resolution(step) => {
                if let Some(notice) = change_resolution(&mut surface, step, *machine) {
                    notices.say(notice);
                }
                quality.chosen.resolution = true;
                quality.wait();
            }
            Action::TogglePause => water.paused = !water.paused,
            Action::Step if water.paused => {
                let rate = f64::from(surface.updates_per_second);
                let seconds = if rate > 0.0 { 1.0 / rate } else { STEP_SECONDS };
                water.step(seconds);
                run.steps += 1;
                run.time += seconds;
            }
            Action::Step => notices.say("A single step is for a sea that is paused.".into()),
            Action::ToggleLines => view.lines = !view.lines,
            Action::NextMap => view.map = view.map.next(),
            Action::NextMapCascade => view.cascade = (view.cascade + 1) % surface.sea.cascades.len().max(1) as u32,
            Action::ToggleReadout => status.readout_shown = !status.readout_shown,
            Action::ToggleHelp => status.help_shown = !status.help_shown,
            Action::Reset => {
                *water = WaterTime::default();
                *view = WaterView::default();
                *flight = Flight::default();
                status.readout_shown = true;
                status.help_shown = false;
                choose(Preset::Ocean, &mut run, &mut quality, &mut pose, &mut surface);
                *run = Run { resets: run.resets + 1, time: run.time, ..default() };
            }
            // The camera's and the sky's.
            Action::Fly(_) | Action::MoveSun(..) | Action::NextSky => {}
            // The fleet's and the weather's.
            Action::Gather | Action::Prove | Action::NextWind | Action::TurnWind => {}
        }
        // The choice of a preset may have left fewer of them.
        view.cascade = view.cascade.min(surface.sea.cascades.len().saturating_sub(1) as u32);
    }
}

fn choose(preset: Preset, run: &mut Run, quality: &mut Quality, pose: &mut Pose, surface: &mut WaterSurface) {
    quality.chosen = default();
    quality.wait();
    run.preset = preset;
    *surface = preset_surface(preset, quality);
    *pose = Pose::from(View::of(preset));
}

/// Doubles or halves the resolution. Returns what to say if it does not go further.
fn change_resolution(surface: &mut WaterSurface, step: i8, machine: Machine) -> Option<String> {
    let now = surface.admitted().wave_resolution;
    let wanted = if step > 0 { now * 2 } else { now / 2 };
    let cascades = surface.sea.cascades.len();
    let finest = memory::finest(cascades, machine);
    surface.wave_resolution = wanted.clamp(memory::COARSEST, finest);
    if wanted < memory::COARSEST {
        Some(format!("{} is the lowest resolution.", memory::COARSEST))
    } else if wanted > memory::FINEST {
        Some(format!("{} is the highest resolution.", memory::FINEST))
    } else if wanted > finest {
        Some(memory::refusal(wanted, cascades))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resolution_goes_through_the_powers_of_two_and_says_where_it_ends() {
        let mut surface = WaterSurface::from(Preset::Ocean);
        let seen: Vec<_> =
            (0..5).map(|_| (change_resolution(&mut surface, 1, Machine::Gpu).is_some(), surface.wave_resolution)).collect();
        assert_eq!(seen, [(false, 1024), (false, 2048), (false, 4096), (true, 4096), (true, 4096)]);
        let seen: Vec<_> =
            (0..6).map(|_| (change_resolution(&mut surface, -1, Machine::Gpu).is_some(), surface.wave_resolution)).collect();
        assert_eq!(seen, [(false, 2048), (false, 1024), (false, 512), (false, 256), (false, 128), (true, 128)]);
    }

    #[test]
    fn the_highest_resolution_needs_memory() {
        let mut surface = WaterSurface { wave_resolution: 2048, ..default() };
        assert!(change_resolution(&mut surface, 1, Machine::Software).is_some());
        let cascade = surface.sea.cascades[0];
        surface.sea.cascades = vec![cascade; 8];
        let notice = change_resolution(&mut surface, 1, Machine::Gpu);
        assert!(notice.is_some_and(|notice| notice.contains("GB")));
        assert_eq!(surface.wave_resolution, 2048);
    }

    #[test]
    fn only_the_last_notices_are_kept_and_none_twice() {
        let mut notices = Notices::default();
        for sentence in ["a", "b", "a", "c", "d", "e"] {
            notices.say(sentence.into());
        }
        assert_eq!(notices.iter().collect::<Vec<_>>(), ["a", "c", "d", "e"]);
    }
}
