//! The GPU half against plain f64 on the CPU, on whatever Vulkan adapter there is: a software one (Mesa's lavapipe) does.
//!
//! A machine without any adapter fails these tests, and says what to install: a proof that was skipped is none.

mod device;
mod f64_sea;
mod limits;
mod maps;
mod reference;
