// The page: fetches an update that `ocean_engine` has written (crates/ocean/benches/export.rs) from data/, runs it, checks it,
// and times it if asked to. Two ask: ocean_engine.test.mjs, which calls `oceanEngine`, and measure.py, which opens the page with
// ?sizes=256x3,512x3 and waits for the report to be posted. `times` is how often something is timed, see timing.js.

import { Engine, compiled, openDevice, parsed } from './engine.js';
import { measured } from './timing.js';
import { checked } from './verify.js';

async function json(name) {
  const response = await fetch(`data/${name}.json`);
  if (!response.ok) throw new Error(`data/${name}.json: HTTP ${response.status}`);
  return response.json();
}

/**
 * Every shader of the crate: what the compiler said of it, and whether there is a pipeline of it. With `proofs` also of those that
 * hold everything in f32, which nobody draws with: other loads and stores around the same transforms, and as much time again.
 */
async function shaders({ proofs = false } = {}) {
  const { device, limits } = await openDevice();
  const results = await Promise.all((await json('shaders')).map(async (shader) => {
    const whole = proofs || !shader.name.endsWith(' Full');
    const { messages, error } = await (whole ? compiled : parsed)(device, shader);
    return { name: shader.name, messages, error };
  }));
  device.destroy();
  return { limits, results };
}

/** One update: how far its maps are from what they should be, and, given `times`, what it takes. */
async function update(name, times) {
  const program = await json(name);
  const { device, limits, adapter } = await openDevice({ timestamps: Boolean(times) });
  const engine = await Engine.create(device, program);
  const started = performance.now();
  const check = await checked(engine);
  const seconds = (performance.now() - started) / 1000;
  const timing = times ? await measured(engine, times) : undefined;
  device.destroy();
  return { name, adapter, limits, check, seconds, timing };
}

globalThis.oceanEngine = { shaders, update };

async function post(body) {
  await fetch('report', { method: 'POST', body: JSON.stringify(body) });
}

const query = new URLSearchParams(location.search);
if (query.has('sizes')) {
  const results = [];
  try {
    for (const name of query.get('sizes').split(',')) {
      results.push(await update(name, JSON.parse(query.get('times'))));
    }
    await post({ results });
  } catch (error) {
    await post({ results, error: String(error.stack ?? error) });
  }
}
