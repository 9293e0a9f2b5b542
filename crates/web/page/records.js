// The record that is open: its list of games, its findings, and the comments in it. A game played here is saved as a record, too.
import { begin, settle, walk } from "./flow.js";
import { keepRecord } from "./kept.js";
import { LEVELS } from "./levels.js";
import { commented, readRecord, titleOf, writeRecord } from "./record.js";
import { leave } from "./setup.js";
import { save } from "./share.js";
import { GAMES, complain, setMode, state } from "./state.js";
import { explained, forget } from "./study.js";
import { openTab } from "./tabs.js";

export async function openRecord(text, index = 0, ply = 0) {
  const own = text.replace(/^\uFEFF/, "").split("\n"), record = await readRecord(own);
  // A game of somebody's own has the path of its folder, which may have been moved.
  const folder = path => path.split("/").at(-1);
  if (!Object.hasOwn(GAMES, record.game)) record.game = Object.keys(GAMES).find(name => record.isOwn && folder(name) === folder(record.game)) ?? record.game;
  if (!Object.hasOwn(GAMES, record.game))
    throw new Error(`a record of ${record.game}, ${record.isOwn ? `a game of somebody's own: judge play --game ${record.game} opens it` : "a game that this page does not have"}`);
  if (state.editing) leave();
  // A record is for viewing: no agent continues its games.
  state.players = ["you", "you"];
  state.clock = null;
  setMode("play");
  const list = byId("games");
  list.replaceChildren(...record.games.map((game, at) => new Option(titleOf(game), at)));
  list.onchange = () => openGame(record, Number(list.value)).catch(complain);
  list.value = index;
  record.lines = own;
  await openGame(record, record.games[index] ? index : 0, ply);
  openTab("moves");
  await keepRecord(text);
}

async function openGame(record, index, ply = 0) {
  const game = record.games[index];
  forget();
  await begin(record.game, record.rules, game.input, game.moves.map(move => move.output), { record: { ...game, index, lines: record.lines } });
  byId("record-names").textContent = game.players.map((name, side) => `${state.info.sides[side]}: ${name}`).join(", ");
  byId("record").hidden = false;
  if (ply) walk(ply);
  await explained(game.moves);
}

// Whether the open record has the move that led to the position shown, after the same moves.
const isRecorded = ({ ply }) => ply > 0 && state.tree.line().slice(1, ply + 1).every((one, at) => one.output === state.record?.moves[at]?.output);

// Comments on the move that led to the position shown. The link has the comment, and so has the open record.
export async function comment(note) {
  const { tree: { at }, record } = state;
  at.note = note;
  settle();
  if (!isRecorded(at)) return;
  const move = record.moves[at.ply - 1];
  move.note = note;
  record.lines[move.line - 1] = commented(record.lines[move.line - 1], note);
  await keepRecord(record.lines.join("\n"));
}

// Saves the open record with its comments, or the game that is shown as a record of its own.
export function saveRecord() {
  save(new Blob([state.record ? state.record.lines.join("\n") : recordOf(state)], { type: "application/jsonl" }), "jsonl");
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
