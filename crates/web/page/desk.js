// The page's side of a worker.
export class Stopped extends Error {}

// What games have stored, by the names of the files: fetched once, when first asked for.
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

export class Desk {
  // `warm` for one that will search.
  constructor(warm) {
    this.warm = warm;
    this.waiting = new Map();
    this.number = 0;
    this.compiled = null;
  }

  // Loads a game; answers with its names. `compiled` is the module of another desk that has it already.
  open(game, compiled) {
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
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => {
      event.preventDefault?.();
      for (const { fail } of this.waiting.values()) fail(new Error(event.message || "the worker cannot be loaded"));
      this.waiting.clear();
    };
    this.ready = this.send("load", [this.game, this.compiled, this.warm]).then(({ game, compiled }) => {
      this.compiled = compiled;
      return game;
    });
    // Whoever asks something hears of it; nobody has to.
    this.ready.catch(() => {});
  }

  // Gives the worker what its game has stored: searches that may use it are asked for after this. Where that cannot be had, the
  // search has to do without; the answer says why.
  know() {
    this.knows ??= this.give(this.worker).catch(error => error instanceof Stopped ? null : error.message);
    return this.knows;
  }
  async give(worker) {
    const { name: game, stores: names } = await this.ready;
    for (const name of names) {
      const bytes = await stored(`${game}-${name}.bin`);
      if (this.worker !== worker) throw new Stopped("stopped");
      await this.send("provide", [name, bytes]);
    }
    return null;
  }

  // Ends what is asked for, at once: the answers will never come.
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

  hear({ id, value, error, broken, iteration }) {
    const one = this.waiting.get(id);
    if (!one) return;
    if (iteration !== undefined) { one.tell?.(iteration); return; }
    this.waiting.delete(id);
    if (error === undefined) { one.done(value); return; }
    one.fail(new Error(error));
    if (broken) this.restart();
  }
}
