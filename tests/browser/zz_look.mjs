import { launch, openPage, until } from './browser.mjs';
import { serve } from './serve.mjs';
const site = await serve(process.env.DIST);
const b = await launch();
const [w,h] = (process.argv[2] ?? '1280x800').split('x').map(Number);
const steps = (process.argv[3] ?? 'wait').split(',');
const out = process.argv[4] ?? '/tmp/look/a';
const { page, problems } = await openPage(b, { viewport: { width: w, height: h }, colorScheme: process.argv[5] ?? 'light' });
page.on('console', (m) => console.log('>', m.type(), m.text().slice(0, 300)));
await page.goto(site.url('demos/wetmap_paint/'));
try { if (process.env.WAITFAIL) await page.waitForFunction(() => window.wetmap_paint?.failure, null, {timeout: 60000});
await until(page, 'ready', (s) => s.ready);
console.log('ready', performance.now());
for (const s of steps) {
  if (s === 'wait') await page.waitForTimeout(3000);
  else if (s.startsWith('t')) { const t = Number(s.slice(1)); await until(page, 'tick', (n, t) => n.tick >= t, t); }
  else if (s === 'shot') await page.screenshot({ path: `${out}-${performance.now()|0}.png` });
  else await page.evaluate((s) => { for (const a of s.split('+')) window.__act?.(a) ?? document.querySelector(`button[data-action="${a}"]`).click(); }, s);
}
} catch (e) { console.log('ERR', e.message.slice(0, 600)); }
console.log(await page.evaluate(() => document.getElementById("failure").innerText));
await page.screenshot({ path: `${out}.png` });
console.log(JSON.stringify(await page.evaluate(() => ({s: wetmap_paint.state(), a: wetmap_paint.adapter, f: wetmap_paint.failure}))));
console.log(problems.slice(0,5));
await b.close(); await site.close();
