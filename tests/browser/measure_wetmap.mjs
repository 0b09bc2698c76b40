// What a tick of the wetmap costs on the web, against the four plain passes: the tables of `cargo xtask bench wetmap_web`.
//
//     node measure_wetmap.mjs WITH WITHOUT        (the package `wetmap_bench` built for wasm32, with simd128 and without)
//
// Runs in Chromium and in Node.js, one after the other. The two implementations take turns, sample by sample, and the best of each counts, as in the native table. Browsers round
// their clock to 0.1 ms at the worst, so a sample is as many ticks as take ours 10 ms: 1 % is the most that rounding does. Where nothing is wet a tick changes nothing, and the
// plain passes, thousands of times as slow, run fewer.

import { readFileSync } from 'node:fs';
import { launch } from './chromium.mjs';

const files = process.argv.slice(2);
if (files.length !== 2) throw new Error('name the modules: cargo xtask bench wetmap_web builds them and does');
const modules = files.map((file) => readFileSync(file).toString('base64'));

const SCENES = ['fully wet', 'ten stains', 'two far pools', 'a thousand specks', 'dry', 'empty'];
const SIZES = [128, 256, 512, 1024];

/** Runs in Node.js and, sent there as source, in a page. Gives rows of [scene, size, wet texels, ticks, ms, plain ms]. */
async function measure([base64, scenes, sizes]) {
  const SAMPLE_MS = 10;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { instance: { exports: bench } } = await WebAssembly.instantiate(bytes);
  const time = (tick, ticks) => {
    const since = performance.now();
    tick(ticks);
    return performance.now() - since;
  };
  const rows = [];
  for (const [scene, name] of scenes.entries()) {
    for (const size of sizes) {
      const prepare = () => {
        const wet = bench.prepare(scene, size);
        if (wet < 0) throw new Error(`there is no scene ${name} of ${size}`);
        return wet;
      };
      const wet = prepare();
      /** As many ticks as take long enough, from the scene's start. */
      const enough = (tick, least) => {
        let ticks = least;
        while (prepare(), time(tick, ticks) < SAMPLE_MS) ticks *= 2;
        return ticks;
      };
      const ticks = enough(bench.tick_ours, 20);
      const plainTicks = wet > 0 ? ticks : enough(bench.tick_plain, 1);
      let [ours, plain] = [Infinity, Infinity];
      for (let sample = 0; sample < (size > 256 ? 6 : 12); sample += 1) {
        prepare();
        ours = Math.min(ours, time(bench.tick_ours, ticks) / ticks);
        plain = Math.min(plain, time(bench.tick_plain, plainTicks) / plainTicks);
        if (!bench.same()) throw new Error('a benchmark of two different results compares nothing');
      }
      rows.push([name, size, wet, ticks, ours, plain]);
    }
  }
  return rows;
}

/** One table of all runs: in each cell the time of ours, and how many times that the plain passes take. */
function print(runs) {
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  console.log();
  row(['tick of', 'size', 'wet texels', ...runs.map(({ where }) => `${where}, ms`)]);
  row(['---', '--:', '--:', ...runs.map(() => '--:')]);
  for (const [i, [name, size, wet]] of runs[0].rows.entries()) {
    row([name, size, wet, ...runs.map(({ rows }) => {
      const [, , , , ours, plain] = rows[i];
      const ratio = plain / ours;
      return `${ours.toFixed(5)} (${ratio.toFixed(ratio < 10 ? 1 : 0)} ×)`;
    })]);
  }
}

/** What was aimed at in Chromium with simd128, and what came out. */
function printTargets(rows) {
  const worst = (is) => Math.min(...rows.filter(([name, size]) => is(name, size)).map(([, , , , ours, plain]) => plain / ours));
  console.log('\n| target, in Chromium with simd128 | aim | measured | |\n|---|--:|--:|---|');
  for (const [what, aim, value] of [
    ['fully wet, against the plain passes, at the worst size', 4, worst((name) => name === 'fully wet')],
    ['ten stains on 512², against the plain passes', 30, worst((name, size) => name === 'ten stains' && size === 512)],
    ['dry and empty, against the plain passes, at the worst size', 1000, worst((name) => name === 'dry' || name === 'empty')],
  ]) {
    console.log(`| ${what} | ≥ ${aim} × | ${value.toFixed(value < 100 ? 2 : 0)} × | ${value >= aim ? 'met' : '**missed**'} |`);
  }
}

const kinds = [['with simd128', modules[0]], ['without', modules[1]]];
const runs = [];
const browser = await launch({ webgpu: false });
try {
  for (const [kind, module] of kinds) {
    const page = await browser.newPage();
    runs.push({ where: `Chromium ${browser.version().split('.')[0]} ${kind}`, rows: await page.evaluate(measure, [module, SCENES, SIZES]) });
    await page.close();
  }
} finally {
  await browser.close();
}
for (const [kind, module] of kinds) {
  runs.push({ where: `Node.js ${process.versions.node.split('.')[0]} ${kind}`, rows: await measure([module, SCENES, SIZES]) });
}
print(runs);
printTargets(runs[0].rows);
