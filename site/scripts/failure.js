// The page that stands where the picture would, when there can be none: what happened, what to do about it, a line to copy for
// whoever is asked for help, and a still of what would have been seen. One table of words, one function that shows them.

import { element } from './dom.js';

const RELOAD = 'Try again';

/**
 * Each kind: a title, what happened, what to do (a list), and what its button does: `reload` the page, `retry` the download past
 * the cache, `restart` the engine with its state kept, or nothing. `{kept}` and `{anew}` are the demo's own words.
 */
export const FAILURES = {
  'no-webgpu': {
    title: 'This browser has no WebGPU',
    what: 'The demo draws with WebGPU, and this browser does not offer it.',
    todo: ['Open this page in a current Chrome, Edge, Firefox or Safari.', 'If it is one of these, WebGPU may be switched off in its settings, or by whoever looks after it.'],
  },
  'insecure-context': {
    title: 'This address is not secure',
    what: 'Browsers offer WebGPU only over https, or from this very machine.',
    todo: ['Open the same page with https:// in front.', 'If you serve it yourself, open it as http://localhost on the machine that serves it.'],
  },
  'no-adapter': {
    title: 'No GPU was offered',
    what: 'This browser has WebGPU, but found no graphics adapter that it trusts with it.',
    todo: ['Update the graphics driver, and the browser.', 'Switch on hardware acceleration in the browser’s settings, then restart it.', 'On a remote desktop or in a virtual machine there may be no GPU to offer.'],
    button: 'reload',
  },
  'no-device': {
    title: 'The GPU refused to be used',
    what: 'There is a graphics adapter, but it gave the demo no device. It may have just failed, or be in use by something that does not share.',
    todo: ['Try again in a moment.', 'Close other tabs or programs that draw a lot.', 'Restart the browser, and update the graphics driver.'],
    button: 'reload',
  },
  limit: {
    title: 'The GPU offers too little',
    what: 'A limit of this graphics adapter is below what the demo needs. The line below names it.',
    todo: ['Update the graphics driver, and the browser.', 'If the machine has a second GPU, let the browser use that one.'],
    button: 'reload',
  },
  download: {
    title: 'The demo did not arrive',
    what: 'A file of the demo is missing or came incomplete. The line below says which.',
    todo: ['Check the connection and try again.', 'If it keeps happening, the site is incomplete: tell whoever runs it.'],
    button: 'retry',
  },
  integrity: {
    title: 'The demo arrived changed',
    what: 'A file is not the one that was published, so none of it was run. An old copy in a cache does this, and so does anything that rewrites pages on the way.',
    todo: ['Try again, which goes past the browser’s cache.', 'If it keeps happening, something between you and the site changes files.'],
    button: 'retry',
  },
  compile: {
    title: 'This browser cannot run the demo’s program',
    what: 'The file arrived as it was published, but the browser’s WebAssembly engine refused it.',
    todo: ['Update the browser, or open the page in another one.'],
    button: 'reload',
  },
  start: {
    title: 'The demo did not start',
    what: 'The program was loaded, and failed before its first picture. That is a fault in the demo, not in anything you did.',
    todo: ['Try again.', 'If it keeps happening, the line below is what its makers need.'],
    button: 'reload',
  },
  panic: {
    title: 'The demo stopped',
    what: 'The program met something it did not expect and gave up. That is a fault in the demo, not in anything you did.',
    todo: ['Try again: it starts with {anew}.', 'If it keeps happening, the line below is what its makers need.'],
    button: 'reload',
  },
  'gpu-error': {
    title: 'The GPU refused something',
    what: 'The browser’s WebGPU reported an error that the demo cannot draw past. {kept}',
    todo: ['Restart the picture with Enter or R.', 'If it keeps happening, reload the page; the line below is what its makers need.'],
    button: 'restart',
  },
  'device-lost': {
    title: 'The GPU went away',
    what: 'The browser took the graphics device back. A driver update, a sleeping laptop or another program can cause it. {kept}',
    todo: ['Press Enter or R, or the button, to go on where you were.'],
    button: 'restart',
  },
  'out-of-memory': {
    title: 'The GPU is out of memory',
    what: 'There was not enough graphics memory for the next picture. {kept}',
    todo: ['Close other tabs or programs that draw a lot.', 'Then press Enter or R, or the button, to go on where you were.'],
    button: 'restart',
  },
};

const LABELS = { reload: RELOAD, retry: RELOAD, restart: 'Restart' };

/**
 * Shows the failure `kind` in `section`. `words` are the demo's own (`kept`, `anew`); `actions` has a function for each button
 * (`reload`, `retry`, `restart`); `links` are the ways out that every failure page keeps; `still` is the picture's URL and text. Gives
 * what the button does, or null where there is none.
 */
export function showFailure(section, kind, message, { words: own, actions, links, still }) {
  const words = FAILURES[kind] ?? FAILURES.start;
  const filled = (text) => text.replace(/\{(kept|anew)\}/g, (_, name) => own[name]);
  // Those that restart say it in their own words.
  const keys = ['reload', 'retry'].includes(words.button) ? [element('li', {}, 'To try again, press the button, or Enter, or R.')] : [];
  const text = element('div', { className: 'curtain-text' });
  text.append(
    element('h2', {}, words.title),
    element('p', {}, filled(words.what)),
    element('ul', {}, ...words.todo.map((step) => element('li', {}, filled(step))), ...keys),
    element('p', { className: 'technical' }, element('code', {}, `${kind}: ${message || 'the browser says no more'}`)),
  );
  const row = element('p', { className: 'row' });
  if (words.button) {
    const button = element('button', { type: 'button', className: 'primary', id: 'failure-button' }, LABELS[words.button]);
    button.setAttribute('aria-keyshortcuts', 'Enter R');
    button.addEventListener('click', () => actions[words.button]());
    row.append(button);
  }
  row.append(...links.map(({ href, label }) => element('a', { href, className: 'button' }, label)));
  text.append(row);

  section.replaceChildren(
    element('img', { src: still.src, alt: still.alt, width: 1280, height: 720 }),
    text,
  );
  section.dataset.failure = kind;
  section.setAttribute('role', 'alert');
  section.setAttribute('aria-label', words.title);
  section.hidden = false;
  return actions[words.button] ?? null;
}

export function hideFailure(section) {
  section.hidden = true;
  section.replaceChildren();
  delete section.dataset.failure;
  section.removeAttribute('role');
  section.removeAttribute('aria-label');
}
