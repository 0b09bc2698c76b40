// Each row of the tables of dials, tried on the panel.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tryDial } from '../dials.mjs';
import { frames, notes, page, press, record, values } from './page.mjs';
import { choosesPreset } from './actions.mjs';

// Where a program plays the GPU, these are not the preset's but the least there is, and below that is nothing to try.
const LIMITED = ['clipmap_rings', 'clipmap_resolution', 'clipmap_quad_size'];
const options = ({ name }) => ({ skip: !process.env.WEBGPU_FLAGS && LIMITED.includes(name) && 'is at its end on a software GPU' });

describe('each dial of the notes page', () => {
  test('the panel is open, on the first cascade of the preset Ocean', async () => {
    await choosesPreset(() => press('1'), 'Ocean');
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    await page.getByRole('radio', { name: '1', exact: true }).check();
    assert.equal(await page.evaluate(() => window.ocean.preset), 'Ocean');
  });

  for (const row of notes.dials.flatMap(({ rows }) => rows)) {
    test(`${row.name}: set, brought into range, undone`, options(row), async () => {
      const parameters = await page.evaluate(() => window.ocean.parameters());
      const parameter = parameters.find(({ name }) => name === row.name || name === `cascade1.${row.name}`);
      assert.ok(parameter, `the program has no ${row.name}`);
      const there = await values();
      const key = [row.name, `cascade1.${row.name}`].find((name) => name in there);
      await record.row({ table: 'parameters', id: row.name, words: row.cells.join(' ') }, async () => {
        await tryDial({ page, values, key, row, parameter, record });
        await frames(page, 1);
      });
    });
  }

  // Whoever sets the mesh, if only back to what the preset has, is not given a coarser one, however slow his machine is. The next preset is.
  test('a preset ends it', async () => {
    await choosesPreset(() => press('1'), 'Ocean');
  });
});
