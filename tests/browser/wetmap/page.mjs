// A page of the wetmap demo for one test file: opened once, or again with another link, and what the tests ask of it.

import { after } from 'node:test';
import { DIST, PATIENCE_MS, frames, launch, openPage, state, until } from '../browser.mjs';
import { serve } from '../serve.mjs';

export const site = await serve(DIST);
export const browser = await launch();
after(async () => {
  await browser.close();
  await site.close();
});

/** The demo on a page of its own, with its fragment, from the first frame on. */
export async function openDemo(fragment = '', options = {}) {
  const opened = await openPage(browser, { viewport: { width: 640, height: 480 }, screen: 0.5, ...options });
  const { page } = opened;
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(site.url(`demos/wetmap_paint/${fragment}`));
  await until(page, 'the first frame', (now) => now.ready);
  await page.locator('#loading').waitFor({ state: 'hidden' });
  return { ...opened, press: (key) => press(page, key), settle: (wanted) => settle(page, wanted) };
}

async function press(page, key) {
  await page.locator('#canvas').focus();
  await page.keyboard.press(key);
}

/** Puts the demo into a known state: paused or running, clean if asked. */
async function settle(page, { paused = true, clean = false } = {}) {
  if ((await state(page)).paused !== paused) {
    await press(page, 'p');
    await until(page, paused ? 'the pause' : 'the run', (now, wanted) => now.paused === wanted, paused);
  }
  if (clean) {
    const { resets } = await state(page);
    await press(page, 'r');
    await until(page, 'the reset', (now, last) => now.resets > last, resets);
  }
  return frames(page);
}
