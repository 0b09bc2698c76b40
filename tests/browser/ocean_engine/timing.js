// What an update takes on the GPU, by timestamps that the passes write: the figures of the native benchmark
// (crates/ocean/benches/gpu_timer.rs), taken in the same way. Single: one update in a submission of its own. Back to back: many in one
// submission, divided by their number. Rows and columns: each in a pass of its own, which keeps them apart, so that they may add up to
// more than the whole.
//
// A browser rounds timestamps to 65,536 ns, against pages that spy, unless it is started with --enable-webgpu-developer-features.
// That is found out and said.

/** An idle GPU takes this long to come up to its clock, ms. */
const WARM_UP = 500;
const ROUNDED_BITS = 0xffffn;
const UPDATE = ['rows', 'columns'];

/** `times`: how many `rounds`, of how many `singles` and one `batch` of how many updates. */
export async function measured(engine, times) {
  const timer = new Timer(engine, 4 * times.singles);
  const samples = { single: [], backToBack: [], rows: [], columns: [], mips: [] };
  await timer.warmUp(times.batch);
  for (let round = 0; round < times.rounds; round += 1) {
    const singles = await timer.passes([UPDATE], times.singles);
    const apart = await timer.passes([['rows'], ['columns']], times.singles);
    const mips = await timer.passes([['mips']], times.singles);
    samples.single.push(...singles[0]);
    samples.backToBack.push(await timer.batch(UPDATE, times.batch));
    samples.rows.push(...apart[0]);
    samples.columns.push(...apart[1]);
    samples.mips.push(...mips[0]);
  }
  const microseconds = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, summary(values)]));
  return { microseconds, rounded: timer.rounded };
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { best: sorted[0], median: sorted[sorted.length >> 1], count: sorted.length };
}

class Timer {
  constructor(engine, count) {
    const { device } = engine;
    const size = count * 8;
    this.engine = engine;
    this.device = device;
    this.querySet = device.createQuerySet({ type: 'timestamp', count });
    this.resolved = device.createBuffer({ size, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
    this.readable = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    // Until a timestamp is seen that has not been rounded.
    this.rounded = true;
  }

  #submit(record) {
    const encoder = this.device.createCommandEncoder();
    record(encoder);
    this.device.queue.submit([encoder.finish()]);
  }

  async warmUp(batch) {
    const start = performance.now();
    do {
      this.#submit((encoder) => {
        for (let i = 0; i < batch; i += 1) this.engine.record(encoder, [...UPDATE, 'mips']);
      });
      await this.device.queue.onSubmittedWorkDone();
    } while (performance.now() - start < WARM_UP);
  }

  /** Submits passes of these stages `count` times and gives the times of each. */
  async passes(passes, count) {
    for (let i = 0; i < count; i += 1) {
      this.#submit((encoder) => {
        passes.forEach((stages, at) => {
          const first = 2 * (i * passes.length + at);
          const writes = { querySet: this.querySet, beginningOfPassWriteIndex: first, endOfPassWriteIndex: first + 1 };
          this.engine.record(encoder, stages, writes);
        });
      });
    }
    const times = await this.#intervals(count * passes.length);
    return passes.map((_, at) => times.filter((_, index) => index % passes.length === at));
  }

  async batch(stages, count) {
    this.#submit((encoder) => {
      for (let i = 0; i < count; i += 1) {
        const writes = { querySet: this.querySet };
        if (i === 0) writes.beginningOfPassWriteIndex = 0;
        if (i === count - 1) writes.endOfPassWriteIndex = 1;
        this.engine.record(encoder, stages, i === 0 || i === count - 1 ? writes : undefined);
      }
    });
    return (await this.#intervals(1))[0] / count;
  }

  /** The microseconds between the two timestamps of each of the first `count` pairs. */
  async #intervals(count) {
    this.#submit((encoder) => {
      encoder.resolveQuerySet(this.querySet, 0, 2 * count, this.resolved, 0);
      encoder.copyBufferToBuffer(this.resolved, 0, this.readable, 0, 16 * count);
    });
    await this.readable.mapAsync(GPUMapMode.READ, 0, 16 * count);
    const stamps = new BigUint64Array(this.readable.getMappedRange(0, 16 * count).slice(0));
    this.readable.unmap();
    if (stamps.some((stamp) => (stamp & ROUNDED_BITS) !== 0n)) this.rounded = false;
    return Array.from({ length: count }, (_, i) => Number(stamps[2 * i + 1] - stamps[2 * i]) / 1000);
  }
}
