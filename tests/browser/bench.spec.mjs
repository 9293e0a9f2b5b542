// One's own program on the page, by `judge play --engine`: its turns, its faults with their remedies, two programs against each other.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { JUDGE, SITE, Site, violations } from "./site.mjs";

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
