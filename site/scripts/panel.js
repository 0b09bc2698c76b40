// A panel of every parameter that a program has: made from the program's own description of them, in folding groups, and kept in step
// with it both ways. Whatever a field asks for, the program decides; where that is not what was asked for, it says why.
//
// Parameters that a program has several times over (`cascade1.wind_speed`, `cascade2.wind_speed`) stand once, and a row of radio
// buttons says whose they are.

import { element } from './dom.js';
import { makeField } from './fields.js';

/** How often what the program has is read, besides after every change made here. */
const READ_MS = 250;

const NUMBERED = /^([a-z]+)(\d+)\.(.+)$/;

/**
 * Builds the panel in `home`. `program` has `parameters()`, `values()` and `set(name, json)`, and `originals()` if undoing goes back to other values than the
 * parameters' defaults; `groups` are `{ name, heading }`, and the one
 * named `open` is where to begin; `many`, if the program has some parameters several times over, is `{ group, prefix, count, label }`: the group they
 * stand in, what they are numbered by, the parameter that says how many there are, and what one of them is called. `say(text)` tells people what the program
 * did not take as asked.
 *
 * Gives `refresh()`, how often to do that (`every`), and `reset()`, which undoes every field there is.
 */
export function buildPanel({ home, program, groups, open, many, say }) {
  const parameters = describe(JSON.parse(program.parameters()), many);
  const headings = new Map(groups.map(({ name, heading }) => [name, heading]));
  const fields = [];
  let chosen = 1;
  let waiting = new Map();

  const isMany = (group) => group === many?.group;
  const nameNow = ({ name, group }) => (isMany(group) ? `${many.prefix}${chosen}.${name}` : name);
  const read = () => JSON.parse(program.values());
  const readOriginals = () => (program.originals ? JSON.parse(program.originals()) : {});

  /** One change a frame and name at most, the last: a slider sends many. */
  function send(name, value, field) {
    if (waiting.size === 0) requestAnimationFrame(flush);
    waiting.set(name, { value, field });
  }

  function flush() {
    const changes = waiting;
    waiting = new Map();
    for (const [name, { value, field }] of changes) {
      const notice = program.set(name, JSON.stringify(value)) ?? null;
      field.say(notice);
      if (notice) say(notice);
    }
    requestAnimationFrame(() => requestAnimationFrame(refresh));
  }

  const undo = ({ parameter, field }) => send(nameNow(parameter), readOriginals()[nameNow(parameter)] ?? parameter.default, field);

  function fieldOf(parameter) {
    const field = makeField(parameter, {
      send: (value) => send(nameNow(parameter), value, field),
      undo: () => undo({ parameter, field }),
    });
    fields.push({ parameter, field });
    return field.root;
  }

  const picker = element('fieldset', { className: 'field which' }, element('legend', {}, many?.label ?? ''));
  function showPicker(count) {
    const radios = () => Array.from(picker.querySelectorAll('input'));
    if (radios().length !== count) {
      picker.replaceChildren(picker.firstChild, ...Array.from({ length: count }, (_, i) => radio(i + 1)));
    }
    chosen = Math.min(chosen, count);
    radios()[chosen - 1].checked = true;
  }
  function radio(n) {
    const input = element('input', { type: 'radio', name: 'which-cascade', value: String(n) });
    input.addEventListener('change', () => {
      chosen = n;
      for (const { field } of fields) field.say(null);
      refresh();
    });
    return element('label', {}, input, ' ', String(n));
  }

  for (const [group, members] of Map.groupBy(parameters, (parameter) => parameter.group)) {
    const body = element('div', { className: 'fields' }, ...(isMany(group) ? [picker] : []), ...members.map(fieldOf));
    const summary = element('summary', {}, element('h3', {}, headings.get(group) ?? group));
    home.append(element('details', { className: 'group', open: group === open }, summary, body));
  }

  /** Puts what the program has into the fields. */
  function refresh() {
    const [values, originals] = [read(), readOriginals()];
    if (many) showPicker(values[many.count] ?? 1);
    for (const { parameter, field } of fields) {
      const name = nameNow(parameter);
      if (name in values && !waiting.has(name)) field.show(values[name], originals[name] ?? parameter.default);
    }
  }

  refresh();
  return { refresh, every: READ_MS, reset: () => fields.forEach(undo) };
}

/** Makes a button show and hide what each dial in `home` does. */
export function wireExplain(button, home) {
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(on));
    home.classList.toggle('explained', on);
  });
}

/** Numbered parameters once, under their names without the number. */
function describe(parameters, many) {
  const seen = new Set();
  return parameters.flatMap((parameter) => {
    const [, , , name] = NUMBERED.exec(parameter.name) ?? [];
    if (!name) return [parameter];
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ ...parameter, name, group: many?.group }];
  });
}
