//! GPU time, from timestamps that the passes themselves write.
//!
//! Three figures, because they answer different questions. *Single* is one update in a submission of its own, from the start
//! of its pass to the end: what it adds to a frame. *Back to back* is many updates in one pass, divided by their number: what it
//! costs once starting and draining overlap. *Per dispatch* says where the time goes; its
//! timestamps hold the dispatches apart, so the parts may add up to more than the whole.
//!
//! Contestants take turns, round by round, so that a clock that drifts or a neighbour that wakes up meets all of them, and a
//! ratio compares what was measured within moments. A GPU out of idle needs a third of a second before its clocks are up;
//! figures taken sooner came out two to three times too long.
//!
//! A software adapter is timed by the wall clock, from the submission to the end of the wait for it. Mesa's llvmpipe takes its
//! timestamps when it comes to them and not when the dispatches before them are done: a pass of one dispatch takes no time by
//! them, and a pass of several is short by its first.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::contestant::Contestant;
use crate::gpu::Gpu;

const WARM_UP: Duration = Duration::from_millis(300);
/// wgpu allows 4096 queries in a set.
const QUERIES: u32 = 1024;

/// How often everything is repeated.
#[derive(Clone, Copy, Debug)]
pub struct Repetitions {
    /// Turns that each contestant takes.
    pub rounds: usize,
    /// Single updates a turn.
    pub singles: usize,
    /// Updates in the one submission of back-to-back updates a turn.
    pub batch: usize,
}

impl Repetitions {
    /// `iterations` single updates in all.
    pub fn of(iterations: usize) -> Self {
        let rounds = (iterations / 20).clamp(2, 10);
        let singles = iterations.div_ceil(rounds).clamp(1, QUERIES as usize / 2);
        Self { rounds, singles, batch: (iterations / 2).clamp(2, 100) }
    }
}

/// The smallest and the middle of several times, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    pub best: f64,
    pub median: f64,
}

impl Time {
    fn of(samples: &mut [f64]) -> Option<Self> {
        samples.sort_by(f64::total_cmp);
        Some(Self { best: *samples.first()?, median: *samples.get(samples.len() / 2)? })
    }
}

/// What one contestant took.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    pub single: Time,
    pub back_to_back: Time,
    /// Empty where they cannot be told apart.
    pub dispatches: Vec<(&'static str, Time)>,
}

/// Measures contestants against one another.
pub struct Timer<'a> {
    gpu: &'a Gpu,
    query_set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

#[derive(Default)]
struct Samples {
    singles: Vec<f64>,
    batches: Vec<f64>,
    dispatches: Vec<Vec<f64>>,
}

impl<'a> Timer<'a> {
    /// A timer on `gpu`.
    pub fn new(gpu: &'a Gpu) -> Self {
        let buffer = |label, usage| {
            let size = u64::from(QUERIES) * 8;
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        Self {
            gpu,
            query_set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer("timestamps", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer("timestamps to read", wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        }
    }

    /// Times every contestant; the answers are in their order.
    pub fn race(&self, contestants: &mut [Box<dyn Contestant>], repetitions: Repetitions) -> Result<Vec<Timing>> {
        for contestant in contestants.iter_mut() {
            self.warm_up(contestant.as_mut())?;
        }
        let mut samples: Vec<Samples> = contestants.iter().map(|_| Samples::default()).collect();
        for _ in 0..repetitions.rounds {
            for (contestant, samples) in contestants.iter_mut().zip(&mut samples) {
                let contestant = contestant.as_mut();
                // The previous contestant has left the caches full of what this one never reads.
                self.run(contestant, 2)?;
                if self.gpu.is_software() {
                    for _ in 0..repetitions.singles {
                        samples.singles.push(self.run(contestant, 1)?);
                    }
                    samples.batches.push(self.run(contestant, repetitions.batch)? / repetitions.batch as f64);
                } else {
                    samples.singles.extend(self.singles(contestant, repetitions.singles)?);
                    samples.batches.push(self.batch(contestant, repetitions.batch)?);
                    self.dispatches(contestant, repetitions.singles.div_ceil(4), &mut samples.dispatches)?;
                }
            }
        }
        contestants.iter().zip(samples).map(|(contestant, samples)| summary(contestant.as_ref(), samples)).collect()
    }

    fn warm_up(&self, contestant: &mut dyn Contestant) -> Result<()> {
        let mut updates = 1;
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.run(contestant, updates)?;
            updates = (updates * 2).min(64);
        }
        Ok(())
    }

    /// Runs updates in one submission and returns the microseconds by the wall clock, recording left out.
    fn run(&self, contestant: &mut dyn Contestant, updates: usize) -> Result<f64> {
        let mut encoder = self.encoder();
        self.record(contestant, &mut encoder, updates, None);
        let commands = encoder.finish();
        let start = Instant::now();
        self.gpu.queue.submit([commands]);
        self.gpu.wait()?;
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }

    fn singles(&self, contestant: &mut dyn Contestant, count: usize) -> Result<Vec<f64>> {
        for index in 0..count as u32 {
            let mut encoder = self.encoder();
            self.record(contestant, &mut encoder, 1, Some(2 * index));
            self.gpu.queue.submit([encoder.finish()]);
        }
        self.intervals(count)
    }

    fn batch(&self, contestant: &mut dyn Contestant, count: usize) -> Result<f64> {
        let mut encoder = self.encoder();
        self.record(contestant, &mut encoder, count, Some(0));
        self.gpu.queue.submit([encoder.finish()]);
        Ok(self.intervals(1)?[0] / count as f64)
    }

    fn dispatches(&self, contestant: &mut dyn Contestant, count: usize, samples: &mut Vec<Vec<f64>>) -> Result<()> {
        let parts = contestant.dispatches().len();
        samples.resize_with(parts, Vec::new);
        let count = count.min(QUERIES as usize / (2 * parts));
        for index in 0..count {
            let mut encoder = self.encoder();
            contestant.prepare(&mut encoder);
            for part in 0..parts {
                let mut pass = self.pass(&mut encoder, Some(2 * (parts * index + part) as u32));
                contestant.encode(part, &mut pass);
            }
            self.gpu.queue.submit([encoder.finish()]);
        }
        for (index, time) in self.intervals(count * parts)?.into_iter().enumerate() {
            samples[index % parts].push(time);
        }
        Ok(())
    }

    /// So many updates in one pass, with timestamps `stamp` and the next at its ends.
    fn record(&self, contestant: &mut dyn Contestant, encoder: &mut wgpu::CommandEncoder, updates: usize, stamp: Option<u32>) {
        contestant.prepare(encoder);
        let parts = contestant.dispatches().len();
        let mut pass = self.pass(encoder, stamp);
        for _ in 0..updates {
            (0..parts).for_each(|part| contestant.encode(part, &mut pass));
        }
    }

    fn pass<'e>(&self, encoder: &'e mut wgpu::CommandEncoder, stamp: Option<u32>) -> wgpu::ComputePass<'e> {
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: stamp.map(|stamp| wgpu::ComputePassTimestampWrites {
                query_set: &self.query_set,
                beginning_of_pass_write_index: Some(stamp),
                end_of_pass_write_index: Some(stamp + 1),
            }),
        })
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// The microseconds between the two timestamps of each of the first `count` pairs.
    fn intervals(&self, count: usize) -> Result<Vec<f64>> {
        let bytes = 16 * count as u64;
        let mut encoder = self.encoder();
        encoder.resolve_query_set(&self.query_set, 0..2 * count as u32, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, bytes);
        self.gpu.queue.submit([encoder.finish()]);
        let bytes = self.gpu.read(&self.readable)?;
        let ticks: &[[u64; 2]] = &bytemuck::pod_collect_to_vec(&bytes[..16 * count]);
        let interval = |&[begin, end]: &[u64; 2]| match end.checked_sub(begin) {
            Some(ticks) => Ok(ticks as f64 * self.gpu.tick),
            None => bail!("{} wrote timestamps that run backwards", self.gpu.info.name),
        };
        ticks.iter().map(interval).collect()
    }
}

fn summary(contestant: &dyn Contestant, mut samples: Samples) -> Result<Timing> {
    let mut timing = || {
        Some(Timing {
            single: Time::of(&mut samples.singles)?,
            back_to_back: Time::of(&mut samples.batches)?,
            dispatches: contestant
                .dispatches()
                .iter()
                .zip(&mut samples.dispatches)
                .map(|(&label, times)| Some((label, Time::of(times)?)))
                .collect::<Option<_>>()?,
        })
    };
    match timing() {
        Some(timing) => Ok(timing),
        None => bail!("`{}` was never timed", contestant.name()),
    }
}
