// The interactive grid over the board's drawing, for mouse, touch, keyboard and screen readers.
import { Chain } from "./chain.js";

const AWAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Grid {
  // Callbacks for the owner to set: `played` is called with a move, `changed` after a step of a chain was made or undone, with words if a press has chosen nothing. If `edit`
  // is set, it is called with every press instead; `arrow` with the ends of a drag by the right button. `lifted` has the pointers whose lifting has pressed a
  // cell, and whose click may follow; `isLast` says that no pointer has come down since.
  constructor(place) {
    Object.assign(this, { place, played: () => {}, changed: () => {}, arrow: () => {}, edit: null, turned: false, cells: [], chain: new Chain([]), here: null, lifted: new Set(), isLast: false });
    place.addEventListener("click", event => this.pressed(event));
    place.addEventListener("keydown", event => this.key(event));
    place.addEventListener("contextmenu", event => event.preventDefault());
    place.addEventListener("pointerdown", event => this.down(event));
    place.addEventListener("pointermove", event => this.moved(event));
    place.addEventListener("pointerup", event => this.dropped(event));
    place.addEventListener("pointercancel", () => this.lift());
  }

  // Creates the cells of a board; none where the game has a text alone.
  lay(board) {
    const { width, height, zones } = this.board = board ?? { width: 0, height: 0, zones: "" };
    this.cells = [];
    this.place.hidden = !board;
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

  // Takes no press until the next position is shown.
  rest() {
    this.chain = new Chain([]);
    this.edit = null;
    if (this.words) this.mark();
  }

  // `missed`: a press has chosen nothing, and what can be pressed is to be seen.
  mark(missed = false) {
    this.place.classList.toggle("missed", missed);
    const { width } = this.board, { movers, steps, ends, losing } = this.chain.targets();
    const made = this.chain.steps.map(String);
    this.cells.forEach((cell, at) => {
      if (!cell) return;
      const spot = `${at % width},${Math.floor(at / width)}`;
      const chosen = made.includes(spot);
      cell.className = ["cell", movers.has(spot) && "mover", chosen && "chosen", steps.has(spot) && "step", !steps.has(spot) && ends.has(spot) && "end", losing.has(spot) && "loses"]
        .filter(Boolean).join(" ");
      cell.setAttribute("aria-selected", chosen);
      const more = steps.has(spot) ? ", legal target" : ends.has(spot) ? ", end of a chain" : movers.has(spot) ? ", can move" : "";
      cell.setAttribute("aria-label", `${this.words[at]}${chosen ? ", chosen" : ""}${more}${losing.has(spot) ? ", loses at once" : ""}`);
    });
    const first = this.cells.findIndex(cell => cell?.classList.contains("mover"));
    // Before the first press the focus is on a piece that can move.
    this.setHere(this.here ?? first, this.here === null && first >= 0 && this.place.contains(document.activeElement));
  }

  // Makes one cell the tab stop of the grid (roving tabindex).
  setHere(at, focus) {
    if (at < 0 || !this.cells[at]) at = this.cells.findIndex(Boolean);
    if (at < 0) return;
    for (const cell of this.cells) if (cell) cell.tabIndex = -1;
    this.cells[at].tabIndex = 0;
    if (focus) { this.cells[at].focus({ preventScroll: true }); }
  }

  cellOf(target) { return target.closest?.(".cell") ?? null; }
  pressed(event) {
    const cell = this.cellOf(event.target);
    if (cell && !this.isCounted(event)) this.press(cell);
  }
  // Whether a click is that of a finger whose lifting has pressed a cell already. A click knows its pointer; in a browser in which it does not, it is the one
  // that comes before the next pointer is down. Clicks by a script have the detail 0.
  isCounted({ pointerId, detail }) {
    if (pointerId !== undefined) return this.lifted.delete(pointerId);
    return detail > 0 && this.isLast && this.lifted.size > 0;
  }

  press(cell) {
    this.here = this.cells.indexOf(cell);
    const [x, y] = cell.dataset.at.split(",").map(Number);
    if (this.edit) { this.edit(x, y); return; }
    const last = this.chain.last(), move = this.chain.press(x, y);
    if (move) {
      this.rest();
      this.played(move);
      return;
    }
    const missed = this.chain.moves.length > 0 && !this.chain.steps.length && last !== cell.dataset.at;
    this.mark(missed);
    this.changed(missed ? `${this.words[this.here]}. ${last ? "The piece cannot go there" : "No move begins there"}: press a marked square.` : "");
  }

  undo() {
    const undone = this.chain.undo();
    if (undone) { this.mark(); this.changed(); }
    return undone;
  }

  // The smallest width of a cell, in pixels, that a finger meets without a lens.
  static SMALL = 34;

  down(event) {
    this.lift();
    this.lifted.delete(event.pointerId);
    this.isLast = false;
    const cell = this.cellOf(event.target);
    if (!cell) return;
    if (event.button === 2) { this.aim = cell; return; }
    this.touch = event.pointerType !== "mouse" && cell.clientWidth < Grid.SMALL;
    if (event.pointerType === "mouse") this.from = cell;
    else if (this.touch) { this.place.setPointerCapture(event.pointerId); this.magnify(event); }
  }

  moved(event) {
    if (this.touch) { this.magnify(event); return; }
    if (!this.from || this.edit) return;
    const over = this.under(event);
    if (!this.ghost && over !== this.from) {
      const piece = this.drawn().querySelector(`.pieces [data-at="${this.from.dataset.at}"]`);
      if (!piece || !this.from.classList.contains("mover")) return;
      if (this.chain.last() !== this.from.dataset.at) this.press(this.from);
      // The piece under the pointer, in the size of a cell.
      this.ghost = html("div", "", document.body);
      this.ghost.id = "ghost";
      this.ghost.style.width = this.ghost.style.height = `${this.from.clientWidth}px`;
      const [x, y] = this.from.dataset.at.split(",").map(Number);
      make("svg", { class: "menagerie-board", viewBox: `${100 * x} ${100 * y} 100 100` }, this.ghost).append(piece.cloneNode(true));
      this.piece = piece;
      piece.setAttribute("opacity", .35);
    }
    if (!this.ghost) return;
    [this.ghost.style.left, this.ghost.style.top] = [`${event.clientX}px`, `${event.clientY}px`];
    if (over !== this.hovered) {
      this.hovered?.classList.remove("over");
      this.hovered = over && (over.classList.contains("step") || over.classList.contains("end")) ? over : null;
      this.hovered?.classList.add("over");
    }
  }

  // The drawing of the board below the grid.
  drawn() { return this.place.parentElement.querySelector("svg"); }

  // Shows the cells around a finger, enlarged above it.
  magnify(event) {
    this.hovered?.classList.remove("over");
    this.hovered = this.under(event);
    this.hovered?.classList.add("over");
    if (!this.hovered) { this.lens?.remove(); this.lens = null; return; }
    if (!this.lens) {
      this.lens = html("div", "", document.body);
      this.lens.id = "lens";
      this.lens.classList.toggle("turned", this.turned);
      this.lens.append(this.drawn().cloneNode(true));
    }
    const [x, y] = this.hovered.dataset.at.split(",").map(Number), svg = this.lens.firstChild;
    svg.setAttribute("viewBox", `${100 * x - 100} ${100 * y - 100} 300 300`);
    svg.querySelector(".aim")?.remove();
    make("rect", { class: "aim chain", x: 100 * x + 4, y: 100 * y + 4, width: 92, height: 92, fill: "none", stroke: "#1b62c4", "stroke-width": 8 }, svg);
    this.lens.style.left = `${Math.min(Math.max(event.clientX, 64), innerWidth - 64)}px`;
    this.lens.style.top = `${event.clientY > 150 ? event.clientY - 90 : event.clientY + 90}px`;
  }

  lift() {
    this.piece?.removeAttribute("opacity");
    this.ghost?.remove();
    this.lens?.remove();
    this.hovered?.classList.remove("over");
    Object.assign(this, { ghost: null, piece: null, lens: null, hovered: null, from: null, aim: null, touch: false });
  }

  under(event) { return this.cellOf(document.elementFromPoint(event.clientX, event.clientY) ?? event.target); }

  dropped(event) {
    const { from, aim, touch, ghost } = this, to = this.under(event);
    this.lift();
    if (aim) { if (to) this.arrow(aim.dataset.at, to.dataset.at); return; }
    if (touch) {
      // The finger presses the cell of the lens, and the click that follows presses none.
      if (to) { this.lifted.add(event.pointerId); this.isLast = true; this.press(to); }
      return;
    }
    // Press and release on one cell are a click, handled elsewhere; on two cells they are a drag, which fires no click on a cell.
    if (!from || !to || from === to || this.edit) return;
    if (!ghost && this.chain.last() !== from.dataset.at) this.press(from);
    this.press(to);
  }

  key(event) {
    const cell = this.cellOf(event.target);
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); this.press(cell); return; }
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.undo(); return; }
    const away = AWAY[event.key]?.map(step => this.turned ? -step : step);
    const { width, height } = this.board;
    let at = this.cells.indexOf(cell);
    if (event.key === "Home" || event.key === "End") {
      const row = this.cells.slice(at - at % width, at - at % width + width);
      at = at - at % width + (event.key === "Home" ? row.findIndex(Boolean) : row.findLastIndex(Boolean));
    } else if (away) {
      let [x, y] = [at % width + away[0], Math.floor(at / width) + away[1]];
      // Skip cells that are off the board.
      while (x >= 0 && y >= 0 && x < width && y < height && !this.cells[y * width + x]) { x += away[0]; y += away[1]; }
      // At the edge the arrow stays on the board: the page would walk through the game.
      if (x >= 0 && y >= 0 && x < width && y < height) at = y * width + x;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.here = at;
    this.setHere(at, true);
  }
}
