// Records of games, as `judge match --record` and similar commands write them: JSON lines, one event each.

// For how long a long record is read at a time, in milliseconds: the page stays alive between.
const SLICE = 20;

// The events of a record's lines, each with the number of its line, from 1; null for a line that is none. An incomplete last line, left by
// a killed run, is skipped.
async function eventsOf(lines) {
  const events = [];
  let since = performance.now();
  for (const [at, line] of lines.entries()) {
    if (performance.now() - since > SLICE) {
      await new Promise(done => setTimeout(done));
      since = performance.now();
    }
    if (!line.trim()) continue;
    try { events.push([at + 1, JSON.parse(line)]); } catch { if (line.trimEnd().endsWith("}")) events.push([at + 1, null]); }
  }
  return events;
}

// Reads a record's lines as `{ game, isOwn, rules, games: [{ number, players, input, moves, end }] }`. A move is
// `{ output, analysis, cpu, wall, left, score, note, machine, stderr, stdout, line }`, with the number of its line.
export async function readRecord(lines) {
  const events = await eventsOf(lines);
  const fail = (line, words) => { throw new Error(`line ${line}: ${words}`); };
  const [first, header] = events[0] ?? [1, null];
  if (!events.length) fail(1, "the record has no complete line");
  if (header?.event !== "header" || typeof header.game !== "string") fail(first, "expected the header of a record of games");
  const games = new Map();
  for (const [line, event] of events.slice(1)) {
    if (!event) fail(line, "expected an event as JSON");
    const game = games.get(event.game);
    if (event.event === "start") games.set(event.game, started(event, line, fail));
    else if (event.event === "move" || event.event === "play") {
      if (!game) fail(line, `a move of game ${event.game}, which has not started`);
      if (typeof event.output !== "string") fail(line, "expected a move with its output");
      const { output, analysis = null, cpu, wall, left = null, score = null, stderr = "", stdout = "" } = event;
      game.moves.push({ output, analysis, cpu, wall, left, score, ...notesOf(event.note), stderr, stdout, line });
    } else if (event.event === "end") {
      if (!game) fail(line, `the end of game ${event.game}, which has not started`);
      game.end = { fault: event.fault ?? null, winner: event.winner ?? null, termination: visible(event.termination), reason: visible(event.reason ?? "") };
    } else if (event.event === "findings" && Array.isArray(event.findings)) {
      // What a grading found in a game that was lost.
      event.findings.forEach((finding, at) => { if (game?.moves[at]) game.moves[at].analysis = finding; });
    }
  }
  if (!games.size) fail(first, "no game has started in this record");
  return { game: header.game, isOwn: Boolean(header.own), rules: header.rules ?? null, games: [...games.values()] };
}

// A note of a record: that on the move, and what the judge says of a machine that was busy.
const MACHINE = "the machine gave it";
function notesOf(note = null) {
  const at = note?.indexOf(MACHINE) ?? -1;
  return at < 0 ? { note, machine: null } : { note: note.slice(0, at).replace(/; $/, "") || null, machine: note.slice(at) };
}

// A line of a record with another comment on its move.
export function commented(line, note) {
  const event = JSON.parse(line);
  const both = [note, notesOf(event.note).machine].filter(Boolean).join("; ");
  if (both) event.note = both; else delete event.note;
  return JSON.stringify(event);
}

// A game as a record that `judge replay` and `judge analyse` read. `players` are two names, `moves` are
// `{ side, text, output, note, figures }`, and `end` is null or `{ winner, reason, termination }`.
export function writeRecord({ game, rules, sides, plyLimit, input, players: [one, other], moves, end }) {
  const names = one === other ? [`${one} 1`, `${other} 2`] : [one, other];
  const engine = name => ({ name, kind: { files: { command: [], directory: null } }, clock: { game: 600 }, margin: 0 });
  const played = ({ side, text, output, note, figures }, ply) =>
    ({ event: "move", game: 1, ply, side: sides[side], move: text, output, ...figures, ...(note ? { note } : {}) });
  const events = [
    { event: "header", version: 3, game, rules, engines: names.map(engine), shape: "roundrobin", pairs: 1, openings: "start", seed: 1, max_plies: plyLimit,
      at_limit: "draw", bounds: {}, shard: null },
    { event: "start", game: 1, players: names, opening: input, line: [] },
    ...moves.map(played),
  ];
  const cpu = [0, 1].map(side => moves.filter(move => move.side === side).reduce((sum, move) => sum + move.figures.cpu, 0));
  if (end) events.push({ event: "end", game: 1, players: names, winner: end.winner, termination: end.termination, reason: end.reason, plies: moves.length, cpu });
  return events.map(event => `${JSON.stringify(event)}\n`).join("");
}

// A text of somebody else's record, with what is not seen, or changes the direction of writing, as an escape such as \u{202e}.
const visible = text => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, sign => `\\u{${sign.codePointAt(0).toString(16)}}`);

// The longest name of a player that is shown whole, in characters.
const LONGEST_NAME = 60;
const short = name => { const letters = [...visible(name)]; return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join("")}…` : letters.join(""); };

function started(event, line, fail) {
  const players = event.players;
  if (typeof event.opening !== "string" || !Array.isArray(players) || players.length !== 2) fail(line, "expected the start of a game with its opening and two players");
  return { number: event.game, players: players.map(short), input: event.opening, moves: [], end: null };
}

// The title of a game in a list.
export function titleOf(game, sides) {
  const result = !game.end ? "not over" : game.end.winner === null ? `a draw, ${game.end.termination}` : `${sides?.[game.end.winner] ?? game.players[game.end.winner]} won, ${game.end.termination}`;
  return `${game.number}. ${game.players.join(" – ")}: ${result}, ${game.moves.length} plies`;
}
