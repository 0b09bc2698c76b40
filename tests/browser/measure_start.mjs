// How long a demo takes from its address to its first frame, and what of that is what: the figures of `cargo xtask bench start`.
//
//     DIST=… node measure_start.mjs
//
// Opens each demo five times, each time in a new context, whose cache is empty, from a server on this machine that does not compress.
// The parts are those that the page itself measures (`window.NAME.timings`), and the median run is the one that is told, so that they add
// up. Pipelines are told apart from the first frame as the calls that make them: the GPU's own compiling goes on beside the page. No test
// runs it: a time is a figure, not a verdict.

import { demo, DIST, launch, openPage } from './browser.mjs';
import { serve } from './serve.mjs';

const DEMOS = ['wetmap_paint', 'ocean'];
const TIMES = 5;

/** Runs in the page before its scripts: notes what blocks the main thread, and what the calls that make pipelines take of it. */
function instruments() {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration, startTime }) => ({ duration, startTime })))).observe({ type: 'longtask', buffered: true });
  window.pipelines = { count: 0, ms: 0 };
  for (const name of ['createRenderPipeline', 'createRenderPipelineAsync', 'createComputePipeline', 'createComputePipelineAsync', 'createShaderModule']) {
    const real = GPUDevice.prototype[name];
    GPUDevice.prototype[name] = function (descriptor) {
      const since = performance.now();
      const made = real.call(this, descriptor);
      window.pipelines.ms += performance.now() - since;
      if (name !== 'createShaderModule') window.pipelines.count += 1;
      return made;
    };
  }
}

const site = await serve(DIST);
const browser = await launch();

async function start(name) {
  const { page, context, problems } = await openPage(browser, { init: instruments });
  await page.goto(site.url(`demos/${name}/`));
  await demo(name).until(page, 'the first frame', (now) => now.ready);
  const found = await page.evaluate(async (key) => {
    const { timings } = window[key];
    const { ms, count } = window.pipelines;
    const total = Object.values(timings).reduce((sum, part) => sum + part, 0);
    // Told of a while after it is over.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const longest = Math.max(0, ...window.tasks.filter(({ startTime }) => startTime < total).map(({ duration }) => duration));
    return { ...timings, total, pipeline_calls: ms, pipelines: count, longest_task: longest };
  }, name);
  await context.close();
  if (problems.length > 0) console.log(`${name}: ${problems.join('; ')}`);
  return found;
}

console.log(`Chromium ${browser.version()}, ${TIMES} times each; milliseconds`);
for (const name of DEMOS) {
  const runs = [];
  for (let i = 0; i < TIMES; i += 1) runs.push(await start(name));
  runs.sort((a, b) => a.total - b.total);
  const { total, pipelines, pipeline_calls: calls, longest_task: longest, ...parts } = runs[TIMES >> 1];
  console.log(`\n${name}: ${total.toFixed(0)} to the first frame (${runs[0].total.toFixed(0)} to ${runs.at(-1).total.toFixed(0)})\n`);
  console.log('| part | ms |\n|---|--:|');
  for (const [part, ms] of Object.entries(parts)) console.log(`| ${part} | ${ms.toFixed(1)} |`);
  console.log(`\nIn it, ${pipelines} pipelines, ${calls.toFixed(1)} ms in the calls that make them and their shaders; the longest task on the main thread ${longest.toFixed(0)} ms.`);
}
await browser.close();
await site.close();
