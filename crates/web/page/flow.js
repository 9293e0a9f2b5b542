// The control flow of a game: moving between positions, agents' turns, hints.
import { askProgram, isProgram, leftOf } from "./bench.js";
import * as clocks from "./clock.js";
import { Stopped } from "./desk.js";
import { draw, drawBoardNow, drawButtons, faceOwn, offer } from "./draw.js";
import { keepGame } from "./kept.js";
import { does } from "./names.js";
import { GAMES, complain, desk, freshSeed, grid, isFriends, isHuman, mind, onTurn, seat, setMode, state, waits } from "./state.js";
import { Tree, pack } from "./tree.js";
import * as view from "./view.js";

export const MEMORY = "menagerie.game";
// The thinking time of a hint, and the nodes of the search for winning chances.
const HINT = { seconds: 1.5 }, CHANCE_SEARCH = { nodes: 20000 };
// The time in milliseconds before an agent's move is shown: after a person's move long enough to see that move, between agents as chosen.
const DELAY = 500;
const delay = () => state.players.includes("you") ? DELAY : Number(byId("pace").value);
// The clock, in seconds, in input files of games without clocks.
const CLOCK = 600;

const level = (name, at) => ({ name, seed: state.seed, ply: at.ply, request: request(at) });
function request(at) {
  const left = clocks.left(at, at.seen.side);
  if (left !== null) return { clock: Math.max(0.05, left / 1000) };
  const amount = Math.max(0.05, Number(byId("amount").value) || 2);
  return byId("unit").value === "nodes" ? { nodes: Math.max(1, Math.round(amount)) } : { seconds: Math.min(amount, 600) };
}

// A search result as the expected result of the first side and a caption.
function found(answer, side) {
  if (answer.expected === undefined) return { words: answer.advice ?? null };
  const { proven } = answer;
  return { expected: side === 0 ? answer.expected : 1 - answer.expected, proven, words: proven ? "proven" : answer.depth ? `depth ${answer.depth}` : answer.advice ?? null };
}

let opening = 0;
// Begins a game, from the input file `input` and with the moves `outputs` if given. `notes` are comments by their plies; `record` is the
// game of a record to be viewed from its start. The game that was there is kept. The default rule set is the judge's for a record, else
// the agents'. Only the beginning of another game keeps this one from being shown: the board takes no press until then. Where a text is
// refused, the game that was there goes on. With `partly` a game with a damaged move is shown up to it.
export async function begin(game, rules, input, outputs = [], { notes = {}, record = null, partly = false } = {}) {
  const mine = ++opening;
  state.turn++;
  mind.stop();
  state.thinking = null;
  byId("say").textContent = "loading";
  grid.rest();
  try {
    const read = await described(mine, game, rules, input, outputs, record, partly);
    if (!read) return;
    await keepCurrent();
    if (mine === opening) await shown(game, read, notes, record);
  } catch (error) {
    if (mine === opening && state.tree && await openModule(mine, state.tree.game)) settle();
    throw error;
  }
}

// Has the workers run a game, which stops their searches; false if another game has begun meanwhile.
async function openModule(mine, game) {
  if (state.info?.name === game && desk.compiled) return true;
  const info = await desk.open(game);
  if (mine !== opening) return false;
  state.info = info;
  return true;
}

// The texts and positions of a game that begins; null if another one has begun meanwhile.
async function described(mine, game, rules, input, outputs, record, partly) {
  if (!await openModule(mine, game)) return null;
  const { info } = state;
  rules = info.rules.includes(rules) ? rules : record ? info.judgeRules : info.agentRules;
  const start = await desk.ask("start", [rules, CLOCK]);
  input ??= start;
  const begins = await desk.ask("look", [start, rules]), seen = input === start ? begins : await desk.ask("look", [input, rules]);
  const played = await desk.ask("replay", [input, rules, outputs, partly]), wrong = played.at(-1)?.damaged;
  if (wrong) {
    played.pop();
    state.wrong = `The link is damaged: ${wrong}. The game is shown up to there.`;
  }
  return mine === opening ? { rules, input, seen, played, lower: view.lowerSide(begins.board, begins.position) } : null;
}

function shown(game, { rules, input, seen, played, lower }, notes, record) {
  seat(state.info);
  state.tree = new Tree(game, rules, input, [...state.players]);
  // Programs keep their files for one game.
  state.tree.session = crypto.randomUUID?.() ?? String(Math.random());
  state.link = location.hash;
  Object.assign(state.tree.root, { seen, over: seen.over, left: state.clock && !state.players.includes("friend") ? [0, 1].map(() => 1000 * state.clock) : null });
  played.forEach(one => { state.tree.add(one).note = notes[state.tree.at.ply]; });
  if (record) recorded(record);
  Object.assign(state, { live: null, lesson: null, board: seen.board, lower, halted: false, record, editing: null });
  grid.edit = null;
  grid.lay(seen.board);
  faceOwn();
  offer();
  return settle(true);
}

// Keeps the current game, and leaves it in the browser's history, if it has moves.
async function keepCurrent() {
  const { tree } = state;
  if (!tree?.root.next) return;
  const { length } = tree.line();
  keepGame(`${GAMES[tree.game].title}: ${tree.players.join(" against ")}, ${length - 1} ${length === 2 ? "move" : "moves"}`, await packed());
  if (state.travelling) return;
  // The new game has an address of its own at once, so that Back changes it.
  history.pushState(null, "", "#");
  state.link = "";
}

// Adds the notes and the end from a record to its moves, and goes to the start.
function recorded({ moves, end }) {
  const { tree, info } = state, line = tree.line(), last = line.at(-1);
  line.slice(1).forEach((one, at) => Object.assign(one, { note: moves[at].note, told: moves[at] }));
  if (end?.fault) {
    const { player, output, ...figures } = end.fault;
    last.failed = { ...figures, side: player, file: output, fault: { word: end.termination, reason: end.reason } };
  }
  if (end && !last.over) {
    const won = end.winner === null ? "A draw" : does(info.sides[end.winner], "win");
    last.ending = `${won}: ${[end.termination, end.reason].filter(Boolean).join(", ")}`;
  }
  tree.at = tree.root;
}

// Called after every change of the current position: describes it, draws it, and lets the next player move.
export async function settle(opened) {
  const turn = ++state.turn, { tree } = state, { at } = tree;
  mind.stop();
  // The lines of a running analysis are those of the position before.
  Object.assign(state, { hint: null, threat: null, thinking: null, candidate: null, chainWay: null, live: state.live && [] });
  if (!at.over && !at.seen) {
    const seen = await desk.ask("look", [at.input, tree.rules]);
    if (turn !== state.turn) return;
    at.seen = seen;
  }
  // A game without an end is a draw at the limit of the judge's games.
  if (!at.over && !at.next && !state.record && at.ply >= state.info.plyLimit) at.over = { winner: null, why: `${at.ply} plies were played`, termination: "draw by move limit" };
  state.since = performance.now();
  draw();
  if (opened) performance.mark("ready");
  remember(turn);
  // Nobody waits for what an agent or an analysis does next.
  goOn(turn).catch(complain);
}

export async function goOn(turn) {
  const { at } = state.tree;
  if (at.over || state.editing) return;
  if (state.live) { await analyseLive(turn, at); return; }
  if (isHuman(at.seen.side)) { await judge(turn, at); return; }
  // Before the first game, and while the next is chosen, nobody moves; a friend moves elsewhere.
  if (state.mode !== "play" || isFriends(at)) return;
  if (document.hidden || waits()) { draw(); return; }
  state.thinking = "agent";
  state.since = performance.now();
  draw();
  const name = state.players[at.seen.side];
  if (isProgram(name)) { await askFor(name, turn, at); return; }
  const tell = iteration => {
    state.candidate = iteration.line[0]?.output ?? null;
    if (!at.chance?.proven) at.chance = found(iteration, at.seen.side);
    view.chance(state, at.chance);
    drawButtons();
  };
  const answer = await thought("choose", () => [at.input, state.tree.rules, level(name, at)], turn, tell, name === "full");
  if (!answer) return;
  const took = performance.now() - state.since;
  if (!at.chance?.proven && (answer.expected !== undefined || answer.advice)) at.chance = found(answer, at.seen.side);
  if (took < delay()) await new Promise(done => setTimeout(done, delay() - took));
  if (turn === state.turn) await play(answer.output, took);
}

// Has a program of the command line move. After a fault the game goes on by a move of the person for it, or by asking it again.
async function askFor(name, turn, at) {
  const { tree: { game, rules, session }, since } = state, { side } = at.seen;
  try {
    const told = await askProgram(name, { session, game, rules, input: at.input, left: leftOf(at, side) });
    if (turn !== state.turn) return;
    at.failed = told.fault ? { ...told, side } : null;
    if (told.fault) {
      Object.assign(state, { thinking: null, halted: true, from: null, fault: { at } });
      draw();
      return;
    }
    const took = performance.now() - since;
    if (took < delay()) await new Promise(done => setTimeout(done, delay() - took));
    if (turn === state.turn) await play(told.output, took, false, told);
  } catch (error) {
    if (turn !== state.turn) return;
    Object.assign(state, { thinking: null, halted: true, from: null });
    draw();
    complain(error);
  }
}

// Asks the search worker, and resolves to its answer, or to null if the answer is stale. `words` returns the arguments and is called
// when the worker is ready. With `stored` the worker is provided with the game's data files first.
async function thought(ask, words, turn, tell, stored) {
  if (mind.game !== state.tree.game) mind.open(state.tree.game, desk.compiled);
  try {
    const missing = stored ? await mind.know() : await mind.ready.then(() => null);
    if (turn !== state.turn) return null;
    if (missing) state.wrong = `The stored data of this game cannot be loaded (${missing}); the search runs without it.`;
    const answer = await mind.ask(ask, words(), iteration => { if (turn === state.turn) tell(iteration); });
    return turn === state.turn ? answer : null;
  } catch (error) {
    if (!(error instanceof Stopped) && turn === state.turn) { state.thinking = null; draw(); complain(error); }
    return null;
  }
}

// The best moves of the position, each with its chances and its line, deeper and deeper until something else is asked for.
async function analyseLive(turn, at) {
  const told = lines => {
    state.live = lines;
    const { expected } = lines[0];
    at.chance = { expected: expected === null ? null : at.seen.side === 0 ? expected : 1 - expected, proven: lines[0].proven, words: lines[0].proven ? "proven" : `${lines[0].nodes} nodes` };
    view.chance(state, at.chance);
    view.lines(state, follow);
    drawBoardNow();
  };
  if (await thought("lines", () => [at.input, state.tree.rules], turn, told, true)) drawButtons();
}
// Plays a line of the analysis, as a variation, without an answer of an agent.
export async function follow(outputs) {
  for (const output of outputs) {
    state.halted = true;
    await play(output, 0, true);
  }
}
export function toggleLive() {
  state.live = state.live ? null : [];
  settle();
}

async function judge(turn, at) {
  // What a search needs is loaded after the first move, so that the first move comes soon.
  if (state.info.own || !byId("judge").checked || at.chance || !moved()) return;
  const tell = answer => { at.chance = found(answer, at.seen.side); view.chance(state, at.chance); };
  // If the game has stored results, a search without them may say the opposite.
  if (state.info.stores.length) {
    view.chance(state, { words: "winning chances: the proven results are being loaded" });
    const known = await thought("truth", () => [at.input, state.tree.rules], turn, () => {}, true);
    if (known) { tell(known); return; }
    if (turn !== state.turn) return;
  }
  const answer = await thought("think", () => [at.input, state.tree.rules, CHANCE_SEARCH], turn, tell);
  if (answer) tell(answer);
}
// Whether a person has moved on the way to the present position.
const moved = () => state.tree.line().slice(1, state.tree.at.ply + 1).some(one => state.players[one.side] === "you");

export async function play(output, took = performance.now() - state.since, alone = false, told = null) {
  const { tree } = state, { at } = tree;
  // A position that is still being described takes no move.
  if (!at.seen) return;
  const turn = ++state.turn;
  if (state.mode !== "play") setMode("play");
  if (isHuman(at.seen.side)) state.wrong = null;
  try {
    const played = await desk.ask("play", [at.input, tree.rules, output]);
    if (turn !== state.turn) return;
    const child = tree.add({ ...played, output, took, left: clocks.after(at, took) });
    if (told) child.told = told;
    // An agent answers a person's move even if the tree already has an answer from earlier.
    if (isHuman(played.side) && !alone) Object.assign(state, { halted: false, from: child });
    await settle();
  } catch (error) { complain(error); }
}

// Shows a hint, the best move of the side to move, or a threat, the best move of the other side if it were its turn.
export async function advise(kind) {
  const { at, rules } = state.tree;
  if (at.over || !at.seen) return;
  const turn = ++state.turn;
  mind.stop();
  Object.assign(state, { thinking: kind, [kind]: null });
  draw();
  let input = at.input, drawn = null;
  if (kind === "threat") {
    try { input = await desk.ask("turned", [at.input, rules]); } catch (error) {
      if (turn === state.turn) { state.thinking = null; state.threat = { none: error.message }; draw(); }
      return;
    }
    if (turn !== state.turn) return;
  }
  const show = async answer => {
    const output = answer.output ?? answer.line[0]?.output;
    if (!output) return;
    state[kind] = { ...answer, text: answer.text ?? answer.line[0].text, effect: output === drawn ? state[kind]?.effect : null };
    if (output !== drawn) {
      drawn = output;
      const effect = await desk.ask("effect", [input, rules, output]);
      if (turn !== state.turn || output !== drawn) return;
      state[kind].effect = effect;
    }
    if (kind === "hint" && (answer.proven || !at.chance?.proven)) at.chance = found(answer, at.seen.side);
    draw();
  };
  const answer = await thought("think", () => [input, rules, HINT], turn, show, true);
  if (!answer) return;
  state.thinking = null;
  await show(answer);
  draw();
}

// Stops the thinking agent, or lets a halted one go on.
export function stop() {
  // Between two moves of agents.
  if (!state.tree.at.over && !state.tree.at.seen) { state.halted = true; return; }
  if (waits()) {
    Object.assign(state, { halted: false, fault: null, from: state.tree.at });
    settle();
    return;
  }
  state.turn++;
  mind.stop();
  Object.assign(state, { halted: !onTurn(), from: null, thinking: null, candidate: null });
  draw();
}

// Ends the game by a word of the person to move.
function give(over) {
  state.turn++;
  mind.stop();
  Object.assign(state, { thinking: null, candidate: null });
  state.tree.at.over = over;
  draw();
}
const own = () => { const people = [0, 1].filter(side => state.players[side] === "you"); return people.length === 1 ? people[0] : state.tree.at.seen.side; };
// Resigns at the second press.
let wantsToResign = null;
export function resign(button) {
  const { at } = state.tree;
  if (wantsToResign !== at) { wantsToResign = at; button.textContent = "resign: sure?"; return; }
  give({ winner: 1 - own(), why: `${state.info.sides[own()]} resigned`, termination: "resignation" });
}
// Offers a draw: another person takes it, an agent unless it expects to win.
const CONFIDENT = 0.55;
export async function offerDraw() {
  const { at, rules } = state.tree, agreed = { winner: null, why: "agreed", termination: "draw by adjudication" };
  if (state.players.every(player => player === "you")) { give(agreed); return; }
  const turn = ++state.turn;
  mind.stop();
  Object.assign(state, { thinking: "draw", wrong: null });
  draw();
  const answer = await thought("think", () => [at.input, rules, CHANCE_SEARCH], turn, () => {}, true);
  if (!answer) return;
  state.thinking = null;
  if (1 - (answer.expected ?? 0.5) <= CONFIDENT) { give(agreed); return; }
  state.wrong = "Your offer of a draw is declined.";
  draw();
}

export function moveNow() {
  const output = state.candidate;
  if (state.thinking !== "agent" || !output) return;
  state.turn++;
  mind.stop();
  play(output);
}

export function takeBack() {
  const { tree } = state;
  let child = tree.at, to = child.parent;
  if (!to) return;
  const anybody = state.players.includes("you");
  while (anybody && !isHuman(child.side) && to.parent) [child, to] = [to, to.parent];
  if (!anybody) state.halted = true;
  tree.back(to);
  settle();
}

// Goes to another position of the game.
export function goTo(one) {
  state.tree.go(one);
  state.halted = false;
  settle();
}
// Moves by a number of plies along the current line, at most to its ends.
export function walk(by) {
  const { tree } = state, line = tree.line();
  const to = line[Math.min(Math.max(0, tree.at.ply + by), line.length - 1)];
  if (to !== tree.at) goTo(to);
}

export function rematch() {
  Object.assign(state, { players: [...state.tree.players].reverse(), seated: true });
  return fresh(state.info.name, state.tree.rules);
}

export function fresh(game, rules) {
  freshSeed();
  return begin(game, rules).catch(complain);
}

// The whole game packed as text, for the address and the browser's local storage; for a friend with the seats as the friend sees them.
const THEIRS = { you: "friend", friend: "you" };
export async function packed(isForFriend = false) {
  return pack({ ...state.tree.plain(), players: state.tree.players.map(player => isForFriend ? THEIRS[player] : player), seed: state.seed, clock: state.clock, notes: state.tree.notes() });
}
// The place in the open record, for the browser's history; null without one.
export const place = () => state.record && { record: state.record.file.name, game: state.record.index, ply: state.tree.at.ply };
async function remember(turn) {
  const text = await packed();
  if (state.players.includes("friend")) byId("letter").value = `${location.href.split(/[?#]/)[0]}#g=${await packed(true)}`;
  // The address of another game, to which Back has led meanwhile, stays.
  if (turn !== state.turn || location.hash !== state.link) return;
  state.link = `#g=${text}`;
  history.replaceState(place(), "", state.link);
  if (state.record || !state.tree.root.next) return;
  try { localStorage.setItem(MEMORY, text); } catch { /* A page in a frame may have no local storage. */ }
}
