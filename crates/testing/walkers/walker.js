const fs = require("fs");
const lines = fs.readFileSync("input.txt", "utf8").split("\n").map((line) => line.trim());
const side = lines[1], rows = lines.slice(3, 19), black = side === "BLACK", step = black ? 1 : -1;
const camp = (x, y) => y < 5 && x < [5, 5, 4, 3, 2][y];
const goal = (x, y) => (black ? camp(15 - x, 15 - y) : camp(x, y));
function walk() {
  for (const pass of [0, 1])
    for (let i = 0; i < 256; i++) {
      const x = black ? 15 - (i % 16) : i % 16, y = black ? 15 - (i >> 4) : i >> 4;
      if (rows[y][x] !== side[0]) continue;
      for (let k = 0; k < 9; k++) {
        const dx = (1 - (k % 3)) * step, dy = (1 - Math.floor(k / 3)) * step, tx = x + dx, ty = y + dy;
        if (tx < 0 || ty < 0 || tx > 15 || ty > 15 || rows[ty][tx] !== ".") continue;
        if (pass === 0 && (dx * step < 0 || dy * step < 0)) continue;
        if (goal(x, y) && !goal(tx, ty)) continue;
        return `E ${x},${y} ${tx},${ty}\n`;
      }
    }
  return "";
}
fs.writeFileSync("output.txt", walk());
