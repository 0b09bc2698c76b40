// One row of a notes page's table of links, tried by having the program read links: what the row says a name can be is opened as it stands there, what is
// beyond its range is brought into it and said, and anything else is refused by name.

import assert from 'node:assert/strict';

/** The rows of the table of links on a demo's notes page, which `page` goes to. */
export async function readLinkRows(page, url, demo) {
  await page.goto(url);
  return page.evaluate((id) => Array.from(document.querySelectorAll(`#${id} tbody tr`), (row) => ({
    ...row.dataset,
    cells: Array.from(row.cells, (cell) => cell.textContent.replace(/\s+/g, ' ').trim()),
  })), `links-${demo}`);
}

/**
 * Tries `row`. `read(link)` is the program's reading of a link: `{ link, notices }`. `examples` has links that say something under the names of rows whose values
 * are no list and no range; `beside` goes before a number that depends on something else. `record` hears of it.
 */
export async function tryLinkRow({ row, read, examples = {}, beside = '', record }) {
  const { name } = row;
  const list = (text) => (text ?? '').split(' ').filter(Boolean);
  async function reads(link, { again, kinds = [] }) {
    await record.did(`had #${link.length > 120 ? `${link.slice(0, 120)}…` : link} read`);
    const { link: written, notices } = await read(link);
    await record.saw('what it opens', { link: written, notices: notices.map(({ text }) => text) });
    assert.deepEqual(notices.map(({ kind }) => kind), kinds, link);
    if (again !== undefined) assert.equal(written, again, link);
  }

  if (name === 'v') {
    await reads(`v=${row.options}`, { again: '' });
    await reads(`v=${Number(row.options) + 1}`, { again: '', kinds: ['newer-version'] });
  } else if (examples[name]) {
    for (const link of examples[name]) await reads(link, { again: link });
  } else if (row.options) {
    for (const option of list(row.options)) await reads(`v=1&${name}=${option}`, { again: option === row.default ? '' : `v=1&${name}=${option}` });
    await reads(`v=1&${name}=neither`, { again: '', kinds: ['refused'] });
  } else {
    const [min, max, wrap, usual] = [row.min, row.max, row.wrap, row.default].map(list);
    assert.ok(min.length > 0, `nothing here knows how to try ${JSON.stringify(row)}`);
    for (const at of min.keys()) {
      const values = (value) => `v=1&${beside}${name}=${usual.with(at, String(value)).join(',')}`;
      for (const end of [min[at], max[at]]) await reads(values(end), {});
      for (const beyond of [Number(min[at]) - 1, Number(max[at]) + 1]) await reads(values(beyond), { kinds: wrap[at] === 'circle' ? [] : ['adjusted'] });
    }
    await reads(`v=1&${name}=neither`, { again: '', kinds: ['refused'] });
  }
}
