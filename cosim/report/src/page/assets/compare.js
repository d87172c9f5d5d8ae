const share = (value) => (value === null ? "–" : `${Math.abs(100 * value).toFixed(1)} %`);

function drawCompared() {
  const found = data.compared;
  if (!found) return;
  by("compared").hidden = by("to-compared").hidden = false;
  const [before, now] = found.programs, judged = found.within + found.beyond;
  const lines = [
    `Before: ${found.before} (${before}). Now: ${data.name} (${now}).`,
    `${found.matched} points are in both, ${found.samePoints} of them equal in every number; `
      + `${found.onlyBefore} are only in the first, ${found.onlyNow} only in the second.`,
    `Of their numbers, ${found.equal} are equal to the last digit, ${found.within} differ within noise, ${found.beyond} beyond it. `
      + `${found.unjudged} differ and cannot be judged: one of them has no interval (a single seed gives one for accepted load and `
      + "mean latency alone), or is a latency where queues grow.",
    "Noise: two means differ beyond it when their distance is above the root of the sum of the squares of the half-widths of their "
      + "95 % confidence intervals, over seeds where there are several, otherwise within the run. By chance alone one in twenty "
      + `does so: about ${Math.round(judged / 20)} of ${judged}.`,
  ];
  if (found.states.length) {
    const ends = found.states.map(({ row, before: was, now: is }) => `${rowName(data.rows[row])}: ${was}, now ${is}`);
    lines.push(`Points that ended otherwise: ${ends.join("; ")}.`);
  }
  by("verdict").replaceChildren(...lines.map((line) => make("p", {}, line)));
  const metric = ({ metric: n }) => data.metrics[n];
  const word = ({ worse }) => (worse === null ? "" : worse > 0 ? "worse" : "better");
  new Table(by("changes"), [
    { name: "point", of: ({ row }) => rowName(data.rows[row]) },
    { name: "metric", of: (change) => metric(change).name },
    { name: "before", of: ({ before: [mean] }) => mean, text: ({ before }) => pair(before) },
    { name: "now", of: ({ now: [mean] }) => mean, text: ({ now }) => pair(now) },
    { name: "unit", of: (change) => metric(change).unit },
    {
      name: "change",
      of: ({ worse }) => worse,
      text: (change) => make("span", { class: word(change) }, share(change.worse), " ", word(change)),
    },
    { name: "", text: ({ row }) => opener(data.rows[row]) },
  ], 500).fill(found.changes);
}
