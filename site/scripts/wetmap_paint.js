// The wetmap demo's page: what it shows of the blood, what it says aloud, the panel of every dial, the recording, and the proof under it. The rest is
// every demo's.

import { runDemo } from './demo.js';
import { count, setText } from './dom.js';
import { buildPanel, wireExplain } from './panel.js';
import { wireProof } from './proof.js';
import { wireRecording } from './recording.js';
import { publish } from './state.js';
import { wireTimings } from './timings.js';

const DEMO = 'wetmap_paint';
const id = (name) => document.getElementById(name);

/** The engine's values, one getter each. The notes page has a row for every name. */
const VALUES = [
  'frame', 'tick', 'digest', 'wetted_area_m2', 'wet_texels', 'mass_u', 'mass_v', 'gravity', 'paused', 'fast_forward', 'digest_shown',
  'help_shown', 'hits', 'misses', 'resets', 'size', 'tick_ms', 'frame_ms', 'fps', 'canvas_width', 'canvas_height', 'texture_bytes',
  'uploaded_bytes', 'camera_yaw', 'camera_pitch', 'recording', 'replay', 'error',
];

// ---- state, as text --------------------------------------------------------------------------------------------------------

/** Text that is being selected is left alone, so that it can be copied while it changes. */
function selected(element) {
  const selection = getSelection();
  return !selection.isCollapsed && selection.containsNode(element, true);
}

function show(state) {
  timings.note(state);
  id('digest-line').hidden = !state.digest_shown;
  if (!selected(id('digest'))) setText(id('digest'), state.digest);
  setText(id('tick'), String(state.tick));
  setText(id('area'), `${(state.wetted_area_m2 * 1e4).toFixed(1)} cm²`);
  setText(id('gravity'), state.gravity);
  const speed = state.fast_forward > 1 ? ` ×${state.fast_forward}` : '';
  setText(id('mode'), `${state.paused ? 'paused' : 'running'}${speed}`);
  setText(id('shots'), `${count(state.hits, 'hit')}, ${count(state.misses, 'miss', 'misses')}`);
  setText(id('stats'), statsLine(state));
  recording.show(state);
}

const pressed = (state) => ({ pause: state.paused, 'fast-forward': state.fast_forward > 1, digest: state.digest_shown });

function statsLine(state) {
  const gpu = [demo.page.adapter?.vendor, demo.page.adapter?.architecture].filter(Boolean).join(' ');
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

function announce(before, now, announcer) {
  const latest = () => demo.page.last;
  const digest = (state) => (state.digest_shown ? `, digest ${state.digest}` : '');
  if (now.resets !== before.resets) announcer.say('shots', () => `Reset: a clean subject${digest(latest())}.`);
  else if (now.hits > before.hits) announcer.say('shots', () => `Hit. ${count(latest().hits, 'hit')}${digest(latest())}.`);
  else if (now.misses > before.misses) announcer.say('shots', () => `Missed. ${count(latest().misses, 'miss', 'misses')}.`);
  if (now.paused !== before.paused) announcer.say('pause', () => (latest().paused ? `Paused at tick ${latest().tick}${digest(latest())}.` : 'Running.'));
  if (now.gravity !== before.gravity) announcer.say('gravity', () => `Gravity ${latest().gravity}.`);
  if (now.fast_forward !== before.fast_forward) announcer.say('speed', () => (latest().fast_forward > 1 ? `${latest().fast_forward} times as fast.` : 'Normal speed.'));
  if (now.digest_shown !== before.digest_shown) announcer.say('digest', () => (latest().digest_shown ? 'Digest shown.' : 'Digest hidden.'));
}

/** The dials, once there is a program to describe them. */
function started(program) {
  const say = (notice) => demo.announcer.say('dial', () => notice);
  const panel = buildPanel({ home: id('dials'), program, groups: JSON.parse(program.groups()), open: 'blood', say });
  id('dials-waiting').hidden = true;
  id('dials-reset').disabled = false;
  id('dials-reset').addEventListener('click', () => {
    panel.reset();
    say('Every dial is at its default.');
  });
  setInterval(() => {
    if (demo.page.engine && !demo.page.failure) panel.refresh();
  }, panel.every);
}

const timings = wireTimings({ section: id('timings'), home: id('timings-home'), values: { tick: (state) => state.tick_ms } });

const demo = runDemo({
  name: DEMO,
  failure: {
    kept: 'The blood and its digest are kept.',
    anew: 'a clean subject, and the dials that the address has',
    links: [{ href: '#proof', label: 'Run the digest cases' }],
    alt: 'What you would see here: a pale sphere, with blood running down it from several hits.',
  },
  show,
  announce,
  pressed,
  started,
  pictureName: (state) => `${DEMO}-${state.digest}`,
});

const recording = wireRecording({
  engine: () => (demo.page.failure ? null : demo.page.engine),
  state: demo.currentState,
  say: (sentence) => demo.announcer.say('replay', () => sentence),
});

wireExplain(id('explain'), id('dials'));

// ---- the rest of the page ----------------------------------------------------------------------------------------------------

wireProof({
  button: id('proof-run'),
  progress: id('proof-progress'),
  result: id('proof-result'),
  scroll: id('proof-scroll'),
  table: id('proof-table'),
  program: () => demo.program(),
  casesUrl: new URL('cases/wetmap-digests.json', demo.site),
});

/** A link to the proof opens it. */
function openProof() {
  if (location.hash === '#proof') id('proof').open = true;
}
addEventListener('hashchange', openProof);
openProof();

const parsed = (ask) => () => (demo.page.engine ? JSON.parse(ask(demo.page.engine) ?? null) : null);
publish(DEMO, {
  page: demo.page,
  currentState: demo.currentState,
  values: VALUES,
  functions: {
    parameters: parsed((program) => program.parameters()),
    values: parsed((program) => program.values()),
    script: parsed((program) => program.recording()),
    link: () => demo.page.engine?.link() ?? null,
    async readLink(fragment) {
      const { glue } = await demo.program();
      return JSON.parse(glue.read_link(fragment));
    },
    async replayCase(script) {
      const { glue } = await demo.program();
      return JSON.parse(glue.replay_case(JSON.stringify(script)));
    },
  },
});
