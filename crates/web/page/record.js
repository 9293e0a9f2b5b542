// Records of games, as `judge match --record` and similar commands write them: JSON lines, one event each.

// The longest record that is opened, in bytes, and the most games that are listed.
export const LONGEST = 40_000_000;
export const MOST_GAMES = 1000;

export const isRecord = text => /^\uFEFF?\s*\{\s*"event"/.test(text);

// Parses a record into `{ game, rules, games: [{ number, players, input, moves: [{ output, analysis, cpu, left, score, note }], end }], left }`.
// An incomplete line, left by a killed run, is skipped. `left` is the number of games beyond MOST_GAMES.
export function readRecord(text) {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const whole = lines.pop();
  const events = lines.flatMap((line, at) => {
    if (!line.trim()) return [];
    try { return [[at + 1, JSON.parse(line)]]; } catch { return line.trimEnd().endsWith("}") ? [[at + 1, null]] : []; }
  });
  const fail = (line, words) => { throw new Error(`line ${line}: ${words}`); };
  const [first, header] = events[0] ?? [1, null];
  if (!events.length && whole) fail(1, "the record has no complete line");
  if (header?.event !== "header" || typeof header.game !== "string") fail(first, "expected the header of a record of games");
  const games = new Map();
  for (const [line, event] of events.slice(1)) {
    if (!event) fail(line, "expected an event as JSON");
    const game = games.get(event.game);
    if (event.event === "start") games.set(event.game, started(event, line, fail));
    else if (event.event === "move" || event.event === "play") {
      if (!game) fail(line, `a move of game ${event.game}, which has not started`);
      if (typeof event.output !== "string") fail(line, "expected a move with its output");
      game.moves.push({ output: event.output, analysis: event.analysis ?? null, cpu: event.cpu, left: event.left ?? null, score: event.score ?? null, note: event.note ?? null });
    } else if (event.event === "end") {
      if (!game) fail(line, `the end of game ${event.game}, which has not started`);
      game.end = { winner: event.winner ?? null, termination: String(event.termination), reason: String(event.reason ?? "") };
    }
  }
  if (!games.size) fail(first, "no game has started in this record");
  return { game: header.game, rules: header.rules ?? null, games: [...games.values()].slice(0, MOST_GAMES), left: Math.max(0, games.size - MOST_GAMES) };
}

function started(event, line, fail) {
  const players = event.players;
  if (typeof event.opening !== "string" || !Array.isArray(players) || players.length !== 2) fail(line, "expected the start of a game with its opening and two players");
  return { number: event.game, players: players.map(String), input: event.opening, moves: [], end: null };
}

// The title of a game in a list.
export function titleOf(game, sides) {
  const result = !game.end ? "not over" : game.end.winner === null ? `a draw, ${game.end.termination}` : `${sides?.[game.end.winner] ?? game.players[game.end.winner]} won, ${game.end.termination}`;
  return `${game.number}. ${game.players.join(" – ")}: ${result}, ${game.moves.length} plies`;
}
