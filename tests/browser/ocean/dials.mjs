// Each row of the tables of dials, tried on the panel.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tryDial } from '../dials.mjs';
import { frames, notes, page, press, record, settle, values } from './page.mjs';
import { choosesPreset } from './actions.mjs';

describe('each dial of the notes page', () => {
  test('the panel is open, on the first cascade of the preset Ocean', async () => {
    await choosesPreset(() => press('1'), 'Ocean');
    await settle();
    await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
    await page.getByRole('radio', { name: '1', exact: true }).check();
    assert.equal(await page.evaluate(() => window.ocean.preset), 'Ocean');
  });

  for (const row of notes.dials.flatMap(({ rows }) => rows)) {
    test(`${row.name}: set, brought into range, undone`, async () => {
      const parameters = await page.evaluate(() => window.ocean.parameters());
      const parameter = parameters.find(({ name }) => name === row.name) ?? parameters.find(({ name }) => name === `cascade1.${row.name}`);
      assert.ok(parameter, `the program has no ${row.name}`);
      await record.row({ table: 'parameters', id: row.name, words: row.cells.join(' ') }, async () => {
        await tryDial({ page, values, key: parameter.name, row, parameter, record });
        await frames(page, 1);
      });
    });
  }
});
