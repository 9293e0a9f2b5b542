// Compares the games' WebAssembly modules with the native agents: the same move at the same nodes on every file of inputs/.
//   node tests/browser/compare-modules.mjs SITE BIN [NODES]      SITE: the folder of the modules; BIN: the folder of the agents
// Prints a line for each game: files compared, different moves, files that are not positions (homework files of Squirrels),
// bytes (brotli), milliseconds to the first position, and CPU seconds of both. Exit code 1 if a move differs.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { load } from "./module.mjs";

const [site, bin, nodes = "50000"] = process.argv.slice(2);
if (!site || !bin) {
  console.error("usage: node tests/browser/compare-modules.mjs SITE BIN [NODES]");
  process.exit(2);
}
const HASH = 32;
const inputs = fileURLToPath(new URL("../../inputs/", import.meta.url));
let different = 0;
console.log("game       same  different  no position  brotli bytes  ready ms  wasm s  native s  wasm nodes/s");
for (const game of readdirSync(inputs).sort()) {
  const began = performance.now();
  const { module, bytes } = await load(site, game);
  const { agentRules } = module.game();
  module.start(agentRules, 1);
  const ready = performance.now() - began;
  let [same, none, wasm, native, searched] = [0, 0, 0, 0, 0];
  for (const name of readdirSync(path.join(inputs, game)).filter(name => name.endsWith(".txt")).sort()) {
    const file = path.join(inputs, game, name), text = readFileSync(file, "utf8");
    try { module.look(text, agentRules); } catch { none += 1; continue; }
    let from = process.cpuUsage();
    let answer;
    try { answer = module.think(text, agentRules, { nodes: Number(nodes), hash: HASH }, () => true); }
    catch { none += 1; continue; }
    let used = process.cpuUsage(from);
    const took = (used.user + used.system) / 1e6;
    wasm += took;
    if (answer.nodes) searched += answer.nodes;
    const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$0" "$@"', path.join(bin, game), "--nodes", nodes, "--hash", String(HASH),
      "--input", file, "--output", "-"], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(`${game} ${file}: ${run.stderr}`);
    const said = run.stdout, times = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
    native += times[0] + times[1];
    if (said.trim() === answer.output.trim()) same += 1;
    else { different += 1; console.error(`${game}/${name}: native ${JSON.stringify(said)}, wasm ${JSON.stringify(answer.output)}`); }
  }
  const packed = brotliCompressSync(bytes).length;
  console.log([game.padEnd(9), String(same).padStart(5), String(different).padStart(9), String(none).padStart(12), String(packed).padStart(13),
    ready.toFixed(1).padStart(9), wasm.toFixed(2).padStart(7), native.toFixed(2).padStart(9), String(Math.round(searched / wasm)).padStart(13)].join(" "));
}
process.exit(different ? 1 : 0);
