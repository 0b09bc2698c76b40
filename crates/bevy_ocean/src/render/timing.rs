//! GPU times of the water, where the device has timestamps: simulation, mip levels, spray, and the pass that draws the water.
//!
//! All but the last are whole passes. The drawing is Bevy's pass, which takes no timestamps, so two empty passes around it write the time instead. Times come a few frames late
//! and browsers round them to a tenth of a millisecond, so what is told are running means, which begin anew when what is timed is another thing.

use super::{ExtractedWater, has_history};
use crate::surface::MeshMode;
use bevy::prelude::*;
use bevy::render::renderer::RenderContext;
use bevy::render::sync_world::MainEntity;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Milliseconds on the GPU, each the mean of the last timed frames, about sixty of them. They begin anew when a surface comes, goes or is cut, sized or sprayed otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuTimes {
    /// Spectrum, transforms and foam, all surfaces. Only updates count, frames without one leave it as it was.
    pub simulation: f32,
    /// The maps' mip levels.
    pub mips: f32,
    /// Finding what breaks and moving the droplets, all surfaces; 0 without spray.
    pub spray: f32,
    /// Drawing the water, in the view that was drawn last.
    pub water: f32,
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Simulation,
    Mips,
    Spray,
    Water,
}

const SECTIONS: usize = 4;
const QUERIES: u32 = 2 * SECTIONS as u32;
const BYTES: u64 = QUERIES as u64 * 8;
/// Bytes of a section's two times, and where the next one's begin in the buffer that queries are resolved into, which takes no other offsets.
const PAIR: u64 = 16;
const STRIDE: u64 = wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT;

/// How many samples a mean remembers.
const SAMPLES: u32 = 60;

const FREE: u8 = 0;
const IN_FLIGHT: u8 = 1;
const MAPPED: u8 = 2;
const FAILED: u8 = 3;

/// The mean of all samples while they are few, and then an exponential one of about the last [`SAMPLES`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mean {
    value: f32,
    samples: u32,
}

impl Mean {
    fn add(&mut self, sample: f32) {
        self.samples = (self.samples + 1).min(SAMPLES);
        self.value += (sample - self.value) / self.samples as f32;
    }
}

/// What a surface's times depend on: while it is the same, they are samples of one thing. A change of its sea costs nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Timed {
    surface: MainEntity,
    resolution: u32,
    cascades: usize,
    has_history: bool,
    mesh: (MeshMode, u32, u32, f32),
    droplets: u32,
}

impl Timed {
    fn of(water: &ExtractedWater) -> Self {
        let ExtractedWater { surface, settings, uniform, spray, .. } = water;
        Self {
            surface: *surface,
            resolution: settings.wave_resolution,
            cascades: settings.sea.cascades.len(),
            has_history: has_history(settings),
            mesh: (settings.mesh_mode, uniform.quads, uniform.rings, uniform.quad_size),
            droplets: spray.map_or(0, |spray| spray.count),
        }
    }
}

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
    written: [bool; SECTIONS],
    /// Whether this frame is timed.
    timing: bool,
    timed: Vec<Timed>,
    /// Whether the frame that is in flight is of something else than what is timed now.
    outdated: bool,
    means: [Mean; SECTIONS],
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
        device.follow(waters);
        if device.read_back() {
            let times = device.times();
            for water in waters {
                water.feedback.write(|report| report.times = Some(times));
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
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        let resolved = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("water times"),
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer("water times", STRIDE * SECTIONS as u64, resolved),
            read: buffer("water times, read", BYTES, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            state: Arc::new(AtomicU8::new(FREE)),
            period,
            written: [false; SECTIONS],
            timing: false,
            timed: Vec::new(),
            outdated: false,
            means: [Mean::default(); SECTIONS],
        }
    }

    /// Forgets what was measured of other settings.
    fn follow(&mut self, waters: &[ExtractedWater]) {
        let timed: Vec<_> = waters.iter().map(Timed::of).collect();
        if timed != self.timed {
            self.timed = timed;
            self.means = [Mean::default(); SECTIONS];
            self.outdated = self.timing || self.state.load(Ordering::Relaxed) != FREE;
        }
    }

    fn times(&self) -> GpuTimes {
        let [simulation, mips, spray, water] = self.means.map(|mean| mean.value);
        GpuTimes { simulation, mips, spray, water }
    }

    fn begin_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.timing {
            self.timing = false;
            // What was written and nothing else: Vulkan waits for a query, and for one that nobody writes, as without spray, for ever.
            for section in (0..SECTIONS as u32).filter(|section| self.written[*section as usize]) {
                let (from, to) = (STRIDE * u64::from(section), PAIR * u64::from(section));
                encoder.resolve_query_set(&self.queries, 2 * section..2 * section + 2, &self.resolved, from);
                encoder.copy_buffer_to_buffer(&self.resolved, from, &self.read, to, PAIR);
            }
            self.state.store(IN_FLIGHT, Ordering::Relaxed);
            let state = self.state.clone();
            encoder.map_buffer_on_submit(&self.read, wgpu::MapMode::Read, .., move |result| {
                state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
            });
        } else if self.state.load(Ordering::Relaxed) == FREE {
            self.written = [false; SECTIONS];
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
        if std::mem::take(&mut self.outdated) {
            return false;
        }
        for ((mean, pair), written) in self.means.iter_mut().zip(ticks.as_chunks::<2>().0).zip(self.written) {
            if written {
                mean.add(pair[1].saturating_sub(pair[0]) as f32 * self.period * 1e-6);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_of_all_samples_first_and_then_of_the_last() {
        let mut mean = Mean::default();
        for sample in [1.0, 2.0, 6.0] {
            mean.add(sample);
        }
        assert_eq!(mean.value, 3.0);
        // Tenths, as browsers round: the mean knows more than each of them.
        let mut mean = Mean::default();
        (0..600).for_each(|index| mean.add(if index % 4 == 0 { 0.2 } else { 0.1 }));
        assert!((mean.value - 0.125).abs() < 2e-3, "{mean:?}");
        // What was is forgotten.
        (0..600).for_each(|_| mean.add(5.0));
        assert!((mean.value - 5.0).abs() < 1e-3, "{mean:?}");
    }

    #[test]
    fn sections_are_told_by_their_names() {
        let index = [Section::Simulation, Section::Mips, Section::Spray, Section::Water].map(|section| section as usize);
        assert_eq!(index, [0, 1, 2, 3]);
    }
}
