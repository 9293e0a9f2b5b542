// A position set up by hand: pieces are put down on the board, the input file follows, and the game's own rules say what is wrong.
import { draw } from "./draw.js";
import { begin, settle } from "./flow.js";
import { complain, desk, grid, mind, state } from "./state.js";

// The symbols of each game's input file, with the piece that each stands for: its side, its letter on the board, and words. The
// board is the last lines of the file; `stride`: columns of text from one cell to the next.
const SYMBOLS = {
  halma: { stride: 1, pieces: [["B", 0, "", "BLACK"], ["W", 1, "", "WHITE"]], empty: "." },
  wolves: { stride: 1, pieces: [["W", 0, "", "wolf"], ["S", 1, "", "sheep"]], empty: "." },
  squirrels: { stride: 1, pieces: [["X", 0, "", "X"], ["O", 1, "", "O"]], empty: "*" },
  foxgame: { stride: 1, pieces: [["F", 0, "", "fox"], ["S", 1, "", "sheep"]], empty: "." },
  foxgeese: { stride: 2, pieces: [["X", 1, "X", "fox X"], ["Y", 1, "Y", "fox Y"], ["goose", 0, "", "goose"]], empty: "-" },
};
const GEESE = "abcdefghijklmnopqrst";

let chosen = 0, asked = 0;

// Begins to set up, from the position that is shown.
export function setUp() {
  const { at } = state.tree;
  state.turn++;
  mind.stop();
  Object.assign(state, { thinking: null, hint: null, threat: null });
  state.editing = { rows: [], position: null, wrong: "" };
  read(at.input ?? at.parent.input);
  grid.edit = put;
  byId("setup-panel").hidden = false;
  palette();
  look();
}
function close() {
  Object.assign(state, { editing: null });
  grid.edit = null;
  byId("setup-panel").hidden = true;
}
// Ends it, and goes on with the game that was on.
export function leave() {
  close();
  settle();
}

// The lines of an input file: its head, and the board's cells.
function read(text) {
  const { height } = state.board, lines = text.trimEnd().split("\n").map(line => line.trimEnd());
  state.editing.head = lines.slice(0, lines.length - height);
  state.editing.rows = lines.slice(lines.length - height);
}
const symbol = (x, y) => state.editing.rows[y]?.[x * SYMBOLS[state.info.name].stride] ?? " ";
function set(x, y, sign) {
  const { stride } = SYMBOLS[state.info.name], row = [...state.editing.rows[y].padEnd(x * stride + 1)];
  row[x * stride] = sign;
  state.editing.rows[y] = row.join("").trimEnd();
}
const written = () => [...state.editing.head, ...state.editing.rows].join("\n") + "\n";

function put(x, y) {
  const { pieces, empty } = SYMBOLS[state.info.name], piece = pieces[chosen]?.[0] ?? empty;
  const here = symbol(x, y);
  const taken = sign => state.editing.rows.some(row => row.includes(sign));
  // A goose takes the first letter that no other has; there is one fox of each name.
  const sign = piece !== "goose" ? piece : GEESE.includes(here) ? here : [...GEESE].find(letter => !taken(letter));
  if (!sign) { state.editing.wrong = "all twenty geese are on the board"; show(); return; }
  if (state.info.name === "foxgeese" && "XY".includes(sign))
    state.board.zones.split("").forEach((_, at) => { const [a, b] = [at % state.board.width, Math.floor(at / state.board.width)]; if (symbol(a, b) === sign) set(a, b, empty); });
  set(x, y, sign);
  byId("text").value = written();
  look();
}

// Shows the board as it is, and asks the rules about it.
async function look() {
  const mine = ++asked, { editing, board } = state;
  const cells = [...board.zones].map((zone, at) => [zone, symbol(at % board.width, Math.floor(at / board.width))]);
  const { pieces } = SYMBOLS[state.info.name];
  const of = sign => pieces.find(([known]) => known === sign || known === "goose" && GEESE.includes(sign));
  const owners = cells.map(([zone, sign]) => zone === "#" ? "." : of(sign)?.[1] ?? ".").join("");
  const letters = cells.map(([zone, sign]) => zone === "#" || !of(sign) ? " " : state.info.name === "foxgeese" ? sign : of(sign)[2] || " ").join("");
  const texts = state.tree.at.position?.texts ?? state.tree.at.seen?.position?.texts ?? [];
  editing.position = { owners, letters, texts, path: [], changed: [] };
  byId("text").value = written();
  try {
    const seen = await desk.ask("look", [written(), byId("rules").value]);
    if (mine !== asked || !state.editing) return;
    editing.position = { ...seen.position, path: [], changed: [] };
    editing.wrong = seen.over ? `the game is over here: ${seen.over.why ?? ""}` : "";
  } catch (error) {
    if (mine !== asked || !state.editing) return;
    editing.wrong = error.message;
  }
  show();
}
function show() {
  byId("setup-wrong").textContent = state.editing.wrong;
  document.querySelector("[data-do=setup-done]").disabled = Boolean(state.editing.wrong);
  draw();
}

function palette() {
  const { pieces } = SYMBOLS[state.info.name], place = byId("palette");
  const choice = ([, side, , words], at) => {
    const label = html("label", "", place), input = html("input", "", label);
    Object.assign(input, { type: "radio", name: "piece", value: at, checked: at === chosen });
    input.onchange = () => { chosen = at; };
    if (side !== null) html("span", `disc s${side}`, label);
    label.append(words);
  };
  chosen = Math.min(chosen, pieces.length);
  place.replaceChildren();
  [...pieces, ["", null, "", "nothing"]].forEach(choice);
  const mover = byId("mover");
  mover.replaceChildren(...state.info.sides.map(side => new Option(side, side)));
  mover.value = state.editing.head[1];
  mover.onchange = () => { state.editing.head[1] = mover.value; look(); };
}

export function clear() {
  const { board } = state, { empty } = SYMBOLS[state.info.name];
  [...board.zones].forEach((zone, at) => { if (zone !== "#") set(at % board.width, Math.floor(at / board.width), empty); });
  look();
}
export async function done() {
  const text = written();
  close();
  await begin(state.info.name, byId("rules").value, text).catch(complain);
}
// The text was changed by hand while the board is set up.
export function typed(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length < state.board.height + 3) { state.editing.wrong = `expected ${state.board.height + 3} lines or more`; show(); return; }
  read(text);
  byId("mover").value = state.editing.head[1];
  look();
}
