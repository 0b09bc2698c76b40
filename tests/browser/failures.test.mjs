// Everything that can keep the demo from running, made to happen in a real browser: each has its own page that says what happened,
// what to do, and shows what would have been seen; and whatever of the demo can still be had, is.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { colours, comesBack, DIST, frames, keepDevice, launch, openPage, picture, state, until, violations, PATIENCE_MS } from './browser.mjs';
import { BASE, serve } from './serve.mjs';

/**
 * By demo: a limit that it needs and a lower one, and a link that is in the address all the while. The ocean is tried where the end comes before
 * its engine draws, which is slow in software; what comes later is the same script.
 */
const DEMOS = {
  wetmap_paint: { limit: ['maxTextureDimension2D', 1024, 2048], link: '#v=1&gravity=up&digest=off' },
  ocean: { limit: ['maxComputeWorkgroupStorageSize', 8192, 16384], link: '#v=1&preset=tropical&paused=on' },
};
const MANIFEST = 'pkg/manifest.json';
const program = (name) => ({ WASM: `pkg/${name}_bg.wasm`, GLUE: `pkg/${name}.js` });
const { WASM, GLUE } = program('wetmap_paint');

let site;
let browser;
let without;
let fault = () => undefined;
before(async () => {
  site = await serve(DIST, (...given) => fault(...given));
  browser = await launch();
  without = await launch({ webgpu: false });
});
after(async () => {
  await browser?.close();
  await without?.close();
  await site?.close();
});

async function open({ on = browser, name = 'wetmap_paint', url = site.url(`demos/${name}/`), ...options } = {}) {
  const opened = await openPage(on, { viewport: { width: 900, height: 640 }, screen: 0.5, ...options });
  opened.page.setDefaultTimeout(PATIENCE_MS);
  await opened.page.goto(url + DEMOS[name].link);
  return opened;
}

/** Kinds whose page has no button: no second try would go otherwise. */
const HOPELESS = ['no-webgpu', 'insecure-context'];

/** Failure pages that axe and the camera have seen. */
const seen = new Set();

/** Waits for the failure page of this kind and checks what every one of them owes its reader. Gives its technical line. */
async function failurePage(page, kind, name = 'wetmap_paint') {
  const section = page.locator('#failure');
  await section.and(page.locator('[data-failure]')).waitFor();
  assert.equal(await section.getAttribute('data-failure'), kind, await section.innerText());
  assert.equal(await section.getAttribute('role'), 'alert');
  assert.equal(await page.evaluate((key) => window[key].failure, name), kind);
  assert.ok((await section.locator('h2').innerText()).length > 8);
  assert.ok((await section.locator('li').count()) >= 1, 'it says what to do');
  assert.ok(await section.getByRole('link', { name: 'Read the notes' }).isVisible());
  const focus = await page.evaluate(() => document.activeElement.id);
  assert.equal(await section.locator('#failure-button').count(), HOPELESS.includes(kind) ? 0 : 1);
  if (!HOPELESS.includes(kind)) {
    assert.equal(focus, 'failure-button', 'one key is enough');
    assert.match(await section.innerText(), /Enter,? or R/, 'and it says which');
  }
  const still = section.locator('img');
  await page.waitForFunction(() => document.querySelector('#failure img').naturalWidth > 0);
  assert.ok((await still.getAttribute('alt')).length > 20, 'the picture is described');
  assert.ok(!(await page.locator('#loading').isVisible()), 'the progress is gone');
  const technical = await section.locator('.technical').innerText();
  assert.ok(technical.startsWith(`${kind}: `) && technical.length > kind.length + 4, technical);
  if (!seen.has(`${name} ${kind}`)) await look(page, kind, name);
  seen.add(`${name} ${kind}`);
  return technical;
}

/** Has axe look at a failure page, and takes its pictures: in both schemes, and as a phone shows it. */
async function look(page, kind, name) {
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], `${kind}, ${colorScheme}`);
    await picture(page, `failure-${name}-${kind}-${colorScheme}`);
  }
  assert.ok(colours(await picture(page.locator('#stage'))) >= 32, 'never a blank rectangle');
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, `${kind}: nothing sticks out on a phone`);
  await picture(page, `failure-${name}-${kind}-phone`);
  await page.setViewportSize(size);
}

/** Presses a key, and sees the page come anew, at the same address, and fail again. */
async function reloads(page, key, kind, name) {
  const address = page.url();
  await page.evaluate(() => (window.stayed = true));
  await page.keyboard.press(key);
  await page.waitForFunction(() => !window.stayed && document.querySelector('[data-failure]'));
  assert.equal(page.url(), address);
  assert.ok(address.endsWith(DEMOS[name].link));
  await failurePage(page, kind, name);
}

/** Problems that no failure excuses. */
const inexcusable = (problems) => problems.filter((each) => /another origin|content security policy|exception/.test(each));

async function proofWorks(page, name, extra = /✓/) {
  if (name !== 'wetmap_paint') return;
  await page.getByRole('link', { name: 'Run the digest cases' }).click();
  await page.locator('#proof[open] #proof-run').click();
  await page.locator('#proof-result[data-ok]').waitFor();
  const result = await page.locator('#proof-result').innerText();
  assert.match(result, /^(\d+) of \1 cases ✓/);
  assert.match(result, extra);
}

for (const [name, { limit: [limit, offered, needed] }] of Object.entries(DEMOS)) {
  describe(`${name}: no GPU to draw with`, () => {
    test('no adapter', async () => {
      const { page, context, problems } = await open({ on: without, name });
      await failurePage(page, 'no-adapter', name);
      // The key is not taken from other controls, nor with others, nor while it is only still held.
      await page.evaluate(() => (window.stayed = true));
      await page.keyboard.press('Shift+Tab');
      await page.locator('#failure').getByRole('link', { name: 'Read the notes' }).focus();
      await page.keyboard.press('r');
      await page.locator('#failure-button').focus();
      await page.keyboard.press('Alt+r');
      const held = await page.evaluate(() => {
        const event = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
        return event.defaultPrevented;
      });
      assert.equal(held, true);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      assert.equal(await page.evaluate(() => window.stayed), true);
      for (const key of ['Enter', 'r']) await reloads(page, key, 'no-adapter', name);
      await proofWorks(page, name);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a browser without WebGPU', async () => {
      const { page, context, problems } = await open({ name, init: () => Object.defineProperty(navigator, 'gpu', { value: undefined }) });
      await failurePage(page, 'no-webgpu', name);
      await proofWorks(page, name);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('an address that is not secure', async () => {
      const plain = await launch({ args: ['--host-resolver-rules=MAP plain.test 127.0.0.1'] });
      const { page, problems } = await open({ on: plain, name, url: `http://plain.test:${site.port}${BASE}demos/${name}/` });
      assert.match(await failurePage(page, 'insecure-context', name), /plain\.test/);
      assert.match(await page.locator('#failure').innerText(), /https[^]*localhost/);
      await proofWorks(page, name, /could not be checked against its hash/);
      assert.deepEqual(problems, []);
      await plain.close();
    });

    test('a limit below what is needed, which is named', async () => {
      const { page, context, problems } = await open({
        name,
        init: ([short, most]) => {
          const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'limits');
          Object.defineProperty(GPUAdapter.prototype, 'limits', {
            get() {
              return new Proxy(get.call(this), { get: (limits, key) => (key === short ? most : limits[key]) });
            },
          });
        },
        initArgument: [limit, offered],
      });
      assert.equal(await failurePage(page, 'limit', name), `limit: ${limit} is ${offered}, needs ${needed}`);
      assert.equal(await page.evaluate(([key, short]) => window[key].limits[short], [name, limit]), offered);
      await reloads(page, 'Enter', 'limit', name);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a device that is refused, with the reason it gives', async () => {
      const { page, context, problems } = await open({
        name,
        init: () => {
          GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException('a required limit is not supported', 'OperationError'));
        },
      });
      assert.match(await failurePage(page, 'no-device', name), /requestDevice: a required limit is not supported/);
      assert.equal(typeof (await page.evaluate((key) => window[key].adapter.vendor, name)), 'string', 'the adapter is still told of');
      await reloads(page, 'R', 'no-device', name);
      await proofWorks(page, name);
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
}

/** The manifest with the true size and hash of changed files in it, so that what is wrong is found later than by hashing. */
function manifestFor(changed) {
  return (path, body) => {
    if (path in changed) return changed[path];
    if (path !== MANIFEST) return undefined;
    const manifest = JSON.parse(body);
    for (const [name, bytes] of Object.entries(changed)) {
      manifest.files[name.replace('pkg/', '')] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    }
    return Buffer.from(JSON.stringify(manifest));
  };
}

/** What may come instead of the program of a demo: what it is called, the failure's kind, the server's fault, and what the page says of it. */
const arrivals = ({ WASM, GLUE }) => [
  ['wasm: 404', 'download', (path) => (path === WASM ? { status: 404 } : undefined), /_bg\.wasm: HTTP 404/],
  ['script: 503', 'download', (path) => (path === GLUE ? { status: 503 } : undefined), /\.js: HTTP 503/],
  ['script: a type that no browser runs', 'download', (path) => (path === GLUE ? { type: 'text/plain' } : undefined), /\.js: its content type is text\/plain/],
  ['manifest: 404', 'download', (path) => (path === MANIFEST ? { status: 404 } : undefined), /manifest\.json: HTTP 404/],
  ['manifest: some other page instead', 'download', (path) => (path === MANIFEST ? Buffer.from('<p>hello</p>') : undefined), /manifest\.json: not JSON/],
  ['wasm: the connection breaks', 'download', (path) => (path === WASM ? { cut: 200_000 } : undefined), /stopped after \d+ of \d+ bytes/],
  ['wasm: a part only', 'download', (path, body) => (path === WASM ? body.subarray(0, 300_000) : undefined), /ended after 300000 of \d+ bytes/],
  ['wasm: one bit altered', 'integrity', (path, body) => {
    if (path !== WASM) return undefined;
    const altered = Buffer.from(body);
    altered[altered.length >> 1] ^= 1;
    return altered;
  }, /SHA-256 [0-9a-f]{64}, expected [0-9a-f]{64}/],
  ['script: altered', 'integrity', (path, body) => (path === GLUE ? Buffer.from(body.toString().replace('function', 'functioN')) : undefined), /\.js: SHA-256/],
  ['script: longer than it was', 'integrity', (path, body) => (path === GLUE ? Buffer.concat([body, Buffer.from('//')]) : undefined), /longer than/],
  ['wasm: not a program', 'compile', manifestFor({ [WASM]: Buffer.from('this is no program, whatever its hash') }), /CompileError/],
  ['script: throws when started', 'start', manifestFor({
    [GLUE]: Buffer.from('export default async () => {}; export const open_link = () => "{\\"link\\":\\"\\",\\"notices\\":[]}"; export const start = () => { throw new Error("no way"); }; export const state = () => null; export const keys = () => "[]";'),
  }), /no way/],
];

/** Of these, what the ocean is tried with: one of each way to go wrong. */
const OCEAN_TOO = ['wasm: 404', 'script: a type that no browser runs', 'wasm: a part only', 'script: altered', 'wasm: not a program'];

for (const name of Object.keys(DEMOS)) {
  describe(`${name}: the program does not arrive as it should`, () => {
    for (const [what, kind, wrong, says] of arrivals(program(name))) {
      if (name === 'ocean' && !OCEAN_TOO.includes(what)) continue;
      test(what, async () => {
        let asked = 0;
        fault = (path, body) => {
          asked += path === MANIFEST;
          return wrong(path, body);
        };
        try {
          const { page, context, problems } = await open({ name });
          assert.match(await failurePage(page, kind, name), says);
          assert.equal(asked, 1);
          if (['compile', 'start'].includes(kind)) await reloads(page, 'Enter', kind, name);
          else {
            await page.keyboard.press('Enter');
            // The old page goes before anything is asked for anew.
            while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 20));
            await failurePage(page, kind, name);
          }
          assert.equal(asked, 2, 'one key tries again');
          assert.deepEqual(inexcusable(problems), []);
          await context.close();
        } finally {
          fault = () => undefined;
        }
      });
    }

    test('script: another one at the second request, when it is to be run', async () => {
      const { GLUE } = program(name);
      let asked = 0;
      fault = (path, body) => {
        if (path !== GLUE) return undefined;
        asked += 1;
        return asked === 2 ? Buffer.concat([Buffer.from('window.intruder = true;'), body]) : undefined;
      };
      try {
        const { page, context, problems } = await open({ name });
        assert.match(await failurePage(page, 'integrity', name), /\.js: as it came to be run, it is not what was checked/);
        assert.equal(await page.evaluate(() => window.intruder), undefined, 'it was not run');
        if (name === 'wetmap_paint') {
          await page.keyboard.press('Enter');
          await until(page, 'the first frame', (now) => now.ready);
          assert.equal(await page.evaluate(() => window.intruder), undefined);
        }
        assert.deepEqual(inexcusable(problems), []);
        await context.close();
      } finally {
        fault = () => undefined;
      }
    });
  });
}

test('a wrong content type for the wasm does not matter', async () => {
  fault = (path) => (path === WASM ? { type: 'text/plain' } : undefined);
  try {
    const { page, context, problems } = await open();
    await until(page, 'the first frame', (now) => now.ready);
    const { gravity, digest_shown } = await state(page);
    assert.deepEqual([gravity, digest_shown], ['up', false], 'as the link says');
    const timings = await page.evaluate(() => window.wetmap_paint.timings);
    assert.deepEqual(Object.keys(timings), ['page', 'adapter', 'download', 'compile', 'instantiate', 'start', 'first_frame']);
    for (const [part, ms] of Object.entries(timings)) assert.ok(ms > 0, `${part}: ${ms} ms`);
    const measured = await page.evaluate(() => performance.getEntriesByType('measure').map(({ name: part, duration }) => [part, duration]));
    for (const [part, ms] of Object.entries(timings)) {
      assert.ok(measured.some(([label, duration]) => label === `wetmap_paint ${part}` && Math.abs(duration - ms) < 1), `${part} is in the timeline`);
    }
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    fault = () => undefined;
  }
});

test('an old file in the browser’s cache is found out, and trying again goes past it', async () => {
  // As an older build might have had it: of the same length, with another hash.
  const old = Buffer.from(readFileSync(join(DIST, GLUE), 'utf8').replace('function', 'functioN'));
  let asked = 0;
  // A host that lets browsers keep what they have for a year, and once had another file at this address.
  fault = (path, body) => {
    if (path !== GLUE) return undefined;
    asked += 1;
    return { body: asked === 1 ? old : body, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
  };
  try {
    const { page, context, problems } = await open();
    assert.match(await failurePage(page, 'integrity'), /wetmap_paint\.js: SHA-256/);
    await page.reload();
    assert.match(await failurePage(page, 'integrity'), /wetmap_paint\.js: SHA-256/);
    assert.equal(asked, 1, 'it does come from the cache');
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(page, 'the first frame', (now) => now.ready);
    assert.equal(asked, 2, 'and then from the host');
    assert.deepEqual(inexcusable(problems), []);
    await context.close();
  } finally {
    fault = () => undefined;
  }
});

test('on the way there, the progress is of the real total', async () => {
  const { files } = JSON.parse(readFileSync(join(DIST, MANIFEST)));
  const total = files['wetmap_paint.js'].bytes + files['wetmap_paint_bg.wasm'].bytes;
  const half = files['wetmap_paint_bg.wasm'].bytes >> 1;
  let release;
  const held = new Promise((resolve) => (release = resolve));
  fault = (path) => (path === WASM ? { hold: half, until: held } : undefined);
  try {
    const { page, context, problems } = await open();
    const arrived = half + files['wetmap_paint.js'].bytes;
    await page.waitForFunction((wanted) => document.getElementById('loading-progress').value === wanted, arrived);
    const text = `${(arrived / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB (${Math.floor((100 * arrived) / total)} %)`;
    assert.equal(await page.locator('#loading-text').innerText(), text);
    assert.equal(await page.locator('#loading-progress').evaluate((bar) => bar.max), total);
    assert.ok(colours(await picture(page.locator('#stage'), 'wetmap_paint-loading')) >= 32, 'never a blank rectangle');
    release();
    await until(page, 'the first frame', (now) => now.ready);
    assert.deepEqual(problems, []);
    await context.close();
  } finally {
    release();
    fault = () => undefined;
  }
});

/** A picture of the canvas, without the ring around what has the focus. */
async function see(page, name) {
  await page.evaluate(() => document.activeElement.blur());
  await frames(page, 2);
  return picture(page.locator('#canvas'), name);
}

describe('it fails while it runs', () => {
  test('the way back: a broken download, tried again; out of memory; a lost device; a panic', async () => {
    fault = (path) => (path === WASM ? { status: 404 } : undefined);
    const { page, context, problems } = await open({ init: keepDevice });
    await failurePage(page, 'download');
    fault = () => undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    const first = await until(page, 'the first frame', (now) => now.ready);
    assert.equal(first.gravity, 'up', 'what the address says has waited');
    assert.equal(await page.locator('#failure').isVisible(), false);

    // What the engine reports, the page shows; state is kept, and the digest can still be read.
    await page.locator('#canvas').focus();
    await page.keyboard.press('p');
    await until(page, 'the pause', (now) => now.paused);
    await page.keyboard.press('Enter');
    const { digest } = await until(page, 'a hit', (now) => now.hits > 0);
    for (const [kind, name] of [['gpu-error', 'GPUValidationError'], ['out-of-memory', 'GPUOutOfMemoryError']]) {
      // As the browser tells the engine of it, which tells the page.
      await page.evaluate((error) => {
        window.lostDevice = window.testDevice;
        window.testDevice.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error: new window[error]('on purpose') }));
      }, name);
      await failurePage(page, kind);
      assert.equal(await page.evaluate(() => window.wetmap_paint.digest), digest);
      await page.keyboard.press('Enter');
      await page.locator('#failure').waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate(() => document.activeElement.id), 'canvas');
      await page.waitForFunction(() => window.testDevice !== window.lostDevice);
      assert.equal((await frames(page, 3)).digest, digest);
    }

    // The device goes, one key brings the picture back, and the blood is where it was.
    const seen = await see(page);
    assert.ok(colours(seen) >= 32, 'there is a picture');
    for (const key of ['Enter', 'r']) {
      await page.evaluate(() => (window.lostDevice = window.testDevice).destroy());
      await failurePage(page, 'device-lost');
      assert.equal(await page.evaluate(() => window.wetmap_paint.digest), digest);
      await page.keyboard.press(key);
      await page.locator('#failure').waitFor({ state: 'hidden' });
      // The program goes on before its new device is there.
      await page.waitForFunction(() => window.testDevice !== window.lostDevice);
      const now = await frames(page, 3);
      assert.equal(now.digest, digest);
      assert.equal(now.resets, 0, 'the key that restarts does not also reset');
      await comesBack(seen, 0.002, () => see(page));
    }
    // While no GPU is to be had, the key says so and keeps everything; once there is one again, it goes on.
    await page.evaluate(() => {
      (window.lostDevice = window.testDevice).destroy();
      window.realAdapter = GPU.prototype.requestAdapter;
      GPU.prototype.requestAdapter = () => Promise.resolve(null);
    });
    await failurePage(page, 'device-lost');
    await page.keyboard.press('Enter');
    await page.locator('#failure .technical', { hasText: 'not back yet, requestAdapter gave null' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'failure-button', 'the key is still there to be pressed');
    await page.evaluate(() => (GPU.prototype.requestAdapter = window.realAdapter));
    await page.keyboard.press('Enter');
    await page.locator('#failure').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => window.testDevice !== window.lostDevice);
    assert.equal((await frames(page, 3)).digest, digest);
    assert.deepEqual(inexcusable(problems), []);

    await page.waitForFunction(() => location.hash.includes('paused=on'));
    await page.evaluate(() => dispatchEvent(new CustomEvent('demo-failure', { detail: { kind: 'panic', message: 'on purpose' } })));
    await failurePage(page, 'panic');
    assert.equal((await state(page)).digest, digest, 'what was last known can still be read');
    // The blood is gone with the program, and the address has everything else.
    await page.keyboard.press('r');
    await page.waitForFunction(() => !window.lostDevice);
    const anew = await until(page, 'the first frame', (now) => now.ready);
    assert.deepEqual([anew.gravity, anew.digest_shown, anew.paused, anew.hits], ['up', false, true, 0]);
    await context.close();
  });

  test('the GPU process crashes: the state is kept, and one key brings the picture back', async () => {
    // A browser of its own: it keeps a page from the GPU after its process has crashed, unless it is told not to.
    const crashing = await launch({ args: ['--disable-domain-blocking-for-3d-apis'] });
    const { page, problems } = await open({ on: crashing, init: keepDevice });
    await until(page, 'the first frame', (now) => now.ready);
    await page.locator('#canvas').focus();
    await page.keyboard.press('p');
    await until(page, 'the pause', (now) => now.paused);
    await page.keyboard.press('Enter');
    const { digest } = await until(page, 'a hit', (now) => now.hits > 0);
    const seen = await see(page);
    await page.evaluate(() => (window.lostDevice = window.testDevice));
    const commands = await crashing.newBrowserCDPSession();
    // It answers when the process is gone, or not at all.
    commands.send('Browser.crashGpuProcess').catch(() => undefined);
    await failurePage(page, 'device-lost');
    assert.equal(await page.evaluate(() => window.wetmap_paint.digest), digest);
    // The process may take a while to come back, and until then the page says that it has not.
    await page.waitForFunction(async () => Boolean(await navigator.gpu.requestAdapter()));
    await page.keyboard.press('Enter');
    await page.locator('#failure').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => window.testDevice !== window.lostDevice);
    const now = await frames(page, 3);
    assert.deepEqual([now.digest, now.resets], [digest, 0]);
    await comesBack(seen, 0.002, () => see(page, 'wetmap_paint-after-a-crash'));
    assert.equal(await page.evaluate(() => window.wetmap_paint.failure), null);
    assert.deepEqual(inexcusable(problems), []);
    await crashing.close();
  });
});
