import { launch, openPage, until } from './browser.mjs';
import { serve } from './serve.mjs';
const site = await serve(process.env.DIST);
const b = await launch();
for (const v of process.argv.slice(2)) {
const [w,h] = v.split('x').map(Number);
const { page, context } = await openPage(b, { viewport: { width: w, height: h } });
await page.goto(site.url('demos/wetmap_paint/'));
await until(page, 'ready', (s) => s.ready && s.frame > 5);
const m = () => page.evaluate(() => ({ f: wetmap_paint.frame, t: performance.now() }));
const a = await m(); await page.waitForTimeout(6000); const c = await m();
console.log(v, ((c.t - a.t) / (c.f - a.f)).toFixed(0), 'ms/frame', JSON.stringify(await page.evaluate(() => [wetmap_paint.canvas_width, wetmap_paint.canvas_height, wetmap_paint.tick_ms])));
await context.close();
}
await b.close(); await site.close();
