// The numbers of a chart as a table, made when it is asked for, and as a file.

const MOST_ROWS = 2000;

/** The rows of a chart: a column for each series where these have values at the same places, else a row for each value. */
function rowsOf(data) {
  const shared = data.series.every((each) => new Set(each.x).size === each.x.length && !each.labels && !each.low && !each.high);
  const text = (value, axis) => (axis.categories.length && value !== null ? axis.categories[value] : value);
  const places = [...new Set(data.series.flatMap((each) => each.x))];
  const longest = Math.max(...data.series.map((each) => each.x.length));
  if (shared && places.length <= longest * 1.5) {
    if (!data.x.categories.length) places.sort((a, b) => a - b);
    const columns = data.series.map((each) => new Map(each.x.map((x, i) => [x, each.y[i]])));
    const rows = places.map((x) => [text(x, data.x), ...columns.map((values) => (values.has(x) ? text(values.get(x), data.y) : null))]);
    return [[axisName(data.x), ...data.series.map((each) => each.name)], rows];
  }
  const names = ["low", "high", "labels"].filter((name) => data.series.some((each) => each[name]));
  const titles = { low: "lowest", high: "highest", labels: "note" };
  const rows = data.series.flatMap((each) => each.x.map((x, i) => [each.name, text(x, data.x), text(each.y[i], data.y),
    ...names.map((name) => (each[name] ? each[name][i] : null))]));
  return [["series", axisName(data.x), axisName(data.y), ...names.map((name) => titles[name])], rows];
}

/** Let the disclosure of a figure show the numbers; `id` names the file that can be saved. */
function makeNumbers(details, data, id) {
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("table")) return;
    const [columns, rows] = rowsOf(data);
    const box = add(details, "div", "scroll long");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `Numbers of: ${data.title}`);
    const table = add(box, "table");
    const head = add(add(table, "thead"), "tr");
    columns.forEach((name) => add(head, "th", "", name).setAttribute("scope", "col"));
    const body = add(table, "tbody");
    for (const row of rows.slice(0, MOST_ROWS)) {
      const line = add(body, "tr");
      row.forEach((value) => add(line, "td", typeof value === "number" ? "number" : "", typeof value === "string" ? value : textOf(value)));
    }
    const thinned = data.series.some((each) => each.of);
    if (rows.length > MOST_ROWS || thinned) add(details, "p", "caption", "Not all values are listed here.");
    const save = add(details, "button", "plain", "Save as CSV");
    save.type = "button";
    save.addEventListener("click", () => saveText(`${id}.csv`, csvText([columns, ...rows])));
  });
}

const csvText = (rows) => rows.map((row) => row.map(csvField).join(",")).join("\r\n") + "\r\n";

function csvField(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function saveText(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
