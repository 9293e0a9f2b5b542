// Loads a game's WebAssembly module in Node, from a site or from the folder of `make wasm`.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import path from "node:path";

const CRATES = fileURLToPath(new URL("../../crates/", import.meta.url));

/**
 * Returns the functions of a game by their names, as the page's worker calls them, and the bytes of its module as they are compiled. The module is provided with what
 * the game has stored.
 */
export async function load(folder, game) {
  // By its text: the folder does not say that its files are modules, and Node 18 takes them for CommonJS.
  const text = readFileSync(path.join(folder, `${game}.js`));
  const module = await import(`data:text/javascript;base64,${text.toString("base64")}`);
  // As the compiler left it, or compressed as in a site.
  const plain = path.join(folder, `${game}_bg.wasm`);
  const bytes = existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(path.join(folder, `${game}.wasm.gz`)));
  module.initSync({ module: bytes });
  for (const name of module.stores()) module.provide(name, readFileSync(path.join(CRATES, game, "data", `${name}.bin`)));
  return { module: new Proxy({}, { get: (_, name) => (...words) => module.ask(name, words, words.at(-1)) }), bytes };
}
