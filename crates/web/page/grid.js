// The interactive grid over the board's drawing, for mouse, touch, keyboard and screen readers.
import { Chain } from "./chain.js";

const AWAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Grid {
  // Callbacks for the owner to set: `played` is called with a move, `changed` after a step of a chain was made or undone. If `edit`
  // is set, it is called with every press instead.
  constructor(place) {
    Object.assign(this, { place, played: () => {}, changed: () => {}, edit: null, cells: [], chain: new Chain([]), here: null });
    place.addEventListener("click", event => this.pressed(event));
    place.addEventListener("keydown", event => this.key(event));
    place.addEventListener("pointerdown", event => { this.from = event.pointerType === "mouse" ? this.cellOf(event.target) : null; });
    place.addEventListener("pointerup", event => this.dropped(event));
  }

  // Creates the cells of a board.
  lay(board, names) {
    const { width, height, zones } = board;
    Object.assign(this, { board, names, cells: [] });
    const frame = this.place.parentElement.style;
    frame.setProperty("--columns", width);
    frame.setProperty("--rows", height);
    this.place.replaceChildren();
    this.place.setAttribute("aria-rowcount", height);
    this.place.setAttribute("aria-colcount", width);
    for (let y = 0; y < height; y++) {
      const row = html("div", "row", this.place);
      row.setAttribute("role", "row");
      for (let x = 0; x < width; x++) {
        if (zones[y * width + x] === "#") { this.cells.push(null); continue; }
        const cell = html("div", "cell", row);
        cell.setAttribute("role", "gridcell");
        cell.setAttribute("aria-colindex", x + 1);
        cell.tabIndex = -1;
        cell.style.gridColumn = x + 1;
        cell.style.gridRow = y + 1;
        cell.dataset.at = `${x},${y}`;
        this.cells.push(cell);
      }
    }
    this.here = null;
  }

  // Shows a new position: its legal moves (empty if nothing may be pressed), and a description of each cell.
  show(moves, words) {
    this.chain = new Chain(moves);
    this.words = words;
    this.mark();
  }

  mark() {
    const { width } = this.board, { movers, steps, ends } = this.chain.targets();
    const made = this.chain.steps.map(String);
    this.cells.forEach((cell, at) => {
      if (!cell) return;
      const spot = `${at % width},${Math.floor(at / width)}`;
      const chosen = made.includes(spot);
      cell.className = ["cell", movers.has(spot) && "mover", chosen && "chosen", steps.has(spot) && "step", !steps.has(spot) && ends.has(spot) && "end"]
        .filter(Boolean).join(" ");
      cell.setAttribute("aria-selected", chosen);
      const more = steps.has(spot) ? ", legal target" : ends.has(spot) ? ", end of a chain" : movers.has(spot) ? ", can move" : "";
      cell.setAttribute("aria-label", `${this.words[at]}${chosen ? ", chosen" : ""}${more}`);
    });
    this.setHere(this.here ?? this.cells.findIndex(cell => cell?.classList.contains("mover")), false);
  }

  // Makes one cell the tab stop of the grid (roving tabindex).
  setHere(at, focus) {
    if (at < 0 || !this.cells[at]) at = this.cells.findIndex(Boolean);
    for (const cell of this.cells) if (cell) cell.tabIndex = -1;
    this.cells[at].tabIndex = 0;
    if (focus) { this.here = at; this.cells[at].focus({ preventScroll: true }); }
  }

  cellOf(target) { return target.closest?.(".cell") ?? null; }
  pressed(event) {
    const cell = this.cellOf(event.target);
    if (cell) this.press(cell);
  }

  press(cell) {
    this.here = this.cells.indexOf(cell);
    const [x, y] = cell.dataset.at.split(",").map(Number);
    if (this.edit) { this.edit(x, y); return; }
    const move = this.chain.press(x, y);
    if (move) {
      // No moves can be pressed until the next position is shown.
      this.chain = new Chain([]);
      this.mark();
      this.played(move);
      return;
    }
    this.mark();
    this.changed();
  }

  undo() {
    const undone = this.chain.undo();
    if (undone) { this.mark(); this.changed(); }
    return undone;
  }

  dropped(event) {
    const from = this.from, to = this.cellOf(document.elementFromPoint(event.clientX, event.clientY) ?? event.target);
    this.from = null;
    // Press and release on one cell are a click, handled elsewhere; on two cells they are a drag, which fires no click on a cell.
    if (!from || !to || from === to || this.edit) return;
    if (this.chain.last() !== from.dataset.at) this.press(from);
    this.press(to);
  }

  key(event) {
    const cell = this.cellOf(event.target);
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); this.press(cell); return; }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.undo(); return; }
    const away = AWAY[event.key];
    const { width, height } = this.board;
    let at = this.cells.indexOf(cell);
    if (event.key === "Home" || event.key === "End") {
      const row = this.cells.slice(at - at % width, at - at % width + width);
      at = at - at % width + (event.key === "Home" ? row.findIndex(Boolean) : row.findLastIndex(Boolean));
    } else if (away) {
      let [x, y] = [at % width + away[0], Math.floor(at / width) + away[1]];
      // Skip cells that are off the board.
      while (x >= 0 && y >= 0 && x < width && y < height && !this.cells[y * width + x]) { x += away[0]; y += away[1]; }
      if (x < 0 || y < 0 || x >= width || y >= height) { event.preventDefault(); return; }
      at = y * width + x;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.setHere(at, true);
  }
}
