// Elements of SVG, and the outlines of lines, areas, bars and markers.

const SVG = "http://www.w3.org/2000/svg";

/** A new SVG element within another; the text of a name is only ever text. */
function draw(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

/** A new HTML element within another. */
function add(parent, name, kind = "", text = "") {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

const px = (value) => Math.round(value * 10) / 10;

/** A polygon around (x, y) of the given corners, as multiples of the radius. */
const polygon = (corners) => (x, y, r) =>
  `M${corners.map(([dx, dy]) => `${px(x + dx * r)} ${px(y + dy * r)}`).join("L")}Z`;

const star = Array.from({ length: 10 }, (_, i) => {
  const angle = (Math.PI * i) / 5;
  const length = i % 2 ? 0.6 : 1.35;
  return [length * Math.sin(angle), -length * Math.cos(angle)];
});
const pentagon = star.filter((_, i) => i % 2 === 0).map(([x, y]) => [x * 0.85, y * 0.85]);

/** One marker for each colour: circle, square, diamond, triangle, down, pentagon, cross, star. */
const MARKERS = [
  (x, y, r) => `M${px(x - r)} ${px(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  polygon([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
  polygon([[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]),
  polygon([[0, -1.2], [1.15, 0.9], [-1.15, 0.9]]),
  polygon([[0, 1.2], [1.15, -0.9], [-1.15, -0.9]]),
  polygon(pentagon),
  polygon([[-1.1, -0.4], [-0.4, -0.4], [-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1],
    [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4]]),
  polygon(star),
];

/** A line through points, interrupted where one is missing; as steps if asked to. */
function linePath(points, steps = false) {
  let path = "";
  let last = null;
  for (const point of points) {
    if (point === null) {
      last = null;
      continue;
    }
    const [x, y] = point;
    if (last === null) path += `M${px(x)} ${px(y)}`;
    else if (steps) path += `H${px(x)}V${px(y)}`;
    else path += `L${px(x)} ${px(y)}`;
    last = point;
  }
  return path;
}

/** The areas between a line and a base, one for each piece of the line. */
function areaPath(points, base) {
  let path = "";
  let piece = [];
  for (const point of [...points, null]) {
    if (point !== null) {
      piece.push(point);
      continue;
    }
    if (piece.length) path += `${linePath(piece)}V${px(base)}H${px(piece[0][0])}Z`;
    piece = [];
  }
  return path;
}

const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const PUBLISHED = "5 4";

/** The dashes of a series: those of published ones, or of the turn in which its colour is used again. */
const dashesOf = (series) => (series.published ? PUBLISHED : DASHES[series.turn % DASHES.length]);
const colourOf = (series) => `var(--s${series.colour})`;

/** The sign of a series in legends and tooltips. */
function swatch(parent, series) {
  const svg = draw(parent, "svg", { class: "swatch", width: 22, height: 12, viewBox: "0 0 22 12", "aria-hidden": "true" });
  const paint = { stroke: colourOf(series), fill: series.published ? "var(--surface)" : colourOf(series) };
  if (series.kind === "bars") {
    draw(svg, "rect", { ...paint, x: 5, y: 1, width: 12, height: 10, rx: 1.5, "stroke-width": 1.5, "stroke-dasharray": series.published ? "3 2" : "" });
    return;
  }
  if (series.kind !== "points") {
    draw(svg, "path", { d: "M0 6H22", stroke: paint.stroke, "stroke-width": 2, "stroke-dasharray": dashesOf(series) });
  }
  draw(svg, "path", { ...paint, d: MARKERS[series.colour](11, 6, 4), "stroke-width": 1.5 });
}
