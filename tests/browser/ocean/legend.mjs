// The legend of the notes page, row by row.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GESTURES, at, canvas, decided, frames, legend, page, press, record, settle, until, view } from './page.mjs';
import { ACTIONS, choosesPreset, dot, flown, level } from './actions.mjs';
import { checkOf } from './rows.mjs';

test('it starts, and shows something', async () => {
  await until(page, 'the first frame', (now) => now.ready);
  await page.locator('#loading').waitFor({ state: 'hidden' });
  await settle();
  await view('ocean-first');
});

test('bodies and blood end here where they are claimed to', async () => {
  const claims = await page.evaluate(() => window.ocean.claims());
  assert.deepEqual([claims.floating, claims.blood], [claims.floating_claimed, claims.blood_claimed]);
});

describe('the legend', () => {
  test('the notes page has one, and the demo shows the same', async () => {
    assert.ok(legend.length >= 25);
    const shown = await page.evaluate(() => Array.from(document.querySelectorAll('#legend tbody tr'), (row) => Array.from(row.cells, (cell) => cell.textContent.replace(/\s+/g, ' ').trim())));
    assert.deepEqual(shown, legend.map(({ cells }) => cells));
    assert.match(await page.locator('#hint').innerText(), /Drag to look around/);
  });

  for (const row of legend) {
    test(`${row.cells[0]}: ${row.cells[1]}`, async () => {
      const check = checkOf(row);
      assert.ok(check, `the page promises “${row.cells.join(': ')}”, and no test here knows how to see it`);
      await record.row({ table: 'legend', id: row.key, words: row.cells.join(' '), key: row.key }, check);
    });
  }

  test('forward is ahead, right is to its right, up is up', () => {
    const way = (name) => level(flown.get(name));
    assert.ok(dot(way('forward'), way('back')) < -0.9 && dot(way('left'), way('right')) < -0.9);
    const [x, z] = way('forward');
    assert.ok(dot(way('right'), [-z, x]) > 0.9, `forward ${way('forward')}, right ${way('right')}`);
    assert.ok(flown.get('up')[1] > 0 && flown.get('down')[1] < 0);
  });

  test('every button does what its key does', async () => {
    const unnamed = await page.evaluate(() => Array.from(document.querySelectorAll('.controls button[data-action]'), (each) => each.dataset.action));
    const named = legend.filter(({ key }) => !GESTURES.includes(key)).map(({ action }) => action);
    assert.deepEqual([...unnamed].sort(), [...named].sort(), 'left: buttons; right: the legend');
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    for (const action of ['pause', 'lines', 'fly-up', 'sun-down', 'preset-tropical', 'preset-ocean']) {
      const go = () => page.locator(`.controls button[data-action="${action}"]`).click();
      const preset = { 'preset-tropical': 'Tropical', 'preset-ocean': 'Ocean' }[action];
      await (preset ? choosesPreset(go, preset) : ACTIONS[action](go));
    }
  });

  test('an unnamed key changes nothing and is not captured', async () => {
    const named = legend.map(({ key }) => key.toLowerCase());
    const candidates = [
      ...'abcdefghijklmnopqrstuvwxyz0123456789-=[];,./', ' ', 'Enter', 'Backspace', 'Delete', 'Insert', 'Home', 'End', 'PageUp', 'PageDown', 'Escape',
      'F1', 'F2', 'F5', 'F11', 'F12', 'Shift', 'CapsLock',
    ].filter((key) => key === 'Shift' || !named.includes(key.toLowerCase()));
    const combined = ['Control+d', 'Control+r', 'Alt+p', 'Meta+l', 'Control+ArrowUp'];
    const before = decided(await settle());
    await canvas.focus();
    await page.evaluate(() => {
      window.captured = [];
      // Last of all, after whoever else listens: writes down whether somebody took it, then keeps the browser from acting on it.
      window.watchKeys = (event) => {
        window.captured.push([event.key, event.defaultPrevented]);
        event.preventDefault();
      };
      window.addEventListener('keydown', window.watchKeys);
    });
    for (const key of [...candidates, ...combined]) await press(key);
    const now = decided(await frames(page, 3));
    const captured = await page.evaluate(() => window.captured);
    assert.deepEqual(captured.filter(([, taken]) => taken), []);
    assert.ok(captured.length >= candidates.length);
    assert.deepEqual(now, before);
    await press('h');
    assert.deepEqual((await page.evaluate(() => window.captured)).at(-1), ['h', true], 'a named key is taken');
    await press('h');
    await page.evaluate(() => window.removeEventListener('keydown', window.watchKeys));
    await page.locator('#readout').waitFor({ state: 'visible' });
  });

  test('named keys are taken only while the picture has the focus', async () => {
    await settle();
    await page.locator('#fullscreen').focus();
    const before = decided(await frames(page));
    for (const key of ['w', 'l', 'r', 'p', '?', '2', 'ArrowLeft']) await page.keyboard.press(key);
    assert.deepEqual(decided(await frames(page, 3)), before);
  });

  test('Tab leaves the canvas, and the context menu does not open over it', async () => {
    await press('Tab');
    await page.waitForFunction(() => document.activeElement.id !== 'canvas');
    const prevented = page.evaluate(() => new Promise((resolve) => addEventListener('contextmenu', (event) => resolve(event.defaultPrevented), { once: true })));
    await page.mouse.click(...(await at(0.5, 0.5)), { button: 'right' });
    assert.equal(await prevented, true);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'canvas');
  });
});
