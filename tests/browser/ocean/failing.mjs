// What the page says and does where the demo cannot run, or cannot go on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PATIENCE_MS, colours, comesBack, keepDevice, openPage, picture, violations } from '../browser.mjs';
import { SCREEN, browser, frames, site, until } from './page.mjs';

/** For `init`: a browser that is long in saying whether there was room on the GPU, as one is that compiles much; the frames go on meanwhile. */
function slowScopes() {
  const { popErrorScope } = GPUDevice.prototype;
  GPUDevice.prototype.popErrorScope = async function () {
    const error = await popErrorScope.call(this);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return error;
  };
}

describe('when it cannot', () => {
  const DEMO = 'demos/ocean/';

  test('a limit below what the passes need is named, with a picture of what would be seen', async () => {
    const { page: own, context, problems: found } = await openPage(browser, {
      init: () => {
        const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'limits');
        Object.defineProperty(GPUAdapter.prototype, 'limits', {
          get() {
            return new Proxy(get.call(this), { get: (limits, name) => (name === 'maxComputeWorkgroupStorageSize' ? 8192 : limits[name]) });
          },
        });
      },
    });
    await own.goto(site.url(DEMO));
    const section = own.locator('#failure[data-failure="limit"]');
    await section.waitFor();
    assert.match(await section.locator('.technical').innerText(), /^limit: maxComputeWorkgroupStorageSize is 8192, needs 16384$/);
    await own.waitForFunction(() => document.querySelector('#failure img').naturalWidth > 0);
    assert.ok((await section.locator('img').getAttribute('alt')).length > 20);
    assert.ok(await section.getByRole('link', { name: 'Read the notes' }).isVisible());
    assert.deepEqual(await violations(own), []);
    assert.deepEqual(found, []);
    await context.close();
  });

  test('less motion is honoured; a lost device comes back with one key, and the sea is the one it was', async () => {
    const { page: own, context, problems: found } = await openPage(browser, {
      ...SCREEN,
      reducedMotion: 'reduce',
      init: `(${keepDevice})(); (${slowScopes})();`,
    });
    own.setDefaultTimeout(PATIENCE_MS);
    await own.goto(site.url(DEMO));
    await until(own, 'the first frame', (now) => now.ready);
    await until(own, 'the pause that was asked for', (now) => now.paused);
    await own.locator('#motion').waitFor({ state: 'visible' });
    await own.locator('#canvas').focus();
    await own.keyboard.press('2');
    const before = await until(own, 'the preset Stormy Ocean', (now) => now.preset === 'Stormy Ocean');
    const canvas = own.locator('#canvas');
    const look = async (name) => {
      // The notice that it is paused lies over most of the water.
      await own.evaluate(() => {
        document.activeElement.blur();
        document.getElementById('motion').style.visibility = 'hidden';
      });
      await frames(own, 3);
      return picture(canvas, name);
    };
    const seen = await look('ocean-before-restart');
    assert.ok(colours(seen) >= 32, 'there is a picture');
    await own.evaluate(() => (window.lostDevice = window.testDevice).destroy());
    await own.locator('#failure[data-failure="device-lost"]').waitFor();
    assert.match(await own.locator('#failure').innerText(), /The sea, the sky and where you stood are kept/);
    await own.keyboard.press('Enter');
    await own.locator('#failure').waitFor({ state: 'hidden' });
    // The program goes on before its new device is there.
    await own.waitForFunction(() => window.testDevice !== window.lostDevice);
    const now = await frames(own, 3);
    assert.deepEqual([now.preset, now.resets, now.time, now.sky], ['Stormy Ocean', 0, before.time, before.sky]);
    await comesBack(seen, 0.02, () => look('ocean-restarted'));
    assert.equal(await own.evaluate(() => window.ocean.failure), null, 'nothing fails on the new device');
    assert.deepEqual(found.filter((each) => /another origin|content security policy|exception/.test(each)), []);
    await context.close();
  });
});
