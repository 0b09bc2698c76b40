// Calls the module that `cargo xtask prove` makes of this package for wasm32, and prints its numbers like the program does.
//
//   node prove.mjs MODULE GENERATED LARGEST

import { readFile } from "node:fs/promises";

const [file, ...counts] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(file), {});
const number = (list) => BigInt.asUintN(64, instance.exports.wetmap_proof(list, ...counts.map(Number)));
console.log([0, 1, 2].map((list) => number(list).toString(16).padStart(16, "0")).join(" "));
