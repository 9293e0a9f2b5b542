// The record that is open: its list of games, its findings, and the comments in it. A game played here is saved as a record, too.
import { draw, whenDrawn } from "./draw.js";
import { begin, goTo, settle, walk } from "./flow.js";
import { allRecords, keepComment, keepPlace, keepRecord, keptComments, keptRecord, nameOf } from "./kept-records.js";
import { LEVELS } from "./levels.js";
import { commented, readRecord, titleOf, writeRecord } from "./record.js";
import { leave } from "./setup.js";
import { save } from "./share.js";
import { GAMES, complain, desk, setMode, state } from "./state.js";
import { explained, forget } from "./study.js";
import { openTab } from "./tabs.js";
import { unpack } from "./tree.js";

// Opens a record at a game and a ply, and keeps it. `name` is the name under which its text is kept already.
export async function openRecord(text, index = 0, ply = 0, name = null) {
  const plain = text.replace(/^\uFEFF/, "");
  name ??= await nameOf(plain);
  const lines = withNotes(plain.split("\n"), await keptComments(name)), record = await readRecord(lines);
  // A game of somebody's own has the path of its folder, which may have been moved.
  const folder = path => path.split("/").at(-1);
  if (!Object.hasOwn(GAMES, record.game)) record.game = Object.keys(GAMES).find(name => record.isOwn && folder(name) === folder(record.game)) ?? record.game;
  if (!Object.hasOwn(GAMES, record.game))
    throw new Error(`a record of ${record.game}, ${record.isOwn ? `a game of somebody's own: judge play --game ${record.game} opens it` : "a game that this page does not have"}`);
  if (state.editing) leave();
  // A record is for viewing: no agent continues its games.
  state.players = ["you", "you"];
  state.clock = state.wrong = null;
  setMode("play");
  const list = byId("games");
  list.replaceChildren(...record.games.map((game, at) => new Option(titleOf(game), at)));
  list.onchange = () => openGame(record, Number(list.value)).catch(complain);
  if (!record.games[index]) index = 0;
  list.value = index;
  Object.assign(record, { name, lines, moves: new Map(record.games.flatMap(game => game.moves.map(move => [move.line, move]))) });
  await openGame(record, index, ply);
  openTab("moves");
  const { length } = record.games, title = `${GAMES[record.game].title}: ${record.games[0].players.join(" – ")}, ${length} ${length === 1 ? "game" : "games"}`;
  const isKept = await keepRecord(name, plain, { title, game: index, ply },
    dropped => warn(`No space was left: this browser no longer keeps the record “${dropped}”. Its comments stay, and are there again when you open its file again.`));
  if (!isKept) warn("This browser cannot keep the record: a reload forgets it. “save as record” under Share saves it with its comments.");
}
function warn(words) { state.wrong = [state.wrong, words].filter(Boolean).join(" "); draw(); }
// The lines of a record with these comments on their moves.
function withNotes(lines, notes) {
  for (const [line, note] of notes) lines[line - 1] = commented(lines[line - 1], note);
  return lines;
}

// Opens the record that an entry of the browser's history names, `{ record, game, ply }`, with the variation of the link `text`.
// Earlier versions of this page kept one record, and only the number of its game.
export async function reopen({ record, game, ply }, text) {
  const isOld = Number.isInteger(record), name = isOld ? (await allRecords()).find(one => one.isOld)?.name : record, kept = name && await keptRecord(name);
  if (!kept) throw new Error("This browser no longer keeps the record: open its file again. Its comments are kept");
  await openRecord(kept, isOld ? record : game, ply, name);
  // Without its variation the record is shown all the same.
  if (text) await vary(state.tree, text, ply).catch(() => {});
}
// Adds the moves of a link that the record does not have, and goes to a ply of them.
async function vary(tree, text, ply) {
  const { game, input, moves, notes } = await unpack(text), line = tree.line(), from = moves.findIndex((output, at) => line[at + 1]?.output !== output);
  if (from < 0 || game !== tree.game || input !== tree.root.input) return;
  const played = await desk.ask("replay", [line[from].input, tree.rules, moves.slice(from)]);
  if (tree !== state.tree) return;
  tree.go(line[from]);
  for (const one of played) tree.add(one).note = notes[tree.at.ply];
  goTo(tree.line()[ply] ?? tree.at);
}

async function openGame(record, index, ply = 0) {
  const game = record.games[index];
  forget();
  await begin(record.game, record.rules, game.input, game.moves.map(move => move.output), { record: { ...game, index, file: record } });
  byId("record-names").textContent = game.players.map((name, side) => `${state.info.sides[side]}: ${name}`).join(", ");
  byId("record").hidden = false;
  if (ply) walk(ply);
  await explained(game.moves);
}

// The move of the open record that led to a position, if the moves before it are the record's.
function recordedMove(at, record) {
  for (let one = at; one.parent; one = one.parent) if (one.output !== record?.moves[one.ply - 1]?.output) return null;
  return record?.moves[at.ply - 1] ?? null;
}

// Puts a comment on the move that led to `at`, a position of the game that is open in `record`; `known` is the comment that the visitor has changed. The link has the
// comment, and so has the record.
export async function comment(at, record, note, known) {
  const move = recordedMove(at, record);
  at.note = note;
  if (move) noted(record.file, move.line, note);
  settle();
  if (!move) return;
  try {
    const kept = await keepComment(record.file.name, move.line, note, known);
    if (kept === note) return;
    at.note = kept;
    noted(record.file, move.line, kept);
    settle();
  } catch { warn("This browser cannot keep the comment: a reload forgets it. “save as record” under Share saves it."); }
}
// Puts a comment into a line of a record.
function noted({ lines, moves }, line, note) {
  moves.get(line).note = note || null;
  withNotes(lines, [[line, note]]);
}

// Shows what other tabs have written on the open record.
async function refresh() {
  const { tree, record } = state;
  if (!record) return;
  for (const [line, note] of await keptComments(record.file.name)) if (record.file.moves.has(line)) noted(record.file, line, note);
  for (const one of tree.line()) { const move = recordedMove(one, record); if (move) one.note = move.note; }
  if (tree === state.tree) draw();
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
// The place in the record is kept with it.
let seen = null;
whenDrawn(() => {
  const { record, tree: { at } } = state;
  if (!record || at === seen) return;
  seen = at;
  keepPlace(record.file.name, { game: record.index, ply: at.ply });
});

// Saves the open record with its comments, or the game that is shown as a record of its own.
export async function saveRecord() {
  await refresh();
  save(new Blob([state.record ? state.record.file.lines.join("\n") : recordOf(state)], { type: "application/jsonl" }), "jsonl");
}
// What a record says of a program's turn.
const figuresOf = ({ cpu, wall, left, score, stderr, stdout }) =>
  ({ cpu, wall, ...(left == null ? {} : { left }), ...(score == null ? {} : { score }), ...(stdout ? { stdout } : {}), ...(stderr ? { stderr } : {}) });
function recordOf({ tree, info }) {
  const line = tree.line(), last = line.at(-1);
  return writeRecord({
    game: tree.game, rules: tree.rules, sides: info.words, plyLimit: info.plyLimit, input: tree.root.input,
    players: tree.players.map(name => LEVELS[name]?.title ?? name),
    moves: line.slice(1).map(({ side, text, output, note, told, took = 0 }) => ({ side, text, output, note, figures: told ? figuresOf(told) : { cpu: Math.round(took) / 1000, wall: Math.round(took) / 1000 } })),
    end: last.over && { winner: last.over.winner, reason: last.over.why ?? "", termination: last.over.termination ?? "normal" },
  });
}
