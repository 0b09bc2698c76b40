// From a slider's place to a number and back, and numbers as people read them. A dial from 0 to 10,000 km whose usual value is 150
// is no use on an even slider: there the usual value stands in the middle, and equal ways along it are equal factors.

/** Places on a slider. */
export const PLACES = 1000;

/** A default below this share of the range makes the slider uneven. */
const LOW = 0.03;

/** 1, 2 or 5 times a power of ten, at most `value`. */
function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power;
}

/** A slider's step: some two hundred over its range, but no coarser than a twentieth of its usual value. */
function stepOf({ kind, min, max, default: usual }) {
  if (kind === 'integer') return 1;
  const span = (max - min) / 200;
  return roundStep(usual > min ? Math.min(span, (usual - min) / 20) : span);
}

/** A number with no more digits than it has in f32, and no trailing noise: 0.05, 88, 10000. */
export const plain = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));

/** `{ step, toValue, toPlace }` of a parameter's slider. */
export function scaleOf(parameter) {
  const { kind, min, max, default: usual } = parameter;
  const step = stepOf(parameter);
  const share = (usual - min) / (max - min);
  const bend = share > 0 && share < LOW ? 2 * Math.log(1 / share - 1) : 0;
  const toRaw = bend ? (x) => Math.expm1(bend * x) / Math.expm1(bend) : (x) => x;
  const fromRaw = bend ? (y) => Math.log1p(y * Math.expm1(bend)) / bend : (y) => y;
  // An uneven slider's steps grow with its value: three digits of it are kept.
  const round = (value) => {
    if (kind === 'integer') return Math.round(value);
    if (bend) return Number(value.toPrecision(3));
    return Number((min + Math.round((value - min) / step) * step).toPrecision(6));
  };
  return {
    step,
    toValue: (place) => Math.min(max, Math.max(min, round(min + (max - min) * toRaw(place / PLACES)))),
    toPlace: (value) => Math.round(PLACES * fromRaw(Math.min(1, Math.max(0, (value - min) / (max - min))))),
  };
}

/** Linear light, 0 to 1 a channel, as the `#rrggbb` of a colour picker. */
export function toHex(linear) {
  const channel = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
  const byte = (x) => Math.round(255 * Math.min(1, Math.max(0, channel(x))));
  return `#${linear.map((x) => byte(x).toString(16).padStart(2, '0')).join('')}`;
}

/** The linear light of a colour picker's `#rrggbb`. */
export function fromHex(hex) {
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return [1, 3, 5].map((at) => Number(linear(parseInt(hex.slice(at, at + 2), 16) / 255).toPrecision(4)));
}
