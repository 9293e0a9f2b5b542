// Plays the levels of the page (crates/web/page/levels.js) against plain players, for the table of research/measurements/browser.md.
//   node tests/browser/levels.mjs MODULES GAME [--games N] [--level NAME] [--side 0|1] [--against PLAYER] [--strength JSON]
// MODULES: the folder of `make wasm`, target/wasm. PLAYER: random, greedy or minimax. --strength: another strength in place of the
// level's, to try it. Prints a line for each side, level and player: points of the level (a draw, and a game without an end, is half a point), games without an end, and
// the mean number of plies. Two random plies begin each game; the same arguments give the same games.
import { parseArgs } from "node:util";
import { load } from "./module.mjs";
import { LEVELS, chance, choose } from "../../crates/web/page/levels.js";

const MOST_PLIES = 400;
const CLOCK = 600;
const PLAYERS = { random: null, greedy: { algorithm: "greedy", hash: 1 }, minimax: { algorithm: "minimax", depth: 2, hash: 1 } };

const { positionals: [folder, game], values: asked } = parseArgs({
  allowPositionals: true,
  options: { games: { type: "string", default: "40" }, level: { type: "string" }, side: { type: "string" }, against: { type: "string" }, strength: { type: "string" } },
});
if (!folder || !game || !(Number(asked.games) > 0)) {
  console.error("usage: node tests/browser/levels.mjs MODULES GAME [--games N] [--level NAME] [--side 0|1] [--against PLAYER] [--strength JSON]");
  process.exit(2);
}
const { module } = await load(folder, game);
const info = module.game(), rules = info.agentRules;
const games = { game: info, look: module.look, play: module.play, think: (tell, input, rules, request) => module.think(input, rules, { hash: 1, ...request }, () => true) };
const any = (moves, seed, ply) => moves[Math.floor(chance(seed, ply) * moves.length)];
const strength = asked.strength ? JSON.parse(asked.strength) : undefined;

// Plays a game, and returns the winner (null: a draw, undefined: no end) and its plies.
function play(side, level, player, number) {
  let input = module.start(rules, CLOCK);
  for (let ply = 0; ply < MOST_PLIES; ply++) {
    const { side: mover, moves } = module.look(input, rules);
    let move;
    if (ply < 2 || (mover !== side && !PLAYERS[player])) move = any(moves, 1000 + number, ply);
    else if (mover !== side) move = games.think(null, input, rules, PLAYERS[player]);
    else move = choose(games, () => {}, input, rules, { name: level, seed: number, ply, request: {} }, strength);
    const { over, input: next } = module.play(input, rules, move.output);
    if (over) return { winner: over.winner, plies: ply + 1 };
    input = next;
  }
  return { plies: MOST_PLIES };
}

const wanted = (all, one) => one === undefined ? all : all.filter(name => String(name) === one);
console.log(`${game}: points of ${asked.games} games`);
for (const side of wanted([0, 1], asked.side)) for (const level of wanted(Object.keys(LEVELS).filter(name => name !== "full"), asked.level)) {
  for (const player of wanted(Object.keys(PLAYERS), asked.against)) {
    let [points, endless, plies] = [0, 0, 0];
    for (let number = 0; number < Number(asked.games); number++) {
      const result = play(side, level, player, number);
      points += result.winner === side ? 1 : result.winner === null || result.winner === undefined ? 0.5 : 0;
      endless += result.winner === undefined ? 1 : 0;
      plies += result.plies;
    }
    console.log(`${info.sides[side].padEnd(8)} ${level.padEnd(9)} ${player.padEnd(8)} ${String(points).padStart(5)}  no end ${String(endless).padStart(2)}  plies ${(plies / Number(asked.games)).toFixed(0)}`);
  }
}
