// A demo's page behaves as pages do: the browser's keys, zoom and history stay the browser's, a hidden tab waits however long it is
// hidden, a phone can be turned, and the picture stays sharp, bounded and free of leaks through zooming and resizing. And what its controls
// promise beyond the legend: a pen, a saved picture, full screen, sliders that do not flood the program, and Tab through all of it.
//
// The wetmap's page is the one that is tried, because it draws fastest; what is tried is in scripts that both pages share. With
// OCEAN_PAGE=all the ocean's is tried as well.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { colours, demo, DIST, launch, openPage, PATIENCE_MS, picture, violations } from './browser.mjs';
import { countCalls } from './calls.mjs';
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
    const opened = await openPage(browser, { viewport: { width: 640, height: 480 }, screen: 0.5, init: instruments, ...options });
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
      const opened = await open({ screen: 1 });
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
      const cycle = async (i) => show(240 + 8 * (i % 20), 240 + 4 * (i % 20), 1 + (i % 3) / 4);
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
        screen: 1,
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
      const { page, context, problems } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
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
      const { page, context, problems } = await openPage(browser, { viewport: { width: 640, height: 480 }, screen: 0.5 });
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
      // Who leaves a page ends what it was still fetching.
      assert.deepEqual(problems.filter((each) => !each.endsWith('net::ERR_ABORTED')), []);
      await context.close();
    });
  });
}

/** Where the focus is: its number in the page's order, whether a ring shows it, and whether it is in sight and under nothing. */
function focusNow() {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { left, top, width, height } = at.getBoundingClientRect();
  // The middle; of what is larger than a control, some part.
  const parts = (size) => (height < 100 ? [0.5 * size] : [0.05, 0.25, 0.5, 0.75, 0.95].map((part) => part * size));
  const clear = parts(height).some((y) => parts(width).some((x) => {
    const there = document.elementFromPoint(left + x, top + y);
    return there && (at.contains(there) || there.contains(at));
  }));
  return { order: at.dataset.order, ring: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2, clear, what: at.outerHTML.slice(0, 120) };
}

describe('the wetmap, in use', () => {
  const { state, until, frames } = demo('wetmap_paint');
  let page;
  let problems;
  let commands;
  let box;
  before(async () => {
    let context;
    ({ page, context, problems } = await openPage(browser, { viewport: { width: 1100, height: 760 }, init: countCalls, initArgument: 'set' }));
    page.setDefaultTimeout(PATIENCE_MS);
    commands = await context.newCDPSession(page);
    await page.goto(site.url('demos/wetmap_paint/'));
    await until(page, 'the first frame', (now) => now.ready);
    await page.locator('#canvas').focus();
    await page.keyboard.press('p');
    await until(page, 'the pause', (now) => now.paused);
    box = await page.locator('#canvas').boundingBox();
  });

  test('a pen paints, also beyond the picture’s edge, and lifted there it has let go', async () => {
    await page.evaluate(() => {
      window.pointers = new Set();
      for (const kind of ['pointerdown', 'pointermove', 'pointerup']) document.addEventListener(kind, (event) => window.pointers.add(event.pointerType), { capture: true });
    });
    const pen = (type, [x, y], down = true) => commands.send('Input.dispatchMouseEvent', { type, x, y, pointerType: 'pen', button: down || type === 'mouseReleased' ? 'left' : 'none', buttons: down ? 1 : 0, clickCount: type === 'mouseMoved' ? 0 : 1 });
    const on = (x, y) => [box.x + x * box.width, box.y + y * box.height];
    const shots = ({ hits, misses }) => hits + misses;
    await pen('mouseMoved', on(0.5, 0.5), false);
    await pen('mousePressed', on(0.5, 0.5));
    const { hits } = await until(page, 'a hit of the pen', (now) => now.hits > 0);
    for (let i = 1; i <= 6; i += 1) await pen('mouseMoved', on(0.5 + 0.01 * i, 0.5 + 0.02 * i));
    await until(page, 'hits along the way', (now, last) => now.hits > last, hits);
    // Out at the lower edge, and up from the surface there.
    const outside = [box.x + box.width / 2, box.y + box.height + 20];
    for (const y of [0.8, 0.99]) await pen('mouseMoved', on(0.5, y));
    await pen('mouseMoved', outside);
    await pen('mouseReleased', outside, false);
    const left = shots(await frames(page, 3));
    for (let i = 0; i <= 6; i += 1) await pen('mouseMoved', on(0.4 + 0.03 * i, 0.5), false);
    assert.equal(shots(await frames(page, 3)), left, 'a pen in the air paints nothing');
    // And the next stroke is one.
    await pen('mousePressed', on(0.5, 0.45));
    await pen('mouseReleased', on(0.5, 0.45), false);
    await until(page, 'one more shot', (now, last) => now.hits + now.misses === last + 1, left);
    // A stroke that the browser takes back has ended, too.
    await pen('mousePressed', on(0.5, 0.45));
    await until(page, 'another', (now, last) => now.hits + now.misses === last + 2, left);
    await page.evaluate(() => document.getElementById('canvas').dispatchEvent(new PointerEvent('pointercancel', { pointerType: 'pen', isPrimary: true })));
    await frames(page, 2);
    for (let i = 0; i <= 6; i += 1) await pen('mouseMoved', on(0.4 + 0.03 * i, 0.55), false);
    assert.equal(shots(await frames(page, 3)), left + 2, 'nor after a stroke that was taken back');
    await pen('mouseReleased', on(0.58, 0.55), false);
    assert.deepEqual(await page.evaluate(() => [...window.pointers]), ['pen']);
  });

  test('the saved picture is the one on screen', async () => {
    const now = await frames(page, 2);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
    assert.equal(download.suggestedFilename(), `wetmap_paint-${now.digest}.png`);
    const saved = PNG.sync.read(readFileSync(await download.path()));
    assert.deepEqual([saved.width, saved.height], [now.canvas_width, now.canvas_height]);
    assert.ok(colours(saved) >= 32, 'and it is no blank one');
  });

  test('full screen is the whole of it, and back', async () => {
    const before = await frames(page, 1);
    await page.locator('#fullscreen').click();
    await page.waitForFunction(() => document.fullscreenElement?.id === 'view');
    const large = await until(page, 'a larger picture', (now, last) => now.canvas_width > last && now.canvas_width === document.getElementById('canvas').clientWidth, before.canvas_width);
    const { view, stage, screen } = await page.evaluate(() => {
      const size = (each) => [each.getBoundingClientRect().width, each.getBoundingClientRect().height];
      return { view: size(document.getElementById('view')), stage: size(document.getElementById('stage')), screen: [innerWidth, innerHeight] };
    });
    assert.deepEqual(view, screen);
    assert.equal(stage[0], screen[0]);
    assert.ok(stage[1] > 0.8 * screen[1], `the picture is ${stage[1]} of ${screen[1]} high`);
    assert.equal(large.canvas_width, Math.round(stage[0]));
    assert.ok(colours(await picture(page, 'wetmap_paint-fullscreen')) >= 32);
    assert.deepEqual(await violations(page), [], 'its words can be read on the dark');
    const edges = await page.evaluate(() => Array.from(document.querySelectorAll('#view :is(.hint, .stats)'), (each) => parseFloat(getComputedStyle(each).paddingLeft)));
    assert.ok(edges.length === 2 && edges.every((edge) => edge >= 8), `words ${edges} px from the screen’s edge`);
    // As Escape does, which is the browser's own and not the page's.
    await page.evaluate(() => document.exitFullscreen());
    await until(page, 'the picture as it was', (now, [width, height]) => now.canvas_width === width && now.canvas_height === height, [before.canvas_width, before.canvas_height]);
    assert.equal(await page.evaluate(() => window.wetmap_paint.failure), null);
  });

  test('however fast a slider is dragged, the program is told once a frame, and the last counts', async () => {
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    const told = await page.evaluate(async () => {
      const field = document.querySelector('.field[data-name="drip_rate"]');
      const slider = field.querySelector('input[type="range"]');
      window.calls.set = 0;
      for (let i = 1; i <= 200; i += 1) {
        slider.value = String(Math.round((slider.max * i) / 200));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
      const atOnce = window.calls.set;
      const wanted = Number(field.querySelector('input[type="number"]').value);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return { atOnce, later: window.calls.set, wanted };
    });
    assert.deepEqual([told.atOnce, told.later], [0, 1]);
    const { max } = (await page.evaluate(() => window.wetmap_paint.parameters())).find(({ name }) => name === 'drip_rate');
    assert.equal(told.wanted, max);
    await page.waitForFunction((wanted) => window.wetmap_paint.values().drip_rate === wanted, max);
  });

  for (const [layout, width, height] of [['beside the dials', 1100, 760], ['above them, where it stays', 640, 720]]) {
    test(`the picture ${layout}: Tab reaches everything in order, in sight, with a ring`, async () => {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => {
        document.querySelectorAll('details').forEach((each) => (each.open = true));
        if (document.getElementById('help').hidden) document.querySelector('.panel button[data-action="help"]').click();
      });
      await page.locator('#help').waitFor({ state: 'visible' });
      await frames(page, 2);
      const usable = await page.evaluate(() => {
        document.body.tabIndex = -1;
        document.body.focus();
        document.body.removeAttribute('tabindex');
        const all = Array.from(document.querySelectorAll('a[href], button, input, select, summary, [tabindex]'));
        const reached = all.filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }));
        for (const each of document.querySelectorAll('[data-order]')) delete each.dataset.order;
        reached.forEach((each, i) => (each.dataset.order = String(i)));
        return reached.length;
      });
      assert.ok(usable > 60, `${usable} controls`);
      const visited = [];
      const wrong = [];
      for (let i = 0; i < usable + 20 && visited.at(-1) !== usable - 1; i += 1) {
        await page.keyboard.press('Tab');
        const { order, ring, clear, what } = await page.evaluate(focusNow);
        if (order === undefined) continue;
        if (!ring) wrong.push(`no ring: ${what}`);
        if (!clear) wrong.push(`not in sight: ${what}`);
        visited.push(Number(order));
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(visited, Array.from({ length: usable }, (_, i) => i));
    });
  }

  test('pictures of it for people: both schemes, on a desk and on a phone', async () => {
    await page.evaluate(() => {
      document.activeElement.blur();
      document.querySelectorAll('details').forEach((each) => (each.open = each.closest('#dials') && each === document.querySelector('#dials details')));
      if (!document.getElementById('help').hidden) document.querySelector('.panel button[data-action="help"]').click();
      scrollTo(0, 0);
    });
    for (const [where, width, height] of [['desktop', 1280, 800], ['phone', 360, 740]]) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await frames(page, 2);
        assert.ok(colours(await picture(page, `wetmap_paint-running-${where}-${colorScheme}`)) >= 32);
      }
    }
    assert.equal((await state(page)).error, null);
    assert.deepEqual(problems, []);
  });
});
