// Redraws everything that shows the state.
import { LEVELS, SEATS } from "./levels.js";
import { GAMES, desk, grid, isBlind, isFriends, isHuman, onTurn, plays, positionNow, state, waits } from "./state.js";
import { keptTasks } from "./kept.js";
import { keepPieces, slide } from "./motion.js";
import { NOTATION, within } from "./names.js";
import * as view from "./view.js";

// The sentence below the board.
const sentence = () => {
  if (state.editing) return "Setting up a position: press a square to put the chosen piece on it.";
  return (state.wrong ? `${state.wrong} ` : "") + view.say(state.info, state, state.tree.at, waits());
};
let drawn = null;
// The number of lines of the live analysis that have an arrow.
const ARROWS = 3;
const ended = over => ({ expected: over.winner === null ? 0.5 : over.winner === 0 ? 1 : 0, words: "the end" });
// Further functions to call whenever the state is drawn.
const drawnListeners = [];
export const whenDrawn = shows => drawnListeners.push(shows);
// The function that goes to a move pressed in the list.
let goToMove = () => {};
export const whenPressed = go => { goToMove = go; };
let followLine = () => {};
export const whenFollowed = go => { followLine = go; };

export function drawBoardNow() {
  const { tree: { at } } = state, now = state.editing?.position ?? positionNow();
  const from = at.parent && drawn === at.parent && !state.editing ? keepPieces() : null;
  const better = state.hint?.effect?.position ?? (state.lesson ? null : at.study?.better?.line[0]), threat = state.threat?.effect?.position;
  const lines = (state.live ?? []).slice(0, ARROWS).map(({ aim }, rank) => [`line${rank}`, aim]).reverse();
  const ways = state.editing ? [] : [...(at.failed ?? at.told)?.thoughts ?? [], ...lines, ["better", better?.aim ?? better?.way], ["threat", threat?.aim ?? threat?.way], ...(at.arrows ?? []).map(arrow => ["own", arrow.way]), ["chain", state.chainWay]];
  view.board(state.board, now, ways);
  // A board that is a text is read as it is; a drawing by the cells of the grid.
  byId("board").ariaHidden = String(Boolean(state.board));
  byId("board").querySelector("pre")?.setAttribute("tabindex", 0);
  if (from) slide(from, now, at);
  drawn = state.editing ? null : at;
}

export function draw() {
  // A position that is not described yet is drawn when it is.
  if (!state.tree.at.over && !state.tree.at.seen) return;
  const { info, tree } = state, { at } = tree, mine = !state.editing && !at.over && isHuman(at.seen.side) && !isBlind();
  // Redrawing for a running hint keeps the steps of an unfinished chain.
  const { steps } = grid.chain, keeps = mine && [state.hint, state.threat, state.thinking].some(Boolean);
  view.choices(info, mine ? at.seen.moves : [], move => { grid.rest(); grid.played(move); });
  grid.show(mine ? at.seen.moves : [], view.cellWords(info, state.board, state.editing?.position ?? positionNow()));
  if (keeps) { grid.chain.steps = steps; grid.mark(); }
  drawBoardNow();
  drawPlayers();
  view.chance(state, state.editing ? null : at.over ? ended(at.over) : at.chance);
  view.hint(info, state);
  view.told(info, state, at);
  view.lines(state, followLine);
  view.banner(info, state, at);
  const words = sentence();
  if (byId("say").textContent !== words) byId("say").textContent = words;
  drawButtons();
  // The list scrolls to the move shown, within what the result has left to it.
  view.moves(state, goToMove);
  drawnListeners.forEach(shows => shows());
}

export function drawPlayers() {
  const { at } = state.tree;
  view.players(state.info, state, at, at.over ? null : at.seen.side);
}

// Turns the board so that the camp of the only person is at the bottom. A board without camps stays as it is, with its person below.
export function faceOwn() {
  const people = [0, 1].filter(side => state.players[side] === "you"), own = people.length === 1 ? people[0] : null;
  state.below = own ?? state.lower ?? 0;
  state.turned = state.lower !== null && own !== null && own !== state.lower;
  turnBoard();
}

// Shows the board as it is to be seen, from one side or the other.
export function turnBoard() {
  grid.turned = state.turned;
  // The part of a side is on its own side of the bar.
  byId("bar").classList.toggle("first-above", state.below === 1);
  byId("board").classList.toggle("turned", state.turned);
  byId("grid").classList.toggle("turned", state.turned);
}

// Redraws after a step of a chain was made or undone. `missed` has words about a press that has chosen nothing.
export async function stepped(missed) {
  const { chain } = grid, { turn } = state, steps = [...chain.steps];
  drawButtons();
  if (chain.complete()) byId("say").textContent = "Press this square again to end the move here, or go on.";
  else if (steps.length) {
    const loses = chain.open().find(move => move.loses)?.loses;
    byId("say").textContent = `${steps.map(step => step.join(",")).join("-")}: where to?${loses ? ` ✕ loses at once: ${view.reason(state.info, loses)}.` : ""}`;
  }
  else byId("say").textContent = missed || sentence();
  const way = steps.length > 1 ? await desk.ask("arrow", [steps.flat()]) : null;
  if (turn !== state.turn || String(steps) !== String(grid.chain.steps)) return;
  state.chainWay = way;
  drawBoardNow();
}

export function drawButtons() {
  const { at } = state.tree, button = name => document.querySelector(`[data-do=${name}]`), busy = Boolean(state.editing);
  button("back").disabled = busy || (!at.parent && !grid.chain.steps.length);
  button("hint").disabled = button("threat").disabled = busy || Boolean(at.over) || state.thinking !== null;
  const stop = button("stop"), label = waits() ? "play on" : "stop";
  if (stop.lastElementChild.textContent !== label) stop.lastElementChild.textContent = label;
  const agents = !busy && !at.over && (waits() || state.thinking !== null || !state.players.includes("you"));
  stop.hidden = !agents && state.players.includes("you");
  stop.disabled = !agents;
  const gives = !busy && !at.over && !state.record && !state.lesson && state.players.includes("you") && !state.players.includes("friend");
  byId("giving").hidden = !gives;
  button("resign").textContent = "resign";
  // After an own move, and where the friend begins, there is a link to send.
  byId("post").hidden = busy || !state.players.includes("friend") || !(isFriends(at) || (at.over && state.players[at.side] === "you"));
  button("draw").hidden = Boolean(state.info.own) && state.players.some(player => player !== "you");
  // An agent does not agree to a draw before either side has moved.
  button("draw").disabled = !gives || state.thinking !== null || !isHuman(at.seen.side) || (at.ply < 2 && state.players.some(player => player !== "you"));
  button("now").hidden = stop.hidden;
  button("now").disabled = busy || state.thinking !== "agent" || !state.candidate;
  button("first").disabled = button("previous").disabled = busy || !at.parent;
  button("next").disabled = button("last").disabled = busy || !at.next;
  button("study").disabled = busy || !state.tree.root.next;
}

let pictures = {};
// Shows each picture of a game, once they have come.
export function showPictures(come = pictures) {
  pictures = come;
  for (const place of document.querySelectorAll("img[data-game]")) {
    const svg = pictures[place.dataset.game];
    if (svg) place.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }
}

// Updates the controls for the current game: its rule sets, sides and players.
export function offer() {
  const { info, tree } = state;
  byId("game").value = info.name;
  byId("rules").replaceChildren(...info.rules.map(name => new Option(name, name, false, name === tree.rules)));
  byId("rules-label").hidden = info.rules.length < 2;
  byId("rules-page").href = info.own ? "rules/own.txt" : `rules/${info.name}.html`;
  byId("puzzles-page").href = `puzzles.html?game=${info.name}`;
  byId("puzzles-page").hidden = !GAMES[info.name].puzzles;
  byId("rules-page").hidden = !GAMES[info.name].rules;
  const first = byId("tasks-page"), done = keptTasks()[info.name]?.length;
  first.hidden = !GAMES[info.name].tasks;
  first.href = `tasks.html?game=${info.name}`;
  first.textContent = done ? `first steps: ${done} done` : "first steps, a minute";
  byId("title").textContent = GAMES[info.name].title;
  byId("notation").textContent = NOTATION[info.name] ?? "";
  document.querySelector("[data-do=setup]").hidden = !info.symbols;
  // A game of somebody's own has no search with scores, and a turn of the other side is no text of it.
  for (const part of ["[data-do=threat]", "[data-do=live]", "#judge-label"]) document.querySelector(part).hidden = Boolean(info.own);
  [0, 1].forEach(side => {
    byId(`side${side}`).textContent = info.sides[side];
    byId(`player${side}`).replaceChildren(new Option("you", "you"), ...playersOf(info.name).map(([name, { title, words }]) => Object.assign(new Option(title, name), { title: words })));
    byId(`player${side}`).value = state.players[side];
  });
  byId("clock").value = state.clock ?? "";
  byId("think-label").hidden = !state.players.includes("full") || state.clock !== null;
  for (const link of byId("others").children) link.hidden = link.dataset.game === info.name;
  const people = [0, 1].filter(side => state.players[side] === "you");
  byId("invitation").textContent = GAMES[info.name].title;
  Object.assign(byId("portrait"), { hidden: Boolean(info.own) }).dataset.game = info.name;
  showPictures();
  byId("goal").textContent = GAMES[info.name].goal;
  byId("invited").textContent = people.length === 1 ? `You play ${within(info.sides[people[0]])}, against ${LEVELS[state.players[1 - people[0]]].against ?? titleOf(state.players[1 - people[0]])}.`
    : `${info.sides.map((side, at) => `${side}: ${titleOf(state.players[at])}`).join(", ")}.`;
  byId("seat").textContent = SEATS[info.name] ? people.map(side => `${info.sides[side]}: ${SEATS[info.name][side]}.`).join(" ") : "";
  byId("levels").textContent = Object.values(LEVELS).filter((one, at) => state.players.includes(Object.keys(LEVELS)[at]))
    .map(({ title, words }) => `${title}: ${words}`).join("; ");
  document.title = `${info.title}: play`;
}
// The agents and programs that play a game.
export const playersOf = game => Object.entries(LEVELS).filter(([player]) => plays(player, game));
const titleOf = player => LEVELS[player]?.title ?? player;
