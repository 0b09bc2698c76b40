//! The sea on the CPU: what a boat floats on, and what a server without a GPU knows.
//!
//! The same h₀ as the GPU's, on a small grid per cascade (64² unless asked otherwise): the GPU's surface without its shortest
//! waves, in phase with it, and never read back from it. Rebuild it some twenty times a second with [`SurfaceField::update`]
//! and ask it in between with [`SurfaceField::at`].
//!
//! The bits are the same on every target: sums in a fixed order, one `libm`, no fused multiplication. [`SurfaceField::digest`]
//! is there to hold that against.
//!
//! ```
//! use ocean::clock::Clocks;
//! use ocean::preset::Preset;
//! use ocean::surface_field::SurfaceField;
//!
//! let sea = Preset::Ocean.sea_state();
//! let mut clocks = Clocks::new();
//! let mut field = SurfaceField::new(&sea);
//! for _ in 0..3 {
//!     clocks.advance(0.05, &sea);
//!     field.update(&clocks);
//! }
//! // A physics step half-way between the last two updates:
//! let water = field.at(0.5).sample_at([12.0, -40.0]);
//! assert!(water.normal[1] > 0.0);
//! ```

mod fft;
mod layer;
mod maps;
mod moment;
mod waves;

pub use maps::Maps;
pub use moment::{INVERSION_STEPS, INVERSION_TOLERANCE, Moment, Sample};
pub use waves::{DrawnCascade, LatticeWave};

use crate::clock::Clocks;
use crate::sea_state::SeaState;
use crate::spectrum::CascadeSpectrum;

use layer::{Layer, Workshop};

/// Texels along each edge of a cascade's maps unless asked otherwise.
pub const DEFAULT_RESOLUTION: u32 = 64;

/// A resolution that the field cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the CPU field's resolution is {given}; it must be 16, 32, 64, 128 or 256")]
pub struct UnsupportedResolution {
    /// What was asked for.
    pub given: u32,
}

/// The CPU field of one sea.
#[derive(Clone, Debug)]
pub struct SurfaceField {
    resolution: usize,
    layers: Vec<Layer>,
    workshop: Workshop,
}

impl SurfaceField {
    /// The field of `sea` at [`DEFAULT_RESOLUTION`], flat until the first [`update`](Self::update). Values out of range are
    /// taken as [`SeaState::validated`] would.
    pub fn new(sea: &SeaState) -> Self {
        Self::build(sea, DEFAULT_RESOLUTION as usize)
    }

    /// The same with `resolution` texels along each edge: 16, 32, 64, 128 or 256. More resolves shorter waves; the longer
    /// ones stay what they are.
    pub fn with_resolution(sea: &SeaState, resolution: u32) -> Result<Self, UnsupportedResolution> {
        if matches!(resolution, 16 | 32 | 64 | 128 | 256) {
            Ok(Self::build(sea, resolution as usize))
        } else {
            Err(UnsupportedResolution { given: resolution })
        }
    }

    fn build(sea: &SeaState, resolution: usize) -> Self {
        let mut field = Self { resolution, layers: Vec::new(), workshop: Workshop::new(resolution) };
        field.set_sea(sea);
        field
    }

    /// Takes another sea. Only cascades whose spectrum changed are drawn anew (about a millisecond each at 64²), and their
    /// waves show with the next [`update`](Self::update); Displacement Scale and Time Scale count at once. Every frame is fine.
    ///
    /// Returns whether there are waves to show that the maps do not have yet.
    pub fn set_sea(&mut self, sea: &SeaState) -> bool {
        let (sea, _) = sea.validated();
        let mut another = false;
        self.layers.truncate(sea.cascades.len());
        for (index, cascade) in sea.cascades.iter().enumerate() {
            let spectrum = CascadeSpectrum::new(&sea, index);
            match self.layers.get_mut(index) {
                Some(layer) => another |= layer.set_spectrum(spectrum),
                None => {
                    self.layers.push(Layer::new(spectrum, self.resolution));
                    another = true;
                }
            }
            self.layers[index].displacement_scale = cascade.displacement_scale;
            self.layers[index].time_scale = cascade.time_scale;
        }
        another
    }

    /// Rebuilds the maps of all cascades for what `clocks` show. The last maps are kept, to interpolate from.
    pub fn update(&mut self, clocks: &Clocks) {
        for (index, layer) in self.layers.iter_mut().enumerate() {
            layer.rebuild(clocks.get(index), &mut self.workshop);
        }
    }

    /// Texels along each edge of a cascade's maps.
    pub fn resolution(&self) -> u32 {
        self.resolution as u32
    }

    /// The maps of one cascade at the last update, before its Displacement Scale. None for a cascade that the sea lacks.
    pub fn maps(&self, cascade: usize) -> Option<&Maps> {
        self.layers.get(cascade).map(|layer| &layer.current)
    }

    /// The surface between the last two updates: 0 is the one before the last, 1 the last. Clamped; NaN is 1.
    ///
    /// Updates at 20 Hz and physics at 60 Hz: pass the share of the update interval that has gone by since the last update. The
    /// surface is then one interval late and moves without steps.
    pub fn at(&self, alpha: f32) -> Moment<'_> {
        let blend = if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) };
        Moment { layers: &self.layers, resolution: self.resolution, blend }
    }

    /// [`Moment::height_at`] at the last update.
    pub fn height_at(&self, world: [f32; 2]) -> f32 {
        self.at(1.0).height_at(world)
    }

    /// [`Moment::displacement_at`] at the last update.
    pub fn displacement_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.at(1.0).displacement_at(world)
    }

    /// [`Moment::normal_at`] at the last update.
    pub fn normal_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.at(1.0).normal_at(world)
    }

    /// [`Moment::velocity_at`] at the last update.
    pub fn velocity_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.at(1.0).velocity_at(world)
    }

    /// [`Moment::sample_at`] at the last update.
    pub fn sample_at(&self, world: [f32; 2]) -> Sample {
        self.at(1.0).sample_at(world)
    }

    /// FNV-1a (64 bits) over the bits of all maps of the last update, little-endian, and of some heights read between the
    /// texels: the same number on every target, or something is not deterministic.
    pub fn digest(&self) -> u64 {
        let maps = self.layers.iter().map(|layer| &layer.current);
        let texels = maps.flat_map(|maps| [maps.displacement(), maps.gradient(), maps.velocity()]).flatten();
        let probes = (0..64).map(|probe| [7.31 * probe as f32, -3.17 * probe as f32]);
        let values = texels.flatten().copied().chain(probes.map(|world| self.height_at(world)));
        values
            .flat_map(f32::to_le_bytes)
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}
