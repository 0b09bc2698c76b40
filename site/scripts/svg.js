// What every drawing here is made with: SVG elements, and axes whose numbers are round. Colours and line widths are the stylesheet's, by class,
// so that a drawing follows the scheme it is seen in.

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A drawing of `width` by `height` CSS pixels, which a screen reader meets as one picture called `label` and described by the element `describedBy`. */
export function picture(width, height, { label, describedBy }, ...children) {
  const drawing = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'plot' }, ...children);
  if (describedBy) drawing.setAttribute('aria-describedby', describedBy);
  return drawing;
}

/** A coordinate as it is written: tenths of a pixel are as fine as a screen shows. */
export const px = (value) => Number(value.toFixed(1));

/** The `d` of a path through `points`. */
export const through = (points) => points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('');

/** Round numbers from a step up to `to`, at most `most` of them: multiples of 1, 2 or 5 times a power of ten. */
export function ticks(to, most) {
  if (!(to > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(to / most));
  const step = [1, 2, 5, 10, 20].map((factor) => factor * power).find((candidate) => to / candidate <= most);
  return Array.from({ length: Math.floor(to / step + 1e-9) }, (_, i) => Number(((i + 1) * step).toPrecision(6)));
}

/** A number for people: three significant digits, without an exponent, and a true minus. */
export function figure(value) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 5e-7) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 6)).replace('-', '−');
}
