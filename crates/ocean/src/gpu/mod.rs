//! The sea on the GPU: h₀ once per change, two dispatches an update, two maps.
//!
//! [`Engine`] holds what a device's oceans share, [`Ocean`] is one of them. How an update works, from the outside in:
//!
//! 1. `spectrum.wgsl` fills h₀ of a cascade, when anything it depends on has changed.
//! 2. Pass 1, `rows.wgsl`: each bin is moved in time as it is loaded, and five fields are transformed along x. As the fields are real, only lines k_z ≥ 0 are computed.
//! 3. Pass 2, `columns.wgsl`: eight fields, two to a complex transform, along z; then the Jacobian, the foam, and the two maps.
//! 4. If wanted, `mips.wgsl`: the maps' other levels.
//!
//! The transform inside both passes is written out by `stockham` for each size, `kernels` joins it with the WGSL, and [`Plan`] says how a
//! size is cut up. `limits` groups cascades so that no binding passes what WebGPU's defaults allow.

mod engine;
mod error;
mod foam;
mod kernels;
mod limits;
mod memory;
mod mips;
mod ocean;
mod pipelines;
mod plan;
pub mod proof;
mod resolution;
mod resources;
mod scopes;
mod spectrum_pass;
mod stockham;
mod update;

pub use engine::Engine;
pub use error::{DeviceHealth, OceanError};
pub use kernels::SQUARED_SLOPE_SCALE;
pub use memory::MemoryUse;
pub use ocean::{DrawnMaps, Ocean, OceanOptions, UpdateTimestamps};
pub use plan::{FIELDS, Plan, Precision, ScratchPart};
pub use resolution::Resolution;
pub use stockham::Lines;
