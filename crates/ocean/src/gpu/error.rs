//! What can go wrong, and what to do about it.

use std::sync::{Arc, Mutex, PoisonError};

/// Why there is no ocean, or no longer one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OceanError {
    /// The device was made with limits below WebGPU's defaults.
    #[error(
        "the device allows {limit} = {available}, and this ocean needs {needed}: request the device with at least that (wgpu::Limits::default() is enough for every resolution, but not at Precision::Full), or choose a lower resolution"
    )]
    Limit {
        /// As wgpu names it.
        limit: &'static str,
        /// What the ocean needs.
        needed: u64,
        /// What the device allows.
        available: u64,
    },
    /// The GPU has no memory left for this size.
    #[error("the GPU is out of memory: choose a lower resolution or fewer cascades ({0})")]
    OutOfMemory(String),
    /// The device is gone, and with it every map. Make a new device, and a new ocean with the same sea state and clocks: it is the same sea.
    #[error("the GPU device was lost: make a new device, engine and ocean ({0})")]
    DeviceLost(String),
    /// wgpu refused what this crate asked for: a fault of this crate or of a driver.
    #[error(
        "the GPU refused a request of the ocean's engine: the device may just have been lost, and otherwise it is a fault worth reporting: {0}"
    )]
    Refused(String),
}

impl From<wgpu::Error> for OceanError {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { source } => Self::OutOfMemory(source.to_string()),
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                Self::Refused(description)
            }
        }
    }
}

/// Whether a device still lives. Clones share one state.
///
/// wgpu tells of a lost device through one callback, which belongs to whoever made the device. [`DeviceHealth::watch`] takes it; who already has one calls
/// [`DeviceHealth::report`] from it instead.
#[derive(Clone, Debug, Default)]
pub struct DeviceHealth {
    lost: Arc<Mutex<Option<String>>>,
}

impl DeviceHealth {
    /// Sets the device's lost-callback.
    pub fn watch(&self, device: &wgpu::Device) {
        let health = self.clone();
        device.set_device_lost_callback(move |reason, message| health.report(&format!("{reason:?}: {message}")));
    }

    /// Notes that the device is lost. The first reason stays.
    pub fn report(&self, reason: &str) {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| reason.to_owned());
    }

    /// # Errors
    /// [`OceanError::DeviceLost`], once it is.
    pub fn check(&self) -> Result<(), OceanError> {
        match &*self.lost.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(reason) => Err(OceanError::DeviceLost(reason.clone())),
            None => Ok(()),
        }
    }
}
