//! The grid sizes there are.

use serde::{Deserialize, Serialize};

/// Points along one side of a cascade's grid. The cost of an update and the memory grow with its square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Resolution {
    /// 128².
    R128,
    /// 256².
    R256,
    /// 512².
    #[default]
    R512,
    /// 1024².
    R1024,
    /// 2048².
    R2048,
    /// 4096².
    R4096,
}

impl Resolution {
    /// All of them, from the smallest.
    pub const ALL: [Self; 6] = [Self::R128, Self::R256, Self::R512, Self::R1024, Self::R2048, Self::R4096];

    /// N, texels along one side.
    pub const fn texels(self) -> u32 {
        match self {
            Self::R128 => 128,
            Self::R256 => 256,
            Self::R512 => 512,
            Self::R1024 => 1024,
            Self::R2048 => 2048,
            Self::R4096 => 4096,
        }
    }

    /// The size nearest to `texels`, the larger of two as near: every number has one.
    pub fn nearest(texels: u32) -> Self {
        let distance = |size: &Self| (size.texels().abs_diff(texels), u32::MAX - size.texels());
        Self::ALL.into_iter().min_by_key(distance).unwrap_or_default()
    }

    /// Mip levels of a map, the whole chain down to one texel.
    pub const fn mip_levels(self) -> u32 {
        self.texels().ilog2() + 1
    }
}
