// What a visitor sees when the page cannot start, or was asked for something that it does not have.
import { expect, test } from "./site.mjs";

// The box of the message lies within the window, and has the words.
async function says(page, words) {
  const place = page.locator("#trouble");
  await expect(place).toBeVisible();
  await expect(place).toContainText(words);
  const box = await place.boundingBox();
  expect(box.height > 20 && box.y >= 0 && box.y + box.height <= page.viewportSize().height, JSON.stringify(box)).toBe(true);
}
const damaged = body => route => route.fulfill({ body, contentType: "text/javascript" });
const blocked = route => route.abort();

for (const [file, answer, words] of [
  ["page.js", blocked, "page.js"], ["flow.js", blocked, "cannot be loaded"], ["board.js", blocked, "board.js"], ["flow.js", damaged("export const begin = ;"), "Unexpected token"],
  ["worker.js", blocked, "worker.js cannot be loaded"], ["halma.js", blocked, "halma.js"], ["halma.wasm.gz", blocked, "cannot start"], ["halma.wasm.gz", damaged("no module"), "is damaged"],
  ["halma.wasm.gz", route => route.fulfill({ status: 404 }), "404"],
]) test(`${file} ${answer === blocked ? "blocked" : `damaged (${words})`}: the page says that it cannot start`, async ({ page, server }) => {
  await page.route(`**/${file}`, answer);
  await page.goto(`${server.address}?game=halma`);
  await says(page, words);
});

for (const [name, script, words] of [
  ["web workers", () => { delete window.Worker; }, "web workers"],
  ["WebAssembly", () => { delete window.WebAssembly; }, "WebAssembly"],
  ["vectors in WebAssembly", () => { WebAssembly.validate = () => false; }, "SIMD"],
]) for (const start of ["index", "puzzles"]) test(`${start} says that the browser has no ${name}`, async ({ page, server }) => {
  await page.addInitScript(script);
  await page.goto(server.address.replace("index", start));
  if (start === "index") await says(page, words);
  else await expect(page.locator("#say")).toContainText(words);
});

test("without any script the page says after ten seconds that it has not started", async ({ page, server }) => {
  await page.route("**/*.js", blocked);
  for (const start of ["index", "puzzles"]) {
    await page.goto(server.address.replace("index", start));
    await expect(page.locator("#trouble")).toBeHidden();
    await says(page, "has not started");
  }
});

for (const [address, words] of [["index.html?game=chess", "no game “chess”"], ["index.html#g=nonsense", "link is damaged"], ["puzzles.html?game=chess", "no puzzles of “chess”"], ["puzzles.html?game=halma#99", "no puzzle 99"]])
  test(`${address} is answered in words, and with what there is`, async ({ site, page }) => {
    await page.goto(site.address.replace("index.html", address));
    await says(page, words);
    await expect(page.locator("#board .piece").first()).toBeVisible();
    if (address.startsWith("puzzles")) return;
    // The message goes with the first game.
    await page.click("#play");
    await expect(page.locator("#trouble")).toBeHidden();
  });

test("a link to a game is opened, and no message stays", async ({ site, page }) => {
  await site.fresh("?game=halma");
  await expect(page.locator("#trouble")).toBeHidden();
});

test("without CompressionStream a game is played, kept, and opened from its link", async ({ site, page }) => {
  await page.addInitScript(() => { delete window.CompressionStream; });
  await site.fresh("?game=foxgame");
  await site.turn();
  await site.until(() => import("./flow.js").then(async flow => location.hash === `#g=${await flow.packed()}`));
  const link = await page.evaluate(() => location.hash), moves = await page.locator("#moves .move").allTextContents();
  await page.evaluate(() => localStorage.clear());
  await site.open(link);
  expect(await page.locator("#moves .move").allTextContents()).toEqual(moves);
  // A link of another browser, which has compressed it.
  await page.evaluate(() => { delete window.DecompressionStream; });
  expect(await page.evaluate(() => import("./tree.js").then(({ unpack }) => unpack("abcd").catch(error => error.message)))).toContain("DecompressionStream");
});
