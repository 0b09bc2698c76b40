//! Errors of wgpu calls as values, without waiting for them.
//!
//! wgpu gives an error scope's result as a future: ready at once natively, after a while in a browser. An ocean is made and resized in the middle of a frame,
//! where nobody can wait. So the futures are kept and looked at again at every update. An error that has come stays: what it left half made must not be used.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use super::error::OceanError;

trait ScopeFuture: Future<Output = Option<wgpu::Error>> + wgpu::WasmNotSend {}
impl<F: Future<Output = Option<wgpu::Error>> + wgpu::WasmNotSend> ScopeFuture for F {}

/// Scopes whose results are still to come.
#[derive(Default)]
pub struct Scopes {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pending: Vec<Pin<Box<dyn ScopeFuture>>>,
    failed: Option<OceanError>,
}

impl Scopes {
    /// Runs `make` and keeps what wgpu has to say of it.
    pub fn within<T>(&self, device: &wgpu::Device, make: impl FnOnce() -> T) -> T {
        let scopes = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| device.push_error_scope(filter));
        let made = make();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for scope in scopes.into_iter().rev() {
            state.pending.push(Box::pin(scope.pop()));
        }
        made
    }

    /// # Errors
    /// The first error that has become known, from then on.
    pub fn check(&self) -> Result<(), OceanError> {
        self.settled().map(drop)
    }

    /// Whether all is known, and it went well.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn settled(&self) -> Result<bool, OceanError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { pending, failed } = &mut *state;
        let mut context = Context::from_waker(Waker::noop());
        pending.retain_mut(|future| match future.as_mut().poll(&mut context) {
            Poll::Pending => true,
            Poll::Ready(error) => {
                if failed.is_none() {
                    *failed = error.map(OceanError::from);
                }
                false
            }
        });
        failed.clone().map_or(Ok(pending.is_empty()), Err)
    }

    /// One whose result comes when it is sent, as in a browser.
    #[cfg(test)]
    pub fn told_later() -> (std::sync::mpsc::Sender<Option<wgpu::Error>>, Self) {
        let (sender, receiver) = std::sync::mpsc::channel();
        let scopes = Self::default();
        let future = std::future::poll_fn(move |_| receiver.try_recv().map_or(Poll::Pending, Poll::Ready));
        scopes.state.lock().unwrap_or_else(PoisonError::into_inner).pending.push(Box::pin(future));
        (sender, scopes)
    }
}

impl std::fmt::Debug for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scopes").finish_non_exhaustive()
    }
}
