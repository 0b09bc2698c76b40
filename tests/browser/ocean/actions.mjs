// What each action is seen by, whatever sets it off: a function for each action of the legend, which is given the doing of it.

import assert from 'node:assert/strict';
import { canvas, different, frames, legend, page, press, settle, state, until, values, view } from './page.mjs';

/** Where the eye went while `go` was done, m. */
export async function flight(go) {
  const { camera: before } = await settle();
  await go();
  await until(page, 'the eye to move', (now, last) => Math.hypot(now.camera.x - last.x, now.camera.y - last.y, now.camera.z - last.z) > 1e-3, before);
  const { camera } = await frames(page, 3);
  assert.deepEqual([camera.yaw, camera.pitch], [before.yaw, before.pitch], 'flying does not turn');
  return [camera.x - before.x, camera.y - before.y, camera.z - before.z];
}

/** Which way each key flew; the last of them compares. */
export const flown = new Map();
export const level = ([x, , z]) => [x / Math.hypot(x, z), z / Math.hypot(x, z)];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

async function turnsSun(go, key, sign) {
  const before = await settle();
  await go();
  const now = await until(page, `${key} to change`, (seen, [name, last]) => Math.abs(seen[name] - last) > 1e-3, [key, before[key]]);
  const way = ((now[key] - before[key] + 540) % 360) - 180;
  if (sign) assert.equal(Math.sign(way), sign, `${key} went from ${before[key]} to ${now[key]}`);
  return way;
}

async function toggles(go, key) {
  const before = (await settle())[key];
  for (const wanted of [!before, before]) {
    await go();
    await until(page, `${key} to be ${wanted}`, (seen, [name, value]) => seen[name] === value, [key, wanted]);
  }
}

export async function choosesPreset(go, name) {
  await settle();
  await go();
  const now = await until(page, `the preset ${name}`, (seen, wanted) => seen.preset === wanted, name);
  await page.locator(`button[data-preset="${name}"][aria-pressed="true"]`).waitFor();
  const { cascades } = await values();
  assert.equal(cascades, now.cascades);
  assert.ok(now.significant_wave_height > 0 && now.peak_period > 0);
  await view(`ocean-${name.toLowerCase().replaceAll(' ', '-')}`);
  return now;
}

const SKIES = ['noon', 'sunset', 'overcast'];
const MAPS = ['off', 'displacement', 'slopes', 'jacobian', 'foam'];
const sun = {};

export const ACTIONS = {
  ...Object.fromEntries(['forward', 'back', 'left', 'right', 'up', 'down'].map((way) => [`fly-${way}`, async (go) => {
    // From high enough that down is down, and not held up by the water.
    if (way === 'down') await ACTIONS['fly-up'](() => press('e'));
    flown.set(way, await flight(go));
  }])),
  'sun-left': async (go) => (sun.left = await turnsSun(go, 'sun_azimuth')),
  'sun-right': async (go) => {
    const right = await turnsSun(go, 'sun_azimuth');
    assert.equal(Math.sign(right), -Math.sign(sun.left), 'left and right are opposite');
  },
  'sun-up': (go) => turnsSun(go, 'sun_elevation', 1),
  'sun-down': (go) => turnsSun(go, 'sun_elevation', -1),
  'sky': async (go) => {
    const { sky } = await settle();
    const shots = [await view(`ocean-sky-${sky}`)];
    for (let turn = 1; turn <= 3; turn += 1) {
      const next = SKIES[(SKIES.indexOf(sky) + turn) % 3];
      await go();
      await until(page, `the sky ${next}`, (seen, wanted) => seen.sky === wanted, next);
      if (turn < 3) shots.push(await view(`ocean-sky-${next}`));
    }
    for (const [i, shot] of shots.entries()) {
      assert.ok(different(shot, shots[(i + 1) % 3]) > 0.05 * shot.width * shot.height, 'the three skies look different');
    }
  },
  'resolution-up': async (go) => {
    await settle();
    await go();
    await until(page, 'twice the resolution', (seen) => seen.resolution === 256);
    await page.waitForFunction(() => document.querySelector('#resolution-now').textContent === String(window.ocean.resolution));
    await settle();
  },
  'resolution-down': async (go) => {
    await settle();
    await press(']');
    await until(page, 'twice the resolution', (seen) => seen.resolution === 256);
    await go();
    await until(page, 'half of that', (seen) => seen.resolution === 128);
    await go();
    assert.equal((await frames(page, 3)).resolution, 128, 'there is none below 128');
  },
  'pause': async (go) => {
    const { time } = await settle({ paused: false });
    await until(page, 'the waves to go on', (seen, last) => seen.time > last, time);
    await go();
    const paused = await until(page, 'the pause', (seen) => seen.paused);
    assert.equal((await frames(page, 4)).time, paused.time, 'paused, the waves stand');
    await go();
    await until(page, 'the waves to go on again', (seen, last) => !seen.paused && seen.time > last, paused.time);
  },
  'step': async (go) => {
    const before = await settle();
    await go();
    const now = await until(page, 'a step', (seen, last) => seen.steps === last + 1, before.steps);
    assert.ok(now.time > before.time && now.time < before.time + 0.5, `a step of ${now.time - before.time} s`);
    assert.equal((await frames(page, 3)).time, now.time, 'one step, and they stand again');
    const { steps } = await settle({ paused: false });
    await go();
    assert.equal((await frames(page, 3)).steps, steps, 'running, there is nothing to step');
  },
  'lines': async (go) => {
    await settle();
    const plain = await view();
    await toggles(async () => {
      await go();
      if ((await frames(page, 2)).lines) assert.ok(different(plain, await view('ocean-lines')) > 0.0015 * plain.width * plain.height, 'the lines can be seen');
    }, 'lines');
  },
  'maps': async (go) => {
    const { map } = await settle();
    const shots = new Map([[map, await view()]]);
    for (let turn = 1; turn <= 5; turn += 1) {
      const next = MAPS[(MAPS.indexOf(map) + turn) % 5];
      await go();
      await until(page, `the map ${next}`, (seen, wanted) => seen.map === wanted, next);
      if (turn < 5) shots.set(next, await view(`ocean-map-${next}`));
    }
    for (const name of MAPS.slice(1)) {
      const shot = shots.get(name);
      assert.ok(different(shot, shots.get('off')) > 0.006 * shot.width * shot.height, `the map ${name} is on screen`);
    }
  },
  'map-cascade': async (go) => {
    await choosesPreset(() => press('1'), 'Ocean');
    const { map_cascade: first, cascades } = await settle();
    for (let turn = 1; turn <= cascades; turn += 1) {
      const next = ((first - 1 + turn) % cascades) + 1;
      await go();
      await until(page, `the maps of cascade ${next}`, (seen, wanted) => seen.map_cascade === wanted, next);
    }
  },
  'gather': async (go) => {
    const { camera } = await settle();
    await flight(() => press('d'));
    await flight(() => press('d'));
    const { bodies: before } = await frames(page, 1);
    await go();
    const { bodies } = await until(page, 'the fleet to be elsewhere', (now, [x, z]) => Math.hypot(now.bodies[0].x - x, now.bodies[0].z - z) > 1, [before[0].x, before[0].z]);
    assert.deepEqual(bodies.map(({ kind }) => kind), ['buoy', 'buoy', 'buoy', 'boat']);
    const { width, height } = await canvas.boundingBox();
    for (const { seen_at: seen } of (await frames(page, 2)).bodies) {
      assert.ok(seen && seen[0] > 0 && seen[0] < width && seen[1] > 0 && seen[1] < height, `all of them are in the picture, and one is at ${seen}`);
    }
    assert.ok(camera);
  },
  'wind': async (go) => {
    const { wind_speed: before } = await settle({ paused: false });
    const seen = [before];
    for (let turn = 1; turn <= 3; turn += 1) {
      await go();
      seen.push((await until(page, 'another wind', (now, last) => now.wind_speed !== last, seen.at(-1))).wind_speed);
    }
    assert.deepEqual(seen, [12, 20, 4, 12]);
  },
  'wind-turn': async (go) => {
    const { wind_heading: before } = await settle();
    await go();
    await until(page, 'the wind to turn', (now, last) => now.wind_heading === (last + 45) % 360, before);
  },
  // Beside the engine at the limit: 1024 points and three cascades take 16,384 bytes a workgroup. A few updates are enough for a software GPU.
  'prove': async (go) => {
    await settle({ paused: false });
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    const dial = (name) => page.locator(`.field[data-name="${name}"]`).locator('input[type="number"], select').first();
    await dial('updates_per_second').fill('1');
    await dial('updates_per_second').press('Tab');
    await dial('wave_resolution').selectOption('1024');
    const limit = await until(page, 'a grid of 1024', (now) => now.resolution === 1024 && now.updates_per_second === 1);
    assert.deepEqual([limit.cascades, limit.workgroup_bytes[0]], [3, 16384]);
    await go();
    await until(page, 'the script to be painted', (now) => now.proving);
    const now = await until(page, 'the script’s end', (seen) => !seen.proving && seen.proven !== null);
    assert.equal(now.proven, true, `blood ${now.digest}`);
    await page.locator('#readout-proof', { hasText: '✓' }).waitFor();
    await press('r');
    await until(page, 'a reset', (seen, last) => seen.resets > last, now.resets);
  },
  'readout': async (go) => {
    await settle();
    const readout = page.locator('#readout');
    assert.ok(await readout.isVisible());
    await go();
    await readout.waitFor({ state: 'hidden' });
    assert.equal((await state(page)).readout_shown, false);
    await go();
    await readout.waitFor({ state: 'visible' });
  },
  'reset': async (go) => {
    await choosesPreset(() => press('3'), 'Tropical');
    await press('t');
    await press('m');
    const before = await settle();
    await go();
    const now = await until(page, 'a reset', (seen, last) => seen.resets === last + 1, before.resets);
    assert.deepEqual([now.preset, now.map, now.map_cascade, now.lines], ['Ocean', 'off', 1, false]);
    assert.notEqual(now.sky, before.sky);
  },
  'help': async (go) => {
    const section = page.locator('#help');
    assert.equal(await section.isVisible(), false);
    await go();
    await section.waitFor({ state: 'visible' });
    assert.equal(await section.locator('tbody tr').count(), legend.length, 'the whole legend is in the help');
    await go();
    await section.waitFor({ state: 'hidden' });
  },
};
