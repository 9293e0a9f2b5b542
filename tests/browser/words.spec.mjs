// Names, words and labels: long ones wrap, damaged links and addresses say what is damaged, the focus is on an own piece, labels are spoken as they stand on the board.
import { mkdtempSync, rmSync, writeFileSync, cpSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { JUDGE, SITE, Site, expect, test, violations } from "./site.mjs";

const LONG = "W".repeat(20_000);
const WINDOWS = [[1280, 800, "light"], [360, 740, "dark"]];
const isWide = page => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

test("long names and words of a record wrap, and a program's texts are parted", async ({ site, page }) => {
  const engine = name => ({ name, kind: { files: { command: [], directory: null } }, clock: { game: 600 }, margin: 0 });
  const names = [LONG, `${LONG}2`], input = "SINGLE\nWOLVES\n10\nSSSSS\nSSSSS\n.....\n.....\n.W.W.\n";
  const record = [
    { event: "header", version: 3, game: "wolves", rules: null, engines: names.map(engine), shape: "roundrobin", pairs: 1, openings: "start", seed: 1, max_plies: 300, at_limit: "draw", bounds: {}, shard: null },
    { event: "start", game: 1, players: names, opening: input, line: [] },
    { event: "move", game: 1, ply: 0, side: "WOLVES", move: "1,4-1,3", output: "E 1,4 1,3\n", cpu: 0.1, wall: 0.1, left: 9.9, note: LONG.slice(0, 300), stderr: LONG, stdout: LONG },
  ];
  for (const [width, height, colorScheme] of WINDOWS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await site.fresh("?game=wolves");
    const output = await page.evaluate(() => import("./state.js").then(({ state }) => state.tree.root.next.output));
    record[2].output = output;
    await site.tab("setup");
    await page.fill("#text", record.map(event => `${JSON.stringify(event)}\n`).join(""));
    await site.press("load");
    await expect(page.locator("#record")).toBeVisible();
    await site.press("next");
    await expect(page.locator("#told")).toContainText("standard error");
    expect(await page.locator("#told").innerText()).toMatch(/left\s*\n+standard error\n/);
    expect(await isWide(page), `${width} px`).toBe(false);
    expect(await violations(page)).toEqual([]);
    for (const player of await page.locator(".player").all()) expect((await player.boundingBox()).height).toBeLessThan(120);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `long-${width}.png`) });
  }
});

test("a damaged move in a link opens its game up to it, and says which it is", async ({ site, page }) => {
  await site.fresh("?game=foxgame", false);
  const link = await page.evaluate(async () => {
    const { state } = await import("./state.js"), { desk } = await import("./state.js"), { pack } = await import("./tree.js");
    const { tree, info } = state, first = await desk.ask("look", [tree.root.input, tree.rules]);
    return pack({ v: 1, game: info.name, rules: tree.rules, input: tree.root.input, moves: [first.moves[0].output, "nonsense\n"], players: ["you", "you"], seed: 1, clock: null, notes: {} });
  });
  await site.open(`#g=${link}`, false);
  await expect(page.locator("#title")).toHaveText("FoxGame");
  await expect(page.locator("#say")).toContainText("The link is damaged: move 2, “nonsense”");
  expect(await site.plies()).toBe(1);
  // A damaged position: a new game of the kind that the link has.
  const other = await page.evaluate(() => import("./tree.js").then(({ pack }) => pack({ v: 1, game: "foxgeese", rules: "standard", input: "SINGLE\nNOBODY\n", moves: [] })));
  await site.open(`#g=${other}`, false);
  await expect(page.locator("#trouble")).toContainText("This link cannot be opened: line 2");
  await expect(page.locator("#title")).toHaveText("Foxes and Geese");
});

for (const game of ["foxgame", "halma", "foxgeese"]) test(`${game} by keyboard: after Play the focus is on an own piece that can move`, async ({ site, page }) => {
  await site.fresh(`?game=${game}`, false);
  await page.locator("#play").focus();
  await page.keyboard.press("Enter");
  const own = await page.evaluate(() => Promise.all([import("./state.js"), import("./names.js")]).then(([{ state }, { one }]) => one(state.info.sides[state.players.indexOf("you")])));
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? "");
  expect(await focused()).toContain(own);
  await site.settled();
  await expect.poll(focused).toMatch(new RegExp(`${own}.*can move`));
});

test("puzzle addresses: a number that is no puzzle is told, at first and later, and the next puzzle ends the message", async ({ page, server }) => {
  const ready = () => page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  await page.goto(server.address.replace("index.html", "puzzles.html?game=wolves#99"));
  await ready();
  await expect(page.locator("#trouble")).toContainText("There is no puzzle 99");
  await page.click("#next");
  await expect(page.locator("#trouble")).toBeHidden();
  await page.evaluate(() => { location.hash = "#77"; });
  await expect(page.locator("#trouble")).toContainText("There is no puzzle 77");
  await expect(page).toHaveURL(/#[12]$/);
  await page.evaluate(() => { location.hash = "#3"; });
  await expect(page.locator("#trouble")).toBeHidden();
  await expect(page.locator("#top")).toContainText("puzzle 3 of");
  await expect(page.locator("#say")).toHaveText(/^Find the one move of the \w+ that wins .*: (every|no) other move .*\.$/);
});

test("a beginner agrees to a draw after a move of each side, not before", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.players("you", "beginner");
  await site.settled();
  await expect(page.locator("[data-do=draw]")).toBeDisabled();
  await site.turn();
  await expect(page.locator("[data-do=draw]")).toBeEnabled();
  await site.players("you", "you");
  await site.settled();
  await expect(page.locator("[data-do=draw]")).toBeEnabled();
});

test("the welcome says who plays, how pieces move and what a seat is, in sentences", async ({ site, page }) => {
  await site.fresh("?game=wolves", false);
  await expect(page.locator("#invited")).toHaveText("You play the sheep, against a beginner.");
  await expect(page.locator("#seat")).toHaveText("Sheep: can always win, but a single mistake may lose it.");
  await expect(page.locator("#goal")).toContainText("over the empty square between them");
  for (const [game, words] of [["foxgame", "sheep never back"], ["foxgeese", "A goose steps up, left or right"], ["squirrels", "become yours"]])
    await expect(page.locator(`#others [data-game=${game}] span`)).toContainText(words);
});

test("labels of a game of one's own are spoken as they stand on the board", async ({ page }) => {
  const place = mkdtempSync(join(tmpdir(), "labels-")), rules = join(import.meta.dirname, "../../examples/rules/little-go");
  let server = null;
  try {
    for (const [name, text, labels] of [["both", 'columns = list("abcde")\n    rows = list("54321")', ["a5", "e1", "c2"]], ["rows", 'rows = list("abcde")', ["0,a", "4,e", "2,d"]], ["columns", 'columns = list("abcde")', ["a0", "e4", "c3"]]]) {
      const folder = join(place, name);
      cpSync(rules, folder, { recursive: true });
      const source = join(folder, "rules.py"), plain = readFileSync(source, "utf8");
      writeFileSync(source, plain.replace("    def draw(", `    ${text}\n\n    def draw(`));
      server = spawn(JUDGE, ["play", "--no-browser", "--port", "0", "--site", SITE, "--game", folder], { stdio: ["ignore", "pipe", "inherit"] });
      const address = await new Promise((done, fail) => { server.stdout.on("data", data => done(/http:\S+/.exec(data)[0])); server.on("exit", () => fail(new Error("the judge has ended"))); });
      const site = new Site(page, address);
      await site.open("", true);
      for (const [at, label] of [["0,0", labels[0]], ["4,4", labels[1]], ["2,3", labels[2]]]) await expect(site.cell(at)).toHaveAttribute("aria-label", new RegExp(`^${label}: `));
      server.kill();
    }
  } finally { server?.kill(); rmSync(place, { recursive: true }); }
});
