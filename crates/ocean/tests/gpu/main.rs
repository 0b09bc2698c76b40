//! The GPU half against plain f64 on the CPU, on whatever Vulkan adapter there is: a software one (Mesa's lavapipe) does.
//!
//! A machine without any adapter fails these tests, and says what to install: a proof that was skipped is none.

mod band;
mod device;
mod f64_sea;
mod failures;
mod faults;
mod field;
mod foam;
mod foam_kept;
mod fuzz;
mod large;
mod limits;
mod maps;
mod mips;
mod oceans;
mod rebuild;
mod reference;
mod running;
