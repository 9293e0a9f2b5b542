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
    compiled = await WebAssembly.compile(await answer.arrayBuffer());
  }
  module.initSync({ module: compiled });
  loaded = module;
  gameInfo = { ...module.game(), stores: module.stores() };
  if (warm) module.think(module.start(gameInfo.agentRules, 10), gameInfo.agentRules, { nodes: 2000, hash: 1 }, () => true);
  return { game: gameInfo, compiled };
}

const teller = tell => iteration => { tell(iteration); return true; };
// The functions of the module that are called directly.
const direct = Object.fromEntries(["start", "look", "play", "analyse", "explain", "check", "turned", "truth"].map(name => [name, (tell, ...words) => loaded[name](...words)]));

const handlers = {
  load,
  ...direct,
  provide: (tell, name, bytes) => loaded.provide(name, new Uint8Array(bytes)),
  think: (tell, input, rules, request) => loaded.think(input, rules, request, teller(tell)),
  choose: (tell, input, rules, level) => choose({ game: gameInfo, look: loaded.look, play: loaded.play, think: handlers.think }, tell, input, rules, level),
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
