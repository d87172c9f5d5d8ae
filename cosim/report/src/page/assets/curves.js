let plots = [], series = [];
// The panel that a point is in.
const plotOf = (row) => plots.find((plot) => row && plot.panel === panelOf(row.curve));

// The curves of these rows: those with a number, by load.
function curvesOf(rows) {
  const found = new Map();
  for (const row of rows) {
    if (row.values[view.metric][0] === null) continue;
    if (!found.has(row.curve)) found.set(row.curve, []);
    found.get(row.curve).push(row);
  }
  const name = names([...found.keys()]);
  const sorted = (rows) => rows.sort((a, b) => a.load - b.load);
  return [...found].map(([curve, rows]) => ({ curve, n: colourOf(curve), name: name.get(curve), rows: sorted(rows) }));
}

const numbers = (row) => row.values[view.metric];

// What a panel shows when nothing is enlarged. A latency beyond saturation grows with the length of the run: the panel ends a little above
// the highest one that is steady, at most at a few times the lowest, and curves are cut there.
function extent(curves) {
  const rows = curves.flatMap((curve) => curve.rows), { unit } = data.metrics[view.metric];
  const values = rows.map((row) => numbers(row)[0]), steady = rows.filter((row) => row.steady).map((row) => numbers(row)[0]);
  const most = Math.max(...values), least = Math.min(...values);
  const rising = Math.min(5 * least, 1.3 * Math.max(...steady, least));
  const top = unit === "cycles" ? Math.min(most, Math.max(rising, 1.5 * least)) : most;
  return { x: [0, Math.max(...rows.map((row) => row.load)) * 1.03], y: [0, top * 1.06 || 1] };
}

// A panel for each pattern, as many beside each other as there is room for.
function regions(count) {
  const svg = by("plot"), across = Math.max(1, Math.min(count, Math.floor(svg.clientWidth / 360)));
  svg.style.height = count > across ? `${20 * Math.ceil(count / across)}rem` : "";
  const whole = clear(svg), [width, height] = [whole.width / across, whole.height / Math.ceil(count / across)];
  return Array.from({ length: count }, (_, n) => ({ x: (n % across) * width, y: Math.floor(n / across) * height, width, height }));
}

function drawPlot(rows) {
  series = curvesOf(rows);
  plots = [];
  const shown = series.filter((curve) => !view.hidden.has(curve.curve));
  const { name, unit } = data.metrics[view.metric];
  by("whole").disabled = !view.zoom;
  by("plot-title").textContent = `${name[0].toUpperCase()}${name.slice(1)} against load: means over seeds; bands are 95 % confidence `
    + "intervals, over seeds where there are several, otherwise within the run. Hollow: not every node kept up with the load; such "
    + `points have no band. ${OLD.size ? "Dashed: before. " : ""}Curves that leave the picture are cut at its frame.`;
  drawLegend();
  if (!shown.length) {
    clear(by("plot"));
    by("plot").append(draw("text", { x: 40, y: 40 }, series.length ? "all curves are hidden" : "no point has this number"));
    return read(null);
  }
  const panels = [...new Set(shown.map(({ curve }) => panelOf(curve)))], places = regions(panels.length);
  panels.forEach((panel, n) => drawPanel(panel, shown.filter(({ curve }) => panelOf(curve) === panel), places[n], panels.length));
  mark();
}

function drawPanel(panel, curves, place, count) {
  const { name, unit } = data.metrics[view.metric], about = count > 1 ? `${panel}: ` : "";
  const { x, y } = view.zoom && view.zoom.panel === panel ? view.zoom : extent(curves);
  const captions = ["load in flits/node/cycle", `${about}${name}${unit && ` in ${unit}`}`];
  const plot = new Frame(by("plot"), x, y, captions, 20, place);
  plots.push(Object.assign(plot, { panel }));
  curves.forEach((curve, at) => drawCurve(plot, curve, curves.slice(at + 1)));
  plot.mark = plot.above.appendChild(draw("g"));
}

// A curve upon which others are drawn. Where their points lie upon its own, its line and its dots are wider, and show around them.
function drawCurve(plot, { rows, n }, above) {
  const { stroke, ...dash } = look(n), place = (row, side) => {
    const [mean, half] = numbers(row);
    return [plot.x(row.load), plot.y(mean + side * (half || 0))];
  };
  const isNear = ([x, y], row) => Math.hypot(plot.x(row.load) - x, plot.y(numbers(row)[0]) - y) < 3;
  const covers = (row) => above.filter((other) => other.rows.some((one) => isNear(place(row, 0), one))).length;
  const line = (side, of) => of.map((row) => place(row, side)), steady = rows.filter((row) => row.steady);
  const band = line(1, steady).concat(line(-1, steady).reverse());
  if (steady.length) plot.inside.append(draw("path", { class: "band", fill: stroke, d: `${path(band)}Z` }));
  plot.inside.append(draw("path", { class: "curve", stroke, ...dash, d: path(line(0, rows)) }));
  rows.slice(1).forEach((row, at) => {
    const both = Math.min(covers(rows[at]), covers(row)), style = `stroke-width: ${2 + 4 * both}px`;
    if (both) plot.inside.append(draw("path", { class: "under", stroke, style, d: path(line(0, [rows[at], row])) }));
  });
  const old = rows.filter((row) => OLD.has(row) && OLD.get(row)[view.metric] !== null);
  const before = old.map((row) => [plot.x(row.load), plot.y(OLD.get(row)[view.metric])]);
  if (before.length) plot.inside.append(draw("path", { class: "curve before", stroke, d: path(before) }));
  for (const row of rows.filter((row) => plot.has(row.load, numbers(row)[0]))) {
    const [cx, cy] = place(row, 0), fill = row.steady ? stroke : "var(--paper)", r = (rows.length > 40 ? 2 : 4) + 2 * covers(row);
    plot.inside.append(draw("circle", { class: "dot", cx, cy, r, stroke, fill }));
  }
}

// The curves of one colour, whichever panels they are in, and their name.
function entriesOf(curves) {
  const found = new Map();
  for (const { curve, n } of curves) found.set(n, [...(found.get(n) ?? []), curve]);
  const name = names([...found.values()].map(([first]) => first));
  return [...found].map(([n, curves]) => ({ n, curves, name: name.get(curves[0]) }));
}

// A button for each colour, which hides its curves.
function drawLegend() {
  by("legend").replaceChildren(...entriesOf(series).map(({ n, curves, name }, at) => {
    const line = draw("path", { class: "curve", d: "M0 8H40", ...look(n) });
    const sample = draw("svg", { viewBox: "0 0 40 16", "aria-hidden": "true" }, line);
    const isShown = curves.some((curve) => !view.hidden.has(curve));
    const button = make("button", { type: "button", "aria-pressed": isShown, title: "hide or show" }, sample, name);
    button.addEventListener("click", () => {
      for (const curve of curves) if (isShown) view.hidden.add(curve); else view.hidden.delete(curve);
      update();
      by("legend").children[at].focus();
    });
    return button;
  }));
}

const visible = () => series.filter((curve) => !view.hidden.has(curve.curve));

// The point that is read is marked in the picture and said in words.
function read(row) {
  view.read = row;
  const { name, unit } = data.metrics[view.metric];
  const curve = row && series.find((known) => known.curve === row.curve);
  const plot = plotOf(row), where = curve && plot && !plot.has(row.load, numbers(row)[0]) ? ", beyond the frame" : "";
  by("reading").textContent = curve
    ? `${curve.name}, load ${row.load}: ${name} ${pair(numbers(row))}${unit && ` ${unit}`}, ${row.state}${where}` : "\u00a0";
  mark();
}
function mark() {
  plots.forEach((plot) => plot.mark.replaceChildren());
  const row = view.read, plot = plotOf(row);
  if (!plot || !plot.has(row.load, numbers(row)[0] ?? NaN) || !visible().some((curve) => curve.rows.includes(row))) return;
  const cx = plot.x(row.load), cy = plot.y(numbers(row)[0]);
  plot.mark.append(draw("line", { class: "guide", x1: cx, x2: cx, y1: cy, y2: plot.box.bottom }));
  plot.mark.append(draw("line", { class: "guide", x1: plot.box.left, x2: cx, y1: cy, y2: cy }));
  plot.mark.append(draw("circle", { class: "dot on", cx, cy, r: 7, fill: "none" }));
  // The value stands beside the point, on the side where there is room.
  const right = cx > (plot.box.left + plot.box.right) / 2;
  const value = draw("text", { class: "value", x: cx + (right ? -12 : 12), y: Math.max(cy - 10, plot.box.top + 12), "text-anchor": right ? "end" : "start" });
  value.textContent = pair(numbers(row));
  plot.mark.append(value);
}

// The nearest point in the picture, unless it is far.
function nearest(plot, { px, py }) {
  let best = null, least = 60;
  const inside = visible().filter(({ curve }) => panelOf(curve) === plot.panel);
  for (const row of inside.flatMap((curve) => curve.rows)) {
    if (!plot.has(row.load, numbers(row)[0])) continue;
    const far = Math.hypot(plot.x(row.load) - px, plot.y(numbers(row)[0]) - py);
    if (far < least) [best, least] = [row, far];
  }
  return best;
}

// Left and right along a curve, up and down to the next curve at about the same load.
function step(key) {
  const curves = visible();
  if (!curves.length) return;
  const at = curves.findIndex((curve) => curve.rows.includes(view.read));
  if (at < 0) return read(curves[0].rows[0]);
  const { rows } = curves[at], n = rows.indexOf(view.read);
  if (key === "ArrowLeft") return read(rows[Math.max(n - 1, 0)]);
  if (key === "ArrowRight") return read(rows[Math.min(n + 1, rows.length - 1)]);
  const other = curves[(at + (key === "ArrowDown" ? 1 : curves.length - 1)) % curves.length].rows;
  const far = (row) => Math.abs(row.load - view.read.load);
  read(other.reduce((best, row) => (far(row) < far(best) ? row : best)));
}
