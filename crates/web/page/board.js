
"use strict";
// Draws a board as SVG: squares or points, pieces, the path of the last move, an arrow for a better move.
const SVG = "http://www.w3.org/2000/svg";
const byId = id => document.getElementById(id);

function make(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}
function html(name, className, parent, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}
const style = name => `var(--${name})`;

function drawCells(svg, board) {
  const { width, height, zones, lines, columns, rows } = board;
  const edge = { "font-size": Math.min(0.32, 0.04 * Math.max(width, height)), "text-anchor": "middle", fill: style("soft") };
  for (let x = 0; x < width; x++) make("text", { x: x + 0.5, y: -0.2, ...edge }, svg, columns[x] ?? x);
  for (let y = 0; y < height; y++) make("text", { x: -0.25, y: y + 0.62, ...edge }, svg, rows[y] ?? y);
  for (const [a, b] of lines)
    make("line", { x1: a[0] + .5, y1: a[1] + .5, x2: b[0] + .5, y2: b[1] + .5, stroke: style("edge"), "stroke-width": .05 }, svg);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const zone = zones[y * width + x];
    if (zone === "#") continue;
    const fill = zone === "." ? style((x + y) % 2 ? "cell" : "cell2") : style("zone" + zone);
    if (lines.length) make("circle", { cx: x + .5, cy: y + .5, r: .13, fill, stroke: style("edge"), "stroke-width": .03 }, svg);
    else make("rect", { x: x + .01, y: y + .01, width: .98, height: .98, fill, stroke: style("edge"), "stroke-width": .02 }, svg);
  }
}

function drawPieces(svg, board, now, texts) {
  const { width, height } = board;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const at = y * width + x, owner = now.owners[at], text = texts[at];
    const middle = { x: x + .5, "text-anchor": "middle" };
    if (owner !== ".") {
      const name = owner === "0" ? "one" : "two", ink = style(name + "-ink");
      make("circle", { class: "piece", cx: x + .5, cy: y + .5, r: .38, fill: style(name), stroke: style(name + "-edge"), "stroke-width": .05 }, svg);
      // A ring marks the first side for readers who cannot tell the colours apart.
      if (owner === "0") make("circle", { class: "ring", cx: x + .5, cy: y + .5, r: .3, fill: "none", stroke: ink, "stroke-width": .03, opacity: .55 }, svg);
      const letter = now.letters ? now.letters[at].trim() : "";
      if (letter) make("text", { ...middle, y: y + (text ? .52 : .64), "font-size": text ? .34 : .42, fill: ink }, svg, letter);
      if (text) make("text", { ...middle, y: y + (letter ? .78 : .6), "font-size": letter ? .24 : .3, fill: ink }, svg, text);
    } else if (text) {
      make("text", { ...middle, y: y + .62, "font-size": .36, fill: style("text") }, svg, text);
    }
  }
}

// Draws a path with an arrowhead at its end, or a ring if the path is a single place.
function drawWay(svg, path, name, color, width) {
  if (path.length === 1) {
    make("circle", { class: name, cx: path[0][0] + .5, cy: path[0][1] + .5, r: .43, fill: "none", stroke: color, "stroke-width": width }, svg);
    return;
  }
  const points = path.map(([x, y]) => [x + .5, y + .5]);
  const [a, b] = points.slice(-2), length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const tail = [...points.slice(0, -1), [b[0] - .2 * dx, b[1] - .2 * dy]];
  make("polyline", { class: name, points: tail.map(point => point.join(",")).join(" "), fill: "none", stroke: color, "stroke-width": width,
    "stroke-linejoin": "round", "stroke-linecap": "round" }, svg);
  const wing = side => `${b[0] - .3 * dx - side * .15 * dy},${b[1] - .3 * dy + side * .15 * dx}`;
  make("polygon", { class: name + "-head", points: `${b[0]},${b[1]} ${wing(1)} ${wing(-1)}`, fill: color }, svg);
  for (const [x, y] of points.slice(0, -1)) make("circle", { cx: x, cy: y, r: width * 1.2, fill: color }, svg);
}

// The places that a refused output mentions: by column and row numbers, by the board's own names, or by a piece's letter.
function placesIn(output, board, now) {
  const { width, height, columns, rows } = board;
  const places = [];
  const inside = (x, y) => { if (x >= 0 && y >= 0 && x < width && y < height) places.push([x, y]); };
  for (const [, x, y] of output.matchAll(/(\d+)\s*,\s*(\d+)/g)) inside(Number(x), Number(y));
  if (!places.length && columns.some(Boolean)) {
    for (const [, column, row] of output.slice(0, 12).matchAll(/\b([A-Za-z])(\d+)\b/g))
      inside(columns.indexOf(column), rows.length ? rows.indexOf(row) : Number(row) - 1);
  }
  if (!places.length && now.letters) {
    const at = now.letters.indexOf(output.trim()[0] ?? "?");
    if (at >= 0) inside(at % width, Math.floor(at / width));
  }
  return places.filter(([x, y], at) => !at || x !== places[at - 1][0] || y !== places[at - 1][1]);
}

// Draws the position `now`. `better` is the position after a better move, whose path is drawn as an arrow; `refused` is a refused
// output, whose places are marked.
function drawBoard(place, board, now, texts, better, refused) {
  place.replaceChildren();
  if (!board) { html("pre", "", place, now.picture); return; }
  const svg = make("svg", { viewBox: `-0.7 -0.7 ${board.width + 0.8} ${board.height + 0.8}` }, place);
  drawCells(svg, board);
  for (const [x, y] of now.path)
    make("rect", { x: x + .03, y: y + .03, width: .94, height: .94, rx: .12, fill: style("accent"), opacity: .28 }, svg);
  for (const [x, y] of now.changed)
    make("rect", { x: x + .06, y: y + .06, width: .88, height: .88, rx: .1, fill: "none", stroke: style("accent"),
      "stroke-width": .06, "stroke-dasharray": ".14 .1" }, svg);
  drawPieces(svg, board, now, texts);
  if (now.path.length > 1) drawWay(svg, now.path, "way", style("accent"), .09);
  if (better) {
    const way = better.path.length ? better.path : better.changed;
    if (better.path.length > 1) drawWay(svg, way, "better", style("good"), .12);
    else way.forEach(spot => drawWay(svg, [spot], "better", style("good"), .07));
  }
  if (refused) {
    const places = placesIn(refused, board, now);
    if (places.length) drawWay(svg, places, "refused", style("blunder"), .09);
  }
}
