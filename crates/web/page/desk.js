// The page's client for a worker (worker.js).
import { named } from "./names.js";

export class Stopped extends Error {}

// The games' data files by name, fetched once, when first needed.
const stores = new Map();
function stored(file) {
  if (!stores.has(file)) {
    const bytes = fetch(new URL(`./${file}`, import.meta.url)).then(answer => {
      if (!answer.ok) throw new Error(`${file}: ${answer.status} ${answer.statusText}`);
      return answer.arrayBuffer();
    });
    bytes.catch(() => stores.delete(file));
    stores.set(file, bytes);
  }
  return stores.get(file);
}

// The smallest module with an instruction for 128-bit vectors.
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
// What the games need and this browser lacks, in words; null if it lacks nothing.
function lacking() {
  if (typeof Worker !== "function") return "web workers";
  if (typeof WebAssembly !== "object") return "WebAssembly";
  return WebAssembly.validate(VECTORS) ? null : "WebAssembly with 128-bit vectors (SIMD)";
}

export class Desk {
  // `warm` is true for a worker that will search.
  constructor(warm) {
    this.warm = warm;
    this.waiting = new Map();
    this.number = 0;
    this.compiled = null;
  }

  // Loads a game and resolves to its description. `compiled` is the compiled module of another client, to save loading it again.
  open(game, compiled) {
    const lacks = lacking();
    if (lacks) return Promise.reject(new Error(`this browser does not have ${lacks}. Every browser of 2024 or later has it, unless it is switched off`));
    [this.game, this.compiled] = [game, compiled ?? null];
    this.restart();
    return this.ready;
  }

  restart() {
    this.worker?.terminate();
    for (const { fail } of this.waiting.values()) fail(new Stopped("stopped"));
    this.waiting.clear();
    this.knows = null;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.onMessage(data);
    this.worker.onerror = event => {
      event.preventDefault?.();
      for (const { fail } of this.waiting.values()) fail(new Error(event.message || "worker.js cannot be loaded"));
      this.waiting.clear();
    };
    this.ready = this.send("load", [this.game, this.compiled, this.warm]).then(({ game, compiled }) => {
      this.compiled = compiled;
      return named(game);
    });
    // `ask` reports a failure to load. Without a caller of `ask` it must not become an unhandled rejection.
    this.ready.catch(() => {});
  }

  // Provides the worker with its game's data files, before searches that may use them. Resolves to null, or to an error message if
  // a file cannot be loaded; the search then works without it.
  know() {
    this.knows ??= this.provideStores(this.worker).catch(error => error instanceof Stopped ? null : error.message);
    return this.knows;
  }
  async provideStores(worker) {
    const { name: game, stores: names } = await this.ready;
    for (const name of names) {
      const bytes = await stored(`${game}-${name}.bin`);
      if (this.worker !== worker) throw new Stopped("stopped");
      await this.send("provide", [name, bytes]);
    }
    return null;
  }

  // Cancels all pending requests by restarting the worker; their promises are rejected with `Stopped`.
  stop() {
    if (this.waiting.size) this.restart();
  }

  async ask(name, words, tell) {
    await this.ready;
    return this.send(name, words, tell);
  }

  send(ask, words, tell) {
    const id = ++this.number;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail, tell });
      this.worker.postMessage({ id, ask, words });
    });
  }

  onMessage({ id, value, error, broken, iteration }) {
    const one = this.waiting.get(id);
    if (!one) return;
    if (iteration !== undefined) { one.tell?.(iteration); return; }
    this.waiting.delete(id);
    if (error === undefined) { one.done(value); return; }
    one.fail(new Error(error));
    if (broken) this.restart();
  }
}
