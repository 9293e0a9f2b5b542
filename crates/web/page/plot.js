"use strict";
// Plots a game: winning chances, the scores that players reported, clocks, and the CPU time of each move. A game is a list of positions, the start first, each
// `{ side, score, left, cpu, analysis: { expected, best, mark } }`.
const PLOT = { width: 300, height: 110 };
const PLOT_MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const plotX = (positions, at) => 4 + 292 * at / Math.max(1, positions.length - 1);

function plotLine(svg, name, points, stroke, more) {
  make("polyline", { class: name, points: points.map(point => point.join(",")).join(" "), fill: "none", stroke, "vector-effect": "non-scaling-stroke", ...more }, svg);
}

// Plots scores through tanh, scaled by about their median size; wins and losses touch the edges.
function plotScores(svg, { positions, first, winBound }) {
  const sizes = positions.map(p => Math.abs(p.score ?? 0)).filter(size => size > 0 && size < winBound).sort((a, b) => a - b);
  const scale = Math.max(1, sizes[Math.floor(sizes.length * .6)] ?? 1);
  const toY = score => 55 - 48 * Math.tanh(score / scale / 2);
  return [0, 1].filter(side => {
    const told = positions.map((p, at) => [at, p]).filter(([, p]) => p.side === side && p.score != null);
    if (told.length)
      plotLine(svg, "told", told.map(([at, p]) => [plotX(positions, at), toY(p.score)]), side === first ? "var(--accent)" : "var(--soft)", { "stroke-width": 1.6 });
    return told.length > 0;
  });
}

function plotChances(svg, { positions, spoken }) {
  const known = positions.map((p, at) => [at, p.analysis]).filter(([, analysis]) => analysis);
  if (!known.length) return false;
  const toY = expected => 106 - 102 * expected;
  const points = known.map(([at, analysis]) => [plotX(positions, at), toY(analysis.expected)]);
  const [from, to] = [points[0][0], points[points.length - 1][0]];
  make("polygon", { points: [[from, 55], ...points, [to, 55]].map(point => point.join(",")).join(" "), fill: "var(--good)", opacity: .22 }, svg);
  plotLine(svg, "chance", points, "var(--good)", { "stroke-width": 2 });
  for (const [at, analysis] of known.filter(([, analysis]) => analysis.mark)) {
    const tick = make("line", { class: "tick", x1: plotX(positions, at), x2: plotX(positions, at), y1: toY(analysis.best), y2: toY(analysis.expected),
      stroke: `var(--${analysis.mark})`, "stroke-width": 4, "vector-effect": "non-scaling-stroke" }, svg);
    make("title", {}, tick, `${spoken(at)} ${PLOT_MARKS[analysis.mark]}`);
  }
  return true;
}

// Plots the clocks of whole games, full at the top and empty at the bottom. Clocks of 100,000 s and more, as of reference players, are
// left out.
function plotClocks(svg, { positions, first }) {
  return [0, 1].filter(side => {
    const left = positions.map((p, at) => [at, p]).filter(([, p]) => p.side === side && p.left != null && p.left < 1e5);
    if (left.length < 2) return false;
    const full = left[0][1].left + left[0][1].cpu;
    plotLine(svg, "clocks", left.map(([at, p]) => [plotX(positions, at), 106 - 102 * p.left / full]), side === first ? "var(--accent)" : "var(--soft)",
      { "stroke-width": 1.2, "stroke-dasharray": "2 3" });
    return true;
  }).length > 0;
}

// Plots the CPU time of each move as a bar; the longest has half of the height.
function plotTimes(svg, { positions, first }) {
  const most = Math.max(...positions.map(p => p.cpu ?? 0)), width = Math.max(.6, 200 / positions.length);
  if (!most) return null;
  positions.forEach(({ cpu, side }, at) => {
    if (cpu) make("rect", { class: "time", x: plotX(positions, at) - width / 2, y: 110 - 55 * cpu / most, width, height: 55 * cpu / most,
      fill: side === first ? "var(--accent)" : "var(--soft)", opacity: .4 }, svg);
  });
  return most;
}

// Draws a game `{ positions, first, winBound, spoken }` into an element. `first` is the side from whose point of view scores are given,
// drawn in the accent colour; `spoken` names a position. `pick` is called with the index of a pressed position. Returns which
// curves were drawn, and the CPU seconds of the longest move, null if none took time.
function drawPlot(place, game, pick) {
  place.replaceChildren();
  const svg = make("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, preserveAspectRatio: "none" }, place);
  make("line", { x1: 0, x2: 300, y1: 55, y2: 55, stroke: "var(--line)" }, svg);
  const drawn = { times: plotTimes(svg, game), chances: plotChances(svg, game), scores: plotScores(svg, game), clocks: plotClocks(svg, game) };
  make("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: 110, stroke: "var(--ink)", "stroke-width": 1, "vector-effect": "non-scaling-stroke" }, svg);
  svg.onclick = event => {
    const box = svg.getBoundingClientRect(), last = game.positions.length - 1;
    pick(Math.min(Math.max(0, Math.round(((event.clientX - box.left) / box.width * 300 - 4) / 292 * last)), last));
  };
  return drawn;
}

// Moves the cursor line to the current position.
function plotCursor(place, positions, at) {
  const cursor = place.querySelector(".cursor"), x = plotX(positions, at);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}
