// The site on hosts as they are: Python's own server, which knows nothing of it; a host that sends the headers that HOSTING.md
// gives; and another site's page that embeds a demo with the snippet from there. Nothing here draws more than a frame.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { colours, DIST, frames, here, launch, openPage, PATIENCE_MS, picture, until } from './browser.mjs';
import { serve } from './serve.mjs';

const PAGES = ['', 'notes/ocean.html', 'notes/wetmap_paint.html', 'demos/ocean/', 'demos/wetmap_paint/'];
const guide = readFileSync(join(here, '../../HOSTING.md'), 'utf8');
const [, block] = guide.match(/```text\n\/\*\n([^]*?)```/);
const HEADERS = Object.fromEntries(block.trim().split('\n').map((line) => line.trim().split(/: (.*)/).slice(0, 2)));
const [, SNIPPET] = guide.match(/```html\n(<iframe [^]*?)\n```/);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens each page of a site and sees that it has come to what it is there for. */
async function everyPageWorks(url) {
  for (const path of PAGES) {
    const { page, context, problems } = await openPage(browser, { viewport: { width: 480, height: 420 }, screen: 0.5 });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url(path));
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--paper')), '', `${path}: the style sheet is there`);
    if (path.startsWith('demos/')) {
      await page.locator('#legend table').waitFor({ state: 'attached' });
      // The whole way for one of them; the other is four times as slow to draw in software, and comes by the same loader.
      if (path.includes('wetmap')) await until(page, 'the first frame', (now) => now.ready);
    }
    assert.deepEqual(problems, [], path);
    await context.close();
  }
}

/** The first of these that is a Python with the server in it. */
const python = ['python3', 'python'].find((name) => spawnSync(name, ['-c', 'import http.server']).status === 0);

test('from python3 -m http.server, below a folder', { skip: python ? false : 'there is no Python here' }, async () => {
  const dist = resolve(DIST);
  const server = spawn(python, ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', dirname(dist)], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const port = await new Promise((found, failed) => {
      let said = '';
      server.on('error', failed);
      server.on('exit', () => failed(new Error(`the server ended: ${said}`)));
      server.stdout.on('data', (text) => {
        said += text;
        const at = said.match(/port (\d+)/);
        if (at) found(at[1]);
      });
    });
    await everyPageWorks((path) => `http://localhost:${port}/${basename(dist)}/${path}`);
  } finally {
    server.kill();
  }
});

test('with the headers that HOSTING.md gives', async () => {
  assert.match(HEADERS['Content-Security-Policy'], /frame-ancestors/);
  const site = await serve(DIST, (path, body) => ({ body, headers: HEADERS }));
  try {
    await everyPageWorks(site.url);
  } finally {
    await site.close();
  }
});

test('every policy in HOSTING.md is the same, and allows no inline script, style or eval', () => {
  const policies = [...guide.matchAll(/default-src[^"\n]*/g)].map(([policy]) => policy);
  assert.ok(policies.length >= 4);
  assert.deepEqual([...new Set(policies)], [HEADERS['Content-Security-Policy']]);
  assert.doesNotMatch(policies[0], /unsafe-inline|'unsafe-eval'/);
});

test('no script of the site does what the policy forbids', () => {
  const forbidden = [
    /\beval\(/, /new Function\b/, /\.setAttribute\(\s*['"`]style/, /\.(inner|outer)HTML\s*=/, /insertAdjacentHTML/, /document\.write/,
    /set(Timeout|Interval)\(\s*['"`]/, /javascript:/,
  ];
  const scripts = ['scripts', 'pkg'].flatMap((folder) => readdirSync(join(DIST, folder)).filter((name) => name.endsWith('.js')).map((name) => join(DIST, folder, name)));
  assert.ok(scripts.length > 10);
  for (const script of scripts) {
    for (const pattern of forbidden) assert.doesNotMatch(readFileSync(script, 'utf8'), pattern, script);
  }
});

describe('embedded in a page of another site, with the snippet from HOSTING.md', () => {
  test('a click gives it the keyboard, and a click beside it takes that back', async () => {
    const site = await serve(DIST);
    const snippet = SNIPPET.replace(/src="[^"]*"/, `src="${site.url('demos/wetmap_paint/')}"`);
    const host = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Host</title><link rel="icon" href="data:,"><p id="beside">beside</p>${snippet}`);
    });
    await new Promise((done) => host.listen(0, '127.0.0.1', done));
    try {
      const { page, context, problems } = await openPage(browser, { viewport: { width: 1000, height: 500 }, screen: 0.5 });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(`http://127.0.0.1:${host.address().port}/`);
      const frame = page.frames().find((each) => each !== page.mainFrame()) ?? (await page.waitForEvent('frameattached'));
      await until(frame, 'the first frame', (now) => now.ready);
      assert.equal(await frame.evaluate(() => document.getElementById('fullscreen').hidden), false, 'full screen is allowed');

      await page.evaluate(() => {
        window.heard = [];
        addEventListener('keydown', (event) => window.heard.push([event.key, event.defaultPrevented]));
      });
      // Without the focus no key is its own.
      await page.locator('#beside').click();
      await page.keyboard.press('p');
      assert.equal((await frames(frame, 3)).paused, false);
      assert.deepEqual(await page.evaluate(() => window.heard), [['p', false]]);

      await frame.locator('#canvas').click();
      assert.equal(await frame.evaluate(() => document.activeElement.id), 'canvas');
      await until(frame, 'a hit', (now) => now.hits === 1);
      await page.keyboard.press('p');
      await until(frame, 'the pause', (now) => now.paused);
      assert.equal((await page.evaluate(() => window.heard)).length, 1, 'what is pressed in the frame stays there');
      assert.ok(colours(await picture(page, 'wetmap_paint-embedded')) >= 32);

      await page.locator('#beside').click();
      await page.keyboard.press('p');
      assert.equal((await frames(frame, 3)).paused, true, 'a click beside it takes the keys back');
      const own = problems.filter((each) => !each.startsWith(`another origin: ${site.url()}`));
      assert.deepEqual(own, []);
      await context.close();
    } finally {
      host.closeAllConnections();
      host.close();
      await site.close();
    }
  });
});
