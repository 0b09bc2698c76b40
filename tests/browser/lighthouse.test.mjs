// Lighthouse on every page, with the engine not started: the browser has no WebGPU, as a crawler has none. Its simulated throttling
// works out from the requests and their sizes what a slow phone would have seen. One part of its performance score is how long this
// machine's processor was busy, and so says more of what else ran here: the score is asked for without that part, and told with it.
//
// The site is served compressed, as a host does it: the sizes are what the score is about.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { extname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import lighthouse from 'lighthouse';
import { DIST, launch } from './browser.mjs';
import { serve } from './serve.mjs';

const PAGES = { '': 95, 'notes/ocean.html': 95, 'notes/wetmap_paint.html': 95, 'demos/ocean/': 90, 'demos/wetmap_paint/': 90 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const CLOCKED = 'total-blocking-time';

/** A port that nobody has. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

let site;
let browser;
let port;
before(async () => {
  port = await freePort();
  const packed = new Map();
  site = await serve(DIST, (path, body) => {
    // Loading the program is what is not measured, and it is large.
    if (!['.html', '.css', '.js', '.json', '.svg'].includes(extname(path)) || path.startsWith('pkg/')) return undefined;
    if (!packed.has(path)) packed.set(path, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
    return { body: packed.get(path), headers: { 'content-encoding': 'br' } };
  });
  browser = await launch({ webgpu: false, args: [`--remote-debugging-port=${port}`] });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** The scores of a page out of a hundred, and what took points from them. */
async function scores(url) {
  const { lhr } = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'error' });
  const of = (id) => Math.round(100 * lhr.categories[id].score);
  const lost = CATEGORIES.flatMap((id) => lhr.categories[id].auditRefs
    .filter(({ weight, id: audit }) => weight > 0 && lhr.audits[audit].score !== null && lhr.audits[audit].score < 1)
    .map(({ id: audit }) => `${id}: ${lhr.audits[audit].title} ${lhr.audits[audit].displayValue ?? ''}`));
  const parts = lhr.categories.performance.auditRefs.filter(({ id, weight }) => weight > 0 && id !== CLOCKED);
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  const unclocked = Math.round(100 * parts.reduce((sum, { id, weight }) => sum + weight * lhr.audits[id].score, 0) / weights);
  return { ...Object.fromEntries(CATEGORIES.map((id) => [id, of(id)])), unclocked, lost };
}

describe('Lighthouse', () => {
  for (const [path, least] of Object.entries(PAGES)) {
    test(`${path || 'the gallery'}: at least ${least} of 100 in each category`, async (t) => {
      const { unclocked, lost, ...whole } = await scores(site.url(path));
      t.diagnostic(CATEGORIES.map((id) => `${id} ${whole[id]}`).join(', '));
      for (const [id, score] of Object.entries({ ...whole, performance: unclocked })) {
        assert.ok(score >= least, `${id} is ${score}\n${lost.join('\n')}`);
      }
    });
  }
});
