// Puzzles: positions with an only move, without which the game is lost. `lab only-moves` has found and proven them, with the answers
// to all other moves (docs/browser.md).
import { cellWords } from "./cells.js";
import { keepOffline, keepPuzzles, keptPuzzles } from "./kept.js";
import { keepPieces, slide } from "./motion.js";
import { of, spoken, within } from "./names.js";
import { GAMES, desk, grid, setMode } from "./state.js";

const LEVELS = ["easy", "medium", "hard"];
// What puzzles are about, by the words of their files.
const THEMES = {
  capture: "capture", quiet: "quiet move", sacrifice: "sacrifice", defence: "defence", forcing: "one answer", trap: "no move left",
  chain: "chain of jumps", room: "makes room", long: "three moves or more",
};
// The time in milliseconds before an answer is played.
const PAUSE = 600;

// The game's description, its file of puzzles, and the puzzle that is shown: `number` from 0, the moves found (`step`), the position
// (`input`, `seen`), whether a move was wrong, and whether it is over.
let info, file, board, now;
// The theme to which the list and the next puzzle keep; all puzzles if it is empty.
let theme = "";
// Incremented by everything that makes a running answer stale.
let turn = 0;
const kept = keptPuzzles();
const solved = () => kept.solved[`${file.game} ${file.seed}`] ??= [];
const level = number => LEVELS[Math.floor(LEVELS.length * number / file.puzzles.length)];
const fits = number => !theme || file.puzzles[number].themes.includes(theme);
const step = () => file.puzzles[now.number].steps[now.step];
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

function say(words, kind = "") {
  byId("say").className = kind;
  byId("say").textContent = words;
}

// Draws a position; with `at`, the move that led to it is shown in motion. `answer` is the class of the arrow of that move.
function show(position, at = null, answer = "way") {
  const before = at && keepPieces();
  drawBoard(byId("board"), board, position, position.path.length > 1 ? [[answer, position.way]] : []);
  if (at) slide(before, position, at);
}

// Lets the person move, or nobody.
function offer(moves) {
  grid.show(moves, cellWords(info, board, now.position));
}

function head() {
  const { side } = now.seen, place = byId("top"), puzzle = file.puzzles[now.number];
  place.replaceChildren();
  const name = html("span", "", place);
  face(board, side, name);
  html("b", "", name, `${of(info.sides[side])} turn`);
  html("small", "figures", place, `puzzle ${now.number + 1} of ${file.puzzles.length}, ${level(now.number)}`).title =
    `A full-width search holds to the first move after ${puzzle.nodes.toLocaleString("en")} nodes.`;
}

function list() {
  const done = solved(), place = byId("list"), focused = place.contains(document.activeElement);
  place.replaceChildren();
  for (const name of LEVELS) {
    if (!file.puzzles.some((_, number) => level(number) === name && fits(number))) continue;
    html("h2", "", place, name);
    const row = html("ol", "", place);
    file.puzzles.forEach((_, number) => {
      if (level(number) !== name || !fits(number)) return;
      const is = done.includes(number), button = html("button", is ? "solved" : "", html("li", "", row), String(number + 1));
      button.type = "button";
      button.setAttribute("aria-label", `puzzle ${number + 1}${is ? ", solved" : ""}`);
      if (number === now.number) button.setAttribute("aria-current", "true");
      button.onclick = () => open(number);
      if (focused && number === now.number) button.focus();
    });
  }
  byId("streak").textContent = `${done.length} of ${file.puzzles.length} solved; streak: ${kept.streak} at the first try, longest ${kept.best}`;
}

// Offers the themes that this game's puzzles have.
function offerThemes() {
  const chosen = byId("theme"), add = (value, words) => { html("option", "", chosen, words).value = value; };
  add("", `all ${file.puzzles.length}`);
  for (const [name, title] of Object.entries(THEMES)) {
    const { length } = file.puzzles.filter(({ themes }) => themes.includes(name));
    if (length) add(name, `${title} (${length})`);
  }
  chosen.onchange = () => {
    theme = chosen.value;
    list();
    if (!fits(now.number)) next().catch(complain);
  };
}

async function open(number) {
  const mine = ++turn, { input } = file.puzzles[number];
  const seen = await desk.ask("look", [input, file.rules]);
  if (mine !== turn) return;
  told();
  now = { number, step: 0, input, seen, position: seen.position, missed: false, over: false };
  history.replaceState(null, "", `?game=${file.game}#${number + 1}`);
  show(now.position);
  head();
  list();
  ask();
}

// Asks for the next move.
function ask() {
  offer(now.seen.moves);
  const { by, refutations } = step(), side = info.sides[now.seen.side];
  const to = word => refutations.some(([, by]) => by === word);
  const rest = to("holds") ? "every other move is slower or does not win" : to("draw") ? "no other move wins" : "every other move loses";
  const goal = file.unit === "points" ? `by ${count(by, "point")}` : by === 1 ? "at once" : `in at most ${count(Math.ceil(by / 2), "move")}`;
  const more = now.step ? "Right. And now?" : "";
  say(`${more} Find the one move of ${within(side)} that wins ${goal}: ${rest}.`.trim(), now.step ? "right" : "");
  buttons(false);
}

function buttons(refuted) {
  byId("again").hidden = !refuted;
  byId("solution").hidden = now.over;
  byId("next").classList.toggle("first", now.over);
}
const inBoard = () => byId("grid").contains(document.activeElement);

// What an answer to a wrong move comes to.
const ending = by => {
  if (by === "draw") return "holds the draw";
  if (by === "holds") return `holds: no win in ${count(Math.ceil(step().by / 2), "move")} is left`;
  if (by === "later") return "wins in the end";
  if (file.unit === "points") return `wins by ${count(by, "point")}`;
  return by === 1 ? "has won" : `wins in at most ${count(Math.ceil(by / 2), "move")}`;
};

async function played({ output }) {
  const mine = ++turn, { input } = now, due = step(), byKeys = inBoard();
  offer([]);
  const made = await desk.ask("play", [input, file.rules, output]);
  if (mine !== turn) return;
  show(made.position, made);
  if (output === due.move) { await right(mine, made, due, byKeys); return; }
  missed();
  const [reply, by] = due.refutations.find(([, , moves]) => moves.includes(output)) ?? due.refutations.at(-1);
  if (reply === null) say(`${made.text} loses at once${made.over?.why ? `: ${spoken(info, made.over.why)}` : ""}.`, "false");
  else {
    await wait(PAUSE);
    if (mine !== turn) return;
    const answer = await desk.ask("play", [made.input, file.rules, reply]);
    if (mine !== turn) return;
    show(answer.position, answer, "threat");
    say(`${made.text} is not the move. The answer ${answer.text} ${ending(by)}. Try again.`, "false");
  }
  buttons(true);
  if (byKeys) byId("again").focus();
}

async function right(mine, made, due, byKeys) {
  if (due.reply === null) { end(made, byKeys); return; }
  await wait(PAUSE);
  if (mine !== turn) return;
  const answer = await desk.ask("play", [made.input, file.rules, due.reply]);
  const seen = await desk.ask("look", [answer.input, file.rules]);
  if (mine !== turn) return;
  show(answer.position, answer);
  Object.assign(now, { step: now.step + 1, input: answer.input, seen, position: answer.position });
  ask();
}

// A wrong move, or a look at the solution, ends the streak.
function missed() {
  if (now.missed) return;
  now.missed = true;
  if (solved().includes(now.number)) return;
  kept.streak = 0;
  keepPuzzles(kept);
  list();
}

function end(made, byKeys) {
  const done = solved(), anew = !done.includes(now.number);
  now.over = true;
  if (anew) {
    done.push(now.number);
    if (!now.missed) kept.best = Math.max(kept.best, ++kept.streak);
    keepPuzzles(kept);
    list();
  }
  const how = now.missed ? "Solved." : anew ? `Solved at the first try: ${kept.streak} in a row.` : "Solved.";
  const about = file.puzzles[now.number].themes.map(name => THEMES[name]).join(", ");
  const last = made.over?.why ? ` ends the game: ${spoken(info, made.over.why)}` : " wins";
  say(`${how} ${made.text}${last}.${about ? ` Theme: ${about}.` : ""}`, "right");
  buttons(false);
  if (byKeys) byId("next").focus();
}

// Plays the rest of the line.
async function solution() {
  const mine = ++turn;
  missed();
  offer([]);
  buttons(false);
  show(now.position);
  const steps = file.puzzles[now.number].steps.slice(now.step), words = [];
  let { input } = now;
  for (const [at, { move, reply }] of steps.entries()) for (const output of [move, reply].filter(Boolean)) {
    const own = output === move;
    await wait(own && at ? 2 * PAUSE : PAUSE);
    if (mine !== turn) return;
    const made = await desk.ask("play", [input, file.rules, output]);
    if (mine !== turn) return;
    words.push(made.text);
    show(made.position, made, own ? "better" : "way");
    input = made.input;
  }
  now.over = true;
  say(`The solution: ${words.join(" | ")}. Go back to it to play it yourself.`);
  byId("again").hidden = false;
  byId("solution").hidden = true;
}

function again() {
  if (now.over) { open(now.number); return; }
  turn++;
  show(now.position);
  ask();
  grid.place.querySelector("[tabindex='0']").focus({ preventScroll: true });
}

// The next puzzle of the theme that is not solved, or else the next.
function next() {
  const { length } = file.puzzles, after = file.puzzles.map((_, at) => (now.number + 1 + at) % length).filter(fits);
  return open(after.find(number => !solved().includes(number)) ?? after[0]);
}

// Says that a number in the address is that of no puzzle, until another puzzle is opened; "" says nothing.
let wrong = "";
function told() {
  if (wrong) trouble(`There is no puzzle ${wrong} of this game. Puzzles have the numbers 1 to ${file.puzzles.length}.`); else started();
  wrong = "";
}
const fromAddress = () => {
  const number = Number(location.hash.slice(1)) - 1;
  return Number.isInteger(number) && file.puzzles[number] ? number : null;
};

async function start() {
  const asked = new URLSearchParams(location.search).get("game"), names = Object.keys(GAMES).filter(name => GAMES[name].puzzles);
  const game = names.includes(asked) ? asked : names[0], number = location.hash.slice(1);
  setMode("play");
  document.title = `${GAMES[game].title}: puzzles`;
  byId("title").textContent = `${GAMES[game].title}: puzzles`;
  byId("game-page").href = `index.html?game=${game}`;
  byId("rules-page").href = `rules/${game}.html`;
  byId("rules-page").hidden = !GAMES[game].rules;
  for (const name of names.filter(name => name !== game)) html("a", "", byId("other-puzzles"), GAMES[name].title).href = `?game=${name}`;
  const answer = await fetch(`puzzles/${game}.json`);
  if (!answer.ok) throw new Error(`puzzles/${game}.json: ${answer.status} ${answer.statusText}`);
  file = await answer.json();
  info = await desk.open(game);
  ({ board } = await desk.ask("look", [file.puzzles[0].input, file.rules]));
  grid.lay(board);
  offerThemes();
  grid.played = move => { keepOffline(); played(move).catch(complain); };
  grid.changed = async () => {
    const steps = [...grid.chain.steps], way = steps.length > 1 ? await desk.ask("arrow", [steps.flat()]) : "";
    if (String(steps) === String(grid.chain.steps)) drawBoard(byId("board"), board, now.position, [...lastWay(now.position), ["chain", way]]);
  };
  const first = file.puzzles.findIndex((_, number) => !solved().includes(number)), wanted = fromAddress();
  wrong = wanted === null ? number : "";
  await open(wanted ?? Math.max(0, first));
  if (asked !== null && asked !== game) trouble(`There are no puzzles of “${asked}” here, but of ${names.join(", ")}.`);
  performance.mark("ready");
}
const complain = error => say(`Error: ${error.message}`, "false");

byId("again").onclick = again;
byId("next").onclick = () => next().catch(complain);
byId("solution").onclick = () => solution().catch(complain);
addEventListener("hashchange", () => {
  const number = fromAddress();
  if (number === null) wrong = location.hash.slice(1);
  open(number ?? now.number).catch(complain);
});
document.addEventListener("keydown", event => {
  if (!now || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") grid.undo();
  else if (event.key === "n") byId("next").click();
  else if (event.key === "r" && !byId("again").hidden) again();
});
start().catch(complain);
