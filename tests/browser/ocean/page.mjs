// The ocean demo's page, opened once for all of its tests, and what they ask of it.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { DIST, PATIENCE_MS, colours, demo, launch, openPage, picture } from '../browser.mjs';
import { recordOf } from '../record.mjs';
import { serve } from '../serve.mjs';

export { different } from '../browser.mjs';
export const { state, until, frames, filled } = demo('ocean');
export const site = await serve(DIST);
export const browser = await launch();
after(async () => {
  await browser.close();
  await site.close();
});

/** Rows of the legend that are no key of their own. */
export const GESTURES = ['drag', 'drag-body', 'click', 'wheel', 'pinch', 'two-fingers', 'Shift'];

/** The legend and the tables of dials as the notes page has them. */
async function readNotes() {
  const { page, context } = await openPage(browser);
  await page.goto(site.url('notes/ocean.html'));
  const found = await page.evaluate(() => {
    const rows = (selector) => Array.from(document.querySelectorAll(selector), (row) => ({ ...row.dataset, cells: Array.from(row.cells, (cell) => cell.textContent.replace(/\s+/g, ' ').trim()) }));
    return {
      legend: rows('#notes-ocean tbody tr'),
      dials: Array.from(document.querySelectorAll('#parameters table'), (table) => ({ group: table.closest('.scroll').getAttribute('aria-label'), rows: rows(`#${table.id} tbody tr`) })),
      window: rows('#window-ocean tbody tr').map(({ name }) => name),
      readout: rows('#readout-ocean tbody tr').map(({ cells }) => cells[0]),
    };
  });
  await context.close();
  return found;
}
export const notes = await readNotes();
export const { legend } = notes;

export const SCREEN = { screen: 0.25, viewport: { width: 480, height: 420 } };
export const { page, problems } = await openPage(browser, { ...SCREEN, hasTouch: true });
page.setDefaultTimeout(PATIENCE_MS);
await page.goto(site.url('demos/ocean/'));
export const canvas = page.locator('#canvas');
export const fingers = await page.context().newCDPSession(page);
export const record = recordOf('ocean', { page, canvas, fingers, state: () => state(page) });

/** The canvas on the screen, scrolled into view. */
async function box() {
  await page.evaluate(() => scrollTo(0, 0));
  return canvas.boundingBox();
}

/** A point of the canvas, from 0 to 1 along its edges, on the screen. */
export async function at(x, y) {
  const { x: left, y: top, width, height } = await box();
  return [left + x * width, top + y * height];
}

/** A point of the canvas in pixels from its upper left corner, on the screen. */
export async function atPixel([x, y]) {
  const { x: left, y: top } = await box();
  return [left + x, top + y];
}

export async function press(key) {
  await canvas.focus();
  await page.keyboard.press(key);
}

export const values = () => page.evaluate(() => window.ocean.values());

/** Puts the demo into a known state: the waves paused or running, the smallest grids. */
export async function settle({ paused = true } = {}) {
  for (let now = await state(page); now.resolution > 128; now = await frames(page, 1)) await press('[');
  if ((await state(page)).paused !== paused) {
    await press('p');
    await until(page, paused ? 'the pause' : 'the run', (now, wanted) => now.paused === wanted, paused);
  }
  return frames(page);
}

/** What of the state only an action changes while the waves stand. The eye's height is left out: it sinks back after a crest. */
const DECIDED = ['preset', 'resolution', 'cascades', 'updates_per_second', 'paused', 'time', 'steps', 'lines', 'map', 'map_cascade', 'sky',
  'sun_azimuth', 'sun_elevation', 'readout_shown', 'help_shown', 'resets', 'wind_speed', 'wind_heading', 'hits', 'misses', 'digest'];
export function decided(now) {
  const { x, z, yaw, pitch } = now.camera;
  return { ...Object.fromEntries(DECIDED.map((key) => [key, now[key]])), x, z, yaw, pitch };
}

/** A picture of the canvas, without the ring around what has the focus. */
export async function view(name) {
  await page.evaluate(() => document.activeElement.blur());
  await frames(page, 3);
  const shot = await picture(canvas, name);
  assert.ok(colours(shot) >= 32, `${name ?? 'the picture'} is not blank`);
  return shot;
}
