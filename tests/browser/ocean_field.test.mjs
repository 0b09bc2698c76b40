// The ocean's CPU field as wasm32, against the digests that the native tests hold: in Node.js, and in the browser.
//
// OCEAN_FIELD     the module (`cargo xtask test browser` builds it)

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, launch } from './browser.mjs';

const cases = JSON.parse(readFileSync(join(here, '../cases/ocean-digests.json'), 'utf8'));
// In the order of `Preset::ALL`.
const PRESETS = ['Ocean', 'StormyOcean', 'Tropical', 'Arctic', 'CalmLake', 'River', 'Swamp'];
const parameters = cases.map(({ preset, resolution, updates }) => [PRESETS.indexOf(preset), resolution, updates]);
const expected = cases.map(({ digest }) => digest);

const file = process.env.OCEAN_FIELD;
assert.ok(file, 'OCEAN_FIELD must name the module: run `cargo xtask test browser`');
const bytes = readFileSync(file);

/** Runs in Node.js and, sent there as source, in a page. */
async function digests(base64, runs) {
  const module = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(module);
  return runs.map((run) => BigInt.asUintN(64, instance.exports.field_digest(...run)).toString(16).padStart(16, '0'));
}

test('the field is the same to the bit in Node.js', async () => {
  assert.deepEqual(await digests(bytes.toString('base64'), parameters), expected);
});

test('the field is the same to the bit in the browser', async () => {
  const browser = await launch({ webgpu: false });
  try {
    const page = await browser.newPage();
    const got = await page.evaluate(`(${digests})(${JSON.stringify(bytes.toString('base64'))}, ${JSON.stringify(parameters)})`);
    assert.deepEqual(got, expected);
  } finally {
    await browser.close();
  }
});
