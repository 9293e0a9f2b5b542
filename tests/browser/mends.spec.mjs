// What a visitor stumbled over: the lesson, telephones, keys, limits, words.
import { GAMES, expect, test } from "./site.mjs";

test("a lesson does not show the reply to the move that is looked for", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.turn();
  await site.value(async () => {
    const { state } = await import("./state.js"), study = await import("./study.js");
    const own = state.tree.line().slice(1).findIndex(one => state.players[one.side] === "you");
    for (const one of state.tree.line().slice(1))
      one.study = { mark: "mistake", cost: "loses", accuracy: 50, expected: 0.5, best: 0.6, choice: true, better: { line: [{ move: "a better move" }], reply: "the answer", why: [] } };
    (await import("./flow.js")).goTo(state.tree.line()[Math.max(1, own)]);
    await import("./tabs.js").then(({ openTab }) => openTab("study"));
    return study;
  });
  await expect(page.locator("#found")).toContainText("the answer");
  await site.press("learn");
  await expect(page.locator("#lesson")).toContainText("Find a better move");
  await expect(page.locator("#found")).toBeHidden();
});

test("on a telephone Play is seen at once, and the board after it", async ({ site, page }) => {
  for (const [width, height] of [[360, 640], [390, 844]]) for (const game of GAMES) {
    await page.setViewportSize({ width, height });
    await site.fresh(`?game=${game}`, false);
    const play = await page.locator("#play").boundingBox();
    expect(play.y + play.height, `${game}: Play at ${width} x ${height}`).toBeLessThanOrEqual(height);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator("#play").evaluate(button => button.click());
    expect(await page.evaluate(() => scrollY), game).toBe(0);
    const frame = await page.locator("#frame").boundingBox();
    expect(frame.y >= 0 && frame.y + frame.height <= height, `${game}: the board at ${width} x ${height}`).toBe(true);
  }
});

test("an arrow at the edge of the board leaves the game where it is", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.turn();
  const before = await site.now();
  await page.locator("#grid [data-at='0,0']").focus();
  for (const key of ["ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  expect(await site.now()).toBe(before);
});

test("the result leaves the last moves of the list in sight", async ({ site, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await site.fresh("?game=squirrels");
  await site.players("beginner", "beginner");
  await site.until(() => import("./state.js").then(({ state }) => Boolean(state.tree.at.over)));
  await expect(page.locator("#banner")).toBeVisible();
  const [now, list] = [await page.locator("#moves .now").boundingBox(), await page.locator("#moves").boundingBox()];
  expect(now.y).toBeGreaterThanOrEqual(list.y - 1);
  expect(now.y + now.height).toBeLessThanOrEqual(list.y + list.height + 1);
  await expect(page.locator("#score")).toHaveText(/\d+ to \d+ points/);
});

test("a move that loses by repetition is marked, and the goal says the rule", async ({ site, page }) => {
  await site.fresh("?game=foxgame", false);
  await expect(page.locator("#goal")).toContainText("brings back an earlier board");
  await page.click("#play");
  // The board after the step of the fox from 2,0 to 2,1 was there before.
  const rows = ["##F.F##", "##...##", ".......", "SSSSSSS", "SSSSSSS", "##SSS##", "##SSS##"];
  const before = rows.join("").replaceAll("#", "").split("");
  [before[0], before[3]] = [".", "F"];
  await site.players("you", "you");
  await site.load(`GAME\nFOX\n600\n${rows.join("\n")}\n${before.join("")}\n`);
  await site.click("2,0");
  await expect(site.cell("2,1")).toHaveClass(/loses/);
  await expect(site.cell("2,1")).toHaveAttribute("aria-label", /loses at once/);
  await expect(site.cell("3,0")).not.toHaveClass(/loses/);
  await expect(page.locator("#say")).toContainText("deadlock");
  await expect(page.locator("#notation")).toContainText("Deadlock");
});

test("a game ends by resigning, by a draw, and at the limit of plies", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.press("resign");
  await expect(page.locator("[data-do=resign]")).toHaveText("resign: sure?");
  await site.press("resign");
  await expect(page.locator("#result")).toHaveText("You lose");
  await expect(page.locator("#score")).toContainText("resigned");
  await site.players("you", "you");
  await site.settled();
  await site.press("draw");
  await expect(page.locator("#score")).toHaveText("agreed");
  await site.players("you", "you");
  await site.settled();
  await site.value(() => import("./state.js").then(({ state }) => { state.info.plyLimit = 2; }));
  await site.turn();
  await expect(page.locator("#say")).toContainText("In 1 ply the game is a draw");
  await site.turn();
  await expect(page.locator("#result")).toHaveText("A draw");
  // Against an agent that loses, a draw is declined or taken.
  await site.value(() => import("./state.js").then(({ state }) => { state.info.plyLimit = 300; }));
  await site.players("you", "beginner");
  await site.settled();
  await site.turn();
  await site.press("draw");
  await site.until(() => import("./state.js").then(({ state }) => Boolean(state.tree.at.over) || /declined/.test(document.getElementById("say").textContent)));
});

test("words are explained where they stand, and one piece is one", async ({ site, page }) => {
  await site.fresh("?game=foxgeese");
  await expect(page.locator("#notation")).toContainText("u up, d down");
  await expect(page.locator("#say")).toContainText("Moves made: 0 of 100.");
  await expect(site.cell("0,3")).toHaveAttribute("aria-label", /^0,3: Goose/);
  expect(await page.locator("#board text").allTextContents()).toEqual(expect.arrayContaining(["0", "6"]));
  await site.fresh("?game=wolves");
  expect(await page.locator("#grid .cell").evaluateAll(cells => cells.map(cell => cell.getAttribute("aria-label")).join())).toMatch(/: Wolf/);
});

test("winning chances are hidden while one plays, unless they are asked for", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.turn();
  await expect(page.locator("#bar")).toBeHidden();
  await site.tab("study");
  await expect(page.locator("#odds")).toContainText("hidden");
  await page.check("#judge");
  await expect(page.locator("#bar")).toBeVisible();
  await expect(page.locator("#odds")).toContainText(/\d+ %/);
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  expect(await page.isChecked("#judge")).toBe(true);
});
