// What a visitor does with a mouse or a finger alone: studies, arrows, undo, Halma to its end on a telephone; and Halma's levels.
import { join } from "node:path";
import { expect, test, violations } from "./site.mjs";

// White needs a few moves with its last piece, Black many with two.
const LATE = "SINGLE\nWHITE\n10\nWWWWW...........\nWWWWW...........\nWWW.............\nWWW.............\nWW..............\n................\n......W.........\n................\n......B.........\n.......B........\n................\n...............B\n.............BBB\n............BBBB\n...........BBBBB\n............BBBB\n";
// What a level would play in the position shown, as its path.
const advice = (site, name, seed) => site.page.evaluate(async ([name, seed]) => {
  const { desk, state } = await import("./state.js"), { at, rules } = state.tree;
  const { output } = await desk.ask("choose", [at.input, rules, { name, seed, ply: at.ply, request: {} }]);
  return at.seen.moves.find(move => move.output === output).path.map(String);
}, [name, seed]);

test("by mouse: an arrow, a step undone, a move, a study of it, and back", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.settled();
  await site.drag("1,1", "1,3", "right");
  await expect(page.locator("#board .own .head")).toHaveCount(1);
  const mover = (await site.cells("mover"))[0];
  await site.cell(mover).click();
  await expect(page.locator("#grid .chosen")).toHaveCount(1);
  await page.click("[data-do=back]");
  await expect(page.locator("#grid .chosen")).toHaveCount(0);
  await site.cell(mover).click();
  await site.cell((await site.cells("step"))[0]).click();
  await expect.poll(() => site.plies()).toBeGreaterThanOrEqual(3);
  await site.settled();
  await page.click("#tab-study");
  await page.selectOption("#effort", "10000");
  await page.click("#study-button");
  await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
  await expect(page.locator("#plot")).toBeVisible();
  const plot = await page.locator("#plot").boundingBox();
  await page.mouse.click(plot.x + 12, plot.y + plot.height / 2);
  await expect.poll(() => site.plies()).toBeLessThan(3);
  expect(await violations(page)).toEqual([]);
  await page.click("#tab-moves");
  await page.click("[data-do=last]");
  await expect.poll(() => site.plies()).toBeGreaterThanOrEqual(3);
  await page.click("[data-do=back]");
  await site.settled();
  // Back is the visitor's own turn; the moves after it are a variation, and the arrow of that position is there.
  expect(await site.plies()).toBe(1);
  await expect(page.locator("#moves .other")).toHaveCount(1);
  await expect(page.locator("#board .own .head")).toHaveCount(1);
});

test.describe("on a telephone", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 640 } });
  test("Halma is played to its end by taps", async ({ site, page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: "dark" });
    await site.fresh("?game=halma");
    await site.players("beginner", "you");
    await site.load(LATE);
    for (let turn = 0; turn < 20 && !await site.over(); turn++) {
      const path = await advice(site, "club", turn), before = await site.plies();
      for (const at of path) await site.touch(at);
      if ((await site.cells("chosen")).length) await site.touch(path.at(-1));
      await expect.poll(() => site.plies()).toBeGreaterThan(before);
      await site.settled();
    }
    await expect(page.locator("#result")).toHaveText("You win!");
    await page.locator("#banner").scrollIntoViewIfNeeded();
    await expect(page.locator("[data-do=rematch]")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violations(page)).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, "halma-end-360.png") });
  });
});

test("Halma's levels err less and less: what a move leaves of the way, in the mean of equal seeds", async ({ site, page }) => {
  test.slow();
  await site.fresh("?game=halma");
  await site.players("you", "you");
  await site.load(LATE);
  const left = await page.evaluate(async () => {
    const { desk, state } = await import("./state.js"), { at, rules } = state.tree, means = [];
    for (const name of ["beginner", "casual", "club"]) {
      let sum = 0;
      for (let seed = 0; seed < 12; seed++) {
        const { output } = await desk.ask("choose", [at.input, rules, { name, seed, ply: 7 * seed, request: {} }]);
        const { input } = await desk.ask("play", [at.input, rules, output]);
        sum += (await desk.ask("look", [input, rules])).measures[1].number;
      }
      means.push(sum / 12);
    }
    return means;
  });
  console.log(`distance left after a move: beginner ${left[0]}, casual ${left[1]}, club ${left[2]}`);
  expect(left[0]).toBeGreaterThan(left[1]);
  expect(left[1]).toBeGreaterThanOrEqual(left[2]);
});
