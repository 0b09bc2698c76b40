// Writes down what the page-as-the-specification tests do and see, row by row, while they do it: `cargo xtask review` makes a page of
// it for people. A line of JSON a row, in ARTIFACTS/review/FILE.jsonl, a file for each file of tests. With REVIEW=1 there are pictures too, before and after; without,
// only words and values, because a picture is seconds where the GPU is a program.
//
// The tests are not asked to say what they do: what they press, touch and wait for is overheard. So what is written is what was done.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS, PATIENCE_MS, observers } from './browser.mjs';

const FOLDER = join(ARTIFACTS, 'review');
const PICTURES = process.env.REVIEW === '1';

/** What changes by itself, and says nothing of what a row did. */
const RESTLESS = new Set(['frame', 'fps', 'frame_ms', 'tick_ms', 'gpu_ms', 'uploaded_bytes', 'height_above_water', 'bodies']);

/** What is different in `now`, by name: both values. */
function changed(before, now) {
  const names = Object.keys(now).filter((name) => !RESTLESS.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(names.map((name) => [name, [before?.[name] ?? null, now[name]]]));
}

/** Has `hear(...given)` called before each of an object's calls to `method`. */
function overhear(object, method, hear) {
  const real = object[method].bind(object);
  object[method] = async (...given) => {
    await hear(...given);
    return real(...given);
  };
}

const point = (x, y) => `${Math.round(x)}, ${Math.round(y)}`;

/**
 * A record of the demo `name`, in the file `name` unless it is given another name (`to`). `page` is the page that all is done on, `canvas` its picture, `fingers` the CDP session that touches come
 * from, and `state()` gives the demo's values. The last three may be left out where there is no picture.
 *
 * `row({ table, id, words, key }, check)` runs `check` as that of the row `id` in the notes page's `legend`, `parameters` or `links` (`table`), whose
 * text is `words`, and writes down what came of it; `key`, if it has one, is what the before picture waits for. `did(words)` adds what
 * was done in a way that is not overheard, and `saw(what, state)` what was seen.
 */
export function recordOf(name, { page, canvas = null, fingers = null, state = async () => null, to = name }) {
  const file = join(FOLDER, `${to}.jsonl`);
  mkdirSync(FOLDER, { recursive: true });
  rmSync(file, { force: true });
  let trail = null;
  let pictures = 0;

  async function picture() {
    if (!PICTURES || !canvas) return null;
    pictures += 1;
    const picture = `${to}-${String(pictures).padStart(3, '0')}.jpg`;
    writeFileSync(join(FOLDER, picture), await canvas.screenshot({ type: 'jpeg', quality: 70, timeout: PATIENCE_MS }));
    return picture;
  }

  async function did(words, decisive = false) {
    if (!trail) return;
    if (decisive && !trail.before) trail.before = { picture: await picture() };
    trail.steps.push({ did: words });
  }

  async function saw(what, now) {
    if (!trail) return;
    const difference = changed(trail.state, now);
    trail.state = { ...trail.state, ...now };
    if (Object.keys(difference).length === 0 && /more frames$/.test(what)) return;
    trail.steps.push({ saw: what, changed: difference });
    if (trail.before && !trail.after) trail.after = { picture: await picture() };
  }

  const own = (key) => trail && key.toLowerCase() === trail.key.toLowerCase();
  overhear(page.keyboard, 'press', (key) => did(`pressed ${key === ' ' ? 'Space' : key}`, own(key)));
  overhear(page.keyboard, 'down', (key) => did(`held ${key}`, own(key)));
  overhear(page.mouse, 'click', (x, y, { button = 'left' } = {}) => did(`clicked (${button}) at ${point(x, y)}`, true));
  overhear(page.mouse, 'down', ({ button = 'left' } = {}) => did(`pressed the ${button} button`, true));
  overhear(page.mouse, 'up', () => did('let the button go'));
  overhear(page.mouse, 'wheel', (x, y) => did(`turned the wheel by ${y}`, true));
  if (fingers) overhear(fingers, 'send', (command, { type, touchPoints } = {}) => {
    if (command !== 'Input.dispatchTouchEvent') return undefined;
    const where = touchPoints.map(({ x, y }) => point(x, y)).join(' and ');
    return did(type === 'touchStart' ? `touched ${where}` : type === 'touchMove' ? `moved to ${where}` : 'lifted', type === 'touchStart');
  });
  observers.add(async (on, what, now) => {
    if (on === page) await saw(what, now);
  });

  async function row({ table, id, words, key = '' }, check) {
    trail = { key, state: await state().catch(() => null), steps: [], before: null, after: null };
    let failure = null;
    try {
      await check();
    } catch (error) {
      failure = error;
    }
    const { steps, before, after } = trail;
    trail = null;
    const line = { demo: name, table, row: id, words, passed: !failure, failure: failure && String(failure.message ?? failure), steps, before: before?.picture ?? null, after: after?.picture ?? null };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    if (failure) throw failure;
  }

  return { row, did, saw };
}
