// How strong an agent plays. The two weaker levels see a few plies and then choose by chance among all moves, the worse a move the
// more rarely; the others are the games' agents, the club's with little time.
export const LEVELS = {
  beginner: { title: "beginner", words: "sees two plies, and errs often", depth: 1, spread: 0.5 },
  casual: { title: "casual", words: "sees three plies, and errs sometimes", depth: 2, spread: 0.12 },
  club: { title: "club", words: "the agent with 20,000 nodes a move", nodes: 20000 },
  full: { title: "full strength", words: "the agent, thinking as long as you say" },
};

// Regrets above this many times e to 1 are all alike: a hopeless move is chosen once in a blue moon.
const WORST = 4;

// A number from 0 to 1 for a seed and a ply: the same on every machine (a step of the generator known as mulberry32).
export function chance(seed, ply) {
  let t = (seed + Math.imul(ply + 1, 0x6d2b79f5)) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

// What a position is worth to a side, in points: by a plain search that no table and no proof helps.
function worth(games, input, rules, side, depth) {
  let sign = 1;
  for (let step = 0; step < 8; step++) {
    const found = games.think(() => {}, input, rules, { algorithm: "alphabeta", depth });
    const mover = games.look(input, rules).side;
    sign = mover === side ? 1 : -1;
    if (found.score !== undefined) return sign * found.score;
    // A single move is not searched: make it.
    const played = games.play(input, rules, found.output);
    if (played.over) return result(games, played.over, side);
    input = played.input;
  }
  return 0;
}

function result(games, over, side) {
  if (over.winner === null) return 0;
  return over.winner === side ? 2 * games.game.winBound : -2 * games.game.winBound;
}

// The move of a level: `{ name, seed, ply, request }`, the request for the agents at full strength.
export function choose(games, tell, input, rules, level) {
  const { depth, spread, nodes } = LEVELS[level.name];
  if (!spread) return games.think(tell, input, rules, nodes ? { nodes } : level.request);
  const { side, moves } = games.look(input, rules);
  const weighed = moves.map(move => {
    const played = games.play(input, rules, move.output);
    const points = played.over ? result(games, played.over, side) : worth(games, played.input, rules, side, depth);
    return { move, points };
  });
  const best = Math.max(...weighed.map(one => one.points));
  const weights = weighed.map(({ points }) => Math.exp(-Math.min((best - points) / games.game.curve.points, WORST) / spread));
  let left = chance(level.seed, level.ply) * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex(weight => (left -= weight) < 0);
  const { move } = weighed[at < 0 ? weights.length - 1 : at];
  return { output: move.output, text: move.text };
}
