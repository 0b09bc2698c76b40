// A demo's page behaves as pages do: the browser's keys, zoom and history stay the browser's, a hidden tab waits however long it is
// hidden, a phone can be turned, and the picture stays sharp, bounded and free of leaks through zooming and resizing.
//
// The wetmap's page is the one that is tried, because it draws fastest; what is tried is in scripts that both pages share. With
// OCEAN_PAGE=all the ocean's is tried as well.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colours, demo, DIST, launch, openPage, PATIENCE_MS, picture } from './browser.mjs';
import { serve } from './serve.mjs';

/** By demo: the value that only time passing changes, and how much of it there is in a second. */
const DEMOS = { wetmap_paint: { clock: 'tick', second: 60 }, ...(process.env.OCEAN_PAGE === 'all' ? { ocean: { clock: 'time', second: 1 } } : {}) };

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

/** What runs in the page before its scripts: a clock that can be put forward, and a count of the textures that are alive. */
function instruments() {
  const now = Performance.prototype.now;
  window.clockAhead = 0;
  Performance.prototype.now = function () {
    return now.call(this) + window.clockAhead;
  };

  // A browser that only pretends to have another pixel ratio does not pretend it to observers of device pixels. Without those the program
  // multiplies, as it does in Safari.
  delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;

  window.textures = { made: 0, live: 0, widest: 0 };
  const gone = new FinalizationRegistry((token) => {
    if (!token.destroyed) window.textures.live -= 1;
  });
  const tokens = new WeakMap();
  const { createTexture } = GPUDevice.prototype;
  GPUDevice.prototype.createTexture = function (descriptor) {
    const texture = createTexture.call(this, descriptor);
    const token = { destroyed: false };
    tokens.set(texture, token);
    gone.register(texture, token);
    window.textures.made += 1;
    window.textures.live += 1;
    window.textures.widest = Math.max(window.textures.widest, texture.width, texture.height);
    return texture;
  };
  const { destroy } = GPUTexture.prototype;
  GPUTexture.prototype.destroy = function () {
    const token = tokens.get(this);
    if (token && !token.destroyed) {
      token.destroyed = true;
      window.textures.live -= 1;
    }
    return destroy.call(this);
  };
}

/** Also before the page's scripts: no texture may be wider than `most`. */
function smallAdapter(most) {
  const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'limits');
  Object.defineProperty(GPUAdapter.prototype, 'limits', {
    get() {
      return new Proxy(get.call(this), { get: (limits, name) => (name === 'maxTextureDimension2D' ? most : limits[name]) });
    },
  });
}

const hide = (page, hidden) => page.evaluate((value) => {
  Object.defineProperty(document, 'hidden', { get: () => value, configurable: true });
  Object.defineProperty(document, 'visibilityState', { get: () => (value ? 'hidden' : 'visible'), configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}, hidden);

for (const [name, { clock, second }] of Object.entries(DEMOS)) {
  const { state, until, frames } = demo(name);

  async function open(options) {
    const opened = await openPage(browser, { viewport: { width: 640, height: 480 }, init: instruments, ...options });
    opened.page.setDefaultTimeout(PATIENCE_MS);
    await opened.page.goto(site.url(`demos/${name}/`));
    await until(opened.page, 'the first frame', (now) => now.ready);
    opened.commands = await opened.context.newCDPSession(opened.page);
    return opened;
  }

  /** Textures that are alive once what nobody holds has been collected. */
  async function liveTextures({ page, commands }) {
    await frames(page, 3);
    let last;
    // Finalisers run some time after a collection: until two counts in a row agree.
    for (;;) {
      await commands.send('HeapProfiler.collectGarbage');
      await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
      const { live } = await page.evaluate(() => window.textures);
      if (live === last) return live;
      last = live;
    }
  }

  describe(name, () => {
    test('ten minutes hidden are not made up for', async () => {
      const { page, context, problems } = await open();
      await until(page, 'time to pass', (now, [key, last]) => now[key] > last, [clock, (await state(page))[clock]]);
      await hide(page, true);
      const before = (await frames(page, 3))[clock];
      await page.evaluate(() => (window.clockAhead += 600_000));
      assert.equal((await frames(page, 3))[clock], before, 'hidden, it waits');
      await hide(page, false);
      const back = await until(page, 'time to pass again', (now, [key, last]) => now[key] > last, [clock, before]);
      // Bevy lets one frame count for a quarter of a second at most, whatever the machine; ten minutes would be another matter.
      assert.ok(back[clock] - before < 5 * second, `${back[clock] - before} in the first frames back`);
      assert.equal(back.paused, false);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a hundred resizes, zooming and another screen leak no texture, and the picture is as sharp as the screen', async () => {
      const opened = await open();
      const { page, context, commands, problems } = opened;
      // The page's own size and DPR, as a zoom or another screen changes them together.
      const show = (width, height, deviceScaleFactor = 1) => commands.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
      const drawn = async () => {
        const wanted = await page.evaluate(() => {
          const { width, height } = document.getElementById('canvas').getBoundingClientRect();
          return [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
        });
        return until(page, `a picture of ${wanted}`, (now, [width, height]) => Math.abs(now.canvas_width - width) <= 1 && Math.abs(now.canvas_height - height) <= 1, wanted);
      };
      // Each of the sizes has been once before the counting begins: what is kept by size is then there.
      const cycle = async (i) => show(400 + 8 * (i % 20), 400 + 4 * (i % 20), 1 + (i % 3) / 2);
      for (let i = 0; i < 4; i += 1) {
        await cycle(i);
        await drawn();
      }
      await show(640, 480);
      await drawn();
      const before = await liveTextures(opened);
      const { made } = await page.evaluate(() => window.textures);
      for (let i = 0; i < 100; i += 1) {
        await cycle(i);
        // Every tenth is waited for; the others come as fast as a dragged corner does.
        if (i % 10 === 0) await drawn();
        else await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await show(640, 480);
      await drawn();
      const after = await liveTextures(opened);
      assert.ok((await page.evaluate(() => window.textures.made)) > made + 20, 'textures were made anew');
      assert.ok(after <= before, `${before} textures before, ${after} after a hundred resizes`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('on a screen wider than a texture can be, the picture is as wide as one', async () => {
      const MOST = 2048;
      const opened = await open({
        viewport: { width: 700, height: 300 },
        // An adapter that allows no more, so that what is too wide is an error and not only slow.
        init: `(${instruments})(); (${smallAdapter})(${MOST});`,
      });
      const { page, context, commands, problems } = opened;
      await commands.send('Emulation.setDeviceMetricsOverride', { width: MOST / 2 + 500, height: 300, deviceScaleFactor: 2, mobile: false });
      // The panel beside it would keep the picture narrow.
      await page.evaluate(() => (document.querySelector('.bench').style.display = 'block'));
      const now = await until(page, 'a wide picture', (seen, limit) => seen.canvas_width > limit - 8, MOST);
      assert.ok(now.canvas_width <= MOST, `${now.canvas_width} pixels wide, a texture may be ${MOST}`);
      await frames(page, 2);
      assert.ok((await page.evaluate(() => window.textures.widest)) <= MOST);
      assert.equal(await page.evaluate((key) => window[key].failure, name), null);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a phone that is turned shows the same thing the other way', async () => {
      const { page, context, problems } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
      const upright = await frames(page, 2);
      for (const [width, height] of [[740, 360], [360, 740]]) {
        await page.setViewportSize({ width, height });
        const wide = width > height;
        await until(page, 'the picture to turn', (now, [turned, last]) => (turned ? now.canvas_width > last : now.canvas_width === last), [wide, upright.canvas_width]);
        await frames(page, 2);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing sticks out');
        const box = await page.locator('#canvas').boundingBox();
        assert.ok(box.height < height, 'the picture leaves room to scroll by');
        assert.ok(colours(await picture(page, `${name}-phone-${wide ? 'landscape' : 'portrait'}`)) >= 32);
      }
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('pinching beside the picture is the browser’s; nothing keeps anybody from it', async () => {
      const { page, context, commands } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
      const { content } = await page.evaluate(() => document.querySelector('meta[name="viewport"]'));
      assert.doesNotMatch(content ?? '', /user-scalable|maximum-scale/);
      // A headless browser does not zoom by fingers: whether it may is seen by what stands in its way.
      const kept = await page.evaluate(() => Array.from(document.querySelectorAll('body, body *'))
        .filter((each) => !['auto', 'manipulation'].includes(getComputedStyle(each).touchAction)).map((each) => each.id || each.tagName));
      assert.deepEqual(kept, ['canvas'], 'only on the picture are two fingers the demo’s');
      await page.evaluate(() => {
        window.touched = [];
        for (const kind of ['touchstart', 'touchmove']) addEventListener(kind, (event) => window.touched.push(event.defaultPrevented), { passive: true });
      });
      const { x, y, height } = await page.locator('.title').boundingBox();
      const fingers = (apart) => [[x + 100 - apart, y + height / 2], [x + 100 + apart, y + height / 2]].map(([left, top], id) => ({ x: left, y: top, id }));
      await commands.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(10) });
      await commands.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(40) });
      await commands.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await page.waitForFunction(() => window.touched.length > 0);
      assert.ok((await page.evaluate(() => window.touched)).every((prevented) => !prevented));
      await context.close();
    });

    test('zooming with Ctrl, and the keys of the browser, are not taken, whatever has the focus', async () => {
      const { page, context } = await open();
      await page.evaluate(() => {
        window.taken = [];
        // After everybody else: writes down who was kept from the browser, then keeps the browser from acting during a test.
        for (const kind of ['keydown', 'wheel']) {
          addEventListener(kind, (event) => {
            window.taken.push([kind, event.key ?? 'wheel', event.defaultPrevented]);
            event.preventDefault();
          }, { passive: false });
        }
      });
      const keys = ['F5', 'Control+r', 'Control+Shift+r', 'F12', 'Control+Shift+i', 'F11', 'Control+l', 'Control+=', 'Control+-', 'Control+0', 'Alt+ArrowLeft', 'Control+f', 'Escape'];
      for (const place of ['#canvas', '#fullscreen', 'body']) {
        await page.evaluate((selector) => (selector === 'body' ? document.activeElement.blur() : document.querySelector(selector).focus()), place);
        for (const key of keys) await page.keyboard.press(key);
      }
      await page.locator('#canvas').hover();
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, 100);
      await page.keyboard.up('Control');
      await page.waitForFunction(() => window.taken.some(([kind]) => kind === 'wheel'));
      const taken = await page.evaluate(() => window.taken);
      assert.ok(taken.length >= 3 * keys.length);
      assert.deepEqual(taken.filter(([, , prevented]) => prevented), []);
      await context.close();
    });

    test('Space scrolls the page and presses buttons, everywhere but on the picture', async () => {
      const { page, context } = await open();
      const { hits, paused } = await frames(page, 1);
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('Space');
      await page.waitForFunction(() => scrollY > 0);
      await page.locator('button[data-action="pause"]').last().focus();
      await page.keyboard.press('Space');
      const now = await until(page, 'the button to be pressed', (seen, was) => seen.paused !== was, paused);
      assert.equal(now.hits, hits, 'and nothing was shot');
      await context.close();
    });

    test('the way back leads to where one came from, and forward to a demo that runs', async () => {
      const { page, context, problems } = await openPage(browser, { viewport: { width: 640, height: 480 } });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(site.url());
      await page.locator(`.card-links a[href="demos/${name}/"]`).click();
      await until(page, 'the first frame', (now) => now.ready);
      await page.locator('#canvas').focus();
      await page.keyboard.press('p');
      await until(page, 'the pause', (now) => now.paused);
      await page.goBack();
      assert.equal(page.url(), site.url());
      await page.goForward();
      await until(page, 'a frame', (now) => now.ready);
      await frames(page, 2);
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
}
