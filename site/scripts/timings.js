// The section with the last ten seconds of what a frame takes: a sparkline, the last value, the least and the most, one row each. Frames are
// timed here, from one to the next, because the program's own figure is a running mean that hides the frame that took too long; GPU and
// tick times are the program's. Nothing is noted or drawn while the section is closed.

import { element, setText } from './dom.js';
import { px, svg, through } from './svg.js';

/** How far back a sparkline goes. */
const SPAN_MS = 10_000;

/** How often they are drawn anew; seldom enough to read the numbers. */
const DRAW_MS = 500;

const SIZE = { width: 160, height: 30 };

/** Values of the last ten seconds. */
export class Series {
  #values = [];

  add(time, value) {
    this.#values.push([time, value]);
    while (this.#values[0][0] < time - SPAN_MS) this.#values.shift();
  }

  clear() {
    this.#values = [];
  }

  /** `{ points, last, least, most }`, or null where there are none. */
  get summary() {
    if (this.#values.length === 0) return null;
    const only = this.#values.map(([, value]) => value);
    return { points: this.#values, last: only.at(-1), least: Math.min(...only), most: Math.max(...only) };
  }
}

/**
 * Fills `home`, in the `details` element `section`. `values` maps the names of rows to functions from the program's state to milliseconds,
 * or to what is no number where there are none. Gives `note(state)`, for each new state of the program.
 */
export function wireTimings({ section, home, values }) {
  const rows = new Map(['frame', ...Object.keys(values)].map((name) => [name, makeRow(name)]));
  home.append(element('table', { className: 'timings' },
    element('thead', {}, element('tr', {}, ...['ms', 'last 10 s', 'now', 'least', 'most'].map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...Array.from(rows.values(), ({ root }) => root))));

  let before = null;
  let request = 0;
  function frame(time) {
    // What a hidden tab waited is no frame.
    if (before !== null && !document.hidden) rows.get('frame').series.add(time, time - before);
    before = document.hidden ? null : time;
    request = requestAnimationFrame(frame);
  }

  let timer = 0;
  function follow() {
    clearInterval(timer);
    cancelAnimationFrame(request);
    if (!section.open) return;
    before = null;
    for (const { series } of rows.values()) series.clear();
    request = requestAnimationFrame(frame);
    timer = setInterval(() => rows.forEach(({ draw }) => draw()), DRAW_MS);
  }
  section.addEventListener('toggle', follow);
  document.addEventListener('visibilitychange', () => (before = null));
  follow();

  return {
    note(state) {
      if (!section.open) return;
      for (const [name, read] of Object.entries(values)) {
        const value = read(state);
        if (Number.isFinite(value)) rows.get(name).series.add(performance.now(), value);
      }
    },
  };
}

function makeRow(name) {
  const series = new Series();
  const line = svg('path', { class: 'spark-line' });
  const area = svg('path', { class: 'spark-area' });
  const drawing = svg('svg', { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', class: 'spark' }, area, line);
  const cells = ['last', 'least', 'most'].map((key) => [key, element('td', {}, '–')]);
  const root = element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, drawing), ...cells.map(([, cell]) => cell));
  root.dataset.name = name;

  function draw() {
    const now = series.summary;
    for (const [key, cell] of cells) setText(cell, now ? now[key].toFixed(now[key] < 10 ? 2 : 1) : '–');
    if (!now) return;
    // From nothing, so that a small change looks small.
    const end = now.points.at(-1)[0];
    const x = (time) => SIZE.width * (1 - (end - time) / SPAN_MS);
    const y = (value) => SIZE.height - 1 - (now.most > 0 ? value / now.most : 0) * (SIZE.height - 3);
    const path = through(now.points.map(([time, value]) => [x(time), y(value)]));
    line.setAttribute('d', path);
    area.setAttribute('d', `${path}L${SIZE.width} ${SIZE.height}L${px(x(now.points[0][0]))} ${SIZE.height}Z`);
  }
  return { root, series, draw };
}
