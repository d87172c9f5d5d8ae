"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
// What the reader chose.
const view = { metric: 0, choices: data.keys.map(() => ""), state: "", text: "", hidden: new Set(), zoom: null, read: null, point: -1 };

const by = (id) => document.getElementById(id);
const put = (node, attributes, children) => {
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
const make = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => put(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const COLOURS = [0, 1, 2, 3, 4, 5, 6].map((n) => `var(--c${n})`);
const DASHES = ["", "8 4", "2.5 3", "10 3 2.5 3"];
// What has a panel of its own, and the colour of a curve: by what varies beside it, and the same whatever is shown.
const PANEL = data.keys.findIndex(({ key }) => key === "traffic.pattern");
const panelOf = (curve) => (PANEL < 0 ? "" : data.curves[curve].values[PANEL]);
const kindOf = (curve) => data.curves[curve].values.filter((_, n) => n !== PANEL).join("\n");
const KINDS = [...new Set(data.curves.map((_, n) => kindOf(n)))];
const colourOf = (curve) => KINDS.indexOf(kindOf(curve));
// Of a point that was measured before, too, the means of then.
const OLD = new Map(data.compared ? data.compared.old.map(([row, means]) => [data.rows[row], means]) : []);
const look = (n) => ({ stroke: COLOURS[n % COLOURS.length], "stroke-dasharray": DASHES[Math.floor(n / COLOURS.length) % DASHES.length] });

const MINUS = "\u2212";
const show = (value, digits = 4) => (value === null ? "–" : String(+value.toPrecision(digits)).replace("-", MINUS));
// A mean has as many decimals as its interval, which has two digits that count.
const decimals = (half) => Math.min(Math.max(1 - Math.floor(Math.log10(half)), 0), 12);
const pair = ([mean, half]) => {
  if (mean === null || !half) return show(mean);
  return [mean, half].map((value) => value.toFixed(decimals(half)).replace("-", MINUS)).join(" ± ");
};
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

// The names of the curves: the values of the keys in which they differ, no two names alike.
function names(curves) {
  const open = data.keys.map((_, n) => new Set(curves.map((curve) => data.curves[curve].values[n])).size > 1);
  const name = (curve, own) => {
    const parts = [];
    data.keys.forEach((key, n) => {
      const { values, network } = data.curves[curve];
      const text = key.network && network && !own ? network : key.plain ? values[n] : `${key.name} ${values[n]}`;
      if (open[n] && !parts.includes(text)) parts.push(text);
    });
    return parts.join(", ") || data.curves[curve].name || data.name;
  };
  const short = curves.map((curve) => name(curve, false));
  return new Map(curves.map((curve, n) => [curve, new Set(short).size < short.length ? name(curve, true) : short[n]]));
}
const ALL = names(data.curves.map((_, n) => n));
const rowName = (row) => `${ALL.get(row.curve)}, load ${row.load}`;

// A list to choose from, with its caption, in the form above everything.
function choice(caption, options, change) {
  const list = make("select");
  options.forEach(([value, text]) => list.append(make("option", { value }, text)));
  list.addEventListener("change", () => change(list.value));
  by("filters").append(make("label", {}, caption, list));
}

const chosen = () => data.rows.filter((row) => {
  const { values } = data.curves[row.curve];
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.length ? `${rowName(row)} ${values.join(" ")} ${row.state}`.toLowerCase() : "";
  return view.choices.every((choice, n) => choice === "" || values[n] === choice)
    && (view.state === "" || row.state === view.state) && words.every((word) => text.includes(word));
});
