// One row of a notes page's table of parameters, tried on the demo's panel: its control sets another value within the range, the program
// has it; one below the range is brought to it and said; and undo puts back what was there. What is set is chosen to be gentle, because
// each change makes the sea or the blood anew.

import assert from 'node:assert/strict';

/** Numbers as a panel shows them: six digits. */
const near = (a, b) => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a), Math.abs(b));
const same = (a, b) => (typeof a === 'number' ? near(a, b) : Array.isArray(a) ? a.every((x, i) => near(x, b[i])) : a === b);

/** Another number within the row's range, a tenth of the way to its upper end, or to its lower end from there. */
function another(now, { min, max, whole }) {
  const step = (now < max ? 0.1 * (max - now) : 0.1 * (min - now)) || 1;
  const value = Number((now + step).toPrecision(3));
  if (!whole) return Math.min(max, Math.max(min, value));
  const rounded = Math.round(value) === now ? now + Math.sign(step) : Math.round(value);
  return Math.min(max, Math.max(min, rounded));
}

/**
 * Tries the dial of `row` (the row's `data-` attributes). `page` is the demo's page; `values()` gives the program's values; `key` is the
 * parameter's name there; `parameter` is how the program describes it; `record` hears of it.
 */
export async function tryDial({ page, values, key, row, parameter, record }) {
  const field = page.locator(`.field[data-name="${row.name}"]`);
  const number = field.locator('input[type="number"]').first();
  const before = (await values())[key];
  /** Waits until the program has something that `accept` takes, and gives it. */
  const has = async (what, accept) => {
    for (const deadline = Date.now() + 60_000; ;) {
      const now = (await values())[key];
      if (accept(now)) {
        await record.saw(what, { [key]: now });
        return now;
      }
      assert.ok(Date.now() < deadline, `${what}: ${key} is ${JSON.stringify(now)}, and was ${JSON.stringify(before)}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  };
  await record.saw('it as it was', { [key]: before });

  if (parameter.kind === 'choice') {
    const other = row.options.split(' ').find((option) => option !== String(before));
    await record.did(`chose ${other}`, true);
    await field.locator('select').selectOption(other);
    await has('the choice', (now) => String(now) === other);
  } else if (parameter.kind === 'toggle') {
    await record.did(before ? 'switched it off' : 'switched it on', true);
    await field.locator('input[type="checkbox"]').setChecked(!before);
    await has('the switch', (now) => now === !before);
  } else {
    const range = { min: Number(row.min), max: Number(row.max), whole: parameter.kind === 'integer' };
    const part = (value) => (Array.isArray(value) ? value[0] : value);
    const wanted = another(part(before), range);
    const type = async (value) => {
      await number.fill(String(value));
      await number.press('Tab');
    };
    await record.did(`set it to ${wanted}`, true);
    await type(wanted);
    await has('the value that was set', (now) => near(part(now), wanted));
    if (row.wrap !== 'circle') {
      const below = range.min - 1;
      await record.did(`set it to ${below}, below its range`);
      await type(below);
      await has('the end of the range', (now) => near(part(now), range.min));
      await field.locator('.field-notice').waitFor({ state: 'visible' });
    }
  }

  const undo = field.locator('.undo');
  // What is as it was has nothing to undo: a value at the end of its range is still that after it was asked for less.
  if (!same((await values())[key], before)) {
    await record.did('undid it');
    await undo.click();
    await has('it as it was', (now) => same(now, before));
  }
}
