// One's own program on the page, by `judge play --engine`: its turns, its faults with their remedies, two programs against each other.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { JUDGE, SITE, Site, slowed, violations } from "./site.mjs";

const STARTER = readFileSync(join(import.meta.dirname, "../../starters/wolves/python/agent.py"), "utf8");
// The starter, which counts its turns in a file that it keeps, and writes no move in the second.
const FAILS = `import os
turn = int(open("turns").read()) + 1 if os.path.exists("turns") else 1
open("turns", "w").write(str(turn))
import sys
print("turn", turn, file=sys.stderr)
if turn == 2:
    open("output.txt", "w").write("E 9,9 9,9\\n")
    sys.exit()
${STARTER}`;

const test = base.extend({
  // Starts a judge with these arguments, and returns its page.
  bench: async ({ page }, use) => {
    const place = mkdtempSync(join(tmpdir(), "bench-")), servers = [];
    await use({
      place,
      start: async (...words) => {
        const server = spawn(JUDGE, ["play", "--no-browser", "--port", "0", "--site", SITE, ...words], { cwd: place, stdio: ["ignore", "pipe", "inherit"] });
        servers.push(server);
        const address = await new Promise((done, fail) => {
          server.stdout.on("data", data => done(/http:\S+/.exec(data)[0]));
          server.on("exit", () => fail(new Error("the judge has ended")));
        });
        const site = new Site(page, address);
        await site.open("", false);
        return site;
      },
    });
    servers.forEach(server => server.kill());
    rmSync(place, { recursive: true });
  },
});
const state = (site, read) => site.value(`import("./state.js").then(({ state }) => (${read})(state))`);

test("a program is an opponent: its turn, its fault with the remedy, and the game goes on", async ({ bench, page }) => {
  writeFileSync(join(bench.place, "homework.py"), FAILS);
  const site = await bench.start("--game", "wolves", "--engine", "cmd=python3 homework.py", "name=mine");
  await expect(page.locator("#invited")).toContainText("mine");
  await page.click("#play");
  await site.settled();
  await expect(page.locator("#told")).toContainText("mine: ");
  await expect(page.locator("#told")).toContainText(/\d s CPU.*left/);
  await expect(page.locator("#told pre")).toHaveText(/turn 1/);
  await site.turn();
  // The second turn of the program writes a move that is none.
  await expect(page.locator("#told .wrong")).toContainText(/bad format|illegal move/);
  await expect(page.locator("#told")).toContainText("To fix it:");
  await expect(page.locator("#told")).toContainText("E 9,9 9,9");
  expect(await violations(page)).toEqual([]);
  const before = await site.plies();
  await site.press("stop");
  await expect.poll(() => site.plies()).toBeGreaterThan(before);
  await expect(page.locator("#told pre")).toHaveText(/turn 3/);
  await site.settled();
  await site.turn();
  await expect(page.locator("#told pre")).toHaveText(/turn 4/);
  expect(await state(site, "state => state.tree.line().filter(one => one.told).length")).toBe(3);
});

test("for a program that has failed a person may move", async ({ bench, page }) => {
  writeFileSync(join(bench.place, "homework.py"), "raise IndexError('list index out of range')\n");
  const site = await bench.start("--game", "wolves", "--engine", "cmd=python3 homework.py", "name=mine");
  await page.click("#play");
  await expect(page.locator("#told .wrong")).toContainText("crash");
  await expect(page.locator("#told")).toContainText("an index left the board");
  await site.turn();
  expect(await site.plies()).toBe(1);
});

test("every kind of fault is told on a telephone, and the mended program goes on", async ({ bench, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  const file = join(bench.place, "homework.py");
  writeFileSync(file, "raise IndexError('list index out of range')\n");
  const site = await bench.start("--game", "wolves", "--engine", "cmd=python3 homework.py", "name=mine", "st=0.5");
  await page.click("#play");
  for (const [program, words] of [[null, "crash"], ["while True: pass\n", /time/], ["open('output.txt', 'w').write('nonsense\\n')\n", "bad format"], ["pass\n", /no file|no output|missing/]]) {
    if (program !== null) {
      writeFileSync(file, program);
      await page.click("[data-do=stop]");
    }
    await expect(page.locator("#told .wrong")).toContainText(words);
    await expect(page.locator("#told")).toContainText("Press “play on”");
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
  expect(await violations(page)).toEqual([]);
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, "fault-360.png") });
  writeFileSync(file, STARTER);
  await page.click("[data-do=stop]");
  await expect.poll(() => site.plies()).toBe(1);
  await expect(page.locator("#told .wrong")).toHaveCount(0);
});

test("a program's own thoughts are arrows on the board and words beside it", async ({ bench, page }) => {
  const told = ["move 2,3-3,2 0.9", "move 2,3-1,2 -3", "move nowhere 0.5", "note I see a fork", "some noise"];
  writeFileSync(join(bench.place, "homework.py"), `import sys\n${told.map(line => `print("${line}", file=sys.stderr)`).join("\n")}\n${STARTER}`);
  const site = await bench.start("--game", "wolves", "--engine", "cmd=python3 homework.py", "name=mine");
  await page.click("#play");
  for (const [width, height, colorScheme] of [[1280, 800, "light"], [360, 740, "dark"]]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    if (width === 360) await slowed(page);
    await site.settled();
    await expect(page.locator("#told")).toContainText("Its thoughts: 2,3-3,2 0.9; nowhere 0.5; 2,3-1,2 -3; I see a fork");
    await expect(page.locator("#told pre")).toContainText("some noise");
    const arrow = page.locator("#board .thought .head");
    await expect(arrow).toHaveCount(2);
    const classes = await page.locator("#board .thought").evaluateAll(all => all.map(({ className }) => className.baseVal));
    expect(classes).toEqual(["thought strength-4", "thought strength-1"]);
    await expect(arrow.first()).toHaveCSS("fill", "rgb(27, 98, 196)");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `thoughts-${width}.png`) });
    // They belong to its turn, and the next one has its own.
    await site.turn();
  }
  await site.press("previous");
  await expect(page.locator("#board .thought")).toHaveCount(0);
});

test("two programs play each other, are stopped, and their record opens with names and times", async ({ bench, page }) => {
  writeFileSync(join(bench.place, "homework.py"), STARTER);
  const site = await bench.start("--engine", "cmd=python3 homework.py", "name=mine", "--engine", "engine=reference:greedy", "name=greedy", "--game", "wolves");
  await site.choose("player0", "program0");
  await site.choose("player1", "program1");
  await site.choose("pace", "0");
  await page.click("#play");
  await expect.poll(() => site.plies()).toBeGreaterThan(5);
  await site.press("stop");
  const plies = await site.plies();
  await page.waitForTimeout(1500);
  expect(await site.plies()).toBeLessThanOrEqual(plies + 1);
  await site.tab("tools");
  const download = page.waitForEvent("download");
  await site.press("record");
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text).toContain('"left":');
  const record = text.replace(/("cpu":[\d.e-]+)/, '$1,"note":"the machine gave it 40 % of a processor"');
  await site.tab("setup");
  await page.fill("#text", record);
  await site.press("load");
  await expect(page.locator("#record")).toBeVisible();
  await site.press("next");
  await expect(page.locator("#top")).toContainText(/mine|greedy/);
  await expect(page.locator("#bottom")).toContainText(/mine|greedy/);
  await expect(page.locator("#told")).toContainText(/s CPU/);
  await expect(page.locator("#told")).toContainText("The machine: the machine gave it 40 %");
  await expect(page.locator("#moves .note")).toHaveCount(0);
});

test("a command comes from the command line alone, and pages of other servers are refused", async ({ bench, request }) => {
  writeFileSync(join(bench.place, "homework.py"), STARTER);
  const site = await bench.start("--game", "wolves", "--engine", "cmd=python3 homework.py");
  const turn = new URL("turn", site.address).href, data = { session: "a", game: "wolves", rules: "standard", engine: 1, input: "", left: null, cmd: "touch /tmp/no" };
  expect((await request.post(turn, { data })).status()).toBe(400);
  expect((await request.post(turn, { data, headers: { Origin: "http://elsewhere.example" } })).status()).toBe(403);
  expect((await request.post(turn, { data, headers: { Host: "elsewhere.example" } })).status()).toBe(403);
  expect((await request.post(site.address, { data })).status()).toBe(405);
});

// A press that makes a move, which the judge's rules answer after a while.
async function press(site, button) {
  const before = await site.plies();
  await button.click();
  await expect.poll(() => site.plies()).toBeGreaterThan(before);
  await site.settled();
}
const RULES = join(import.meta.dirname, "../../examples/rules");

test("a game of one's own: a person plays a reference player on the board and by the list of moves", async ({ bench, page }) => {
  const site = await bench.start("--game", join(RULES, "little-go"));
  await expect(page.locator("#invitation")).toHaveText("Little-Go");
  await expect(page.locator("#invited")).toContainText("against random");
  await expect(page.locator("#player1 option")).toHaveText(["you", "random", "greedy", "minimax:2"]);
  await page.click("#play");
  await site.settled();
  // A stone on a point of the board, and the answer.
  await site.click("2,2");
  await expect.poll(() => site.plies()).toBe(2);
  await site.settled();
  await expect(page.locator("#board svg")).toContainText(/X.*O|O.*X/);
  // A pass, which is on no point.
  await page.fill("#wanted", "pas");
  await expect(page.locator("#legal button")).toHaveText(["PASS"]);
  expect(await violations(page)).toEqual([]);
  await page.press("#wanted", "Enter");
  await expect.poll(() => site.plies()).toBe(4);
  await site.settled();
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText("random games");
  await expect(page.locator("[data-do=threat]")).toBeHidden();
  while (!await site.over()) {
    await press(site, page.locator("#legal button").first());
  }
  await expect(page.locator("#score")).toContainText("after");
});

test("a game of one's own: a program plays it, and a record of it opens", async ({ bench, page }) => {
  const folder = join(import.meta.dirname, "../../starters/any-game");
  const agent = readFileSync(join(folder, "python/agent.py"), "utf8");
  writeFileSync(join(bench.place, "homework.py"), `import sys\nprint("my turn", file=sys.stderr)\n${agent}`);
  execFileSync(JUDGE, ["match", "--game", folder, "--games", "2", "--record", "games.jsonl", "--engine", "cmd=python3 homework.py", "name=mine", "--engine", "engine=reference:mcts:20"], { cwd: bench.place });
  const site = await bench.start("--game", folder, "--engine", "cmd=python3 homework.py", "name=mine");
  await expect(page.locator("#invited")).toContainText("against mine");
  await page.click("#play");
  await site.settled();
  await page.locator("#legal button").nth(4).click();
  await expect.poll(() => site.plies()).toBe(2);
  await expect(page.locator("#told pre")).toHaveText("my turn");
  await site.tab("setup");
  await page.setInputFiles("#file", join(bench.place, "games.jsonl"));
  await expect(page.locator("#record")).toBeVisible();
  await expect(page.locator("#bottom")).toContainText(/mine|mcts/);
  await site.press("last");
  await expect(page.locator("#say")).toContainText(/X wins: three in a row|O wins: three in a row|A draw/i);
  await site.press("previous");
  await expect(page.locator("#told")).toContainText("s CPU");
});

test("a game with hidden cards shows a person what the side to move is told, until the end", async ({ bench, page }) => {
  const site = await bench.start("--game", join(RULES, "one-card"));
  await page.click("#play");
  await site.settled();
  const seen = page.locator("#board pre");
  await expect(seen).toContainText(/^ODD\n[\d.]+\n1\n[1-6]\n-\n0\n/);
  await expect(seen).not.toContainText("cards");
  await expect(page.locator("#grid")).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await press(site, page.locator("#legal button", { hasText: "bet" }));
  await expect(page.locator("#moves")).toContainText("a move");
  // Earlier positions of the other side stay hidden.
  await site.press("first");
  await site.press("next");
  await expect(seen).toContainText("hidden until your turn");
  // Two people would see each other's cards.
  await site.choose("player1", "you");
  await expect(seen).toContainText("let a program play one side");
  await site.choose("player1", "program0");
  await site.press("last");
  await site.settled();
  for (let turn = 0; turn < 40 && !await site.over(); turn++) {
    await press(site, page.locator("#legal button").first());
  }
  await expect(seen).toContainText("cards");
  await expect(page.locator("#moves")).not.toContainText("a move");
});

test("the rules of a folder are asked under the same checks as programs", async ({ bench, request }) => {
  const site = await bench.start("--game", join(RULES, "one-card")), ask = new URL("game", site.address).href;
  const game = JSON.parse(await (await request.get(new URL("engines.json", site.address).href)).text()).own.name;
  const data = { game, ask: "start", words: ["standard", 10] };
  expect((await request.post(ask, { data })).status()).toBe(200);
  expect((await request.post(ask, { data: { ...data, game: join(RULES, "little-go") } })).status()).toBe(400);
  expect((await request.post(ask, { data: { ...data, ask: "files" } })).status()).toBe(400);
  expect((await request.post(ask, { data: { ...data, words: [] } })).status()).toBe(400);
  expect((await request.post(ask, { data: { ...data, words: ["x".repeat(300_000)] } })).status()).toBe(413);
  expect((await request.post(ask, { data, headers: { Origin: "http://elsewhere.example" } })).status()).toBe(403);
  expect((await request.post(ask, { data, headers: { Host: "elsewhere.example" } })).status()).toBe(403);
});

test("the page of the documentation has the levels that were played, and they are those of the page", () => {
  execFileSync("node", [join(import.meta.dirname, "levels.mjs"), "--check"], { stdio: "inherit" });
});
