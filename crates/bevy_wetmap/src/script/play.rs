//! Playing a script: the order of things, once, for everyone who plays one.

use super::{Event, Expectation, IndexFormat, Script, floats};
use crate::StainShape;
use crate::model::{Looks, SizeError, WetSettings, Wetmap};
use crate::ray::{Affine, Indices, Ray, Triangles};
use serde::Serialize;

/// What came out of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// The state at each of the script's expectations, in their order.
    pub states: Vec<Expectation>,
    /// What each ray returned.
    pub hits: Vec<bool>,
}

impl Script {
    /// Whether the replay is what the script expects.
    pub fn is_met_by(&self, replay: &Replay) -> bool {
        self.expect == replay.states && self.expect_hits == replay.hits
    }

    /// Plays the script on the model core.
    ///
    /// # Errors
    /// [`SizeError`] when the script's canvas cannot be had.
    pub fn replay(&self) -> Result<Replay, SizeError> {
        let mut states = vec![Expectation::empty(); self.expect.len()];
        let hits = self.play(|after_ticks, map| {
            for (state, expected) in states.iter_mut().zip(&self.expect) {
                if expected.after_ticks == after_ticks {
                    *state = Expectation::of(map, after_ticks);
                }
            }
        })?;
        Ok(Replay { states, hits })
    }

    /// Plays the script, showing the canvas after every tick with the number of ticks so far, and once more at the end of one that
    /// [ends painted](Self::ends_painted). Returns what each ray returned.
    ///
    /// # Errors
    /// [`SizeError`] when the script's canvas cannot be had.
    pub fn play(&self, mut show: impl FnMut(u32, &Wetmap)) -> Result<Vec<bool>, SizeError> {
        let scene = Scene::of(self);
        let mut map = Wetmap::new(self.size, [0.5; 3], 0.5)?;
        let mut hits = Vec::new();
        let mut player = Player::new(self);
        while let Some(step) = player.advance() {
            match step {
                Step::Stain { tick, uv, shape } => {
                    map.set_looks(player.looks(), tick);
                    map.paint_uv(uv, &shape, tick);
                }
                Step::Shot { tick, ray, shape } => {
                    map.set_looks(player.looks(), tick);
                    hits.push(scene.paint(&mut map, ray, &shape, tick));
                }
                Step::Tick { tick } => {
                    map.tick(tick, player.gravity(), player.settings());
                    show(tick + 1, &map);
                }
            }
        }
        if self.ends_painted {
            show(self.ticks, &map);
        }
        Ok(hits)
    }
}

/// What a player of a script does next, under the player's gravity, settings and looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Paint a stain at a texture coordinate.
    Stain {
        /// The tick it belongs to.
        tick: u32,
        /// Where.
        uv: [f32; 2],
        /// What.
        shape: StainShape,
    },
    /// Paint a stain where a ray meets the script's mesh.
    Shot {
        /// The tick it belongs to.
        tick: u32,
        /// The shot.
        ray: Ray,
        /// What.
        shape: StainShape,
    },
    /// Run a tick.
    Tick {
        /// Its number.
        tick: u32,
    },
}

/// A script, step by step, for whoever wants to play it on a canvas of their own and at a pace of their own. [`Script::play`] is the
/// plain way.
#[derive(Clone, Debug)]
pub struct Player {
    /// In the order of their ticks, and within a tick in the script's.
    events: Vec<Event>,
    next: usize,
    tick: u32,
    ticks: u32,
    ends_painted: bool,
    gravity: [f32; 2],
    settings: WetSettings,
    looks: Looks,
}

impl Player {
    /// At the start of a script.
    pub fn new(script: &Script) -> Self {
        let mut events = script.events.clone();
        events.sort_by_key(Event::tick);
        let (mut settings, mut looks) = (WetSettings::default(), Looks::default());
        script.settings.apply(&mut settings, &mut looks);
        let gravity = floats(script.gravity);
        let Script { ticks, ends_painted, .. } = *script;
        Self { events, next: 0, tick: 0, ticks, ends_painted, gravity, settings, looks }
    }

    /// The next step; `None` at the end. Changes of gravity and of dials that come before it are in force when it is returned.
    pub fn advance(&mut self) -> Option<Step> {
        let ticks_left = self.tick < self.ticks;
        if !ticks_left && !self.ends_painted {
            return None;
        }
        while let Some(event) = self.events.get(self.next).copied().filter(|event| event.tick() <= self.tick) {
            self.next += 1;
            match event {
                Event::Uv { tick, uv, shape } => return Some(Step::Stain { tick, uv: floats(uv), shape: shape.into() }),
                Event::Ray { tick, ray, shape } => return Some(Step::Shot { tick, ray: ray.into(), shape: shape.into() }),
                Event::Gravity { gravity, .. } => self.gravity = floats(gravity),
                Event::Settings { settings, .. } => settings.apply(&mut self.settings, &mut self.looks),
            }
        }
        if !ticks_left {
            return None;
        }
        self.tick += 1;
        Some(Step::Tick { tick: self.tick - 1 })
    }

    /// Gravity in texture space.
    pub fn gravity(&self) -> [f32; 2] {
        self.gravity
    }

    /// The dials.
    pub fn settings(&self) -> &WetSettings {
        &self.settings
    }

    /// How stains are stamped. A script says nothing of their film.
    pub fn looks(&self) -> Looks {
        self.looks
    }
}

/// A script's mesh in the form the ray wants.
struct Scene {
    positions: Vec<[f32; 3]>,
    uvs: Option<Vec<[f32; 2]>>,
    narrow: Option<Vec<u16>>,
    wide: Option<Vec<u32>>,
    place: Affine,
}

impl Scene {
    fn of(script: &Script) -> Self {
        let mesh = script.mesh.as_ref();
        let indices = mesh.and_then(|mesh| mesh.indices.clone());
        let is_narrow = mesh.and_then(|mesh| mesh.index_format) == Some(IndexFormat::U16);
        // An index that does not fit is past every vertex there can be, and so is the largest.
        let narrow = |list: &Vec<u32>| list.iter().map(|&i| u16::try_from(i).unwrap_or(u16::MAX)).collect();
        Self {
            positions: mesh.map_or_else(Vec::new, |mesh| mesh.positions.iter().copied().map(floats).collect()),
            uvs: mesh.and_then(|mesh| Some(mesh.uvs.as_ref()?.iter().copied().map(floats).collect())),
            narrow: indices.as_ref().filter(|_| is_narrow).map(narrow),
            wide: indices.filter(|_| !is_narrow),
            place: script.transform.map_or(Affine::IDENTITY, Affine::from),
        }
    }

    fn paint(&self, map: &mut Wetmap, ray: Ray, shape: &StainShape, tick: u32) -> bool {
        let Some(uvs) = &self.uvs else {
            return false;
        };
        let indices = match (&self.narrow, &self.wide) {
            (Some(list), _) => Indices::U16(list),
            (None, Some(list)) => Indices::U32(list),
            (None, None) => Indices::None,
        };
        map.paint_ray(&Triangles { positions: &self.positions, uvs, indices }, &self.place, ray, shape, tick)
    }
}
