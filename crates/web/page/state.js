// What the page holds: the game, who plays it, and the workers.
import { Desk } from "./desk.js";
import { Grid } from "./grid.js";

export const GAMES = { halma: "Halma", wolves: "Wolves and Sheep", squirrels: "Squirrels", foxgame: "FoxGame", foxgeese: "Foxes and Geese" };

// One worker answers at once, one thinks, one looks at moves that were made.
export const desk = new Desk(false), mind = new Desk(true), student = new Desk(true);
export const grid = new Grid(byId("grid"));

// `turn` grows with everything that makes answers on their way stale. `halted`: agents wait until they are let go on. `clock`: seconds
// that each side has for the game, or null. `from`: a position that an agent plays on from although it was played on before.
export const state = { info: null, tree: null, players: ["you", "beginner"], seed: 1, clock: null, turn: 0, halted: false, thinking: null,
  candidate: null, hint: null, threat: null, since: 0, from: null, wrong: null, record: null, editing: null };

export const isHuman = side => state.players[side] === "you";
export const onTurn = () => { const { at } = state.tree; return Boolean(at.over) || isHuman(at.seen.side); };
// Whether an agent is to move and does not: it was stopped, or an earlier position is looked at.
export const waits = () => { const { at } = state.tree; return !onTurn() && state.from !== at && (state.halted || at.next !== null); };
export const positionNow = () => state.tree.at.position ?? state.tree.at.seen.position;
export const complain = error => { byId("say").textContent = `This went wrong: ${error.message}`; };
// Another seed for the levels that choose by chance.
export function freshSeed() { state.seed = crypto.getRandomValues(new Int32Array(1))[0]; }
