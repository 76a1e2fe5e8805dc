// The page: draws figures, first those in sight, and makes the theme, the legends, the tables and the contents work.

const figures = new Map(); // each figure's functions: draw, and recolour where the styles cannot do that

function dataOf(figure) {
  return JSON.parse(figure.querySelector("script[type='application/json']").textContent);
}

/** Make the figure of a chart; its numbers are read when it is drawn first. */
function makeChart(figure) {
  const frame = figure.querySelector(".plot");
  const hidden = new Set();
  let data = null;
  let state = null;
  let hide = () => {};
  const redraw = () => {
    if (!data) {
      data = dataOf(figure);
      makeLegend(figure.querySelector(".legend"), data, hidden, redraw);
      makeNumbers(figure.querySelector(".numbers"), data, figure.id);
      hide = makeHover(frame, data, () => state);
    }
    hide();
    state = drawChart(frame, data, hidden);
    figure.dataset.drawn = String(state.points.length);
  };
  return { draw: redraw };
}

function makeLegend(legend, data, hidden, redraw) {
  if (data.series.length === 1 && !data.series[0].published) return;
  data.series.forEach((series, i) => {
    const button = add(legend, "button");
    button.type = "button";
    swatch(button, series);
    add(button, "span", "", series.name);
    if (!series.x.length) {
      button.disabled = true;
      button.title = "no values";
      return;
    }
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      if (!hidden.delete(i)) hidden.add(i);
      button.setAttribute("aria-pressed", String(!hidden.has(i)));
      redraw();
    });
  });
}

function makeFigures() {
  for (const figure of document.querySelectorAll("figure.chart")) figures.set(figure, makeChart(figure));
  for (const figure of document.querySelectorAll("figure.race")) {
    const race = { draw: () => Object.assign(race, makeRace(figure, dataOf(figure))).draw() };
    figures.set(figure, race);
  }
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const figure = target.closest("figure");
      if (figure.dataset.width !== String(Math.round(contentRect.width))) drawFigure(figure);
    }
  });
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) first(target);
  }, { rootMargin: "600px" });
  const first = (figure) => {
    if (figure.dataset.drawn !== undefined) return;
    sight.unobserve(figure);
    drawFigure(figure);
    sizes.observe(frameOf(figure));
  };
  for (const figure of figures.keys()) sight.observe(figure);
  window.addEventListener("beforeprint", () => [...figures.keys()].forEach(first));
  drawRest([...figures.keys()], first);
}

const frameOf = (figure) => figure.querySelector(".plot, .maps");

function drawFigure(figure) {
  figure.dataset.width = String(Math.round(frameOf(figure).clientWidth));
  figure.dataset.drawn ??= "";
  figures.get(figure).draw();
}

/** Draw what is out of sight while nothing else is to do; then the page says that all is drawn. */
function drawRest(waiting, first) {
  const idle = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 16));
  const work = (deadline) => {
    do {
      if (!waiting.length) {
        document.documentElement.dataset.ready = "all";
        return;
      }
      first(waiting.shift());
    } while (deadline.timeRemaining() > 2);
    idle(work);
  };
  idle(work);
}

function makeTheme() {
  const button = document.getElementById("page--theme");
  const preferred = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const stored = () => {
    try {
      return localStorage.getItem("pathfront-theme");
    } catch {
      return null; // pages in files may have no storage
    }
  };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    const dark = (root.dataset.theme || (preferred.matches ? "dark" : "light")) === "dark";
    button.lastChild.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    for (const figure of figures.values()) figure.recolour?.();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const theme = button.lastChild.textContent.toLowerCase();
    try {
      localStorage.setItem("pathfront-theme", theme);
    } catch {
      // it is kept while the page is open
    }
    apply(theme);
  });
  preferred.addEventListener("change", () => apply(root.dataset.theme));
  apply(stored());
}

/** Let the titles of columns sort the rows of a table, numbers by their values. */
function makeTable(table) {
  const heads = [...table.querySelectorAll("thead th")];
  const body = table.tBodies[0];
  if (body.rows.length < 3) return;
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].sort((a, b) => compareCells(a.cells[i], b.cells[i], down ? -1 : 1)));
    });
  });
}

/** Rows without a value come last in either direction. */
function compareCells(a, b, sign) {
  const [first, second] = [a, b].map((cell) => (cell.dataset.value === undefined ? NaN : Number(cell.dataset.value)));
  if (Number.isNaN(first) && Number.isNaN(second)) {
    const missing = [a, b].map((cell) => cell.textContent === NOTHING);
    return missing[0] - missing[1] || sign * a.textContent.localeCompare(b.textContent, "en", { numeric: true });
  }
  return Number.isNaN(first) - Number.isNaN(second) || sign * (first - second);
}

/** Mark in the contents which part is being read. */
function makeContents() {
  const details = document.querySelector(".contents details");
  const wide = window.matchMedia("(min-width: 1100px)");
  const fold = () => (details.open = wide.matches);
  wide.addEventListener("change", fold);
  fold();
  const links = [...document.querySelectorAll(".contents li > a")];
  const parts = links.map((link) => [link, document.getElementById(link.hash.slice(1))]);
  const mark = () => {
    const passed = parts.filter(([, part]) => part.getBoundingClientRect().top < 140).map(([link]) => link);
    const read = passed.at(-1) || links[0];
    const outer = read.closest("ol ol")?.previousElementSibling;
    for (const link of links) {
      if (link === read || link === outer) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let waiting = false;
  window.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  }, { passive: true });
  mark();
}

makeFigures();
makeTheme();
makeContents();
document.querySelectorAll(".table table").forEach(makeTable);
window.addEventListener("pointerdown", (event) => event.target.closest(".plot") || hideTooltip());
