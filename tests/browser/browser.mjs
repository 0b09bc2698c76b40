// What the browser tests share: starting Chromium (chromium.mjs), opening a page while writing down everything that goes wrong on it,
// waiting on the demo's state, and saving pictures.
//
// DIST        the built site (default: ../../dist)
// ARTIFACTS   where pictures go (default: ../artifacts)

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

export { launch } from './chromium.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
export const DIST = process.env.DIST ?? join(here, '../../dist');
export const ARTIFACTS = process.env.ARTIFACTS ?? join(here, '../artifacts');
mkdirSync(ARTIFACTS, { recursive: true });

if (!existsSync(join(DIST, 'index.html'))) {
  throw new Error(`no site in ${DIST}: build it first (cargo xtask test wasm, or cargo xtask build), or set DIST to where it is`);
}

/** Chromium's own remark where it has no adapter to offer: the page can neither prevent it nor be to blame. */
const NO_ADAPTER = 'No available adapters.';

/** Whether a program plays the GPU: then a pixel costs microseconds, and a frame of the water a second. People look at the pictures of a review. */
const SOFTWARE = !process.env.WEBGPU_FLAGS;
const FEW_PIXELS = SOFTWARE && process.env.REVIEW !== '1';

/**
 * A page in a context of its own. `screen` is how many pixels the screen has for one of the page's, along an edge, where a program plays
 * the GPU. `problems` fills with everything a passing run must not have: errors and warnings in the console, uncaught
 * exceptions, failed requests, requests to another origin, violations of the content security policy.
 */
export async function openPage(browser, { init, initArgument, screen = 1, ...options } = {}) {
  const deviceScaleFactor = FEW_PIXELS ? screen : 1;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor, colorScheme: 'light', ...options });
  const page = await context.newPage();
  // What observers of device pixels are told, is the real screen's. Without them the program multiplies, as it does in Safari.
  if (deviceScaleFactor !== 1) await page.addInitScript(() => delete ResizeObserverEntry.prototype.devicePixelContentBoxSize);
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && message.text() !== NO_ADAPTER) problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.stack ?? error}`));
  page.on('requestfailed', (request) => problems.push(`request failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`HTTP ${response.status()}: ${response.url()}`);
  });
  let origin;
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) origin = url.origin;
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin) problems.push(`another origin: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text) => problems.push(`content security policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
  });
  if (init) await page.addInitScript(init, initArgument);
  return { page, context, problems };
}

/**
 * For `openPage`'s `init`: keeps the device that the engine draws with as `window.testDevice`, to take it away. The page's own trial
 * of whether there is one at all is none of that.
 */
export function keepDevice() {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...given) {
    const device = await requestDevice.apply(this, given);
    if (given[0]?.label !== 'trial') window.testDevice = device;
    return device;
  };
}

/** Software drawing shares two cores with whatever else runs: a wait ends when what it waits for is seen, and gives up only late. */
export const PATIENCE_MS = 180_000;

/** Told of every wait that ended, with its page, what it was for and the state that ended it: see record.mjs. */
export const observers = new Set();

/**
 * What a test asks of the demo whose state object is `window[name]`: `state(page)`, `until(page, what, condition, argument)` and
 * `frames(page, count)`.
 */
export function demo(name) {
  /** The demo's own state object, one consistent copy. */
  const state = (page) => page.evaluate((key) => window[key].state(), name);

  /**
   * Waits until `condition(state, argument)` holds (it runs in the page) and gives that state. `what` is said when it never does.
   */
  async function until(page, what, condition, argument) {
    const probe = `(() => {
      const now = window.${name}?.state();
      return now && (${condition})(now, ${JSON.stringify(argument) ?? 'undefined'}) ? now : null;
    })()`;
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const now = await page.evaluate(probe);
      if (now) {
        for (const observe of observers) await observe(page, what, now);
        return now;
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const last = await page.evaluate((key) => JSON.stringify({ failure: window[key]?.failure, state: window[key]?.state() }), name).catch(String);
    throw new Error(`waited for ${what}, and it did not come. The page says ${last}`);
  }

  /** Lets the engine show `count` more frames, so that whatever was queued has been done, and gives the state then. */
  async function frames(page, count = 2) {
    const { frame } = await state(page);
    return until(page, `${count} more frames`, (now, target) => now.frame >= target, frame + count);
  }

  /** Until the picture has a pixel for each of the screen's. */
  async function filled(page) {
    const wide = await page.evaluate(() => Math.round(document.getElementById('canvas').getBoundingClientRect().width * devicePixelRatio));
    return until(page, `a picture ${wide} wide`, (now, wanted) => Math.abs(now.canvas_width - wanted) <= 1, wide);
  }

  return { state, until, frames, filled };
}

export const { state, until, frames, filled } = demo('wetmap_paint');

/** A PNG, decoded; kept in ARTIFACTS under `name` if that is given. `target` is a page or a locator. */
export async function picture(target, name) {
  const path = name && join(ARTIFACTS, `${name}.png`);
  return PNG.sync.read(await target.screenshot({ path, animations: 'disabled', timeout: PATIENCE_MS }));
}

/** How many colours a picture has, up to 64: a blank one has one. */
export function colours({ data }) {
  const seen = new Set();
  for (let i = 0; i < data.length && seen.size < 64; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
}

/** How many pixels of two pictures of a size are not the same to the eye. */
export const different = (a, b) => pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.05, includeAA: true });

/**
 * Looks until the picture is the `wanted` one again, but for the given share of its pixels: on a new device pipelines are compiled anew, each
 * thing is drawn once its own are there, and a sky's light takes some frames.
 */
export async function comesBack(wanted, share, look) {
  let apart = 1;
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const seen = await look();
    assert.deepEqual([seen.width, seen.height], [wanted.width, wanted.height]);
    apart = different(wanted, seen) / (seen.width * seen.height);
    if (apart < share) return;
  }
  assert.fail(`the picture is not back: ${(100 * apart).toFixed(1)} % of its pixels are others`);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it stands, of any impact, one string each. */
export async function violations(page) {
  await page.evaluate(axeSource);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { preload: false }));
  return found.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n    ')}`);
}
