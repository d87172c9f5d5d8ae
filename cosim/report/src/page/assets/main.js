// Everything that depends on what was chosen.
function update() {
  const rows = chosen();
  drawPlot(rows);
  points.fill(rows);
  by("count").textContent = rows.length === data.rows.length ? `${rows.length} rows` : `${rows.length} of ${data.rows.length} rows`;
}

function filters() {
  choice("metric", data.metrics.map(({ name }, n) => [n, name]), (value) => {
    [view.metric, view.zoom, view.read] = [+value, null, null];
    update();
  });
  data.keys.forEach((key, n) => {
    const values = [...new Set(data.curves.map((curve) => curve.values[n]))];
    if (values.length < 2) return;
    choice(key.name, [["", "all"], ...values.map((value) => [value, value])], (value) => {
      [view.choices[n], view.zoom] = [value, null];
      update();
    });
  });
  const states = [...new Set(data.rows.map((row) => row.state))];
  if (states.length > 1) {
    choice("state", [["", "all"], ...states.map((state) => [state, state])], (value) => {
      view.state = value;
      update();
    });
  }
  const words = make("input", { type: "search", id: "search", placeholder: "words of a row" });
  words.addEventListener("input", () => {
    view.text = words.value;
    update();
  });
  by("filters").append(make("label", {}, "search", words));
  by("filters").addEventListener("submit", (event) => event.preventDefault());
}

function main() {
  document.title = `${data.name}: Desvio report`;
  by("name").textContent = data.name;
  by("facts").textContent = data.facts.join("; ");
  const text = ([name, of]) => make("details", {}, make("summary", {}, name), make("pre", { tabindex: 0 }, of));
  by("texts").append(...data.texts.map(text));
  filters();
  listenToPlot();
  listenToMap();
  listenToPoint();
  listenToColumns();
  listenToSave();
  update();
  drawCompared();
  // Of the points with most to show, the last one that kept up with its load.
  const rank = (row) => (row.detail ? 4 + (row.detail.map ? 4 : 0) : 0) + (row.steady ? 2 : 0) + row.load;
  open(data.rows.reduce((best, row) => (rank(row) > rank(best) ? row : best)));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    update();
    drawPoint();
  });
}
main();
