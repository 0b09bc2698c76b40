// The plots under the demos: the ocean's spectrum and the sparklines. What is drawn is what the tables say, both are what the program says, and the
// program says of theory what its state does. Drawing in software, a frame may take seconds: nothing is decided by a clock.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIST, PATIENCE_MS, demo, launch, openPage, picture, violations } from './browser.mjs';
import { countCalls } from './calls.mjs';
import { serve } from './serve.mjs';

let site;
let browser;
before(async () => {
  site = await serve(DIST);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** A demo's page, running and, so that it gets on, small. */
async function running(name) {
  const opened = await openPage(browser, { viewport: { width: 480, height: 420 }, screen: 0.25, init: countCalls, initArgument: 'spectrum' });
  opened.page.setDefaultTimeout(PATIENCE_MS);
  await opened.page.goto(site.url(`demos/${name}/`));
  await demo(name).until(opened.page, 'the first frame', (now) => now.ready);
  return opened;
}

const near = (actual, expected, tolerance, what) => assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, ${expected} expected`);

/** A number as a table has it. */
const number = (text) => Number(text.replace('−', '-').replace('°', ''));

/** Rows of the table called `id`. */
const rows = (page, id) => page.evaluate((name) => Array.from(document.querySelectorAll(`#${name} tbody tr`), (row) => Array.from(row.cells, (cell) => cell.textContent)), id);

/** The rows of the table of times that have numbers, once those named `wanted` do: `[name, now, least, most]`. */
async function timesOf(page, wanted) {
  await page.waitForFunction((names) => names.every((name) => document.querySelector(`.timings tr[data-name="${name}"]`)?.cells[2].textContent !== '–'), wanted);
  const table = await page.evaluate(() => Array.from(document.querySelectorAll('.timings tbody tr'), (row) => [row.dataset.name, ...Array.from(row.cells, (cell) => cell.textContent).slice(2)]));
  const filled = table.filter(([, now]) => now !== '–').map(([name, ...cells]) => [name, ...cells.map(Number)]);
  for (const [name, now, least, most] of filled) assert.ok(least <= now && now <= most && most >= 0, `${name}: ${[now, least, most]}`);
  return { names: table.map(([name]) => name), filled: filled.map(([name]) => name) };
}

// The quick page first: software drawing serves one at a time, and the ocean's gives way to none.
describe('the sparklines', () => {
  test('of the wetmap: frame and tick, with numbers that hold together', async () => {
    const { page, context, problems } = await running('wetmap_paint');
    await page.locator('#timings > summary').click();
    const { names } = await timesOf(page, ['frame', 'tick']);
    assert.deepEqual(names, ['frame', 'tick']);
    await page.waitForFunction(() => document.querySelector('.spark-line').getAttribute('d')?.includes('L'));
    assert.doesNotMatch(await page.locator('.timings').innerHTML(), /NaN|undefined|Infinity/);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
    await context.close();
  });
});

describe('the ocean’s spectrum', () => {
  let page;
  let problems;
  let data;
  before(async () => {
    ({ page, problems } = await running('ocean'));
    const closed = await page.evaluate(() => document.querySelectorAll('#spectrum-home svg').length);
    assert.equal(closed, 0, 'closed, it draws nothing');
    await page.locator('#spectrum > summary').click();
    await page.locator('#spectrum-home .plot-drawings svg').nth(1).waitFor();
    await page.locator('.plot-tables > summary').click();
    await page.locator('#spectrum-sectors').waitFor();
    data = await page.evaluate(() => window.ocean.spectrum());
  });

  test('its figures are those of the state, and the measured are of such a sea', async () => {
    const state = await demo('ocean').state(page);
    near(data.expected.wave_height, state.significant_wave_height, 2e-3 * state.significant_wave_height, 'Hs');
    near(data.expected.peak_period, state.peak_period, 2e-3 * state.peak_period, 'Tp');
    near(data.expected.heading, state.mean_direction, 0.1, 'mean direction');
    const [low, high] = data.wave_height_range;
    assert.ok(data.measured.wave_height > 0.8 * low && data.measured.wave_height < 1.25 * high, JSON.stringify(data.measured));
    assert.ok(data.measured.peak_period > 0.6 * state.peak_period && data.measured.peak_period < 1.6 * state.peak_period, JSON.stringify(data.measured));
    for (const key of ['expected', 'measured']) {
      const variance = data.bands.reduce((sum, band) => sum + band[key] * (band.to - band.from), 0);
      near(4 * Math.sqrt(variance), data[key].wave_height, 0.01 * data[key].wave_height, `4√∫S of the ${key}`);
    }
  });

  test('the tables have the numbers of the drawings', async () => {
    const [figures, bands, sectors] = [await rows(page, 'spectrum-figures'), await rows(page, 'spectrum-bands'), await rows(page, 'spectrum-sectors')];
    near(number(figures[0][1]), data.expected.wave_height, 0.006, 'Hs');
    near(number(figures[0][2]), data.measured.wave_height, 0.006, 'Hs, measured');
    near(number(figures[1][2]), data.measured.peak_period, 0.006, 'Tp, measured');
    const drawn = await page.evaluate(() => Array.from(document.querySelectorAll('.plot-drawings svg'), (drawing) =>
      Array.from(drawing.querySelectorAll('.plot-measured'), (dot) => ({ value: Number(dot.dataset.value), x: Number(dot.getAttribute('cx')), y: Number(dot.getAttribute('cy')) }))));
    for (const [dots, table, said] of [[drawn[0], bands, data.bands], [drawn[1], sectors, data.sectors]]) {
      assert.ok(dots.length >= 8, `${dots.length} points`);
      assert.equal(dots.length, table.length);
      const first = said.findIndex(({ measured }) => Math.abs(measured - dots[0].value) <= 2e-3 * measured);
      table.forEach((cells, i) => {
        near(number(cells[2]), dots[i].value, 0.006 * dots[i].value + 1e-6, `row ${i}`);
        near(dots[i].value, said[first + i].measured, 2e-3 * said[first + i].measured, `point ${i}`);
      });
    }
    // Where they stand: heights go with values, and the longest ray with the largest.
    const [frequencies, headings] = drawn;
    const highest = frequencies.reduce((best, dot) => (dot.value > best.value ? dot : best));
    const bottom = frequencies.reduce((least, dot) => (dot.value < least.value ? dot : least));
    const perPixel = (highest.value - bottom.value) / (bottom.y - highest.y);
    for (const dot of frequencies) near((bottom.y - dot.y) * perPixel, dot.value - bottom.value, 0.15 * perPixel, 'a height');
    const largest = headings.indexOf(headings.reduce((best, dot) => (dot.value > best.value ? dot : best)));
    const middle = Number(await page.locator('.plot-drawings svg').nth(1).getAttribute('width')) / 2;
    const angle = (Math.atan2(headings[largest].x - middle, middle - headings[largest].y) * 180) / Math.PI;
    near((angle + 360) % 360, data.sectors[largest].heading, 1, 'the heading of the largest');
  });

  test('every coordinate is a number, and axe finds nothing in either scheme', async () => {
    const drawn = await page.locator('.plot-drawings').innerHTML();
    assert.doesNotMatch(drawn, /NaN|undefined|Infinity|null/);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), [], colorScheme);
      await picture(page.locator('#spectrum'), `plots-${colorScheme}`);
    }
  });

  test('open, it goes on asking the program, and closed again it asks for nothing', async () => {
    await page.evaluate(() => (window.calls.spectrum = 0));
    await page.waitForFunction(() => window.calls.spectrum >= 3);
    await page.locator('#spectrum > summary').click();
    await page.waitForFunction(() => !document.querySelector('#spectrum').open);
    const asked = await page.evaluate(async () => {
      const before = window.calls.spectrum;
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return window.calls.spectrum - before;
    });
    assert.equal(asked, 0);
    assert.deepEqual(problems, []);
  });

  test('beside it, what a frame takes: the page’s frames, the blood, and of the GPU what the state has', async () => {
    await page.locator('#timings > summary').click();
    const { names, filled } = await timesOf(page, ['frame', 'blood, a tick']);
    assert.deepEqual(names, ['frame', 'GPU, simulation', 'GPU, mip levels', 'GPU, water', 'blood, a tick']);
    const { gpu_ms } = await demo('ocean').state(page);
    if (!Object.values(gpu_ms ?? {}).some(Number.isFinite)) assert.deepEqual(filled, ['frame', 'blood, a tick']);
    assert.deepEqual(problems, []);
  });
});
