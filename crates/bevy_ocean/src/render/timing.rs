//! GPU times of the water, where the device has timestamps: simulation, mip levels, and the pass that draws it.
//!
//! The first two are whole passes. The drawing is Bevy's pass, which takes no timestamps, so two empty passes around it write the time instead. Times come a few frames late
//! and browsers round them to a tenth of a millisecond: whoever shows them should average.

use super::ExtractedWater;
use bevy::prelude::*;
use bevy::render::renderer::RenderContext;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Milliseconds on the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuTimes {
    /// Spectrum, transforms and foam, all surfaces. Only updates count, frames without one leave it as it was.
    pub simulation: f32,
    /// The maps' mip levels.
    pub mips: f32,
    /// Drawing the water, in the view that was drawn last.
    pub water: f32,
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Simulation,
    Mips,
    Water,
}

const QUERIES: u32 = 6;
const BYTES: u64 = QUERIES as u64 * 8;

const FREE: u8 = 0;
const IN_FLIGHT: u8 = 1;
const MAPPED: u8 = 2;
const FAILED: u8 = 3;

#[derive(Resource)]
pub(crate) struct GpuTimer {
    device: Option<Device>,
}

struct Device {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// Nanoseconds a tick.
    period: f32,
    /// Which sections the frame that is in flight has written.
    written: [bool; 3],
    /// Whether this frame is timed.
    timing: bool,
    times: GpuTimes,
}

impl GpuTimer {
    pub fn new(device: &wgpu::Device, period: f32) -> Self {
        let has = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Self { device: has.then(|| Device::new(device, period)) }
    }

    /// Begins a timed frame, if the last one's times have been read. What the passes of the last one wrote is resolved here, when they have surely been submitted.
    pub fn begin_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(device) = &mut self.device {
            device.begin_frame(encoder);
        }
    }

    /// Takes the times that have come, and tells the surfaces.
    pub fn read_back(&mut self, waters: &[ExtractedWater]) {
        let Some(device) = &mut self.device else { return };
        if device.read_back() {
            for water in waters {
                water.feedback.write(|report| report.times = Some(device.times));
            }
        }
    }

    /// A compute pass that is timed as `section`.
    pub fn compute_pass<'encoder>(
        &mut self,
        encoder: &'encoder mut wgpu::CommandEncoder,
        label: &str,
        section: Section,
    ) -> wgpu::ComputePass<'encoder> {
        let timestamp_writes = self.device.as_mut().and_then(|device| device.writes(section, true, true));
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes })
    }

    fn mark(&mut self, context: &mut RenderContext, begin: bool) {
        let Some(device) = &mut self.device else { return };
        let Some(writes) = device.writes(Section::Water, begin, !begin) else { return };
        let descriptor = wgpu::ComputePassDescriptor { label: Some("water time"), timestamp_writes: Some(writes) };
        drop(context.command_encoder().begin_compute_pass(&descriptor));
    }
}

impl Device {
    fn new(device: &wgpu::Device, period: f32) -> Self {
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size: BYTES, usage, mapped_at_creation: false })
        };
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("water times"),
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer("water times", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer("water times, read", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            state: Arc::new(AtomicU8::new(FREE)),
            period,
            written: [false; 3],
            timing: false,
            times: GpuTimes::default(),
        }
    }

    fn begin_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.timing {
            self.timing = false;
            encoder.resolve_query_set(&self.queries, 0..QUERIES, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, BYTES);
            self.state.store(IN_FLIGHT, Ordering::Relaxed);
            let state = self.state.clone();
            encoder.map_buffer_on_submit(&self.read, wgpu::MapMode::Read, .., move |result| {
                state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
            });
        } else if self.state.load(Ordering::Relaxed) == FREE {
            self.written = [false; 3];
            self.timing = true;
        }
    }

    fn read_back(&mut self) -> bool {
        if self.state.load(Ordering::Acquire) != MAPPED {
            return false;
        }
        let ticks: [u64; QUERIES as usize] = {
            let view = self.read.slice(..).get_mapped_range();
            std::array::from_fn(|index| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&view[8 * index..8 * index + 8]);
                u64::from_le_bytes(bytes)
            })
        };
        self.read.unmap();
        self.state.store(FREE, Ordering::Relaxed);
        let times = [&mut self.times.simulation, &mut self.times.mips, &mut self.times.water];
        for ((time, pair), written) in times.into_iter().zip(ticks.as_chunks::<2>().0).zip(self.written) {
            if written {
                *time = pair[1].saturating_sub(pair[0]) as f32 * self.period * 1e-6;
            }
        }
        true
    }

    fn writes(&mut self, section: Section, begin: bool, end: bool) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        if !self.timing {
            return None;
        }
        let first = 2 * section as u32;
        self.written[section as usize] |= end;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: begin.then_some(first),
            end_of_pass_write_index: end.then_some(first + 1),
        })
    }
}

pub(crate) fn before_water(mut timer: ResMut<GpuTimer>, mut context: RenderContext) {
    timer.mark(&mut context, true);
}

pub(crate) fn after_water(mut timer: ResMut<GpuTimer>, mut context: RenderContext) {
    timer.mark(&mut context, false);
}
