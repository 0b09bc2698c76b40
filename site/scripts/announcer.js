// Says what happened to people who listen instead of look: a live region that speaks on events and never on time passing. Events
// close together are told in one sentence each, once they have settled, so holding the trigger is one announcement.

const SETTLE_MS = 700;

export class Announcer {
  #region;
  #pending = new Map();
  #timer = 0;

  constructor(region) {
    this.#region = region;
  }

  /** `sentence()` is asked when it is time to speak; a later one about the same `topic` replaces it. */
  say(topic, sentence) {
    this.#pending.delete(topic);
    this.#pending.set(topic, sentence);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#speak(), SETTLE_MS);
  }

  #speak() {
    const text = Array.from(this.#pending.values(), (sentence) => sentence()).join(' ');
    this.#pending.clear();
    if (text !== this.#region.textContent) this.#region.textContent = text;
  }
}
