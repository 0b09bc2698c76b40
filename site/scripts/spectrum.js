// The section with the sea's spectrum: two plots, their figures, and the same as tables. The program is asked twice a second and only while the section
// is open; what is there is left alone while the sea stays what it is. Nothing here is a live region: whoever wants the numbers reads them.

import { directionPlot } from './direction_plot.js';
import { element } from './dom.js';
import { frequencyPlot, shownBands } from './frequency_plot.js';
import { figure, svg } from './svg.js';

const ASK_MS = 500;

/** What areas are told in: a lake's square metres would be all noughts. */
const unitOf = ({ expected }) => (expected.wave_height < 0.5 ? { name: 'cm²', factor: 1e4 } : { name: 'm²', factor: 1 });

/** Fills `home`, in the `details` element `section`. `ask()` gives the program's `spectrum()`, as text, or null while there is none. */
export function wireSpectrum({ section, home, ask }) {
  const drawings = element('div', { className: 'plot-pair plot-drawings' });
  const figures = element('table', { className: 'figures', id: 'spectrum-figures' });
  const wind = element('p', { className: 'plot-wind-text' });
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
    if (first) waiting.replaceWith(drawings, key(), scrolled('Figures of the spectrum', figures), wind, tables);
    figures.replaceChildren(...figuresOf(data));
    wind.textContent = windOf(data);
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
      frequencyPlot(data, unitOf(data), Math.round(beside ? inner - side - 24 : inner), 'spectrum-figures'),
      directionPlot(data, unitOf(data), side, 'spectrum-figures'));
  }

  function tabulate() {
    if (!tables.open || !data) return;
    const unit = unitOf(data);
    tables.replaceChildren(tables.firstChild, element('div', { className: 'plot-pair' }, bandTable(data, unit), sectorTable(data, unit)));
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
    entry(sample(svg('rect', { class: 'plot-range', width: 26, height: 12 }), across('plot-expected')), 'theory, these tiles, and where nine seas in ten lie'),
    entry(sample(svg('circle', { class: 'plot-measured', cx: 13, cy: 6, r: 3.6 })), 'measured in this sea'),
    entry(sample(svg('circle', { class: 'plot-ring', cx: 13, cy: 6, r: 5 })), 'its peak'),
    entry(sample(across('plot-mean')), 'its mean direction'),
    entry(sample(svg('g', { class: 'plot-wind' }, svg('path', { d: 'M2 6L14 6' }), svg('path', { d: 'M24 6L13 2L13 10Z' }))), 'wind'));
}

const scrolled = (label, ...children) => element('div', { className: 'scroll', role: 'group', 'aria-label': label, tabIndex: 0 }, ...children);

/** A row of headings; a corner without one is a cell. */
const headings = (...texts) => element('thead', {}, element('tr', {}, ...texts.map((text) => (text ? element('th', { scope: 'col' }, text) : element('td')))));
const row = (name, ...cells) => element('tr', {}, element('th', { scope: 'row' }, name), ...cells.map((cell) => element('td', {}, cell)));
const degrees = (value) => `${value.toFixed(0)}°`;

function figuresOf({ open_water: open, expected, measured, wave_height_range: [low, high] }) {
  const places = (value, digits) => value.toFixed(digits);
  // A lake's centimetres want more places than a storm's metres.
  const digits = expected.wave_height < 1 ? 3 : 2;
  return [
    headings('', 'these tiles', 'measured', 'nine in ten', 'open water'),
    element('tbody', {},
      row('Hs, m', places(expected.wave_height, digits), places(measured.wave_height, digits), `${places(low, digits)} to ${places(high, digits)}`, places(open.wave_height, digits)),
      row('Tp, s', places(expected.peak_period, 2), places(measured.peak_period, 2), '', places(expected.peak_period, 2)),
      row('toward', degrees(expected.heading), degrees(measured.heading), '', '')),
  ];
}

function windOf({ winds }) {
  const each = winds.map(({ speed, heading }) => `${speed.toFixed(1)} m/s toward ${degrees(heading)}`);
  return each.length > 0 ? `Wind over the water, by cascade that moves it: ${each.join('; ')}.` : 'No cascade moves the water.';
}

function bandTable(data, unit) {
  return densityTable({ id: 'spectrum-bands', label: 'S by frequency', caption: `S(ω), ${unit.name} s`, first: 'ω, rad/s' }, unit,
    shownBands(data).map((band) => [`${figure(band.from)} to ${figure(band.to)}`, band]));
}

function sectorTable({ sectors }, unit) {
  return densityTable({ id: 'spectrum-sectors', label: 'D by heading', caption: `D(θ), ${unit.name}/rad`, first: 'toward' }, unit,
    sectors.map((sector) => [`${sector.heading}°`, sector]));
}

/** A table of densities: `entries` are pairs of a row's name and what it is of. */
function densityTable({ id, label, caption, first }, { factor }, entries) {
  const said = (value) => figure(value * factor);
  const rows = entries.map(([name, { expected, measured, low, high }]) => row(name, said(expected), said(measured), `${said(low)} to ${said(high)}`));
  return scrolled(label, element('table', { className: 'figures', id },
    element('caption', {}, caption), headings(first, 'these tiles', 'measured', 'nine in ten'), element('tbody', {}, ...rows)));
}
