// What a frame of the ocean demo costs in a browser: GPU milliseconds by the page's own timestamps, for two sizes of the picture and two resolutions.
//
//     DIST=… WEBGPU_FLAGS='--enable-features=Vulkan --use-angle=vulkan --disable-vulkan-surface' node measure_ocean.mjs
//
// For a machine with a GPU. It prints the table that the notes page has, and the time to the first frame. While it measures, the script of hits is played on the first buoy, so
// that a wet canvas ticks beside the sea. No test runs it: a time is a figure, not a verdict.

import { demo, DIST, launch, openPage } from './browser.mjs';
import { serve } from './serve.mjs';

const { until, frames } = demo('ocean');
const FRAMES = 150;
/** Frames that nobody counts: the means of the GPU's times still hold what was before. */
const SETTLING = 300;
const site = await serve(DIST);
const browser = await launch({ args: ['--disable-frame-rate-limit', '--disable-gpu-vsync'] });

/** Sets a dial as its visitor does. */
async function dial(page, name, value) {
  const input = page.locator(`.field[data-name="${name}"]`).locator('input[type="number"], select').first();
  if ((await input.evaluate((each) => each.tagName)) === 'SELECT') await input.selectOption(value);
  else {
    await input.fill(value);
    await input.press('Tab');
  }
}

console.log('| picture | waves | simulation ms | mips ms | water ms | frames a second | blood tick ms | triangles | proof |');
console.log('|---|---|---|---|---|---|---|---|---|');
for (const [width, height] of [[1920, 1080], [3840, 2160]]) {
  const { page, context, problems } = await openPage(browser, { viewport: { width, height }, bypassCSP: true });
  const opened = Date.now();
  await page.goto(site.url('demos/ocean/'));
  await until(page, 'the first frame', (now) => now.ready);
  const first = Date.now() - opened;
  await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
  for (const resolution of ['512', '1024']) {
    await dial(page, 'wave_mesh_quality', 'high');
    await dial(page, 'wave_resolution', resolution);
    // The picture alone, over the whole window.
    await page.addStyleTag({ content: '#stage { position: fixed !important; inset: 0; width: 100vw !important; height: 100vh !important; max-width: none !important; max-height: none !important; z-index: 99; } #readout { display: none !important; }' });
    // Until its pipelines are there, the water costs nothing.
    await until(page, 'the water', (now, wanted) => String(now.resolution) === wanted && now.canvas_width === innerWidth && now.gpu_ms?.water > 0, resolution);
    await frames(page, SETTLING);
    await page.locator('#canvas').focus();
    await page.keyboard.press('x');
    const now = await frames(page, FRAMES);
    const { simulation, mips, water } = now.gpu_ms ?? {};
    const ms = (time) => (Number.isFinite(time) ? time.toFixed(2) : 'not available');
    const { proven } = await until(page, 'the script’s end', (seen) => !seen.proving && seen.proven !== null);
    console.log(`| ${now.canvas_width} × ${now.canvas_height} | ${now.resolution} × ${now.cascades} | ${ms(simulation)} | ${ms(mips)} | ${ms(water)} | ${now.fps.toFixed(0)} | ${now.tick_ms.toFixed(3)} | ${now.triangles} | ${proven ? 'holds' : 'FAILS'} |`);
  }
  console.log(`\nthe first frame after ${first} ms; ${problems.length} problems${problems.length ? `: ${problems.join('; ')}` : ''}\n`);
  await context.close();
}
await browser.close();
await site.close();
