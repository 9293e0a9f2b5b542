// The state of the page: the game, its players, and the workers.
import { Desk } from "./desk.js";
import { Grid } from "./grid.js";
import { LEVELS, LOST, SEATS } from "./levels.js";

// The games by name, each with its title, how it is won, and whether there are a page of its rules and puzzles. scripts/site inserts them.
export const GAMES = Object.fromEntries([/* GAMES */]);

// Three workers: `desk` answers at once, `mind` searches, `student` analyses moves made.
export const desk = new Desk(false), mind = new Desk(true), student = new Desk(true);
export const grid = new Grid(byId("grid"));

// `turn` is incremented by everything that makes pending answers stale. `halted`: agents wait to be resumed. `clock`: the seconds that
// each side has for the game, or null. `mode`: `welcome` before the first game, `new` while the next is chosen, else `play`; `turned`: the
// board is upside down; `lower`: the side whose camp is at the bottom of the board as it is drawn, or
// null; `below`: the side whose player is shown below the board; `seated`: the visitor has chosen a side; `live`: the best moves by the running analysis, or null; `lesson`: the mistakes to mend, or null. `fault`: where a program has
// failed, and how. `travelling`: how many steps in the browser's history are being taken. `from`: a position in which an agent moves although the tree already has a move there.
export const state = { info: null, tree: null, players: ["you", "beginner"], seed: 1, clock: null, turn: 0, halted: false, thinking: null,
  candidate: null, hint: null, threat: null, since: 0, from: null, wrong: null, record: null, editing: null, mode: "welcome", turned: false,
  lower: null, below: 0, seated: false, live: null, lesson: null, chainWay: null,
  fault: null, travelling: 0 };

// In a lesson the person tries moves of either side, and plays for a program that has failed.
export const isHuman = side => state.lesson !== null || state.players[side] === "you" || state.fault?.at === state.tree?.at;
// Whether a level or a program plays a game.
export const plays = (player, game) => LEVELS[player].games?.includes(game) ?? !GAMES[game].own;
// Seats a visitor who has not chosen a side: on the side that moves first, or on the other one if the first loses with best play.
export function seat({ name, first }) {
  // A program does not play every game.
  state.players = state.players.map(player => player === "you" || plays(player, name) ? player : GAMES[name].own ? "program0" : "beginner");
  const own = SEATS[name]?.[first] === LOST ? 1 - first : first, other = state.players.find(player => player !== "you");
  if (!state.seated && other && state.players.includes("you")) state.players = [0, 1].map(side => side === own ? "you" : other);
}
export const onTurn = () => { const { at } = state.tree; return Boolean(at.over) || (at.seen !== null && isHuman(at.seen.side)); };
// Whether it is the turn of a friend, whose move comes as a link.
export const isFriends = at => state.lesson === null && state.players[at.seen?.side] === "friend" && !at.over;
// Whether an agent is to move but waits, because it was stopped or the position is an earlier one.
export const waits = () => { const { at } = state.tree; return !isFriends(at) && (!onTurn() || state.fault?.at === at) && state.from !== at && (state.halted || at.next !== null); };
// The position shown. In a game in which something is hidden a person sees what the side to move is told, in the own turn, until the end.
export function positionNow() {
  const { info, tree: { at } } = state, now = at.position ?? at.seen.position;
  if (!hides(state) || at.over) return now;
  if (isBlind()) return { ...now, picture: "Two people at one screen would see each\nother's secrets: let a program play one side." };
  return { ...now, picture: isHuman(at.seen.side) ? now.own : `${info.sides[at.seen.side]} to move: hidden until your turn.` };
}
export const isBlind = () => hides(state) && state.players.every(player => player === "you");
// Whether what one side does not see is hidden from the person.
export const hides = ({ info, players, record, tree }) => Boolean(info.hidden) && !record && players.includes("you") && !tree.line().at(-1).over;
// Reports an error: below the board, or, while that is hidden, above the page.
export function complain(error) {
  const words = `Error: ${error.message}`;
  if (!state.tree) trouble(`This page cannot start: ${error.message}.`);
  else if (state.mode === "play") { state.wrong = `${words}.`; byId("say").textContent = words; } else trouble(words);
}
// Draws a new seed for the levels that choose at random.
export function freshSeed() { state.seed = crypto.getRandomValues(new Int32Array(1))[0]; }

// Shows the choice of a game, or the game.
export function setMode(mode) {
  started();
  // A visitor who has scrolled to "Play" sees the board.
  if (mode === "play" && state.mode !== "play") scrollTo(0, 0);
  state.mode = document.body.dataset.mode = mode;
}
