// Pointing at values, with the mouse, a finger or the arrow keys: a tooltip with the numbers, and lines that lead to them.

const NEAR = 26; // pixels within which another series' value belongs to the tooltip

const tooltip = document.getElementById("page--tooltip");
let pointed = null; // the figure whose tooltip is shown

/** Let a drawn chart be pointed at; `state()` returns what drawChart returned last. */
function makeHover(frame, data, state) {
  let current = null;
  const show = (point) => {
    current = point;
    pointed = frame;
    showPoint(frame, data, state(), point);
  };
  const hide = () => {
    current = null;
    if (pointed === frame) hideTooltip();
    frame.querySelector(".crosshair")?.remove();
  };
  const follow = (event) => {
    const rect = frame.getBoundingClientRect();
    const point = nearest(state(), event.clientX - rect.left, event.clientY - rect.top);
    if (point) show(point);
  };
  frame.addEventListener("pointermove", follow);
  frame.addEventListener("pointerdown", follow);
  frame.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  frame.addEventListener("blur", hide);
  frame.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const next = step(state(), current, event.key);
    if (!next) return undefined;
    event.preventDefault();
    return show(next);
  });
  return hide;
}

function nearest({ points, axis }, x, y) {
  const weight = axis === "both" ? [1, 1] : axis === "x" ? [1, 0.02] : [0.02, 1];
  let best = null;
  let least = Infinity;
  for (const point of points) {
    const distance = weight[0] * (point.x - x) ** 2 + weight[1] * (point.y - y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

/** The value that a key leads to: left and right within a series, up and down to the next series. */
function step({ points, axis }, current, key) {
  const turn = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (!points.length || (!turn && key !== "Home" && key !== "End")) return null;
  const series = [...new Set(points.map((point) => point.series))];
  const along = axis === "y" ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"];
  const coordinate = axis === "y" ? "y" : "x";
  const own = (of) => points.filter((point) => point.series === of).sort((a, b) => a[coordinate] - b[coordinate] || a.i - b.i);
  if (!current || key === "Home") return own(current ? current.series : series[0])[0];
  if (key === "End") return own(current.series).at(-1);
  const mine = own(current.series);
  const i = mine.findIndex((point) => point.i === current.i);
  if (along.includes(key)) return mine[Math.min(mine.length - 1, Math.max(0, i + turn))];
  const other = own(series[(series.indexOf(current.series) + turn + series.length) % series.length]);
  return other.reduce((best, point) => (Math.abs(point[coordinate] - current[coordinate]) < Math.abs(best[coordinate] - current[coordinate]) ? point : best));
}

/** The values that one tooltip shows: of each series the nearest one to the chosen. */
function together({ points, axis }, chosen) {
  if (axis === "both") return [chosen];
  const best = new Map();
  for (const point of points) {
    const distance = axis === "x" ? Math.abs(point.series.x[point.i] === chosen.series.x[chosen.i] ? 0 : point.x - chosen.x)
      : (point.series.y[point.i] === chosen.series.y[chosen.i] ? 0 : Math.abs(point.y - chosen.y));
    const before = best.get(point.series);
    const exact = point.series.kind === "bars" || point.series.kind === "points" || axis === "y";
    if (distance <= (exact ? 0 : NEAR) && (!before || distance < before.distance)) best.set(point.series, { point, distance });
  }
  best.set(chosen.series, { point: chosen });
  return [...new Set(points.map((point) => point.series))].filter((series) => best.has(series)).map((series) => best.get(series).point);
}

function showPoint(frame, data, state, chosen) {
  const found = together(state, chosen);
  frame.querySelector(".crosshair")?.remove();
  const group = draw(state.svg, "g", { class: "crosshair" });
  const { area, axis } = state;
  const [x, y] = [px(chosen.x), px(chosen.y)];
  if (axis !== "y") draw(group, "path", { d: `M${x} ${area.top}V${area.bottom}` });
  if (axis !== "x") draw(group, "path", { d: `M${area.left} ${y}H${area.right}` });
  for (const point of found) {
    draw(group, "circle", { cx: px(point.x), cy: px(point.y), r: point === chosen ? 5.5 : 4.5, fill: colourOf(point.series) });
  }
  fillTooltip(data, axis, found, chosen);
  const rect = frame.getBoundingClientRect();
  placeTooltip(rect.left + chosen.x, rect.top + Math.min(chosen.y, ...found.map((point) => point.y)));
}

function fillTooltip(data, axis, found, chosen) {
  tooltip.replaceChildren();
  const [key, value] = axis === "y" ? [data.y, data.x] : [data.x, data.y];
  const [keys, values] = axis === "y" ? ["y", "x"] : ["x", "y"];
  const at = chosen.series[keys][chosen.i];
  const heading = key.categories.length ? key.categories[at] : `${key.label} ${valueText(at, key)}`.trim();
  add(tooltip, "p", "at", heading);
  for (const { series, i } of found.slice(0, 12)) {
    const row = add(tooltip, "p", "row");
    swatch(row, series);
    add(row, "span", "who", series.name);
    add(row, "strong", "", valueText(series[values][i], value));
    const parts = [];
    if (series[keys][i] !== at) parts.push(`at ${valueText(series[keys][i], key)}`);
    if (series.low || series.high) parts.push(rangeText(series, i, value));
    if (series.labels && series.labels[i]) parts.push(series.labels[i]);
    if (parts.length) add(tooltip, "p", "more", parts.join(" · "));
  }
  if (found.length > 12) add(tooltip, "p", "more", `and ${found.length - 12} more series`);
}

function rangeText(series, i, axis) {
  const ends = [series.low, series.high].map((values) => valueText(values ? values[i] : null, axis));
  return `range ${ends[0]} to ${ends[1]}`;
}

/** Show the tooltip beside a place, to the right if there is room, never beyond the edges of the window. */
function placeTooltip(x, y) {
  tooltip.hidden = false;
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const limit = document.documentElement.clientWidth;
  const beside = x + 16 + width < limit - 6 ? x + 16 : x - 16 - width;
  tooltip.style.left = `${Math.max(6, beside) + window.scrollX}px`;
  tooltip.style.top = `${Math.max(6, y - height / 2) + window.scrollY}px`;
}

function hideTooltip() {
  tooltip.hidden = true;
  pointed = null;
}
