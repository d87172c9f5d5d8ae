const busiest = new Table(by("busiest"), [
  { name: "router", of: ([router]) => router },
  { name: "port", of: ([, port]) => port },
  { name: "class", of: ([, , kind]) => kind },
  { name: "to", of: ([, , , router, node]) => (router === null ? `node ${node}` : `router ${router}`) },
  { name: "busy", of: (link) => link[5], text: (link) => percent(link[5], 2) },
]);
const worst = new Table(by("worst"), [
  { name: "node", of: ([node]) => node },
  { name: "router", of: ([, router]) => router },
  { name: "port", of: ([, , port]) => port },
  { name: "injected", unit: "flits/cycle", of: (node) => node[3], text: (node) => show(node[3]) },
  { name: "longest wait", unit: "cycles", of: (node) => node[4] },
]);

// Bins of latencies, and how many packets took at least so long.
function drawLatencies(flat) {
  const bins = [];
  for (let n = 0; n < flat.length; n += 3) bins.push({ from: flat[n], below: flat[n + 1], packets: flat[n + 2] });
  const all = bins.reduce((sum, { packets }) => sum + packets, 0);
  // The latency that a share of the packets stays below; what is beyond 99.9 % has no room in the picture.
  const below = (share) => {
    let seen = 0;
    return bins.find(({ packets }) => (seen += packets) >= share * all).below;
  };
  const density = bins.map(({ from, below: end, packets }) => packets / all / (end - from)), high = Math.max(...density);
  const [left, right] = [bins[0].from, below(0.999)], wide = right - left || 1;
  const frame = new Frame(by("histogram"), [Math.max(0, left - wide * 0.02), right + wide * 0.02], [0, 1.05],
    ["latency in cycles", "bars: packets; line: share that took no longer",
      "Histogram and cumulative share of latencies; the text below has their quantiles"], 24);
  const bars = bins.map(({ from, below: end }, n) => `M${frame.x(from).toFixed(1)} ${frame.y(0)}V${frame.y(density[n] / high).toFixed(1)}H${frame.x(end).toFixed(1)}V${frame.y(0)}Z`);
  let seen = 0;
  const share = bins.map(({ below: end, packets }) => [frame.x(end), frame.y((seen += packets) / all)]);
  frame.inside.append(draw("path", { class: "bars", d: bars.join("") }));
  frame.inside.append(draw("path", { class: "share", d: path([[frame.x(left), frame.y(0)], ...share]) }));
  const words = [[0.5, "half"], [0.9, "90 %"], [0.99, "99 %"], [0.999, "99.9 %"], [1, "all"]].map(([q, text]) => `${text} took less than ${below(q)} cycles`);
  by("quantiles").textContent = `Of ${all.toLocaleString("en")} packets: ${words.join("; ")}.`;
}

function drawSeries(windows) {
  const found = windows.filter(([, packets]) => packets > 0), starts = found.map(([start]) => start);
  const high = Math.max(...found.map((window) => window[3]), 0.01);
  const frame = new Frame(by("series"), [Math.min(...starts), Math.max(...starts) + 1], [0, high * 1.08],
    ["cycles since the traffic switched", "misrouted share", `Misrouted share against time, from ${percent(found[0][3])} to ${percent(found.at(-1)[3])}`]);
  frame.inside.append(draw("line", { class: "guide", x1: frame.x(0), x2: frame.x(0), y1: frame.box.top, y2: frame.box.bottom }));
  frame.inside.append(draw("path", { class: "curve", stroke: COLOURS[0], d: path(found.map(([start, , , share]) => [frame.x(start), frame.y(share)])) }));
}

// The lines of a curve's scenario, with the load of this point alone.
const scenarioOf = (row) => (data.curves[row.curve].scenario || [])
  .map((n) => data.lines[n]).map((line) => (line.startsWith("loads = ") ? `loads = [${row.load}]` : line)).join("\n");

function drawPoint() {
  const row = data.rows[view.point], detail = row && row.detail;
  if (!row) return;
  const { network } = data.curves[row.curve];
  const told = data.metrics.map(({ name, unit }, n) => (row.values[n][0] === null ? "" : `${name} ${pair(row.values[n])} ${unit}`)).filter(Boolean);
  by("point-facts").textContent = `${[network, rowName(row), row.state].filter(Boolean).join(", ")}: ${told.join("; ")}.`;
  by("scenario").querySelector("pre").textContent = scenarioOf(row) || "it cannot be read any more";
  const has = { network: detail && detail.map, tables: detail && detail.busiest.length, latency: detail && detail.latencies.length, time: detail && detail.series.length };
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
  if (has.latency) drawLatencies(detail.latencies);
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
  const mapped = (row) => (row.detail && row.detail.map ? 1 : 0);
  by("which").append(...data.rows.map((row, value) => make("option", { value }, `${rowName(row)}${mapped(row) ? "" : data.leftOut && row.detail ? ", without map" : ""}`)));
  by("which").addEventListener("change", () => open(data.rows[by("which").value]));
  by("class").addEventListener("change", () => drawMap(data.rows[view.point].detail));
  by("copy").addEventListener("click", copyScenario);
}
