import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// The system's Chromium: no browser is downloaded.
const names = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? names.find(existsSync);
if (!executablePath) throw new Error("no Chromium here: apt-get install chromium, or give its path in the variable CHROMIUM");

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.mjs",
  outputDir: "../../target/browser-tests",
  // A loaded machine is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: true,
  reporter: "list",
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] },
  },
});
