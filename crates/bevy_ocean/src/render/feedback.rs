//! What the render world tells the main world about one surface: whether its material must be made anew, whether its maps are still to be
//! filled, and figures for a read-out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::GpuTimes;

/// Figures of one surface, as they are on the GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub resolution: u32,
    pub cascades: u32,
    pub map_bytes: u64,
    pub gpu_bytes: u64,
    pub workgroup_bytes: (u32, u32),
    pub error: Option<String>,
    pub times: Option<GpuTimes>,
}

/// One per surface, shared by both worlds.
#[derive(Debug, Default)]
pub struct Feedback {
    stale: AtomicBool,
    empty: AtomicBool,
    report: Mutex<Report>,
}

impl Feedback {
    /// The maps are others than those the material names.
    pub fn set_stale(&self) {
        self.stale.store(true, Ordering::Relaxed);
    }

    /// Whether that has happened since this was last asked.
    pub fn take_stale(&self) -> bool {
        self.stale.swap(false, Ordering::Relaxed)
    }

    /// There are maps that no update has filled yet.
    pub fn set_empty(&self) {
        self.empty.store(true, Ordering::Relaxed);
    }

    /// Whether there were any since this was last asked.
    pub fn take_empty(&self) -> bool {
        self.empty.swap(false, Ordering::Relaxed)
    }

    pub fn report(&self) -> Report {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn write(&self, change: impl FnOnce(&mut Report)) {
        change(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
