// A game in a worker: loads the game's module once, then answers what the page asks, one thing after the other. Thinking tells of
// its iterations. Nothing can reach a worker that thinks: the page stops it by ending it.
import { choose } from "./levels.js";

let loaded = null;
let title = null;

// `compiled` saves the second worker of a game the loading. The first searches of a module run slowly until it is compiled well: `warm`
// has one done now.
async function load(tell, game, compiled, warm) {
  const module = await import(`./${game}.js`);
  if (!compiled) {
    const answer = await fetch(new URL(`${game}_bg.wasm`, import.meta.url));
    if (!answer.ok) throw new Error(`${game}_bg.wasm: ${answer.status} ${answer.statusText}`);
    compiled = await WebAssembly.compile(await answer.arrayBuffer());
  }
  module.initSync({ module: compiled });
  loaded = module;
  title = { ...module.game(), stores: module.stores() };
  if (warm) module.think(module.start(title.agentRules, 10), title.agentRules, { nodes: 2000, hash: 1 }, () => true);
  return { game: title, compiled };
}

const teller = tell => iteration => { tell(iteration); return true; };
// Functions of the module that are asked as they are.
const plain = Object.fromEntries(["start", "look", "play", "analyse", "explain", "check", "turned", "truth"].map(name => [name, (tell, ...words) => loaded[name](...words)]));

const asks = {
  load,
  ...plain,
  provide: (tell, name, bytes) => loaded.provide(name, new Uint8Array(bytes)),
  think: (tell, input, rules, request) => loaded.think(input, rules, request, teller(tell)),
  choose: (tell, input, rules, level) => choose({ game: title, look: loaded.look, play: loaded.play, think: asks.think }, tell, input, rules, level),
  // A whole game from its start: what `play` says of every move.
  replay: (tell, input, rules, outputs) => outputs.map((output, at) => {
    if (input === null) throw new Error(`move ${at + 1}: the game is over`);
    const played = loaded.play(input, rules, output);
    input = played.input;
    return { ...played, output };
  }),
};

onmessage = async ({ data: { id, ask, words } }) => {
  try {
    postMessage({ id, value: await asks[ask](iteration => postMessage({ id, iteration }), ...words) });
  } catch (error) {
    // After a trap the module's memory is worth nothing.
    postMessage({ id, error: String(error?.message ?? error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
