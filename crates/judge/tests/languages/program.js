// Worker threads, files, random bytes and compression; then the agent plays.
const { Worker, isMainThread } = require("worker_threads");
const { execFileSync } = require("child_process");
const fs = require("fs");

if (!isMainThread) {
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += i;
  process.exit(0);
}

async function main() {
  const ended = () => new Promise((resolve) => new Worker(__filename).on("exit", resolve));
  await Promise.all([ended(), ended(), ended(), ended()]);
  await fs.promises.writeFile("own", "x");
  await fs.promises.rename("own", "renamed");
  fs.unlinkSync("renamed");
  require("crypto").randomBytes(8);
  require("zlib").gzipSync("x".repeat(1000));
  execFileSync(process.argv[2], ["--depth", "1"]);
}

main();
