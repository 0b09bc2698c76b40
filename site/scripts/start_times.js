// How long each part of a demo's start takes, one after the other: for `window.NAME.timings`, and as measures in the browser's own timeline.

/** In the order in which they follow each other. What each is, the notes pages say. */
const PARTS = ['page', 'adapter', 'download', 'compile', 'instantiate', 'start', 'first_frame'];

export class StartTimes {
  #name;
  #since = null;

  /** Milliseconds by part, `null` for what is not over. */
  times = Object.freeze(Object.fromEntries(PARTS.map((part) => [part, null])));

  constructor(name) {
    this.#name = name;
  }

  /** Begins, the first time at the moment when the browser began with the page. */
  begin() {
    const first = this.times.page === null;
    this.#since = first ? 0 : performance.now();
    if (first) this.lap('page');
  }

  /** `part` is over, and the next begins. Nothing, after `stop`. */
  lap(part) {
    if (this.#since === null) return;
    const now = performance.now();
    performance.measure(`${this.#name} ${part}`, { start: this.#since, end: now });
    this.times = Object.freeze({ ...this.times, [part]: now - this.#since });
    this.#since = now;
  }

  /** It started, or will not: what comes later is no part of it. */
  stop() {
    this.#since = null;
  }
}
