// The playing strengths of agents. The two weaker levels search a few plies and then choose among all moves at random, with a
// probability that falls exponentially with a move's loss; the others are the games' agents, `club` with few nodes.
export const LEVELS = {
  beginner: { title: "beginner", words: "sees two plies, and errs often", depth: 1, spread: 0.5 },
  casual: { title: "casual", words: "sees three plies, and errs sometimes", depth: 2, spread: 0.12 },
  club: { title: "club", words: "the agent with 20,000 nodes a move", nodes: 20000 },
  full: { title: "full strength", words: "the agent, thinking as long as you say" },
};

// The largest loss of a move, in logits, that counts; larger ones are clamped to it, so that every move keeps a small probability.
const WORST = 4;

// A pseudo-random number from 0 to 1 for a seed and a ply, the same on every machine: one step of the generator mulberry32.
export function chance(seed, ply) {
  let t = (seed + Math.imul(ply + 1, 0x6d2b79f5)) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

// The score of a position for a side, in points, by a plain alpha-beta search without tables or proofs.
function scoreFor(games, input, rules, side, depth) {
  let sign = 1;
  for (let step = 0; step < 8; step++) {
    const found = games.think(() => {}, input, rules, { algorithm: "alphabeta", depth });
    const mover = games.look(input, rules).side;
    sign = mover === side ? 1 : -1;
    if (found.score !== undefined) return sign * found.score;
    // A single legal move is not searched: play it and go on.
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

// Chooses a move at a level `{ name, seed, ply, request }`, where `request` has the limits of the full-strength agent.
export function choose(games, tell, input, rules, level) {
  const { depth, spread, nodes } = LEVELS[level.name];
  if (!spread) return games.think(tell, input, rules, nodes ? { nodes } : level.request);
  const { side, moves } = games.look(input, rules);
  const weighed = moves.map(move => {
    const played = games.play(input, rules, move.output);
    const points = played.over ? result(games, played.over, side) : scoreFor(games, played.input, rules, side, depth);
    return { move, points };
  });
  const best = Math.max(...weighed.map(one => one.points));
  const weights = weighed.map(({ points }) => Math.exp(-Math.min((best - points) / games.game.curve.points, WORST) / spread));
  let left = chance(level.seed, level.ply) * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex(weight => (left -= weight) < 0);
  const { move } = weighed[at < 0 ? weights.length - 1 : at];
  return { output: move.output, text: move.text };
}
