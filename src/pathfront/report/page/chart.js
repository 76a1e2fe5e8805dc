// A chart: its layout, axes, marks and series. What can be pointed at is returned with its pixels, for hover.js.

const TEXT = 12; // pixels of an axis' text, as in figures.css
const measure = document.createElement("canvas").getContext("2d");

measure.font = `${TEXT}px ${getComputedStyle(document.body).fontFamily}`;
const widths = new Map(); // of texts that were measured, most of which are ticks that return

function textWidth(text) {
  let width = widths.get(text);
  if (width === undefined) widths.set(text, (width = measure.measureText(text).width));
  return width;
}

/** A text that is not wider than some pixels. */
function fitted(text, width) {
  if (textWidth(text) <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${text.slice(0, middle)}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Draw a chart into its frame, without the series whose numbers are in `hidden`. */
function drawChart(frame, data, hidden) {
  const width = Math.max(220, frame.clientWidth);
  const height = Math.max(160, frame.clientHeight);
  frame.replaceChildren();
  const svg = draw(frame, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const series = data.series.filter((each, i) => !hidden.has(i) && each.x.length);
  const above = (data.y.label ? 26 : 10) + (data.marks.some((mark) => mark.x !== null) ? 14 : 0); // names of marks
  const box = { left: 0, right: width - 14, top: above, bottom: height - 24 - (data.x.label ? 18 : 0) };
  const area = layOut(data, series, box);
  drawAxes(svg, data, area);
  drawMarks(svg, data, area);
  const points = [];
  const bars = series.filter((each) => each.kind === "bars");
  for (const each of series) {
    const group = draw(svg, "g", { class: each.published ? "series published" : "series", "data-name": each.name });
    drawSeries(group, each, area, bars.indexOf(each), bars.length, points);
  }
  nameMarks(svg, data, area);
  if (!series.length) draw(svg, "text", { x: width / 2, y: height / 2, class: "empty" }, "All series are hidden.");
  return { svg, area, points, width, height, axis: mainAxis(data, series) };
}

/** Along which axis a tooltip looks for values: both if there are only points. */
function mainAxis(data, series) {
  if (data.y.categories.length) return "y";
  return series.length && series.every((each) => each.kind === "points") && !data.x.categories.length ? "both" : "x";
}

function layOut(data, series, box) {
  const flat = data.y.categories.length > 0; // bars grow to the right
  const ranged = flat ? "x" : "y"; // the axis of the values, and of their ranges
  const values = (name) => series.flatMap((each) => (name === ranged ? [...each[name], ...(each.low || []), ...(each.high || [])] : each[name]));
  const filled = series.some((each) => each.kind === "bars" || each.kind === "area");
  const marked = (name) => data.marks.map((mark) => mark[name]);
  const lines = series.some((each) => each.kind !== "points");
  const bars = flat || data.x.log || data.x.categories.length ? [] : series.filter((each) => each.kind === "bars").flatMap((each) => each.x);
  const gap = bars.length ? narrowest(bars, Math.max(...bars) - Math.min(...bars) || 2) / 2 : 0; // the outer bars are not cut
  const xs = domain(data.x, [...values("x"), ...bars.flatMap((x) => [x - gap, x + gap]), ...marked("x")], { fromZero: flat && filled, room: gap ? 0 : lines && !flat ? 0.015 : 0.05 });
  const ys = domain(data.y, [...values("y"), ...marked("y")], { fromZero: filled && !flat, room: 0.06 });
  const area = { ...box, flat, xAxis: data.x, yAxis: data.y };
  area.y = makeScale(data.y, ...ys, flat ? box.top : box.bottom, flat ? box.bottom : box.top);
  area.yTicks = area.y.ticks(Math.max(2, Math.floor((box.bottom - box.top) / 42)));
  for (const tick of area.yTicks) tick.short = flat ? fitted(tick.text, box.right * 0.4) : tick.text;
  area.left = Math.ceil(Math.max(24, ...area.yTicks.map((tick) => textWidth(tick.short)))) + 10;
  if (data.x.categories.length) turnLabels(data.x, area);
  area.x = makeScale(data.x, ...xs, area.left, area.right);
  if (!area.xTicks) area.xTicks = area.x.ticks(Math.max(2, Math.floor((area.right - area.left) / 64)));
  if (area.turned) area.y = makeScale(data.y, ...ys, area.bottom, area.top);
  return area;
}

/** The names of places beneath an axis: turned where they would not fit, and thinned out where even that is too many. */
function turnLabels(axis, area) {
  const room = (area.right - area.left) / axis.categories.length;
  const widest = Math.max(...axis.categories.map((name) => textWidth(shortened(name, 22))));
  area.turned = widest > room - 8;
  const every = area.turned ? Math.ceil(15 / room) : 1;
  area.xTicks = axis.categories
    .map((text, value) => ({ value, text, short: shortened(text, 22) }))
    .filter((_, i) => i % every === 0);
  if (area.turned) {
    const longest = Math.max(...area.xTicks.map((tick) => textWidth(tick.short)));
    area.bottom -= Math.min(100, longest * 0.68 + 4);
    const first = textWidth(area.xTicks[0].short) * 0.74 - room / 2; // it begins to the left of its place
    area.left = Math.max(area.left, Math.min(first + 6, area.right * 0.3));
  }
}

function drawAxes(svg, data, area) {
  const grid = draw(svg, "g", { class: "grid" });
  const text = draw(svg, "g", { class: "ticks" });
  for (const { value, short, text: full } of area.yTicks) {
    const y = px(area.y.at(value));
    if (!area.flat) draw(grid, "path", { d: `M${area.left} ${y}H${area.right}` });
    const label = draw(text, "text", { x: area.left - 7, y: y + 4, "text-anchor": "end" }, short || full);
    if (short && short !== full) draw(label, "title", {}, full);
  }
  let after = -Infinity; // no text over another one
  for (const { value, short, text: full } of area.xTicks) {
    const x = px(area.x.at(value));
    if (!data.x.categories.length) draw(grid, "path", { d: `M${x} ${area.top}V${area.bottom}` });
    const label = short || full;
    const half = textWidth(label) / 2;
    if (!area.turned && x - half < after) continue;
    const middle = Math.min(x, area.right + 12 - half);
    const place = area.turned ? { transform: `translate(${x + 4} ${area.bottom + 14}) rotate(-42)`, "text-anchor": "end" }
      : { x: middle, y: area.bottom + 17, "text-anchor": "middle" };
    draw(text, "text", place, label);
    after = middle + half + 6;
  }
  const base = area.flat ? px(zeroOf(area.x, data.x, area.left)) : px(zeroOf(area.y, data.y, area.bottom));
  draw(grid, "path", { class: "base", d: area.flat ? `M${base} ${area.top}V${area.bottom}` : `M${area.left} ${base}H${area.right}` });
  const names = draw(svg, "g", { class: "names" });
  draw(names, "text", { x: 0, y: 12 }, fitted(axisName(data.y) + (data.y.log ? ", log scale" : ""), area.right));
  const bottom = Number(svg.getAttribute("height")) - 5;
  draw(names, "text", { x: area.right, y: bottom, "text-anchor": "end" }, fitted(axisName(data.x) + (data.x.log ? ", log scale" : ""), area.right));
}

/** Where the line is drawn on which bars stand: at 0 if that is in sight. */
const zeroOf = (scale, axis, otherwise) => (!axis.log && !axis.categories.length && scale.low < 0 && scale.high > 0 ? scale.at(0) : otherwise);

function drawMarks(svg, data, area) {
  const group = draw(svg, "g", { class: "marks" });
  for (const mark of data.marks) draw(draw(group, "path", { d: markPath(mark, area) }), "title", {}, mark.label);
}

/** The names of marks, over the series; none over another one. */
function nameMarks(svg, data, area) {
  const group = draw(svg, "g", { class: "marks" });
  const taken = [];
  for (const mark of data.marks) {
    const text = fitted(mark.label, (area.right - area.left) * 0.7);
    const width = textWidth(text);
    let [x, y] = [area.right - 4 - width, area.top - 5];
    if (mark.x !== null) {
      x = Math.max(area.left, Math.min(area.x.at(mark.x) - width / 2, area.right - width));
    } else if (mark.y !== null) y = area.y.at(mark.y) - 5;
    else {
      const last = diagonal(area).at(-1) || [area.right, area.top];
      [x, y] = [Math.max(area.left + 4, last[0] - 26 - width), Math.max(area.top + 12, last[1] + 8)];
    }
    while (taken.some(([left, right, other]) => Math.abs(other - y) < 14 && x < right + 6 && left < x + width + 6)) y += 14;
    taken.push([x, x + width, y]);
    draw(group, "text", { x: px(x), y: px(y) }, text);
  }
}

function markPath(mark, area) {
  if (mark.x !== null) return `M${px(area.x.at(mark.x))} ${area.top}V${area.bottom}`;
  if (mark.y !== null) return `M${area.left} ${px(area.y.at(mark.y))}H${area.right}`;
  return linePath(diagonal(area));
}

function diagonal({ x, y, xAxis }) {
  const [low, high] = [Math.max(x.low, y.low), Math.min(x.high, y.high)];
  if (low >= high) return [];
  const between = (i) => (xAxis.log ? low * (high / low) ** (i / 32) : low + ((high - low) * i) / 32);
  return Array.from({ length: 33 }, (_, i) => [x.at(between(i)), y.at(between(i))]);
}

function drawSeries(group, series, area, bar, bars, points) {
  const places = series.x.map((x, i) => placeOf(series, area, x, series.y[i], bar, bars));
  places.forEach((place, i) => {
    if (place) points.push({ series, i, x: place[0], y: place[1] });
  });
  const colour = colourOf(series);
  if (series.kind === "bars") drawBars(group, series, area, places, bars);
  if (series.kind === "area") draw(group, "path", { class: "area", fill: colour, d: areaPath(places, baseOf(area)) });
  if (series.low || series.high) drawRanges(group, series, area, places);
  if (series.kind !== "bars" && series.kind !== "points") {
    draw(group, "path", { class: "line", stroke: colour, "stroke-dasharray": dashesOf(series), d: linePath(places, series.kind === "step") });
  }
  const marked = places.filter(Boolean);
  const few = marked.length <= 40 && marked.length * 9 < (area.right - area.left);
  if (series.kind === "points" || (series.kind !== "bars" && (few || marked.length === 1))) {
    const radius = series.kind === "points" ? (marked.length > 150 ? 2.6 : 3.8) : 3;
    const path = marked.map(([x, y]) => MARKERS[series.colour](x, y, radius)).join("");
    draw(group, "path", { class: "markers", stroke: colour, fill: series.published ? "var(--surface)" : colour, d: path });
  }
}

const baseOf = (area) => (area.yAxis.log ? area.bottom : area.y.at(Math.min(Math.max(0, area.y.low), area.y.high)));

/** The pixels of a value; bars of several series stand side by side. */
function placeOf(series, area, x, y, bar, bars) {
  if (x === null || y === null) return null;
  const shift = series.kind === "bars" ? (bar - (bars - 1) / 2) * barWidth(series, area, bars) : 0;
  return area.flat ? [area.x.at(x), area.y.at(y) + shift] : [area.x.at(x) + shift, area.y.at(y)];
}

function barWidth(series, area, bars) {
  const band = area.flat ? area.y.band : area.x.band || narrowest(series.x.map(area.x.at), area.right - area.left);
  return Math.min(44, (band * 0.78) / bars);
}

function narrowest(places, width) {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return sorted.slice(1).reduce((least, place, i) => Math.min(least, place - sorted[i]), width / 4);
}

function drawBars(group, series, area, places, bars) {
  const half = Math.max(0.5, barWidth(series, area, bars) / 2 - 0.7);
  const zero = area.flat ? (area.xAxis.log ? area.left : area.x.at(Math.max(0, area.x.low))) : baseOf(area);
  const path = places.filter(Boolean).map(([x, y]) => area.flat
    ? `M${px(zero)} ${px(y - half)}H${px(x)}V${px(y + half)}H${px(zero)}Z`
    : `M${px(x - half)} ${px(zero)}V${px(y)}H${px(x + half)}V${px(zero)}Z`).join("");
  draw(group, "path", { class: "bars", stroke: colourOf(series), fill: colourOf(series), d: path });
}

function drawRanges(group, series, area, places) {
  const scale = area.flat ? area.x : area.y;
  const limit = (value, otherwise) => scale.at(value === null || value === undefined ? otherwise : Math.min(Math.max(value, scale.low), scale.high));
  const path = places.map((place, i) => {
    if (!place) return "";
    const own = area.flat ? series.x[i] : series.y[i];
    const [from, to] = [limit(series.low && series.low[i], own), limit(series.high && series.high[i], own)];
    return area.flat ? `M${px(from)} ${px(place[1])}H${px(to)}` : `M${px(place[0])} ${px(from)}V${px(to)}`;
  }).join("");
  draw(group, "path", { class: "range", stroke: series.kind === "bars" ? "var(--ink)" : colourOf(series), d: path });
}
