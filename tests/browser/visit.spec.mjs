// What a visitor sees and is told: the welcome, the own side of the board, names, hints in words, lessons, live analysis, and how little is loaded.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GAMES, expect, slowed, test, violations } from "./site.mjs";

const input = name => readFileSync(new URL(`../../inputs/${name}.txt`, import.meta.url), "utf8");
const boxes = (page, selector) => page.locator(selector).evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()));
const middle = list => list.reduce((sum, { y, height }) => sum + y + height / 2, 0) / list.length;
// The pieces of a side, by what the cells are named for screen readers.
const pieces = (page, side) => page.evaluate(side => import("./names.js").then(({ one }) => [...document.querySelectorAll("#board .piece")].filter(({ dataset: { at } }) => document.querySelector(`#grid [data-at="${at}"]`).ariaLabel.split(": ")[1].startsWith(one(side)))
  .map(piece => piece.getBoundingClientRect().toJSON())), side);
const sides = page => page.evaluate(() => import("./state.js").then(({ state }) => state.info.sides));

test("the welcome shows how each game is won, with its picture, the side and the level", async ({ site, page }) => {
  for (const [width, height] of [[1280, 800], [360, 740]]) {
    await page.setViewportSize({ width, height });
    await site.fresh("?game=halma", false);
    await expect(page.locator("#setup .card:visible")).toHaveCount(GAMES.length);
    for (const card of await page.locator("#setup .card:visible").all()) {
      expect((await card.textContent()).trim().length).toBeGreaterThan(60);
      // A picture has colours: it is drawn, and not the browser's mark of a missing one.
      await expect.poll(() => card.locator("img").evaluate(async picture => {
        if (!picture.complete || !picture.naturalWidth) return 0;
        const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 }), ink = canvas.getContext("2d");
        ink.drawImage(picture, 0, 0, 40, 40);
        const { data } = ink.getImageData(0, 0, 40, 40), colours = new Set();
        for (let at = 0; at < data.length; at += 4) colours.add(`${data[at] >> 5} ${data[at + 1] >> 5} ${data[at + 2] >> 5}`);
        return colours.size;
      })).toBeGreaterThan(5);
    }
    await expect(page.locator("#invited")).toHaveText("You play White, against a beginner.");
    for (const id of ["play", "player0", "player1", "invited"]) await expect(page.locator(`#${id}`)).toBeVisible();
    const [play] = await boxes(page, "#play");
    expect(play.bottom, `Play is in the window of ${width} px`).toBeLessThanOrEqual(height);
  }
  await page.click("#others [data-game=squirrels]");
  await expect(page.locator("#invitation")).toHaveText("Squirrels");
  await expect(page.locator("#invited")).toHaveText("You play Red, against a beginner.");
});

for (const game of GAMES) test(`${game}: the person's camp is at the bottom, whichever side it is`, async ({ site, page }) => {
  for (const side of [0, 1]) {
    await site.fresh(`?game=${game}`);
    await site.sit(side);
    const names = await sides(page), [top, bottom] = await boxes(page, ".player");
    await expect(page.locator("#bottom")).toContainText(names[side]);
    await expect(page.locator("#bottom")).toContainText("you");
    expect(top.y).toBeLessThan(bottom.y);
    // Squirrels has no camps.
    if (game !== "squirrels") expect(middle(await pieces(page, names[side])), `${names[side]} below`).toBeGreaterThan(middle(await pieces(page, names[1 - side])));
    await site.press("flip");
    await expect(page.locator("#bottom")).toContainText(names[1 - side]);
    if (game !== "squirrels") expect(middle(await pieces(page, names[side])), `${names[side]} above`).toBeLessThan(middle(await pieces(page, names[1 - side])));
  }
});

test("no default seat is proven lost, and Wolves says nothing of its start before the proof has come", async ({ site, page }) => {
  for (const game of ["wolves", "foxgeese"]) {
    await site.fresh(`?game=${game}`, false);
    const known = await page.evaluate(() => import("./state.js").then(async ({ desk, state }) => {
      await desk.know();
      const { expected } = await desk.ask("truth", [state.tree.root.input, state.tree.rules]);
      return state.tree.root.seen.side === state.players.indexOf("you") ? expected : 1 - expected;
    }));
    expect(known, game).toBe(1);
  }
  // The stored results come late.
  await page.route("**/*.bin", async route => { await new Promise(done => setTimeout(done, 2500)); await route.continue(); });
  await site.fresh("?game=wolves");
  await site.chances();
  const told = new Set();
  await site.turn();
  for (let at = 0; at < 60 && !/%/.test([...told].join()); at++) {
    told.add(await page.locator("#odds").textContent());
    await page.waitForTimeout(100);
  }
  expect([...told].at(-1)).toMatch(/^winning chances: Wolves (0|50|100) %, Sheep (0|50|100) %, proven$/);
  expect([...told].slice(0, -1).join()).not.toContain("%");
});

test("hints say what a move does, without scores, and the sides have names", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.sit(0);
  await expect(page.locator("#say")).toContainText("Your turn: you play the foxes.");
  const said = async (text, side) => {
    await site.load(text);
    await site.press("hint");
    await site.until(() => !document.querySelector("[data-do=hint]").disabled);
    const words = await page.locator("#hint").innerText();
    expect(words).not.toMatch(/-\d{2,}|\b(FOX|SHEEP|X|O)\b/);
    return words;
  };
  expect(await said("SINGLE\nFOX\n10\n##...##\n##.F.##\n...S...\nSS..S.S\nSSSFSSS\n##SSS##\n##SSS##\n")).toMatch(/Takes (one|two|three) sheep/);
  await site.fresh("?game=squirrels");
  await expect(page.locator("#say")).toContainText("Your turn: you play Red.");
  await site.turn();
  const names = await page.locator("#grid .cell").evaluateAll(cells => cells.map(cell => cell.ariaLabel).join());
  expect(names).toMatch(/Red/);
  expect(names).not.toMatch(/: [XO]\b/);
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText(/[Gg]ains \d+|gains \w+ points?/);
  // The words for other moves, by what the worker tells of them.
  const words = await page.evaluate(() => import("./view.js").then(({ effect }) => {
    const info = { sides: ["Foxes", "Sheep"], words: ["FOX", "SHEEP"] }, none = { over: null, taken: 0, turned: 0, risk: 0, riskBefore: 0, isHunted: false, turns: false, measure: null };
    return [[{ isHunted: true }, 1], [{ isHunted: true, riskBefore: 2 }, 1], [{ isHunted: true, risk: 1 }, 1], [{ taken: 2 }, 0], [{ over: { winner: 1, why: "FOX repeats a board" } }, 0], [{}, 0]].map(([told, side]) => effect(info, { ...none, ...told }, side));
  }));
  expect(words).toEqual(["No sheep can be taken after it.", "Saves two sheep.", "Lets the foxes take one sheep.", "Takes two sheep.", "Ends the game: sheep win, Foxes repeats a board.", ""]);
});

test("the banner's analysis keeps who the visitor was, and lessons teach the visitor's moves alone", async ({ site, page }) => {
  test.slow();
  await site.fresh("?game=foxgame");
  await site.sit(1);
  await site.load(input("foxgame/middle-60"));
  await site.game(at => site.click(at), 160);
  await expect(page.locator("#banner")).toBeVisible();
  const result = await page.locator("#result").textContent(), players = [await site.text("top"), await site.text("bottom")];
  await page.evaluate(() => { const e = document.getElementById("effort"); e.options[0].value = 3000; e.value = 3000; });
  await page.click("[data-do=review]");
  await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
  expect(await page.locator("#result").textContent()).toBe(result);
  expect([await site.text("top"), await site.text("bottom")]).toEqual(players);
  expect(await page.evaluate(() => import("./state.js").then(({ state }) => state.players))).toEqual(["beginner", "you"]);
  const taught = await page.evaluate(async () => {
    const { state } = await import("./state.js"), { learn } = await import("./study.js");
    // Every move is marked, so that there is something to learn of both sides.
    state.tree.line().forEach(one => { if (one.study) one.study.mark ??= "inaccuracy"; });
    learn();
    return [state.lesson.one, ...state.lesson.left].map(one => one.side);
  });
  expect(new Set(taught)).toEqual(new Set([1]));
  await expect(page.locator("#lesson")).toContainText("you played");
  await site.until(() => document.querySelectorAll("#grid .mover").length > 0);
  expect(await page.evaluate(() => import("./state.js").then(({ state }) => state.players))).toEqual(["beginner", "you"]);
});

test("an accuracy of 100 % and marked moves exclude each other", async ({ site, page }) => {
  test.slow();
  await site.fresh("?game=squirrels");
  await site.players("you", "you");
  for (let ply = 0; ply < 25; ply++) {
    const outputs = await page.evaluate(() => import("./state.js").then(({ state }) => state.tree.at.seen.moves.map(move => move.output)));
    await page.evaluate(output => import("./flow.js").then(({ play }) => play(output, 0)), outputs[ply * 5 % outputs.length]);
    await site.until(ply => import("./state.js").then(({ state }) => state.tree.at.ply === ply + 1 && (state.tree.at.seen || state.tree.at.over)), ply);
  }
  await site.tab("study");
  await page.evaluate(() => { const e = document.getElementById("effort"); e.options[0].value = 20000; e.value = 20000; });
  await site.press("study");
  await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
  const told = await page.locator("#accuracy div").allTextContents();
  expect(told).toHaveLength(2);
  for (const words of told) if (!/ 0 \?! 0 \? 0 \?\?$/.test(words)) expect(words).not.toContain("100 %");
  expect(told.join()).toMatch(/points? given away/);
});

test("live analysis says no chance that it has not searched", async ({ site, page }) => {
  // The foxes have one move, and so has the side after many of these moves: a search of a single move says nothing.
  await site.fresh("?game=foxgeese");
  await site.players("you", "you");
  await site.load("SINGLE\nFOXES\n10\nMOVES 9\n    - - -\n    - - -\n- - X a - - -\n- Y b - - - -\nc - - d e f g\n    h i j\n    k l -\n");
  await site.tab("study");
  await site.press("live");
  await expect(page.locator("#lines li").first()).toBeVisible();
  for (const words of await page.locator("#lines b").allTextContents()) expect(words).not.toBe("50 %");
});

test("lines of live analysis are arrows, the bar stands beside the board, and threat beside hint", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.tab("study");
  await site.press("live");
  for (const rank of [0, 1, 2]) {
    await expect(page.locator(`#board .line${rank} .head`).first()).toBeVisible();
    // Both in one step: the board is drawn anew with each round of the analysis.
    const [board, arrow] = await boxes(page, `#board, #board .line${rank}`);
    const isInside = arrow.left >= board.left && arrow.right <= board.right && arrow.top >= board.top && arrow.bottom <= board.bottom;
    expect(arrow.width + arrow.height > 20 && isInside, JSON.stringify([rank, arrow, board])).toBe(true);
  }
  const moves = await page.evaluate(() => import("./state.js").then(({ state }) => state.live.slice(0, 3).map(({ moves }) => moves[0].text)));
  expect(new Set(moves).size).toBe(3);
  await site.press("live");
  await expect(page.locator("#board .line0")).toHaveCount(0);
  await site.chances();
  const [hint] = await boxes(page, "[data-do=hint]"), [threat] = await boxes(page, "[data-do=threat]");
  expect(Math.abs(threat.y - hint.y) < 2 && threat.left - hint.right < 12 && threat.left >= hint.right).toBe(true);
  for (const [width, height] of [[1280, 800], [1920, 1080], [780, 360]]) {
    await page.setViewportSize({ width, height });
    const [board] = await boxes(page, "#board"), [bar] = await boxes(page, "#bar"), [panels] = await boxes(page, "#head");
    expect(bar.left - board.right >= 0 && bar.right <= panels.left && bar.height > 0.95 * board.height && bar.width < 14, `${width}: the bar is beside the board`).toBe(true);
    expect(Math.max(Math.abs(board.left - board.top), Math.abs(board.top - (height - board.bottom))), `${width}: the margins of the board are equal`).toBeLessThan(1.5);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const [board] = await boxes(page, "#board"), [bar] = await boxes(page, "#bar");
  expect(bar.top >= board.bottom && bar.width > 300 && bar.height < 14).toBe(true);
});

test("the bar shows each side's part on its side of the board", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.chances();
  await site.turn();
  await expect(page.locator("#odds")).toContainText("%");
  const share = await page.evaluate(() => Number(document.getElementById("bar").getAttribute("aria-valuenow")) / 100);
  const part = async () => { const [bar] = await boxes(page, "#bar"), [fill] = await boxes(page, "#fill"); return [fill.height / bar.height, fill.top - bar.top < 2]; };
  // Foxes are above, so their part of the bar is.
  await expect.poll(async () => Math.abs((await part())[0] - share)).toBeLessThan(0.04);
  expect((await part())[1]).toBe(true);
  await site.press("flip");
  await expect.poll(async () => (await part())[1]).toBe(false);
});

for (const game of GAMES) test(`${game} loads at most 300 kB before the first move, and then what it has stored`, async ({ site, page, server }) => {
  server.sent.bytes = 0;
  await site.fresh(`?game=${game}`);
  await expect(page.locator("#grid .mover").first()).toBeVisible();
  await page.waitForTimeout(1500);
  const ready = await page.evaluate(() => Math.round(performance.getEntriesByName("ready")[0].startTime));
  console.log(`${game}: ${server.sent.bytes} bytes before the first move; ready after ${ready} ms`);
  expect(server.sent.bytes).toBeLessThanOrEqual(300_000);
  await site.turn();
  // The service worker fetches all files.
  await expect.poll(() => server.asked.some(path => path.includes("foxgeese.wasm.gz")) && server.sent.bytes > 3_000_000).toBe(true);
});

for (const game of GAMES) test(`the rules of ${game} say how it is played before they speak of files`, async ({ site, page }) => {
  await page.goto(site.address.replace("index.html", `rules/${game}.html`));
  const shown = await page.locator("#rules-text").innerText();
  expect(shown).not.toMatch(/input\.txt|output\.txt|TCP|CPU|monitor|program\b|university/);
  expect(shown).toMatch(/Winning|win /);
  await page.click("summary");
  await expect(page.getByText("input.txt").first()).toBeVisible();
});

for (const [width, height, colorScheme] of [[1280, 800, "light"], [360, 740, "dark"]])
  test(`a press that can be no move says so at ${width} px, and a press on the board begins the first game`, async ({ site, page }) => {
    if (width === 360) await slowed(page);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // The wolves move first: the sheep that is pressed cannot.
    await site.fresh("?game=wolves", false);
    await site.click("2,0");
    await site.settled();
    expect([await site.mode(), await site.plies()]).toEqual(["play", 1]);
    const before = await page.locator("#say").textContent();
    await site.click("2,0");
    await expect(page.locator("#say")).toHaveText(/: Sheep\. No move begins there: press a marked square\.$/);
    await expect(page.locator("#grid .mover").first()).toHaveCSS("box-shadow", /inset/);
    expect(await violations(page)).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `missed-${width}.png`) });
    const [mover] = await site.cells("mover");
    await site.click(mover);
    await expect(page.locator("#say")).toHaveText(/where to\?$/);
    await expect(page.locator("#grid")).not.toHaveClass(/missed/);
    // The same piece again is no mistake, and another square is one.
    await site.click(mover);
    await expect(page.locator("#say")).toHaveText(before);
    await site.click(mover);
    await site.click("2,0");
    await expect(page.locator("#say")).toHaveText(/The piece cannot go there: press a marked square\.$/);
    await site.turn();
    await expect(page.locator("#grid")).not.toHaveClass(/missed/);
  });
