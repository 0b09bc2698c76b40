// The panel of the wetmap demo: the dials of the notes page, each reaching the program and shown as the program has it. What a dial does to the
// digest is compared with the model's own replay of the same dial, away from the picture.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { colours, filled, frames, here, openPage, picture, state, until, violations } from './browser.mjs';
import { tryDial } from './dials.mjs';
import { readLinkRows, tryLinkRow } from './link_rows.mjs';
import { recordOf } from './record.mjs';
import { browser, openDemo, site } from './wetmap/page.mjs';

const TABLES = ['dials-wetmap_paint', 'parameters-shot', 'parameters-run', 'parameters-looks'];

/** The tables of dials as the notes page has them, each with its heading. */
async function readNotes() {
  const { page, context } = await openPage(browser);
  await page.goto(site.url('notes/wetmap_paint.html'));
  const found = await page.evaluate((tables) => tables.flatMap((id) => {
    const table = document.getElementById(id);
    let above = table.closest('.scroll');
    while (above.tagName !== 'H3') above = above.previousElementSibling;
    return Array.from(table.querySelectorAll('tbody tr'), (row) => ({
      ...row.dataset,
      group: above.textContent,
      cells: Array.from(row.cells, (cell) => cell.textContent.replace(/\s+/g, ' ').trim()),
    }));
  }), TABLES);
  const links = await readLinkRows(page, site.url('notes/wetmap_paint.html'), 'wetmap_paint');
  await context.close();
  return { notes: found, links };
}
const { notes, links } = await readNotes();
const sent = JSON.parse(readFileSync(join(here, '../cases/wetmap-links.json'), 'utf8'));

const LINK = 'v=1&drip_rate=0.2&impact_speed=20&film_by_thickness=on&paused=on&camera=1.500,0.500';
const { page, problems, press, settle } = await openDemo(`#${LINK.replace('=20', '=99')}&tide=high`);
const record = recordOf('wetmap_paint', { page, canvas: page.locator('#canvas'), state: () => state(page), to: 'wetmap_paint-panel' });
const field = (name) => page.locator(`.field[data-name="${name}"]`);
const dial = (name) => field(name).locator('input[type="number"], select, input[type="checkbox"]').first();
const unfold = () => page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
const values = () => page.evaluate(() => window.wetmap_paint.values());
const has = (name, wanted) => page.waitForFunction(([key, value]) => window.wetmap_paint.values()[key] === value, [name, wanted]);
const shows = (name, wanted) => page.waitForFunction(
  ([key, value]) => document.querySelector(`.field[data-name="${key}"] :is(input[type="number"], select)`).value === value,
  [name, wanted],
);
async function type(name, text) {
  await dial(name).fill(text);
  await dial(name).press('Tab');
}
await unfold();

describe('the link that it was opened with', () => {
  const shown = (fragment) => page.waitForFunction((wanted) => location.hash === wanted, fragment);

  test('is what there is, and what of it could not be used is said', async () => {
    const { paused, camera_yaw: yaw, camera_pitch: pitch } = await state(page);
    assert.deepEqual([paused, yaw.toFixed(3), pitch.toFixed(3)], [true, '1.500', '0.500']);
    const now = await values();
    assert.deepEqual([now.drip_rate, now.impact_speed, now.film_by_thickness, now.absorbency], [0.2, 20, true, 0.15]);
    const said = await page.locator('#link-notices').innerText();
    for (const name of ['impact_speed', 'tide']) assert.ok(said.includes(name), `${name} in “${said}”`);
    await shown(`#${LINK}`);
  });

  test('follows a dial', async () => {
    await type('absorbency', '0.5');
    await shown(`#${LINK.replace('&impact', '&absorbency=0.5&impact')}`);
  });

  test('opens everything at its default where it says nothing', async () => {
    await page.evaluate(() => (location.hash = ''));
    await until(page, 'the run', (now) => !now.paused && now.camera_yaw === 0);
    await page.waitForFunction(() => window.wetmap_paint.link() === '');
    assert.equal(await page.locator('#link-notices').innerText(), '');
  });
});

test('it has every dial of the notes page, in its groups, with its unit, range, default and meaning, and no other', async () => {
  const described = await page.evaluate(() => window.wetmap_paint.parameters());
  const told = described.map(({ name, label, unit, min, max, options, kind, default: usual, meaning }) => ({
    name, label, unit, meaning,
    range: kind === 'toggle' ? 'off on' : options ? options.map(({ value }) => value).join(' ') : `${min} ${max}`,
    usual: kind === 'toggle' ? (usual ? 'on' : 'off') : String(usual),
  }));
  const written = notes.map(({ name, unit, min, max, options, default: usual, demo, cells }) => ({
    name, label: cells[0].replace(` ${name}`, ''), unit, meaning: cells.at(-1).replaceAll('’', "'"), range: options ?? `${min} ${max}`, usual: demo ?? usual,
  }));
  assert.deepEqual(told, written, 'left: the program; right: the notes page');

  const fields = await page.evaluate(() => Array.from(document.querySelectorAll('#dials .field[data-name]'), (each) => ({
    name: each.dataset.name,
    group: each.closest('details').querySelector('summary').textContent,
    label: each.querySelector('label, legend').textContent,
    meaning: each.querySelector('.meaning').textContent,
    described: Array.from(each.querySelectorAll('input, select')).every((input) => document.getElementById(input.getAttribute('aria-describedby'))),
  })));
  assert.deepEqual(fields, written.map(({ name, label, unit, meaning }, i) => ({ name, group: notes[i].group, label: unit ? `${label} ${unit}` : label, meaning, described: true })));
  const now = await values();
  for (const { name, default: usual } of described) assert.equal(now[name], usual, `${name} stands at its default`);
});

describe('a dial', () => {
  test('reaches the program, which may bring it into range and says so', async () => {
    await type('drip_rate', '0.2');
    await has('drip_rate', 0.2);
    assert.equal(await field('drip_rate').locator('.field-notice').isVisible(), false);
    await type('drip_rate', '7');
    await has('drip_rate', 1);
    await shows('drip_rate', '1');
    const notice = field('drip_rate').locator('.field-notice');
    await notice.waitFor({ state: 'visible' });
    assert.match(await notice.innerText(), /^Drip threshold is 1 coverage now: 7 is out of its range\.$/);
    await page.locator('#status', { hasText: 'Drip threshold is 1' }).waitFor();
    await type('drip_rate', '');
    await shows('drip_rate', '1');
  });

  test('takes the number that its field has not left yet, though the program has', async () => {
    const entry = dial('drip_rate');
    const usual = (await values()).drip_rate;
    await entry.focus();
    await page.evaluate((value) => {
      const input = document.activeElement;
      const program = window.wetmap_paint;
      // All in one turn of the page, so that the panel cannot have caught up with the program in between.
      location.hash = '#v=1&drip_rate=0.3';
      dispatchEvent(new HashChangeEvent('hashchange'));
      if (program.values().drip_rate === value) throw new Error('the link changed nothing');
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      input.blur();
    }, usual);
    await has('drip_rate', usual);
    await shows('drip_rate', String(usual));
  });

  test('takes a number with Enter, though it is the one that stood there', async () => {
    const usual = (await values()).drip_rate;
    await dial('drip_rate').focus();
    await page.evaluate(() => {
      location.hash = '#v=1&drip_rate=0.3';
      dispatchEvent(new HashChangeEvent('hashchange'));
      document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }));
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    await has('drip_rate', usual);
    assert.equal(await page.evaluate(() => document.activeElement.closest('.field')?.dataset.name), 'drip_rate');
  });

  test('goes back to its default by itself, and all of them at once', async () => {
    const undo = field('drip_rate').locator('.undo');
    await undo.click();
    await has('drip_rate', 0.62);
    await shows('drip_rate', '0.62');
    await undo.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => document.activeElement.closest('.field')?.dataset.name), 'drip_rate', 'the focus stays at the field');

    const usual = await values();
    await type('burst_count', '3');
    await dial('gravity').selectOption('left');
    await dial('film_by_thickness').check();
    await type('absorbency', '0.9');
    await has('absorbency', 0.9);
    await has('film_by_thickness', true);
    await page.locator('#dials-reset').click();
    await page.waitForFunction((wanted) => JSON.stringify(window.wetmap_paint.values()) === wanted, JSON.stringify(usual));
    await shows('burst_count', '14');
    await shows('gravity', 'down');
  });

  test('moves by the keys of its slider, a step at a time, and says its value', async () => {
    const slider = field('humidity').locator('input[type="range"]');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => window.wetmap_paint.values().humidity < 0.4);
    const { humidity } = await values();
    assert.ok(0.4 - humidity < 0.05, `one step is ${0.4 - humidity}`);
    assert.equal(Number((await slider.getAttribute('aria-valuetext')).split(' ')[0]), humidity);
    await field('humidity').locator('.undo').click();
    await has('humidity', 0.4);
  });

  test('follows the keys', async () => {
    await settle();
    await press('g');
    await has('gravity', 'right');
    await shows('gravity', 'right');
    await dial('gravity').selectOption('none');
    await until(page, 'no gravity', (now) => now.gravity === 'none');
    await press('g');
    await until(page, 'gravity down', (now) => now.gravity === 'down');
    await type('fast_forward', '4');
    await has('fast_forward', 4);
    await press('f');
    await until(page, 'four times as fast', (now) => now.fast_forward === 4);
    await press('f');
    await until(page, 'the normal speed', (now) => now.fast_forward === 1);
    await page.locator('#dials-reset').click();
    await has('fast_forward', 10);
  });

  test('explains itself when asked', async () => {
    const meaning = field('spread_rate').locator('.meaning');
    assert.equal(await meaning.isVisible(), false);
    await page.locator('#explain').click();
    await meaning.waitFor({ state: 'visible' });
    await page.locator('#explain').click();
    await meaning.waitFor({ state: 'hidden' });
  });
});

describe('each dial of the notes page', () => {
  for (const row of notes) {
    test(`${row.name}: set, brought into range, undone`, async () => {
      await settle();
      const parameter = (await page.evaluate(() => window.wetmap_paint.parameters())).find(({ name }) => name === row.name);
      assert.ok(parameter, `the program has no ${row.name}`);
      await record.row({ table: 'parameters', id: row.name, words: row.cells.join(' ') }, () => tryDial({ page, values, key: row.name, row, parameter, record }));
    });
  }
});

describe('each name of a link', () => {
  const script = sent.find(({ digest }) => digest).again;
  for (const row of links) {
    test(`${row.name} can be what the notes page says`, async () => {
      await record.row({ table: 'links', id: row.name, words: row.cells.join(' ') }, () => tryLinkRow({
        row,
        read: (link) => page.evaluate((each) => window.wetmap_paint.readLink(each), link),
        examples: { dials: ['v=1&drip_rate=0.2&gravity=up&film_by_thickness=on'], script: [script] },
        record,
      }));
    });
  }
});

describe('what a dial does', () => {
  /** Shoots one drop at the middle of a clean canvas and lets it run for some ticks. */
  async function run(ticks = 30) {
    await settle({ clean: true });
    await press('Enter');
    await until(page, 'a hit', (now) => now.hits === 1);
    await settle({ paused: false });
    await until(page, `${ticks} ticks`, (now, wanted) => now.tick >= wanted, ticks);
    await settle();
    return page.evaluate(() => window.wetmap_paint.script());
  }
  /** The model's own replay of a script, with a change made to it. */
  const replay = (script) => page.evaluate((each) => window.wetmap_paint.replayCase(each), script);

  test('changes the digest as the same dial does without the picture', async () => {
    const plain = await run();
    assert.equal((await replay(plain)).ok, true, 'the run is what the model makes of its script');
    for (const [name, text, value] of [['drip_rate', '0.2', 0.2], ['spread_rate', '0.4', 0.4], ['dry_ticks', '12', 12], ['absorbency', '1', 1], ['edge_samples', '3', 3]]) {
      await type(name, text);
      await has(name, value);
      const turned = await run();
      assert.equal(turned.settings[name], value, `${name} is in the script`);
      assert.equal((await replay(turned)).ok, true, name);
      // The same script with the dial as it was is another run: the dial is what made the difference.
      const before = structuredClone(turned);
      if (plain.settings[name] === undefined) delete before.settings[name];
      else before.settings[name] = plain.settings[name];
      const { ok, checks } = await replay(before);
      assert.equal(ok, false, `${name} makes a difference`);
      assert.notEqual(checks[0].actual, turned.expect[0].digest);
      await field(name).locator('.undo').click();
      await has(name, plain.settings[name] ?? { dry_ticks: 1800, absorbency: 0.15, edge_samples: 1 }[name]);
    }
  });

  test('the shot’s dials change the stain: a larger drop, a faster one, a flatter one, more of them', async () => {
    const shot = async () => {
      await settle({ clean: true });
      await press('Enter');
      await until(page, 'a hit', (now) => now.hits === 1);
      await frames(page);
      return (await page.evaluate(() => window.wetmap_paint.script())).events[0].shape;
    };
    const plain = await shot();
    await type('drop_diameter', '20');
    await has('drop_diameter', 20);
    assert.ok((await shot()).major > 1.7 * plain.major);
    await field('drop_diameter').locator('.undo').click();
    await type('impact_speed', '2');
    await has('impact_speed', 2);
    assert.ok((await shot()).spines < plain.spines);
    await field('impact_speed').locator('.undo').click();
    await dial('angle_as_aimed').uncheck();
    await type('impact_angle', '30');
    await has('impact_angle', 30);
    const flat = await shot();
    assert.ok(Math.abs(flat.minor / flat.major - 0.5) < 1e-3, `${flat.minor} of ${flat.major}`);
    await page.locator('#dials-reset').click();
    await has('angle_as_aimed', true);
    await type('burst_count', '5');
    await type('burst_spread', '0.1');
    await has('burst_spread', 0.1);
    await settle({ clean: true });
    await press(' ');
    await until(page, 'five hits', (now) => now.hits === 5);
    assert.equal((await frames(page)).misses, 0);
    await page.locator('#dials-reset').click();
    await has('burst_count', 14);
  });

  test('looks change the picture and no digest', async () => {
    await settle({ clean: true });
    await press(' ');
    const { digest } = await until(page, 'hits', (now) => now.hits > 5);
    await page.evaluate(() => document.activeElement.blur());
    const before = await picture(page.locator('#canvas'));
    await dial('film_by_thickness').check();
    await has('film_by_thickness', true);
    await type('film_thickness', '0.05');
    await has('film_thickness', 0.05);
    await frames(page, 3);
    await page.evaluate(() => document.activeElement.blur());
    const now = await picture(page.locator('#canvas'), 'wetmap_panel-film');
    assert.ok(before.data.some((byte, at) => Math.abs(byte - now.data[at]) > 20), 'a thin film is lighter');
    assert.equal((await frames(page)).digest, digest);
    await page.locator('#dials-reset').click();
    await has('film_by_thickness', false);
  });
});

test('axe finds nothing with everything open, in either scheme, and on a phone nothing sticks out', async () => {
  await settle();
  await unfold();
  await page.locator('#explain').click();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 740 });
  await filled(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await field('impact_speed').scrollIntoViewIfNeeded();
  assert.ok(colours(await picture(page, 'wetmap_panel-phone')) >= 32);
  const stage = await page.locator('#stage').boundingBox();
  assert.ok(stage.y > -1 && stage.y < 1, 'the sphere stays in sight while the dials are turned');
  assert.equal((await state(page)).paused, true);
});

test('and nothing went wrong on the page in all of this', () => {
  assert.deepEqual(problems, []);
});
