// One control of a panel: native inputs with a label, a unit, a button that undoes, and what it does in a sentence. Each kind of
// parameter has its own inputs. A field sends what its user asks for, and shows what the program says it has.

import { element } from './dom.js';
import { fromHex, plain, PLACES, scaleOf, toHex } from './scale.js';

/** A slider over more whole numbers than this would be a lottery: a seed is typed. */
const MOST_WHOLE_NUMBERS = 1_000_000;

/** For so long after its user last moved it, what the program says does not move a slider. */
const SETTLE_MS = 500;

/** The place on the page of a parameter's name, which may have dots in it. */
const idOf = (name) => `dial-${name.replaceAll('.', '-')}`;

/**
 * A field for `parameter`. `send(value)` is called when its user asks for a value, `undo()` for the original one. Gives `root` and
 * `show(value, original)`.
 */
export function makeField(parameter, { send, undo }) {
  const id = idOf(parameter.name);
  const make = KINDS[parameter.kind] ?? float;
  const { label, inputs, show, group = false } = make(parameter, id, send);

  const undoButton = element('button', { type: 'button', className: 'undo', 'aria-label': `Undo ${parameter.label}`, title: 'Undo' }, '↺');
  undoButton.addEventListener('click', () => {
    undo();
    // The button goes when there is nothing left to undo: the focus stays at the field.
    inputs.querySelector('input, select').focus();
  });
  const meaning = element('p', { className: 'meaning', id: `${id}-meaning` }, parameter.meaning);
  const notice = element('p', { className: 'field-notice', hidden: true });
  for (const input of inputs.querySelectorAll('input, select')) input.setAttribute('aria-describedby', meaning.id);
  inputs.append(undoButton);

  const root = element(group ? 'fieldset' : 'div', { className: `field field-${parameter.kind}` }, label, inputs, notice, meaning);
  root.dataset.name = parameter.name;
  return {
    root,
    show(value, original) {
      show(value);
      undoButton.classList.toggle('idle', original === undefined || same(value, original));
      undoButton.disabled = undoButton.classList.contains('idle');
    },
    say(text) {
      notice.textContent = text ?? '';
      notice.hidden = !text;
    },
  };
}

/** Values are JSON: a number, a text, a boolean, or three numbers. */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const unitOf = ({ unit }) => (unit ? [' ', element('span', { className: 'unit' }, unit)] : []);
const labelFor = (id, parameter) => element('label', { htmlFor: id }, parameter.label, ...unitOf(parameter));
const row = (...children) => element('div', { className: 'field-inputs' }, ...children);

/** A typed number. It sends when its user is done, and is not overwritten while they type. */
function typed(properties, send) {
  const input = element('input', { type: 'number', inputMode: 'decimal', ...properties });
  let typing = false;
  let last = '';
  const finish = () => {
    typing = false;
    if (input.value === '') input.value = last;
    else send(Number(input.value));
  };
  input.addEventListener('input', () => (typing = true));
  input.addEventListener('change', finish);
  // A browser tells of no change where the number is the one that stood here before, though the program may have gone on to another since.
  input.addEventListener('blur', () => typing && finish());
  input.addEventListener('keydown', (event) => event.key === 'Enter' && typing && finish());
  return {
    input,
    show(value) {
      last = plain(value);
      if (!typing && input.value !== last) input.value = last;
    },
  };
}

function float(parameter, id, send) {
  const { min, max, step, label, unit, kind } = parameter;
  const entry = typed({ id, min, max, step: String(step) }, send);
  if (kind === 'integer' && max - min > MOST_WHOLE_NUMBERS) return { label: labelFor(id, parameter), inputs: row(entry.input), show: entry.show };

  const scale = scaleOf(parameter);
  const slider = element('input', { type: 'range', min: 0, max: PLACES, step: 1, 'aria-label': `${label}, slider` });
  let moved = -Infinity;
  const tell = (value) => slider.setAttribute('aria-valuetext', `${plain(value)} ${unit}`.trim());
  const move = (value) => {
    moved = performance.now();
    entry.show(value);
    tell(value);
    send(value);
  };
  slider.addEventListener('input', () => move(scale.toValue(Number(slider.value))));
  // An arrow key is one step of the number, not one place of the slider, which may be less than that.
  slider.addEventListener('keydown', (event) => {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = Number(entry.input.value) + way * scale.step;
    const value = Math.min(max, Math.max(min, Number(next.toPrecision(6))));
    slider.value = String(scale.toPlace(value));
    move(value);
  });
  return {
    label: labelFor(id, parameter),
    inputs: row(slider, entry.input),
    show(value) {
      if (performance.now() - moved < SETTLE_MS) return;
      entry.show(value);
      tell(value);
      const place = String(scale.toPlace(value));
      if (slider.value !== place) slider.value = place;
    },
  };
}

function choice(parameter, id, send) {
  const select = element('select', { id }, ...parameter.options.map(({ value, label }) => element('option', { value }, label)));
  select.addEventListener('change', () => send(select.value));
  return {
    label: labelFor(id, parameter),
    inputs: row(select),
    show: (value) => {
      if (select.value !== value) select.value = value;
    },
  };
}

function toggle(parameter, id, send) {
  const box = element('input', { type: 'checkbox', id });
  box.addEventListener('change', () => send(box.checked));
  return { label: labelFor(id, parameter), inputs: row(box), show: (value) => (box.checked = value) };
}

/** Three numbers, red, green and blue. */
function vector(parameter, id, send) {
  const { min, max, step, label } = parameter;
  let current = [0, 0, 0];
  const entries = ['red', 'green', 'blue'].map((channel, i) =>
    typed({ min, max, step: String(step), 'aria-label': `${label}, ${channel}`, className: channel }, (value) =>
      send(current.map((old, j) => (i === j ? value : old)))));
  return {
    group: true,
    label: element('legend', {}, label, ...unitOf(parameter)),
    inputs: row(...entries.map(({ input }) => input)),
    show(value) {
      current = value;
      entries.forEach((entry, i) => entry.show(value[i]));
    },
  };
}

/** A vector that is a colour, in linear light, with a picker that shows it as a screen does. */
function color(parameter, id, send) {
  const numbers = vector(parameter, id, send);
  const picker = element('input', { type: 'color', 'aria-label': `${parameter.label}, picker` });
  picker.addEventListener('input', () => send(fromHex(picker.value)));
  numbers.inputs.prepend(picker);
  return {
    ...numbers,
    show(value) {
      numbers.show(value);
      // Whoever has it open is asked for nothing twice: a picker holds bytes, and would give back its own rounding.
      if (document.activeElement !== picker && picker.value !== toHex(value)) picker.value = toHex(value);
    },
  };
}

const KINDS = { float, integer: float, choice, toggle, vector, color };
