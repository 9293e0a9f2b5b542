
"use strict";
// Shows boards. Their SVG comes from the crate `boards`; this script puts it into the page.
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

// Shows the position `now` on a board; both are as the functions `board` and `position` of crates/web/src/drawing.rs describe them.
// `ways` are arrows over the pieces, each with its class. Without a board the position's text is shown.
function drawBoard(place, board, now, ways = []) {
  if (!board) { place.replaceChildren(); html("pre", "", place, now.picture); return; }
  let svg = place.firstChild;
  if (svg?.ground !== board.ground) {
    place.replaceChildren();
    svg = make("svg", { class: "menagerie-board", viewBox: board.viewBox }, place);
    svg.ground = board.ground;
    for (const name of ["ground", "marks", "pieces", "ways"]) make("g", { class: name }, svg);
    svg.firstChild.innerHTML = board.ground;
  }
  const [, marks, pieces, arrows] = svg.children;
  marks.innerHTML = now.marks ?? "";
  if (pieces.drawn !== now.pieces) {
    pieces.innerHTML = now.pieces;
    pieces.drawn = now.pieces;
    for (const piece of pieces.querySelectorAll(".piece")) {
      const [x, y] = piece.dataset.at.split(",").map(Number);
      piece.style.transformOrigin = `${100 * x + 50}px ${100 * y + 50}px`;
    }
  }
  arrows.innerHTML = ways.map(([name, way]) => way ? `<g class="${name}">${way}</g>` : "").join("");
}

// A side's piece as a small picture.
function face(board, side, parent) {
  if (!board) return;
  const picture = make("svg", { class: "face menagerie-board", viewBox: "0 0 100 100", "aria-hidden": "true" }, parent);
  make("use", { href: `#${board.figures[side]}`, width: 100, height: 100 }, picture);
}

// The arrow of the last move of a position, if the move has a path.
const lastWay = now => now.path?.length > 1 ? [["way", now.way]] : [];
