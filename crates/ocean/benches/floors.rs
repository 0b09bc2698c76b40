//! Baseline (b): the bytes an update in two passes with f32 scratch cannot avoid, and what a dispatch costs that does nothing.
//!
//! No kernel with such a scratch can be faster than *streaming* once the data outgrow the caches, so the distance to it is
//! what is left to gain. Below that, where everything fits a cache, both rows together say how much of a time is launches.

use crate::contestant::{Dispatch, Entry, Recorded, Role};
use crate::gpu::{Gpu, RuntimeChecks};

const STREAMING: &str = include_str!("../../../shaders/ocean/baseline/streaming.wgsl");
const EMPTY: &str = include_str!("../../../shaders/ocean/baseline/empty.wgsl");

/// The row of the table.
pub const STREAMING_NAME: &str = "streaming, 72 bytes a texel";
/// The rows of one and of two dispatches.
pub const EMPTY_NAMES: [&str; 2] = ["empty dispatch", "two empty dispatches"];

const BYTES_PER_TEXEL: f64 = 72.0;
const THREADS: u64 = 256;
/// A plane's elements are vec4f, each for four texels.
const QUAD_BYTES: u64 = 16;

/// Two dispatches that move 72 bytes a texel.
pub fn streaming(gpu: &Gpu, size: u32, cascades: u32) -> Entry {
    // A buffer has two planes at most, so up to 2048² × 3 it stays whole; beyond, the work is cut into equal chunks.
    let most = gpu.device.limits().max_storage_buffer_binding_size / (2 * QUAD_BYTES);
    let quads = u64::from(size).pow(2) * u64::from(cascades) / 4;
    let chunks = quads.div_ceil(most);
    let quads = quads.div_ceil(chunks).next_multiple_of(THREADS);

    let constants = [("QUADS", quads as f64)];
    let [fill, first, second] =
        ["fill", "first", "second"].map(|entry| gpu.pipeline(STREAMING, entry, &constants, RuntimeChecks::On));
    let workgroups = [(quads / THREADS) as u32, 1, 1];
    let (mut fills, mut firsts, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..chunks {
        let planes = |label, count: u64| gpu.storage(label, count * quads * QUAD_BYTES);
        let spectrum = planes("spectrum", 2);
        let scratch = [planes("scratch", 2), planes("scratch", 2), planes("scratch", 1)];
        let outputs = [planes("foam", 1), planes("map", 2), planes("map", 2)];
        let spectrum = spectrum.as_entire_binding();
        let [a, b, c] = scratch.each_ref().map(wgpu::Buffer::as_entire_binding);
        let [foam, map_a, map_b] = outputs.each_ref().map(wgpu::Buffer::as_entire_binding);
        fills.push(Dispatch::new(gpu, "fill", &fill, 10, std::slice::from_ref(&spectrum), workgroups));
        firsts.push(Dispatch::new(gpu, "first", &first, 0, &[spectrum, a.clone(), b.clone(), c.clone()], workgroups));
        seconds.push(Dispatch::new(gpu, "second", &second, 4, &[a, b, c, foam, map_a, map_b], workgroups));
    }
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        fills.iter().for_each(|fill| fill.encode(&mut pass));
    }
    gpu.queue.submit([encoder.finish()]);
    firsts.append(&mut seconds);
    Entry::Ready(Role::Streaming, Box::new(Recorded::new(STREAMING_NAME, BYTES_PER_TEXEL, firsts)))
}

/// One or two dispatches of one thread, by the name.
pub fn empty(gpu: &Gpu, name: &str) -> Entry {
    let pipeline = gpu.pipeline(EMPTY, "touch", &[], RuntimeChecks::On);
    let word = gpu.storage("word", 4);
    let labels = ["first", "second"];
    let touches = labels
        .iter()
        .take(if name == EMPTY_NAMES[0] { 1 } else { 2 })
        .map(|label| Dispatch::new(gpu, label, &pipeline, 0, &[word.as_entire_binding()], [1, 1, 1]))
        .collect();
    Entry::Ready(Role::Empty, Box::new(Recorded::new(name, 0.0, touches)))
}
