// The plot of S(ω): what theory says of open water as a line, what these tiles hold as steps with the range of nine seas in ten, and
// what is measured as points.

import { figure, picture, px, svg, through, ticks } from './svg.js';

const MARGIN = { left: 46, right: 14, top: 40, bottom: 42 };

/** Periods that may be marked above the plot, s. */
const PERIODS = [40, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5, 1.2, 1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2];

/** Pixels that a number on an axis wants for itself. */
const ROOM = 44;

/** Less than this share of the highest band is nothing: below its peak a spectrum falls faster than exponentially. */
const NOTHING = 1e-4;

/** The bands that are in the plot: from the first with waves to where it ends. */
export function shownBands({ bands, to }) {
  const waves = NOTHING * Math.max(...bands.map(({ expected }) => expected));
  const first = bands.findIndex(({ expected, measured }) => Math.max(expected, measured) > waves);
  return bands.filter((band, i) => i >= first && band.to <= to * 1.0001);
}

/** A drawing `width` pixels wide of what the program's `spectrum()` gives, in `unit`. */
export function frequencyPlot(data, unit, width, describedBy) {
  const height = Math.round(Math.min(340, Math.max(230, width * 0.62)));
  const bands = shownBands(data);
  const highest = Math.max(...data.open_water.frequencies.map(([, density]) => density), ...bands.flatMap(({ expected, measured }) => [expected, measured]));
  const scale = {
    x: (omega) => MARGIN.left + (omega / data.to) * (width - MARGIN.left - MARGIN.right),
    y: (density) => height - MARGIN.bottom - (Math.min(density / (1.06 * highest), 1) || 0) * (height - MARGIN.top - MARGIN.bottom),
  };
  return picture(width, height, { label: 'Variance of the heights by frequency, S of ω', describedBy },
    axes(data.to, 1.06 * highest, unit, scale, width, height),
    ...periods(data.to, scale),
    svg('path', { class: 'plot-range', d: rangeOf(bands, scale) }),
    svg('path', { class: 'plot-expected', d: stepsOf(bands, scale) }),
    svg('path', { class: 'plot-open', d: through(data.open_water.frequencies.map(([omega, density]) => [scale.x(omega), scale.y(density)])) }),
    peak(data, scale, height),
    ...bands.map((band) => point(band, unit, scale, band === highestOf(bands))));
}

const highestOf = (bands) => bands.reduce((best, band) => (band.measured > best.measured ? band : best), bands[0]);

function axes(to, top, { name, factor }, { x, y }, width, height) {
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const across = ticks(to, Math.max(3, Math.floor((right - left) / ROOM)));
  return svg('g', {},
    ...ticks(top * factor, 5).flatMap((density) => [
      svg('line', { class: 'plot-grid', x1: left, x2: right, y1: px(y(density / factor)), y2: px(y(density / factor)) }),
      svg('text', { x: left - 7, y: px(y(density / factor) + 4), 'text-anchor': 'end' }, String(density)),
    ]),
    ...[0, ...across].flatMap((omega) => [
      svg('line', { class: 'plot-axis', x1: px(x(omega)), x2: px(x(omega)), y1: bottom, y2: bottom + 4 }),
      svg('text', { x: px(x(omega)), y: bottom + 18, 'text-anchor': 'middle' }, String(omega)),
    ]),
    svg('line', { class: 'plot-axis', x1: left, x2: right, y1: bottom, y2: bottom }),
    svg('text', { class: 'plot-title', x: right, y: height - 6, 'text-anchor': 'end' }, 'frequency ω, rad/s'),
    svg('text', { class: 'plot-title', x: 2, y: 12 }, `S, ${name} s`));
}

/** Periods along the upper edge: people know waves by them. */
function periods(to, { x }) {
  const marks = [svg('text', { class: 'plot-title', x: px(x(to)), y: 12, 'text-anchor': 'end' }, 'period, s')];
  let last = Infinity;
  for (const period of [...PERIODS].reverse()) {
    const at = x((2 * Math.PI) / period);
    if (at > x(to) || last - at < ROOM / 1.5 || at < MARGIN.left + 12) continue;
    last = at;
    marks.push(
      svg('line', { class: 'plot-axis', x1: px(at), x2: px(at), y1: MARGIN.top - 8, y2: MARGIN.top - 4 }),
      svg('text', { x: px(at), y: MARGIN.top - 12, 'text-anchor': 'middle' }, String(period)));
  }
  return marks;
}

/** Theory's peak, as a line with its period. */
function peak({ expected, to }, { x }, height) {
  const omega = (2 * Math.PI) / expected.peak_period;
  if (!(omega < to)) return svg('g');
  return svg('g', {},
    svg('line', { class: 'plot-peak', x1: px(x(omega)), x2: px(x(omega)), y1: MARGIN.top - 2, y2: height - MARGIN.bottom }),
    svg('text', { class: 'plot-note', x: px(x(omega) + 6), y: MARGIN.top + 9 }, `Tp ${expected.peak_period.toFixed(1)} s`));
}

function stepsOf(bands, { x, y }) {
  if (bands.length === 0) return '';
  const points = bands.flatMap(({ from, to, expected }) => [[x(from), y(expected)], [x(to), y(expected)]]);
  return through([[x(bands[0].from), y(0)], ...points, [x(bands.at(-1).to), y(0)]]);
}

function rangeOf(bands, { x, y }) {
  const high = bands.flatMap(({ from, to, high: top }) => [[x(from), y(top)], [x(to), y(top)]]);
  const low = bands.flatMap(({ from, to, low: bottom }) => [[x(from), y(bottom)], [x(to), y(bottom)]]);
  return bands.length > 0 ? `${through([...high, ...low.reverse()])}Z` : '';
}

/** The middle of a band on the axis. */
const middle = ({ from, to }) => (from + to) / 2;

function point(band, { name, factor }, { x, y }, highest) {
  const at = { cx: px(x(middle(band))), cy: px(y(band.measured)) };
  const words = `${figure(band.from)} to ${figure(band.to)} rad/s: measured ${figure(band.measured * factor)}, expected ${figure(band.expected * factor)} ${name} s`;
  const dot = svg('circle', { ...at, r: 3.6, class: 'plot-measured', 'data-value': band.measured }, svg('title', {}, words));
  return highest ? svg('g', {}, svg('circle', { ...at, r: 7, class: 'plot-ring' }), dot) : dot;
}
