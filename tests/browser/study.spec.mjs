// Analysis, records, positions set up by hand, sharing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GAMES, JUDGE, expect, test } from "./site.mjs";

const NODES = 10000;
const line = page => page.evaluate(() => import("./state.js").then(({ state }) => state.tree.line().map(({ input, output, side, text }) => ({ input, output, side, text }))));
const findings = page => page.evaluate(() => import("./state.js").then(({ state }) => state.tree.line().slice(1).map(({ study }) => study && { mark: study.mark, expected: study.expected })));

// The second name has markup, and a sign that turns the direction of writing.
const NAMES = ["Ann", "<b>Bob</b>\u202e"];

// The record of the game that is shown, as the judge would write it, and one more of three moves, which is not over.
async function recordOf(page) {
  const moves = await line(page), sides = await page.evaluate(() => import("./state.js").then(({ state }) => state.info.words));
  const engine = name => ({ name, kind: "random", clock: { game: 10 }, margin: 0 });
  const events = [{ event: "header", version: 3, game: "foxgame", rules: null, engines: NAMES.map(engine), shape: "roundrobin", pairs: 1, openings: "start", seed: 1,
    max_plies: 300, at_limit: "draw", bounds: {}, shard: null }];
  for (const [game, played] of [[1, moves.slice(1)], [2, moves.slice(1, 4)]]) {
    events.push({ event: "start", game, players: NAMES, opening: moves[0].input, line: [] });
    for (const [ply, { side, text, output }] of played.entries()) events.push({ event: "move", game, ply, side: sides[side], move: text, output, cpu: 0.1, wall: 0.1, left: 10 - ply / 10 });
    if (game === 1) events.push({ event: "end", game, players: NAMES, winner: 1, termination: "time forfeit", reason: "out of time", plies: played.length, cpu: [1, 1] });
  }
  return events.map(event => JSON.stringify(event) + "\n").join("") + '{"event":"mo';
}
async function effort(page, nodes) {
  await page.evaluate(nodes => { const e = document.getElementById("effort"); e.options[0].value = nodes; e.value = nodes; }, nodes);
}

test("a record is walked through, analysed as the judge does, and survives a reload", async ({ site, page }) => {
  test.slow();
  await site.fresh("?game=foxgame");
  await site.game(at => site.click(at), 12);
  const folder = mkdtempSync(join(tmpdir(), "site-")), path = join(folder, "games.jsonl");
  writeFileSync(path, await recordOf(page));
  await site.fresh("?game=halma");
  await page.setInputFiles("#file", path);
  await expect(page.locator("#record")).toBeVisible();
  await expect(page.locator("#moves .now")).toContainText("start");
  // A row has the number of its first move, a ply, as the texts of the judge have it.
  expect((await page.locator("#moves .number").allTextContents()).slice(0, 3)).toEqual(["1.", "3.", "5."]);
  await expect(page.locator("#record-names")).toContainText("<b>Bob</b>\\u{202e}");
  await site.press("last");
  await expect(page.locator("#say")).toContainText("time forfeit, out of time");
  await page.keyboard.press("ArrowLeft");
  const plies = await page.locator("#moves li").count() - 1;
  await site.until(plies => import("./state.js").then(({ state }) => state.tree.at.ply === plies - 1 && history.state?.ply === plies - 1), plies);
  // A reload keeps the record, its list and the place in it.
  await page.reload();
  await expect(page.locator("#record")).toBeVisible();
  await expect(page.locator("#games option")).toHaveCount(2);
  await site.until(plies => import("./state.js").then(({ state }) => state.tree?.at.ply === plies - 1), plies);

  await site.tab("study");
  await effort(page, NODES);
  await site.press("study");
  await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
  const found = await findings(page), marked = found.filter(one => one.mark);
  expect(found.every(Boolean)).toBe(true);
  await expect(page.locator("#plot .tick")).toHaveCount(marked.length);
  await expect(page.locator("#moves .mark")).toHaveCount(marked.length);
  const out = join(folder, "findings.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace(/\{"event":"mo$/, ""));
  execFileSync(JUDGE, ["analyse", path, "--game", "1", "--nodes", String(NODES), "--json", out]);
  const told = readFileSync(out, "utf8").trim().split("\n").map(text => JSON.parse(text)).filter(one => "mark" in one);
  expect(found.map(one => one.mark)).toEqual(told.map(one => one.mark));
  for (const [at, one] of told.entries()) expect(Math.abs((1 + one.chance) / 2 - (at % 2 ? 1 - found[at].expected : found[at].expected))).toBeLessThan(1e-6);
  await site.tab("moves");
  await page.selectOption("#games", "1");
  await expect(page.locator("#moves li")).toHaveCount(4);
  writeFileSync(path, '{"event":"header","game":"foxgame"}\n{"event":"move","game":3,"output":"x"}\n');
  await page.setInputFiles("#file", path);
  await expect(page.locator("#wrong")).toContainText("line 2: a move of game 3");
  writeFileSync(path, "up and away\n");
  await page.setInputFiles("#file", path);
  await expect(page.locator("#verdict")).toContainText("output.txt: line 1: ");
});

// The text of the file that "save as record" saves.
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => document.querySelector("[data-do=record]").click())]);
  return readFileSync(await download.path(), "utf8");
}
const events = text => text.trim().split("\n").map(line => JSON.parse(line));

test("comments are kept in the record, and what a grading found is shown", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.game(at => site.click(at), 6);
  const path = join(mkdtempSync(join(tmpdir(), "site-")), "games.jsonl"), record = (await recordOf(page)).replace(/\{"event":"mo$/, "");
  // A finding as `judge grade` writes it after a game that was lost.
  const finding = { best: "x", line: [], reply: null, score: null, best_score: null, chance: -1, best_chance: 0.5, mark: "blunder", proven: false, before: null, after: null,
    choices: 9, depth: 4, effort: { nodes: 100 } };
  writeFileSync(path, record + JSON.stringify({ event: "findings", game: 1, findings: [finding, null, finding] }) + "\n");
  await page.setInputFiles("#file", path);
  await expect(page.locator("#moves .mark.blunder")).toHaveCount(2);
  await site.press("next");
  await site.tab("study");
  await expect(page.locator("#found")).toContainText("a blunder");
  await page.fill("#comment", "too early");
  await page.locator("#comment").blur();
  await expect(page.locator("#moves .note")).toHaveText("“too early”");
  const notes = text => events(text).filter(event => event.event === "move").map(({ game, ply, note }) => [game, ply, note]).filter(([, , note]) => note);
  expect(notes(await saved(page))).toEqual([[1, 0, "too early"]]);
  // A reload keeps it, and nothing else of the record has changed.
  await site.until(() => import("./kept-records.js").then(({ keptComments }) => keptComments(history.state.record)).then(([[, note]]) => note === "too early"));
  await page.reload();
  await expect(page.locator("#moves .note")).toHaveText("“too early”");
  const text = await saved(page);
  expect(events(text).map(({ note, ...event }) => event)).toEqual(events(readFileSync(path, "utf8")));
});

test("a game played here is saved as a record, with its comments", async ({ site, page }) => {
  await site.fresh("?game=squirrels");
  await site.game(at => site.click(at), 30);
  await site.tab("study");
  await page.fill("#comment", "the last one");
  await page.locator("#comment").blur();
  const text = await saved(page), path = join(mkdtempSync(join(tmpdir(), "site-")), "games.jsonl");
  writeFileSync(path, text);
  expect(events(text).at(-1)).toMatchObject({ event: "end", termination: "normal", plies: 25 });
  await site.fresh("?game=halma");
  await page.setInputFiles("#file", path);
  await expect(page.locator("#moves li")).toHaveCount(26);
  await expect(page.locator("#moves .note")).toHaveText("“the last one”");
  expect(execFileSync(JUDGE, ["replay", path, "--text", "--game", "1"], { encoding: "utf8" })).toContain("25.");
});

test("mistakes are mended one by one", async ({ site, page }) => {
  test.slow();
  await site.fresh("?game=foxgame");
  await site.players("you", "you");
  // The game before is shown until the new one has begun.
  await site.until(() => import("./state.js").then(({ state: { tree } }) => tree.at.ply === 0 && tree.at.seen && tree.players.every(player => player === "you")));
  // Moves taken without thinking, among which there are mistakes.
  for (let ply = 0; ply < 14; ply++) {
    const outputs = await page.evaluate(() => import("./state.js").then(({ state }) => state.tree.at.seen.moves.map(move => move.output)));
    await page.evaluate(output => import("./flow.js").then(({ play }) => play(output, 0)), outputs[ply * 5 % outputs.length]);
    await site.until(ply => import("./state.js").then(({ state }) => state.tree.at.ply === ply + 1 && state.tree.at.seen), ply);
  }
  await site.tab("study");
  await effort(page, 3000);
  await site.press("study");
  await expect(page.locator("#studied")).toHaveText(/moves analysed$/);
  await expect(page.locator("#learn-button")).toBeVisible();
  await site.press("learn");
  await expect(page.locator("#lesson")).toContainText("Find a better move");
  const { better, played } = await page.evaluate(() => import("./state.js").then(({ state }) => {
    const { one } = state.lesson, moves = state.tree.at.seen.moves;
    return { better: moves.find(move => move.text === one.study.better.line[0].move)?.output, played: one.output };
  }));
  const first = await page.locator("#lesson").textContent();
  await page.evaluate(output => import("./study.js").then(({ tried }) => import("./state.js").then(({ state }) => tried(state.tree.at.seen.moves.find(move => move.output === output)))), played);
  await expect(page.locator("#lesson")).toContainText("Try another move");
  await page.evaluate(output => import("./study.js").then(({ tried }) => import("./state.js").then(({ state }) => tried(state.tree.at.seen.moves.find(move => move.output === output)))), better);
  await expect(page.locator("#lesson")).toContainText(/is good/);
  expect(await page.locator("#lesson").textContent()).not.toBe(first);
});

test("live analysis shows lines that can be played", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.sit(0);
  await site.tab("study");
  await site.press("live");
  await expect(page.locator("#lines li")).toHaveCount(5);
  const chances = (await page.locator("#lines b").allTextContents()).map(text => Number(text.replace(" %", "")));
  expect(chances).toEqual([...chances].sort((a, b) => b - a));
  await page.locator("#lines li").first().locator("button").first().click();
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 1));
  await page.waitForTimeout(700);
  expect(await site.plies()).toBe(1);
  // The second move of a line plays both.
  await expect(page.locator("#lines li")).toHaveCount(5);
  await site.until(() => document.querySelectorAll("#lines li:first-child button").length > 1);
  await page.evaluate(() => document.querySelectorAll("#lines li:first-child button")[1].click());
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 3));
  await site.press("live");
  await expect(page.locator("#lines")).toBeHidden();
});

test("a comment is kept in the link", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.turn();
  await site.tab("study");
  await page.fill("#comment", "<b>why</b> not");
  await page.locator("#comment").blur();
  await expect(page.locator("#moves .note")).toHaveText("“<b>why</b> not”");
  await site.until(() => import("./flow.js").then(async flow => location.hash === `#g=${await flow.packed()}`));
  const link = await page.evaluate(() => location.hash);
  await page.evaluate(() => localStorage.clear());
  await site.open(link);
  await expect(page.locator("#moves .note")).toHaveText("“<b>why</b> not”");
  // Opened again from the browser's memory.
  await site.open();
  await expect(page.locator("#moves .note")).toHaveText("“<b>why</b> not”");
});

test("a threat, or the reason why there is none", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.press("threat");
  await expect(page.locator("#hint")).toContainText("if it were the foxes' turn: ");
  await expect(page.locator("#board .threat .head, #board .threat .ring")).not.toHaveCount(0);
  await site.fresh("?game=squirrels");
  await site.press("threat");
  await expect(page.locator("#hint")).toContainText(/turn: |no threat/);
});

for (const game of GAMES) {
  test(`a position of ${game} is set up by hand`, async ({ site, page }) => {
    await site.fresh(`?game=${game}`);
    await site.chances();
    await site.tab("setup");
    await site.press("setup");
    await site.until(() => document.getElementById("text").value.length > 20);
    await page.locator("#palette input").nth(1).check();
    const empty = await page.evaluate(() => [...document.querySelectorAll("#grid .cell")].find(cell => cell.ariaLabel.includes("empty")).dataset.at);
    await site.click(empty);
    const sides = await page.evaluate(() => Promise.all([import("./state.js"), import("./names.js")]).then(([{ state }, { one }]) => state.info.sides.map(one)));
    await expect(site.cell(empty)).toHaveAttribute("aria-label", new RegExp(sides.join("|")));
    await expect(page.locator(`#board [data-at="${empty}"]`)).toHaveCount(1);
    await site.press("setup-clear");
    await site.until(() => [...document.querySelectorAll("#grid .cell")].every(cell => cell.ariaLabel.includes("empty")));
    await expect(page.locator("#board .piece")).toHaveCount(0);
    // A cleared board says nothing of chances and pieces, and what is wrong stands beside the board.
    expect(await page.locator(".player .counted").count()).toBe(0);
    await expect(page.locator("#bar")).toHaveClass(/unknown/);
    if (game !== "squirrels") {
      await expect(page.locator("#setup-wrong")).not.toBeEmpty();
      await expect(page.locator("[data-do=setup-done]")).toBeDisabled();
    }
    await site.press("setup");
    await expect(page.locator("#setup-panel")).toBeHidden();
    await expect(page.locator("#setup-wrong")).toBeEmpty();
  });
}

test("a position set up by hand is played, and an output is checked", async ({ site, page }) => {
  await site.fresh("?game=wolves");
  await site.players("you", "you");
  await site.tab("setup");
  await site.press("setup");
  await site.until(() => document.getElementById("text").value.length > 20);
  await page.locator("#palette input").nth(1).check();
  await site.click("2,2");
  await expect(site.cell("2,2")).toHaveAttribute("aria-label", /Sheep/);
  await site.press("setup-done");
  await expect(page.locator("#say")).toContainText("turn");
  await expect(site.cell("2,2")).toHaveAttribute("aria-label", /^2,2: Sheep/);
  await site.fresh("?game=halma");
  await site.sit(0);
  await site.tab("setup");
  await page.fill("#text", "E 4,0 5,0\n");
  await site.press("check");
  await expect(page.locator("#verdict")).toContainText("BLACK plays 4,0-5,0");
});

test("the board as SVG and PNG stands by itself", async ({ site, page }) => {
  await site.fresh("?game=foxgame");
  await site.turn();
  const text = await page.evaluate(() => import("./share.js").then(share => share.svg()));
  expect(text.match(/class='piece'/g).length).toBeGreaterThan(10);
  expect(text).not.toContain("var(");
  const [type, size] = await page.evaluate(async () => {
    const share = await import("./share.js"), png = await share.asPng(await share.svg());
    return [png.type, png.size];
  });
  expect([type, size > 2000]).toEqual(["image/png", true]);
  await site.tab("tools");
  for (const name of ["svg", "png", "copy", "link"]) {
    await site.press(name);
    await expect(page.locator(`[data-do=${name}]`)).toHaveText(/copied|saved|copy it from below/);
  }
});
