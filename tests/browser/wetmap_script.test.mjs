// Recordings of the wetmap demo: what was done on one page, sent as a link or a file, ends on another in the same digest and says so; what was changed on its way
// does not, and what cannot be read is refused by name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { colours, frames, here, picture, state, until, violations } from './browser.mjs';
import { openDemo, site } from './wetmap/page.mjs';

const cases = JSON.parse(readFileSync(join(here, '../cases/wetmap-digests.json'), 'utf8'));

let sender = await openDemo('', { permissions: ['clipboard-read', 'clipboard-write'] });
const problems = [sender.problems];

/** Hits, a turn of gravity, a changed dial and more hits, over some ticks; then paused, with a stain that has not been ticked yet. */
async function bleed({ page, press, settle }) {
  await settle({ clean: true });
  for (let hits = 1; hits <= 3; hits += 1) {
    await press('Enter');
    await until(page, 'a hit', (now, wanted) => now.hits >= wanted, hits);
  }
  await settle({ paused: false });
  await until(page, '20 ticks', (now) => now.tick >= 20);
  await press('g');
  await until(page, 'gravity to turn', (now) => now.gravity === 'right');
  await page.evaluate(() => document.querySelectorAll('.panel details').forEach((each) => (each.open = true)));
  await page.locator('.field[data-name="spread_rate"] input[type="number"]').fill('0.3');
  await page.locator('.field[data-name="spread_rate"] input[type="number"]').press('Tab');
  await page.waitForFunction(() => window.wetmap_paint.values().spread_rate === 0.3);
  await press('Enter');
  await until(page, 'another hit', (now) => now.hits === 4);
  const { tick } = await state(page);
  await until(page, '20 more ticks', (now, last) => now.tick >= last + 20, tick);
  await settle();
  await press(' ');
  await until(page, 'a burst', (now) => now.hits > 10);
  return frames(page);
}

const verdict = (page) => until(page, 'the replay’s end', (now) => now.replay && now.replay.verdict !== null);

let link;
let sent;

describe('on the page that it happens on', () => {
  test('everything is written down, and the recording is true', async () => {
    const { page, settle } = sender;
    const clean = await settle({ clean: true });
    assert.deepEqual(clean.recording, { events: 0, ticks: 0, ended: null });
    assert.equal(await page.locator('#recording-copy').isDisabled(), true);
    assert.equal(await page.evaluate(() => window.wetmap_paint.script()), null);
    sent = await bleed(sender);
    const script = await page.evaluate(() => window.wetmap_paint.script());
    assert.equal(script.expect[0].digest, sent.digest);
    assert.equal(script.ticks, sent.recording.ticks);
    assert.equal(script.events.length, sent.recording.events);
    assert.equal(script.events.filter(({ uv }) => uv).length, sent.hits);
    assert.equal(script.events.filter(({ gravity }) => gravity).length, 1);
    assert.deepEqual(script.events.filter(({ settings }) => settings).map(({ settings }) => settings), [{ spread_rate: 0.3 }]);
    assert.equal((await page.evaluate((each) => window.wetmap_paint.replayCase(each), script)).ok, true);
    assert.match(await page.locator('#recording-now').innerText(), new RegExp(`^${sent.recording.events} hits and changes in ${sent.recording.ticks} ticks\\.$`));
  });

  test('its link is short and goes to the clipboard', async () => {
    const { page } = sender;
    await page.locator('#recording-copy').click();
    await page.locator('#recording-notice', { hasText: /^Copied, [\d,]+ characters\.$/ }).waitFor();
    link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, await page.locator('#recording-link').inputValue());
    assert.ok(link.startsWith(`${site.url('demos/wetmap_paint/')}#v=1&`), link);
    assert.ok(link.length < 2000, `${link.length} characters for ${sent.hits} hits`);
    assert.match(new URL(link).hash, /^#v=1(&[a-z_]+=[A-Za-z0-9._,-]+)+$/);
  });

  test('Replay plays it where it is', async () => {
    const { page, press } = sender;
    await page.locator('#recording-replay').click();
    const playing = await until(page, 'the replay', (now) => now.replay?.verdict === null);
    assert.ok(playing.replay.ticks === sent.recording.ticks);
    // Nobody else touches the canvas meanwhile.
    await press('Enter');
    const now = await verdict(page);
    assert.deepEqual([now.replay.verdict, now.replay.expected, now.replay.actual, now.digest], [true, sent.digest, sent.digest, sent.digest]);
    assert.equal(now.paused, true, 'at its end the clock stops');
    assert.equal(now.hits, sent.hits);
    await page.locator('#replay-result', { hasText: '✓ Replayed: the digest is the one that was claimed.' }).waitFor();
    assert.deepEqual(await page.locator('#replay dd').allInnerTexts(), [sent.digest, sent.digest]);
    await page.locator('#status', { hasText: 'Replayed: the digest is the one that was claimed.' }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('what was replayed is a recording again, and goes on', async () => {
    const { page, press, settle } = sender;
    await press('Enter');
    await until(page, 'a hit', (now, last) => now.hits > last, sent.hits);
    await settle({ paused: false });
    const { tick } = await state(page);
    await until(page, '10 more ticks', (now, last) => now.tick >= last + 10, tick);
    await settle();
    const script = await page.evaluate(() => window.wetmap_paint.script());
    assert.ok(script.events.length > sent.recording.events);
    assert.equal((await page.evaluate((each) => window.wetmap_paint.replayCase(each), script)).ok, true);
  });
});

describe('a file', () => {
  const load = (page, name, text) => page.locator('#recording-file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

  test('is saved, and loaded again', async () => {
    const { page, settle } = sender;
    const { digest } = await settle();
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#recording-save').click()]);
    assert.equal(download.suggestedFilename(), `wetmap_paint-${digest}.json`);
    const text = readFileSync(await download.path(), 'utf8');
    await settle({ clean: true });
    await load(page, 'again.json', text);
    const now = await verdict(page);
    assert.deepEqual([now.replay.verdict, now.digest], [true, digest]);
  });

  test('may be a published case of another size, and one that claims something else ends with ✗', async () => {
    const { page } = sender;
    const published = cases.find(({ events, mesh, size, ticks }) => !mesh && events.length > 1 && events.every(({ ray }) => !ray) && size >= 32 && size <= 256 && ticks <= 120);
    const { resets } = await state(page);
    await load(page, 'case.json', JSON.stringify(published));
    await until(page, 'the case to begin', (now, last) => now.resets > last, resets);
    const right = await verdict(page);
    assert.deepEqual([right.replay.verdict, right.size], [true, published.size], published.id);
    const wrong = structuredClone(published);
    wrong.expect.at(-1).digest = '0123456789abcdef';
    await load(page, 'wrong.json', JSON.stringify(wrong));
    await until(page, 'the case to begin', (now, last) => now.resets > last, right.resets);
    const { replay } = await verdict(page);
    assert.deepEqual([replay.verdict, replay.expected, replay.actual], [false, '0123456789abcdef', published.expect.at(-1).digest]);
    await page.locator('#replay-result', { hasText: '✗ Replayed: the digest is not the one that was claimed.' }).waitFor();
  });

  test('that is none, or asks for too much, is refused by name and changes nothing', async () => {
    const { page, press } = sender;
    await press('r');
    await until(page, 'a reset', (now) => now.replay === null && now.size === 512);
    const plain = { id: 'x', size: 64, ticks: 9, gravity: [0, 1], events: [], expect: [{ after_ticks: 9, digest: '0'.repeat(16), amount_sum: 0, age_sum: 0 }] };
    const before = await frames(page);
    for (const [text, said] of [
      ['not a file', /^This file is no recording: /],
      [JSON.stringify({ ...plain, size: 4_000_000 }), /^The recording is of a canvas of 4000000 texels/],
      [JSON.stringify({ ...plain, ticks: 4_294_967_295 }), /^The recording runs for 4294967295 ticks/],
      [JSON.stringify({ ...plain, expect: [] }), /^The recording expects no digest/],
      [' '.repeat(2 ** 21), /^This file has 1048577 bytes/],
    ]) {
      await load(page, 'file.json', text);
      await page.locator('#recording-notice', { hasText: said }).waitFor();
    }
    const now = await frames(page);
    assert.deepEqual([now.resets, now.replay, now.digest], [before.resets, null, before.digest]);
  });
});

describe('somebody else opens the link', () => {
  let receiver;
  after(async () => receiver?.context.close());

  test('and sees the blood run to the same digest, and ✓', async () => {
    // Software drawing serves one page at a time.
    await sender.context.close();
    sender = null;
    receiver = await openDemo(new URL(link).hash);
    problems.push(receiver.problems);
    const { page } = receiver;
    const now = await verdict(page);
    assert.deepEqual([now.replay.verdict, now.replay.expected, now.replay.actual, now.digest], [true, sent.digest, sent.digest, sent.digest]);
    assert.equal(now.gravity, sent.gravity);
    await page.locator('#replay-result', { hasText: '✓' }).waitFor();
    assert.equal(await page.locator('#digest').innerText(), sent.digest);
    assert.ok(colours(await picture(page, 'wetmap_script-opened')) >= 32);
  });

  test('and whoever goes on from its end has another state, and another address', async () => {
    const { page, press } = receiver;
    assert.ok(await page.evaluate(() => location.hash.includes('script=')));
    await press('Enter');
    await until(page, 'a hit', (now, last) => now.hits > last, sent.hits);
    await page.waitForFunction(() => !location.hash.includes('script='));
    const hash = await page.evaluate(() => location.hash);
    for (const dial of ['gravity=right', 'spread_rate=0.3']) assert.ok(hash.includes(dial), `${dial} in ${hash}`);
  });

  test('one that was changed on its way ends with ✗, or is refused with a word', async () => {
    const { page } = receiver;
    const fragment = new URL(link).hash.slice(1);
    const script = fragment.match(/script=([^&]+)/)[1];
    const read = (text) => page.evaluate((each) => window.wetmap_paint.readLink(each), `v=1&script=${text}`);
    const { notices: [cut] } = await read(script.slice(0, script.length / 2 - ((script.length / 2) % 4)));
    assert.deepEqual([cut.kind, cut.name], ['refused', 'script']);
    assert.match(cut.text, /it ends in the middle/);
    const { notices: [odd] } = await read('!!!!');
    assert.match(odd.text, /no base64url/);

    // The seed or the place of the first hits: another stain.
    const flipped = Array.from(script);
    const at = 100;
    flipped[at] = flipped[at] === 'A' ? 'B' : 'A';
    const { resets } = await state(page);
    await page.evaluate((hash) => (location.hash = hash), fragment.replace(script, flipped.join('')));
    await until(page, 'the other recording to begin', (now, last) => now.resets > last, resets);
    const { replay } = await verdict(page);
    assert.equal(replay.verdict, false);
    assert.notEqual(replay.actual, replay.expected);
    await page.locator('#replay-result', { hasText: '✗' }).waitFor();
  });

  test('hundreds of damaged ones neither stop the page nor play unsaid', async () => {
    const { page } = receiver;
    const fragment = new URL(link).hash.slice(1);
    const worst = await page.evaluate(async (whole) => {
      let seed = 7;
      const random = (below) => ((seed = (seed * 48271) % 2147483647), seed % below);
      const failed = [];
      for (let round = 0; round < 300; round += 1) {
        const text = Array.from(whole);
        for (let change = 0; change <= random(4); change += 1) text.splice(random(text.length), random(3), String.fromCharCode(33 + random(90)));
        if (random(5) === 0) text.length = random(text.length) + 1;
        const { link, notices } = await window.wetmap_paint.readLink(text.join(''));
        const kept = link.includes('script=');
        if (!kept && text.join('').includes('&script=') && notices.length === 0) failed.push(text.join(''));
      }
      return failed;
    }, fragment);
    assert.deepEqual(worst, []);
    assert.equal(await page.evaluate(() => window.wetmap_paint.failure), null);
  });

  test('and R gives a clean subject back', async () => {
    const { page, press } = receiver;
    await press('r');
    const now = await until(page, 'a reset', (seen) => seen.replay === null);
    assert.deepEqual([now.hits, now.size, now.recording.events], [0, 512, 0]);
    await page.locator('#replay').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => !location.hash.includes('script='));
  });
});

test('and nothing went wrong on the pages in all of this', () => {
  assert.deepEqual(problems.flat(), []);
});
