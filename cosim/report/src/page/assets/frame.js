// Ticks at 1, 2 or 5 times a power of ten.
function ticks(low, high, wanted) {
  const raw = (high - low) / wanted || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999);
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) found.push(+(n * step).toPrecision(12));
  return found;
}

let frames = 0;
// The whole of a picture, empty.
function clear(svg) {
  const width = Math.max(svg.clientWidth, 280), height = Math.max(svg.clientHeight, 200);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  return { x: 0, y: 0, width, height };
}
// Axes in a picture as wide as there is room: what is added to `inside` is cut at the frame.
class Frame {
  constructor(svg, [left, right], [low, high], captions, edge = 20, region = clear(svg)) {
    const { x, y, width, height } = region;
    const inner = { left: x + 64, right: x + width - edge, top: y + 24, bottom: y + height - 48 };
    Object.assign(this, { svg, left, right, low, high, region, box: inner });
    this.axes(captions);
    const { box } = this, id = `cut${frames++}`;
    const size = { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
    svg.append(draw("clipPath", { id }, draw("rect", size)));
    this.inside = svg.appendChild(draw("g", { "clip-path": `url(#${id})` }));
    this.above = svg.appendChild(draw("g"));
  }
  x(value) { return this.box.left + (this.box.right - this.box.left) * (value - this.left) / (this.right - this.left); }
  y(value) { return this.box.bottom - (this.box.bottom - this.box.top) * (value - this.low) / (this.high - this.low); }
  // The values at a place of the pointer.
  at(event) {
    const { left, top } = this.svg.getBoundingClientRect();
    return this.of(event.clientX - left, event.clientY - top);
  }
  of(px, py) {
    const { box } = this;
    const x = this.left + (this.right - this.left) * (px - box.left) / (box.right - box.left);
    return { px, py, x, y: this.low + (this.high - this.low) * (box.bottom - py) / (box.bottom - box.top) };
  }
  covers({ px, py }) {
    const { x, y, width, height } = this.region;
    return px >= x && px <= x + width && py >= y && py <= y + height;
  }
  has(x, y) { return x >= this.left && x <= this.right && y >= this.low && y <= this.high; }
  axes([across, up, name]) {
    const { box, svg } = this, line = (x1, x2, y1, y2) => svg.append(draw("line", { x1, x2, y1, y2, class: "grid" }));
    for (const n of ticks(this.left, this.right, (box.right - box.left) / 110)) {
      line(this.x(n), this.x(n), box.top, box.bottom);
      svg.append(draw("text", { x: this.x(n), y: box.bottom + 18, "text-anchor": "middle" }, show(n, 6)));
    }
    for (const n of ticks(this.low, this.high, (box.bottom - box.top) / 60)) {
      line(box.left, box.right, this.y(n), this.y(n));
      svg.append(draw("text", { x: box.left - 8, y: this.y(n) + 4, "text-anchor": "end" }, show(n, 6)));
    }
    svg.append(draw("path", { d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`, class: "axis" }));
    svg.append(draw("text", { x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle" }, across));
    svg.append(draw("text", { x: this.region.x + 4, y: this.region.y + 14 }, up));
    if (name) svg.setAttribute("aria-label", name);
  }
}
const path = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
