// Puzzles: the only move is taken, others are refuted and may be tried again, the streak is kept; keys, windows, axe, and no network.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GAMES, SITE, expect, test, violations } from "./site.mjs";

const pictures = process.env.PICTURES;
const files = Object.fromEntries(GAMES.map(game => [game, JSON.parse(readFileSync(join(SITE, "puzzles", `${game}.json`), "utf8"))]));

class Puzzles {
  constructor(page, server) { Object.assign(this, { page, address: server.address.replace("index.html", "puzzles.html") }); }

  async open(game, number = 1, query = `?game=${game}#${number}`) {
    Object.assign(this, { game, number });
    await this.page.goto("about:blank");
    await this.page.goto(this.address + query);
    await this.page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  }
  puzzle() { return files[this.game].puzzles[this.number - 1]; }
  say() { return this.page.locator("#say"); }
  stored() { return this.page.evaluate(() => JSON.parse(localStorage.getItem("menagerie.puzzles"))); }

  // The paths of the moves of a step of this puzzle, by their outputs.
  moves(step) {
    return this.page.evaluate(async ([input, rules, steps]) => {
      const { desk } = await import("./state.js");
      for (const { move, reply } of steps) for (const output of [move, reply]) ({ input } = await desk.ask("play", [input, rules, output]));
      return (await desk.ask("look", [input, rules])).moves;
    }, [this.puzzle().input, files[this.game].rules, this.puzzle().steps.slice(0, step)]);
  }

  // Presses a move's places; the last once more where the move could go on.
  async press(path, press) {
    for (const place of path) await press(place.join(","));
    const waits = await this.page.evaluate(() => import("./state.js").then(({ grid }) => grid.chain.complete()));
    if (waits) await press(path.at(-1).join(","));
  }
  async click(at) { await this.page.locator(`#grid [data-at="${at}"]`).click({ force: true }); }
  async key(at) {
    await this.page.locator(`#grid [data-at="${at}"]`).focus();
    await this.page.keyboard.press("Enter");
  }

  async solve(press = at => this.click(at)) {
    for (const [at, { move }] of this.puzzle().steps.entries()) {
      const moves = await this.moves(at);
      await expect(this.page.locator("#grid .mover").first()).toBeVisible();
      await this.press(moves.find(({ output }) => output === move).path, press);
      if (at + 1 < this.puzzle().steps.length) await expect(this.say()).toContainText("Right. And now?");
    }
    await expect(this.say()).toContainText("Solved");
  }
  // Plays a wrong move.
  async err(press = at => this.click(at)) {
    const { move } = this.puzzle().steps[0];
    const wrong = (await this.moves(0)).find(({ output, path }) => output !== move && path.length < 3);
    await this.press(wrong.path, press);
    await expect(this.page.locator("#again")).toBeVisible();
    return wrong;
  }
}

for (const game of GAMES) {
  test(`the puzzles of ${game}: a wrong move is refuted, the right one solves`, async ({ page, server, site }) => {
    const puzzles = new Puzzles(page, server);
    await puzzles.open(game, 30);
    await expect(page.locator("#list button")).toHaveCount(30);
    await expect(page.locator("#top")).toContainText("puzzle 30 of 30, hard");
    const wrong = await puzzles.err();
    await expect(puzzles.say()).toContainText(wrong.text);
    await expect(puzzles.say()).toHaveText(/The answer .* (wins|has won|holds)|loses at once/);
    await page.click("#again");
    await puzzles.solve();
    await expect(puzzles.say()).toContainText("Solved.");
    expect(await puzzles.stored()).toMatchObject({ streak: 0, best: 0, solved: { [`${game} ${files[game].seed}`]: [29] } });
    expect(site.page).toBe(page);
  });
}

test("the streak counts puzzles solved at the first try, and is kept", async ({ page, server, site }) => {
  const puzzles = new Puzzles(page, server);
  for (const number of [1, 2]) {
    await puzzles.open("wolves", number);
    await puzzles.solve();
    await expect(puzzles.say()).toContainText(`Solved at the first try: ${number} in a row.`);
  }
  // A puzzle that was solved counts no second time, and costs no streak.
  await puzzles.open("wolves", 2);
  await puzzles.err();
  await page.click("#again");
  await puzzles.solve();
  expect(await puzzles.stored()).toMatchObject({ streak: 2, best: 2 });
  // Without a number the first puzzle that is not solved is shown.
  await puzzles.open("wolves", 3, "?game=wolves");
  await expect(page.locator("#top")).toContainText("puzzle 3 of 30, easy");
  await expect(page.locator("#streak")).toHaveText("2 of 30 solved; streak: 2 at the first try, longest 2");
  await page.click("#solution");
  await expect(puzzles.say()).toContainText("The solution: ");
  expect(await puzzles.stored()).toMatchObject({ streak: 0, best: 2 });
  await page.click("#next");
  await expect(page.locator("#top")).toContainText("puzzle 4 of 30");
  expect(site.page).toBe(page);
});

test("a theme keeps to its puzzles, and a solved puzzle names its own", async ({ page, server, site }) => {
  const puzzles = new Puzzles(page, server);
  await puzzles.open("wolves");
  const having = theme => files.wolves.puzzles.flatMap(({ themes }, at) => themes.includes(theme) ? [at + 1] : []);
  const numbers = having("capture");
  expect(numbers.length).toBeGreaterThan(1);
  await page.selectOption("#theme", "capture");
  await expect(page.locator("#theme option:checked")).toHaveText(`capture (${numbers.length})`);
  expect(await page.locator("#list button").allTextContents()).toEqual(numbers.map(String));
  await expect(page.locator("#top")).toContainText(`puzzle ${numbers[0]} of 30`);
  puzzles.number = numbers[0];
  await puzzles.solve();
  await expect(puzzles.say()).toContainText(/Theme: .*capture/);
  await page.click("#next");
  await expect(page.locator("#top")).toContainText(`puzzle ${numbers[1]} of 30`);
  await page.selectOption("#theme", "");
  await expect(page.locator("#list button")).toHaveCount(30);
  expect(site.page).toBe(page);
});

test("a puzzle is solved by keys alone", async ({ page, server, site }) => {
  const puzzles = new Puzzles(page, server);
  await puzzles.open("foxgeese", 3);
  await puzzles.err(at => puzzles.key(at));
  await expect(page.locator("#again")).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.locator("#grid :focus")).toHaveCount(1);
  await puzzles.solve(at => puzzles.key(at));
  await expect(page.locator("#next")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#top")).toContainText("puzzle 4 of 30");
  expect(site.page).toBe(page);
});

test("the page of a game leads to its puzzles, and damaged progress is forgotten", async ({ page, server, site }) => {
  // What the page asks for, without its service worker, which may begin to fetch all files meanwhile.
  const asked = [];
  page.on("request", request => asked.push(request.url()));
  await site.open("?game=squirrels", false);
  expect(asked).toContain(server.address + "?game=squirrels");
  expect(asked.filter(url => url.includes("puzzles"))).toEqual([]);
  await page.evaluate(() => localStorage.setItem("menagerie.puzzles", '{"streak":"many"}'));
  await page.click("#puzzles-page");
  await expect(page.locator("#top")).toContainText("puzzle 1 of 30");
  await expect(page.locator("#streak")).toContainText("streak: 0");
  await page.click("#game-page");
  await expect(page.locator("#title")).toHaveText("Squirrels");
});

test("the puzzles and the rules fit every window, and axe-core finds nothing", async ({ page, server, site }) => {
  test.slow();
  const puzzles = new Puzzles(page, server);
  for (const colorScheme of ["light", "dark"]) for (const [width, height] of [[1440, 900], [768, 1024], [360, 740], [740, 360], [512, 384]]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // axe-core finds faults of colours and of narrow windows: each scheme once, in the widest and the narrowest window.
    const audited = ["1440 light", "360 dark"].includes(`${width} ${colorScheme}`);
    const sound = async where => { if (audited) expect(await violations(page), where).toEqual([]); };
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    for (const game of pictures ? GAMES : ["halma", "wolves"]) {
      await puzzles.open(game, 12);
      expect(await wide(), `${game} at ${width}`).toBeLessThanOrEqual(0);
      await puzzles.err();
      const cut = await page.locator("button:visible").evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent));
      expect(cut, `${game} at ${width}: no button is cut off`).toEqual([]);
      await sound(`${game} at ${width}`);
      if (pictures) await page.screenshot({ path: join(pictures, `puzzles-${game}-${width}-${colorScheme}.png`) });
      await page.goto(server.address.replace("index.html", `rules/${game}.html`));
      expect(await wide(), `rules of ${game} at ${width}`).toBeLessThanOrEqual(0);
      await page.locator("figure button").first().click();
      await expect(page.locator("figure .said").first()).toContainText("turn.");
      await sound(`rules of ${game} at ${width}`);
      if (pictures) await page.screenshot({ path: join(pictures, `rules-${game}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  expect(site.page).toBe(page);
});

for (const game of GAMES) {
  test(`the boards in the rules of ${game} can be played on`, async ({ page, server, site }) => {
    await site.open(`?game=${game}`, false);
    await expect(page.locator("#rules-page")).toHaveAttribute("href", `rules/${game}.html`);
    await page.goto(server.address.replace("index.html", `rules/${game}.html`));
    // What is for programs is closed at first.
    await expect(page.locator("summary h2")).toHaveText("For programs");
    await page.click("summary");
    const figures = page.locator("figure[data-input]"), number = await figures.count();
    expect(number).toBeGreaterThan(1);
    await expect(page.locator("figure svg")).toHaveCount(number + 2);
    for (let at = 0; at < number; at++) {
      const figure = figures.nth(at), before = await figure.locator(".pieces").innerHTML();
      await figure.getByRole("button").click();
      await expect(figure.locator(".said")).toContainText("turn.");
      await figure.locator(".mover").first().click({ force: true });
      for (let step = 0; step < 9 && !(await figure.locator(".said").textContent()).includes("played"); step++) {
        const again = (await figure.locator(".said").textContent()).includes("again");
        const target = again ? figure.locator(".chosen").last() : figure.locator(".step").first();
        if (await target.count()) await target.click({ force: true }); else await page.waitForTimeout(50);
      }
      await expect(figure.locator(".said")).toContainText("played");
      expect(await figure.locator(".pieces").innerHTML()).not.toBe(before);
      await figure.getByRole("button").click();
      await expect.poll(() => figure.locator(".pieces").innerHTML()).toBe(before);
    }
  });
}

test("puzzles and rules work without a network", async ({ page, server, site }) => {
  await site.fresh();
  await site.turn();
  await page.evaluate(() => navigator.serviceWorker.ready.then(ready => ready.active.state));
  await site.until(() => navigator.serviceWorker.controller !== null);
  server.server.closeAllConnections();
  await new Promise(done => server.server.close(done));
  const puzzles = new Puzzles(page, server);
  await puzzles.open("squirrels", 2);
  await puzzles.solve();
  await page.goto(server.address.replace("index.html", "rules/squirrels.html"));
  await page.locator("figure button").first().click();
  await expect(page.locator("figure .said").first()).toContainText("Red's turn");
});
