// The panel against the tables of dials on the notes page.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notes, page, press, settle, until, values, view } from './page.mjs';
import { choosesPreset } from './actions.mjs';

describe('the panel', () => {
  const field = (name) => page.locator(`.field[data-name="${name}"]`);
  const dial = (name) => field(name).locator('input[type="number"], select, input[type="checkbox"]').first();
  const unfold = () => page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
  const has = (name, wanted) => page.waitForFunction(([key, value]) => JSON.stringify(window.ocean.values()[key]) === JSON.stringify(value), [name, wanted]);
  const shows = (name, wanted) => page.waitForFunction(([key, value]) => {
    const input = document.querySelector(`.field[data-name="${key}"] :is(input[type="number"], select)`);
    return input.value === value;
  }, [name, wanted]);
  async function type(name, text) {
    await dial(name).fill(text);
    await dial(name).press('Tab');
  }

  test('has every dial of the notes page, in its groups, with its unit, range, default and meaning, and no other', async () => {
    const described = await page.evaluate(() => window.ocean.parameters());
    const short = (x) => (typeof x === 'number' ? String(Number(x.toPrecision(10))) : String(x));
    const told = described.map(({ name, label, unit, min, max, options, kind, default: usual, meaning }) => ({
      name: name.replace(/^cascade\d+\./, ''), label, unit, meaning,
      range: kind === 'toggle' ? 'off on' : options ? options.map(({ value }) => value).join(' ') : `${min} ${max}`,
      usual: kind === 'toggle' ? (usual ? 'on' : 'off') : Array.isArray(usual) ? usual.map(short).join(' ') : short(usual),
    }));
    const once = told.filter(({ name }, i) => told.findIndex((other) => other.name === name) === i);
    const written = notes.dials.flatMap(({ rows }) => rows.map(({ name, unit, min, max, options, default: usual, cells }) => ({
      name, label: cells[0].replace(` ${name}`, ''), unit, meaning: cells[4].replaceAll('’', "'"), range: options ?? `${min} ${max}`, usual,
    })));
    assert.deepEqual(once, written, 'left: the program; right: the notes page');

    const fields = await page.evaluate(() => Array.from(document.querySelectorAll('#dials .field[data-name]'), (each) => ({
      name: each.dataset.name,
      group: each.closest('details').querySelector('summary').textContent,
      label: each.querySelector('label, legend').textContent,
      meaning: each.querySelector('.meaning').textContent,
      described: Array.from(each.querySelectorAll('input, select')).every((input) => document.getElementById(input.getAttribute('aria-describedby'))),
    })));
    const headings = notes.dials.flatMap(({ group, rows }) => rows.map(() => group));
    assert.deepEqual(fields, written.map(({ name, label, unit, meaning }, i) => ({ name, group: headings[i], label: unit ? `${label} ${unit}` : label, meaning, described: true })));
  });

  test('a number reaches the program, which may clamp it and says so', async () => {
    await settle();
    await choosesPreset(() => press('1'), 'Ocean');
    await unfold();
    const { significant_wave_height: calm } = await settle();
    await type('wind_speed', '24');
    await has('cascade1.wind_speed', 24);
    await until(page, 'a higher sea', (now, before) => now.significant_wave_height > before, calm);
    assert.equal(await field('wind_speed').locator('.field-notice').isVisible(), false);
    await type('wind_speed', '999');
    await has('cascade1.wind_speed', 60);
    await shows('wind_speed', '60');
    const notice = field('wind_speed').locator('.field-notice');
    await notice.waitFor({ state: 'visible' });
    assert.match(await notice.innerText(), /60/);
    await page.locator('#status', { hasText: '60' }).waitFor();
    await type('wind_speed', '');
    await shows('wind_speed', '60');
  });

  test('a dial is undone to what its preset came with', async () => {
    const undo = field('wind_speed').locator('.undo');
    await undo.click();
    await has('cascade1.wind_speed', 10);
    await shows('wind_speed', '10');
    await undo.waitFor({ state: 'hidden' });
  });

  test('a slider moves by its keys, a step at a time, and says its value', async () => {
    const slider = field('foam_amount').locator('input[type="range"]');
    const { 'cascade1.foam_amount': before } = await values();
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((last) => window.ocean.values()['cascade1.foam_amount'] < last, before);
    const { 'cascade1.foam_amount': now } = await values();
    assert.ok(before - now < 0.2, `one step is ${before - now}`);
    assert.equal(Number(await slider.getAttribute('aria-valuetext')).toFixed(4), now.toFixed(4));
    await field('foam_amount').locator('.undo').click();
    await has('cascade1.foam_amount', before);
  });

  test('each cascade has its own dials, and a new one can be had', async () => {
    const before = await values();
    await page.getByRole('radio', { name: '2', exact: true }).check();
    await shows('wind_speed', String(Number(before['cascade2.wind_speed'].toPrecision(6))));
    await type('wind_speed', '7');
    await has('cascade2.wind_speed', 7);
    assert.equal((await values())['cascade1.wind_speed'], before['cascade1.wind_speed']);
    await type('cascades', '4');
    await until(page, 'a fourth cascade', (now) => now.cascades === 4);
    await page.getByRole('radio', { name: '4', exact: true }).check();
    await type('wind_speed', '12');
    await has('cascade4.wind_speed', 12);
    await type('cascades', '1');
    await until(page, 'one cascade', (now) => now.cascades === 1);
    await page.waitForFunction(() => document.querySelectorAll('.which input').length === 1 && document.querySelector('.which input').checked);
  });

  test('choices, switches and colours reach it too', async () => {
    await dial('mesh_mode').selectOption('grid');
    await has('mesh_mode', 'grid');
    await field('follow_world_wind').locator('input').uncheck();
    await has('follow_world_wind', false);
    await field('water_color').locator('input.green').fill('0.25');
    await field('water_color').locator('input.green').press('Tab');
    await page.waitForFunction(() => Math.abs(window.ocean.values().water_color[1] - 0.25) < 1e-6);
    await field('foam_color').locator('input[type="color"]').fill('#ff8000');
    await page.waitForFunction(() => Math.abs(window.ocean.values().foam_color[0] - 1) < 1e-3 && Math.abs(window.ocean.values().foam_color[1] - 0.216) < 1e-3);
    await view('ocean-panel');
  });

  test('what keys change, it shows', async () => {
    await choosesPreset(() => press('2'), 'Stormy Ocean');
    const { 'cascade1.wind_speed': wind, mesh_mode } = await values();
    await shows('wind_speed', String(wind));
    await shows('mesh_mode', mesh_mode);
    await press(']');
    await page.waitForFunction(() => document.querySelector('.field[data-name="wave_resolution"] select').value === String(window.ocean.values().wave_resolution));
    await choosesPreset(() => press('1'), 'Ocean');
  });

  test('explains each dial when asked', async () => {
    const meaning = field('wind_speed').locator('.meaning');
    assert.equal(await meaning.isVisible(), false);
    await page.locator('#explain').click();
    await meaning.waitFor({ state: 'visible' });
    await page.locator('#explain').click();
    await meaning.waitFor({ state: 'hidden' });
  });
});
