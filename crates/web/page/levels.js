// The playing strengths of agents.
export const LEVELS = {
  beginner: { title: "beginner", against: "a beginner", words: "for a first game" },
  casual: { title: "casual", against: "a casual player", words: "sees its own gain" },
  club: { title: "club", against: "a club player", words: "sees your answer" },
  full: { title: "full strength", words: "the agent, thinking as long as you say" },
  // No agent, but a person elsewhere: the two send each other links, which hold the game.
  friend: { title: "friend", against: "a friend, by link", words: "you send each other links" },
};

// The strength of a level in each game, for its two sides. With `spread` an agent values each move by a search of
// `depth` plies and chooses among all moves at random, with a probability that falls exponentially with a move's loss: 0.02 plays nearly the
// best move, 1000 any move. With `nodes` it plays the game's agent's move. A beginner scores half against a player of random moves, casual
// against greedy, and club against minimax of two plies, as far as a seat allows: any foxes beat geese that look ahead less than three plies, and are
// beaten by others (research/measurements/browser.md). A negative spread errs on purpose, so that a beginner can win against it.
const any = { depth: 1, spread: 1000 };
export const STRENGTHS = {
  halma: { beginner: [{ depth: 1, spread: 0.5 }, { depth: 1, spread: 0.5 }], casual: [{ depth: 1, spread: 0.02 }, { depth: 1, spread: 0.02 }], club: [{ depth: 1, spread: 0.004 }, { depth: 1, spread: 0.004 }] },
  wolves: { beginner: [{ depth: 1, spread: -0.3 }, { depth: 1, spread: 1.2 }], casual: [{ depth: 1, spread: 2 }, { depth: 1, spread: 0.08 }], club: [{ nodes: 100 }, { nodes: 100 }] },
  squirrels: { beginner: [any, any], casual: [{ depth: 1, spread: 1.1 }, { depth: 1, spread: 1 }], club: [{ nodes: 20 }, { nodes: 8000 }] },
  foxgame: { beginner: [{ depth: 2, spread: -0.4 }, { depth: 1, spread: 2 }], casual: [{ depth: 1, spread: 0.7 }, { depth: 1, spread: 0.12 }], club: [{ nodes: 300 }, { nodes: 40 }] },
  foxgeese: { beginner: [{ depth: 2, spread: 0.2 }, any], casual: [{ depth: 2, spread: 0.15 }, { depth: 1, spread: 0.5 }], club: [{ nodes: 500 }, { nodes: 2000 }] },
};

// What each side's seat is: against perfect play, and against people.
export const LOST = "cannot win against perfect play, but wins easily against people";
const WON = "can always win, but a single mistake may lose it", EVEN = "as strong as the other side";
export const SEATS = { halma: [EVEN, EVEN], wolves: [LOST, WON], squirrels: [EVEN, EVEN], foxgame: [LOST, WON], foxgeese: [WON, LOST] };

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

// Chooses a move at a level `{ name, seed, ply, request }`, where `request` has the limits of the full-strength agent; `tried` is another
// strength than the level's.
export function choose(games, tell, input, rules, level, tried) {
  const { side, moves } = games.look(input, rules);
  const { depth, spread, nodes } = tried ?? STRENGTHS[games.game.name]?.[level.name]?.[side] ?? {};
  if (!spread) return games.think(tell, input, rules, nodes ? { nodes } : level.request);
  const weighed = moves.map(move => {
    const played = games.play(input, rules, move.output);
    const points = played.over ? result(games, played.over, side) : scoreFor(games, played.input, rules, side, depth);
    return { move, points, over: played.over };
  });
  const best = Math.max(...weighed.map(one => one.points));
  // Who errs on purpose does not give the game up at once.
  const weights = weighed.map(({ points, over }) => spread < 0 && over && points < 0 ? 0 : Math.exp(-Math.min((best - points) / games.game.curve.points, WORST) / spread));
  let left = chance(level.seed, level.ply) * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex(weight => (left -= weight) < 0);
  const { move } = weighed[at < 0 ? weights.length - 1 : at];
  return { output: move.output, text: move.text };
}
