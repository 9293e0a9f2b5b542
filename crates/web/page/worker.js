// A web worker that runs one game: it loads the game's WebAssembly module, then answers requests one after the other. Searches also
// post their iterations. A worker receives no messages during a search: the page stops a search by terminating the worker.
import { choose } from "./levels.js";

let loaded = null;
let gameInfo = null;

// Loads a game. `compiled` is the module if another worker has compiled it already. A module's first searches are slow until the
// browser has optimized it: with `warm` a short search is run at once.
async function load(tell, game, compiled, warm) {
  const module = await import(`./${game}.js`);
  if (!compiled) {
    const answer = await fetch(new URL(`${game}_bg.wasm`, import.meta.url));
    if (!answer.ok) throw new Error(`${game}_bg.wasm: ${answer.status} ${answer.statusText}`);
    try { compiled = await WebAssembly.compile(await answer.arrayBuffer()); } catch (error) { throw new Error(`${game}_bg.wasm is damaged: ${error.message}`); }
  }
  module.initSync({ module: compiled });
  loaded = module;
  gameInfo = { ...module.game(), stores: module.stores() };
  if (warm) module.think(module.start(gameInfo.agentRules, 10), gameInfo.agentRules, { nodes: 2000, hash: 1 }, () => true);
  return { game: gameInfo, compiled };
}

// The rounds of a live analysis: nodes a move, and for how many moves.
const ROUNDS = [[200, Infinity], [2000, 12], [20000, 6], [100000, 4], [400000, 3], [1500000, 3], [6000000, 3]];
const teller = tell => iteration => { tell(iteration); return true; };
// The functions of the module that are called directly.
const direct = Object.fromEntries(["start", "look", "play", "analyse", "explain", "check", "turned", "truth", "sketch", "picture", "arrow"].map(name => [name, (tell, ...words) => loaded[name](...words)]));

const handlers = {
  load,
  ...direct,
  provide: (tell, name, bytes) => loaded.provide(name, new Uint8Array(bytes)),
  think: (tell, input, rules, request) => loaded.think(input, rules, request, teller(tell)),
  choose: (tell, input, rules, level) => choose({ game: gameInfo, look: loaded.look, play: loaded.play, think: handlers.think }, tell, input, rules, level),
  // Searches each move by itself, with more and more nodes for fewer and fewer moves, and tells of the best five after each round.
  lines: (tell, input, rules) => {
    const { side, moves } = loaded.look(input, rules);
    const found = moves.map(({ output, text }) => ({ output, text, played: loaded.play(input, rules, output), expected: 0.5, line: [], nodes: 0 }));
    for (const [nodes, most] of ROUNDS) {
      for (const one of found.slice(0, most)) {
        const { over, input: next } = one.played;
        if (over) Object.assign(one, { expected: over.winner === null ? 0.5 : over.winner === side ? 1 : 0, proven: true });
        if (over || one.proven) continue;
        const known = nodes === ROUNDS[0][0] ? loaded.truth(next, rules) : null;
        const answer = loaded.think(next, rules, { nodes }, () => true), mover = loaded.look(next, rules).side;
        const expected = known?.expected ?? answer.expected;
        if (expected !== undefined) one.expected = mover === side ? expected : 1 - expected;
        Object.assign(one, { proven: Boolean(known ?? answer.proven), line: answer.line ?? [], nodes });
      }
      found.sort((a, b) => b.expected - a.expected);
      tell(found.slice(0, 5).map(({ output, text, expected, proven, line, nodes }) =>
        ({ expected, proven, nodes, moves: [{ output, text }, ...line.map(({ output, text }) => ({ output, text }))] })));
    }
    return true;
  },
  // Plays a whole game and returns the answers of `play`.
  replay: (tell, input, rules, outputs) => outputs.map((output, at) => {
    if (input === null) throw new Error(`move ${at + 1}: the game is over`);
    const played = loaded.play(input, rules, output);
    input = played.input;
    return { ...played, output };
  }),
};

onmessage = async ({ data: { id, ask, words } }) => {
  try {
    postMessage({ id, value: await handlers[ask](iteration => postMessage({ id, iteration }), ...words) });
  } catch (error) {
    // After a trap the module's memory may be corrupt: the page must restart the worker.
    postMessage({ id, error: String(error?.message ?? error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
