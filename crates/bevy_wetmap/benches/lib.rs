//! The scenes that the bench `wetmap.rs` measures, apart from it so that a browser can be put in front of them as well (`web`).

use bevy_wetmap::model::plain::Plain;
use bevy_wetmap::{StainShape, WetSettings, Wetmap};

#[cfg(target_arch = "wasm32")]
mod web;

/// Texels along the edges of the canvases that are measured.
pub const SIZES: [u32; 4] = [128, 256, 512, 1024];
/// Down on them.
pub const GRAVITY: [f32; 2] = [0.0, 1.0];
const SURFACE: ([f32; 3], f32) = ([0.78, 0.66, 0.60], 0.55);

/// A small generator of scenes: an LCG, because a bench needs variety and not quality.
pub struct Lcg(pub u64);

impl Lcg {
    /// 31 bits.
    pub fn next_bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// From 0 up to 1.
    pub fn unit(&mut self) -> f32 {
        (self.next_bits() % 10_000) as f32 / 10_000.0
    }
}

/// A stain with some of everything.
pub fn shape(major: f32, seed: u32) -> StainShape {
    StainShape { major, minor: major * 0.8, spines: 12, satellites: 4, direction: [0.3, 1.0], seed }
}

/// A scene as data, so that both implementations can be put in front of it.
pub enum Scene {
    /// This state.
    Texels(Vec<(u8, u16)>),
    /// These stains, each at a texture coordinate.
    Stains(Vec<([f32; 2], StainShape)>),
}

impl Scene {
    /// Every texel wet, of any age.
    pub fn fully_wet(size: u32) -> Self {
        let mut random = Lcg(1);
        Self::Texels(
            (0..size * size).map(|_| ((random.next_bits() % 255 + 1) as u8, (random.next_bits() % 900) as u16)).collect(),
        )
    }

    /// Every texel covered, and dry.
    pub fn dry(size: u32) -> Self {
        let mut random = Lcg(1);
        Self::Texels((0..size * size).map(|_| ((random.next_bits() % 255 + 1) as u8, 1800)).collect())
    }

    /// Nothing.
    pub fn empty(_: u32) -> Self {
        Self::Stains(Vec::new())
    }

    fn stains(count: u32, major: f32) -> Self {
        let mut random = Lcg(2);
        Self::Stains((0..count).map(|seed| ([random.unit(), random.unit()], shape(major, seed))).collect())
    }

    /// Ten hits of 7 cm.
    pub fn ten_stains(_: u32) -> Self {
        Self::stains(10, 0.07)
    }

    /// A thousand of 1 cm.
    pub fn spray(_: u32) -> Self {
        Self::stains(1000, 0.01)
    }

    /// In opposite corners, 20 cm each.
    pub fn two_pools(_: u32) -> Self {
        Self::Stains(vec![([0.15, 0.15], shape(0.2, 1)), ([0.85, 0.85], shape(0.2, 2))])
    }

    /// A canvas with this scene on it, after one tick.
    pub fn on_wetmap(&self, size: u32) -> Wetmap {
        let mut map = match Wetmap::new(size, SURFACE.0, SURFACE.1) {
            Ok(map) => map,
            Err(error) => panic!("the sizes of this bench are within the limits: {error}"),
        };
        let settings = WetSettings::default();
        match self {
            Self::Texels(texels) => assert!(map.set_texels(texels, &settings, 0)),
            Self::Stains(stains) => stains.iter().for_each(|(uv, shape)| {
                let _touched = map.paint_uv(*uv, shape, 0);
            }),
        }
        // Under the dials of the first tick, so that no sample pays for taking them up.
        map.tick(0, GRAVITY, &settings);
        map
    }

    /// The same as four plain passes.
    pub fn on_plain(&self, wetmap: &Wetmap) -> Plain {
        let mut map = Plain::new(wetmap.size(), SURFACE.0, SURFACE.1);
        let texels: Vec<_> = wetmap.texels().collect();
        map.set_texels(&texels, &WetSettings::default());
        map
    }
}

/// The scenes of the table, by name.
pub const SCENES: [(&str, fn(u32) -> Scene); 6] = [
    ("fully wet", Scene::fully_wet),
    ("ten stains", Scene::ten_stains),
    ("two far pools", Scene::two_pools),
    ("a thousand specks", Scene::spray),
    ("dry", Scene::dry),
    ("empty", Scene::empty),
];
