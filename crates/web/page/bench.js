// Programs of `judge play --engine` as players: the server runs them in their boxes, and the page has their numbers. A game of somebody's
// own, of `--game ./folder`, has such players alone.
import { LEVELS } from "./levels.js";
import { GAMES } from "./state.js";

// The player of the page with this number on the command line.
const nameOf = at => `program${at}`;

// Adds the programs to the levels, and the game of somebody's own to the games. A site without a judge has none.
export async function addPrograms() {
  try {
    const { games, engines, own } = await (await fetch("engines.json")).json();
    if (own) GAMES[own.name] = { ...own, own: true };
    engines.forEach(({ name, command }, engine) => { LEVELS[nameOf(engine)] = { title: name, words: command, engine, games }; });
    return games;
  } catch { return []; }
}

export const isProgram = player => LEVELS[player]?.engine !== undefined;

// Asks a program for its move in a position of the game `session`. `left` are the seconds on its clock, or null at first.
export async function askProgram(player, { session, game, rules, input, left }) {
  const answer = await fetch("turn", { method: "POST", body: JSON.stringify({ engine: LEVELS[player].engine, session, game, rules, input, left }) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// The seconds on a program's clock in a position: those after its last turn on the way there.
export function leftOf(at, side) {
  for (let one = at; one; one = one.parent) if (one.side === side && one.told) return one.told.left;
  return null;
}
