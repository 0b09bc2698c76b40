// What every demo's page does, whatever its program draws: looks for a GPU, loads the program with its progress, starts it on the
// canvas, stands a failure page where the picture would be when there can be none, hands the page's buttons to the program, and keeps
// the program's keys from the browser. What is different from demo to demo, it is given.
//
// A program exports `start(software)`, `keys()`, `act(name)`, `state()`, `set_hidden(bool)` and `restart_gpu()`, and for links `link()`,
// `open_link(fragment)` and `read_link(fragment)`. It reads pointer and keys on the canvas itself; what a key does is decided there, and
// checked against the notes page.

import { Announcer } from './announcer.js';
import { hideFailure, showFailure } from './failure.js';
import { GpuError, probe } from './gpu.js';
import { readLegend, showLegend } from './legend.js';
import { wireLinks } from './link.js';
import { load, LoadError, progressText } from './loader.js';
import { StartTimes } from './start_times.js';

const site = new URL('../', import.meta.url);
const id = (name) => document.getElementById(name);
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Runs the page of the demo `name`.
 *
 * `needs`: limits of the adapter beyond what every demo needs.
 * `failure`: what its failure pages say beyond the shared words: `kept` (what a lost GPU leaves alone), `anew` (what a fresh start
 * begins with), `links` besides the one to the notes, and `alt`, what the still shows.
 * `show(state)` puts a new state on the page; `announce(before, now, announcer)` says what changed; `pressed(state)` gives whether
 * each toggling button is down, by action; `pictureName(state)` names a saved picture; `started(program)` is told of the program
 * when it runs.
 *
 * Gives `page` (what the page knows), `currentState()`, `program()` (a promise of the loaded program), and `site`.
 */
export function runDemo({ name, needs = {}, failure, show, announce, pressed, pictureName, started = () => {} }) {
  const notesUrl = new URL(`notes/${name}.html`, site);
  const canvas = id('canvas');
  const buttons = Array.from(document.querySelectorAll('button[data-action]'));
  const announcer = new Announcer(id('status'));
  const startTimes = new StartTimes(name);

  /** `glue` is the program's exports once loaded, `engine` is set while it runs on the canvas. */
  const page = { glue: null, engine: null, last: null, failure: null, adapter: null, limits: null, software: false, timings: () => startTimes.times };

  // ---- the program -------------------------------------------------------------------------------------------------------

  let loading;
  /** The loaded program, loading it at the first call. */
  function program(options = {}) {
    loading ??= load(new URL('pkg/', site), name, { onProgress: showProgress, lap: (part) => startTimes.lap(part), ...options }).then(
      (loaded) => {
        page.glue = loaded.glue;
        return loaded;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  function showProgress(received, total) {
    const bar = id('loading-progress');
    bar.max = total;
    bar.value = received;
    showLoading(received < total ? progressText(received, total) : 'Checking and compiling');
  }

  function showLoading(text) {
    id('loading-text').textContent = text;
  }

  async function boot(options) {
    id('loading').hidden = false;
    startTimes.begin();
    try {
      showLoading('Looking for WebGPU');
      Object.assign(page, await probe(needs));
      startTimes.lap('adapter');
      boundPicture();
      const { glue } = await program(options);
      id('loading-progress').removeAttribute('value');
      showLoading('Starting');
      start(glue);
    } catch (error) {
      if (error.adapter) Object.assign(page, { adapter: error.adapter, limits: error.limits });
      fail(error.kind ?? 'start', error.message ?? String(error));
    }
  }

  const links = wireLinks({ page, home: id('link-notices'), copyButton: id('copy-link'), announcer, opened: keepCalm });

  /** Who asked for less motion gets a still picture, and a button that plays it. */
  function keepCalm({ paused }) {
    if (!calm.matches || motion === 'played') return;
    if (!paused) page.engine.act('pause');
    motion = 'asked';
  }

  function start(glue) {
    const opened = links.open(glue);
    try {
      glue.start(page.software);
    } catch (error) {
      throw new LoadError('start', String(error), error);
    }
    page.engine = glue;
    startTimes.lap('start');
    takeKeys(glue);
    if (document.hidden) glue.set_hidden(true);
    keepCalm(opened);
    started(glue);
    lookForFirstFrame();
  }

  /** The first frame is seen when it is there, not up to a tenth of a second later. */
  function lookForFirstFrame() {
    refresh();
    if (!page.last?.ready && !page.failure) requestAnimationFrame(lookForFirstFrame);
  }

  // ---- failing, and coming back ------------------------------------------------------------------------------------------

  /** What the button of the failure that is shown does, and one key with it; null where it has none. */
  let remedy = null;

  function fail(kind, message) {
    startTimes.stop();
    if (kind === 'panic' && !page.last?.ready) kind = 'start';
    if (kind === 'panic' || kind === 'start') page.engine = null;
    page.failure = kind;
    id('loading').hidden = true;
    canvas.inert = true;
    remedy = showFailure(id('failure'), kind, message, {
      words: failure,
      actions: { reload: () => location.reload(), retry, restart },
      links: [{ href: notesUrl.href, label: 'Read the notes' }, ...(failure.links ?? [])],
      still: { src: new URL(`pictures/${name}.jpg`, site).href, alt: failure.alt },
    });
    // In a frame on somebody's page, only if that page's visitor is already in it. Before there ever was a picture, the page stays where it is scrolled to.
    const ours = (window === window.top || document.hasFocus()) && [document.body, null, canvas].includes(document.activeElement);
    if (remedy && ours) id('failure-button').focus({ preventScroll: !page.last?.ready });
    enableButtons();
  }

  function recover() {
    page.failure = null;
    hideFailure(id('failure'));
    canvas.inert = false;
    canvas.focus({ preventScroll: true });
    enableButtons();
  }

  function retry() {
    page.failure = null;
    hideFailure(id('failure'));
    canvas.inert = false;
    boot({ fresh: true });
  }

  let restarting = false;
  /** Asks the program for a new device where one can be had: without, it would panic, and its state would be gone. */
  async function restart() {
    if (restarting) return;
    restarting = true;
    try {
      await probe(needs);
      page.engine.restart_gpu();
    } catch (error) {
      if (error instanceof GpuError) fail(page.failure, `not back yet, ${error.message}`);
      else fail('panic', String(error));
    }
    restarting = false;
  }

  addEventListener('demo-failure', ({ detail }) => fail(detail.kind, detail.message));
  addEventListener('demo-recovered', recover);
  // A trap in the program: every later call into it would trap too.
  addEventListener('error', ({ error }) => {
    if (error instanceof WebAssembly.RuntimeError && page.failure === null) fail('panic', String(error));
  });
  // One key does what the button does. It is taken only while a failure that has one is shown, and only where no other control has the focus.
  addEventListener('keydown', (event) => {
    const elsewhere = event.target !== document.body && event.target !== id('failure-button');
    if (id('failure').hidden || !remedy || elsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key.toLowerCase() === 'r') {
      event.preventDefault();
      // A key that was held when the picture went away has not been pressed for this.
      if (!event.repeat) remedy();
    }
  });

  // ---- state -------------------------------------------------------------------------------------------------------------

  /** The engine's state now, or what it last was once the program can no longer be asked. */
  function currentState() {
    if (!page.engine) return page.last;
    try {
      page.last = page.engine.state();
    } catch (error) {
      fail('panic', String(error));
    }
    return page.last;
  }

  /** What was last shown, and how far the notice to people who asked for less motion has got. */
  let shown = null;
  let motion = 'free';

  function refresh() {
    const before = shown;
    const state = currentState();
    if (!state || state === before) return;
    shown = state;
    if (state.ready && !before?.ready) {
      startTimes.lap('first_frame');
      startTimes.stop();
      id('loading').hidden = true;
      enableButtons();
    }
    show(state);
    showMotion(state);
    const down = pressed(state);
    for (const button of buttons) {
      const { action } = button.dataset;
      if (button.hasAttribute('aria-pressed') && action in down) button.setAttribute('aria-pressed', String(down[action]));
    }
    if (state.help_shown !== help.told) showHelp((help.told = state.help_shown));
    if (before?.ready) announce(before, state, announcer);
  }

  function showMotion(state) {
    if (motion === 'asked' && state.paused) motion = 'paused';
    if (motion === 'paused' && !state.paused) motion = 'played';
    id('motion').hidden = !(motion === 'paused' && state.ready && !page.failure);
  }

  setInterval(refresh, 100);

  // ---- input -------------------------------------------------------------------------------------------------------------

  /** Keeps the browser from also acting on the keys that the demo has taken, and on no others. */
  function takeKeys(glue) {
    const taken = new Set(JSON.parse(glue.keys()).map(({ event_key }) => event_key.toLowerCase()));
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (taken.has(event.key.toLowerCase())) event.preventDefault();
    });
  }

  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    canvas.focus({ preventScroll: true });
    // The program hears of a mouse until it is let go, wherever that is, and of a pen only over the canvas: it would never hear of the end.
    if (event.pointerType === 'pen') canvas.setPointerCapture(event.pointerId);
  });
  // What the browser takes back, a pen’s stroke for a gesture of its own, has ended too. Of fingers the program hears that itself.
  canvas.addEventListener('pointercancel', (event) => {
    if (event.pointerType === 'touch') return;
    const { pointerId, pointerType, isPrimary, clientX, clientY } = event;
    canvas.dispatchEvent(new PointerEvent('pointerup', { pointerId, pointerType, isPrimary, clientX, clientY, button: 0, buttons: 0, bubbles: true }));
  });
  document.addEventListener('visibilitychange', () => page.engine?.set_hidden(document.hidden));

  /** `told` is what the engine last said; the page's own button works before there is an engine. */
  const help = { told: false };
  function showHelp(open) {
    id('help').hidden = !open;
    for (const button of buttons) if (button.hasAttribute('aria-expanded')) button.setAttribute('aria-expanded', String(open));
  }

  const drawing = () => Boolean(page.engine && page.last?.ready && !page.failure);

  function enableButtons() {
    for (const button of buttons) button.disabled = button.dataset.action !== 'help' && !drawing();
    for (const button of [id('save'), id('copy-link')]) button.disabled = !drawing();
  }

  for (const button of buttons) {
    button.addEventListener('click', () => {
      if (drawing()) page.engine.act(button.dataset.action);
      else if (button.dataset.action === 'help') showHelp(id('help').hidden);
    });
  }

  /** Keeps the picture within what a texture can be, on however large a screen and at whatever zoom. */
  function boundPicture() {
    const most = page.limits?.maxTextureDimension2D;
    if (most) canvas.style.setProperty('--most', `${Math.floor(most / devicePixelRatio)}px`);
  }
  addEventListener('resize', boundPicture);

  const fullscreen = id('fullscreen');
  fullscreen.hidden = !document.fullscreenEnabled;
  fullscreen.addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : id('view').requestFullscreen()));

  // A WebGPU canvas can be read in the frame that drew it, so the picture is taken at the end of one.
  id('save').addEventListener('click', () => {
    requestAnimationFrame(() => {
      canvas.toBlob((blob) => {
        if (!blob) return;
        const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: `${pictureName(page.last)}.png` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      });
    });
  });

  readLegend(notesUrl, name).then(
    (legend) => showLegend(legend, { home: id('legend'), hint: id('hint'), buttons }),
    (error) => {
      id('legend').textContent = `The legend could not be fetched (${error.message}). It is in the notes.`;
    },
  );

  boot();
  return { page, currentState, program, site, announcer };
}
