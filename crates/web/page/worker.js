// A game in a worker: loads the game's module once, then answers what the page asks, one thing after the other. Thinking tells of
// its iterations. Nothing can reach a worker that thinks: the page stops it by ending it.
import { choose } from "./levels.js";

let loaded = null;
let title = null;
const parsed = name => (...words) => JSON.parse(loaded[name](...words));
const look = parsed("look"), play = parsed("play"), studied = parsed("analyse"), explain = parsed("explain"), check = parsed("check");

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
  title = { ...JSON.parse(module.game()), stores: JSON.parse(module.stores()) };
  if (warm) module.think(module.start(title.agentRules, 10), title.agentRules, JSON.stringify({ nodes: 2000, hash: 1 }), () => true);
  return { game: title, compiled };
}

const teller = tell => iteration => { tell(JSON.parse(iteration)); return true; };

const asks = {
  load,
  start: (tell, rules, seconds) => loaded.start(rules, seconds),
  look: (tell, ...words) => look(...words),
  play: (tell, ...words) => play(...words),
  analyse: (tell, ...words) => studied(...words),
  explain: (tell, ...words) => explain(...words),
  check: (tell, ...words) => check(...words),
  turned: (tell, ...words) => loaded.turned(...words),
  provide: (tell, name, bytes) => loaded.provide(name, new Uint8Array(bytes)),
  think: (tell, input, rules, request) => JSON.parse(loaded.think(input, rules, JSON.stringify(request), teller(tell))),
  choose: (tell, input, rules, level) => choose({ game: title, look, play, think: asks.think }, tell, input, rules, level),
  // A whole game from its start: what `play` says of every move.
  replay: (tell, input, rules, outputs) => outputs.map((output, at) => {
    if (input === null) throw new Error(`move ${at + 1}: the game is over`);
    const played = play(input, rules, output);
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
