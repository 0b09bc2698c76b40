// The ocean demo's page: its read-out, what it says aloud, the wheel, and the panel of every dial. The rest is every demo's.

import { runDemo } from './demo.js';
import { count, setText } from './dom.js';
import { buildPanel, wireExplain } from './panel.js';
import { showReadout } from './readout.js';
import { wireSpectrum } from './spectrum.js';
import { publish } from './state.js';
import { wireTimings } from './timings.js';

const DEMO = 'ocean';
const id = (name) => document.getElementById(name);

/** The engine's values, one getter each. The notes page has a row for every name. `adapter` has two: the browser's own is the page's. */
const VALUES = [
  'frame', 'fps', 'frame_ms', 'preset', 'resolution', 'cascades', 'updates_per_second', 'paused', 'time', 'steps', 'lines', 'map', 'map_cascade',
  'sky', 'sun_azimuth', 'sun_elevation', 'camera', 'height_above_water', 'significant_wave_height', 'peak_period', 'mean_direction',
  'wind_speed', 'wind_heading', 'bodies', 'carrying', 'hits', 'misses', 'digest', 'tick', 'tick_ms', 'proving', 'proven',
  'gpu_ms', 'workgroup_bytes', 'map_bytes', 'gpu_bytes', 'triangles', 'quality', 'readout_shown', 'help_shown', 'resets', 'canvas_width',
  'canvas_height', 'error', 'notices',
];

/** What the engine's passes need beyond what every demo does: WebGPU's guaranteed defaults, to the byte. */
const NEEDS = {
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 64,
  maxStorageTexturesPerShaderStage: 4,
  maxStorageBuffersPerShaderStage: 6,
  maxTextureArrayLayers: 8,
};

/** The panel's groups, and which of them stands once for each cascade. */
const GROUPS = [
  { name: 'appearance', heading: 'Appearance' },
  { name: 'sea', heading: 'Sea state' },
  { name: 'cascade', heading: 'Per cascade' },
  { name: 'wind', heading: 'Following the world wind' },
  { name: 'performance', heading: 'Performance' },
  { name: 'mesh', heading: 'Mesh' },
  { name: 'current', heading: 'Current' },
];
const CASCADES = { group: 'cascade', prefix: 'cascade', count: 'cascades', label: 'Cascade' };

function show(state) {
  timings.note(state);
  id('readout').hidden = !state.readout_shown;
  if (state.readout_shown) showReadout(state, demo.page.adapter);
  for (const button of document.querySelectorAll('button[data-preset]')) {
    button.setAttribute('aria-pressed', String(button.dataset.preset === state.preset));
  }
  setText(id('sky-now'), state.sky);
  setText(id('map-now'), state.map);
  setText(id('cascade-now'), String(state.map_cascade));
  setText(id('resolution-now'), String(state.resolution));
  setText(id('wind-now'), `${state.wind_speed.toFixed(0)} m/s`);
}

const pressed = (state) => ({ pause: state.paused, lines: state.lines, maps: state.map !== 'off', readout: state.readout_shown });

function announce(before, now, announcer) {
  const latest = () => demo.page.last;
  const changed = (key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]);
  if (changed('resets')) announcer.say('preset', () => `Reset: ${latest().preset}.`);
  else if (changed('preset') && now.preset !== 'custom') announcer.say('preset', () => `${latest().preset}.`);
  if (changed('sky')) announcer.say('sky', () => `Sky: ${latest().sky}.`);
  if (changed('resolution')) announcer.say('resolution', () => `Resolution ${latest().resolution}.`);
  if (changed('paused')) announcer.say('pause', () => (latest().paused ? 'Paused.' : 'Running.'));
  else if (changed('steps')) announcer.say('pause', () => `${count(latest().steps, 'step')} so far.`);
  if (changed('hits')) announcer.say('shot', () => `Hit, ${count(latest().hits, 'hit')} so far.`);
  if (changed('wind_speed') || changed('wind_heading')) {
    announcer.say('wind', () => `Wind ${latest().wind_speed.toFixed(0)} metres a second toward ${latest().wind_heading.toFixed(0)} degrees.`);
  }
  if (changed('proven') && now.proven !== null) announcer.say('proof', () => (latest().proven ? 'Both digests are as claimed.' : 'A digest is not as claimed.'));
  if (changed('lines')) announcer.say('lines', () => (latest().lines ? 'Lines shown.' : 'Lines hidden.'));
  if (changed('map') || (changed('map_cascade') && now.map !== 'off')) {
    announcer.say('map', () => (latest().map === 'off' ? 'Maps off.' : `Map of the ${latest().map}, cascade ${latest().map_cascade}.`));
  }
  if (changed('readout_shown')) announcer.say('readout', () => (latest().readout_shown ? 'Read-out shown.' : 'Read-out hidden.'));
  if (changed('quality') && now.quality.reason) announcer.say('quality', () => `Quality ${latest().quality.level}: ${latest().quality.reason}.`);
  if (changed('notices') && now.notices.length > 0) announcer.say('notice', () => latest().notices.at(-1));
}

/** The dials, once there is a program to describe them. */
function started(program) {
  const panel = buildPanel({
    home: id('dials'),
    program,
    groups: GROUPS,
    open: 'cascade',
    many: CASCADES,
    say: (notice) => demo.announcer.say('dial', () => notice),
  });
  id('dials-waiting').hidden = true;
  setInterval(() => {
    if (demo.page.engine && !demo.page.failure) panel.refresh();
  }, panel.every);
}

const timings = wireTimings({
  section: id('timings'),
  home: id('timings-home'),
  values: {
    'GPU, simulation': (state) => state.gpu_ms?.simulation,
    'GPU, mip levels': (state) => state.gpu_ms?.mips,
    'GPU, water': (state) => state.gpu_ms?.water,
    'blood, a tick': (state) => state.tick_ms,
  },
});

const demo = runDemo({
  name: DEMO,
  needs: NEEDS,
  failure: {
    kept: 'The sea, the sky and where you stood are kept.',
    anew: 'the sea that the address has',
    alt: 'What you would see here: open sea to the horizon under a clear sky, a long swell with foam on its crests.',
  },
  show,
  announce,
  pressed,
  started,
  pictureName: (state) => `${DEMO}-${state.preset.toLowerCase().replaceAll(' ', '-')}`,
});

// The wheel moves the camera while the picture has the focus, and scrolls the page otherwise. With Ctrl it zooms the page, always.
id('stage').addEventListener(
  'wheel',
  (event) => {
    if (document.activeElement === id('canvas') && event.target === id('canvas') && !event.ctrlKey) event.preventDefault();
    else event.stopPropagation();
  },
  { capture: true, passive: false },
);

wireExplain(id('explain'), id('dials'));

wireSpectrum({
  section: id('spectrum'),
  home: id('spectrum-home'),
  ask: () => (demo.page.engine && !demo.page.failure ? demo.page.engine.spectrum() : null),
});

const parsed = (ask) => () => (demo.page.engine ? JSON.parse(ask(demo.page.engine)) : null);
publish(DEMO, {
  page: demo.page,
  currentState: demo.currentState,
  values: VALUES,
  functions: {
    claims: parsed((program) => program.claims()),
    parameters: parsed((program) => program.parameters()),
    values: parsed((program) => program.values()),
    link: () => demo.page.engine?.link() ?? null,
    async readLink(fragment) {
      const { glue } = await demo.program();
      return JSON.parse(glue.read_link(fragment));
    },
    spectrum: parsed((program) => program.spectrum() ?? 'null'),
  },
});
