// What can be read of the demo, and what its page owes its visitor.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { colours, picture, violations } from '../browser.mjs';
import { canvas, filled, frames, notes, page, press, problems, settle, state, until } from './page.mjs';
import { choosesPreset } from './actions.mjs';

describe('what can be read', () => {
  test('the read-out has the lines that the notes explain, and its numbers are the state’s', async () => {
    const now = await settle();
    const lines = await page.evaluate(() => Array.from(document.querySelectorAll('#readout dl > div'), (each) => [each.querySelector('dt').textContent, each.querySelector('dd').textContent]));
    assert.deepEqual(lines.map(([name]) => name), notes.readout);
    const said = Object.fromEntries(lines);
    assert.match(said.sea, /^Hs \d+\.\d m · Tp \d+\.\d s · toward \d+°$/);
    assert.ok(said.sea.startsWith(`Hs ${now.significant_wave_height.toFixed(1)} m`), said.sea);
    assert.match(said.grid, new RegExp(`^${now.resolution}² × ${now.cascades}, `));
    assert.match(said['GPU, mean'], /^(not available here|(\w+ \d+\.\d\d( · )?)+ ms)$/);
    assert.match(said.workgroup, /^[\d,]+ \/ [\d,]+ B$/);
    const [used, allowed] = now.workgroup_bytes;
    assert.ok(used > 0 && used <= allowed && allowed >= 16384);
    assert.match(said.memory, /^maps \d/);
    for (const [name, text] of lines) assert.ok(text.length > 1 && !/NaN|undefined|null/.test(text), `${name}: ${text}`);
  });

  test('the page’s state object is the one that the notes describe, and it cannot be changed', async () => {
    const there = await page.evaluate(() => ({
      names: Object.keys(window.ocean),
      state: Object.keys(window.ocean.state()),
      frozen: Object.isFrozen(window.ocean) && Object.isFrozen(window.ocean.state()),
      adapter: window.ocean.adapter,
      limits: window.ocean.limits,
      replaced: Reflect.set(window, 'ocean', 1) || Reflect.set(window.ocean, 'preset', 1),
    }));
    assert.deepEqual([...there.names].sort(), [...notes.window].sort());
    const apart = ['failure', 'limits', 'timings', 'state', 'claims', 'parameters', 'values', 'link', 'readLink', 'spectrum'];
    assert.deepEqual([...there.state].sort(), notes.window.filter((name) => !apart.includes(name)).sort());
    assert.equal(there.frozen, true);
    assert.equal(there.replaced, false);
    assert.equal(typeof there.adapter.vendor, 'string');
    assert.ok(there.limits.maxComputeWorkgroupStorageSize >= 16384);
  });

  test('announcements are few: one for a preset, and none for time passing', async () => {
    await settle({ paused: false });
    await page.waitForTimeout(1500);
    await page.evaluate(() => {
      window.announced = [];
      for (const region of document.querySelectorAll('[role="status"], [role="alert"], [aria-live]:not([aria-live="off"]), output:not([aria-live="off"])')) {
        new MutationObserver(() => window.announced.push(region.textContent)).observe(region, { childList: true, subtree: true, characterData: true });
      }
    });
    await press('3');
    await page.waitForFunction(() => window.announced.some((text) => text.includes('Tropical.')));
    await frames(page, 5);
    const announced = await page.evaluate(() => window.announced);
    assert.equal(announced.filter((text) => text.includes('Tropical.')).length, 1, `said: ${announced.join(' | ')}`);
    // A machine that is too slow may be told so meanwhile.
    assert.ok(announced.length <= 2, `said: ${announced.join(' | ')}`);
    await choosesPreset(() => press('1'), 'Ocean');
  });

  test('axe finds nothing on the running demo, in either scheme, with everything open', async () => {
    await settle();
    await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
    await page.locator('#explain').click();
    await press('?');
    await page.locator('#help').waitFor({ state: 'visible' });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), [], colorScheme);
    }
    await press('?');
    await page.locator('#help').waitFor({ state: 'hidden' });
    await page.locator('#explain').click();
  });
});

describe('as a page', () => {
  test('a hidden tab waits, and coming back does not jump', async () => {
    const hide = (hidden) => page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { get: () => value, configurable: true });
      Object.defineProperty(document, 'visibilityState', { get: () => (value ? 'hidden' : 'visible'), configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    await settle({ paused: false });
    await hide(true);
    const away = 6000;
    await page.waitForTimeout(500);
    const { time } = await state(page);
    await page.waitForTimeout(away);
    await hide(false);
    const back = await until(page, 'the waves to go on', (seen, last) => seen.time > last, time);
    assert.ok(back.time - time < away / 2000, `${back.time - time} s at once, ${away / 1000} s were missed`);
    assert.equal(back.paused, false);
  });

  test('360 px wide: nothing sticks out, the picture follows, and stays in sight of the dials', async () => {
    await settle();
    await page.setViewportSize({ width: 360, height: 740 });
    await filled(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.ok(colours(await picture(page, 'ocean-phone')) >= 32);
    for (const button of await page.locator('.controls button:visible').all()) {
      assert.ok((await button.boundingBox()).height >= 44, 'big enough for a finger');
    }
    await page.locator('#dials-title').scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollBy(0, 300));
    const { y } = await canvas.boundingBox();
    assert.ok(y >= 0 && y < 40, `while the dials are turned the picture stands at ${y}`);
    await page.setViewportSize({ width: 480, height: 420 });
    await filled(page);
  });

  test('and nothing went wrong on the page in all of this', async () => {
    assert.deepEqual(problems, []);
    // Software drawing serves one page at a time: this one gives way.
    await page.goto('about:blank');
  });
});
