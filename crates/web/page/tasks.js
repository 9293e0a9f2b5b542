// First steps: tasks of one move each before a first game. tasks.json has positions and goals; the game's rules say whether a move meets a goal.
import { cellWords } from "./cells.js";
import { keepTask, keptTasks } from "./kept.js";
import { keepPieces, slide } from "./motion.js";
import { of } from "./names.js";
import { GAMES, desk, grid, setMode } from "./state.js";

// The time in milliseconds for which a wrong move, or the one that "show me" makes, is seen.
const PAUSE = 1200;
// The game's description and board, its tasks, and the task shown: its number from 0, its position as text (`input`) and described (`seen`), its marked squares.
let info, board, tasks, now;
// Incremented by everything that makes a running answer stale.
let turn = 0;
const rules = () => info.agentRules;
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const ownerOf = (position, spot) => { const [x, y] = spot.split(",").map(Number); return position.owners[y * board.width + x]; };

// What a move has to do, by the words of tasks.json. `made` is the answer to the move, and `told` what it does (`effect` of worker.js).
const GOALS = {
  // The piece ends on this square.
  reach: (spot, { move }) => String(move.path.at(-1)) === spot,
  // So many jumps: a jump goes two squares, a step one.
  jumps: (count, { move: { path } }) => path.filter(([x, y], at) => at && Math.max(Math.abs(x - path[at - 1][0]), Math.abs(y - path[at - 1][1])) === 2).length >= count,
  // The other side's pieces on these squares are taken, or have changed sides.
  gone: (spots, { made }) => { const other = String(1 - now.seen.side); return spots.every(spot => ownerOf(now.seen.position, spot) === other && ownerOf(made.position, spot) !== other); },
  // The piece on this square cannot move in the next turn.
  shut: async (spot, { made }) => !(await desk.ask("look", [made.input, rules()])).moves.some(({ path }) => String(path[0]) === spot),
  // The next turn takes none of the own pieces.
  safe: (_, { told }) => told.risk === 0,
  // The own count of points grows by at least so much.
  gain: (points, { told: { measure } }) => measure !== null && measure.after - measure.before >= points,
  win: (_, { made }) => made.over?.winner === now.seen.side,
};

// Whether a move meets the goal of the task shown.
async function meets(move, made) {
  const told = await desk.ask("effect", [now.input, rules(), move.output]);
  for (const [name, value] of Object.entries(tasks[now.number].goal)) if (!await GOALS[name](value, { move, made, told })) return false;
  return true;
}
const make = move => desk.ask("play", [now.input, rules(), move.output]);
// The same for the move of an output file.
export async function judged(output) {
  const move = now.seen.moves.find(move => move.output === output);
  return meets(move, await make(move));
}

function say(words, kind = "") {
  byId("say").className = kind;
  byId("say").textContent = words;
}
function show(position, at = null) {
  const before = at && keepPieces();
  drawBoard(byId("board"), board, position, lastWay(position));
  if (at) slide(before, position, at);
}
// Lets the visitor move, or nobody.
function offer(moves, position = now.seen.position) {
  grid.show(moves, cellWords(info, board, position).map((words, at) => now.marked.includes(`${at % board.width},${Math.floor(at / board.width)}`) ? `${words}, marked` : words));
  for (const cell of grid.cells) cell?.toggleAttribute("data-marked", now.marked.includes(cell.dataset.at));
}

function list() {
  const done = keptTasks()[info.name] ?? [];
  byId("tasks").replaceChildren(...tasks.map((_, number) => {
    const item = html("li", ""), is = done.includes(number), button = html("button", is ? "solved" : "", item, String(number + 1));
    Object.assign(button, { type: "button", ariaLabel: `task ${number + 1}${is ? ", done" : ""}`, onclick: () => open(number).catch(complain) });
    if (number === now.number) button.setAttribute("aria-current", "true");
    return item;
  }));
  const all = tasks.every((_, number) => done.includes(number));
  byId("leave").textContent = all ? "play" : "skip: play";
  byId("leave").classList.toggle("first", all && now.over);
  byId("next").classList.toggle("first", !all && now.over);
}

async function open(number, words = "", kind = "") {
  const mine = ++turn, { goal, marked, ...task } = tasks[number];
  const input = task.input ?? await desk.ask("start", [rules(), 600]), seen = await desk.ask("look", [input, rules()]);
  if (mine !== turn) return;
  now = { number, input, seen, over: false, marked: [marked ?? goal.reach ?? goal.shut ?? goal.gone ?? []].flat() };
  const place = byId("top"), name = html("span", "");
  place.replaceChildren(name);
  face(board, seen.side, name);
  html("b", "", name, `${of(info.sides[seen.side])} turn`);
  html("small", "figures", place, `task ${number + 1} of ${tasks.length}`);
  show(seen.position);
  list();
  grid.here = null;
  offer(seen.moves);
  say(`${words} ${task.say}`.trim(), kind);
}

async function played(move) {
  const mine = ++turn, byKeys = grid.place.contains(document.activeElement), made = await make(move), right = await meets(move, made);
  if (mine !== turn) return;
  show(made.position, made);
  offer([], made.position);
  if (!right) {
    say(`${move.text} is not it.`, "false");
    await wait(PAUSE);
    if (mine === turn) await open(now.number, `${move.text} was not it.`, "false");
    return;
  }
  keepTask(info.name, now.number);
  now.over = true;
  list();
  const isLast = now.number === tasks.length - 1;
  say(isLast ? "Right. That is all you need: play." : "Right.", "right");
  if (byKeys) byId(isLast ? "leave" : "next").focus();
}

// Makes a move that meets the goal, found among the legal ones, and takes it back.
async function solution() {
  const mine = ++turn;
  for (const move of now.seen.moves) {
    const made = await make(move);
    if (!await meets(move, made)) continue;
    if (mine !== turn) return;
    offer([]);
    show(made.position, made);
    say(`${move.text} is a right move.`);
    await wait(2 * PAUSE);
    if (mine === turn) await open(now.number, "Now you.");
    return;
  }
}

async function start() {
  const asked = new URLSearchParams(location.search).get("game"), all = await (await fetch("tasks.json")).json();
  const game = Object.hasOwn(all, asked ?? "") ? asked : Object.keys(all)[0], { title } = GAMES[game];
  setMode("play");
  tasks = all[game];
  byId("title").textContent = document.title = `${title}: first steps`;
  byId("game-page").href = `index.html?game=${game}`;
  byId("rules-page").href = `rules/${game}.html`;
  byId("leave").onclick = () => location.assign(`index.html?game=${game}`);
  info = await desk.open(game);
  ({ board } = await desk.ask("look", [await desk.ask("start", [rules(), 600]), rules()]));
  grid.lay(board);
  grid.played = move => { played(move).catch(complain); };
  grid.changed = () => { if (grid.chain.complete()) say("Press this square again to end the move here, or go on."); };
  const done = keptTasks()[game] ?? [], first = tasks.findIndex((_, number) => !done.includes(number));
  await open(Math.max(0, first));
  started();
  if (asked !== null && asked !== game) trouble(`There are no first steps of “${asked}” here, but of ${Object.keys(all).join(", ")}.`);
  performance.mark("ready");
}
const complain = error => say(`Error: ${error.message}`, "false");

byId("next").onclick = async () => {
  await open((now.number + 1) % tasks.length).catch(complain);
  grid.place.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
};
byId("solution").onclick = () => solution().catch(complain);
document.addEventListener("keydown", event => { if (event.key === "Escape") grid.undo(); });
start().catch(complain);
