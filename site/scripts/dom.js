// The three things that every script here does with elements.

/** An element with properties, attributes (names with a hyphen) and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-')) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** Changes a text only where it is another, so that a selection in it and a live region around it are left alone. */
export function setText(home, text) {
  if (home.textContent !== text) home.textContent = text;
}

/** "1 hit", "2 hits". */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
