// A web worker that runs one game: it loads the game's WebAssembly module, then answers requests one after the other. Searches also
// post their iterations. A worker receives no messages during a search: the page stops a search by terminating the worker.
import { choose } from "./levels.js";
import { loadPacked } from "./packed.js";

let loaded = null;
let gameInfo = null;

async function compile(file) {
  const bytes = await loadPacked(file);
  try { return await WebAssembly.compile(bytes); } catch (error) { throw new Error(`${file} is damaged: ${error.message}`); }
}

// The functions of a game, by their names. `ask(name, words)` answers one of them.
const named = ask => new Proxy({}, { get: (_, name) => (...words) => ask(name, words) });

// A game of somebody's own has its rules in the judge (`judge play --game ./folder`): requests for which this worker waits.
const served = game => named((ask, words) => {
  const request = new XMLHttpRequest();
  request.open("POST", "game", false);
  request.send(JSON.stringify({ game, ask, words }));
  if (request.status !== 200) throw new Error(request.responseText);
  return JSON.parse(request.responseText);
});

// Loads a game, by its name or the path of its folder. `compiled` is the module if another worker has compiled it already. A module's first searches are slow until the
// browser has optimized it: with `warm` a short search is run at once.
async function load(tell, game, compiled, warm) {
  if (game.includes("/")) {
    loaded = served(game);
    gameInfo = { ...loaded.game(), stores: [] };
    return { game: gameInfo, compiled: true };
  }
  const [module, ready] = await Promise.all([import(`./${game}.js`), compiled ?? compile(`${game}.wasm.gz`)]);
  compiled = ready;
  module.initSync({ module: compiled });
  // The last argument of a search is the function that gets its iterations.
  loaded = named((name, words) => name === "provide" ? module.provide(...words) : module.ask(name, words, words.at(-1)));
  gameInfo = { ...loaded.game(), stores: module.stores() };
  if (warm) loaded.think(loaded.start(gameInfo.agentRules, 10), gameInfo.agentRules, { nodes: 2000, hash: 1 }, () => true);
  return { game: gameInfo, compiled };
}

// The rounds of a live analysis: nodes a move, and for how many moves.
const ROUNDS = [[200, Infinity], [2000, 12], [20000, 6], [100000, 4], [400000, 3], [1500000, 3], [6000000, 3]];
const teller = tell => iteration => { tell(iteration); return true; };
// The functions of the module that are called directly.
const direct = Object.fromEntries(["start", "play", "analyse", "explain", "check", "turned", "truth", "sketch", "picture", "arrow", "stored"].map(name => [name, (tell, ...words) => loaded[name](...words)]));

const resultFor = ({ winner }, side) => winner === null ? 0.5 : winner === side ? 1 : 0;
// A side's expected result in a position and the line from there, by what is stored (looked for with `asks`) or by a search. A search says nothing
// of a single legal move: that one is played.
function searched(input, rules, side, nodes, asks) {
  const line = [];
  for (let step = 0; step < 8; step++) {
    const known = asks ? loaded.truth(input, rules) : null, answer = loaded.think(input, rules, { nodes }, () => true);
    const expected = known?.expected ?? answer.expected, mover = loaded.look(input, rules).side;
    if (expected !== undefined) return { expected: mover === side ? expected : 1 - expected, proven: Boolean(known ?? answer.proven), line: [...line, ...answer.line ?? []] };
    line.push({ output: answer.output, text: answer.text });
    const { over, input: next } = loaded.play(input, rules, answer.output);
    if (over) return { expected: resultFor(over, side), proven: true, line };
    input = next;
  }
  return { expected: null, proven: false, line };
}
const countOf = ({ owners }, side) => [...owners].filter(owner => owner === String(side)).length;
// The most pieces that a side can lose by one move of the other, whose turn it is in `input`.
function most(input, rules, side) {
  const { moves, position } = loaded.look(input, rules), own = countOf(position, side);
  return Math.max(0, ...moves.map(({ output }) => own - countOf(loaded.play(input, rules, output).position, side)));
}
// The same with the other side to move, as if it were its turn; 0 if the game has no such position.
function mostNow(input, rules, side) { try { return most(loaded.turned(input, rules), rules, side); } catch { return 0; } }

const handlers = {
  load,
  ...direct,
  // The description of a position, and of each move that loses at once why it does.
  look: (tell, input, rules) => {
    const seen = loaded.look(input, rules), losing = new Map(loaded.losing(input, rules));
    return { ...seen, moves: seen.moves.map(move => losing.has(move.output) ? { ...move, loses: losing.get(move.output) ?? "the game" } : move) };
  },
  provide: (tell, name, bytes) => loaded.provide(name, new Uint8Array(bytes)),
  think: (tell, input, rules, request) => loaded.think(input, rules, request, teller(tell)),
  choose: (tell, input, rules, level) => choose({ game: gameInfo, look: loaded.look, play: loaded.play, think: handlers.think }, tell, input, rules, level),
  // Searches each move by itself, with more and more nodes for fewer and fewer moves, and tells of the best five after each round.
  lines: (tell, input, rules) => {
    const { side, moves } = loaded.look(input, rules);
    const found = moves.map(({ output, text }) => ({ output, text, played: loaded.play(input, rules, output), expected: null, line: [], nodes: 0 }));
    for (const [nodes, most] of ROUNDS) {
      for (const one of found.slice(0, most)) {
        const { over, input: next } = one.played;
        if (over) Object.assign(one, { expected: resultFor(over, side), proven: true });
        if (!over && !one.proven) Object.assign(one, searched(next, rules, side, nodes, nodes === ROUNDS[0][0]), { nodes });
      }
      found.sort((a, b) => (b.expected ?? -1) - (a.expected ?? -1));
      tell(found.slice(0, 5).map(({ output, text, played, expected, proven, line, nodes }) =>
        ({ expected, proven, nodes, aim: played.position?.aim, moves: [{ output, text }, ...line.map(({ output, text }) => ({ output, text }))] })));
    }
    return true;
  },
  // What a move does: the pieces that it takes, or turns into own ones; the side's own measure before and after it; the most pieces that the
  // side can lose by the next move (`risk`), and could have lost if it had been the other side's turn before.
  effect: (tell, input, rules, output) => {
    const { side, position, measures, board } = loaded.look(input, rules), before = measures[side], played = loaded.play(input, rules, output);
    if (gameInfo.own) return { position: played.position, over: played.over, taken: 0, turned: 0, risk: 0, measure: null };
    const lost = countOf(position, 1 - side) - countOf(played.position, 1 - side);
    const turns = board?.figures[side].includes("squirrel") ?? false, isHunted = /fox|wolf/.test(board?.figures[1 - side]);
    const told = { position: played.position, over: played.over, turns, isHunted, taken: turns ? 0 : lost, turned: turns ? lost : 0, risk: 0, riskBefore: 0, measure: null };
    if (played.over) return told;
    const after = loaded.look(played.input, rules).measures[side];
    if (before) told.measure = { what: before.what, before: before.number, after: after.number };
    // In a race nothing is taken.
    if (before?.what.startsWith("distance")) return told;
    return { ...told, risk: most(played.input, rules, side), riskBefore: mostNow(input, rules, side) };
  },
  // Plays a whole game and returns the answers of `play`. A move that cannot be played is an error, or, with `partly`, ends the answers with `{ damaged }`.
  replay: (tell, input, rules, outputs, partly) => {
    const all = [];
    for (const [at, output] of outputs.entries()) {
      try {
        if (input === null) throw new Error("the game is over before it");
        const played = loaded.play(input, rules, output);
        input = played.input;
        all.push({ ...played, output });
      } catch (error) {
        const damaged = `move ${at + 1}, “${output.trim().slice(0, 40)}”: ${error?.message ?? error}`;
        if (!partly || error instanceof WebAssembly.RuntimeError) throw new Error(damaged);
        return [...all, { damaged }];
      }
    }
    return all;
  },
};

onmessage = async ({ data: { id, ask, words } }) => {
  try {
    postMessage({ id, value: await handlers[ask](iteration => postMessage({ id, iteration }), ...words) });
  } catch (error) {
    // After a trap the module's memory may be corrupt: the page must restart the worker.
    postMessage({ id, error: String(error?.message ?? error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
