// The pages of `judge replay`, `judge grade-all`, `judge tournament` and `judge monitor`. PROGRAMS is the folder of the programs.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base, expect } from "@playwright/test";

const PROGRAMS = resolve(process.env.PROGRAMS ?? join(import.meta.dirname, "../../target/make"));
const SIZES = [[360, 800], [760, 800], [901, 800], [1180, 800], [1440, 900]];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.PICTURES;
const NASTY = "<img src=x onerror=alert(1)>'\"&amp;#..";

const test = base.extend({
  // A page without errors in its console.
  quiet: async ({ page }, use) => {
    const said = [];
    page.on("console", message => { if (["error", "warning"].includes(message.type())) said.push(message.text()); });
    page.on("pageerror", error => said.push(String(error)));
    await use(page);
    expect(said, "no error in the console").toEqual([]);
  },
});

function judge(place, ...words) {
  try { execFileSync(join(PROGRAMS, "judge"), words, { cwd: place, stdio: "pipe" }); } catch (error) {
    if (error.status !== 1) throw new Error(`${words.join(" ")}\n${error.stdout}${error.stderr}`);
  }
}
const folder = () => mkdtempSync(join(tmpdir(), "pages-"));

// What axe-core finds. A page's policy allows no foreign script to be added, but the developer's tools may run one.
async function violations(page) {
  await page.evaluate(axe + ";0");
  return page.evaluate(() => axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`)])));
}
async function fits(page, address, name, sizes = SIZES) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.goto("about:blank");
      await page.goto(address);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${name}, ${width} px`).toBeLessThanOrEqual(0);
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(back.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 380).toBe(colorScheme === "light");
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
    }
    expect(await violations(page), name).toEqual([]);
  }
}

// A page with an analysed game of Halma, one with a refused move, and one of Foxes and Geese.
function replayPage(place) {
  judge(place, "match", "--seed", "7", "--game", "halma", "--games", "2", "--max-plies", "40", "--each", "time=50", "--engine", "name=one", "engine=reference:alphabeta:2",
    "--engine", "name=</script><b>two", "engine=reference:random", "--record", "games.jsonl");
  judge(place, "analyse", "games.jsonl", "--nodes", "2000", "--record", "analysed.jsonl");
  judge(place, "match", "--seed", "7", "--game", "halma", "--games", "2", "--each", "time=50", "--engine", "name=wrong", "cmd=sh -c 'echo E 15,15 3,9 > output.txt'",
    "--engine", "name=right", "engine=reference:random", "--record", "refused.jsonl");
  judge(place, "match", "--seed", "7", "--game", "foxgeese", "--games", "2", "--each", "time=50", "--engine", "name=a", "engine=reference:random", "--engine",
    "name=reference:minimax:2", "engine=reference:minimax:2", "--record", "geese.jsonl");
  judge(place, "analyse", "geese.jsonl", "--nodes", "500", "--record", "geese-analysed.jsonl");
  judge(place, "replay", "analysed.jsonl", "refused.jsonl", "geese-analysed.jsonl", "--html", "page.html");
  return `file://${place}/page.html`;
}

test("in a low window the whole board of a replay is seen, and every part that scrolls has the focus of keys", async ({ quiet: page }) => {
  const address = replayPage(folder());
  for (const [width, height] of [[780, 360], [1000, 500], [512, 384]]) {
    await page.setViewportSize({ width, height });
    await page.goto("about:blank");
    await page.goto(address);
    const board = await page.locator("#board svg").boundingBox();
    expect(board.y >= 0 && board.y + board.height <= height && board.height > height / 2, `${width} x ${height}: ${JSON.stringify(board)}`).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page), `${width} x ${height}`).toEqual([]);
  }
});

test("replay pages", async ({ quiet: page }) => {
  test.slow();
  const address = replayPage(folder()), text = id => page.locator(`#${id}`).textContent();
  await page.goto(address);
  expect(await page.evaluate(() => location.hash)).toBe("#1.1/0");
  expect(new Set(await page.locator("#list h2").allTextContents()).size).toBe(3);
  expect(await text("head")).toMatch(/score.*depth.*CPU/s);
  const marks = await page.evaluate("games[0].positions.filter(p => p.analysis?.mark).length");
  expect(marks).toBeGreaterThan(0);
  await expect(page.locator("#moves .mark")).toHaveCount(marks);
  await expect(page.locator("#plot .tick")).toHaveCount(marks);
  await expect(page.locator("#plot .chance")).toHaveCount(1);
  await expect(page.locator(".accuracy")).toHaveCount(2);
  // The CPU time of each move that took any: a bar, the longest in the legend, and the mean, the most and the share of the clock below it.
  const timed = await page.evaluate("games[0].positions.filter(p => p.cpu > 0).length");
  expect(timed).toBeGreaterThan(0);
  await expect(page.locator("#plot .time")).toHaveCount(timed);
  await expect(page.locator("#legend summary")).toHaveText(/^bars: CPU a move, at most [\d.]+ s$/);
  await expect(page.locator(".times").first()).toHaveText(/^[A-Z]+: mean [\d.]+ s, most [\d.]+ s at move \d+, [\d.]+ % of the clock$/);
  await expect(page.locator("#board .piece")).toHaveCount(38);
  await page.keyboard.press("m");
  expect(await text("caption")).toContain("better:");
  await expect(page.locator("#board .better .head")).not.toHaveCount(0);
  await expect(page.locator("#board .way")).toHaveCount(1);
  // Eight moves and more stay visible beside a finding.
  const rows = await page.evaluate(() => {
    const box = document.getElementById("moves").getBoundingClientRect();
    return [...document.querySelectorAll("#moves li")].filter(row => { const own = row.getBoundingClientRect(); return own.top >= box.top - 1 && own.bottom <= box.bottom + 1; }).length;
  });
  expect(rows, `rows of ${await page.locator("#moves li").evaluateAll(rows => rows.slice(0, 9).map(row => row.offsetHeight))}`).toBeGreaterThanOrEqual(8);
  const board = () => page.locator("#board .pieces").innerHTML(), before = await board();
  await page.locator("#better .line button").first().click();
  expect(await text("caption")).toContain("better line, move 1 of");
  expect(await board()).not.toBe(before);
  await expect(page.locator("#board .piece")).toHaveCount(38);
  await page.keyboard.press("Escape");
  expect(await board()).toBe(before);
  await page.evaluate(() => { location.hash = "#1.2/5"; });
  await expect(page.locator("#slider")).toHaveValue("5");
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => location.hash)).toBe("#1.2/6");
  await page.evaluate(() => { location.hash = "#9.9/9999"; });
  await page.waitForFunction("current === 0");
  await page.locator("#list button").nth(1).focus();
  await page.keyboard.press(" ");
  expect(await page.evaluate("[current, timer]")).toEqual([1, null]);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press(" ");
  expect(await page.evaluate("timer !== null")).toBe(true);
  await page.keyboard.press(" ");
  await page.evaluate("show(3); document.querySelector('#moves .now button').focus()");
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => document.activeElement.textContent)).toMatch(/^4\. /);
  await page.locator("#list button").nth(2).click();
  await page.keyboard.press("End");
  expect(await page.locator("#moves .now").textContent()).toContain("illegal move");
  await expect(page.locator("#board .refused .head")).not.toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("current")).toBe(3);
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate("current")).toBe(2);
  await page.keyboard.press("Home");
  expect(await page.evaluate("games[current].positions[0].input")).toMatch(/^GAME\nWHITE\n50\.0\n/);
  await page.locator("[data-go=copy]").click();
  await expect(page.locator("[data-go=copy]")).toHaveText(/copied|copy it from below/);
  await page.evaluate("document.querySelectorAll('#list button')[4].click(); show(Infinity)");
  expect(await text("end")).toMatch(/wins: \w+/);
  expect((await page.locator("#board .name").allTextContents()).join("")).toBe("01234560123456");
  // The button that leads to the turning move looks like the others. These games are too short to have one.
  const [turning, usual] = await page.evaluate(`games[0].turned = 3; document.querySelector("#list button").click();
    [document.querySelector("#end button"), document.querySelector("[data-go=copy]")].map(one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).borderRadius])`);
  expect(turning).toEqual(usual);
  // A name of usual length is not broken.
  const heights = await page.locator(".player > :first-child").evaluateAll(names => names.map(name => name.offsetHeight));
  expect(Math.max(...heights)).toBeLessThan(40);
  await fits(page, `${address}#1.1/1`, "replay");
});

// Two that play, one of them with a nasty name, one that moves wrongly from its fifth move on, one that crashes, one that gives no answer
// in a game, one that cannot be run.
function classFolder(place) {
  const players = { ann: "PLAY", [NASTY]: "PLAY",
    bob: "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; if [ $n -gt 3 ]; then echo E 0,0 9,9 > output.txt; else PLAY; fi; echo move E 13,13 13,12 0.7 >&2; echo note lost >&2",
    eve: "echo '<script>document.title = \"ran\"</script>' >&2; exit 3", fay: "grep -q SINGLE input.txt && PLAY", zoe: null };
  for (const [name, lines] of Object.entries(players)) {
    const own = join(place, "class", name);
    mkdirSync(own, { recursive: true });
    if (lines === null) writeFileSync(join(own, "command"), "./missing\n");
    else writeFileSync(join(own, "play.sh"), lines.replaceAll("PLAY", `${join(PROGRAMS, "halma")} --nodes 200`));
  }
}

test("a page opens at the first analysed game", async ({ quiet: page }) => {
  const place = folder();
  judge(place, "match", "--seed", "7", "--game", "foxgeese", "--games", "2", "--each", "time=50", "--engine", "name=a", "engine=reference:random", "--engine",
    "name=b", "engine=reference:greedy", "--record", "games.jsonl");
  judge(place, "analyse", "games.jsonl", "--game", "2", "--nodes", "200", "--record", "analysed.jsonl");
  judge(place, "replay", "analysed.jsonl", "--html", "page.html");
  await page.goto(`file://${place}/page.html`);
  expect(await page.evaluate("[games[current].game, ply]")).toEqual([2, 0]);
  await page.goto(`file://${place}/page.html#1/3`);
  await page.waitForFunction("games[current].game === 1 && ply === 3");
});

test("class and ranking pages", async ({ quiet: page }) => {
  test.slow();
  const place = folder(), command = ["--own-commands", "--cmd", `sh play.sh ${join(PROGRAMS, "halma")}`];
  classFolder(place);
  writeFileSync(join(place, "scheme.toml"), `game = "halma"
max-plies = 30
[[positions]]
count = 3
clock = 30
[[games]]
count = 2
points = 10
reference = "minimax:1"
clock = 100
`);
  judge(place, "grade-all", "--game", "halma", "class", ...command, "--scheme", "scheme.toml", "--csv", "grades.csv", "--page", "class.html");
  const address = `file://${place}/class.html`;
  await page.goto(address);
  const ranks = await page.locator("[aria-label=Ranking] tbody tr").evaluateAll(rows => rows.map(row => row.cells[1].textContent));
  expect(ranks.length).toBe(6);
  // Long words do not make high rows of a narrow window.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(Math.max(...await page.locator("[aria-label=Ranking] tbody tr").evaluateAll(rows => rows.map(row => row.offsetHeight)))).toBeLessThan(110);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(ranks.slice(0, 2).sort()).toEqual([NASTY, "ann"].sort());
  expect(await page.evaluate(() => [document.images.length, document.scripts.length])).toEqual([0, 0]);
  expect(await page.locator("svg").first().getAttribute("aria-label")).toContain("Submissions by points");
  const matrix = await page.locator("[aria-label='Tests by submissions'] tbody tr").evaluateAll(rows => rows.map(row => row.cells.length));
  expect(matrix.sort()).toEqual([2, 6, 6, 6, 6, 6]);
  const links = await page.evaluate(() => [...document.links].map(link => link.href));
  expect(links.every(link => link.startsWith(`file://${place}/class-pages/`))).toBe(true);
  for (let step = 0; step < 3; step++) await page.keyboard.press("Tab");
  expect(await page.evaluate(() => [document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle !== "none"])).toEqual(["A", true]);
  const seen = { games: 0, report: 0 };
  for (const link of [...new Set(links)].sort()) {
    await page.goto(link);
    if (link.includes("/games/")) {
      seen.games++;
      if (link.includes("#")) expect(await page.evaluate(() => location.hash)).toBe(`#${link.split("#")[1]}`);
      await expect(page.locator("#caption")).not.toBeEmpty();
    } else {
      seen.report++;
      expect(await page.locator("h1, h1 + p").allTextContents().then(texts => texts.join(""))).toContain("points");
      expect(await page.title()).not.toBe("ran");
    }
  }
  expect([seen.report, seen.games > 10]).toEqual([6, true]);
  await fits(page, address, "class", [[360, 900], [1440, 900]]);
  await fits(page, links.find(link => link.endsWith("/reports/bob.html")), "report", [[360, 900], [1440, 900]]);
  // Each lost position is drawn, with the board once, and what the output names is marked.
  const lost = await page.locator("svg.position").count();
  expect([lost > 0, await page.locator("#board").count(), await page.locator("svg.position .piece").count() > 20 * lost]).toEqual([true, 1, true]);
  expect(await page.locator("svg.position .refused .head, svg.position .refused .ring").count()).toBeGreaterThan(0);
  // Its thoughts there are blue, as on every board.
  await expect(page.locator("svg.position .thought.strength-4 .head").first()).toHaveCSS("fill", "rgb(27, 98, 196)");
  await expect(page.locator("pre").first()).toContainText("Its thoughts: E 13,13 13,12 0.7; lost");
  const drawn = await page.locator("svg.position").last().evaluate(svg => [svg.getBoundingClientRect().width > 200, getComputedStyle(svg.querySelector("use")).display !== "none"]);
  expect(drawn).toEqual([true, true]);
  judge(place, "tournament", "--seed", "7", "--game", "halma", "--from", "class", ...command, "--shape", "swiss", "--rounds", "2", "--games", "2", "--max-plies", "20",
    "--record", "ranking.jsonl", "--page", "ranking.html");
  await fits(page, `file://${place}/ranking.html`, "ranking", [[360, 900], [1440, 900]]);
  const names = await page.locator("[aria-label=Ranking] tbody tr").evaluateAll(rows => rows.map(row => row.cells[1].textContent));
  expect(names.sort()).toEqual(["ann", "bob", "eve", "fay", NASTY.replace('"', "'")].sort());
  const last = await page.evaluate(() => document.links[document.links.length - 1].href);
  await page.goto(last);
  expect(await page.evaluate(() => location.hash)).toBe(`#${last.split("#")[1]}`);
});

test("the monitor's page follows a game", async ({ quiet: page }) => {
  test.slow();
  const server = spawn(join(PROGRAMS, "judge"), ["monitor", "--port", "0", "--http", "0", "--timeslice", "60", "--games", "2"], { stdio: ["ignore", "ignore", "pipe"] });
  try {
    let said = "";
    const ports = await new Promise(done => server.stderr.on("data", data => {
      said += data;
      const found = [...said.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
      if (found.length > 1) done(found);
    }));
    await page.goto(`http://127.0.0.1:${ports[1]}/`);
    await expect(page.locator("#caption")).toContainText("waiting");
    for (const role of ["fox", "sheep"]) spawn(join(PROGRAMS, "foxgame"), ["-a", "127.0.0.1", "-p", ports[0], "-r", role, "-n", role], { stdio: "ignore" });
    await page.waitForFunction("last.over === true", null, { timeout: 300_000 });
    const count = await page.evaluate("moves.length"), rows = await page.locator("#log li").allTextContents();
    expect(count).toBeGreaterThan(4);
    expect(rows.map(row => Number(row.split(".")[0]))).toEqual([...Array(count).keys()].map(at => count - at));
    const points = rows.flatMap(row => [...row.matchAll(/(\d),(\d)/g)]).flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect([Math.min(...points) >= 1, Math.max(...points) <= 7]).toEqual([true, true]);
    expect((await page.locator("#board .name").allTextContents()).slice(0, 7).join("")).toBe("1234567");
    await page.locator("#log li button").last().click();
    expect(await page.locator("#caption").textContent()).toMatch(/^1\. FOX/);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  } finally { server.kill(); }
});
