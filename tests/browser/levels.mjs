// Plays the levels of the page (crates/web/page/levels.js) against plain players, and puts what came out into docs/browser.md.
//   node tests/browser/levels.mjs MODULES GAME [--games N] [--level NAME] [--side 0|1] [--against PLAYER] [--most PLIES] [--strength JSON]
//   node tests/browser/levels.mjs [--check]
// MODULES: the folder of `make wasm`, target/wasm. PLAYER: random, greedy or minimax. --strength: another strength in place of the
// level's, to try it. Prints a line for each side, level and player: points of the level (a draw, and a game without an end, is half a point), its losses, games without an
// end, and the mean number of plies; keeps it in levels.json, unless --strength is given. Two random plies begin each game; the same arguments give the same games. Without a
// game it writes the table of levels.json into the page; --check says whether the page has it, and whether the levels are still those that were played.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load } from "./module.mjs";
import { LEVELS, SEATS, STRENGTHS, chance, choose } from "../../crates/web/page/levels.js";

const CLOCK = 600;
const PLAYERS = { random: null, greedy: { algorithm: "greedy", hash: 1 }, minimax: { algorithm: "minimax", depth: 2, hash: 1 } };
const KEPT = join(import.meta.dirname, "levels.json"), PAGE = join(import.meta.dirname, "../../docs/browser.md");

const { positionals: [folder, game], values: asked } = parseArgs({
  allowPositionals: true,
  options: { games: { type: "string", default: "40" }, level: { type: "string" }, side: { type: "string" }, against: { type: "string" }, most: { type: "string", default: "400" },
    strength: { type: "string" }, check: { type: "boolean", default: false } },
});
const kept = JSON.parse(readFileSync(KEPT, "utf8"));
const strengthOf = ({ game, side, level }) => JSON.stringify(STRENGTHS[game][level]?.[side]);

// The table: a line for each side and level that was played.
function table() {
  const cell = (one, player) => {
    const found = one[player];
    if (!found) return "not played";
    const { points, games, lost, endless } = found;
    return `${points} of ${games}${player === "random" ? `, ${lost} lost` : ""}${endless ? ` (${endless} without an end)` : ""}`;
  };
  const lines = ["| game, side | its seat | level | against random moves | greedy | minimax of two plies |", "|---|---|---|---|---|---|"];
  for (const game of Object.keys(SEATS)) for (const side of [0, 1]) for (const level of Object.keys(LEVELS)) {
    const found = Object.fromEntries(kept.filter(one => one.game === game && one.side === side && one.level === level).map(one => [one.player, one]));
    const [first] = Object.values(found);
    if (first) lines.push(`| ${first.name} | ${SEATS[game][side]} | ${level} | ${Object.keys(PLAYERS).map(player => cell(found, player)).join(" | ")} |`);
  }
  return lines.join("\n");
}
if (!folder) {
  const text = readFileSync(PAGE, "utf8"), now = text.replace(/\| game, side \|[^]*?\n(?!\|)/, `${table()}\n`);
  const others = kept.filter(one => one.strength !== strengthOf(one));
  for (const { game, side, level } of others) console.error(`${game}, side ${side}, ${level}: the level is another one than that which was played`);
  if (!asked.check) writeFileSync(PAGE, now);
  else if (now !== text) console.error("docs/browser.md: another table than that of levels.json");
  process.exit(others.length || (asked.check && now !== text) ? 1 : 0);
}
if (!game || !(Number(asked.games) > 0)) {
  console.error("usage: node tests/browser/levels.mjs [MODULES GAME [--games N] [--level NAME] [--side 0|1] [--against PLAYER] [--most PLIES] [--strength JSON]] [--check]");
  process.exit(2);
}
const { module } = await load(folder, game);
const info = module.game(), rules = info.agentRules, most = Number(asked.most);
const games = { game: info, look: module.look, play: module.play, think: (tell, input, rules, request) => module.think(input, rules, { hash: 1, ...request }, () => true) };
const any = (moves, seed, ply) => moves[Math.floor(chance(seed, ply) * moves.length)];
const strength = asked.strength ? JSON.parse(asked.strength) : undefined;

// Plays a game, and returns the winner (null: a draw, undefined: no end) and its plies.
function play(side, level, player, number) {
  let input = module.start(rules, CLOCK);
  for (let ply = 0; ply < most; ply++) {
    const { side: mover, moves } = module.look(input, rules);
    let move;
    if (ply < 2 || (mover !== side && !PLAYERS[player])) move = any(moves, 1000 + number, ply);
    else if (mover !== side) move = games.think(null, input, rules, PLAYERS[player]);
    else move = choose(games, () => {}, input, rules, { name: level, seed: number, ply, request: {} }, strength);
    const { over, input: next } = module.play(input, rules, move.output);
    if (over) return { winner: over.winner, plies: ply + 1 };
    input = next;
  }
  return { plies: most };
}

const wanted = (all, one) => one === undefined ? all : all.filter(name => String(name) === one);
console.log(`${game}: points of ${asked.games} games`);
for (const side of wanted([0, 1], asked.side)) for (const level of wanted(Object.keys(LEVELS).filter(name => !["full", "friend"].includes(name)), asked.level)) {
  for (const player of wanted(Object.keys(PLAYERS), asked.against)) {
    const count = Number(asked.games);
    let [points, lost, endless, plies] = [0, 0, 0, 0];
    for (let number = 0; number < count; number++) {
      const result = play(side, level, player, number);
      points += result.winner === side ? 1 : result.winner === 1 - side ? 0 : 0.5;
      lost += result.winner === 1 - side ? 1 : 0;
      endless += result.winner === undefined ? 1 : 0;
      plies += result.plies;
    }
    console.log(`${info.sides[side].padEnd(8)} ${level.padEnd(9)} ${player.padEnd(8)} ${String(points).padStart(5)}  lost ${String(lost).padStart(2)}  no end ${String(endless).padStart(2)}  plies ${(plies / count).toFixed(0)}`);
    if (strength) continue;
    const one = { game, side, level, player, name: `${info.title.split(" (")[0]}, ${info.sides[side]}`, games: count, most, points, lost, endless };
    // What another run has kept meanwhile stays.
    const all = JSON.parse(readFileSync(KEPT, "utf8")).filter(other => !["game", "side", "level", "player"].every(key => other[key] === one[key]));
    writeFileSync(KEPT, JSON.stringify([...all, { ...one, strength: strengthOf(one) }], null, 0).replaceAll("},{", "},\n{") + "\n");
  }
}
