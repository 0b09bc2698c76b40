// Every page of the built site, as it stands on a server at a sub-path, in a browser that has no WebGPU: nothing goes wrong on it,
// nothing leaves the origin, every link leads somewhere, the markup is valid, and axe finds nothing, in both colour schemes and
// on a phone's width. Pictures of each are left for people.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { DIST, launch, openPage, picture, violations } from './browser.mjs';
import { BASE, serve } from './serve.mjs';

const pages = readdirSync(DIST, { recursive: true }).map(String).filter((name) => name.endsWith('.html')).sort();
const addressOf = (file) => file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1');
const DEMOS = ['demos/ocean/index.html', 'demos/wetmap_paint/index.html'];

let site;
let browser;
before(async () => {
  site = await serve(DIST);
  browser = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens a page and waits until it has said whatever it has to say. */
async function visit(file, options) {
  const opened = await openPage(browser, options);
  await opened.page.goto(site.url(addressOf(file)), { waitUntil: 'load' });
  if (DEMOS.includes(file)) {
    await opened.page.locator('[data-failure="no-adapter"]').waitFor();
    await opened.page.locator('#legend table').waitFor({ state: 'attached' });
  }
  return opened;
}

/** Puts the focus where a page begins. A demo that cannot run has put it on the button of what it says instead. */
async function toTheTop(page, file) {
  const at = await page.evaluate(() => document.activeElement.id);
  assert.equal(at, DEMOS.includes(file) ? 'failure-button' : '', file);
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
}

test('the pages that the site promises are there', () => {
  for (const file of ['index.html', '404.html', ...DEMOS, 'notes/ocean.html', 'notes/wetmap_paint.html']) {
    assert.ok(pages.includes(file), `${file} is missing from ${DIST}: ${pages}`);
  }
});

for (const file of pages) {
  describe(file, () => {
    for (const [name, options] of [
      ['wide, light', {}],
      ['wide, dark', { colorScheme: 'dark' }],
      ['360 px, light', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
      ['360 px, dark', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
    ]) {
      test(`${name}: loads cleanly, fits, and axe finds nothing`, async () => {
        const { page, context, problems } = await visit(file, options);
        // The pictures are decoded beside the page: without them a card is a black rectangle.
        await page.evaluate(() => Promise.all(Array.from(document.images).filter(({ src }) => src).map((image) => image.decode())));
        await picture(page, `page-${file.replace(/(\/index)?\.html$/, '').replaceAll(/[\\/]/g, '-')}-${name.replace(', ', '-').replace(' px', '')}`);
        if (DEMOS.includes(file)) await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= page.viewportSize().width, `the page scrolls sideways: ${width} px wide`);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(problems, []);
        await context.close();
      });
    }

    test('its policy allows no inline script, style or eval, and it has one', async () => {
      const html = readFileSync(join(DIST, file), 'utf8');
      const policy = html.match(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/i)?.[1];
      assert.ok(policy, 'no content security policy');
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
      assert.doesNotMatch(html, /\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)/i);
    });

    test('its markup is valid', async () => {
      const report = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateFile(join(DIST, file));
      const found = report.results.flatMap(({ messages }) => messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`));
      assert.deepEqual(found, []);
    });

    test('its links lead somewhere', async () => {
      const { page, context } = await visit(file);
      const links = await page.evaluate(() =>
        Array.from(document.querySelectorAll('a[href], link[href], script[src], img[src]'), (each) => each.href || each.src));
      assert.ok(links.length > 0);
      const documents = new Map();
      for (const link of new Set(links)) {
        const url = new URL(link);
        if (url.origin !== new URL(page.url()).origin) {
          assert.equal(url.protocol, 'https:', link);
          continue;
        }
        // The missing page's second link climbs, on purpose, from wherever it is shown.
        if (file === '404.html' && url.pathname === '/some/') continue;
        assert.ok(url.pathname.startsWith(BASE), `${link} leaves the site's folder`);
        const fragment = decodeURIComponent(url.hash.slice(1));
        url.hash = '';
        if (!documents.has(url.href)) {
          const response = await fetch(url);
          assert.equal(response.status, 200, `${link} in ${file}`);
          documents.set(url.href, await response.text());
        }
        if (fragment) assert.ok(documents.get(url.href).includes(`id="${fragment}"`), `${link}: nothing there is called ${fragment}`);
      }
      await context.close();
    });
  });
}

test('headings step down one at a time, and each page has one of the first level', async () => {
  for (const file of pages) {
    const { page, context } = await visit(file);
    const levels = await page.evaluate(() => Array.from(document.querySelectorAll('h1, h2, h3, h4'), (each) => Number(each.tagName[1])));
    assert.equal(levels.filter((level) => level === 1).length, 1, file);
    levels.forEach((level, i) => assert.ok(level <= (levels[i - 1] ?? 0) + 1, `${file}: ${levels}`));
    await context.close();
  }
});

test('the first Tab on each page with a header reaches the link past it', async () => {
  for (const file of pages.filter((name) => name !== '404.html')) {
    const { page, context } = await visit(file);
    await toTheTop(page, file);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip', file);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => !document.activeElement.closest('.masthead')), `${file}: the header is not skipped`);
    await context.close();
  }
});

test('Tab goes through everything that can be used, in the order in which it is read, and shows where it is', async () => {
  for (const file of pages) {
    const { page, context } = await visit(file);
    // Numbered in the page's order; what is in a closed <details> cannot be reached, and its summary can.
    const usable = await page.evaluate(() => {
      const all = Array.from(document.querySelectorAll('a[href], button, input, select, summary, [tabindex]'));
      const reached = all.filter((each) => each.tabIndex >= 0 && !each.disabled && !each.closest('[inert]') && each.checkVisibility({ visibilityProperty: true }));
      reached.forEach((each, i) => (each.dataset.order = String(i)));
      return reached.length;
    });
    await toTheTop(page, file);
    const visited = [];
    // Some more than there are: a browser may also stop at what only scrolls.
    for (let i = 0; i < usable + 20 && visited.at(-1) !== usable - 1; i += 1) {
      await page.keyboard.press('Tab');
      const { order, seen, what } = await page.evaluate(() => {
        const at = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        return { order: at.dataset.order, seen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2, what: at.outerHTML.slice(0, 80) };
      });
      if (order === undefined) continue;
      assert.ok(seen, `${file}: nothing shows that the focus is on ${what}`);
      visited.push(Number(order));
    }
    assert.deepEqual(visited, Array.from({ length: usable }, (_, i) => i), file);
    await context.close();
  }
});

test('an address where nothing is gets the missing page, and a 404', async () => {
  const response = await fetch(site.url('demos/nothing'));
  assert.equal(response.status, 404);
  assert.match(await response.text(), /Nothing at this address/);
});
