// Records outlive a page: each under its own name, in every tab, with its comments and the place in it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JUDGE, Site, expect, test, violations } from "./site.mjs";

// A record of two games between plain players, as the judge writes it; `pad` characters make it long.
function record(seed, pad = 0) {
  const path = join(mkdtempSync(join(tmpdir(), "record-")), "games.jsonl");
  const player = (engine, name) => ["--engine", `engine=reference:${engine}`, `name=${name}${seed}`];
  execFileSync(JUDGE, ["match", "--game", "squirrels", ...player("random", "ann"), ...player("greedy", "bob"), "--games", "2", "--seed", String(seed), "--record", path], { stdio: "ignore" });
  let text = readFileSync(path, "utf8"), noise = "";
  while (noise.length < pad) noise += Math.random().toString(36).slice(2);
  if (pad) text = text.replace('{"event":"header"', `{"event":"header","pad":"${noise.slice(0, pad)}"`);
  writeFileSync(path, text);
  return path;
}
const open = async (page, path) => {
  await page.setInputFiles("#file", path);
  await shows(page, JSON.parse(readFileSync(path, "utf8").split("\n")[0]).engines[0].name);
};
// The record of this player is open, and kept.
const shows = async (page, name) => {
  await expect(page.locator("#record")).toBeVisible();
  await expect(page.locator("#record-names")).toContainText(name);
  await new Site(page).until(name => import("./state.js").then(({ state }) => history.state?.record && history.state.record === state.record?.file.name && state.record.players.some(one => one.includes(name))), name);
};
async function comment(page, text) {
  await page.click("#tab-study");
  await page.fill("#comment", text);
  await page.locator("#comment").blur();
  await expect(page.locator("#moves .note", { hasText: text })).toHaveCount(1);
  await page.click("#tab-moves");
}
const press = (page, name) => page.evaluate(name => document.querySelector(`[data-do=${name}]`).click(), name);
async function goTo(page, ply) {
  await page.locator("#moves .move").nth(ply).click();
  await new Site(page).until(ply => history.state?.ply === ply, ply);
}
// The address has the whole game.
const linked = site => site.until(() => import("./flow.js").then(async flow => location.hash === `#g=${await flow.packed()}`));
const notes = page => page.locator("#moves .note").allTextContents();
const saved = async page => {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "record")]);
  return readFileSync(await download.path(), "utf8");
};
const notesIn = text => text.trim().split("\n").map(line => JSON.parse(line)).filter(({ note }) => note).map(({ game, ply, note }) => [game, ply, note]);
// Another page of the same browser.
async function tab(site) {
  const page = await site.page.context().newPage();
  const other = new Site(page, site.address);
  await other.open("?game=halma");
  return [other, page];
}

for (const size of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) test(`two tabs with two records keep both, with their comments and places, at ${size.width}`, async ({ site, page }) => {
  test.slow();
  await page.setViewportSize(size);
  const paths = [record(1), record(2)];
  await site.fresh();
  const [, second] = await tab(site);
  await second.setViewportSize(size);
  const tabs = [page, second];
  for (const [at, one] of tabs.entries()) await open(one, paths[at]);
  for (const [at, one] of tabs.entries()) {
    await goTo(one, 3 + at);
    await comment(one, `tab ${at + 1}`);
  }
  for (const one of tabs) await one.reload();
  for (const [at, one] of tabs.entries()) {
    await shows(one, `ann${at + 1}`);
    await expect(one.locator("#moves .note")).toHaveText(`“tab ${at + 1}”`);
    await expect(one.locator("#moves [aria-current]")).toHaveText(await one.locator("#moves .move").nth(3 + at).textContent());
    await expect(one.locator("#games option")).toHaveCount(2);
  }
  // The second game of the record, a record more, and back to both places, and on again.
  await page.selectOption("#games", "1");
  await site.until(() => history.state?.game === 1);
  await goTo(page, 2);
  await comment(page, "second game");
  await linked(site);
  await open(page, paths[1]);
  await expect(page.locator("#moves .note")).toHaveText("“tab 2”");
  await page.goBack();
  await shows(page, "ann1");
  await expect(page.locator("#games")).toHaveValue("1");
  await expect(page.locator("#moves .note")).toHaveText("“second game”");
  await site.until(() => import("./state.js").then(({ state }) => state.tree.at.ply === 2));
  await page.goBack();
  await site.until(() => import("./state.js").then(({ state }) => state.record?.index === 0 && state.tree.at.ply === 3));
  await expect(page.locator("#moves .note")).toHaveText("“tab 1”");
  await page.goForward();
  await page.goForward();
  await shows(page, "ann2");
  await expect(page.locator("#moves .note")).toHaveText("“tab 2”");
  // The list of earlier games has both.
  await press(page, "new");
  await page.locator("#earlier summary").click();
  await page.getByText("record: Squirrels: ann1").click();
  await shows(page, "ann1");
  expect(notesIn(await saved(page))).toEqual([[1, 2, "tab 1"], [2, 1, "second game"]]);
  if (process.env.PICTURES) {
    await press(page, "new");
    await page.locator("#earlier").evaluate(one => { one.open = true; });
    await page.screenshot({ path: join(process.env.PICTURES, `records-${size.width}.png`), fullPage: true });
  }
});

test("a record that two tabs show has the comments of both", async ({ site, page }) => {
  test.slow();
  const path = record(3);
  await site.fresh();
  const [, second] = await tab(site);
  await open(page, path);
  await open(second, path);
  await goTo(page, 1);
  await comment(page, "one");
  await goTo(second, 2);
  await comment(second, "two");
  // On one move, of which the second tab has not seen the other comment.
  await goTo(second, 1);
  await comment(second, "three");
  await expect(second.locator("#moves .note").first()).toHaveText("“one; three”");
  const kept = [[1, 0, "one; three"], [1, 1, "two"]];
  for (const one of [page, second]) expect(notesIn(await saved(one))).toEqual(kept);
  expect(await notes(page)).toEqual(["“one; three”", "“two”"]);
  // A comment is changed, and taken out.
  await goTo(page, 1);
  await comment(page, "changed");
  await goTo(page, 2);
  await page.click("#tab-study");
  await page.fill("#comment", "");
  await page.locator("#comment").blur();
  await site.until(() => import("./kept-records.js").then(async kept => (await kept.keptComments(history.state.record)).some(([, note]) => note === "")));
  await page.reload();
  await expect(page.locator("#moves .note")).toHaveText(["“changed”"]);
  // The file, opened again, has the comments of this browser; nothing else of it has changed.
  await second.setInputFiles("#file", path);
  await expect(second.locator("#moves .note")).toHaveText(["“changed”"]);
  const text = await saved(second);
  expect(text.replace(',"note":"changed"', "")).toBe(readFileSync(path, "utf8"));
});

test("where space ends the record used longest ago goes, with a word, and its comments stay", async ({ site, page }) => {
  test.slow();
  const paths = [4, 5, 6, 7].map(seed => record(seed, 2_000_000));
  await site.fresh();
  const session = await page.context().newCDPSession(page), { origin } = new URL(site.address);
  // Space for two of the records.
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 6_000_000 });
  await open(page, paths[0]);
  const [, second] = await tab(site);
  await open(second, paths[1]);
  await goTo(second, 2);
  await comment(second, "of the second");
  await second.close();
  await site.until(async () => (await navigator.locks.query()).held.length === 1);
  const [, third] = await tab(site);
  await open(third, paths[2]);
  // The first record is older, but a tab shows it.
  await expect(third.locator("#say")).toContainText("No space was left: this browser no longer keeps the record “Squirrels: ann5");
  await site.until(() => import("./kept-records.js").then(async kept => (await kept.allRecords()).some(one => one.title.includes("ann6"))));
  await third.reload();
  await shows(third, "ann6");
  await expect(third.locator("#say")).not.toContainText("browser");
  await page.reload();
  await shows(page, "ann4");
  // Nothing can go: both are shown.
  const [, fourth] = await tab(site);
  await fourth.setInputFiles("#file", paths[3]);
  await expect(fourth.locator("#say")).toContainText("cannot keep the record");
  await fourth.reload();
  await expect(fourth.locator("#say")).toContainText("no longer keeps the record: open its file again");
  await expect(fourth.locator("#moves .move")).not.toHaveCount(1);
  await third.close();
  await new Site(fourth).until(async () => (await navigator.locks.query()).held.length === 2);
  await fourth.setInputFiles("#file", paths[1]);
  await expect(fourth.locator("#moves .note")).toHaveText("“of the second”");
  await expect(fourth.locator("#say")).toContainText("ann6");
  if (process.env.PICTURES) await fourth.screenshot({ path: join(process.env.PICTURES, "no-space.png") });
  expect(await violations(fourth)).toEqual([]);
});

test("a record that an earlier version of the page has kept is taken over", async ({ site, page }) => {
  const text = readFileSync(record(8), "utf8");
  await site.fresh();
  await site.turn();
  await linked(site);
  await page.evaluate(async text => {
    await (await caches.open("menagerie-record")).put("record.jsonl", new Response(text));
    history.replaceState({ record: 1, ply: 2 }, "", location.hash);
  }, text);
  await page.reload();
  await shows(page, "ann8");
  await expect(page.locator("#games")).toHaveValue("1");
  expect(await site.plies()).toBe(2);
  expect(await page.evaluate(() => caches.has("menagerie-record"))).toBe(false);
  await page.reload();
  await shows(page, "ann8");
  expect(await saved(page)).toBe(text);
});

test("a variation of a record, and the comment on it, outlive a reload", async ({ site, page }) => {
  await site.fresh();
  await open(page, record(9));
  await goTo(page, 2);
  const line = await page.locator("#moves .move").allTextContents();
  await site.turn();
  await comment(page, "rather this");
  const moves = await page.locator("#moves .move").allTextContents();
  expect(moves).not.toEqual(line);
  await linked(site);
  await page.reload();
  await shows(page, "ann9");
  await expect(page.locator("#moves .note")).toHaveText("“rather this”");
  expect(await page.locator("#moves .move").allTextContents()).toEqual(moves);
  await expect(page.locator("#moves .other")).not.toHaveCount(0);
});

test("without https records are kept as well, and a browser that keeps none says so", async ({ site, page }) => {
  const path = record(10), plain = await page.context().newPage(), without = await page.context().newPage();
  await plain.addInitScript(() => {
    for (const [of, name] of [[Crypto.prototype, "subtle"], [Navigator.prototype, "locks"], [globalThis, "caches"]]) Object.defineProperty(of, name, { value: undefined });
  });
  await new Site(plain, site.address).open("?game=halma");
  await open(plain, path);
  await goTo(plain, 2);
  await comment(plain, "plain");
  await plain.reload();
  await shows(plain, "ann10");
  await expect(plain.locator("#moves .note")).toHaveText("“plain”");
  expect(await plain.evaluate(() => history.state.record)).toMatch(/^[0-9a-f]{32}$/);
  await without.addInitScript(() => { IDBFactory.prototype.open = () => { throw new Error("no database"); }; });
  await new Site(without, site.address).open("?game=halma");
  await open(without, path);
  await expect(without.locator("#say")).toContainText("cannot keep the record: a reload forgets it");
  await goTo(without, 2);
  await comment(without, "lost");
  await expect(without.locator("#say")).toContainText("cannot keep the comment");
  expect(notesIn(await saved(without))).toEqual([[1, 1, "lost"]]);
});
