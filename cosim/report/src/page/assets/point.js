const busiest = new Table(by("busiest"), [
  { name: "router", of: ([router]) => router },
  { name: "port", of: ([, port]) => port },
  { name: "class", of: ([, , kind]) => kind },
  { name: "to", of: ([, , , router, node]) => (router === null ? `node ${node}` : `router ${router}`) },
  { name: "busy", of: (link) => link[5], text: (link) => percent(link[5], 2) },
  { name: "name", of: (link) => (link[6] ? `${link[6][0]} → ${link[6][1]}` : null) },
]);
const worst = new Table(by("worst"), [
  { name: "node", of: ([node]) => node },
  { name: "router", of: ([, router]) => router },
  { name: "port", of: ([, , port]) => port },
  { name: "injected", unit: "flits/cycle", of: (node) => node[3], text: (node) => show(node[3]) },
  { name: "longest wait", unit: "cycles", of: (node) => node[4] },
  { name: "name", of: (node) => node[5] },
]);

// Bins of latencies, and how many packets took at least so long.
function drawLatencies({ latencies: flat, quantiles }) {
  const bins = [];
  for (let n = 0; n < flat.length; n += 3) bins.push({ from: flat[n], below: flat[n + 1], packets: flat[n + 2] });
  const all = bins.reduce((sum, { packets }) => sum + packets, 0);
  const density = bins.map(({ from, below: end, packets }) => packets / all / (end - from)), high = Math.max(...density);
  // What is beyond 99.9 % of the packets has no room in the picture.
  const [left, right] = [bins[0].from, quantiles[3]], wide = right - left || 1;
  const frame = new Frame(by("histogram"), [Math.max(0, left - wide * 0.02), right + wide * 0.02], [0, 1.05],
    ["latency in cycles", "bars: packets; line: share that took no longer",
      "Histogram and cumulative share of latencies; the text below has their quantiles"], 24);
  const bar = ({ from, below: end }, n) => {
    const [left, right, top] = [frame.x(from), frame.x(end), frame.y(density[n] / high)].map((at) => at.toFixed(1));
    return `M${left} ${frame.y(0)}V${top}H${right}V${frame.y(0)}Z`;
  };
  let seen = 0;
  const share = bins.map(({ below: end, packets }) => [frame.x(end), frame.y((seen += packets) / all)]);
  frame.inside.append(draw("path", { class: "bars", d: bins.map(bar).join("") }));
  frame.inside.append(draw("path", { class: "share", d: path([[frame.x(left), frame.y(0)], ...share]) }));
  const words = ["half", "90 %", "99 %", "99.9 %", "all"].map((share, n) => `${share} took less than ${quantiles[n]} cycles`);
  by("quantiles").textContent = `Of ${all.toLocaleString("en")} packets: ${words.join("; ")}.`;
}

function drawSeries(windows) {
  const found = windows.filter(([, packets]) => packets > 0), starts = found.map(([start]) => start);
  const high = Math.max(...found.map((window) => window[3]), 0.01);
  const frame = new Frame(by("series"), [Math.min(...starts), Math.max(...starts) + 1], [0, high * 1.08],
    ["cycles since the traffic switched", "misrouted share",
      `Misrouted share against time, from ${percent(found[0][3])} to ${percent(found.at(-1)[3])}`]);
  frame.inside.append(draw("line", { class: "guide", x1: frame.x(0), x2: frame.x(0), y1: frame.box.top, y2: frame.box.bottom }));
  const d = path(found.map(([start, , , share]) => [frame.x(start), frame.y(share)]));
  frame.inside.append(draw("path", { class: "curve", stroke: COLOURS[0], d }));
}

// The lines of a curve's scenario, with the load of this point alone.
const scenarioOf = (row) => (data.curves[row.curve].scenario || [])
  .map((n) => data.lines[n]).map((line) => (line.startsWith("loads = ") ? `loads = [${row.load}]` : line)).join("\n");

function drawPoint() {
  const row = data.rows[view.point], detail = row && row.detail;
  if (!row) return;
  const { network } = data.curves[row.curve];
  const tell = ({ name, unit }, n) => (row.values[n][0] === null ? "" : `${name} ${pair(row.values[n])}${unit && ` ${unit}`}`);
  const told = data.metrics.map(tell).filter(Boolean).join("; ");
  by("point-facts").textContent = `${[network, rowName(row), row.state].filter(Boolean).join(", ")}: ${told}.`;
  by("scenario").querySelector("pre").textContent = scenarioOf(row) || "it cannot be read any more";
  const { map, busiest: links, latencies, series } = detail || { busiest: [], latencies: [], series: [] };
  const has = { network: map, tables: links.length, latency: latencies.length, time: series.length };
  Object.entries(has).forEach(([id, value]) => { by(id).hidden = !value; });
  by("no-details").hidden = Boolean(has.tables);
  if (has.network) {
    const { classes } = data.networks[detail.network], kept = classes.includes(by("class").value) ? by("class").value : "";
    by("class").replaceChildren(make("option", { value: "" }, "all"), ...classes.map((value) => make("option", { value }, value)));
    by("class").value = kept;
    drawMap(detail);
  }
  if (has.tables) {
    busiest.fill(detail.busiest);
    worst.fill(detail.worst);
  }
  if (has.latency) drawLatencies(detail);
  if (has.time) drawSeries(detail.series);
}

// Shows a point, and goes there where that was asked for.
function open(row, go) {
  view.point = data.rows.indexOf(row);
  by("which").value = view.point;
  drawPoint();
  if (go) {
    by("point").scrollIntoView();
    by("which").focus({ preventScroll: true });
  }
}

function copyScenario() {
  const pre = by("scenario").querySelector("pre"), tell = (text) => { by("copied").textContent = text; };
  const mark = () => {
    getSelection().selectAllChildren(pre);
    tell("marked: copy it with the keyboard");
  };
  if (!navigator.clipboard) return mark();
  navigator.clipboard.writeText(pre.textContent).then(() => tell("copied"), mark);
}

function listenToPoint() {
  const note = (row) => (data.leftOut && row.detail && !row.detail.map ? ", without map" : "");
  by("which").append(...data.rows.map((row, value) => make("option", { value }, `${rowName(row)}${note(row)}`)));
  by("which").addEventListener("change", () => open(data.rows[by("which").value]));
  by("class").addEventListener("change", () => drawMap(data.rows[view.point].detail));
  by("copy").addEventListener("click", copyScenario);
}
