//! From state to picture: the bytes of the two textures.
//!
//! The picture is a function of the state and of the dry surface under it, and nothing reads it back. Colours come from
//! [`bloodstain`] alone (oxyhaemoglobin → methaemoglobin → hemichrome, and roughness from wet to dry), evaluated once for each
//! of the reference ticks and then looked up: the same chemistry costs one table of 1,801 entries instead of a curve a texel.

use super::passes::Texel;
use super::settings::Dials;
use bloodstain::{
    BloodSettings,
    dry::{DRY_REF_AREA_M2, DRY_REF_TICKS, appearance},
};

/// The rate at which [`DRY_REF_TICKS`] is quoted, Hz.
const REFERENCE_HZ: u32 = 60;

/// Bytes of one texel in either texture.
pub(crate) const TEXEL_BYTES: usize = 4;

/// The dry surface under the blood: what `new` was given, in the bytes the textures hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surface {
    /// Base colour, encoded sRGB.
    pub srgb: [u8; 3],
    /// Perceptual roughness.
    pub roughness: u8,
}

/// A value in `0..=1` as a byte; NaN counts as 0.
fn byte(x: f32) -> u8 {
    // `as` maps NaN to 0 and saturates.
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

impl Surface {
    /// From encoded sRGB and perceptual roughness, each in `0..=1`.
    pub fn new(srgb: [f32; 3], roughness: f32) -> Self {
        Self { srgb: srgb.map(byte), roughness: byte(roughness) }
    }

    fn albedo(&self) -> [u8; TEXEL_BYTES] {
        let [r, g, b] = self.srgb;
        [r, g, b, 255]
    }

    /// Red is left at full so that the texture is also an occlusion map that occludes nothing; blue is metallic, and blood is not.
    fn gloss(&self) -> [u8; TEXEL_BYTES] {
        [255, self.roughness, 0, 255]
    }
}

/// Blood of one age: colour and roughness in bytes.
#[derive(Clone, Copy, Debug)]
struct Tone {
    srgb: [u8; 3],
    roughness: u8,
}

/// The textures of one canvas, `size × size` RGBA bytes each, and the table they are coloured from.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    surface: Surface,
    albedo: Vec<u8>,
    gloss: Vec<u8>,
    /// One tone per reference tick, and the humidity it was made for. Empty until the first blood.
    tones: Vec<Tone>,
    humidity: f32,
}

impl Picture {
    /// A picture of the dry surface, for so many texels.
    pub fn new(surface: Surface, texels: usize) -> Self {
        Self {
            surface,
            albedo: surface.albedo().repeat(texels),
            gloss: surface.gloss().repeat(texels),
            tones: Vec::new(),
            humidity: 0.0,
        }
    }

    /// `Rgba8UnormSrgb` bytes, row-major.
    pub fn albedo(&self) -> &[u8] {
        &self.albedo
    }

    /// Linear `Rgba8Unorm` bytes, row-major: G roughness, B metallic.
    pub fn gloss(&self) -> &[u8] {
        &self.gloss
    }

    /// Shades a run of texels that starts at texel `first`. Returns whether any byte changed.
    pub fn shade(&mut self, first: usize, texels: &[Texel], dials: &Dials) -> bool {
        self.prepare(dials.humidity);
        let bytes = first * TEXEL_BYTES..(first + texels.len()) * TEXEL_BYTES;
        let (albedo, _) = self.albedo[bytes.clone()].as_chunks_mut::<TEXEL_BYTES>();
        let (gloss, _) = self.gloss[bytes].as_chunks_mut::<TEXEL_BYTES>();
        let mut changed = false;
        for ((texel, albedo), gloss) in texels.iter().zip(albedo).zip(gloss) {
            let (new_albedo, new_gloss) = composite(*texel, &self.surface, &self.tones, dials);
            changed |= *albedo != new_albedo || *gloss != new_gloss;
            *albedo = new_albedo;
            *gloss = new_gloss;
        }
        changed
    }

    fn prepare(&mut self, humidity: f32) {
        if !self.tones.is_empty() && self.humidity == humidity {
            return;
        }
        let blood = BloodSettings { humidity, ..Default::default() };
        self.humidity = humidity;
        self.tones.clear();
        self.tones.extend((0..=DRY_REF_TICKS).map(|age| {
            let look = appearance(age, REFERENCE_HZ, DRY_REF_AREA_M2, &blood);
            Tone { srgb: look.srgb.map(byte), roughness: byte(look.roughness) }
        }));
    }
}

/// The bytes of one texel: blood over the surface by coverage, on the encoded values.
fn composite((amount, age): Texel, surface: &Surface, tones: &[Tone], dials: &Dials) -> ([u8; TEXEL_BYTES], [u8; TEXEL_BYTES]) {
    if amount == 0 {
        return (surface.albedo(), surface.gloss());
    }
    // The span is the only authority over the timeline: ages are stretched onto the reference one.
    let reference_age = u32::from(age.min(dials.span)) * DRY_REF_TICKS / u32::from(dials.span);
    let tone = &tones[reference_age as usize];
    let over = |base: u8, blood: u8| {
        let (cover, bare) = (u32::from(amount), 255 - u32::from(amount));
        ((u32::from(base) * bare + u32::from(blood) * cover + 127) / 255) as u8
    };
    let [r, g, b] = [0, 1, 2].map(|c| over(surface.srgb[c], tone.srgb[c]));
    ([r, g, b, 255], [255, over(surface.roughness, tone.roughness), 0, 255])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WetSettings;

    fn shaded(texel: Texel, dry_ticks: u32) -> ([u8; 4], [u8; 4]) {
        let dials = Dials::of(&WetSettings { dry_ticks, ..Default::default() });
        let mut picture = Picture::new(Surface::new([0.78, 0.66, 0.60], 0.55), 1);
        picture.shade(0, &[texel], &dials);
        let four = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
        (four(picture.albedo()), four(picture.gloss()))
    }

    #[test]
    fn the_bytes_are_the_models() {
        // Base 0.78, 0.66, 0.60 and 0.55 in bytes.
        assert_eq!(shaded((0, 0), 1800), ([199, 168, 153, 255], [255, 140, 0, 255]));
        // Full coverage is blood alone: oxyhaemoglobin 0.60, 0.03, 0.03 fresh, hemichrome 0.26, 0.11, 0.08 dry.
        let blood = BloodSettings::default();
        assert_eq!(shaded((255, 0), 1800), ([153, 8, 8, 255], [255, byte(blood.wet_roughness), 0, 255]));
        assert_eq!(shaded((255, 1800), 1800), ([66, 28, 20, 255], [255, byte(blood.dry_roughness), 0, 255]));
        // Half coverage: (199 · 127 + 153 · 128 + 127) / 255 and so on.
        assert_eq!(shaded((128, 0), 1800).0, [176, 88, 80, 255]);
    }

    #[test]
    fn dry_ticks_stretches_the_timeline() {
        assert_eq!(shaded((255, 30), 60), shaded((255, 900), 1800));
        assert_eq!(shaded((255, 1), 1), shaded((255, 65535), 65535));
        assert_eq!(shaded((255, 9000), 60), shaded((255, 60), 60), "an age past the span is dry");
    }

    #[test]
    fn an_unchanged_byte_asks_for_nothing() {
        let dials = Dials::of(&WetSettings::default());
        let mut picture = Picture::new(Surface::new([0.5; 3], 0.5), 2);
        assert!(!picture.shade(0, &[(0, 0), (0, 0)], &dials));
        assert!(picture.shade(1, &[(80, 3)], &dials));
        assert!(!picture.shade(0, &[(0, 0), (80, 3)], &dials));
    }

    #[test]
    fn a_surface_of_nonsense_is_clamped() {
        assert_eq!(Surface::new([f32::NAN, -1.0, f32::INFINITY], 2.0), Surface { srgb: [0, 0, 255], roughness: 255 });
    }
}
