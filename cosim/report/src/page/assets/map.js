const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const STEPS = 8;
const heat = (share) => Math.min(STEPS - 1, Math.floor(share * STEPS));
const stroke = (step) => ({ stroke: `var(--h${step})`, "stroke-width": 1 + 0.6 * step });
let map = { links: [], at: -1 };

// Every direction of every link between routers, with its utilisation, the busiest first.
function linksOf({ network, map: text }) {
  const { links, classes } = data.networks[network], { digits } = data, highest = 64 ** digits - 1, found = [];
  for (let n = 0; n * 4 < links.length; n++) {
    const number = [...text.substr(n * digits, digits)].reduce((sum, digit) => sum * 64 + DIGITS.indexOf(digit), 0);
    const [router, port, of, to] = links.slice(4 * n, 4 * n + 4);
    found.push({ router, port, kind: classes[of], to, share: number / highest });
  }
  return found.sort((a, b) => b.share - a.share);
}

// Half of a link, from its router to its middle. In a grid, links that pass by other routers are bent, both directions alike.
function half({ router, to }, { at, layout }) {
  const [a, b] = [at[router], at[to]], [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const near = layout === "grid" ? 1.5 * Math.hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]) : Infinity;
  const bend = Math.hypot(dx, dy) > near ? (router < to ? 0.18 : -0.18) : 0;
  const c = [(a[0] + b[0]) / 2 - dy * bend, (a[1] + b[1]) / 2 + dx * bend];
  const control = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  const middle = [(a[0] + 2 * c[0] + b[0]) / 4, (a[1] + 2 * c[1] + b[1]) / 4];
  return { a, control, middle };
}

function drawMap(detail) {
  const network = data.networks[detail.network], kind = by("class").value, svg = by("map");
  svg.setAttribute("viewBox", `0 0 1000 ${network.height}`);
  svg.replaceChildren(...network.groups.map(([cx, cy, r]) => draw("circle", { class: "group", cx, cy, r })));
  const links = linksOf(detail).filter((link) => kind === "" || link.kind === kind);
  map = { links, at: -1 };
  // The busiest ones are drawn last, above all others.
  for (const link of [...links].reverse()) {
    link.place = half(link, network);
    const { a, control, middle } = link.place, text = (point) => point.map((n) => n.toFixed(1)).join(" ");
    const d = `M${text(a)}Q${text(control)} ${text(middle)}`;
    link.node = svg.appendChild(draw("path", { class: "link", d, ...stroke(heat(link.share)) }));
  }
  const r = Math.max(1.5, Math.min(7, 120 / Math.sqrt(network.at.length)));
  svg.append(...network.at.map(([cx, cy]) => draw("circle", { class: "router", cx, cy, r })));
  readLink(-1);
}

const linkName = ({ router, port, kind, to, share }) => `router ${router} port ${port} to router ${to} (${kind}): ${percent(share)} busy`;
function readLink(n) {
  map.links[map.at]?.node.classList.remove("on");
  map.at = n;
  map.links[n]?.node.classList.add("on");
  by("map-reading").textContent = map.links[n] ? `${n + 1} of ${map.links.length}, ${linkName(map.links[n])}` : "\u00a0";
}

// The link whose half is nearest to the pointer.
function nearestLink(event) {
  const svg = by("map"), box = svg.getBoundingClientRect(), scale = 1000 / box.width;
  const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  let best = -1, least = 25;
  map.links.forEach(({ place: { a, control, middle } }, n) => {
    for (let t = 0.1; t <= 1; t += 0.1) {
      const [p, q, s] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      const far = Math.hypot(p * a[0] + q * control[0] + s * middle[0] - x, p * a[1] + q * control[1] + s * middle[1] - y);
      if (far < least) [best, least] = [n, far];
    }
  });
  return best;
}

function listenToMap() {
  const svg = by("map");
  for (const kind of ["pointermove", "pointerdown"]) svg.addEventListener(kind, (event) => readLink(nearestLink(event)));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !map.links.length) return;
    readLink(Math.min(Math.max(map.at + step, 0), map.links.length - 1));
    event.preventDefault();
  });
  by("scale").append(...Array.from({ length: STEPS }, (_, step) => make("span", {},
    draw("svg", { viewBox: "0 0 32 16" }, draw("path", { class: "link", d: "M0 8H32", ...stroke(step) })),
    `${show(100 * step / STEPS)} to ${show(100 * (step + 1) / STEPS)} %`)));
}
