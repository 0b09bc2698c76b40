// The ocean's compute pipelines in a browser, whose compiler is another than the native tests': Tint refuses what naga lets through, checks every limit
// that WebGPU has, and warns. Every shader has to compile without a word; and a whole update, from h₀ to the mip levels, has to give the maps that
// the formulas give in f64, by the same margins as natively.
//
// OCEAN_ENGINE   the folder that `ocean_engine` has written (crates/ocean/benches/export.rs)

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { here, launch, openPage } from './browser.mjs';
import { serve } from './serve.mjs';

const DATA = process.env.OCEAN_ENGINE;
if (!DATA || !existsSync(join(DATA, 'shaders.json'))) {
  throw new Error(
    'OCEAN_ENGINE names no folder with the pipelines: ' +
      'cargo run --package ocean_bench --example ocean_engine -- FOLDER 128x3 256x1, then set OCEAN_ENGINE to FOLDER',
  );
}

let site;
let browser;
before(async () => {
  site = await serve(join(here, 'ocean_engine'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** The page, with the exported files under data/. */
async function open() {
  const { page, context, problems } = await openPage(browser);
  await page.route('**/data/*.json', (route) => route.fulfill({ path: join(DATA, new URL(route.request().url()).pathname.split('/').at(-1)) }));
  await page.goto(site.url());
  await page.waitForFunction(() => globalThis.oceanEngine);
  return { page, context, problems };
}

/** WebGPU's defaults, where the engine comes near them. */
const DEFAULTS = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupStorageSize: 16_384,
  maxStorageBuffersPerShaderStage: 8,
  maxStorageTexturesPerShaderStage: 4,
  maxStorageBufferBindingSize: 128 << 20,
};

function assertDefaults(limits) {
  for (const [name, value] of Object.entries(DEFAULTS)) assert.equal(limits[name], value, name);
}

test('every shader compiles without a word, at the default limits', async () => {
  const { page, context, problems } = await open();
  const { limits, results } = await page.evaluate(() => globalThis.oceanEngine.shaders());
  assertDefaults(limits);
  for (const entry of ['rows', 'columns']) {
    for (const size of [128, 256, 512, 1024, 2048, 4096]) {
      assert.ok(results.some(({ name }) => name === `${entry} R${size} Mixed`), `${entry} at ${size} is missing`);
    }
  }
  for (const { name, messages, error } of results) {
    assert.deepEqual(messages, [], name);
    assert.equal(error, undefined, name);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

for (const size of ['128x3', '256x1']) {
  test(`an update at ${size} is the sea's`, async (t) => {
    const { page, context, problems } = await open();
    const { limits, check } = await page.evaluate((name) => globalThis.oceanEngine.update(name), size);
    assertDefaults(limits);
    assert.equal(check.notFinite, 0, 'texels are not finite');
    check.worst.forEach((channels, cascade) => {
      const worst = channels.map(({ share }, channel) => `${check.channels[channel]} ${share.toFixed(2)}`);
      t.diagnostic(`cascade ${cascade}, largest share of the allowed error: ${worst.join(', ')}`);
      channels.forEach(({ share, x, z, got, want }, channel) => {
        assert.ok(share <= 1, `cascade ${cascade}, ${check.channels[channel]} at (${x}, ${z}): ${got}, not ${want}`);
      });
    });
    for (const share of check.mips) assert.ok(share <= 1, `a mip level is not the mean of the one above it: ${share} of the allowed error`);
    assert.ok(check.foamed > 0.01 && check.foamed < 0.99, `${check.foamed} of the texels have foam, so it is hardly tested`);
    assert.deepEqual(problems, []);
    await context.close();
  });
}

// Not for the figures, which are a software adapter's: so that what takes them still runs when somebody has a GPU.
test('an update can be timed', async () => {
  const { page, context, problems } = await open();
  const { timing } = await page.evaluate(() => globalThis.oceanEngine.update('128x3', { rounds: 1, singles: 1, batch: 1 }));
  for (const [name, { best, median, count }] of Object.entries(timing.microseconds)) {
    assert.ok(Number.isFinite(best) && best >= 0 && median >= best && count === 1, `${name}: ${best}, ${median}, ${count}`);
  }
  assert.ok(timing.microseconds.single.best > 0);
  assert.deepEqual(problems, []);
  await context.close();
});
