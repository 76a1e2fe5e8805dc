// Numbers in words, and scales: from values to pixels and to the ticks of an axis.

const NOTHING = "–";

/** A number with four significant digits; the same function as `text_of` in numbers.py. */
function textOf(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NOTHING;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  return (value < 0 ? "−" : "") + plain(size);
}

function plain(size) {
  if (size === 0) return "0";
  if (size >= 1e15 || size < 1e-4) return power(size);
  if (Number.isInteger(size) || size >= 999.95) return grouped(Math.round(size));
  const digits = 3 - Math.floor(Math.log10(size));
  return trimmed(size.toFixed(digits));
}

function power(size) {
  const [mantissa, exponent] = size.toExponential(3).split("e");
  return `${trimmed(mantissa)}e${Number(exponent)}`;
}

const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const grouped = (whole) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

const LARGE = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];

/** The text of a tick: short, with a prefix where the number is large, or a smaller unit of time. */
function tickText(value, axis) {
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (axis.unit === "s" && size < 0.9995) {
    const [factor, unit] = TIMES.find(([each]) => size >= each * 0.9995) || TIMES[3];
    return `${sign}${trimmed((size / factor).toPrecision(3))} ${unit}`;
  }
  if (size >= 1e15 || size < 1e-4) return sign + power(size);
  const [factor, prefix] = size >= 1e4 ? LARGE.find(([each]) => size >= each * 0.9995) : [1, ""];
  return sign + trimmed(String(Number((size / factor).toPrecision(4)))) + prefix;
}

/** The name of an axis with its unit; ticks of times carry units of their own. */
const axisName = (axis) => (axis.unit ? `${axis.label} (${axis.unit})` : axis.label);

/** A value on an axis in words: the name of a place, or a number with its unit. */
function valueText(value, axis) {
  if (value === null || value === undefined) return NOTHING;
  if (axis.categories.length) return axis.categories[value];
  if (!axis.unit) return textOf(value);
  if (axis.unit === "s" && value !== 0 && Math.abs(value) < 1) {
    const [factor, unit] = TIMES.find(([each]) => Math.abs(value) >= each) || TIMES[3];
    return `${textOf(Number((value / factor).toPrecision(9)))} ${unit}`;
  }
  return `${textOf(value)}${axis.unit === "%" || axis.unit === "×" ? "" : " "}${axis.unit}`;
}

/** The scale of an axis for values between low and high, from one pixel to another. */
function makeScale(axis, low, high, from, to) {
  if (axis.categories.length) return bandScale(axis, from, to);
  return axis.log ? logScale(axis, low, high, from, to) : linearScale(axis, low, high, from, to);
}

function bandScale(axis, from, to) {
  const step = (to - from) / axis.categories.length;
  return {
    at: (place) => from + (place + 0.5) * step,
    band: Math.abs(step),
    low: 0,
    high: axis.categories.length - 1,
    ticks: () => axis.categories.map((text, value) => ({ value, text })),
  };
}

function linearScale(axis, low, high, from, to) {
  const span = high - low;
  return {
    at: (value) => from + ((value - low) / span) * (to - from),
    low,
    high,
    ticks: (count) => named(linearTicks(low, high, count), axis),
  };
}

/** Multiples of 1, 2 or 5 times a power of ten, not many more than `count`. */
function linearTicks(low, high, count) {
  const step = niceStep((high - low) / Math.max(1, count));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** Ticks with their texts: all digits where values have many in common. */
function named(values, axis) {
  const ticks = values.map((value) => ({ value, text: tickText(value, axis) }));
  if (new Set(ticks.map((tick) => tick.text)).size < ticks.length) {
    for (const tick of ticks) tick.text = String(tick.value).replace("-", "−");
  }
  return ticks;
}

function niceStep(rough) {
  const base = 10 ** Math.floor(Math.log10(rough));
  return base * [1, 2, 5, 10].find((factor) => factor * base >= rough * 0.999);
}

function logScale(axis, low, high, from, to) {
  const start = Math.log10(low);
  const span = Math.log10(high) - start;
  return {
    at: (value) => from + ((Math.log10(value) - start) / span) * (to - from),
    low,
    high,
    ticks(count) {
      const sets = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map((factors) => logTicks(low, high, factors));
      const fitting = sets.find((each) => each.length <= count + 1 && each.length > 1) || sets[3];
      const every = Math.ceil(fitting.length / (count + 1));
      return named(fitting.length > 1 ? fitting.filter((_, i) => i % every === 0) : linearTicks(low, high, count), axis);
    },
  };
}

function logTicks(low, high, factors) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const factor of factors) {
      const value = Number(`${factor}e${power}`);
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
}

/** The ends of an axis: some room around points, whole ticks beneath bars, 0 where it is not far away. */
function domain(axis, values, { fromZero = false, room = 0 }) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined || (axis.log && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return axis.log ? [1, 10] : [0, 1];
  if (axis.log) {
    if (low === high) return [low / 2, high * 2];
    const margin = (high / low) ** Math.max(room, fromZero ? 0.08 : 0);
    return [low / margin, high * margin ** 0.7];
  }
  if (fromZero || (low > 0 && low < 0.6 * high && room)) low = Math.min(0, low);
  if (fromZero) high = Math.max(0, high);
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) * 0.2, high + Math.abs(high) * 0.2];
  const margin = (high - low) * room;
  return [low === 0 ? 0 : low - margin, high === 0 ? 0 : high + margin];
}
