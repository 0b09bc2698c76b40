// Calls the module that `cargo xtask prove` makes of this package for wasm32, and prints its numbers like the program does. Fails where
// a list has none.
//
//   node prove.mjs node|chromium MODULE GENERATED LARGEST

import { readFile } from "node:fs/promises";

const [where, file, ...counts] = process.argv.slice(2);
const work = [(await readFile(file)).toString("base64"), counts.map(Number)];

/** Runs in Node.js and, sent there as source, in a page. */
async function numbers([base64, counts]) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  const number = (list) => BigInt.asUintN(64, instance.exports.wetmap_proof(list, ...counts));
  return [0, 1, 2, 3, 4].map((list) => number(list).toString(16).padStart(16, "0"));
}

async function inChromium() {
  const { launch } = await import("../../../tests/browser/chromium.mjs");
  const browser = await launch({ webgpu: false });
  try {
    console.log(`Chromium ${browser.version()}`);
    return await (await browser.newPage()).evaluate(numbers, work);
  } finally {
    await browser.close();
  }
}

const line = await (where === "chromium" ? inChromium() : numbers(work));
const broken = line.findIndex((number) => /^0+$/.test(number));
console.log(line.join(" "));
if (broken >= 0) throw new Error(`list ${broken} has no number here: a case is not met, or a canvas was not the same after it was saved`);
