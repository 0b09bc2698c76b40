// The plot of D(θ) around a compass as seen from above: where the energy goes to, theory's for open water as a line, these tiles' as steps
// with the range of nine seas in ten, and the measured as points. Headings are the program's: 0° is +x, 90° is +z, clockwise.

import { figure, picture, px, svg, through, ticks } from './svg.js';

/** Pixels around the circle for the headings and the wind. */
const RIM = 44;

const radians = (degrees) => (degrees * Math.PI) / 180;

/** A drawing `size` pixels wide and high of what the program's `spectrum()` gives, in `unit`. */
export function directionPlot(data, unit, size, describedBy) {
  const { sectors, open_water: { headings: open } } = data;
  const radius = size / 2 - RIM;
  const highest = 1.06 * Math.max(...open, ...sectors.flatMap(({ expected, measured }) => [expected, measured]));
  const length = (density) => (Math.min(density / highest, 1) || 0) * radius;
  const at = (heading, distance) => [size / 2 + distance * Math.sin(radians(heading)), size / 2 - distance * Math.cos(radians(heading))];
  const place = { at, length, radius, size };
  const wind = data.winds.reduce((most, each) => (each.share > (most?.share ?? -1) ? each : most), null);
  return picture(size, size, { label: 'Variance of the heights by the heading the waves go to', describedBy },
    compass(place, highest, unit, data.expected.heading),
    svg('path', { class: 'plot-range', 'fill-rule': 'evenodd', d: sectors.map((sector) => ringSector(sector, 360 / sectors.length, place)).join('') }),
    svg('path', { class: 'plot-expected', d: stepsOf(sectors, place) }),
    svg('path', { class: 'plot-open', d: `${through(open.map((density, i) => at((360 * i) / open.length, length(density))))}Z` }),
    meanLine(data.measured.heading, place),
    ...(wind ? [windArrow(wind, place)] : []),
    ...sectors.map((sector) => point(sector, unit, place)));
}

function compass({ at, length, radius, size }, highest, { name, factor }, heading) {
  const middle = size / 2;
  // The numbers of the rings stand where the least energy is.
  const quiet = Math.round((heading + 180) / 45) * 45 + 22.5;
  const rings = ticks(highest * factor, 3).flatMap((density) => {
    const [x, y] = at(quiet, length(density / factor));
    return [
      svg('circle', { class: 'plot-grid', cx: middle, cy: middle, r: px(length(density / factor)) }),
      svg('text', { class: 'plot-over', x: px(x), y: px(y + 4), 'text-anchor': 'middle' }, String(density)),
    ];
  });
  const spokes = Array.from({ length: 8 }, (_, i) => 45 * i).flatMap((each) => {
    const [x, y] = at(each, radius);
    const [u, v] = at(each, radius + 15);
    return [
      svg('line', { class: 'plot-grid', x1: middle, y1: middle, x2: px(x), y2: px(y) }),
      svg('text', { x: px(u), y: px(v + 4), 'text-anchor': 'middle' }, `${each}°`),
    ];
  });
  return svg('g', {}, svg('circle', { class: 'plot-axis', cx: middle, cy: middle, r: px(radius) }), ...spokes, ...rings,
    svg('text', { class: 'plot-title', x: 2, y: 12 }, `D, ${name}/rad`),
    svg('text', { class: 'plot-title', x: px(middle + 18), y: px(middle - radius - 11) }, '+x'),
    svg('text', { class: 'plot-title', x: px(middle + radius + 6), y: px(middle + 20) }, '+z'));
}

const clockwise = (r, [x, y]) => `A${px(r)} ${px(r)} 0 0 1 ${px(x)} ${px(y)}`;

/** Around the circle, an arc a sector. */
function stepsOf(sectors, { at, length }) {
  const half = 180 / sectors.length;
  const arcs = sectors.map(({ heading, expected }, i) => {
    const r = length(expected);
    const [x, y] = at(heading - half, r);
    return `${i === 0 ? 'M' : 'L'}${px(x)} ${px(y)}${clockwise(r, at(heading + half, r))}`;
  });
  return `${arcs.join('')}Z`;
}

/** Between a sector's low and high. */
function ringSector({ heading, low, high }, width, { at, length }) {
  const [inner, outer] = [length(low), length(high)];
  const [from, to] = [heading - width / 2, heading + width / 2];
  const [[a, b], [c, d]] = [at(from, outer), at(to, inner)];
  const [e, f] = at(from, inner);
  return `M${px(a)} ${px(b)}${clockwise(outer, at(to, outer))}L${px(c)} ${px(d)}A${px(inner)} ${px(inner)} 0 0 0 ${px(e)} ${px(f)}Z`;
}

function meanLine(heading, { at, radius, size }) {
  const [x, y] = at(heading, radius);
  return svg('line', { class: 'plot-mean', x1: size / 2, y1: size / 2, x2: px(x), y2: px(y) });
}

/** On the rim, pointing the way the wind blows. */
function windArrow({ heading, speed }, { at, radius }) {
  const [tail, neck, tip] = [radius - 20, radius - 9, radius].map((distance) => at(heading, distance));
  const wings = [-1, 1].map((side) => at(heading + side * (260 / radius), radius - 9));
  return svg('g', { class: 'plot-wind' },
    svg('path', { d: through([tail, neck]) }),
    svg('path', { d: `${through([tip, ...wings])}Z` }),
    svg('title', {}, `Wind ${speed.toFixed(1)} m/s toward ${heading.toFixed(0)}°`));
}

function point({ heading, measured, expected }, { name, factor }, { at, length }) {
  const [cx, cy] = at(heading, length(measured)).map(px);
  const words = `toward ${heading}°: measured ${figure(measured * factor)}, expected ${figure(expected * factor)} ${name}/rad`;
  return svg('circle', { cx, cy, r: 3.6, class: 'plot-measured', 'data-value': measured }, svg('title', {}, words));
}
