// What the page looks like at every size, who can use it, how fast it is, and what it does without a network.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { GAMES, SITE, expect, test, violations } from "./site.mjs";

const SIZES = { wide: [1440, 900], middle: [1024, 768], upright: [768, 1024], phone: [360, 740], landscape: [740, 360], zoomed: [720, 450], small: [512, 384] };
const pictures = process.env.PICTURES;

for (const game of GAMES) {
  for (const dark of [false, true]) {
    test(`${game} fits every window${dark ? " in the dark" : ""}`, async ({ site, page }) => {
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await site.fresh(`?game=${game}`);
      await site.turn();
      for (const [name, [width, height]] of Object.entries(SIZES)) {
        await page.setViewportSize({ width, height });
        const seen = await page.evaluate(() => {
          const frame = document.getElementById("frame").getBoundingClientRect(), cell = document.querySelector("#grid .cell").getBoundingClientRect();
          const cut = [...document.querySelectorAll("button, select, .player, label")].filter(one => {
            const box = one.getBoundingClientRect();
            return one.offsetParent && !one.closest("#moves") && (box.right > innerWidth + 1 || box.left < -1 || one.scrollWidth > one.clientWidth + 1);
          }).map(one => one.textContent);
          return { over: document.documentElement.scrollWidth - innerWidth, cut, frame: [frame.width, frame.height], cell: cell.width };
        });
        expect(seen.over, `${name}: nothing is wider than the page`).toBeLessThanOrEqual(0);
        expect(seen.cut, `${name}: no control is cut off`).toEqual([]);
        expect(seen.frame[0], `${name}: the board is not wider than the window`).toBeLessThanOrEqual(width);
        expect(seen.frame[1], `${name}: the board is not higher than the window`).toBeLessThanOrEqual(height);
        if (name === "wide") expect(seen.frame[0] * seen.frame[1] / width / height).toBeGreaterThanOrEqual(0.45);
        if (name === "phone") expect(seen.cell).toBeGreaterThanOrEqual(20.5);
        if (pictures) await page.screenshot({ path: join(pictures, `${game}-${name}${dark ? "-dark" : ""}.png`) });
      }
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(back.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 380).toBe(!dark);
    });
  }
}

for (const game of ["halma", "foxgeese", "squirrels"]) {
  test(`axe-core finds nothing in ${game}`, async ({ site, page }) => {
    test.slow();
    for (const [width, height, colorScheme] of [[1280, 900, "light"], [360, 740, "dark"]]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await site.fresh(`?game=${game}`, false);
      await page.evaluate(() => { document.getElementById("choices").open = true; });
      expect(await violations(page)).toEqual([]);
      await page.click("#play");
      await site.settled();
      await site.turn();
      await site.press("hint");
      await site.until(() => !document.querySelector("[data-do=hint]").disabled);
      for (const tab of ["moves", "study", "tools", "setup"]) {
        await site.tab(tab);
        if (tab === "setup") await site.press("setup");
        expect(await violations(page), tab).toEqual([]);
      }
    }
  });
}

test.describe("by touch", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });
  test("games are played at 360 px", async ({ site }) => {
    await site.fresh("?game=wolves");
    await site.game(at => site.touch(at), 12);
    expect(await site.over() || await site.plies() >= 12).toBe(true);
  });
  test("a lens shows the small cells of Halma under a finger", async ({ site, page }) => {
    await site.fresh("?game=halma");
    const at = (await site.cells("mover"))[0], box = await site.box(at);
    const session = await page.context().newCDPSession(page);
    const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]);
    await expect(page.locator("#lens")).toBeVisible();
    await touch("touchEnd", []);
    await expect(page.locator("#lens")).toHaveCount(0);
    expect(await site.cells("chosen")).toEqual([at]);
  });
  // A piece on 15,11 can jump to 13,9, and on to 11,7.
  const CHAIN = "SINGLE\nWHITE\n10\nBBBBB...........\nBBBBB...........\nBBBB............\nBBB.............\nBB..............\n................\n................\n................\n\
............W...\n................\n..............W.\n..............WW\n.............WWW\n............WWWW\n...........WW.WW\n...........WWW.W\n";
  for (const busy of [0, 600]) test(`a tap counts once on a page that is busy for ${busy} ms`, async ({ site, page }) => {
    await site.fresh("?game=halma");
    await site.players("you", "you");
    await site.load(CHAIN);
    const session = await page.context().newCDPSession(page), clicks = [];
    await page.exposeFunction("clicked", at => { clicks.push(at); });
    await page.evaluate(busy => {
      // Each event of a pointer takes the page that long, the click's own as well.
      for (const kind of ["pointerdown", "pointerup"]) document.addEventListener(kind, () => { const end = performance.now() + busy; while (performance.now() < end); });
      document.addEventListener("click", ({ target }) => clicked(target.dataset.at));
    }, busy);
    const tap = async at => {
      const box = await site.box(at), touches = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
      for (const [type, touchPoints] of [["touchStart", touches], ["touchEnd", []]]) await session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    for (const [at, chosen] of [["15,11", ["15,11"]], ["13,9", ["15,11", "13,9"]]]) {
      const before = clicks.length;
      await tap(at);
      await expect.poll(() => clicks.length).toBe(before + 1);
      expect((await site.cells("chosen")).sort()).toEqual(chosen.sort());
      expect(await site.plies()).toBe(0);
    }
    // A second tap of the same place ends the chain there.
    await tap("13,9");
    await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 1));
    expect(await page.evaluate(() => import("./state.js").then(({ state }) => state.tree.at.text))).toBe("15,11-13,9");
    // A click of no finger counts.
    await page.evaluate(() => document.querySelector("#grid .mover").click());
    await expect(page.locator("#grid .chosen")).toHaveCount(1);
  });
});

for (const game of GAMES) {
  // Printed, since a busy machine is slow: what blocked the page for longer than 50 ms while it was opened, played on, and asked for help.
  test(`${game} answers while it thinks`, async ({ site, page }) => {
    await page.addInitScript(() => {
      window.tasks = [];
      new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask", buffered: true });
    });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await site.fresh(`?game=${game}`);
    for (let turn = 0; turn < 3; turn++) await site.turn();
    await site.press("hint");
    await site.until(() => !document.querySelector("[data-do=hint]").disabled);
    await site.tab("study");
    await page.evaluate(() => { document.getElementById("effort").options[0].selected = true; });
    await site.press("study");
    await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
    await site.press("live");
    await expect(page.locator("#lines li")).not.toHaveCount(0);
    await site.press("live");
    await site.tab("setup");
    await site.press("setup");
    await site.press("setup-clear");
    await site.press("setup");
    // A button that was pressed while the editor closes does nothing.
    await page.evaluate(() => document.querySelector("[data-do=setup-clear]").click());
    console.log(`${game}: tasks longer than 50 ms: ${await page.evaluate(() => tasks.join(", ")) || "none"}`);
  });
}

test("the page is small", async () => {
  const files = readdirSync(SITE, { withFileTypes: true }).filter(file => file.isFile() && /\.(html|js|css)$/.test(file.name)).map(file => file.name);
  const own = files.filter(name => !GAMES.includes(name.replace(".js", "")));
  const size = own.reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(SITE, name))).length, 0);
  console.log(`the page has ${size} bytes by brotli`);
  expect(size).toBeLessThanOrEqual(60_000);
});

test("without a network every game plays, and what it has stored is there", async ({ site, page, server }) => {
  await site.fresh();
  await site.turn();
  await page.evaluate(() => navigator.serviceWorker.ready.then(ready => ready.active.state));
  await site.until(() => navigator.serviceWorker.controller !== null);
  server.server.closeAllConnections();
  await new Promise(done => server.server.close(done));
  for (const game of GAMES) {
    await site.fresh(`?game=${game}`);
    await site.turn();
    expect(await site.plies()).toBeGreaterThan(0);
  }
  await site.fresh("?game=foxgeese");
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText("proven");
});

test("print has the board and the moves, and no controls", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.turn();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("#board svg")).toBeVisible();
  await expect(page.locator("#moves")).toBeVisible();
  expect(await page.locator("button:visible").evaluateAll(buttons => buttons.filter(button => !button.closest("#moves")).map(button => button.textContent))).toEqual([]);
});
