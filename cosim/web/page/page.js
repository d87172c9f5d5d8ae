"use strict";
// The page: controls, a run in an instance of the module, a picture of it in each frame. A worker measures curves.

const element = (id) => document.getElementById(id);

// Networks to begin with: what a scenario needs, and the traffic that tells most about it.
const DRAGONFLY = ["{ adversarial = 1 }", "uniform", "{ adversarial-local = 1 }", "permutation"];
const PLAIN = ["uniform", "tornado", "permutation", "bit-complement", "neighbour", "{ hot-spot = { nodes = [0], share = 0.1 } }"];
const NETWORKS = [
  ["Dragonfly, 72 nodes", 'kind = "dragonfly"\np = 2\na = 4\nh = 2', DRAGONFLY],
  ["Dragonfly of 5 groups, 40 nodes", 'kind = "dragonfly"\np = 2\na = 4\nh = 2\ngroups = 5', DRAGONFLY],
  ["Torus 8×8", 'kind = "torus"\ndims = [8, 8]', PLAIN],
  ["Mesh 8×8", 'kind = "mesh"\ndims = [8, 8]', ["transpose", ...PLAIN]],
  ["Fat tree, 32 nodes", 'kind = "fat-tree"\nradix = 8\nlevels = 2', PLAIN],
  ["Fat tree of 3 levels, 54 nodes", 'kind = "fat-tree"\nradix = 6\nlevels = 3', PLAIN],
  ["HyperX 5×5, 50 nodes", 'kind = "hyperx"\ndims = [5, 5]\nnodes_per_router = 2', PLAIN],
  ["Slim Fly, 100 nodes", 'kind = "slim-fly"\nq = 5\nnodes_per_router = 2', PLAIN],
  ["Dragonfly+, 36 nodes", 'kind = "dragonfly-plus"\np = 2\nleaves = 2\nspines = 2\nh = 4', PLAIN],
  ["Hypercube, 64 nodes", 'kind = "hypercube"\ndims = 6', ["bit-complement", ...PLAIN]],
  ["Chordal ring, 24 nodes", 'kind = "ring"\nrouters = 24\nchords = [5]', PLAIN],
];
const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200];
const RECENT = 2000;
// Routings by files, which a page has not.
const OF_FILES = ["forwarding"];

// ---- The module -------------------------------------------------------------------------------------------------

function decode(text) {
  const binary = atob(text.trim());
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

// An instance, and what it answers; also the text of the worker, so it refers to nothing outside of itself.
function instanceOf(module) {
  const { exports } = new WebAssembly.Instance(module, {});
  const answer = () => new TextDecoder().decode(
    new Uint8Array(exports.memory.buffer, exports.output(), exports.output_bytes()));
  const ask = (name, scenario, load) => {
    const bytes = new TextEncoder().encode(scenario);
    const at = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    const good = exports[name](load) === 1;
    if (!good) throw new Error(answer());
    return JSON.parse(answer());
  };
  const advance = (cycles) => {
    const length = exports.advance(cycles);
    return new Float64Array(exports.memory.buffer, exports.frame(), length);
  };
  return { ask, advance };
}

const WORKER = `${instanceOf}
let module;
onmessage = ({ data }) => {
  if (data.module) { module = data.module; return; }
  const { job, scenario, load } = data;
  try {
    postMessage({ job, load, point: instanceOf(module).ask("point", scenario, load) });
  } catch (error) {
    postMessage({ job, load, error: error.message });
  }
};`;

// ---- State ------------------------------------------------------------------------------------------------------

const state = {
  module: null, own: null, network: 0, routing: null, pattern: null, load: 0.3, playing: true,
  run: null, points: [], worker: null, job: 0,
};

function base() {
  if (state.own !== null && state.network === -1) return state.own;
  return `[topology]\n${NETWORKS[state.network][1]}\n\n[traffic]\nloads = [0.3]\n`;
}

function scenario(load = state.load) {
  const sets = [`traffic.loads=[${load}]`];
  if (state.routing) sets.push(`routing.algorithm=${state.routing}`);
  if (state.pattern) sets.push(`traffic.pattern=${state.pattern}`);
  return [base(), ...sets].join("\0");
}

// A new run at the present settings; the old one stays in view where they do not work.
function restart() {
  try {
    const instance = instanceOf(state.module);
    const about = instance.ask("begin", scenario(), state.load);
    const run = { instance, about, use: null, carried: null, queued: null, heads: null, seen: [], sums: null };
    run.layout = layout(about);
    state.run = run;
    say("");
    advance(Math.min(600, RECENT));
    element("toml").textContent = about.toml;
    return about;
  } catch (error) {
    say(error.message, true);
    return null;
  }
}

function say(text, wrong = false) {
  const status = element("status");
  if (status.textContent !== text) status.textContent = text;
  status.classList.toggle("wrong", wrong);
}

// ---- One frame --------------------------------------------------------------------------------------------------

function advance(cycles) {
  const run = state.run, { routers, ports, senders } = run.about;
  const frame = run.instance.advance(cycles);
  const [cycle, flits, packets, latency, misrouted, broken] = frame;
  const carried = frame.slice(6, 6 + routers * ports);
  const before = run.carried, last = run.seen.length ? run.seen[run.seen.length - 1].cycle : 0;
  if (!run.use) run.use = new Float64Array(routers * ports);
  if (cycle > last) {
    // What links have carried of late: older cycles count less.
    const keep = Math.exp(-(cycle - last) / 150);
    for (let at = 0; at < run.use.length; at++) {
      const use = (carried[at] - (before ? before[at] : 0)) / (cycle - last);
      run.use[at] = keep * run.use[at] + (1 - keep) * Math.max(0, use);
    }
    run.carried = carried;
    run.seen.push({ cycle, flits, packets, latency, misrouted });
  }
  run.queued = frame.slice(6 + routers * ports, 6 + routers * ports + routers);
  run.heads = frame.slice(6 + routers * ports + routers);
  while (run.seen.length > 2 && run.seen[1].cycle < cycle - RECENT) run.seen.shift();
  numbers(run, senders);
  if (broken) {
    state.playing = false;
    say("The run has stopped: packets wait for each other for ever, or an invariant is broken. desvio run says which.", true);
  }
}

function numbers(run, senders) {
  const first = run.seen[0], last = run.seen[run.seen.length - 1];
  const over = (key) => last[key] - (first === last ? 0 : first[key]);
  const cycles = over("cycle"), packets = over("packets");
  const show = (id, text) => { element(id).textContent = text; };
  show("accepted", (over("flits") / senders / cycles).toFixed(3));
  show("latency", packets ? (over("latency") / packets).toFixed(1) : "–");
  show("misrouted", packets ? `${(100 * over("misrouted") / packets).toFixed(1)} %` : "–");
  show("queued", String(run.queued.reduce((sum, flits) => sum + flits, 0)));
  show("cycle", last.cycle.toLocaleString("en"));
}

// ---- Where routers stand, in a square from 0 to 1 ---------------------------------------------------------------

function layout(about) {
  const { routers, groups, dims, levels } = about;
  const circle = (x, y, radius, share) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  };
  const places = [];
  if (groups && groups.length > 1) {
    groups.forEach((size, group) => {
      const [x, y] = circle(0.5, 0.5, 0.38, group / groups.length);
      const radius = Math.min(0.09, 0.9 / groups.length);
      for (let n = 0; n < size; n++) places.push(circle(x, y, radius, n / size + group / groups.length));
    });
  } else if (levels && levels.length > 1) {
    levels.forEach((size, level) => {
      for (let n = 0; n < size; n++) places.push([(n + 0.5) / size * 0.94 + 0.03, 0.9 - 0.8 * level / (levels.length - 1)]);
    });
  } else if (dims && dims.length === 2) {
    const [width, height] = dims, most = Math.max(width, height);
    for (let n = 0; n < routers; n++) {
      places.push([(n % width + 0.5 + (most - width) / 2) / most, (Math.floor(n / width) + 0.5 + (most - height) / 2) / most]);
    }
  }
  for (let n = places.length; n < routers; n++) places.push(circle(0.5, 0.5, 0.44, n / routers));
  return places;
}

// ---- The picture ------------------------------------------------------------------------------------------------

let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const rgb = (name) => {
    const hex = style.getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  };
  const mix = (a, b, share) => `rgb(${a.map((part, n) => Math.round(part + (b[n] - part) * share))})`;
  const [idle, half, full] = ["--idle", "--half", "--full"].map(rgb);
  const scale = [];
  for (let n = 0; n <= 64; n++) scale.push(n < 32 ? mix(idle, half, n / 32) : mix(half, full, n / 32 - 1));
  const of = (name) => style.getPropertyValue(name).trim();
  colours = { scale, minimal: of("--minimal"), detour: of("--detour"), router: of("--router"), text: of("--text"),
    quiet: of("--quiet"), line: of("--line"), panel: of("--panel"), accent: of("--accent"), full: of("--full") };
}

function context(canvas) {
  const scale = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const paint = canvas.getContext("2d");
  paint.setTransform(scale, 0, 0, scale, 0, 0);
  paint.clearRect(0, 0, width, height);
  return { paint, width, height };
}

// The two directions of a link are bent apart; links round the edge of a grid are bent far.
function path(run, from, to) {
  const [x1, y1] = run.layout[from], [x2, y2] = run.layout[to];
  const dx = x2 - x1, dy = y2 - y1, { dims, kind } = run.about;
  const wraps = kind !== "hyperx" && dims && dims.length === 2 && Math.hypot(dx, dy) > 1.6 / Math.max(...dims);
  const bend = wraps ? 0.12 : 0.035;
  return { x1, y1, x2, y2, cx: (x1 + x2) / 2 - dy * bend, cy: (y1 + y2) / 2 + dx * bend };
}

function at({ x1, y1, x2, y2, cx, cy }, share) {
  const rest = 1 - share, mid = 2 * share * rest;
  return [rest * rest * x1 + mid * cx + share * share * x2, rest * rest * y1 + mid * cy + share * share * y2];
}

function draw() {
  const run = state.run;
  const { paint, width, height } = context(element("network-canvas"));
  const size = Math.min(width, height) - 16, left = (width - size) / 2, top = (height - size) / 2;
  const X = (x) => left + x * size, Y = (y) => top + y * size;
  const { links, ports, routers, attached } = run.about;
  if (!run.paths) {
    run.paths = new Map(links.map(([router, port, to]) => [router * ports + port, path(run, router, to)]));
  }
  // Busy links last, on top of idle ones.
  const order = links.map(([router, port]) => router * ports + port).sort((a, b) => run.use[a] - run.use[b]);
  for (const link of order) {
    const way = run.paths.get(link), use = Math.min(1, run.use[link]);
    paint.strokeStyle = colours.scale[Math.round(64 * use)];
    paint.lineWidth = 0.75 + 2.75 * use;
    paint.beginPath();
    paint.moveTo(X(way.x1), Y(way.y1));
    paint.quadraticCurveTo(X(way.cx), Y(way.cy), X(way.x2), Y(way.y2));
    paint.stroke();
  }
  const spacing = size / Math.sqrt(routers) / 6;
  for (let router = 0; router < routers; router++) {
    const [x, y] = run.layout[router];
    const radius = Math.max(2.5, Math.min(9, spacing)) * (0.7 + Math.min(1.3, Math.sqrt(run.queued[router] / 120)));
    paint.fillStyle = attached[router] ? colours.router : colours.quiet;
    paint.beginPath();
    paint.arc(X(x), Y(y), radius, 0, 2 * Math.PI);
    paint.fill();
  }
  for (const misrouted of [0, 1]) {
    paint.fillStyle = misrouted ? colours.detour : colours.minimal;
    for (let n = 0; n + 4 < run.heads.length; n += 5) {
      if (run.heads[n + 4] !== misrouted) continue;
      const way = run.paths.get(run.heads[n] * ports + run.heads[n + 1]);
      if (!way) continue;
      const [x, y] = at(way, 1 - Math.min(1, run.heads[n + 2] / Math.max(1, run.heads[n + 3])));
      if (misrouted) {
        diamond(paint, X(x), Y(y));
      } else {
        paint.beginPath();
        paint.arc(X(x), Y(y), 2.6, 0, 2 * Math.PI);
        paint.fill();
      }
    }
  }
}

// Another shape, not another colour alone.
function diamond(paint, x, y) {
  paint.beginPath();
  paint.moveTo(x, y - 4.5);
  paint.lineTo(x + 4.5, y);
  paint.lineTo(x, y + 4.5);
  paint.lineTo(x - 4.5, y);
  paint.fill();
}

function drawCurve() {
  const { paint, width, height } = context(element("curve"));
  const left = 40, right = width - 40, bottom = height - 28, top = 16;
  const points = [...state.points].sort((a, b) => a.load - b.load);
  const good = points.filter((point) => point.keeps_up && Number.isFinite(point.latency_mean));
  const highest = 1.15 * Math.max(50, ...good.map((point) => point.latency_mean));
  const X = (load) => left + load * (right - left), Y = (share) => bottom - Math.min(1, share) * (bottom - top);
  paint.font = "12px system-ui, sans-serif";
  paint.strokeStyle = colours.line;
  paint.fillStyle = colours.quiet;
  paint.lineWidth = 1;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    paint.beginPath(); paint.moveTo(left, Y(share)); paint.lineTo(right, Y(share)); paint.stroke();
    paint.textAlign = "right"; paint.fillText(String(Math.round(share * highest)), left - 4, Y(share) + 4);
    paint.textAlign = "left"; paint.fillText(share.toFixed(2), right + 4, Y(share) + 4);
    paint.textAlign = "center"; paint.fillText(share.toFixed(2), X(share), bottom + 16);
  }
  const line = (colour, list, value, dashed) => {
    paint.strokeStyle = paint.fillStyle = colour;
    paint.lineWidth = 2;
    paint.setLineDash(dashed ? [6, 4] : []);
    paint.beginPath();
    list.forEach((point, n) => paint[n ? "lineTo" : "moveTo"](X(point.load), Y(value(point))));
    paint.stroke();
    paint.setLineDash([]);
    for (const point of list) paint.fillRect(X(point.load) - 2.5, Y(value(point)) - 2.5, 5, 5);
  };
  line(colours.minimal, good, (point) => point.latency_mean / highest, false);
  line(colours.detour, points, (point) => point.accepted, true);
  paint.strokeStyle = colours.accent;
  paint.beginPath(); paint.moveTo(X(state.load), top); paint.lineTo(X(state.load), bottom); paint.stroke();
  paint.textAlign = "left";
  paint.fillStyle = colours.minimal; paint.fillText("latency ———", left, 11);
  paint.textAlign = "right";
  paint.fillStyle = colours.detour; paint.fillText("accepted – – –", right, 11);
}

// ---- Curves -----------------------------------------------------------------------------------------------------

function forget() {
  state.job += 1;
  state.points = [];
  if (state.worker) { state.worker.terminate(); state.worker = null; }
  element("measure").disabled = false;
  table();
}

function measure(loads = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
  forget();
  const job = state.job;
  const worker = state.worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  worker.postMessage({ module: state.module });
  element("measure").disabled = true;
  say(`Measuring ${loads.length} loads …`);
  for (const load of loads) worker.postMessage({ job, scenario: scenario(load), load });
  let left = loads.length;
  return new Promise((done) => {
    worker.onmessage = ({ data }) => {
      if (data.job !== state.job) return;
      if (data.error) say(data.error, true); else state.points.push(data.point);
      left -= 1;
      table();
      if (left === 0) {
        element("measure").disabled = false;
        if (!data.error) say(`Measured ${state.points.length} loads.`);
        done(state.points);
      }
    };
  });
}

function table() {
  const body = document.querySelector("#points tbody");
  const points = [...state.points].sort((a, b) => a.load - b.load);
  element("points").hidden = points.length === 0;
  const number = (value, digits) => Number.isFinite(value) ? value.toFixed(digits) : "–";
  body.replaceChildren(...points.map((point) => {
    const row = document.createElement("tr");
    const latency = point.keeps_up ? number(point.latency_mean, 1) : "saturated";
    for (const text of [number(point.load, 2), number(point.accepted, 3), latency, number(point.misrouted_share, 3)]) {
      row.appendChild(document.createElement("td")).textContent = text;
    }
    return row;
  }));
  drawCurve();
}

// ---- Controls ---------------------------------------------------------------------------------------------------

function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

const inWords = (pattern) => pattern.replace(/^\{ | \}$/g, "").replace(/[{}]/g, "").replace(/ = /g, " ");

// Some patterns need a grid, some a power of two of nodes: the module knows.
function fits(pattern) {
  state.pattern = pattern;
  try {
    instanceOf(state.module).ask("begin", scenario(), state.load);
    return true;
  } catch {
    return false;
  }
}

function chooseNetwork(index) {
  forget();
  Object.assign(state, { network: index, routing: null, pattern: null });
  const patterns = index < 0 ? [["", "as in the file"]] : NETWORKS[index][2].filter(fits).map((pattern) => [pattern, inWords(pattern)]);
  state.pattern = patterns[0][0] || null;
  options(element("pattern"), patterns, patterns[0][0]);
  const about = restart();
  if (!about) return;
  const routings = about.routings.filter((word) => !OF_FILES.includes(word) || word === about.routing);
  options(element("routing"), routings.map((word) => [word, word]), about.routing);
}

function listen() {
  const on = (id, kind, act) => element(id).addEventListener(kind, act);
  on("controls", "submit", (event) => event.preventDefault());
  on("network", "change", () => chooseNetwork(Number(element("network").value)));
  on("routing", "change", () => { state.routing = element("routing").value; forget(); restart(); });
  on("pattern", "change", () => { state.pattern = element("pattern").value || null; forget(); restart(); });
  on("load", "input", () => { setLoad(Number(element("load").value)); restart(); });
  on("speed", "input", showSpeed);
  on("play", "click", () => play(!state.playing));
  on("step", "click", () => { play(false); if (state.run) advance(1); });
  on("measure", "click", () => measure());
  on("copy", "click", async () => {
    await navigator.clipboard.writeText(element("toml").textContent).catch(() => getSelection().selectAllChildren(element("toml")));
    element("copy").textContent = "Copied";
    setTimeout(() => { element("copy").textContent = "Copy"; }, 1500);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || ["BUTTON", "SELECT"].includes(event.target.tagName)) return;
    event.preventDefault();
    play(!state.playing);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); drawCurve(); });
  addEventListener("resize", drawCurve);
}

function setLoad(load) {
  state.load = load;
  element("load-shown").textContent = load.toFixed(2);
  drawCurve();
}

function showSpeed() {
  element("speed-shown").textContent = `${SPEEDS[element("speed").value]} cycles a frame`;
}

function play(playing) {
  state.playing = playing;
  element("play").textContent = playing ? "Pause" : "Play";
  element("play").setAttribute("aria-pressed", String(playing));
}

const frames = { drawn: 0, since: 0 };

function tick() {
  if (state.run) {
    if (state.playing && !document.hidden) advance(SPEEDS[element("speed").value]);
    draw();
    frames.drawn += 1;
  }
  requestAnimationFrame(tick);
}

async function main() {
  readColours();
  state.module = await WebAssembly.compile(decode(element("wasm").textContent));
  element("wasm").remove();
  const own = element("scenario").content.textContent.trim();
  if (own) state.own = own;
  const entries = NETWORKS.map(([name], index) => [String(index), name]);
  if (own) entries.unshift(["-1", "the scenario of the file"]);
  options(element("network"), entries, own ? "-1" : "0");
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) play(false);
  listen();
  setLoad(state.load);
  showSpeed();
  chooseNetwork(own ? -1 : 0);
  requestAnimationFrame(tick);
}

main().catch((error) => say(`This page does not work here: ${error.message}`, true));
