// The page's side of links: the fragment of the address is the demo's state. What a fragment says is the program's business, which reads
// and writes it (`web/src/link.rs`); this script carries it there and back.
//
// A link is opened when the page is, and whenever somebody puts another one into the address or goes back to one. While the demo runs the
// fragment follows its state, in the same entry of the history: Back leaves the page as it always does. The place of something on the
// page (`#proof`) is no link and opens nothing.

import { element } from './dom.js';

/** How often the fragment follows. Browsers stop pages that change it often; some count 100 in half a minute as that. */
const FOLLOW_MS = 1000;

/** How many frames of the page what was asked for may take to be done before a link is copied without it. */
const SETTLING_FRAMES = 120;

/** Notices that are shown one by one. */
const MOST_SHOWN = 6;

/** More than any link may have: a program is not handed megabytes to say that it is too long. */
const LONGEST = 0x8000;

const isLink = (fragment) => fragment === '' || fragment.includes('=');
const inAddress = () => location.hash.slice(1, LONGEST);

/**
 * Wires links up. `page` is what the page knows of the demo, `home` the live region for notices, `copyButton` the button that copies;
 * `announcer` speaks; `opened({ paused })` is told when another link was opened while the demo runs.
 *
 * Gives `open(program)`, which opens the address's link before the program starts and says whether it is to start paused.
 */
export function wireLinks({ page, home, copyButton, announcer, opened }) {
  /** The fragment of this entry as it was last read or written, and those that were left for a place on the page. */
  let known = inAddress();
  const left = new Set();
  /** The link of the state that the address was last made to show. */
  let followed;

  function open(program) {
    const fragment = inAddress();
    known = fragment;
    left.clear();
    if (!isLink(fragment)) return { paused: false };
    const { link, notices } = JSON.parse(program.open_link(fragment));
    showNotices(notices);
    return { paused: new URLSearchParams(link).get('paused') === 'on' };
  }

  /** The present state's link, or undefined while that is not known. */
  const present = () => (page.failure ? undefined : page.engine?.link());

  function follow() {
    if (document.hidden) return;
    const link = present();
    if (link === undefined) return;
    const fragment = inAddress();
    const shows = link === fragment || (!isLink(fragment) && [undefined, link].includes(followed));
    followed = link;
    if (shows) return;
    history.replaceState(history.state, '', addressOf(link));
    known = link;
  }

  addEventListener('hashchange', () => {
    const fragment = inAddress();
    if (!isLink(fragment)) {
      left.add(known);
      return;
    }
    // Back from a place on the page: the state has gone on since, and the address follows.
    const ours = fragment === known || left.has(fragment);
    known = fragment;
    if (!ours && page.engine) opened(open(page.engine));
  });

  setInterval(follow, FOLLOW_MS);

  // ---- copying -----------------------------------------------------------------------------------------------------------------

  /** What was just asked for may not have been done yet: a frame later it has. A program that does not come to it keeps nobody waiting. */
  async function settled() {
    let link = present();
    for (let frame = 0; link === undefined && page.engine && !page.failure && frame < SETTLING_FRAMES; frame += 1) {
      await new Promise(requestAnimationFrame);
      link = present();
    }
    return link ?? followed ?? '';
  }

  copyButton.addEventListener('click', async () => {
    const url = new URL(addressOf(await settled()), location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      announcer.say('link', () => 'Link copied.');
    } catch {
      offer(url);
    }
  });

  /** A browser may refuse: then the link is there to be copied by hand. */
  function offer(url) {
    const field = element('input', { type: 'text', readOnly: true, value: url, 'aria-label': 'Link to this state' });
    show(element('p', {}, 'The browser did not let the page copy. Here is the link:'), field);
    field.focus();
    field.select();
  }

  // ---- notices -----------------------------------------------------------------------------------------------------------------

  function showNotices(notices) {
    if (notices.length === 0) return home.replaceChildren();
    const more = notices.length - MOST_SHOWN;
    const texts = notices.slice(0, MOST_SHOWN).map(({ text }) => text);
    if (more > 0) texts.push(`And ${more} more like these.`);
    show(element('p', {}, 'Not everything in this link could be used as it stands there.'), element('ul', {}, ...texts.map((text) => element('li', {}, text))));
  }

  function show(...content) {
    const dismiss = element('button', { type: 'button', className: 'small' }, 'Dismiss');
    dismiss.addEventListener('click', () => {
      home.replaceChildren();
      copyButton.focus();
    });
    home.replaceChildren(...content, dismiss);
  }

  return { open: (program) => (inAddress() === '' ? { paused: false } : open(program)) };
}

/** The page's own address with this link, or without any where all is as at the start. */
function addressOf(link) {
  return link ? `#${link}` : location.pathname + location.search;
}
