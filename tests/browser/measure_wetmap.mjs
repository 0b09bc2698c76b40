// What a tick of the wetmap costs in a browser, against the four plain passes: the table of `cargo xtask bench wetmap_web`.
//
//     node measure_wetmap.mjs MODULE        (the package `wetmap_bench` built for wasm32)
//
// Runs in Chromium and in Node.js, one after the other. The two implementations take turns, sample by sample, and the best of each counts, as in the native table. The best of the
// clock's ticks is taken for what it is: a sample lasts some milliseconds, and browsers round to 0.1 ms at the worst.

import { readFileSync } from 'node:fs';
import { launch } from './browser.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('name the module: cargo xtask bench wetmap_web builds it and does');
const module = readFileSync(file).toString('base64');

const SCENES = ['fully wet', 'ten stains', 'two far pools', 'a thousand specks'];
const SIZES = [128, 256, 512, 1024];

/** Runs in Node.js and, sent there as source, in a page. Gives rows of [scene, size, wet texels, ms, plain ms]. */
async function measure([base64, scenes, sizes]) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { instance: { exports: bench } } = await WebAssembly.instantiate(bytes);
  const TICKS = 20;
  const time = (tick) => {
    const since = performance.now();
    tick(TICKS);
    return (performance.now() - since) / TICKS;
  };
  const rows = [];
  for (const [scene, name] of scenes.entries()) {
    for (const size of sizes) {
      let [ours, plain, wet] = [Infinity, Infinity, 0];
      for (let sample = 0; sample < (size > 256 ? 10 : 30); sample += 1) {
        wet = bench.prepare(scene, size);
        if (wet < 0) throw new Error(`there is no scene ${name} of ${size}`);
        ours = Math.min(ours, time(bench.tick_ours));
        plain = Math.min(plain, time(bench.tick_plain));
        if (!bench.same()) throw new Error('a benchmark of two different results compares nothing');
      }
      rows.push([name, size, wet, ours, plain]);
    }
  }
  return rows;
}

function print(where, rows) {
  console.log(`\n${where}\n\n| tick of | size | wet texels | ms | plain, ms | ratio |\n|---|--:|--:|--:|--:|--:|`);
  for (const [name, size, wet, ours, plain] of rows) {
    console.log(`| ${name} | ${size} | ${wet} | ${ours.toFixed(4)} | ${plain.toFixed(3)} | ${(plain / ours).toFixed(1)} |`);
  }
}

const work = [module, SCENES, SIZES];
const browser = await launch({ webgpu: false });
const page = await browser.newPage();
print(`Chromium ${browser.version()}`, await page.evaluate(measure, work));
await browser.close();
print(`Node.js ${process.versions.node}`, await measure(work));
