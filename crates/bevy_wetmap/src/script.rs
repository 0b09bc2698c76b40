//! Scripts of hits: a scene for one canvas as data, and its replay.
//!
//! A claim about reproducibility is worth something when it can be sent to somebody. A [`Script`] is the whole scene (size, dials,
//! gravity, hits with their ticks) together with the digests it is expected to give; [`Script::replay`] plays it on this machine
//! and says what came out. The format is JSON for people's sake; numbers that JSON cannot hold stand as the strings `"nan"`,
//! `"inf"` and `"-inf"`.

use crate::StainShape;
use crate::model::{SizeError, WetSettings, Wetmap};
use crate::ray::{Affine, Indices, Ray, Triangles};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An `f32` that may be infinite or NaN, which JSON has no number for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Float(pub f32);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_nan() => serializer.serialize_str("nan"),
            f32::INFINITY => serializer.serialize_str("inf"),
            f32::NEG_INFINITY => serializer.serialize_str("-inf"),
            x => serializer.serialize_f32(x),
        }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(f64),
            Name(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(x) => Ok(Self(x as f32)),
            Form::Name(name) => match name.as_str() {
                "nan" => Ok(Self(f32::NAN)),
                "inf" => Ok(Self(f32::INFINITY)),
                "-inf" => Ok(Self(f32::NEG_INFINITY)),
                _ => Err(serde::de::Error::custom(format!(
                    "\"{name}\" is no number; use a number or one of \"nan\", \"inf\", \"-inf\""
                ))),
            },
        }
    }
}

fn floats<const N: usize>(values: [Float; N]) -> [f32; N] {
    values.map(|x| x.0)
}

/// The dials that differ from the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptSettings {
    /// See [`WetSettings::drip_rate`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drip_rate: Option<Float>,
    /// See [`WetSettings::spread_rate`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread_rate: Option<Float>,
    /// See [`WetSettings::dry_ticks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_ticks: Option<u32>,
    /// See [`WetSettings::absorbency`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absorbency: Option<Float>,
    /// See [`WetSettings::humidity`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub humidity: Option<Float>,
}

impl From<ScriptSettings> for WetSettings {
    fn from(script: ScriptSettings) -> Self {
        let defaults = Self::default();
        Self {
            drip_rate: script.drip_rate.map_or(defaults.drip_rate, |x| x.0),
            spread_rate: script.spread_rate.map_or(defaults.spread_rate, |x| x.0),
            dry_ticks: script.dry_ticks.unwrap_or(defaults.dry_ticks),
            absorbency: script.absorbency.map_or(defaults.absorbency, |x| x.0),
            humidity: script.humidity.map_or(defaults.humidity, |x| x.0),
            ..defaults
        }
    }
}

/// A [`StainShape`] as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptShape {
    /// Long axis, metres.
    pub major: Float,
    /// Short axis, metres.
    pub minor: Float,
    /// Rim spines.
    pub spines: u8,
    /// Detached droplets.
    pub satellites: u8,
    /// Direction of travel in the plane.
    pub direction: [Float; 2],
    /// Seed of every jitter.
    pub seed: u32,
}

impl From<ScriptShape> for StainShape {
    fn from(shape: ScriptShape) -> Self {
        Self {
            major: shape.major.0,
            minor: shape.minor.0,
            spines: shape.spines,
            satellites: shape.satellites,
            direction: floats(shape.direction),
            seed: shape.seed,
        }
    }
}

/// A ray in the world as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptRay {
    /// Where it starts, metres.
    pub from: [Float; 3],
    /// Where it goes; any length.
    pub direction: [Float; 3],
}

impl From<ScriptRay> for Ray {
    fn from(ray: ScriptRay) -> Self {
        Self { origin: floats(ray.from), direction: floats(ray.direction) }
    }
}

/// What happens at the start of a tick, before that tick's [`Wetmap::tick`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Event {
    /// A stain at a texture coordinate.
    Uv {
        /// The tick it belongs to.
        tick: u32,
        /// Where.
        uv: [Float; 2],
        /// What.
        shape: ScriptShape,
    },
    /// A stain where a ray meets the script's mesh.
    Ray {
        /// The tick it belongs to.
        tick: u32,
        /// The shot.
        ray: ScriptRay,
        /// What.
        shape: ScriptShape,
    },
    /// Gravity in texture space changes from now on.
    Gravity {
        /// The tick it belongs to.
        tick: u32,
        /// The new one.
        gravity: [Float; 2],
    },
}

impl Event {
    fn tick(&self) -> u32 {
        match self {
            Self::Uv { tick, .. } | Self::Ray { tick, .. } | Self::Gravity { tick, .. } => *tick,
        }
    }
}

/// The width of a mesh's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexFormat {
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
}

/// A triangle list as data. Without UVs it cannot be painted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptMesh {
    /// Vertex positions, metres.
    pub positions: Vec<[Float; 3]>,
    /// Texture coordinates, one a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uvs: Option<Vec<[Float; 2]>>,
    /// Vertex numbers; absent: every three vertices in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indices: Option<Vec<u32>>,
    /// How the indices are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_format: Option<IndexFormat>,
}

/// Where the mesh stands in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptTransform {
    /// Metres.
    pub translation: [Float; 3],
    /// Euler angles about x, then y, then z of the turned frame (intrinsic XYZ), radians.
    pub euler_xyz: [Float; 3],
    /// Along the mesh's own axes.
    pub scale: [Float; 3],
}

impl From<ScriptTransform> for Affine {
    fn from(transform: ScriptTransform) -> Self {
        // libm, so that a hit is the same one everywhere.
        let [(sx, cx), (sy, cy), (sz, cz)] = floats(transform.euler_xyz).map(|angle| libm::sincos(f64::from(angle)));
        let columns = [
            [cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz],
            [-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz],
            [sy, -sx * cy, cx * cy],
        ];
        let scale = floats(transform.scale);
        let axes = [0, 1, 2].map(|i| columns[i].map(|x| (x * f64::from(scale[i])) as f32));
        Self { axes, translation: floats(transform.translation) }
    }
}

/// The state after so many ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// After this many ticks.
    pub after_ticks: u32,
    /// The digest, 16 hexadecimal digits.
    pub digest: String,
    /// Sum of all amounts.
    pub amount_sum: u64,
    /// Sum of all ages.
    pub age_sum: u64,
}

/// A whole scene for one canvas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// A name.
    pub id: String,
    /// Texels along an edge.
    pub size: u32,
    /// Ticks to run, `t = 0 … ticks − 1`.
    pub ticks: u32,
    /// Gravity in texture space at the start.
    pub gravity: [Float; 2],
    /// Dials that differ from the defaults.
    #[serde(default)]
    pub settings: ScriptSettings,
    /// In order of their ticks.
    pub events: Vec<Event>,
    /// What rays meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<ScriptMesh>,
    /// Where it stands; absent: at the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transform: Option<ScriptTransform>,
    /// What is expected to come out.
    #[serde(default)]
    pub expect: Vec<Expectation>,
    /// What each ray is expected to return, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_hits: Vec<bool>,
}

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

    /// Plays the script, showing the canvas after every tick with the number of ticks so far. Returns what each ray returned.
    ///
    /// # Errors
    /// [`SizeError`] when the script's canvas cannot be had.
    pub fn play(&self, mut show: impl FnMut(u32, &Wetmap)) -> Result<Vec<bool>, SizeError> {
        let scene = Scene::of(self);
        let mut map = Wetmap::new(self.size, [0.5; 3], 0.5)?;
        let settings = self.settings.into();
        let mut gravity = floats(self.gravity);
        let mut hits = Vec::new();
        for tick in 0..self.ticks {
            for event in self.events.iter().filter(|event| event.tick() == tick) {
                match event {
                    Event::Uv { uv, shape, .. } => {
                        map.paint_uv(floats(*uv), &(*shape).into(), tick);
                    }
                    Event::Ray { ray, shape, .. } => {
                        hits.push(scene.paint(&mut map, (*ray).into(), &(*shape).into(), tick));
                    }
                    Event::Gravity { gravity: new, .. } => gravity = floats(*new),
                }
            }
            map.tick(tick, gravity, &settings);
            show(tick + 1, &map);
        }
        Ok(hits)
    }
}

impl Expectation {
    fn empty() -> Self {
        Self { after_ticks: 0, digest: String::new(), amount_sum: 0, age_sum: 0 }
    }

    /// The state of a canvas as an expectation.
    pub fn of(map: &Wetmap, after_ticks: u32) -> Self {
        let sum = |part: fn((u8, u16)) -> u64| map.texels().map(part).sum();
        Self {
            after_ticks,
            digest: format!("{:016x}", map.digest()),
            amount_sum: sum(|texel| u64::from(texel.0)),
            age_sum: sum(|texel| u64::from(texel.1)),
        }
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
