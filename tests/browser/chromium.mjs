// Starting Chromium. Apart from browser.mjs, for what needs a browser and no site.
//
// CHROMIUM    the browser (default: the first of the usual names that is there)
// WEBGPU_FLAGS  what makes WebGPU work in it (default: drawing in software); on a Linux machine with a GPU and no display
//             '--enable-features=Vulkan --use-angle=vulkan --disable-vulkan-surface'

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const executablePath = process.env.CHROMIUM || USUAL.find(existsSync);
if (!executablePath) throw new Error('no Chromium found: install one, or set CHROMIUM to its path');

/** All of these are needed: with fewer there is an adapter whose canvas never shows, or none. */
const SOFTWARE_WEBGPU = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
  '--use-webgpu-adapter=swiftshader',
];

const WEBGPU = process.env.WEBGPU_FLAGS ? process.env.WEBGPU_FLAGS.split(' ') : SOFTWARE_WEBGPU;

/** A browser with WebGPU, in software unless told otherwise, or without any (`webgpu: false`: `navigator.gpu` is there and has no adapter). */
export function launch({ webgpu = true, args = [] } = {}) {
  return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', ...(webgpu ? WEBGPU : []), ...args] });
}
