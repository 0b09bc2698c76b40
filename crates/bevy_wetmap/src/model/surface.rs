//! The dry surface under the blood.

/// Bytes of one texel in either texture.
pub(crate) const TEXEL_BYTES: usize = 4;

/// What `new` was given, in the bytes the textures hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surface {
    /// Base colour, encoded sRGB.
    pub srgb: [u8; 3],
    /// Perceptual roughness.
    pub roughness: u8,
}

/// A value in `0..=1` as a byte; NaN counts as 0.
pub(crate) fn byte(x: f32) -> u8 {
    // `as` maps NaN to 0 and saturates.
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

impl Surface {
    /// From encoded sRGB and perceptual roughness, each in `0..=1`.
    pub fn new(srgb: [f32; 3], roughness: f32) -> Self {
        Self { srgb: srgb.map(byte), roughness: byte(roughness) }
    }

    /// A texel of the base colour texture.
    pub fn albedo(&self) -> [u8; TEXEL_BYTES] {
        let [r, g, b] = self.srgb;
        [r, g, b, 255]
    }

    /// Red is left at full so that the texture is also an occlusion map that occludes nothing; blue is metallic, and blood is not.
    pub fn gloss(&self) -> [u8; TEXEL_BYTES] {
        [255, self.roughness, 0, 255]
    }

    /// The four channels that blood covers.
    pub fn channels(&self) -> [u8; 4] {
        let [r, g, b] = self.srgb;
        [r, g, b, self.roughness]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_of_nonsense_is_clamped() {
        assert_eq!(Surface::new([f32::NAN, -1.0, f32::INFINITY], 2.0), Surface { srgb: [0, 0, 255], roughness: 255 });
    }
}
