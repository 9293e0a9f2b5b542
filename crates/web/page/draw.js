// Redraws everything that shows the state.
import { LEVELS } from "./levels.js";
import { GAMES, grid, isHuman, onTurn, positionNow, state, waits } from "./state.js";
import * as view from "./view.js";

// The sentence below the board.
const sentence = () => {
  if (state.editing) return "Setting up a position: press a square to put the chosen piece on it.";
  return (state.wrong ? `${state.wrong} ` : "") + view.say(state.info, state, state.tree.at, waits());
};
const ended = over => ({ expected: over.winner === null ? 0.5 : over.winner === 0 ? 1 : 0, words: "the end" });
// Further functions to call whenever the state is drawn.
const drawnListeners = [];
export const whenDrawn = shows => drawnListeners.push(shows);
// The function that goes to a move pressed in the list.
let goToMove = () => {};
export const whenPressed = go => { goToMove = go; };

export function drawBoardNow() {
  const better = state.hint?.position ?? state.tree.at.study?.better?.line[0] ?? null;
  view.board(state.board, state.editing?.position ?? positionNow(), state.editing ? null : better, state.threat?.position, grid.chain.steps);
}

export function draw() {
  const { info, tree } = state, { at } = tree, mine = !state.editing && !at.over && isHuman(at.seen.side);
  // Redrawing for a running hint keeps the steps of an unfinished chain.
  const { steps } = grid.chain, keeps = mine && [state.hint, state.threat, state.thinking].some(Boolean);
  grid.show(mine ? at.seen.moves : [], view.cellWords(info, state.board, state.editing?.position ?? positionNow()));
  if (keeps) { grid.chain.steps = steps; grid.mark(); }
  drawBoardNow();
  drawPlayers();
  view.chance(info, at.over ? ended(at.over) : at.chance);
  view.moves(state, goToMove);
  view.hint(info, state);
  const words = sentence();
  if (byId("say").textContent !== words) byId("say").textContent = words;
  drawButtons();
  drawnListeners.forEach(shows => shows());
}

export function drawPlayers() {
  const { at } = state.tree;
  view.players(state.info, state, at, at.over ? null : at.seen.side);
}

// Redraws after a step of a chain was made or undone.
export function stepped() {
  drawBoardNow();
  drawButtons();
  const { chain } = grid;
  if (chain.complete()) byId("say").textContent = "Press this square again to end the move here, or go on.";
  else if (chain.steps.length) byId("say").textContent = `${chain.steps.map(step => step.join(",")).join("-")}: where to?`;
  else byId("say").textContent = sentence();
}

export function drawButtons() {
  const { at } = state.tree, button = name => document.querySelector(`[data-do=${name}]`), busy = Boolean(state.editing);
  button("undo").disabled = !grid.chain.steps.length;
  button("back").disabled = busy || !at.parent;
  button("hint").disabled = button("threat").disabled = busy || Boolean(at.over) || state.thinking !== null;
  button("stop").textContent = waits() ? "play on" : "stop";
  button("stop").disabled = busy || (onTurn() && !state.thinking);
  button("now").disabled = busy || state.thinking !== "agent" || !state.candidate;
  button("first").disabled = button("previous").disabled = busy || !at.parent;
  button("next").disabled = button("last").disabled = busy || !at.next;
  button("study").disabled = busy || !state.tree.root.next;
}

// Updates the controls for the current game: its rule sets, sides and players.
export function offer() {
  const { info, tree } = state;
  byId("game").value = info.name;
  byId("rules").replaceChildren(...info.rules.map(name => new Option(name, name, false, name === tree.rules)));
  byId("rules-label").hidden = info.rules.length < 2;
  byId("rules-page").href = `rules/${info.name}.txt`;
  byId("rules-page").hidden = !GAMES[info.name].rules;
  document.querySelector("[data-do=setup]").hidden = !info.symbols;
  [0, 1].forEach(side => {
    byId(`side${side}`).textContent = info.sides[side];
    byId(`player${side}`).value = state.players[side];
  });
  byId("clock").value = state.clock ?? "";
  byId("think-label").hidden = !state.players.includes("full") || state.clock !== null;
  byId("summary").textContent = `${GAMES[info.name].title}: ${info.sides.map((side, at) => `${side} ${titleOf(state.players[at])}`).join(", ")}`;
  byId("levels").textContent = Object.values(LEVELS).filter((one, at) => state.players.includes(Object.keys(LEVELS)[at]))
    .map(({ title, words }) => `${title}: ${words}`).join("; ");
  document.title = `${info.title}: play`;
}
const titleOf = player => LEVELS[player]?.title ?? player;
