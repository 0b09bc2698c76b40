//! What oceans on one device share: the device, its health, and the pipelines.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::{DeviceHealth, OceanError};
use super::kernels::Output;
use super::pipelines::{Passes, Pipeline};
use super::plan::{Plan, Precision};
use super::resolution::Resolution;
use super::scopes::Scopes;
use super::{foam, limits, mips, spectrum_pass};

/// The pipelines on one device, made once and shared by every ocean there.
///
/// Cheap to clone. Nothing in this crate is global: two engines know nothing of each other.
#[derive(Clone, Debug)]
pub struct Engine {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    health: DeviceHealth,
    spectrum: Pipeline,
    foam: Pipeline,
    mips: Vec<Pipeline>,
    passes: Mutex<HashMap<(Resolution, Precision), Arc<Passes>>>,
}

impl Engine {
    /// An engine on a device requested with at least `wgpu::Limits::default()`; no feature is needed.
    ///
    /// The pipelines of a resolution are compiled when the first ocean of that resolution is made.
    ///
    /// # Errors
    /// [`OceanError::Limit`] if the device was requested with less; [`OceanError::Refused`] if a driver does not take a shader.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Self, OceanError> {
        limits::check(&Plan::of(Resolution::R128, Precision::Mixed), 1, &device.limits())?;
        let scopes = Scopes::default();
        let shared = scopes.within(device, || Shared {
            device: device.clone(),
            queue: queue.clone(),
            health: DeviceHealth::default(),
            spectrum: spectrum_pass::pipeline(device),
            foam: foam::pipeline(device),
            mips: mips::pipelines(device).into(),
            passes: Mutex::default(),
        });
        scopes.check()?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    /// Its queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    /// Whether the device lives. Call [`DeviceHealth::watch`] or [`DeviceHealth::report`] on it: the engine takes no callback by itself.
    pub fn health(&self) -> &DeviceHealth {
        &self.shared.health
    }

    pub(super) fn spectrum(&self) -> &Pipeline {
        &self.shared.spectrum
    }

    pub(super) fn foam(&self) -> &Pipeline {
        &self.shared.foam
    }

    pub(super) fn mips(&self) -> &[Pipeline] {
        &self.shared.mips
    }

    /// The two passes of a resolution, compiled at the first call.
    pub(super) fn passes(&self, resolution: Resolution, precision: Precision) -> Arc<Passes> {
        let mut passes = self.shared.passes.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = Plan::of(resolution, precision);
        passes
            .entry((resolution, precision))
            .or_insert_with(|| Arc::new(Passes::new(&self.shared.device, &plan, Output::Maps)))
            .clone()
    }

    /// Has the passes of a resolution compiled anew when they are next needed: they may have failed along with what was made beside them.
    pub(super) fn forget_passes(&self, resolution: Resolution, precision: Precision) {
        self.shared.passes.lock().unwrap_or_else(PoisonError::into_inner).remove(&(resolution, precision));
    }
}
