// First steps: tasks before a first game, for mouse, keyboard and screen reader; kept as done; skipped by one click.
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { GAMES, SITE, Site, expect, test, violations } from "./site.mjs";

const TASKS = JSON.parse(readFileSync(join(SITE, "tasks.json"), "utf8"));
const open = async (page, server, game) => {
  await page.goto(server.address.replace("index.html", `tasks.html?game=${game}`));
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
};
// The legal moves of the task shown, each with its path and whether it meets the goal.
const moves = page => page.evaluate(async () => {
  const { grid } = await import("./state.js"), { judged } = await import("./tasks.js"), all = [];
  for (const { output, path } of grid.chain.moves) all.push({ path: path.map(String), right: await judged(output) });
  return all;
});

test("every game has three to five tasks, each with a right move, and but for forced ones with wrong ones", async ({ page, server }) => {
  expect(Object.keys(TASKS).sort()).toEqual([...GAMES].sort());
  for (const game of GAMES) {
    expect(TASKS[game].length, game).toBeGreaterThanOrEqual(3);
    expect(TASKS[game].length, game).toBeLessThanOrEqual(5);
    await open(page, server, game);
    for (const [number] of TASKS[game].entries()) {
      await page.locator("#tasks button").nth(number).click();
      await expect(page.locator("#top")).toContainText(`task ${number + 1} of`);
      const all = await moves(page), right = all.filter(move => move.right).length;
      console.log(`${game}, task ${number + 1}: ${right} of ${all.length} moves are right`);
      expect(right, `${game} ${number + 1}`).toBeGreaterThan(0);
      if (all.length > 1) expect(right, `${game} ${number + 1}`).toBeLessThan(all.length);
    }
  }
});

for (const [width, height, colorScheme, way] of [[1280, 800, "light", "click"], [360, 740, "dark", "key"]])
  test(`the tasks of each game are done by ${way} at ${width} px, told, kept, and lead to the game`, async ({ page, server }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const site = new Site(page, server.address);
    for (const game of GAMES) {
      await site.open(`?game=${game}`, false);
      await expect(page.locator("#tasks-page")).toHaveText("first steps, a minute");
      if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `welcome-${game}-${width}.png`) });
      await page.click("#tasks-page");
      await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
      for (const [number, { say }] of TASKS[game].entries()) {
        await expect(page.locator("#say")).toHaveText(say);
        const all = await moves(page), { path } = all.find(move => move.right), wrong = all.find(move => !move.right && move.path.length);
        if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `tasks-${game}-${number + 1}-${width}.png`) });
        if (number === 1) expect(await violations(page), game).toEqual([]);
        if (way === "key" && number > 0) expect(await page.evaluate(() => document.activeElement.ariaLabel)).toContain(game === "squirrels" ? "empty" : "can move");
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        const press = async path => {
          for (const at of path) {
            if (way === "click") await site.click(at); else await site.key(at);
          }
          // A move that could go on is ended by its last square.
          if ((await site.cells("chosen")).length) await site[way](path.at(-1));
        };
        if (wrong && number === 0) {
          await press(wrong.path);
          await expect(page.locator("#say")).toContainText("was not it. " + say);
        }
        await press(path);
        await expect(page.locator("#say")).toContainText("Right.");
        if (number === TASKS[game].length - 1) break;
        if (way === "key") await page.keyboard.press("Enter"); else await page.click("#next");
      }
      if (way === "key") {
        expect(await page.evaluate(() => document.activeElement.id)).toBe("leave");
        await page.keyboard.press("Enter");
      } else await page.click("#leave");
      await page.waitForURL(/index\.html/);
      await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
      await expect(page.locator("#tasks-page")).toHaveText(`first steps: ${TASKS[game].length} done`);
    }
  });

test("“show me” makes a right move and takes it back, marked squares are spoken, and skipping takes one click", async ({ page, server }) => {
  await open(page, server, "wolves");
  await expect(page.locator("#grid [data-at='2,1']")).toHaveAttribute("aria-label", "2,1: Sheep, marked");
  await page.click("#solution");
  await expect(page.locator("#say")).toContainText("2,3x2,1 is a right move.");
  await expect(page.locator("#say")).toContainText("Now you.");
  await page.click("#leave");
  await expect(page).toHaveURL(/index\.html\?game=wolves/);
});
