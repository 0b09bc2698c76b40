// The wetmap demo's page: looks for a GPU, loads the program, starts it on the canvas, shows its state as text, and hands the
// page's own buttons to it. The engine reads pointer and keys on the canvas itself; what a key does is decided there, and
// checked against the notes page.

import { Announcer } from './announcer.js';
import { hideFailure, showFailure } from './failure.js';
import { probe } from './gpu.js';
import { readLegend, showLegend } from './legend.js';
import { load, LoadError, progressText } from './loader.js';
import { wireProof } from './proof.js';
import { publish } from './state.js';

const DEMO = 'wetmap_paint';
const site = new URL('../', import.meta.url);
const notesUrl = new URL(`notes/${DEMO}.html`, site);
const id = (name) => document.getElementById(name);
const canvas = id('canvas');
const buttons = Array.from(document.querySelectorAll('button[data-action]'));
const announcer = new Announcer(id('status'));
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** What the page knows. `glue` is the program's exports once loaded, `engine` is set while it runs on the canvas. */
const page = { glue: null, engine: null, last: null, failure: null, adapter: null, limits: null, software: false };

// ---- the program ---------------------------------------------------------------------------------------------------------

let loading;
/** The loaded program, loading it at the first call. Drawing and the proof share it. */
function program(options = {}) {
  loading ??= load(new URL('pkg/', site), DEMO, { onProgress: showProgress, ...options }).then(
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
  try {
    showLoading('Looking for WebGPU');
    Object.assign(page, await probe());
    const { glue } = await program(options);
    id('loading-progress').removeAttribute('value');
    showLoading('Starting');
    start(glue);
  } catch (error) {
    if (error.adapter) Object.assign(page, { adapter: error.adapter, limits: error.limits });
    fail(error.kind ?? 'start', error.message ?? String(error));
  }
}

function start(glue) {
  try {
    glue.start(page.software);
  } catch (error) {
    throw new LoadError('start', String(error), error);
  }
  page.engine = glue;
  takeKeys(glue);
  if (document.hidden) glue.set_hidden(true);
  if (calm.matches) {
    glue.act('pause');
    motion = 'asked';
  }
  refresh();
}

// ---- failing, and coming back ----------------------------------------------------------------------------------------------

function fail(kind, message) {
  if (kind === 'panic' && !page.last?.ready) kind = 'start';
  if (kind === 'panic' || kind === 'start') page.engine = null;
  page.failure = kind;
  id('loading').hidden = true;
  canvas.inert = true;
  const { restarts } = showFailure(id('failure'), kind, message, {
    actions: { reload: () => location.reload(), retry, restart },
    links: [
      { href: notesUrl.href, label: 'Read the notes' },
      { href: '#proof', label: 'Run the digest cases' },
    ],
    still: { src: new URL(`pictures/${DEMO}.jpg`, site).href, alt: 'What you would see here: a pale sphere, with blood running down it from several hits.' },
  });
  if (restarts && [document.body, null, canvas].includes(document.activeElement)) id('failure-button').focus();
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

function restart() {
  try {
    page.engine.restart_gpu();
  } catch (error) {
    fail('panic', String(error));
  }
}

addEventListener('demo-failure', ({ detail }) => fail(detail.kind, detail.message));
addEventListener('demo-recovered', recover);
// A trap in the program: every later call into it would trap too.
addEventListener('error', ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError && page.failure === null) fail('panic', String(error));
});
// One key restarts. It is taken only while a failure that can be restarted is shown, and only where no other control has the focus.
addEventListener('keydown', (event) => {
  const button = id('failure-button');
  const elsewhere = event.target !== document.body && event.target !== button;
  if (id('failure').hidden || !button || elsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!['device-lost', 'out-of-memory', 'gpu-error'].includes(page.failure)) return;
  if (event.key === 'Enter' || event.key.toLowerCase() === 'r') {
    event.preventDefault();
    restart();
  }
});

// ---- state, as text --------------------------------------------------------------------------------------------------------

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

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Text that is being selected is left alone, so that it can be copied while it changes. */
function selected(element) {
  const selection = getSelection();
  return !selection.isCollapsed && selection.containsNode(element, true);
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
    id('loading').hidden = true;
    enableButtons();
  }
  showState(state);
  if (before?.ready) announce(before, state);
}

function showState(state) {
  id('digest-line').hidden = !state.digest_shown;
  if (!selected(id('digest'))) setText(id('digest'), state.digest);
  setText(id('tick'), String(state.tick));
  setText(id('area'), `${(state.wetted_area_m2 * 1e4).toFixed(1)} cm²`);
  setText(id('gravity'), state.gravity);
  const speed = state.fast_forward > 1 ? ` ×${state.fast_forward}` : '';
  setText(id('mode'), `${state.paused ? 'paused' : 'running'}${speed}`);
  setText(id('shots'), `${count(state.hits, 'hit')}, ${count(state.misses, 'miss', 'misses')}`);
  setText(id('stats'), statsLine(state));
  if (motion === 'asked' && state.paused) motion = 'paused';
  if (motion === 'paused' && !state.paused) motion = 'played';
  id('motion').hidden = !(motion === 'paused' && state.ready && !page.failure);
  const pressed = { pause: state.paused, 'fast-forward': state.fast_forward > 1, digest: state.digest_shown };
  for (const button of buttons) {
    const { action } = button.dataset;
    if (button.hasAttribute('aria-pressed') && action in pressed) button.setAttribute('aria-pressed', String(pressed[action]));
  }
  if (state.help_shown !== help.told) showHelp((help.told = state.help_shown));
}

const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

function statsLine(state) {
  const gpu = [page.adapter?.vendor, page.adapter?.architecture].filter(Boolean).join(' ');
  return [
    `${state.fps.toFixed(0)} fps, ${state.frame_ms.toFixed(1)} ms a frame`,
    `tick ${state.tick_ms.toFixed(2)} ms on the main thread`,
    'GPU ms: not measured here',
    `textures ${(state.texture_bytes / 1024).toFixed(0)} KiB, ${(state.uploaded_bytes / 1e6).toFixed(1)} MB sent`,
    `${state.canvas_width} × ${state.canvas_height} px`,
    gpu,
  ]
    .filter(Boolean)
    .join(' · ');
}

function announce(before, now) {
  const latest = () => page.last;
  const digest = (state) => (state.digest_shown ? `, digest ${state.digest}` : '');
  if (now.resets !== before.resets) announcer.say('shots', () => `Reset: a clean subject${digest(latest())}.`);
  else if (now.hits > before.hits) announcer.say('shots', () => `Hit. ${count(latest().hits, 'hit')}${digest(latest())}.`);
  else if (now.misses > before.misses) announcer.say('shots', () => `Missed. ${count(latest().misses, 'miss', 'misses')}.`);
  if (now.paused !== before.paused) announcer.say('pause', () => (latest().paused ? `Paused at tick ${latest().tick}${digest(latest())}.` : 'Running.'));
  if (now.gravity !== before.gravity) announcer.say('gravity', () => `Gravity ${latest().gravity}.`);
  if (now.fast_forward !== before.fast_forward) announcer.say('speed', () => (latest().fast_forward > 1 ? 'Ten times as fast.' : 'Normal speed.'));
  if (now.digest_shown !== before.digest_shown) announcer.say('digest', () => (latest().digest_shown ? 'Digest shown.' : 'Digest hidden.'));
}

setInterval(refresh, 100);

// ---- input -----------------------------------------------------------------------------------------------------------------

/** Keeps the browser from also acting on the keys that the demo has taken, and on no others. */
function takeKeys(glue) {
  const taken = new Set(JSON.parse(glue.keys()).map(({ event_key }) => event_key.toLowerCase()));
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (taken.has(event.key.toLowerCase())) event.preventDefault();
  });
}

canvas.addEventListener('contextmenu', (event) => event.preventDefault());
canvas.addEventListener('pointerdown', () => canvas.focus({ preventScroll: true }));
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
  id('save').disabled = !drawing();
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    if (drawing()) page.engine.act(button.dataset.action);
    else if (button.dataset.action === 'help') showHelp(id('help').hidden);
  });
}

const fullscreen = id('fullscreen');
fullscreen.hidden = !document.fullscreenEnabled;
fullscreen.addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : id('view').requestFullscreen()));

// A WebGPU canvas can be read in the frame that drew it, so the picture is taken at the end of one.
id('save').addEventListener('click', () => {
  requestAnimationFrame(() => {
    canvas.toBlob((blob) => {
      if (!blob) return;
      const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: `${DEMO}-${page.last.digest}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  });
});

// ---- the rest of the page ----------------------------------------------------------------------------------------------------

readLegend(notesUrl, DEMO).then(
  (legend) => showLegend(legend, { home: id('legend'), hint: id('hint'), buttons }),
  (error) => {
    id('legend').textContent = `The legend could not be fetched (${error.message}). It is in the notes.`;
  },
);

wireProof({
  button: id('proof-run'),
  progress: id('proof-progress'),
  result: id('proof-result'),
  scroll: id('proof-scroll'),
  table: id('proof-table'),
  program: () => program(),
  casesUrl: new URL('cases/wetmap-digests.json', site),
});

/** A link to the proof opens it. */
function openProof() {
  if (location.hash === '#proof') id('proof').open = true;
}
addEventListener('hashchange', openProof);
openProof();

publish(DEMO, { page, currentState, program: () => program() });
boot();
