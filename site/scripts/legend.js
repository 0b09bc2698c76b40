// The legend on the demo's page is the notes page's table, fetched and copied, so that it is written once. The buttons get the
// names of their keys from it too.

/** The legend's sentence and rows, read from the notes page. */
export async function readLegend(notesUrl, demo) {
  const response = await fetch(notesUrl);
  if (!response.ok) throw new Error(`${notesUrl.pathname}: HTTP ${response.status}`);
  const notes = new DOMParser().parseFromString(await response.text(), 'text/html');
  const section = notes.getElementById(`notes-${demo}`);
  const table = section.querySelector('table');
  return {
    summary: section.querySelector('p'),
    table,
    keys: new Map(Array.from(table.querySelectorAll('tr[data-action]'), (row) => [row.dataset.action, { key: row.dataset.key, name: row.querySelector('kbd').textContent }])),
  };
}

/** Puts a copy of the legend's table into `home` and its sentence into `hint`, and names each button's key. */
export function showLegend({ summary, table, keys }, { home, hint, buttons }) {
  const copy = document.importNode(table, true);
  copy.removeAttribute('id');
  home.replaceChildren(copy);
  hint.replaceChildren(...document.importNode(summary, true).childNodes);
  for (const button of buttons) {
    const key = keys.get(button.dataset.action);
    if (!key) continue;
    const cap = document.createElement('kbd');
    cap.textContent = key.name;
    cap.setAttribute('aria-hidden', 'true');
    button.append(' ', cap);
    button.setAttribute('aria-keyshortcuts', key.key === ' ' ? 'Space' : key.key);
  }
}
