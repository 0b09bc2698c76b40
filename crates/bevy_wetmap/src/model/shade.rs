//! From state to picture: the bytes of the two textures.
//!
//! The picture is a function of the state, of the dials of the last tick and of the dry surface, and nothing reads it back. Blood is
//! laid over the surface by coverage, on the encoded bytes, `(base · (255 − amount) + blood · amount + 127) / 255`: four channels of
//! 16 bits, and the division by 255 as shifts that are exact for every sum there can be.

use super::blocks::BLOCK;
use super::kernels::{Kept, MIDDLE, WIDE, at, at_mut, in_blocks};
use super::lanes::{Lanes, wide};
use super::rows::Rows;
use super::settings::Dials;
use super::surface::{Surface, TEXEL_BYTES};
use super::tones::{Tone, Tones};
use bloodstain::spectral::Film;

/// The textures of one canvas, `size × size` RGBA bytes each.
#[derive(Debug)]
pub(crate) struct Picture {
    surface: Surface,
    size: usize,
    albedo: Vec<u8>,
    gloss: Vec<u8>,
    /// None until the first blood.
    tones: Option<Tones>,
    film: Option<Film>,
    changed: Rows,
    run: Run,
}

/// A run of texels on its way into the picture. Kept to spare an allocation.
#[derive(Debug, Default)]
struct Run {
    /// The surface's channels, over and over: a plain operand for the loop that composites.
    base: Vec<Tone>,
    tones: Vec<Tone>,
    /// Coverage, once a channel.
    covers: Vec<Tone>,
    /// What comes out: red, green, blue, roughness.
    bytes: Vec<[u8; 4]>,
}

impl Clone for Picture {
    fn clone(&self) -> Self {
        Self {
            albedo: self.albedo.clone(),
            gloss: self.gloss.clone(),
            tones: self.tones.clone(),
            changed: self.changed.clone(),
            run: Run::default(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        if self.surface != other.surface {
            self.run.base.clear();
        }
        (self.surface, self.size, self.film) = (other.surface, other.size, other.film);
        self.albedo.clone_from(&other.albedo);
        self.gloss.clone_from(&other.gloss);
        self.tones.clone_from(&other.tones);
        self.changed.clone_from(&other.changed);
    }
}

impl Picture {
    /// A picture of the dry surface.
    pub fn new(surface: Surface, size: usize) -> Self {
        let texels = size * size;
        let (albedo, gloss) = (surface.albedo().repeat(texels), surface.gloss().repeat(texels));
        let changed = Rows::none_of(size as u32);
        Self { surface, size, albedo, gloss, tones: None, film: None, changed, run: Run::default() }
    }

    /// The dry surface.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// From now on blood is a film of this kind. What is shaded already stays.
    pub fn set_film(&mut self, film: Option<Film>) {
        self.film = film;
    }

    /// `Rgba8UnormSrgb` bytes, row-major.
    pub fn albedo(&self) -> &[u8] {
        &self.albedo
    }

    /// Linear `Rgba8Unorm` bytes, row-major: G roughness, B metallic.
    pub fn gloss(&self) -> &[u8] {
        &self.gloss
    }

    /// The rows that have changed since the picture was last taken.
    pub fn changed(&self) -> &Rows {
        &self.changed
    }

    /// Says that the picture has been taken.
    pub fn taken(&mut self) {
        self.changed.clear();
    }

    /// Takes over another picture. The rows in which it differs have changed, beside those that already had.
    pub fn become_like(&mut self, other: &Self) {
        if self.size != other.size {
            self.clone_from(other);
            self.changed.insert_all(self.size as u32);
            return;
        }
        if self.surface != other.surface {
            self.run.base.clear();
        }
        (self.surface, self.film) = (other.surface, other.film);
        self.tones.clone_from(&other.tones);
        let pitch = self.size * TEXEL_BYTES;
        let mine = self.albedo.chunks_exact_mut(pitch).zip(self.gloss.chunks_exact_mut(pitch));
        let theirs = other.albedo.chunks_exact(pitch).zip(other.gloss.chunks_exact(pitch));
        for (y, ((albedo, gloss), (other_albedo, other_gloss))) in (0..).zip(mine.zip(theirs)) {
            if albedo != other_albedo || gloss != other_gloss {
                albedo.copy_from_slice(other_albedo);
                gloss.copy_from_slice(other_gloss);
                self.changed.insert(y);
            }
        }
    }

    /// Shades a run of whole blocks of row `y` that starts at `x`; what of it is beyond the canvas has no picture. Returns whether any
    /// byte changed.
    pub fn shade(&mut self, lanes: Lanes, y: usize, x: usize, texels: Kept, dials: &Dials) -> bool {
        let n = texels.amounts.len();
        let tones = match &mut self.tones {
            Some(tones) => {
                tones.follow(dials, self.film);
                tones
            }
            none => none.insert(Tones::of(dials, self.film)),
        };
        self.run.fit(self.size.next_multiple_of(BLOCK), &self.surface);
        let Run { base, tones: blood, covers, bytes } = &mut self.run;
        tones.look_up(texels.amounts, texels.ages, &mut blood[..n]);
        broadcast(lanes, texels.amounts, &mut covers[..n]);
        in_blocks!(n, L(i) {
            composite::<{ 4 * L }>(
                lanes,
                at(base.as_flattened(), 4 * i),
                at(blood.as_flattened(), 4 * i),
                at(covers.as_flattened(), 4 * i),
                at_mut(bytes.as_flattened_mut(), 4 * i),
            );
        });
        let width = n.min(self.size - x);
        let range = (y * self.size + x) * TEXEL_BYTES..(y * self.size + x + width) * TEXEL_BYTES;
        let (albedo, _) = self.albedo[range.clone()].as_chunks_mut::<TEXEL_BYTES>();
        let (gloss, _) = self.gloss[range].as_chunks_mut::<TEXEL_BYTES>();
        let mut changed = 0;
        let whole = width / BLOCK * BLOCK;
        in_blocks!(whole, L(i) {
            changed |= put::<L>(lanes, at(bytes, i), at_mut(albedo, i), at_mut(gloss, i));
        });
        for i in whole..width {
            changed |= put_texel(bytes[i], &mut albedo[i], &mut gloss[i]);
        }
        if changed != 0 {
            self.changed.insert(y as u32);
        }
        changed != 0
    }
}

impl Run {
    fn fit(&mut self, length: usize, surface: &Surface) {
        if self.base.len() == length {
            return;
        }
        self.base.clear();
        self.base.resize(length, surface.channels());
        self.tones.resize(length, [0; 4]);
        self.covers.resize(length, [0; 4]);
        self.bytes.resize(length, [0; 4]);
    }
}

wide! {
    /// Coverage, once a channel.
    fn broadcast(amounts: &[u8], covers: &mut [Tone]) {
        for (cover, &amount) in covers.iter_mut().zip(amounts) {
            let two = u32::from(amount) << 8 | u32::from(amount);
            // The same four bytes in either order.
            *cover = (two << 16 | two).to_ne_bytes();
        }
    }
}

wide! {
    /// Blood over the surface, channel by channel.
    fn composite [const N: usize] [N] (base: &[u8; N], blood: &[u8; N], cover: &[u8; N], bytes: &mut [u8; N]) {
        for i in 0..N {
            let [base, blood, cover] = [base[i], blood[i], cover[i]].map(u16::from);
            // At most 255 · 255 + 127, of which these shifts take the 255th part exactly.
            let sum = base.wrapping_mul(255 - cover).wrapping_add(blood.wrapping_mul(cover)).wrapping_add(127);
            bytes[i] = (sum.wrapping_add(1).wrapping_add(sum >> 8) >> 8) as u8;
        }
    }
}

wide! {
    /// Into the textures. Returns what that changed, as bits.
    fn put [const L: usize] [L] (bytes: &[[u8; 4]; L], albedo: &mut [[u8; 4]; L], gloss: &mut [[u8; 4]; L]) -> u32 {
        let mut changed = 0;
        for i in 0..L {
            changed |= put_texel(bytes[i], &mut albedo[i], &mut gloss[i]);
        }
        changed
    }
}

/// One texel of both textures from red, green, blue and roughness.
#[inline(always)]
fn put_texel(bytes: [u8; 4], albedo: &mut [u8; 4], gloss: &mut [u8; 4]) -> u32 {
    const OPAQUE: u32 = u32::from_le_bytes([0, 0, 0, 255]);
    const GLOSS: u32 = u32::from_le_bytes([255, 0, 0, 255]);
    let channels = u32::from_le_bytes(bytes);
    let new_albedo = channels | OPAQUE;
    let new_gloss = (channels >> 24) << 8 | GLOSS;
    let changed = (new_albedo ^ u32::from_le_bytes(*albedo)) | (new_gloss ^ u32::from_le_bytes(*gloss));
    *albedo = new_albedo.to_le_bytes();
    *gloss = new_gloss.to_le_bytes();
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WetSettings;
    use crate::model::state::Texel;
    use crate::model::surface::byte;
    use bloodstain::BloodSettings;

    fn put_texels(picture: &mut Picture, x: usize, texels: &[Texel], dials: &Dials) -> bool {
        let (mut amounts, mut ages) = ([0; BLOCK], [0; BLOCK]);
        for (i, texel) in texels.iter().enumerate() {
            (amounts[x + i], ages[x + i]) = *texel;
        }
        picture.shade(Lanes::here(), 0, 0, Kept { amounts: &amounts, ages: &ages }, dials)
    }

    fn shaded(texel: Texel, dry_ticks: u32) -> ([u8; 4], [u8; 4]) {
        let dials = Dials::of(&WetSettings { dry_ticks, ..Default::default() });
        let mut picture = Picture::new(Surface::new([0.78, 0.66, 0.60], 0.55), 1);
        put_texels(&mut picture, 0, &[texel], &dials);
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
    fn compositing_is_the_formula_for_every_byte() {
        for (base, amount) in (0..=255u8).flat_map(|base| (0..=255u8).map(move |amount| (base, amount))) {
            let blood: [u8; 256] = std::array::from_fn(|i| i as u8);
            let mut bytes = [0; 256];
            composite::<256>(Lanes::here(), &[base; 256], &blood, &[amount; 256], &mut bytes);
            for (blood, byte) in (0..=255u32).zip(bytes) {
                let (base, amount) = (u32::from(base), u32::from(amount));
                assert_eq!(u32::from(byte), (base * (255 - amount) + blood * amount + 127) / 255, "{base} {blood} {amount}");
            }
        }
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
        assert!(!put_texels(&mut picture, 0, &[(0, 0), (0, 0)], &dials));
        assert!(put_texels(&mut picture, 1, &[(80, 3)], &dials));
        assert!(!put_texels(&mut picture, 0, &[(0, 0), (80, 3)], &dials));
    }
}
