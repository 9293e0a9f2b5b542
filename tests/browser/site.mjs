// The page that plays the games, served from a folder, and the ways to press on it.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { test as base, expect } from "@playwright/test";

const ROOT = resolve(import.meta.dirname, "../..");
export const SITE = resolve(process.env.SITE ?? join(ROOT, "site"));
export const JUDGE = join(resolve(process.env.PROGRAMS ?? join(ROOT, "target/make")), "judge");
export const GAMES = execFileSync(join(ROOT, "scripts/games"), { encoding: "utf8" }).split(/\s+/).filter(Boolean);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json", ".gz": "application/gzip" };

// A server of the site in a folder that is not its root.
async function serve() {
  const asked = [], sent = { bytes: 0 };
  const server = createServer((request, answer) => {
    asked.push(request.url);
    const path = decodeURIComponent(request.url.split("?")[0]);
    const file = path.startsWith("/some/folder/") ? join(SITE, path.slice("/some/folder/".length)) : "";
    if (!file || !existsSync(file)) { answer.writeHead(404).end(); return; }
    sent.bytes += statSync(file).size;
    // With the date of the file browsers keep it for their next worker, as with common servers.
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain", "Last-Modified": statSync(file).mtime.toUTCString() });
    createReadStream(file).pipe(answer);
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  return { asked, sent, server, address: `http://127.0.0.1:${server.address().port}/some/folder/index.html` };
}

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// The violations that axe-core finds.
export async function violations(page) {
  await page.evaluate(source + ";0");
  return page.evaluate(() => axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary.slice(0, 300)}`)])));
}

// Slows the page's processor down to a sixth, as that of a telephone.
export async function slowed(page) {
  await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 6 });
}

// Pseudo-random numbers, the same in every run.
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export class Site {
  constructor(page, address) {
    Object.assign(this, { page, address, random: generator(20) });
  }

  // Opens the page, and plays if it asks for that.
  async open(fragment = "", play = true) {
    await this.page.goto("about:blank");
    await this.page.goto(this.address + fragment);
    await this.page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
    if (play && await this.mode() !== "play") await this.page.click("#play");
    if (play) await this.settled();
  }

  async fresh(fragment = "?game=halma", play = true) {
    if (this.page.url().startsWith("http")) await this.page.evaluate(() => localStorage.clear());
    await this.open(fragment, play);
  }

  mode() { return this.page.evaluate(() => document.body.dataset.mode); }
  value(script, argument) { return this.page.evaluate(script, argument); }
  text(id) { return this.page.locator(`#${id}`).textContent(); }
  say() { return this.text("say"); }
  press(name) { return this.page.evaluate(name => document.querySelector(`[data-do=${name}]`).click(), name); }
  tab(name) { return this.page.click(`#tab-${name}`); }
  plies() { return this.page.evaluate(() => import("./state.js").then(({ state }) => state.tree.at.ply)); }
  over() { return this.page.evaluate(() => import("./state.js").then(({ state }) => Boolean(state.tree.at.over))); }
  cells(kind) { return this.page.locator(`#grid .${kind}`).evaluateAll(cells => cells.map(cell => cell.dataset.at)); }
  cell(at) { return this.page.locator(`#grid [data-at="${at}"]`); }
  // Where a cell is, read in one step: boundingBox() takes two, and says null where the board is drawn anew between them.
  box(at) { return this.page.evaluate(at => document.querySelector(`#grid [data-at="${at}"]`).getBoundingClientRect().toJSON(), at); }
  now() { return this.page.evaluate(() => import("./state.js").then(({ state }) => state.tree.line().map(one => one.output ?? "").join("|") + state.tree.at.ply)); }

  // Waits until it is the person's turn, or the game is over.
  settled() {
    return this.until(() => import("./state.js").then(({ isHuman, state: { tree, thinking } }) => Boolean(tree) && (Boolean(tree.at.over) || Boolean(tree.at.seen) && isHuman(tree.at.seen.side) && !thinking)));
  }

  // Waits until a function of the page, which may be asynchronous, says so.
  async until(holds, argument) {
    const end = Date.now() + 60_000;
    while (!await this.page.evaluate(holds, argument)) {
      if (Date.now() > end) throw new Error(`still not: ${holds}`);
      await this.page.waitForTimeout(20);
    }
  }

  async choose(id, word) {
    await this.value(([id, word]) => { const e = document.getElementById(id); e.value = word; e.dispatchEvent(new Event("change")); }, [id, word]);
  }

  // Asks for winning chances while a person plays.
  chances() { return this.value(() => { const box = document.getElementById("judge"); box.checked = true; box.dispatchEvent(new Event("change")); }); }

  // Plays on from an input.txt, as soon as its position is shown and it is the person's turn.
  async load(input) {
    await this.tab("setup");
    await this.page.fill("#text", input);
    await this.press("load");
    await this.until(input => import("./state.js").then(({ state }) => state.tree.root.input.trim() === input.trim() && state.tree.root.seen !== null), input);
    await this.settled();
  }

  // A new game between these two, without a delay between agents.
  async players(one, other) {
    await this.press("new");
    await this.choose("player0", one);
    await this.choose("player1", other);
    await this.choose("pace", "0");
    await this.page.click("#play");
  }

  // A new game in which the person plays this side, against a beginner.
  async sit(side) {
    await this.players(...[0, 1].map(one => one === side ? "you" : "beginner"));
    await this.settled();
  }

  async click(at) { await this.cell(at).click({ force: true }); }
  async touch(at) { await this.cell(at).tap({ force: true }); }
  async drag(from, to, button = "left") {
    const [a, b] = [await this.box(from), await this.box(to)];
    await this.page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await this.page.mouse.down({ button });
    await this.page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
    await this.page.mouse.up({ button });
  }

  // Walks to a cell by the arrow keys, across or else down or up, and presses Enter.
  async key(at) {
    const here = () => this.page.evaluate(() => document.activeElement.dataset.at ?? null);
    if (await here() === null) await this.page.locator("#grid [tabindex='0']").focus();
    for (let step = 0; step < 60; step++) {
      const [[x, y], [toX, toY]] = [await here(), at].map(place => place.split(",").map(Number));
      if (x === toX && y === toY) break;
      const turned = await this.page.evaluate(() => document.getElementById("grid").classList.contains("turned"));
      const keys = [...(toX !== x ? [toX > x !== turned ? "ArrowRight" : "ArrowLeft"] : []), ...(toY !== y ? [toY > y !== turned ? "ArrowDown" : "ArrowUp"] : [])];
      const before = `${x},${y}`;
      for (const key of keys) {
        await this.page.keyboard.press(key);
        if (await here() !== before) break;
      }
    }
    await this.page.keyboard.press("Enter");
  }

  // One move by presses on the board: a piece, then steps until the move is made.
  async turn(press = at => this.click(at)) {
    const pick = list => list[Math.floor(this.random() * list.length)];
    let movers = await this.cells("mover");
    for (; !movers.length; movers = await this.cells("mover")) await this.page.waitForTimeout(20);
    // The other side may move first: what has been played counts from the visitor's turn on.
    const before = await this.now();
    let at = pick(movers);
    await press(at);
    for (let step = 0; step < 100 && await this.now() === before; step++) {
      const steps = await this.cells("step"), chosen = await this.cells("chosen"), again = (await this.say()).includes("again");
      if (!chosen.length || (!steps.length && !again)) await this.page.waitForTimeout(20);
      else if (again && (!steps.length || this.random() < 0.5)) await press(at);
      else { at = pick(steps); await press(at); }
    }
    await this.until(before => import("./state.js").then(({ state }) => state.tree.line().map(one => one.output ?? "").join("|") + state.tree.at.ply !== before), before);
    await this.settled();
  }

  async game(press, most) {
    while (!await this.over() && await this.plies() < most) await this.turn(press);
  }
}

export const test = base.extend({
  server: async ({}, use) => {
    const served = await serve();
    await use(served);
    served.server.closeAllConnections();
    served.server.close();
  },
  // A page without errors in its console, and without requests elsewhere.
  site: async ({ page, server }, use) => {
    const said = [];
    page.on("console", message => { if (["error", "warning"].includes(message.type())) said.push(message.text()); });
    page.on("pageerror", error => said.push(String(error)));
    // The levels choose by chance: the same games in every run.
    await page.addInitScript(() => { crypto.getRandomValues = numbers => numbers.fill(20); });
    await use(new Site(page, server.address));
    expect(said, "no error in the console").toEqual([]);
    expect(server.asked.filter(path => !path.startsWith("/some/folder/")), "nothing is asked for outside the page's folder").toEqual([]);
  },
});
export { expect };
