const compare = (a, b) => {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
};

// A table whose headings sort: columns have a name, what is sorted by (`of`), and what stands there (`text`, or a node).
class Table {
  constructor(table, columns, most = 2000) {
    Object.assign(this, { table, columns, most, column: -1, down: false, rows: [] });
  }
  fill(rows) {
    this.rows = rows;
    this.head();
    this.body();
  }
  head() {
    const cells = this.columns.map(({ name, unit, of }, n) => {
      if (!of) return make("th", { scope: "col" }, name);
      const sorted = n === this.column;
      const button = make("button", { type: "button", title: unit ? `in ${unit}` : "" }, name, sorted ? (this.down ? " ↓" : " ↑") : "");
      button.addEventListener("click", () => this.sort(n));
      return make("th", { scope: "col", "aria-sort": sorted ? (this.down ? "descending" : "ascending") : "none" }, button);
    });
    this.table.tHead.replaceChildren(make("tr", {}, ...cells));
  }
  // Numbers that are not there come last, whichever way it is sorted.
  body() {
    const { of } = this.columns[this.column] || {}, sign = this.down ? -1 : 1;
    const order = (a, b) => (of(a) === null || of(b) === null ? compare(of(a), of(b)) : sign * compare(of(a), of(b)));
    const rows = of ? [...this.rows].sort(order) : this.rows;
    const cell = (row, { text, of: value }) => make("td", {}, text ? text(row) : String(value(row) ?? "–"));
    const lines = rows.slice(0, this.most).map((row) => make("tr", {}, ...this.columns.map((column) => cell(row, column))));
    if (rows.length > this.most) {
      lines.push(make("tr", {}, make("td", { colspan: this.columns.length }, `and ${rows.length - this.most} more: filter`)));
    }
    this.table.tBodies[0].replaceChildren(...lines);
  }
  sort(n) {
    [this.down, this.column] = [this.column === n && !this.down, n];
    this.head();
    this.body();
    this.table.tHead.rows[0].cells[n].firstChild.focus();
  }
}

const opener = (row) => {
  const button = make("button", { type: "button", "aria-label": `open ${rowName(row)}` }, "open");
  button.addEventListener("click", () => open(row, true));
  return button;
};
const isOpen = data.keys.map((_, n) => new Set(data.curves.map((curve) => curve.values[n])).size > 1);
// Metrics that the table has a column of; the others are there for the asking.
const shownMetrics = new Set(data.metrics.map((_, n) => n).filter((n) => n < 2 || data.metrics[n].column === "accepted_min_node"));
const columns = () => [
  ...data.keys.map((key, n) => ({ name: key.name, of: (row) => data.curves[row.curve].values[n] })).filter((_, n) => isOpen[n]),
  { name: "load", of: (row) => row.load },
  { name: "seeds", of: (row) => row.seeds },
  { name: "state", of: (row) => row.state },
  ...data.metrics.map(({ name, unit }, n) => ({ n, name, unit, of: (row) => row.values[n][0], text: (row) => pair(row.values[n]) }))
    .filter(({ n }) => shownMetrics.has(n)),
  { name: "", text: opener },
];
const points = new Table(by("table"), columns());

// A box for each metric, which shows or hides its column.
function listenToColumns() {
  by("columns").append(...data.metrics.map(({ name }, n) => {
    const box = make("input", { type: "checkbox" });
    box.checked = shownMetrics.has(n);
    box.addEventListener("change", () => {
      if (!shownMetrics.delete(n)) shownMetrics.add(n);
      Object.assign(points, { columns: columns(), column: -1 });
      points.fill(points.rows);
    });
    return make("label", {}, box, name);
  }));
}
