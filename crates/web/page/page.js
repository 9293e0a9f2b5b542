// The page: the game, who plays, and what a press does.
import { Desk, Stopped } from "./desk.js";
import { Grid } from "./grid.js";
import { LEVELS } from "./levels.js";
import { Tree, pack, unpack } from "./tree.js";
import * as view from "./view.js";

const GAMES = { halma: "Halma", wolves: "Wolves and Sheep", squirrels: "Squirrels", foxgame: "FoxGame", foxgeese: "Foxes and Geese" };
const MEMORY = "menagerie.game";
// How long a hint may take, how much is looked at for winning chances, and how long an agent's move is held back for the eye.
const HINT = { seconds: 1.5 }, JUDGED = { nodes: 20000 }, HELD_BACK = 150;
// The clock in the input files that are copied from here, in seconds.
const CLOCK = 600;

const desk = new Desk(false), mind = new Desk(true);
const grid = new Grid(byId("grid"), move => play(move.output), stepped);
// `turn` grows with everything that makes answers on their way stale. `halted`: agents wait until they are let go on.
const state = { info: null, tree: null, players: ["you", "beginner"], seed: 1, turn: 0, halted: false, thinking: null, candidate: null, hint: null, since: 0, from: null, wrong: null };

const level = (name, at) => ({ name, seed: state.seed, ply: at.ply, request: request() });
function request() {
  const amount = Math.max(0.05, Number(byId("amount").value) || 2);
  return byId("unit").value === "nodes" ? { nodes: Math.max(1, Math.round(amount)) } : { seconds: Math.min(amount, 600) };
}
const isHuman = side => state.players[side] === "you";
const complain = error => { byId("say").textContent = `This went wrong: ${error.message}`; };

// Chances as the first side's, in words.
function found(answer, side) {
  if (answer.expected === undefined) return { words: answer.advice ?? null };
  return { expected: side === 0 ? answer.expected : 1 - answer.expected, words: answer.depth ? `depth ${answer.depth}` : answer.advice ?? "proven" };
}

// Another game. `input`, `outputs`: from there, by these moves.
async function begin(game, rules, input, outputs = []) {
  const turn = ++state.turn;
  byId("say").textContent = "loading";
  // The wheel of the worker that thinks is stopped, whatever it does.
  if (state.info?.name !== game || !desk.compiled) {
    const info = await desk.open(game);
    if (turn !== state.turn) return;
    state.info = info;
    mind.open(game, desk.compiled);
  }
  const { info } = state;
  rules = info.rules.includes(rules) ? rules : info.agentRules;
  input ??= await desk.ask("start", [rules, CLOCK]);
  const seen = await desk.ask("look", [input, rules]);
  const played = await desk.ask("replay", [input, rules, outputs]);
  if (turn !== state.turn) return;
  state.tree = new Tree(game, rules, input);
  state.tree.root.seen = seen;
  state.tree.root.over = seen.over;
  played.forEach(one => state.tree.add(one));
  state.board = seen.board;
  state.lower = view.lowerSide(seen.board, seen.position);
  state.halted = false;
  grid.lay(seen.board);
  offer();
  await settle(true);
}

// After every change of the position that is looked at.
async function settle(opened) {
  const turn = ++state.turn, { tree } = state, { at } = tree;
  mind.stop();
  Object.assign(state, { hint: null, thinking: null, candidate: null });
  if (!at.over && !at.seen) {
    const seen = await desk.ask("look", [at.input, tree.rules]);
    if (turn !== state.turn) return;
    at.seen = seen;
  }
  state.since = performance.now();
  draw();
  if (opened) performance.mark("ready");
  remember(turn);
  await goOn(turn);
}

async function goOn(turn) {
  const { at } = state.tree;
  if (at.over) return;
  if (isHuman(at.seen.side)) { await judge(turn, at); return; }
  if (at.ply >= state.info.plyLimit && state.from !== at) state.halted = true;
  if (document.hidden || waits()) { draw(); return; }
  state.thinking = "agent";
  draw();
  const answer = await thought("choose", [at.input, state.tree.rules, level(state.players[at.seen.side], at)], turn, iteration => {
    state.candidate = iteration.line[0]?.output ?? null;
    at.chance = found(iteration, at.seen.side);
    view.chance(state.info, at.chance);
    buttons();
  });
  if (!answer) return;
  if (answer.expected !== undefined || answer.advice) at.chance = found(answer, at.seen.side);
  const left = HELD_BACK - (performance.now() - state.since);
  if (left > 0) await new Promise(done => setTimeout(done, left));
  if (turn === state.turn) await play(answer.output);
}

// What the worker that thinks says, or null where nobody waits for it any more.
async function thought(ask, words, turn, tell) {
  try {
    const answer = await mind.ask(ask, words, iteration => { if (turn === state.turn) tell(iteration); });
    return turn === state.turn ? answer : null;
  } catch (error) {
    if (!(error instanceof Stopped) && turn === state.turn) { state.thinking = null; draw(); complain(error); }
    return null;
  }
}

async function judge(turn, at) {
  if (!byId("judge").checked || at.chance) return;
  const tell = answer => { at.chance = found(answer, at.seen.side); view.chance(state.info, at.chance); };
  const answer = await thought("think", [at.input, state.tree.rules, JUDGED], turn, tell);
  if (answer) tell(answer);
}

async function play(output) {
  const turn = ++state.turn, { tree } = state, { at } = tree;
  if (isHuman(at.seen.side)) state.wrong = null;
  const took = performance.now() - state.since;
  try {
    const played = await desk.ask("play", [at.input, tree.rules, output]);
    if (turn !== state.turn) return;
    const child = tree.add({ ...played, output, took });
    // A person's move is answered, also where the answer of another time stands already.
    if (isHuman(played.side)) Object.assign(state, { halted: false, from: child });
    await settle();
  } catch (error) { complain(error); }
}

async function hint() {
  const { at, rules } = { at: state.tree.at, rules: state.tree.rules };
  if (at.over) return;
  const turn = ++state.turn;
  mind.stop();
  state.thinking = "hint";
  draw();
  let drawn = null;
  const show = async answer => {
    const output = answer.output ?? answer.line[0]?.output;
    if (!output) return;
    state.hint = { ...answer, text: answer.text ?? answer.line[0].text, position: output === drawn ? state.hint?.position : null };
    if (output !== drawn) {
      drawn = output;
      const { position } = await desk.ask("play", [at.input, rules, output]);
      if (turn !== state.turn || output !== drawn) return;
      state.hint.position = position;
    }
    at.chance = found(answer, at.seen.side);
    draw();
  };
  const answer = await thought("think", [at.input, rules, HINT], turn, show);
  if (!answer) return;
  state.thinking = null;
  await show(answer);
  draw();
}

// The agents' thinking ends, or goes on.
function stop() {
  if (waits()) {
    Object.assign(state, { halted: false, from: state.tree.at });
    settle();
    return;
  }
  state.turn++;
  mind.stop();
  Object.assign(state, { halted: !onTurn(), from: null, thinking: null, candidate: null });
  draw();
}
const onTurn = () => { const { at } = state.tree; return Boolean(at.over) || isHuman(at.seen.side); };
// Whether an agent is to move and does not: it was stopped, or an earlier position is looked at.
const waits = () => { const { at } = state.tree; return !onTurn() && state.from !== at && (state.halted || at.next !== null); };

function moveNow() {
  const output = state.candidate;
  if (state.thinking !== "agent" || !output) return;
  state.turn++;
  mind.stop();
  play(output);
}

function takeBack() {
  const { tree } = state;
  let child = tree.at, to = child.parent;
  if (!to) return;
  const anybody = state.players.includes("you");
  while (anybody && !isHuman(child.side) && to.parent) [child, to] = [to, to.parent];
  if (!anybody) state.halted = true;
  tree.cut(to);
  settle();
}

function stepped() {
  drawBoardNow();
  buttons();
  const { chain } = grid;
  if (chain.complete()) byId("say").textContent = "Press this square again to end the move here, or go on.";
  else if (chain.steps.length) byId("say").textContent = `${chain.steps.map(step => step.join(",")).join("-")}: where to?`;
  else byId("say").textContent = saying();
}

const saying = () => (state.wrong ? `${state.wrong} ` : "") + view.say(state.info, state, state.tree.at, waits());
const positionNow = () => state.tree.at.position ?? state.tree.at.seen.position;
function drawBoardNow() {
  view.board(state.info, state.board, positionNow(), state.hint?.position ?? null, grid.chain.steps);
}

function draw() {
  const { info, tree } = state, { at } = tree, mine = !at.over && isHuman(at.seen.side);
  // A hint that goes on thinking does not undo the steps made.
  const steps = grid.chain.steps;
  grid.show(mine ? at.seen.moves : [], view.cellWords(info, state.board, positionNow()));
  if (state.thinking === "hint" || state.hint) { grid.chain.steps = mine ? steps : []; grid.mark(); }
  drawBoardNow();
  view.players(info, state, at, at.over ? null : at.seen.side);
  view.chance(info, at.over ? ended(at.over) : at.chance);
  view.moves(state, one => { tree.go(one); state.halted = false; settle(); });
  view.hint(info, state);
  const words = saying();
  if (byId("say").textContent !== words) byId("say").textContent = words;
  buttons();
}
const ended = over => ({ expected: over.winner === null ? 0.5 : over.winner === 0 ? 1 : 0, words: "the end" });

function buttons() {
  const { at } = state.tree, button = name => document.querySelector(`[data-do=${name}]`);
  button("undo").disabled = !grid.chain.steps.length;
  button("back").disabled = !at.parent;
  button("hint").disabled = Boolean(at.over) || state.thinking !== null;
  button("stop").textContent = waits() ? "play on" : "stop";
  button("stop").disabled = onTurn() && !state.thinking;
  button("now").disabled = state.thinking !== "agent" || !state.candidate;
}

// The whole game in the address and in the browser's memory.
async function packed() {
  return pack({ ...state.tree.plain(), players: state.players, seed: state.seed });
}
async function remember(turn) {
  const text = await packed();
  if (turn !== state.turn) return;
  state.link = `#g=${text}`;
  history.replaceState(null, "", state.link);
  try { localStorage.setItem(MEMORY, text); } catch { /* A page in a frame may have no memory. */ }
}

async function restore(text, asked) {
  const kept = await unpack(text);
  if (asked && kept.game !== asked) throw new Error("another game is asked for");
  if (!Object.hasOwn(GAMES, kept.game)) throw new Error("this link is of a game that is not here");
  if (Array.isArray(kept.players) && kept.players.length === 2 && kept.players.every(one => one === "you" || Object.hasOwn(LEVELS, one))) state.players = kept.players;
  state.seed = kept.seed | 0;
  await begin(kept.game, kept.rules, kept.input, kept.moves);
}

async function opened() {
  const link = location.hash.startsWith("#g=") ? location.hash.slice(3) : null;
  const asked = new URLSearchParams(location.search).get("game");
  let text = link;
  try { text ??= localStorage.getItem(MEMORY); } catch { /* As there. */ }
  let wrong = null;
  if (text) try { await restore(text, link ? null : asked); return; } catch (error) { wrong = error; }
  try {
    freshSeed();
    // What was remembered may be of an older page; a link was meant.
    if (link && wrong) state.wrong = `This link does not open: ${wrong.message}.`;
    await begin(Object.hasOwn(GAMES, asked ?? "") ? asked : "halma");
  } catch (error) { complain(error); }
}

async function copied(button, text) {
  const words = button.textContent;
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = false; }
  if (!done) { openPaste(true); byId("text").value = text; byId("text").select(); }
  button.textContent = done ? "copied" : "copy it from below";
  setTimeout(() => { button.textContent = words; }, 1500);
}
function openPaste(open) {
  byId("paste").hidden = !open;
  document.querySelector("[data-do=paste]").setAttribute("aria-expanded", open);
}
async function load(text) {
  byId("wrong").textContent = "";
  try { await begin(state.info.name, byId("rules").value, text.replaceAll("\r\n", "\n")); openPaste(false); }
  catch (error) { byId("wrong").textContent = error.message; }
}

// The choices of the game that is on.
function offer() {
  const { info, tree } = state;
  byId("game").value = info.name;
  byId("rules").replaceChildren(...info.rules.map(name => new Option(name, name, false, name === tree.rules)));
  byId("rules-label").hidden = info.rules.length < 2;
  byId("rules-page").href = `rules/${info.name}.txt`;
  [0, 1].forEach(side => {
    byId(`side${side}`).textContent = info.sides[side];
    byId(`player${side}`).value = state.players[side];
  });
  byId("think-label").hidden = !state.players.includes("full");
  byId("summary").textContent = `${GAMES[info.name]}: ${info.sides.map((side, at) => `${side} ${titleOf(state.players[at])}`).join(", ")}`;
  byId("levels").textContent = Object.values(LEVELS).filter((one, at) => state.players.includes(Object.keys(LEVELS)[at]))
    .map(({ title, words }) => `${title}: ${words}`).join("; ");
  document.title = `${info.title}: play`;
}

const titleOf = player => LEVELS[player]?.title ?? player;
function freshSeed() { state.seed = crypto.getRandomValues(new Int32Array(1))[0]; }
const fresh = (game, rules) => { freshSeed(); return begin(game, rules).catch(complain); };

for (const [name, title] of Object.entries(GAMES)) byId("game").append(new Option(title, name));
for (const side of [0, 1]) {
  const select = byId(`player${side}`);
  select.append(new Option("you", "you"), ...Object.entries(LEVELS).map(([name, { title, words }]) => {
    const option = new Option(title, name);
    option.title = words;
    return option;
  }));
  select.onchange = () => { state.players[side] = select.value; state.halted = false; offer(); settle(); };
}
byId("game").onchange = event => fresh(event.target.value);
byId("rules").onchange = event => fresh(state.info.name, event.target.value);
byId("new").onclick = () => fresh(byId("game").value, byId("rules").value);
byId("judge").onchange = () => { if (!state.thinking) settle(); };

const actions = {
  undo: () => grid.undo(), back: takeBack, hint, stop, now: moveNow,
  copy: button => copied(button, state.tree.at.input ?? state.tree.at.parent.input),
  link: async button => copied(button, `${location.href.split("#")[0]}#g=${await packed()}`),
  paste: () => openPaste(byId("paste").hidden),
  load: () => load(byId("text").value),
};
document.querySelectorAll("[data-do]").forEach(button => { button.onclick = () => { if (state.tree) actions[button.dataset.do](button); }; });
const keys = { Escape: "undo", b: "back", h: "hint", s: "stop", n: "now" };
document.addEventListener("keydown", event => {
  const name = keys[event.key];
  if (!name || !state.tree || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("textarea, input, select")) return;
  if (!document.querySelector(`[data-do=${name}]`).disabled) actions[name]();
});
document.addEventListener("visibilitychange", () => {
  if (!state.tree) return;
  if (document.hidden && state.thinking) { state.turn++; mind.stop(); state.thinking = null; draw(); } else if (!document.hidden) goOn(++state.turn);
});
addEventListener("hashchange", () => { if (location.hash !== state.link && location.hash.startsWith("#g=")) restore(location.hash.slice(3)).catch(complain); });
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", async event => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (file && file.size < 100_000) { openPaste(true); byId("text").value = await file.text(); await load(byId("text").value); }
});
// On a telephone the board comes first.
if (matchMedia("(max-width: 759px)").matches) byId("choices").open = false;
opened();
