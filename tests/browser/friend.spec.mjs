// A game against a friend by links, which hold the game: two browsers, no server.
import { join } from "node:path";
import { Site, expect, test, violations } from "./site.mjs";

for (const [width, height, colorScheme] of [[1280, 800, "light"], [360, 740, "dark"]])
  test(`a whole game goes by links between two browsers at ${width} px`, async ({ browser, server }) => {
    test.slow();
    const open = async () => {
      const page = await (await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" })).newPage();
      return { page, site: new Site(page, server.address) };
    };
    const [one, other] = [await open(), await open()], state = ({ page }) => page.evaluate(() => import("./state.js").then(({ state }) => ({ players: state.players, ply: state.tree.at.ply, side: state.tree.at.seen?.side })));
    await one.site.fresh("?game=squirrels", false);
    await one.page.selectOption("#player1", "friend");
    await expect(one.page.locator("#invited")).toHaveText("You play Red, against a friend, by link.");
    await one.page.click("#play");
    await expect(one.page.locator("#post")).toBeHidden();
    await expect(one.page.locator("#giving")).toBeHidden();
    // Each opens what the other sends, moves, and sends a link back.
    for (let ply = 0, [here, there] = [one, other]; ply < 25; ply++, [here, there] = [there, here]) {
      expect(await state(here)).toMatchObject({ ply, side: ply % 2 });
      await here.site.click((await here.site.cells("mover"))[0]);
      await expect.poll(async () => (await state(here)).ply).toBe(ply + 1);
      await expect(here.page.locator("#post")).toBeVisible();
      if (ply < 24) await expect(here.page.locator("#say")).toContainText("Send your friend this link.");
      const letter = () => here.page.locator("#letter").inputValue();
      const before = ply > 1 ? here.sent : "";
      await expect.poll(letter).not.toBe(before);
      await here.site.until(ply => import("./tree.js").then(({ unpack }) => unpack(document.getElementById("letter").value.split("#g=")[1])).then(({ moves }) => moves.length === ply + 1), ply);
      here.sent = await letter();
      if (ply === 0) {
        expect(await violations(here.page)).toEqual([]);
        expect(await here.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        if (process.env.PICTURES) await here.page.screenshot({ path: join(process.env.PICTURES, `friend-${width}.png`) });
      }
      await there.site.open(new URL(here.sent).hash, false);
      expect((await state(there)).players, "the other seat").toEqual(there === other ? ["friend", "you"] : ["you", "friend"]);
    }
    const results = [await one.site.text("result"), await other.site.text("result")].sort();
    expect(["You lose,You win!", "A draw,A draw"]).toContain(String(results));
  });
