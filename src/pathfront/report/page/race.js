// A race: for each method a map of the vertices, coloured in the order in which they were settled, up to a moment.
//
// Several vertices share a pixel. A pixel has the step of the first of its vertices, computed once for each map; a frame
// then is one pass over the pixels, through a table with the colour of each step.

const EMPTY = 256; // a pixel without vertices
const NEVER = 255;
const PLAYING = 9000; // milliseconds from the first moment to the last
const FRESH = 0.03; // the share of a runner's moments that counts as its front

function bytesOf(text, Type) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Type(bytes.buffer);
}

/** Colours as the styles say them, in the theme of the moment, as the words of an image's pixels. */
function themeColours(element) {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const style = element.style;
  const word = (name) => {
    style.color = `var(${name})`;
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = getComputedStyle(element).color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const found = { order: [0, 1, 2, 3, 4].map((i) => word(`--order${i}`)), front: word("--front"), waiting: word("--waiting") };
  style.color = "";
  return found;
}

const packed = ([r, g, b, a]) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

function between(colours, share) {
  const place = Math.min(share, 0.9999) * (colours.length - 1);
  const [i, part] = [Math.floor(place), place % 1];
  return colours[i].map((value, k) => Math.round(value + (colours[i + 1][k] - value) * part));
}

/** The last step of a runner that is not after a moment; -1 before its first one. */
function stepAt(moments, moment) {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

class RaceMap {
  constructor(parent, data, runner, x, y) {
    Object.assign(this, { data, runner, x, y, steps: bytesOf(runner.steps, Uint8Array) });
    const box = add(parent, "div", "map");
    const heading = add(box, "p", "runner");
    add(heading, "strong", "", runner.name);
    this.place = add(heading, "span", "place");
    this.canvas = add(box, "canvas");
    this.readout = add(box, "p", "readout");
    if (runner.facts) add(box, "p", "facts", runner.facts);
    this.end = runner.moments.at(-1);
  }

  /** Find the pixels of all vertices, for the present size of the canvas. */
  layOut(colours) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const { width: share, height: share2 } = this.data;
    const size = Math.min(this.canvas.parentElement.clientWidth / Math.max(share, 0.2), 460 / Math.max(share2, 0.2)) * ratio;
    const dot = Math.max(1, Math.min(9, Math.round(0.9 * Math.sqrt((size * size * Math.max(share * share2, 0.05)) / this.x.length))));
    const [width, height] = [Math.max(24, Math.round(share * size)), Math.max(24, Math.round(share2 * size))];
    Object.assign(this.canvas, { width, height });
    this.canvas.style.width = `${width / ratio}px`;
    this.pixels = new Uint16Array(width * height).fill(EMPTY);
    const scale = (size - dot - 1) / 65535;
    for (let v = 0; v < this.x.length; v++) {
      const [left, top, step] = [Math.round(this.x[v] * scale), Math.round(this.y[v] * scale), this.steps[v]];
      for (let row = top; row < Math.min(top + dot, height); row++) {
        for (let i = row * width + left; i < row * width + Math.min(left + dot, width); i++) {
          if (step < this.pixels[i]) this.pixels[i] = step;
        }
      }
    }
    this.paint = this.canvas.getContext("2d");
    this.image = this.paint.createImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
    this.recolour(colours);
  }

  recolour(colours) {
    const first = this.runner.moments[0];
    const span = this.end - first || 1;
    this.order = this.runner.moments.map((moment) => packed(between(colours.order, (moment - first) / span)));
    [this.front, this.waiting] = [packed(colours.front), packed(colours.waiting)];
  }

  show(moment) {
    const { moments, counts } = this.runner;
    const step = stepAt(moments, moment);
    const done = step === moments.length - 1;
    const fresh = done ? Infinity : moment - FRESH * (this.end - moments[0]);
    const table = new Uint32Array(EMPTY + 1).fill(this.waiting);
    table[EMPTY] = 0;
    for (let i = 0; i <= step; i++) table[i] = moments[i] > fresh ? this.front : this.order[i];
    for (let i = 0; i < this.words.length; i++) this.words[i] = table[this.pixels[i]];
    this.paint.putImageData(this.image, 0, 0);
    const count = step < 0 ? 0 : counts[step];
    const share = Math.floor((100 * count) / this.x.length);
    const when = done ? `, done at ${valueText(this.end, { ...this.data.axis, categories: [] })}` : "";
    this.readout.textContent = `${textOf(count)} settled (${share}%)${when}`;
    return done;
  }
}

/** A place in the race in words. */
function ordinal(i) {
  const ending = i % 10 < 4 && ![11, 12, 13].includes(i % 100) ? 2 * (i % 10) : 0;
  return i + "thstndrd".slice(ending, ending + 2);
}

function makeRace(figure, data) {
  const [x, y] = [bytesOf(data.x, Uint16Array), bytesOf(data.y, Uint16Array)];
  const frame = figure.querySelector(".maps");
  const maps = data.runners.map((runner) => new RaceMap(frame, data, runner, x, y));
  const end = Math.max(...maps.map((map) => map.end)) || 1;
  const controls = figure.querySelector(".controls");
  const play = add(controls, "button", "play", "Play");
  play.type = "button";
  const slider = add(controls, "input");
  const ends = maps.map((map) => map.end).sort((a, b) => a - b);
  const first = Math.round((500 * ends[ends.length >> 1]) / end); // the one in the middle is half done
  Object.assign(slider, { type: "range", min: 0, max: 1000, step: 1, value: first });
  slider.setAttribute("aria-label", `${data.axis.label} in: ${data.title}`);
  const output = add(controls, "output");
  const placeOf = (map) => ordinal(1 + ends.filter((each) => each < map.end).length);

  const show = () => {
    const moment = (slider.value / 1000) * end;
    const text = `${data.axis.label} ${valueText(Number(moment.toPrecision(3)), { ...data.axis, categories: [] })}`;
    output.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    for (const map of maps) map.place.textContent = map.show(moment) && maps.length > 1 ? placeOf(map) : "";
  };
  let running = 0;
  const stop = () => {
    cancelAnimationFrame(running);
    running = 0;
    play.textContent = "Play";
  };
  const start = () => {
    const from = Number(slider.value) >= 1000 ? 0 : Number(slider.value);
    const begin = performance.now();
    const tick = (now) => {
      slider.value = Math.min(1000, from + (1000 * Math.max(0, now - begin)) / PLAYING);
      show();
      if (Number(slider.value) >= 1000) stop();
      else running = requestAnimationFrame(tick);
    };
    play.textContent = "Pause";
    running = requestAnimationFrame(tick);
  };
  play.addEventListener("click", () => (running ? stop() : start()));
  slider.addEventListener("input", () => {
    stop();
    show();
  });
  return {
    draw() {
      const colours = themeColours(frame);
      for (const map of maps) map.layOut(colours);
      show();
    },
    recolour() {
      const colours = themeColours(frame);
      for (const map of maps) map.recolour(colours);
      show();
    },
  };
}
