// Whether an update came out as the formulas in f64 say it should.

import { bytes } from './engine.js';

export const CHANNELS = ['Dx', 'h', 'Dz', 'q', 'sx', 'sz', 'J', 'foam'];

/** Every value may be off by this much of itself, beside what the program allows its channel. */
const RELATIVE = 1 / 1024;

/**
 * Runs one update from nothing and compares. Errors are given as shares of what is allowed: up to 1 is right. `worst` is by layer
 * and channel, `mips` by map; `notFinite` counts over all texels of all levels, whether compared or not; `foamed` is the share of the
 * compared texels that have foam.
 */
export async function checked(engine) {
  const { program } = engine;
  await engine.run(['spectrum', 'rows', 'columns', 'mips']);
  const worst = [];
  const mips = [0, 0];
  let notFinite = 0;
  let foamed = 0;
  for (let layer = 0; layer < program.cascades; layer += 1) {
    const whole = [];
    for (const map of [0, 1]) {
      let above;
      for (let level = 0; level < program.levels; level += 1) {
        const texels = await engine.read(map, layer, level);
        notFinite += countNotFinite(texels);
        const values = new Float32Array(texels);
        if (level === 0) whole.push(values);
        else mips[map] = Math.max(mips[map], worstMean(values, above, program.resolution >> level));
        above = values;
      }
    }
    const compared = compare(program, layer, whole);
    worst.push(compared.worst);
    foamed += compared.foamed / program.cascades;
  }
  return { channels: CHANNELS, worst, mips, notFinite, foamed };
}

function countNotFinite(texels) {
  let count = 0;
  for (const bits of new Uint16Array(texels.buffer)) if ((bits & 0x7c00) === 0x7c00) count += 1;
  return count;
}

function compare(program, layer, maps) {
  const { x: columns, z: rows, layers } = program.expected;
  const { allowed, values } = layers[layer];
  const wanted = new Float32Array(bytes(values).buffer);
  const worst = CHANNELS.map(() => ({ share: 0 }));
  let at = 0;
  let foamed = 0;
  for (const z of rows) {
    for (const x of columns) {
      for (let channel = 0; channel < 8; channel += 1, at += 1) {
        const want = wanted[at];
        const got = maps[channel >> 2][(z * program.resolution + x) * 4 + (channel & 3)];
        // What should be 0 and is, is right where nothing is allowed; NaN is never right.
        const share = got === want ? 0 : Math.abs(got - want) / (RELATIVE * Math.abs(want) + allowed[channel]);
        if (!(share <= worst[channel].share)) worst[channel] = { share: Number.isNaN(share) ? Infinity : share, x, z, got, want };
        if (channel === 7 && got > 0) foamed += 1;
      }
    }
  }
  return { worst, foamed: foamed / (rows.length * columns.length) };
}

/** A level is the mean of the one above it: both are rounded to f16, by half of 2⁻¹⁰ each, and the sum to f32, by far less. */
function worstMean(values, above, edge) {
  let worst = 0;
  for (let z = 0; z < edge; z += 1) {
    for (let x = 0; x < edge; x += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        const first = (2 * z * 2 * edge + 2 * x) * 4 + channel;
        const [a, b, c, d] = [above[first], above[first + 4], above[first + 8 * edge], above[first + 8 * edge + 4]];
        const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d));
        const share = Math.abs(values[(z * edge + x) * 4 + channel] - (a + b + c + d) / 4) / (1.001 * RELATIVE * largest + 2 ** -24);
        if (!(share <= worst)) worst = Number.isNaN(share) ? Infinity : share;
      }
    }
  }
  return worst;
}
