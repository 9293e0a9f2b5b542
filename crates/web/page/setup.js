// The editor for positions: pieces are put on the board, the input file is updated, and the game's rules check it.
import { draw } from "./draw.js";
import { begin, settle } from "./flow.js";
import { complain, desk, grid, mind, positionNow, setMode, state } from "./state.js";

// The board is the last lines of the input file. The module tells the symbols in them (`Symbols` in crates/engine/src/drawing.rs).
const symbols = () => state.info.symbols;
const kindOf = sign => symbols().pieces.find(kind => kind.symbols.includes(sign));

let chosen = 0, asked = 0;

// Opens the editor with the current position.
export function setUp() {
  const { at } = state.tree;
  state.turn++;
  mind.stop();
  Object.assign(state, { thinking: null, hint: null, threat: null });
  setMode("play");
  state.editing = { rows: [], position: positionNow(), wrong: "" };
  read(at.input ?? at.parent.input);
  grid.edit = put;
  byId("setup-panel").hidden = false;
  document.querySelector("[data-do=setup]").setAttribute("aria-pressed", true);
  palette();
  look();
}
function close() {
  Object.assign(state, { editing: null });
  grid.edit = null;
  byId("setup-panel").hidden = true;
  byId("setup-wrong").textContent = "";
  document.querySelector("[data-do=setup]").setAttribute("aria-pressed", false);
}
// Closes the editor and resumes the game.
export function leave() {
  close();
  settle();
}

// Splits an input file into its head and the rows of the board.
function read(text) {
  const { height } = state.board, lines = text.trimEnd().split("\n").map(line => line.trimEnd());
  state.editing.head = lines.slice(0, lines.length - height);
  state.editing.rows = lines.slice(lines.length - height);
}
const symbol = (x, y) => state.editing.rows[y]?.[x * symbols().stride] ?? " ";
function set(x, y, sign) {
  const { stride } = symbols(), row = [...state.editing.rows[y].padEnd(x * stride + 1)];
  row[x * stride] = sign;
  state.editing.rows[y] = row.join("").trimEnd();
}
const written = () => [...state.editing.head, ...state.editing.rows].join("\n") + "\n";

function put(x, y) {
  const { pieces, empty } = symbols(), kind = pieces[chosen];
  const here = symbol(x, y);
  const taken = sign => state.editing.rows.some(row => row.includes(sign));
  // Of distinct pieces the first that is not on the board is put down. If the kind has only one, it is moved.
  const several = kind?.distinct && kind.symbols.length > 1;
  const sign = !kind ? empty : !several ? kind.symbols[0] : kind.symbols.includes(here) ? here : [...kind.symbols].find(one => !taken(one));
  if (!sign) { state.editing.wrong = `all ${kind.symbols.length} pieces of the kind ${kind.name} are on the board`; show(); return; }
  if (kind?.distinct && !several)
    state.board.zones.split("").forEach((_, at) => { const [a, b] = [at % state.board.width, Math.floor(at / state.board.width)]; if (symbol(a, b) === sign) set(a, b, empty); });
  set(x, y, sign);
  byId("text").value = written();
  look();
}

// Shows the board, and checks it by the rules.
async function look() {
  const mine = ++asked, { editing, board } = state;
  const cells = [...board.zones].map((zone, at) => [zone, symbol(at % board.width, Math.floor(at / board.width))]);
  const owners = cells.map(([zone, sign]) => zone === "#" ? "." : kindOf(sign)?.side ?? ".").join("");
  const letters = cells.map(([zone, sign]) => zone !== "#" && kindOf(sign)?.distinct ? sign : " ").join("");
  const texts = state.tree.at.position?.texts ?? state.tree.at.seen?.position?.texts ?? [];
  byId("text").value = written();
  const { rules } = state.tree;
  const drawn = await desk.ask("sketch", [rules, owners, letters, texts]);
  if (mine !== asked || !state.editing) return;
  editing.position = { ...drawn, path: [], changed: [], marks: "" };
  try {
    const seen = await desk.ask("look", [written(), rules]);
    if (mine !== asked || !state.editing) return;
    editing.position = { ...seen.position, path: [], changed: [], marks: "" };
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
  const { pieces } = symbols(), place = byId("palette");
  const choice = ({ name, side }, at) => {
    const label = html("label", "", place), input = html("input", "", label);
    Object.assign(input, { type: "radio", name: "piece", value: at, checked: at === chosen });
    input.onchange = () => { chosen = at; };
    if (side !== null) face(state.board, side, label);
    label.append(name);
  };
  chosen = Math.min(chosen, pieces.length);
  place.replaceChildren();
  [...pieces, { name: "nothing", side: null }].forEach(choice);
  const mover = byId("mover");
  mover.replaceChildren(...state.info.words.map((word, side) => new Option(state.info.sides[side], word)));
  mover.value = state.editing.head[1];
  mover.onchange = () => { state.editing.head[1] = mover.value; look(); };
}

// The editor may have been closed since a button was pressed: this module comes late where the network is slow.
export function clear() {
  if (!state.editing) return;
  const { board } = state, { empty } = symbols();
  [...board.zones].forEach((zone, at) => { if (zone !== "#") set(at % board.width, Math.floor(at / board.width), empty); });
  look();
}
export async function done() {
  if (!state.editing) return;
  const text = written();
  close();
  await begin(state.info.name, state.tree.rules, text).catch(complain);
}
// Updates the board after the text was edited by hand.
export function typed(text) {
  if (!state.editing) return;
  const lines = text.trimEnd().split("\n");
  if (lines.length < state.board.height + 3) { state.editing.wrong = `expected ${state.board.height + 3} lines or more`; show(); return; }
  read(text);
  byId("mover").value = state.editing.head[1];
  look();
}
