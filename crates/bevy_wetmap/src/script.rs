//! Scripts of hits: a scene for one canvas as data, and its replay.
//!
//! A claim about reproducibility is worth something when it can be sent to somebody. A [`Script`] is the whole scene (size, dials,
//! gravity, hits with their ticks) together with the digests it is expected to give; [`Script::replay`] plays it on this machine
//! and says what came out. The format is JSON for people's sake; numbers that JSON cannot hold stand as the strings `"nan"`,
//! `"inf"` and `"-inf"`. For links there is a shorter form ([`Script::to_compact`]), and to play a script one's own way, tick by tick
//! on a canvas that is on screen, say, there is the [`Player`].

mod compact;
mod play;

pub use compact::{CompactError, MAX_COMPACT_CHARS, MAX_EVENTS};
pub use play::{Player, Replay, Step};

use crate::StainShape;
use crate::model::{Looks, WetSettings, Wetmap};
use crate::ray::{Affine, Ray};
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

/// The dials that differ from the defaults, or that change.
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
    /// See [`Looks::edge_samples`]: the one of the looks that a digest depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge_samples: Option<u32>,
}

impl ScriptSettings {
    /// What turns the first dials into the second: those that differ.
    pub fn between(before: (&WetSettings, &Looks), now: (&WetSettings, &Looks)) -> Self {
        let changed = |before: f32, now: f32| (before.to_bits() != now.to_bits()).then_some(Float(now));
        let ((old, old_looks), (new, looks)) = (before, now);
        Self {
            drip_rate: changed(old.drip_rate, new.drip_rate),
            spread_rate: changed(old.spread_rate, new.spread_rate),
            dry_ticks: (old.dry_ticks != new.dry_ticks).then_some(new.dry_ticks),
            absorbency: changed(old.absorbency, new.absorbency),
            humidity: changed(old.humidity, new.humidity),
            edge_samples: (old_looks.edge_samples != looks.edge_samples).then_some(looks.edge_samples),
        }
    }

    /// Sets the dials that are named, and leaves the others as they are.
    pub fn apply(&self, settings: &mut WetSettings, looks: &mut Looks) {
        let set = |dial: &mut f32, value: Option<Float>| *dial = value.map_or(*dial, |x| x.0);
        set(&mut settings.drip_rate, self.drip_rate);
        set(&mut settings.spread_rate, self.spread_rate);
        set(&mut settings.absorbency, self.absorbency);
        set(&mut settings.humidity, self.humidity);
        settings.dry_ticks = self.dry_ticks.unwrap_or(settings.dry_ticks);
        looks.edge_samples = self.edge_samples.unwrap_or(looks.edge_samples);
    }
}

impl From<ScriptSettings> for WetSettings {
    fn from(script: ScriptSettings) -> Self {
        let mut settings = Self::default();
        script.apply(&mut settings, &mut Looks::default());
        settings
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

impl From<&StainShape> for ScriptShape {
    fn from(shape: &StainShape) -> Self {
        Self {
            major: Float(shape.major),
            minor: Float(shape.minor),
            spines: shape.spines,
            satellites: shape.satellites,
            direction: shape.direction.map(Float),
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
    /// Some dials change from now on; the others stay.
    Settings {
        /// The tick it belongs to.
        tick: u32,
        /// Those that change.
        settings: ScriptSettings,
    },
}

impl Event {
    /// The tick it belongs to.
    pub fn tick(&self) -> u32 {
        match self {
            Self::Uv { tick, .. } | Self::Ray { tick, .. } | Self::Gravity { tick, .. } | Self::Settings { tick, .. } => *tick,
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
    /// Whether the script ends in the middle of things: the stains of tick `ticks`, which is not run, are painted before the last look.
    /// So a canvas can be described that was painted since it was last ticked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ends_painted: bool,
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

/// For the fields that are left out of the JSON.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(flag: &bool) -> bool {
    !flag
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
