// About the middle, or about the point that is read.
function zoom(factor) {
  const plot = plotOf(view.read) || plots[0];
  if (!plot) return;
  const read = view.read, row = read && plot === plotOf(read) && plot.has(read.load, numbers(read)[0]) ? read : null;
  const about = (low, high, middle) => [middle - (middle - low) * factor, middle + (high - middle) * factor];
  const x = about(plot.left, plot.right, row ? row.load : (plot.left + plot.right) / 2);
  const y = about(plot.low, plot.high, row ? numbers(row)[0] : (plot.low + plot.high) / 2);
  view.zoom = { panel: plot.panel, x: [Math.max(x[0], 0), x[1]], y };
  update();
}
function whole() {
  view.zoom = null;
  update();
}

// The pointer reads; dragged, it marks the part to enlarge.
function listenToPlot() {
  const svg = by("plot");
  let from = null, box = null, plot = null;
  // The panel under the pointer; while something is dragged, the one where that began.
  const find = (event) => {
    if (!from) plot = plots.find((plot) => plot.covers(plot.at(event))) || plots[0] || null;
    return plot;
  };
  const inside = (event) => {
    const { px, py } = plot.at(event), { left, right, top, bottom } = plot.box;
    const [x, y] = [Math.min(Math.max(px, left), right), Math.min(Math.max(py, top), bottom)];
    return plot.of(x, y);
  };
  svg.addEventListener("pointerdown", (event) => {
    if (find(event) && event.button === 0 && event.pointerType !== "touch") from = inside(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!find(event)) return;
    const at = inside(event);
    if (from && Math.hypot(at.px - from.px, at.py - from.py) > 8) {
      svg.setPointerCapture(event.pointerId);
      box ??= plot.above.appendChild(draw("rect", { class: "drag" }));
      const [width, height] = [Math.abs(at.px - from.px), Math.abs(at.py - from.py)];
      put(box, { x: Math.min(at.px, from.px), y: Math.min(at.py, from.py), width, height }, []);
    } else if (!box) {
      read(nearest(plot, at));
    }
  });
  svg.addEventListener("pointerup", (event) => {
    const at = find(event) && inside(event), start = from, marked = box;
    [from, box] = [null, null];
    if (!plot) return;
    if (marked) {
      marked.remove();
      const [x, y] = [[start.x, at.x].sort((a, b) => a - b), [start.y, at.y].sort((a, b) => a - b)];
      if (x[1] > x[0] && y[1] > y[0]) view.zoom = { panel: plot.panel, x, y };
      return update();
    }
    read(nearest(plot, at));
    if (view.read && event.pointerType !== "touch") open(view.read);
  });
  svg.addEventListener("pointercancel", () => { [from, box] = [null, null]; });
  svg.addEventListener("keydown", (event) => {
    const go = () => view.read && open(view.read, true);
    const keys = { "+": () => zoom(0.6), "-": () => zoom(1 / 0.6), 0: whole, Escape: whole, Enter: go };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) step(event.key);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });
  by("closer").addEventListener("click", () => zoom(0.6));
  by("farther").addEventListener("click", () => zoom(1 / 0.6));
  by("whole").addEventListener("click", whole);
}
