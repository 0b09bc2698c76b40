// How each row of the legend is done: most are a key with what its action is seen by, gestures have their own way.

import assert from 'node:assert/strict';
import { GESTURES, at, atPixel, canvas, fingers, frames, legend, page, press, settle, state, until, view } from './page.mjs';
import { ACTIONS, choosesPreset, dot, flight, level } from './actions.mjs';

const touches = (type, points) => fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });

/** Moves fingers along the ways given, one list of points each, a frame a point. */
async function swipe(...ways) {
  await touches('touchStart', await Promise.all(ways.map(([first]) => at(...first))));
  await frames(page, 1);
  for (let i = 1; i < ways[0].length; i += 1) {
    await touches('touchMove', await Promise.all(ways.map((way) => at(...way[i]))));
    await frames(page, 1);
  }
  await touches('touchEnd', []);
}

async function looks(go) {
  const { camera: before } = await settle();
  await go();
  await until(page, 'the view to turn', (now, last) => Math.abs(now.camera.yaw - last.yaw) > 1e-3 && Math.abs(now.camera.pitch - last.pitch) > 1e-3, before);
  const { camera } = await frames(page);
  assert.deepEqual([camera.x, camera.z], [before.x, before.z], 'looking does not move');
}

const ROWS = {
  'drag': async () => {
    await looks(async () => {
      // From the sky: there is nothing to take hold of.
      await page.mouse.move(...(await at(0.5, 0.1)));
      await page.mouse.down();
      for (const point of [[0.56, 0.12], [0.62, 0.15]]) {
        await page.mouse.move(...(await at(...point)));
        await frames(page, 1);
      }
      await page.mouse.up();
    });
    await looks(() => swipe([[0.6, 0.15], [0.55, 0.13], [0.5, 0.1]]));
  },
  'click': async () => {
    const { resets } = await settle();
    await press('r');
    // A reset sea runs.
    await until(page, 'a reset', (now, last) => now.resets > last, resets);
    await settle();
    await press('b');
    const [x, y] = (await frames(page, 4)).bodies[0].seen_at;
    const { hits, misses, digest } = await state(page);
    const click = async (...pixel) => {
      await page.mouse.move(...(await atPixel(pixel)));
      await frames(page, 1);
      await page.mouse.down();
      await frames(page, 1);
      await page.mouse.up();
    };
    await click(x, y);
    await until(page, 'a hit', (now, last) => now.hits === last + 1, hits);
    await until(page, 'another digest', (now, last) => now.digest !== last, digest);
    await click(10, 10);
    await until(page, 'a miss', (now, last) => now.misses === last + 1, misses);
    await view('ocean-blood');
  },
  'drag-body': async () => {
    // Taken hold of while everything stands, or it is elsewhere when the pointer comes.
    await settle();
    await press('b');
    const { bodies, camera } = await frames(page, 4);
    const { width, height } = await canvas.boundingBox();
    const inSight = ({ seen_at: seen }) => seen && seen[0] > 10 && seen[0] < width - 70 && seen[1] > 70 && seen[1] < height - 10;
    const which = bodies.findIndex(inSight);
    assert.ok(which >= 0, `none of them is where it can be dragged: ${JSON.stringify(bodies)}`);
    const [x, y] = bodies[which].seen_at;
    await page.mouse.move(...(await atPixel([x, y])));
    await frames(page, 1);
    await page.mouse.down();
    for (const way of [20, 40, 60]) {
      await page.mouse.move(...(await atPixel([x + way, y - way])));
      await frames(page, 1);
    }
    const held = await until(page, 'a body to be carried', (now) => now.carrying);
    await page.keyboard.press('p');
    await until(page, 'it to rise', (now, [body, last]) => now.bodies[body].y > last + 0.3, [which, bodies[which].y]);
    await page.mouse.up();
    await until(page, 'it to be let go', (now) => !now.carrying);
    assert.deepEqual([held.camera.yaw, held.camera.pitch], [camera.yaw, camera.pitch], 'the eye did not turn');
    await press('b');
    await settle();
  },
  'wheel': async () => {
    const wheel = async (dy) => {
      await page.mouse.move(...(await at(0.5, 0.5)));
      await canvas.focus();
      await page.mouse.wheel(0, dy);
    };
    const there = await flight(() => wheel(-300));
    const back = await flight(() => wheel(300));
    assert.ok(dot(level(there), level(back)) < -0.9, 'forward and back');
    assert.equal(await page.evaluate(() => scrollY), 0, 'with the focus, the page stays');
    await page.evaluate(() => document.activeElement.blur());
    const { camera } = await frames(page);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction(() => scrollY > 0);
    const now = (await frames(page, 3)).camera;
    assert.deepEqual([now.x, now.z], [camera.x, camera.z], 'without it, the page scrolls and the eye stays');
  },
  'pinch': async () => {
    const apart = await flight(() => swipe([[0.45, 0.5], [0.4, 0.5], [0.3, 0.5]], [[0.55, 0.5], [0.6, 0.5], [0.7, 0.5]]));
    const together = await flight(() => swipe([[0.3, 0.5], [0.4, 0.5], [0.45, 0.5]], [[0.7, 0.5], [0.6, 0.5], [0.55, 0.5]]));
    assert.ok(dot(level(apart), level(together)) < -0.9, 'apart and together are opposite');
  },
  'two-fingers': async () => {
    const right = await flight(() => swipe([[0.4, 0.5], [0.45, 0.5], [0.55, 0.5]], [[0.6, 0.5], [0.65, 0.5], [0.75, 0.5]]));
    const left = await flight(() => swipe([[0.4, 0.5], [0.35, 0.5], [0.25, 0.5]], [[0.6, 0.5], [0.55, 0.5], [0.45, 0.5]]));
    assert.ok(dot(level(right), level(left)) < -0.9, 'right and left are opposite');
    const { camera: before } = await settle();
    await swipe([[0.4, 0.4], [0.4, 0.5], [0.4, 0.7]], [[0.6, 0.4], [0.6, 0.5], [0.6, 0.7]]);
    await until(page, 'the eye to move up or down', (now, last) => Math.abs(now.camera.y - last.y) > 0.05, before);
  },
  'Shift': async () => {
    await ACTIONS['fly-up'](() => press('e'));
    const slow = await flight(() => press('a'));
    const fast = await flight(async () => {
      await canvas.focus();
      await page.keyboard.down('Shift');
      await frames(page);
      await page.keyboard.press('a');
      await frames(page, 3);
      await page.keyboard.up('Shift');
    });
    assert.ok(Math.hypot(...fast) > 2.5 * Math.hypot(...slow), `${Math.hypot(...slow)} m, with Shift ${Math.hypot(...fast)} m`);
    await ACTIONS['fly-right'](() => press('d'));
  },
};

/** A row's own way if it has one, else its key with what its action is seen by. */
export function checkOf({ key, action }) {
  if (Object.hasOwn(ROWS, key)) return ROWS[key];
  if (GESTURES.includes(key)) return undefined;
  if (Object.hasOwn(ACTIONS, action)) return () => ACTIONS[action](() => press(key));
  const preset = legend.find((row) => row.key === key).cells[1].match(/^the preset (.+)$/)?.[1];
  return preset && (() => choosesPreset(() => press(key), preset));
}
