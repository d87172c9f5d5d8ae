// Hands a file to the browser.
function save(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: `${data.name}-${name}` });
  link.click();
  URL.revokeObjectURL(link.href);
}

const STYLED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font", "text-anchor"];
// The picture as a file of its own, with its colours, its background and its legend.
function standalone() {
  const svg = by("plot"), copy = svg.cloneNode(true), { width, height } = svg.viewBox.baseVal;
  const from = [...svg.querySelectorAll("*")], to = [...copy.querySelectorAll("*")];
  from.forEach((node, n) => {
    const style = getComputedStyle(node);
    STYLED.forEach((name) => {
      // Colours by name mean nothing outside of this page.
      to[n].removeAttribute(name);
      to[n].style.setProperty(name, style.getPropertyValue(name));
    });
  });
  const ink = getComputedStyle(document.body), shown = entriesOf(visible()), line = 20;
  copy.prepend(draw("rect", { width, height: height + line * shown.length, fill: ink.backgroundColor }));
  shown.forEach((entry, n) => {
    const y = height + line * n + 8, { stroke, ...dash } = look(entry.n);
    const colour = getComputedStyle(document.documentElement).getPropertyValue(stroke.slice(4, -1)).trim();
    copy.append(draw("path", { d: `M64 ${y}h40`, stroke: colour, "stroke-width": 2, ...dash }));
    copy.append(draw("text", { x: 112, y: y + 4, fill: ink.color, style: "font: 13px sans-serif" }, entry.name));
  });
  const all = height + line * shown.length;
  put(copy, { xmlns: "http://www.w3.org/2000/svg", width, height: all, viewBox: `0 0 ${width} ${all}` }, []);
  copy.removeAttribute("style");
  return { text: new XMLSerializer().serializeToString(copy), width, height: all };
}

function savePng() {
  const { text, width, height } = standalone(), image = new Image(), canvas = make("canvas", { width: 2 * width, height: 2 * height });
  image.addEventListener("load", () => {
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => save("curves.png", blob));
  });
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
}

// The rows that are shown, every metric with its interval.
function csv() {
  const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const header = [...data.keys.map(({ key }) => key), "load", "seeds", "state", ...data.metrics.flatMap(({ column }) => [column, `${column}_ci95`])];
  const line = (row) => [...data.curves[row.curve].values, row.load, row.seeds, row.state, ...row.values.flatMap((pair) => pair.map((value) => value ?? ""))];
  return [header, ...chosen().map(line)].map((cells) => `${cells.map((value) => cell(String(value))).join(",")}\n`).join("");
}

function listenToSave() {
  by("save-svg").addEventListener("click", () => save("curves.svg", new Blob([standalone().text], { type: "image/svg+xml" })));
  by("save-png").addEventListener("click", savePng);
  by("save-csv").addEventListener("click", () => save("points.csv", new Blob([csv()], { type: "text/csv" })));
}
