// Playing: games by clicks, keys and touch, chains, help, the end of a game, and that none is lost.
import { readFileSync } from "node:fs";
import { GAMES, expect, test } from "./site.mjs";

const PLIES = 24;

for (const game of GAMES) {
  test(`${game} is played by clicks`, async ({ site, page }) => {
    await site.fresh(`?game=${game}`);
    const ready = await page.evaluate(() => Math.round(performance.getEntriesByName("ready")[0].startTime));
    console.log(`${game} can be played ${ready} ms after it was opened`);
    await site.game(at => site.click(at), game === "squirrels" ? 30 : PLIES);
    if (game === "squirrels") expect([await site.over(), await site.plies()]).toEqual([true, 25]);
    else expect(await site.over() || await site.plies() >= PLIES).toBe(true);
  });

  test(`${game} is played to its end by the keyboard alone`, async ({ site, page }) => {
    test.slow();
    await site.open(`?game=${game}`, false);
    await page.keyboard.press("Tab");
    for (let step = 0; step < 40 && await page.evaluate(() => document.activeElement.id !== "play"); step++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await site.settled();
    if (game === "halma") await site.sit(0);
    if (LATE[game]) await site.load(LATE[game]);
    // By moves at random Halma has no end: there the person walks into the far camp.
    if (game === "halma") {
      for (let step = 0; step < 6 && !await site.over(); step++) {
        await site.key(`${5 + step},${9 + step}`);
        await site.key(`${6 + step},${10 + step}`);
        await site.until(ply => import("./state.js").then(({ state }) => state.tree.at.ply > ply), 2 * step);
        await site.settled();
      }
    } else await site.game(at => site.key(at), 160);
    console.log(`${game}: ${await site.plies()} plies by the keyboard`);
    expect(await site.over(), await site.say()).toBe(true);
    await expect(page.locator("#banner")).toBeVisible();
  });
}

const input = name => readFileSync(new URL(`../../inputs/${name}.txt`, import.meta.url), "utf8");

// Positions near the end of games that would take a minute. In Halma every piece but one of each side is in the other's camp.
const LATE = { foxgame: input("foxgame/middle-60"), wolves: input("wolves/middle-9"), halma: "SINGLE\nBLACK\n10\n" + `\
WWWWW...........
WWWWW...........
WWWW............
WWW.............
W...............
................
................
................
................
.....B..........
................
........W.....BB
.............BBB
............BBBB
...........BBBBB
............BBBB
` };

test("a position that is being loaded is shown, whatever is pressed meanwhile", async ({ site, page }) => {
  await site.fresh("?game=halma");
  await site.sit(0);
  await site.tab("setup");
  await page.fill("#text", LATE.halma);
  // Presses on the board that is still there, and keys, in the same moment.
  await page.evaluate(() => {
    document.querySelector("[data-do=load]").click();
    const mover = document.querySelector("#grid .mover");
    mover?.click();
    document.querySelector("#grid .step")?.click();
    for (const name of ["hint", "back"]) document.querySelector(`[data-do=${name}]`).click();
  });
  await expect(site.cell("5,9")).toHaveAttribute("aria-label", /^5,9: Black/);
  await site.until(() => !document.querySelector("[data-do=hint]").disabled);
  expect(await site.plies()).toBe(0);
  // A text that is refused leaves the game as it is, and the agent goes on.
  await site.turn();
  await site.tab("setup");
  await page.fill("#text", "SINGLE\nRED\n10\n");
  await site.press("load");
  await expect(page.locator("#wrong")).toContainText("line 2: ");
  await site.turn();
  expect(await site.plies()).toBeGreaterThanOrEqual(3);
});

test("a first visit sees one button: Play", async ({ site, page }) => {
  await site.open("", false);
  expect(await page.locator("button:visible").allTextContents()).toEqual(["Play"]);
  await page.click("#play");
  await expect(page.locator("#moves")).toBeVisible();
  await expect(page.locator("#play")).toBeHidden();
});

// A piece on 15,11 can jump to 13,9, and on to 11,7.
const CHAIN = "SINGLE\nWHITE\n10\n" + `\
BBBBB...........
BBBBB...........
BBBB............
BBB.............
BB..............
................
................
................
............W...
................
..............W.
..............WW
.............WWW
............WWWW
...........WW.WW
...........WWW.W
`;

test("jumps are made step by step, and steps are undone", async ({ site, page }) => {
  await site.fresh("?game=halma");
  await site.players("you", "you");
  await site.tab("setup");
  await page.fill("#text", "SINGLE\nRED\n10\n");
  await site.press("load");
  await expect(page.locator("#wrong")).toContainText("line 2: ");
  await page.fill("#text", CHAIN);
  await site.press("load");
  await expect(site.cell("12,8")).toHaveAttribute("aria-label", /^12,8: White/);
  await site.click("15,11");
  const first = await site.cells("step");
  expect(first).toContain("13,9");
  await site.click("13,9");
  expect(await site.cells("chosen")).toEqual(["13,9", "15,11"]);
  expect(await site.say()).toContain("again");
  await expect(page.locator("#board .chain .shaft")).toHaveCount(1);
  await site.press("back");
  expect([await site.cells("chosen"), await site.cells("step")]).toEqual([["15,11"], first]);
  await page.keyboard.press("Escape");
  expect(await site.cells("chosen")).toEqual([]);
  await site.drag("15,11", "13,9");
  expect(await site.cells("chosen")).toEqual(["13,9", "15,11"]);
  await expect(page.locator("#ghost")).toHaveCount(0);
  await site.click("13,9");
  await expect(page.locator("#moves li")).toHaveCount(2);
  expect(await site.say()).toContain("15,11-13,9");
});

test("hints are arrows and words, and a proof stays a proof", async ({ site, page }) => {
  await site.fresh("?game=foxgeese");
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText("proven");
  await expect(page.locator("#board .better .head")).not.toHaveCount(0);
  await site.fresh("?game=foxgame");
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText(/Winning chances of the sheep: \d+ %, as far as a search of \d+ plies sees/);
  // In Wolves and Sheep the chances were 0 %, proven, until a hint searched and said 100 %.
  await site.fresh("?game=wolves");
  await site.chances();
  await site.players("you", "you");
  for (const output of ["M 3,4 4,4", "M 1,4 2,4"]) {
    const outputs = await page.evaluate(() => import("./state.js").then(({ state }) => state.tree.at.seen.moves.map(move => move.output)));
    await page.evaluate(output => import("./flow.js").then(({ play }) => play(output)), outputs.find(one => one.includes(output.slice(2))) ?? outputs[0]);
    await site.settled();
  }
  const bar = () => page.evaluate(() => [document.getElementById("bar").ariaValueNow ?? document.getElementById("bar").getAttribute("aria-valuenow"), document.getElementById("odds").textContent]);
  await expect(page.locator("#odds")).toContainText("%, proven");
  const before = await bar();
  await site.press("hint");
  await expect(page.locator("#hint")).toContainText("proven");
  await site.until(() => !document.querySelector("[data-do=hint]").disabled);
  expect(await bar()).toEqual(before);
});

test("taking back and walking keep every move", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.sit(0);
  await site.turn();
  await site.turn();
  await site.press("back");
  await site.settled();
  expect(await site.plies()).toBe(2);
  expect(await page.locator("#moves .other").count()).toBe(1);
  await page.locator("#moves .other").click();
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 3));
  await page.locator("#moves .move").first().click();
  await expect(page.locator("#moves .now")).toContainText("start");
  expect(await page.locator("#moves li").count()).toBeGreaterThan(3);
  await site.press("next");
  await expect(page.locator("#moves .now")).not.toContainText("start");
});

test("links, memory, another game and Back lose nothing", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.sit(0);
  await site.turn();
  await site.turn();
  const same = () => page.locator("#moves .move").allTextContents();
  const moves = await same();
  await site.until(() => import("./flow.js").then(async flow => location.hash === `#g=${await flow.packed()}`));
  const link = await page.evaluate(() => location.hash);
  await page.evaluate(() => localStorage.clear());
  await site.open(link);
  expect(await same()).toEqual(moves);
  await site.turn();
  const longer = await same();
  await site.until(() => import("./flow.js").then(async flow => location.hash === `#g=${await flow.packed()}`));
  await site.open();
  expect(await same()).toEqual(longer);
  // A new game, and Back.
  await site.press("new");
  await page.click("#play");
  await expect(page.locator("#moves li")).toHaveCount(1);
  await page.goBack();
  await expect(page.locator("#moves li")).toHaveCount(longer.length);
  expect(await same()).toEqual(longer);
  // Back before the text of the new game is packed for its address.
  await site.press("new");
  await page.evaluate(() => import("./state.js").then(async ({ state }) => {
    const { tree } = state;
    document.getElementById("play").click();
    while (state.tree === tree) await new Promise(done => setTimeout(done));
    history.back();
  }));
  await page.waitForTimeout(500);
  await expect(page.locator("#moves li")).toHaveCount(longer.length);
  expect(await page.evaluate(() => location.hash)).not.toBe("");
  // Another game, and the list of earlier ones.
  await site.press("new");
  await site.choose("game", "wolves");
  await expect(page.locator("#title")).toHaveText("Wolves and Sheep");
  await site.press("cancel");
  await expect(page.locator("#title")).toHaveText("FoxGame");
  await expect(page.locator("#moves li")).toHaveCount(longer.length);
  await site.press("new");
  await page.click("#play");
  await expect(page.locator("#moves li")).toHaveCount(1);
  await site.press("new");
  await page.locator("#earlier summary").click();
  await page.locator("#kept button").first().click();
  await expect(page.locator("#moves li")).toHaveCount(longer.length);
});

test("the end of a game has its result, its score and a rematch", async ({ site, page }) => {
  await site.fresh("?game=squirrels");
  await site.game(at => site.click(at), 30);
  await expect(page.locator("#banner")).toBeVisible();
  await expect(page.locator("#result")).toHaveText(/You win!|You lose|A draw/);
  await expect(page.locator("#score")).toHaveText(/\d+ to \d+ points/);
  expect(await site.say()).not.toContain("null");
  const [top, bottom] = [await site.text("top"), await site.text("bottom")];
  await site.press("rematch");
  await expect(page.locator("#moves li")).not.toHaveCount(26);
  await site.settled();
  expect(`${await site.text("top")} ${await site.text("bottom")}`).not.toBe(`${top} ${bottom}`);
  expect(await page.evaluate(() => import("./state.js").then(({ state }) => state.players))).toEqual(["beginner", "you"]);
});

test("agents play each other, stop and play on, and thinking ends at once", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.players("beginner", "beginner");
  await site.until(() => document.querySelectorAll("#moves li").length > 4);
  await page.keyboard.press("s");
  await expect(page.locator("[data-do=stop]")).toHaveText("play on");
  const count = await page.locator("#moves li").count();
  await page.waitForTimeout(300);
  expect(await page.locator("#moves li").count()).toBe(count);
  await site.press("stop");
  await site.until(count => document.querySelectorAll("#moves li").length > count + 1, count);

  await site.fresh("?game=halma");
  await site.press("new");
  await site.choose("player0", "full");
  await site.choose("player1", "full");
  await page.evaluate(() => { document.getElementById("amount").value = 300; });
  await page.click("#play");
  const thinks = () => site.until(() => !document.querySelector("[data-do=now]").disabled);
  await thinks();
  const took = await page.evaluate(async () => {
    const from = performance.now();
    document.querySelector("[data-do=stop]").click();
    await new Promise(done => setTimeout(done));
    return performance.now() - from;
  });
  console.log(`thinking stops after ${took.toFixed(0)} ms`);
  await expect(page.locator("#say")).toContainText("play on");
  await site.press("stop");
  await thinks();
  const hide = hidden => page.evaluate(hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await hide(true);
  await expect(page.locator("[data-do=now]")).toBeDisabled();
  await hide(false);
  await thinks();
  await site.press("now");
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 1));
});

test("figures have names that people understand", async ({ site, page }) => {
  const told = async () => (await page.locator(".player .counted").allTextContents()).sort();
  await site.fresh("?game=halma");
  for (const words of await told()) expect(words).toMatch(/^distance left: \d+$/);
  await site.fresh("?game=squirrels");
  await site.chances();
  await site.turn();
  for (const words of await told()) expect(words).toMatch(/^\d+ points?$/);
  await expect(page.locator("#bar")).toHaveAttribute("aria-valuetext", /^winning chances: Red \d+ %, Blue \d+ %/);
  await site.fresh("?game=foxgeese");
  const words = (await told()).join("; ");
  expect([/\d+ geese left/.test(words), /\d+ cells? that the foxes can reach/.test(words)], words).toEqual([true, true]);
});

test("each player shows its own measure, and a hint is shown in full", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  expect((await page.locator(".player .counted").allTextContents()).sort()).toEqual(["2 foxes left", "20 sheep left"]);
  await site.press("hint");
  await site.until(() => !document.querySelector("[data-do=hint]").disabled);
  const [inside, whole, below] = await page.evaluate(() => { const hint = document.getElementById("hint"); return [hint.clientHeight, hint.scrollHeight, hint.getBoundingClientRect().bottom]; });
  expect([whole <= inside, below <= 900]).toEqual([true, true]);
  // The arrow shows more than half a cell beside the piece that it begins on.
  const [shaft] = await page.locator("#board .better .shaft").evaluateAll(lines => lines.map(line => line.getTotalLength()));
  expect(shaft).toBeGreaterThan(70);
});

test("both clocks run where there are clocks, and only there", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  expect(await page.locator(".player .clock").count()).toBe(0);
  expect(await site.text("top")).not.toContain("0:00");
  await site.press("new");
  await site.choose("clock", "60");
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.left));
  await page.click("#play");
  await site.turn();
  await expect(page.locator(".player .clock")).toHaveCount(2);
  await page.evaluate(() => import("./state.js").then(({ state }) => { state.tree.at.left = [1, 1]; }));
  await expect(page.locator("#say")).toContainText("Foxes win: Sheep's time is up");
  await expect(page.locator("#result")).toHaveText("You lose");
});

test("own arrows are drawn by the right button, and the board turns", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.drag("3,3", "3,5", "right");
  await expect(page.locator("#board .own .head")).toHaveCount(1);
  await site.drag("3,3", "3,5", "right");
  await expect(page.locator("#board .own")).toHaveCount(0);
  const before = await site.box("3,0");
  // A new game is seen from the usual side.
  await site.turn();
  await site.press("flip");
  await site.press("new");
  await page.click("#play");
  await site.settled();
  await expect.poll(async () => (await site.box("3,0")).y).toBe(before.y);
  await site.press("flip");
  await expect.poll(async () => (await site.box("3,0")).y).toBeGreaterThan(before.y + 200);
  await site.turn();
  expect(await site.plies()).toBe(3);
});

// The boxes of the pieces and of the names of columns and rows, and those of the board and of the pieces' cells.
const seen = page => page.evaluate(() => {
  const box = element => element.getBoundingClientRect().toJSON(), all = selector => [...document.querySelectorAll(`#board ${selector}`)];
  const pieces = all(".pieces .piece").map(piece => [piece.dataset.at, box(piece), box(document.querySelector(`#grid [data-at="${piece.dataset.at}"]`))]);
  return { board: box(document.querySelector("#board > svg")), pieces, names: all(".name").map(box) };
});
const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
const inside = (box, around, slack = 1) => box.left >= around.left - slack && box.right <= around.right + slack && box.top >= around.top - slack && box.bottom <= around.bottom + slack;

for (const game of GAMES) {
  test(`${game}: every piece stays in its cell when the board turns, and slides along its path`, async ({ site, page }) => {
    await site.fresh(`?game=${game}`);
    await site.turn();
    await site.turn();
    const before = await seen(page);
    expect(before.pieces.length).toBeGreaterThan(0);
    await site.press("flip");
    const after = await seen(page);
    if (process.env.PICTURES) await page.locator("#frame").screenshot({ path: `${process.env.PICTURES}/turned-${game}.png` });
    expect(after.pieces.map(([at]) => at)).toEqual(before.pieces.map(([at]) => at));
    for (const { pieces, board, names } of [before, after]) {
      for (const [at, piece, cell] of pieces) expect(piece.width > 5 && inside(piece, cell), `the piece on ${at} is in its cell`).toBe(true);
      for (const name of names) expect(inside(name, board), "names are on the board").toBe(true);
    }
    // The far side is near now, and pieces stand upright: their boxes lie in their cells as before.
    const [left, top] = [before.board.left + before.board.right, before.board.top + before.board.bottom];
    after.pieces.forEach(([at, piece, cell], number) => {
      const [x, y] = middle(cell), [, old, oldCell] = before.pieces[number], [oldX, oldY] = middle(oldCell);
      expect(Math.hypot(x + oldX - left, y + oldY - top), `the cell ${at} is on the other side`).toBeLessThan(2);
      expect(Math.hypot(piece.x - cell.x - old.x + oldCell.x, piece.y - cell.y - old.y + oldCell.y), `the piece on ${at} is upright`).toBeLessThan(2);
    });
    // Each piece that moves begins in the cell where it stood.
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate(() => {
      window.begun = [];
      const animate = Element.prototype.animate, box = element => element.getBoundingClientRect().toJSON();
      Element.prototype.animate = function (frames, ...words) {
        const motion = animate.call(this, frames, ...words);
        if (!frames[0].transform) return motion;
        motion.pause();
        motion.currentTime = 0;
        window.begun.push([this.dataset.at, box(this)]);
        motion.play();
        return motion;
      };
    });
    await site.turn();
    const begun = await page.evaluate(() => window.begun), cells = new Map(after.pieces.map(([at, , cell]) => [at, cell]));
    // In Squirrels nuts are put on the board, and none moves.
    if (game === "squirrels") return;
    expect(begun.length).toBeGreaterThan(0);
    expect([...cells.values()].some(cell => inside(begun[0][1], cell)), `${begun[0][0]} begins in a cell with a piece`).toBe(true);
  });
}

test("moves slide and are heard unless the system asks for calm", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await expect(page.locator("[data-do=sound]")).toHaveAttribute("aria-pressed", "false");
  await page.evaluate(() => { window.moved = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...words) { window.moved++; return animate.apply(this, words); }; });
  await site.turn();
  expect(await page.evaluate(() => window.moved)).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect(page.locator("[data-do=sound]")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("m");
  await expect(page.locator("[data-do=sound]")).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("m");
  await expect(page.locator("[data-do=sound]")).toHaveAttribute("aria-pressed", "true");
  await site.turn();
  expect(await page.evaluate(() => window.moved)).toBeGreaterThan(1);
});
