// Links in a real browser: what a fragment opens, that hostile ones do nothing, and that the address follows the state without getting in
// the way of Back, of places on the page, or of whoever reads.
//
// Most of it needs no GPU: the program reads links before it is started, and the page's script is tried on a program that only
// remembers what it was asked. The last part runs the demo, with as few frames as it takes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DIST, PATIENCE_MS, demo, here, launch, openPage, picture, violations } from './browser.mjs';
import { readLinkRows, tryLinkRow } from './link_rows.mjs';
import { recordOf } from './record.mjs';
import { serve } from './serve.mjs';

const sent = JSON.parse(readFileSync(join(here, '../cases/ocean-links.json'), 'utf8'));
const site = await serve(DIST);
after(() => site.close());

/** The table of links as the notes page has it. */
const rows = await (async () => {
  const browser = await launch({ webgpu: false });
  const { page } = await openPage(browser);
  const found = await readLinkRows(page, site.url('notes/ocean.html'), 'ocean');
  await browser.close();
  return found;
})();

/** Who leaves a page while it is still loading breaks that off. */
const serious = (problems) => problems.filter((each) => !each.includes('net::ERR_ABORTED'));

describe('without a GPU', () => {
  let browser;
  let page;
  let problems;
  let record;
  before(async () => {
    browser = await launch({ webgpu: false });
    ({ page, problems } = await openPage(browser, { viewport: { width: 700, height: 600 }, screen: 0.25 }));
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(site.url('demos/ocean/'));
  });
  after(() => browser.close());

  for (const row of rows) {
    test(`a link can say what the notes page says of ${row.name}`, async () => {
      record ??= recordOf('ocean', { page, to: 'ocean-links' });
      await record.row({ table: 'links', id: row.name, words: row.cells.join(' ') }, () => tryLinkRow({
        row,
        read: (link) => page.evaluate((each) => window.ocean.readLink(each), link),
        examples: { dials: ['v=1&roughness=0.25', 'v=1&c2.wind_speed=12.5&enable_sea_spray=off&water_color=0.01,0.02,0.03'] },
        beside: row.name === 'map_cascade' ? 'cascades=8&' : '',
        record,
      }));
    });
  }

  test('links that were sent open what they opened', async () => {
    const read = await page.evaluate((links) => Promise.all(links.map((link) => window.ocean.readLink(link))), sent.map(({ link }) => link));
    const seen = read.map(({ link, notices }, i) => ({ link: sent[i].link, again: link, notices: notices.map(({ kind, name }) => [kind, name ?? '']) }));
    assert.deepEqual(seen, sent.map(({ link, again, notices }) => ({ link, again, notices })));
    for (const { text } of read.flatMap(({ notices }) => notices)) assert.match(text, /^[A-Z].*\.$/);
  });

  test('600 hostile fragments are read, and what is kept of them is read again', async () => {
    const [count, bad] = await page.evaluate(async (links) => {
      let seed = 5;
      const below = (limit) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * limit);
      };
      const marks = ['&', '=', '#', '%', '%ff', '%C3%28', '\u0000', '🌊', '\ud800', '\u202e', 'NaN', '1e999', '-1e300', ',,', 'c9.', 'x'.repeat(20_000), '&n'.repeat(400)];
      const wrong = [];
      for (let i = 0; i < 600; i += 1) {
        let link = links[below(links.length)];
        for (let change = below(5); change >= 0; change -= 1) {
          const [from, to] = [below(link.length + 1), below(link.length + 1)].sort((a, b) => a - b);
          link = [link.slice(0, from) + link.slice(to), link.slice(0, from) + marks[below(marks.length)] + link.slice(from), link + link.slice(from, to)][below(3)];
        }
        const { link: kept } = await window.ocean.readLink(link);
        const { link: again, notices } = await window.ocean.readLink(kept);
        if (again !== kept || notices.length > 0 || kept.length > 16384) wrong.push(link);
      }
      return [600, wrong];
    }, sent.map(({ link }) => link));
    assert.deepEqual([count, bad], [600, []]);
  });

  test('a page that is opened with one is the page it always is', async () => {
    const hostile = ['#v=1&preset=%ff', '#v=1&<script>alert(1)</script>=1', `#v=1&${'&'.repeat(100_000)}`, `#${'x='.repeat(40_000)}`, '#=', '#v=99999999999999&a\u0000=\ud800', '#%'];
    for (const fragment of hostile) {
      await page.goto('about:blank');
      await page.goto(site.url('demos/ocean/') + fragment);
      await page.locator('#failure[data-failure="no-adapter"]').waitFor();
    }
    assert.deepEqual(serious(problems), []);
  });
});

describe('the address', () => {
  let browser;
  let page;
  let problems;
  const hash = () => page.evaluate(() => location.hash);
  const opened = () => page.evaluate(() => window.links.opened);
  const go = async (fragment) => {
    await page.evaluate((to) => (location.hash = to), fragment);
    await page.waitForFunction((to) => window.links.heard === to, fragment);
  };
  const back = async () => {
    const heard = await page.evaluate(() => window.links.events);
    await page.goBack();
    await page.waitForFunction((before) => window.links.events > before, heard);
  };
  const becomes = (link) => page.evaluate((to) => (window.links.state = to), link);
  const shows = (fragment) => page.waitForFunction((wanted) => location.hash === wanted, fragment);
  /** For long enough that the address would have followed. */
  const follows = () => page.evaluate(async () => {
    const before = window.links.asked;
    while (window.links.asked < before + 2) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  before(async () => {
    browser = await launch({ webgpu: false });
    ({ page, problems } = await openPage(browser, { viewport: { width: 700, height: 600 }, screen: 0.25 }));
    page.setDefaultTimeout(PATIENCE_MS);
  });
  after(() => browser.close());

  /** A page whose demo has not started, with the script on a program of our own. */
  async function start(fragment = '') {
    await page.goto('about:blank');
    await page.goto(site.url('demos/ocean/') + fragment);
    await page.locator('#failure[data-failure]').waitFor();
    await page.evaluate(async () => {
      const { wireLinks } = await import(new URL('../../scripts/link.js', location.href).href);
      const links = (window.links = { state: '', opened: [], asked: 0, events: 0, notices: [], calm: [], said: [] });
      const engine = {
        link: () => {
          links.asked += 1;
          return links.state;
        },
        open_link(given) {
          links.opened.push(given);
          links.state = given.replace('&junk', '');
          return JSON.stringify({ link: links.state, notices: links.notices });
        },
      };
      const page = (links.page = { engine: null, failure: null });
      const home = document.getElementById('link-notices');
      const copyButton = document.getElementById('copy-link');
      copyButton.disabled = false;
      const announcer = { say: (topic, sentence) => links.said.push(sentence()) };
      const wired = wireLinks({ page, home, copyButton, announcer, opened: (how) => links.calm.push(how) });
      links.first = wired.open(engine);
      page.engine = engine;
      addEventListener('hashchange', () => {
        links.events += 1;
        links.heard = location.hash;
      });
    });
  }

  test('follows the state in the same entry of the history, and is empty at the start', async () => {
    await start();
    const entries = await page.evaluate(() => history.length);
    await follows();
    assert.deepEqual([await hash(), await opened()], ['', []]);
    await becomes('v=1&lines=on');
    await shows('#v=1&lines=on');
    await becomes(undefined);
    await follows();
    assert.equal(await hash(), '#v=1&lines=on', 'while something is being done it waits');
    await becomes('');
    await page.waitForFunction(() => !location.href.includes('#'));
    assert.equal(await page.evaluate(() => history.length), entries);
    assert.deepEqual(await opened(), [], 'what it wrote itself it does not open');
  });

  test('changes at most once a second, and not while the page is hidden', async () => {
    await start();
    const written = await page.evaluate(async () => {
      const times = [];
      const replace = history.replaceState;
      history.replaceState = function (...given) {
        times.push(performance.now());
        return replace.apply(this, given);
      };
      const turning = setInterval(() => (window.links.state = `v=1&roughness=${performance.now()}`), 5);
      while (times.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
      const [seen, asked] = [times.length, window.links.asked];
      await new Promise((resolve) => setTimeout(resolve, 2500));
      clearInterval(turning);
      const quiet = [times.length - seen, window.links.asked - asked];
      delete document.hidden;
      history.replaceState = replace;
      return { gaps: times.slice(1).map((time, i) => time - times[i]), quiet };
    });
    assert.ok(written.gaps.every((gap) => gap > 500), `gaps of ${written.gaps} ms`);
    assert.deepEqual(written.quiet, [0, 0]);
  });

  test('is opened at the start, and when somebody puts another link there', async () => {
    await start('#v=1&paused=on');
    assert.deepEqual([await opened(), await page.evaluate(() => window.links.first)], [['v=1&paused=on'], { paused: true }]);
    await go('#v=1&map=foam');
    assert.deepEqual([await opened(), await page.evaluate(() => window.links.calm)], [['v=1&paused=on', 'v=1&map=foam'], [{ paused: false }]]);
    await go('#v=1&lines=on&junk');
    await shows('#v=1&lines=on');
    assert.equal((await opened()).length, 3, 'what is ignored goes, and is not opened again');
  });

  test('Back goes to the link before, and then to where one came from', async () => {
    await start('#v=1&map=foam');
    await becomes('v=1&map=foam&lines=on');
    await shows('#v=1&map=foam&lines=on');
    await go('#v=1&sky=sunset');
    await becomes('v=1&sky=overcast');
    await shows('#v=1&sky=overcast');
    await back();
    assert.equal((await opened()).at(-1), 'v=1&map=foam&lines=on');
    await page.goBack();
    assert.equal(page.url(), 'about:blank');
  });

  test('may be a place on the page, which opens nothing and is left until the state changes', async () => {
    await start('#v=1&map=foam');
    await go('#dials-title');
    await follows();
    assert.equal(await hash(), '#dials-title');
    await becomes('v=1&map=foam&lines=on');
    await shows('#v=1&map=foam&lines=on');
    await back();
    await shows('#v=1&map=foam&lines=on');
    assert.deepEqual(await opened(), ['v=1&map=foam'], 'back from there, the state stays and the address follows');

    await start('#stage');
    await follows();
    assert.deepEqual([await hash(), await opened()], ['#stage', []]);
  });

  test('says what was not used, aloud and in sight, until it is dismissed', async () => {
    await start();
    await page.evaluate(() => (window.links.notices = Array.from({ length: 9 }, (_, i) => ({ kind: 'unknown', name: `n${i}`, text: `Ignored n${i}: <b>no such thing</b>.` }))));
    await go('#v=1&n=1');
    const region = page.locator('#link-notices');
    assert.equal(await region.getAttribute('role'), 'status');
    const text = await region.innerText();
    assert.match(text, /Ignored n0: <b>no such thing<\/b>\./);
    assert.match(text, /And 3 more like these\./);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), [], colorScheme);
      await picture(region, `link-notices-${colorScheme}`);
    }
    await region.getByRole('button', { name: 'Dismiss' }).click();
    await page.waitForFunction(() => document.getElementById('link-notices').childElementCount === 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'copy-link');
  });

  test('can be copied, and by hand where the browser refuses', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await start('#stage');
    await becomes('v=1&lines=on');
    await page.locator('#copy-link').click();
    await page.waitForFunction(() => window.links.said.length > 0);
    const url = `${site.url('demos/ocean/')}#v=1&lines=on`;
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), url);

    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } }));
    await page.locator('#copy-link').click();
    const field = page.getByLabel('Link to this state');
    await field.waitFor();
    const selected = await field.evaluate((input) => [input.value.slice(input.selectionStart, input.selectionEnd), document.activeElement === input]);
    assert.deepEqual(selected, [url, true]);
  });

  test('is copied as it last was where the program does not come to say what it is now', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await start();
    await becomes('v=1&map=foam');
    await shows('#v=1&map=foam');
    await becomes(undefined);
    await page.locator('#copy-link').click();
    await page.waitForFunction(() => window.links.said.length > 0);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.url('demos/ocean/')}#v=1&map=foam`);
  });

  test('and nothing went wrong in all of this', () => assert.deepEqual(serious(problems), []));
});

describe('the running demo', () => {
  const { state, until, frames } = demo('ocean');
  const LINK = 'v=1&preset=tropical&sky=overcast&sun=120,14&wind=20,45&camera=10,25,-5.5,0.3,-0.2&map=slopes&map_cascade=2&lines=on&paused=on&c2.wind_speed=12.5&roughness=0.25';
  let browser;
  let page;
  let problems;
  before(async () => {
    browser = await launch();
    ({ page, problems } = await openPage(browser, { viewport: { width: 400, height: 420 }, screen: 0.25 }));
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${site.url('demos/ocean/')}#${LINK}`);
    await until(page, 'the first frame', (now) => now.ready);
  });
  after(() => browser.close());

  const link = async () => {
    const now = await page.waitForFunction(() => window.ocean.link());
    return now.jsonValue();
  };

  test('is what the link says, and its link is the same', async () => {
    const now = await frames(page, 3);
    const told = [now.preset, now.sky, now.sun_azimuth, now.sun_elevation, now.wind_speed, now.wind_heading, now.map, now.map_cascade, now.lines, now.paused];
    assert.deepEqual(told, ['custom', 'overcast', 120, 14, 20, 45, 'slopes', 2, true, true]);
    const { x, y, z, yaw, pitch } = now.camera;
    assert.ok(Math.hypot(x - 10, y - 25, z + 5.5, yaw - 0.3, pitch + 0.2) < 1e-3, JSON.stringify(now.camera));
    const values = await page.evaluate(() => window.ocean.values());
    assert.deepEqual([values['cascade2.wind_speed'], values.roughness], [12.5, 0.25]);
    assert.equal(await link(), LINK);
    assert.equal(await page.evaluate(() => location.hash), `#${LINK}`);
    assert.equal(await page.locator('#link-notices').innerText(), '');
  });

  test('follows a dial into the address', async () => {
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    const input = page.locator('.field[data-name="roughness"] input[type="number"]');
    await input.fill('0.75');
    await input.press('Tab');
    await page.waitForFunction((wanted) => location.hash === `#${wanted}`, LINK.replace('0.25', '0.75'));
  });

  test('undoes a dial of the link to what the link’s preset comes with', async () => {
    await page.locator('.field[data-name="roughness"] .undo').click();
    await page.waitForFunction((wanted) => location.hash === `#${wanted}`, LINK.replace('&roughness=0.25', ''));
    assert.equal((await page.evaluate(() => window.ocean.values())).roughness, 0.45);
  });

  test('brings junk into range or ignores it, says so, and goes on', async () => {
    await page.evaluate(() => (location.hash = '#v=1&preset=tropical&paused=on&camera=0,25,0,0,0&c1.wind_speed=99&tide=high&sun=up'));
    const said = page.locator('#link-notices');
    await said.locator('li').first().waitFor();
    const text = await said.innerText();
    for (const name of ['c1.wind_speed', 'tide', 'sun']) assert.ok(text.includes(name), `${name} in “${text}”`);
    await until(page, 'the sea of the link', (now) => !now.lines && now.map === 'off');
    assert.equal(await link(), 'v=1&preset=tropical&camera=0,25,0,0,0&paused=on&c1.wind_speed=60');
    for (let i = 0; i < 60; i += 1) {
      await page.evaluate((n) => new Promise((heard) => {
        addEventListener('hashchange', heard, { once: true });
        location.hash = `#v=${n % 3}&%${n}=&c${n}.swell=${n}e${n}&camera=${'9'.repeat(n)},x&preset=tropical&paused=on&${'&='.repeat(n)}`;
      }), i);
    }
    await frames(page, 2);
    assert.equal((await state(page)).error, null);
  });

  test('Reset takes everything back, the address too', async () => {
    await page.locator('.controls [data-action="reset"]').click();
    await page.waitForFunction(() => !location.href.includes('#'));
    assert.equal((await state(page)).preset, 'Ocean');
  });

  test('and nothing went wrong in all of this', async () => {
    assert.deepEqual(problems, []);
    await page.goto('about:blank');
  });
});
