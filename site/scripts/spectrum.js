// The section with the sea's spectrum: two plots, their figures, and the same as tables. The program is asked twice a second and only while the section
// is open; what is there is left alone while the sea stays what it is. Nothing here is a live region: whoever wants the numbers reads them.

import { directionPlot } from './direction_plot.js';
import { element } from './dom.js';
import { frequencyPlot, shownBands } from './frequency_plot.js';
import { figure, svg } from './svg.js';

const ASK_MS = 500;

/** Fills `home`, in the `details` element `section`. `ask()` gives the program's `spectrum()`, as text, or null while there is none. */
export function wireSpectrum({ section, home, ask }) {
  const drawings = element('div', { className: 'plot-pair' });
  const figures = element('table', { className: 'figures plot-figures', id: 'spectrum-figures' });
  const tables = element('details', { className: 'plot-tables' }, element('summary', {}, 'The plots as tables'));
  const waiting = element('p', { className: 'waiting' }, 'The plots come with the program.');
  home.append(waiting);

  let data = null;
  let text = null;
  let width = 0;

  function look() {
    if (document.hidden) return;
    const now = ask();
    if (!now || now === text) return;
    const first = text === null;
    text = now;
    data = JSON.parse(now);
    if (first) waiting.replaceWith(drawings, key(), scrolled('Figures of the spectrum', figures), tables);
    figures.replaceChildren(...figuresOf(data));
    draw();
    tabulate();
  }

  function draw() {
    if (!data) return;
    const inner = drawings.clientWidth;
    const beside = inner >= 640;
    width = inner;
    const side = Math.round(Math.min(beside ? inner * 0.4 : inner, 380));
    drawings.replaceChildren(
      frequencyPlot(data, Math.round(beside ? inner - side - 24 : inner), 'spectrum-figures'),
      directionPlot(data, side, 'spectrum-figures'));
  }

  function tabulate() {
    if (tables.open && data) tables.replaceChildren(tables.firstChild, bandTable(data), sectorTable(data));
  }

  let timer = 0;
  function follow() {
    clearInterval(timer);
    if (!section.open) return;
    look();
    timer = setInterval(look, ASK_MS);
  }
  section.addEventListener('toggle', follow);
  tables.addEventListener('toggle', tabulate);
  new ResizeObserver(() => {
    if (drawings.clientWidth !== width && drawings.clientWidth > 0) draw();
  }).observe(drawings);
  follow();
}

/** What is drawn how, beside the plots and not in them. */
function key() {
  const sample = (...shapes) => svg('svg', { width: 26, height: 12, 'aria-hidden': 'true', class: 'plot' }, ...shapes);
  const entry = (mark, words) => element('li', {}, mark, words);
  const across = (name, y = 6) => svg('line', { class: name, x1: 1, x2: 25, y1: y, y2: y });
  return element('ul', { className: 'plot-key' },
    entry(sample(across('plot-open')), 'theory, open water'),
    entry(sample(svg('rect', { class: 'plot-range', width: 26, height: 12 }), across('plot-expected')), 'theory, on these tiles, and where nine seas in ten lie'),
    entry(sample(svg('circle', { class: 'plot-measured', cx: 13, cy: 6, r: 3.6 })), 'measured in this sea'),
    entry(sample(svg('circle', { class: 'plot-ring', cx: 13, cy: 6, r: 5 })), 'its peak'),
    entry(sample(across('plot-mean')), 'its mean direction'),
    entry(sample(svg('g', { class: 'plot-wind' }, svg('path', { d: 'M2 6L14 6' }), svg('path', { d: 'M24 6L13 2L13 10Z' }))), 'wind'));
}

const scrolled = (label, ...children) => element('div', { className: 'scroll', role: 'group', 'aria-label': label, tabIndex: 0 }, ...children);

const heading = (...texts) => element('thead', {}, element('tr', {}, ...texts.map((text) => element('th', { scope: 'col' }, text))));
const row = (name, ...cells) => element('tr', {}, element('th', { scope: 'row' }, name), ...cells.map((cell) => element('td', {}, cell)));

function figuresOf({ open_water: open, expected, measured, wave_height_range: [low, high], winds }) {
  const degrees = (value) => `${value.toFixed(0)}°`;
  const blowing = winds.map(({ speed, heading: to }) => `${speed.toFixed(1)} m/s toward ${degrees(to)}`).join('; ');
  return [
    element('caption', {}, `Wind over the water, by cascade: ${blowing || 'none that moves it'}.`),
    heading('', 'theory, open water', 'theory, on these tiles', 'nine seas in ten', 'measured'),
    element('tbody', {},
      row('Hs, m', open.wave_height.toFixed(2), expected.wave_height.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`, measured.wave_height.toFixed(2)),
      row('Tp, s', expected.peak_period.toFixed(2), expected.peak_period.toFixed(2), '', measured.peak_period.toFixed(2)),
      row('mean direction', '', degrees(expected.heading), '', degrees(measured.heading))),
  ];
}

function bandTable(data) {
  const rows = shownBands(data).map(({ from, to, expected, low, high, measured }) =>
    row(`${figure(from)} to ${figure(to)}`, figure(expected), `${figure(low)} to ${figure(high)}`, figure(measured)));
  return scrolled('S by frequency', element('table', { className: 'figures', id: 'spectrum-bands' },
    element('caption', {}, 'S(ω), m² s'), heading('ω, rad/s', 'theory, on these tiles', 'nine seas in ten', 'measured'), element('tbody', {}, ...rows)));
}

function sectorTable({ sectors }) {
  const rows = sectors.map(({ heading: to, expected, low, high, measured }) =>
    row(`${to}°`, figure(expected), `${figure(low)} to ${figure(high)}`, figure(measured)));
  return scrolled('D by heading', element('table', { className: 'figures', id: 'spectrum-sectors' },
    element('caption', {}, 'D(θ), m²/rad'), heading('toward', 'theory, on these tiles', 'nine seas in ten', 'measured'), element('tbody', {}, ...rows)));
}
