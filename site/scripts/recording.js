// What has happened to the blood, as something to keep and to send: a link and a file, and their replay with the digests side by side. What is recorded,
// and whether a recording can be played, the program decides; here are the buttons and what they say.

import { count, setText } from './dom.js';

const id = (name) => document.getElementById(name);
const whole = new Intl.NumberFormat('en');

/**
 * Wires the section up. `engine()` gives the running program or null, `state()` its state, `say(sentence)` tells people who listen. Gives `show(state)`.
 */
export function wireRecording({ engine, state, say }) {
  const buttons = { copy: id('recording-copy'), replay: id('recording-replay'), save: id('recording-save'), load: id('recording-load') };

  function notice(text) {
    id('recording-notice').textContent = text;
    id('recording-notice').hidden = !text;
  }

  /** Plays a recording's text. It is meant to be watched, so the clock runs. */
  function play(text) {
    const { ok, error } = JSON.parse(engine().open_script(text));
    notice(ok ? '' : error.text);
    if (ok && state()?.paused) engine().act('pause');
  }

  buttons.replay.addEventListener('click', () => {
    const text = engine()?.recording();
    if (text) play(text);
  });

  buttons.copy.addEventListener('click', async () => {
    if (!engine()) return;
    const { link, error } = JSON.parse(engine().recording_link());
    if (error) return notice(error.text);
    const field = id('recording-link');
    field.value = new URL(`#${link}`, location.href).href;
    field.closest('p').hidden = false;
    try {
      await navigator.clipboard.writeText(field.value);
      notice(`Copied, ${whole.format(field.value.length)} characters.`);
    } catch {
      // No permission, or no secure address: then it is copied by hand.
      field.focus();
      field.select();
      notice('This browser does not let the page copy. The link is below, selected.');
    }
  });

  buttons.save.addEventListener('click', () => {
    const text = engine()?.recording();
    if (!text) return;
    const link = Object.assign(document.createElement('a'), {
      href: URL.createObjectURL(new Blob([text], { type: 'application/json' })),
      download: `wetmap_paint-${JSON.parse(text).expect[0].digest}.json`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });

  buttons.load.addEventListener('click', () => id('recording-file').click());
  id('recording-file').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (!file || !engine()) return;
    try {
      // One byte past the longest is enough to be told that it is too long.
      play(await file.slice(0, engine().max_file_bytes() + 1).text());
    } catch (error) {
      notice(`The file could not be read: ${error.message}`);
    }
    // The same file again is a change again.
    target.value = '';
  });

  let told = null;
  function showReplay(replay) {
    id('replay').hidden = !replay;
    if (!replay) return (told = null);
    const { tick, ticks, verdict, expected, actual, refused } = replay;
    id('replay').dataset.ok = String(verdict);
    const progress = id('replay-progress');
    progress.hidden = verdict !== null;
    progress.max = Math.max(1, ticks);
    progress.value = tick;
    const digests = verdict ? 'the digest is the one that was claimed' : 'the digest is not the one that was claimed';
    const meanwhile = refused > 0 ? ' It is not shot at meanwhile; reset to end it.' : '';
    setText(id('replay-result'), verdict === null ? `Replaying, tick ${whole.format(tick)} of ${whole.format(ticks)}.${meanwhile}` : `${verdict ? '✓' : '✗'} Replayed: ${digests}.`);
    setText(id('replay-expected'), expected);
    setText(id('replay-actual'), verdict === null ? '–' : actual || 'never seen');
    if (verdict !== told && verdict !== null) say(`Replayed: ${digests}.`);
    told = verdict;
  }

  return {
    show({ recording, replay }) {
      const { events, ticks, ended } = recording;
      const playing = replay?.verdict === null;
      for (const name of ['copy', 'replay', 'save']) buttons[name].disabled = events === 0 || playing;
      buttons.load.disabled = false;
      const now = events === 0 ? 'Nothing yet: it begins with the first hit.' : `${count(events, 'hit or change', 'hits and changes')} in ${count(ticks, 'tick')}.`;
      setText(id('recording-now'), ended ? `${now} ${ended}` : now);
      showReplay(replay);
    },
  };
}
