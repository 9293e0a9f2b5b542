// The pages of `league`: a student hands in and watches, a teacher freezes and exports. PROGRAMS is the folder of the programs.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base, expect } from "@playwright/test";

const PROGRAMS = resolve(process.env.PROGRAMS ?? join(import.meta.dirname, "../../target/make"));
const STARTER = readFileSync(join(import.meta.dirname, "../../starters/halma/python/agent.py"), "utf8");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.PICTURES;
const NASTY = `<img src=x onerror="document.title='ran'">'&amp;`;
const ROSTER = `id,name,team,role
ann,Ann Example,The quick brown foxes,
bea,Beatrix Example,The quick brown foxes,
cem,"Cem ""${NASTY.replaceAll('"', '""')}""",,
dov,Dov,,
teo,Teo Teacher,,teacher
`;

// Quick ones, so that no check waits long for a worker.
const BASELINES = ["random", "greedy", "minimax:1"].map(kind => `\n[[baseline]]\nname = "baseline: ${kind}"\nengine = "reference:${kind}"\n`).join("");

// A league with programs that play, served until the test ends.
const test = base.extend({
  league: async ({}, use) => {
    const place = mkdtempSync(join(tmpdir(), "league-"));
    const command = (...words) => execFileSync(join(PROGRAMS, "league"), words, { cwd: place, encoding: "utf8" });
    command("init", "course", "--game", "halma", "--title", "CSCI 561, autumn & spring");
    const settings = join(place, "course/league.toml");
    let text = readFileSync(settings, "utf8");
    for (const [from, to] of [["# max-plies = 200", "max-plies = 16"], ["each = { time = 30.0 }", "each = { time = 90.0, margin = 60.0 }"], ["baselines = true", "baselines = false\n" + BASELINES], ["a-day = 20", "a-day = 50\ncheck-time = 240\ncheck-clock = 5.0"], ["# deadline", "deadline"], ["2026-12-10", "2999-12-10"]]) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(settings, text);
    writeFileSync(join(place, "roster.csv"), ROSTER);
    const links = Object.fromEntries(command("people", "course", "roster.csv").trim().split("\n").slice(1).map(line => [/[^",]+/.exec(line)[0], /\/enter\/([\w-]+)/.exec(line)[1]]));
    const server = spawn(join(PROGRAMS, "league"), ["serve", "course", "--port", "0", "--workers", "2"], { cwd: place, stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((found, failed) => {
      let said = "";
      server.stdout.on("data", data => { said += data; const line = /listening on (\S+)\//.exec(said); if (line) found(line[1]); });
      server.on("exit", code => failed(new Error(`the server ended: ${code}`)));
    });
    const enter = async (page, login) => {
      await page.goto(`${address}/enter/${links[login]}`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ladder");
    };
    await use({ address, enter });
    server.removeAllListeners("exit");
    server.kill();
    await new Promise(ended => server.once("exit", ended));
    rmSync(place, { recursive: true, force: true });
  },
  // A page without errors in its console.
  quiet: async ({ page }, use) => {
    const said = [];
    page.on("console", message => { if (["error", "warning"].includes(message.type())) said.push(message.text()); });
    page.on("pageerror", error => said.push(String(error)));
    page.on("dialog", dialog => { said.push(dialog.message()); dialog.dismiss(); });
    await use(page);
    expect(said, "no error in the console").toEqual([]);
  },
});

async function violations(page) {
  await page.evaluate(axe + ";0");
  return page.evaluate(() => axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`)])));
}

async function fits(page, address, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [[360, 800], [1280, 900]]) {
      await page.setViewportSize({ width, height });
      await page.goto(address);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${name}, ${width} px`).toBeLessThanOrEqual(0);
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(back.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 380).toBe(colorScheme === "light");
      if (pictures) await page.screenshot({ path: join(pictures, `league-${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    // All pages are looked at, also after one that has a fault.
    expect.soft(await violations(page), `${name}, ${colorScheme}`).toEqual([]);
  }
  expect(await page.title(), "no script of others runs").not.toBe("ran");
}

async function handIn(page, name, text) {
  await page.getByRole("link", { name: "My programs" }).click();
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/x-python", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Hand in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Version \d+$/);
  return page.url();
}

test("a student hands in and watches, a teacher freezes and exports", async ({ quiet: page, league, browser }) => {
  test.setTimeout(900_000);
  const patient = { timeout: 300_000 };
  const { address } = league;
  // Whoever has not signed in is told what to do.
  const answer = await page.request.get(address);
  expect([answer.status(), await answer.text()]).toEqual([401, expect.stringContaining("Open the link that your teacher gave you")]);

  await league.enter(page, "cem");
  // Not in the games of its check, whose clock is 10 s and what 150 starts take.
  const crashing = `import os, sys\nprint(${JSON.stringify(NASTY)}); print(${JSON.stringify(NASTY)}, file=sys.stderr)\n` +
    `if float(open("input.txt").read().split()[2]) > 80 and os.path.exists("playdata.txt"): sys.exit(3)\nopen("playdata.txt", "w").write("x")\n`;
  const nasty = await handIn(page, `${NASTY}.py`, crashing + STARTER);
  await page.locator("[data-fresh] pre", { hasText: "Unpacking and compiling" }).or(page.getByText("it plays")).first().waitFor(patient);
  // The report arrives without a reload by hand, and ends with what judge try says.
  await expect(page.locator("main p strong")).toContainText("it plays", patient);
  await expect(page.locator("main pre")).toContainText("language: Python");
  await page.locator("main").getByRole("link", { name: /Cem/ }).first().click();
  await page.waitForURL(/\/players\/\d+$/);
  const cem = page.url();

  const context = await browser.newContext({ reducedMotion: "reduce" });
  const ann = await context.newPage();
  await league.enter(ann, "ann");
  await handIn(ann, "homework.py", "print('<b>no move</b>')\n");
  await expect(ann.locator("main p strong")).toContainText("left no output.txt", patient);
  const refused = ann.url();
  await handIn(ann, "homework.py", STARTER);
  await expect(ann.locator("main p strong")).toContainText("it plays", patient);
  await ann.getByRole("link", { name: "My programs" }).click();
  await expect(ann.locator("tr.mine")).toContainText("active");
  // Somebody to play the final with Ann: Cem's program will be paused for its crashes.
  const dov = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await league.enter(dov, "dov");
  await handIn(dov, "homework.py", STARTER);
  await ann.getByRole("link", { name: "Ladder" }).click();
  await expect(ann.locator("tr.mine")).toContainText("The quick brown foxes");
  expect(await ann.locator("tbody tr").count()).toBeGreaterThanOrEqual(5);

  // The ladder shows the games that are being played, and their boards move. A game may end before its board is loaded.
  await expect(ann.locator(".now figure img").first()).toBeVisible(patient);
  await expect(async () => {
    const board = ann.locator(".now figure img").first();
    expect(await board.evaluate(board => board.decode().then(() => board.naturalWidth), null, { timeout: 2000 })).toBeGreaterThan(0);
  }).toPass(patient);
  const boards = () => ann.locator(".now figure img").evaluateAll(all => all.map(board => board.getAttribute("src")));
  const [shown] = await boards();
  await expect.poll(async () => (await boards()).every(board => board !== shown), patient).toBe(true);

  // A challenge is played before anything else.
  await ann.goto(cem);
  await ann.getByRole("button", { name: "Challenge" }).click();
  await expect(ann.getByRole("heading", { level: 1 })).toHaveText("Live");
  await expect(async () => {
    await page.goto(cem);
    await expect(page.locator("tbody tr", { hasText: "challenge" }).first()).toBeVisible({ timeout: 1000 });
    await expect(page.locator("tbody tr", { hasText: "own fault" }).first()).toBeVisible({ timeout: 1000 });
  }).toPass(patient);

  // Each game is a dot of the plot that leads to it, and each opponent has a line.
  expect(await page.locator(".plot a[href^='/games/'] circle.lost").count()).toBeGreaterThan(0);
  await expect(page.getByRole("region", { name: "By opponent" })).toContainText("The quick brown foxes");

  // A game: the player at fault sees the evidence, the other one does not.
  await page.locator("tbody tr", { hasText: "own fault" }).first().getByRole("link").first().click();
  const game = page.url();
  await expect(page.locator("details")).toContainText("The fault of");
  await expect(page.locator("details")).toContainText("onerror");
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("#board .piece").first()).toBeVisible(patient);
  await expect(frame.locator("#board .piece")).toHaveCount(38);
  const caption = await frame.locator("#caption").textContent();
  await frame.locator("#board").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(frame.locator("#slider")).toHaveValue("1");
  expect(await frame.locator("#caption").textContent()).not.toBe(caption);
  // What runs in the replay reaches nothing of the league.
  const inner = page.frames().find(one => one.url().includes("/replay"));
  expect(await inner.evaluate(async () => {
    const tries = [() => parent.document.title, () => document.cookie, () => localStorage.length];
    return tries.map(deed => { try { deed(); return "got"; } catch (error) { return error.name; } });
  })).toEqual(["SecurityError", "SecurityError", "SecurityError"]);
  await ann.goto(game);
  await expect(ann.locator("details")).toHaveCount(0);
  await expect(ann.locator("main")).toContainText("lost by a fault");
  // By a key: a click of Playwright's on a button below a sandboxed frame does not always arrive.
  await ann.getByRole("button", { name: "Analyse" }).press("Enter");
  await expect(ann.locator("main pre")).toContainText("Accuracy", patient);

  // The board comes first.
  const [board, evidence] = [page.locator("iframe"), page.locator("details")];
  expect((await board.boundingBox()).y).toBeLessThan((await evidence.boundingBox()).y);
  // Ann asks the staff to look again.
  await ann.goto(refused);
  await ann.getByLabel("To the staff").fill(`It did play: ${NASTY}`);
  await ann.getByLabel("look at this program again").check();
  await ann.getByRole("button", { name: "Write" }).click();
  await expect(ann.locator(".remark")).toContainText("please look again");

  // The teacher.
  const office = await (await browser.newContext({ reducedMotion: "reduce", acceptDownloads: true })).newPage();
  await league.enter(office, "teo");
  await office.getByRole("link", { name: "Staff" }).click();
  await office.getByLabel("Message on all pages").fill(`Office hours: ${NASTY}`);
  await office.getByRole("button", { name: "Set, or remove" }).click();
  await expect(office.locator(".notice")).toHaveText(`Office hours: ${NASTY}`);
  await expect(office.locator("main")).toContainText("GiB are free");
  await office.getByRole("link", { name: /The quick brown foxes.* v1/ }).click();
  await expect(office.locator(".remark")).toContainText("It did play");
  await office.getByLabel("To the players").fill("It wrote no move.");
  await office.getByRole("button", { name: "Write" }).click();
  await office.getByRole("link", { name: "Staff" }).click();
  await expect(office.locator("main")).not.toContainText("look again");
  await office.goto(cem);
  await office.getByLabel(/An own deadline/).fill("2999-12-24T12:00");
  await office.getByRole("button", { name: "Set", exact: true }).click();
  await expect(office.locator("main")).toContainText("Its own deadline: 2999-12-24 12:00");
  await office.getByRole("link", { name: "Staff" }).click();
  await office.getByRole("button", { name: "Freeze" }).click();
  await expect(office.locator(".notice").nth(1)).toContainText("The ladder has been frozen since");
  const [download] = await Promise.all([office.waitForEvent("download"), office.getByRole("link", { name: "canvas" }).click()]);
  const table = readFileSync(await download.path(), "utf8");
  expect(table.split("\n")[0]).toContain("SIS Login ID");
  expect(table).toContain("ann");
  await office.getByRole("spinbutton", { name: /Pairs of games/ }).fill("1");
  await expect(dov.locator("main p strong")).toContainText("it plays", patient);
  await office.getByRole("button", { name: "Play the final" }).click();
  await expect(office.getByRole("heading", { level: 1 })).toHaveText("Final");
  await expect(async () => {
    await office.goto(`${address}/final`);
    await expect(office.locator("tbody tr", { hasText: "Dov" })).toBeVisible({ timeout: 1000 });
    await expect(office.locator("tbody tr", { hasText: "The quick brown foxes" })).toBeVisible({ timeout: 1000 });
  }).toPass(patient);

  // Every page fits, is read aloud, light and dark.
  for (const [name, path] of [["ladder", "/"], ["table", "/table"], ["live", "/live"], ["rules", "/rules"], ["mine", "/mine"], ["account", "/account"], ["player", cem], ["game", game], ["submission", nasty], ["final", "/final"]]) {
    await fits(page, new URL(path, address).href, name);
  }
  await fits(ann, refused, "refused");
  await fits(ann, game, "analysed");
  for (const [name, path] of [["staff", "/staff"], ["log", "/staff/audit"], ["jobs", "/staff/jobs"], ["staff-player", cem], ["staff-ladder", "/"], ["staff-submission", nasty]]) await fits(office, new URL(path, address).href, name);
  await office.getByRole("link", { name: "Staff" }).click();
  await office.locator("tr", { hasText: "dov" }).getByRole("button", { name: "New link" }).click();
  await expect(office.locator("main pre")).toContainText("/enter/");
  expect(await violations(office)).toEqual([]);
});

test("a page works without its script, and by keyboard", async ({ league, browser }) => {
  test.setTimeout(600_000);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await league.enter(page, "dov");
  const place = await handIn(page, "homework.py", STARTER);
  await expect(async () => {
    await page.goto(place);
    await expect(page.locator("main p strong")).toContainText("it plays", { timeout: 1000 });
  }).toPass({ timeout: 300_000 });
  const usual = await (await browser.newContext()).newPage();
  await league.enter(usual, "ann");
  for (let presses = 0; presses < 3; presses++) await usual.keyboard.press("Tab");
  await usual.keyboard.press("Enter");
  await expect(usual.getByRole("heading", { level: 1 })).not.toHaveText("Ladder");
  // A file that is too large is told before it is sent.
  await usual.goto(`${league.address}/mine`);
  const large = join(mkdtempSync(join(tmpdir(), "large-")), "large.zip");
  writeFileSync(large, Buffer.alloc(21 * 1024 * 1024));
  await usual.locator("input[type=file]").setInputFiles(large);
  await usual.getByRole("button", { name: "Hand in", exact: true }).click();
  expect(await usual.locator("input[type=file]").evaluate(input => input.validationMessage)).toBe("The file is larger than 20 MiB.");
  expect(usual.url()).toBe(`${league.address}/mine`);
});
