// Functions that show parts of the page. They do not use the workers.
import { left } from "./clock.js";
import { LEVELS } from "./levels.js";
import { does, of, spoken, within } from "./names.js";
import { hides, isFriends } from "./state.js";

export { cellWords } from "./cells.js";

export const percent = expected => `${Math.round(100 * expected)} %`;
const clock = ms => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

// Draws the board. `ways` are arrows over it, each with its class.
export function board(drawn, now, ways) {
  drawBoard(byId("board"), drawn, now, [...lastWay(now), ...ways]);
}

// The side whose pieces are lower on the board, or null if neither side's are.
export function lowerSide(board, now) {
  if (!board) return null;
  const heights = [0, 1].map(side => {
    const rows = [...now.owners].flatMap((owner, at) => owner === String(side) ? [Math.floor(at / board.width)] : []);
    return rows.reduce((sum, row) => sum + row, 0) / (rows.length || 1);
  });
  return heights[1] === heights[0] ? null : heights[1] > heights[0] ? 1 : 0;
}

// Shows both players: name, count of pieces, time left.
export function players(info, state, at, moving) {
  const line = state.tree.line().slice(1, at.ply + 1), { below } = state;
  [1 - below, below].forEach((side, index) => {
    const place = byId(index ? "bottom" : "top");
    place.className = "player" + (moving === side ? " turn" : "");
    place.replaceChildren();
    const name = html("span", "", place);
    face(state.board, side, name);
    html("b", "", name, info.sides[side]);
    const who = state.record ? state.record.players[side] : state.players[side] === "you" ? "you" : LEVELS[state.players[side]].title;
    html("small", "", name, at.over?.winner === side ? `${who}, won` : who);
    const counted = state.editing ? null : (at.seen ?? line.findLast(one => one.seen)?.seen)?.measures[side];
    const rest = left(at, side);
    const figures = html("small", "figures", place);
    if (counted && !at.over) html("span", "counted", figures, spokenCount(counted));
    if (rest !== null) html("span", "clock", figures, `${counted && !at.over ? ", " : ""}${clock(Math.max(0, rest))} left`);
  });
}
const ONE = { points: "point", pieces: "piece", foxes: "fox", wolves: "wolf", geese: "goose", cells: "cell", squares: "square" };
const spokenCount = ({ number, what }) => what.startsWith("distance") ? `${what}: ${number}`
  : `${number} ${number === 1 ? what.replace(/\b(points|foxes|geese|cells|squares)\b/, many => ONE[many]) : what}`;

// Whether winning chances are hidden: while a person plays, if they are not asked for.
export const hidesChances = ({ players, record, lesson, live, tree }) =>
  !byId("judge").checked && players.includes("you") && !record && !lesson && !live && !tree.line().at(-1).over;
export function chance(state, found) {
  const { info } = state;
  const bar = byId("bar"), fill = byId("fill"), odds = byId("odds");
  bar.hidden = info.own || hidesChances(state);
  if (bar.hidden) { odds.textContent = info.own ? "" : "The winning chances are hidden while you play."; return; }
  const known = found?.expected != null;
  bar.classList.toggle("unknown", !known);
  fill.style.setProperty("--share", `${known ? 100 * found.expected : 50}%`);
  bar.setAttribute("aria-valuenow", known ? Math.round(100 * found.expected) : 50);
  const words = known ? `winning chances: ${info.sides[0]} ${percent(found.expected)}, ${info.sides[1]} ${percent(1 - found.expected)}${found.words ? `, ${found.words}` : ""}`
    : found?.words ?? "winning chances: not analysed yet";
  bar.setAttribute("aria-valuetext", words);
  odds.textContent = words;
}

// A move in words. In a game in which something is hidden, another side's move may be a secret.
const textOf = (state, one) => hides(state) && state.players[one.side] !== "you" ? "a move" : one.text;

// The most legal moves that are shown as buttons.
const MOST_CHOICES = 60;
// The legal moves of a game of somebody's own: a part of its text finds a move, Enter plays it if it is the only one.
export function choices({ own }, moves, played) {
  const wanted = byId("wanted");
  byId("choose").hidden = !own || !moves.length;
  if (!own) return;
  const show = () => {
    const part = wanted.value.trim().toLowerCase(), found = moves.filter(({ text }) => text.toLowerCase().includes(part));
    byId("legal").replaceChildren(...found.slice(0, MOST_CHOICES).map(move => {
      const button = html("button", "", null, move.text + (move.loses ? " ✕" : ""));
      Object.assign(button, { type: "button", title: move.loses ? `loses at once: ${move.loses}` : "", onclick: () => played(move) });
      return button;
    }));
    byId("count").textContent = found.length > MOST_CHOICES ? `${MOST_CHOICES} of ${found.length} moves: type a part of yours` : found.length ? "" : "no legal move has this text";
    return found.find(({ text }) => text.toLowerCase() === part) ?? (found.length === 1 ? found[0] : null);
  };
  wanted.value = "";
  wanted.oninput = show;
  wanted.onkeydown = event => {
    const move = event.key === "Enter" && show();
    if (move) played(move);
  };
  show();
}

// Lists the moves of the current line as a table, and beside each its variations. A row has the number of its first move, a ply. `chances` are those of the first side.
export function moves(state, goTo) {
  const { tree, info } = state, place = byId("moves"), hadFocus = place.contains(document.activeElement);
  place.replaceChildren();
  const line = tree.line(), end = line.at(-1), hides = hidesChances(state);
  for (const one of line) {
    const row = html("li", "", place), starts = one.parent && (one.side === info.first || one.ply === 1);
    if (starts) html("span", "number", row, `${one.ply}.`);
    const cell = html("span", `place ${one.parent ? `own${one.side === info.first ? 0 : 1}` : "begin"}${one === tree.at ? " now" : ""}`, row);
    const button = html("button", "move", cell, one.parent ? textOf(state, one) : "start");
    button.type = "button";
    if (one.parent) button.setAttribute("aria-label", `${one.ply}. ${info.sides[one.side]} ${textOf(state, one)}`);
    if (one === tree.at) button.setAttribute("aria-current", "true");
    button.onclick = () => goTo(one);
    if (one.study?.mark) html("b", `mark ${one.study.mark}`, button, ` ${PLOT_MARKS[one.study.mark]}`).title = one.study.cost;
    if (one.note) { cell.title = one.note; html("small", "note", cell, `“${one.note}”`); }
    const expected = one.study?.expected ?? (hides ? null : one.chance?.expected);
    if (expected != null) html("small", "", cell, percent(expected)).title = `${info.sides[0]}'s winning chances`;
    for (const other of [...(one.parent?.children ?? []).filter(other => other !== one), ...(one === end ? one.children : [])]) {
      const way = html("button", "other", cell, `or ${textOf(state, other)}`);
      way.type = "button";
      way.title = "a variation";
      way.onclick = () => goTo(other);
    }
  }
  const now = place.querySelector(".now");
  place.scrollTop = now.offsetTop - place.offsetTop - place.clientHeight / 2;
  if (hadFocus) now.firstChild.focus({ preventScroll: true });
}

// The most moves of an expected line that are shown.
const SHOWN = 6;
// Shows a hint or a threat: the move, its chances, the expected line.
function advice(place, words, found, side, info) {
  html("b", "", place, `${words}: ${found.text}`);
  const done = found.effect && effect(info, found.effect, side);
  if (done) html("div", "", place, done);
  if (found.advice) html("div", "", place, `${found.advice[0].toUpperCase()}${found.advice.slice(1)}.`);
  if (found.expected === undefined) return;
  html("div", "", place, found.proven ? proof(info, found.expected, side)
    : `Winning chances of ${within(info.sides[side])}: ${percent(found.expected)}${found.depth ? `, as far as a search of ${found.depth} plies sees` : ""}.`);
  const expected = (found.line ?? []).slice(1).map(move => move.text);
  if (expected.length) html("div", "", place, `then ${expected.slice(0, SHOWN).join(" | ")}${expected.length > SHOWN ? " ..." : ""}`);
}

export function hint(info, state) {
  const place = byId("hint"), { hint, threat, tree: { at } } = state;
  // While the search runs, screen readers wait: they read the result once, at the end.
  place.setAttribute("aria-busy", ["hint", "threat"].includes(state.thinking));
  place.replaceChildren();
  if (state.thinking === "hint" && !hint) html("div", "", place, "looking for a hint ...");
  if (hint) advice(place, "hint", hint, at.seen.side, info);
  if (!threat) return;
  const other = 1 - at.seen.side;
  if (threat.none) html("div", "", place, `no threat: ${spoken(info, threat.none)}`);
  else advice(place, `if it were ${of(within(info.sides[other]))} turn`, threat, other, info);
}

// What is proven of a side's position.
const proof = (info, expected, side) => expected === 0.5 ? "With best play of both sides the game is a draw: proven."
  : `${does(info.sides[expected === 1 ? side : 1 - side], "win")} with best play: proven.`;

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const number = (count, many) => `${COUNTS[count] ?? count} ${count === 1 ? ONE[many] ?? many : many}`;
// What a move of a side does, as a sentence. `told` comes from the handler `effect` of worker.js.
export function effect(info, told, side) {
  const { over, taken, turned, risk, riskBefore, isHunted, turns, measure } = told, [own, other] = [info.sides[side], info.sides[1 - side]];
  if (over) return `Ends the game: ${result(info, over).toLowerCase()}${over.why ? `, ${spoken(info, over.why)}` : ""}.`;
  const parts = [], more = measure ? measure.after - measure.before : 0, pieces = turns ? "pieces" : own.toLowerCase();
  if (taken) parts.push(`takes ${number(taken, other.toLowerCase())}`);
  if (turned) parts.push(`turns ${number(turned, "pieces")} of ${other}`);
  if (more && measure.what.startsWith("distance")) parts.push(more < 0 ? `shortens the way to the far camp by ${-more}` : `lengthens the way to the far camp by ${more}`);
  if (more > 0 && measure.what === "points") parts.push(`gains ${number(more, "points")}`);
  if (risk) parts.push(`lets ${within(other)} ${turns ? "turn" : "take"} ${number(risk, pieces)}`);
  else if (riskBefore) parts.push(`saves ${number(riskBefore, pieces)}`);
  else if (turns) parts.push(`${other} can turn nothing in return`);
  else if (isHunted) parts.push(`no ${ONE[pieces] ?? pieces} can be taken after it`);
  if (!parts.length) return "";
  const words = parts.length > 1 ? `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1)}` : parts[0];
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

// The reason of an end, in the names of the sides.
export const reason = spoken;
const result = (info, over) => over.winner === null ? "A draw" : does(info.sides[over.winner], "win");
// How many moves are left to a limit: of the rules, or of the page, which is told when it is near.
const NEAR = 40;
function limit({ plyLimit }, at) {
  if (at.seen.counted) { const [done, all] = at.seen.counted; return ` Moves made: ${done} of ${all}.`; }
  return plyLimit - at.ply <= NEAR ? ` In ${plyLimit - at.ply} ${plyLimit - at.ply === 1 ? "ply" : "plies"} the game is a draw.` : "";
}
// The sentence below the board.
export function say(info, state, at, waits) {
  const last = at.parent ? `${info.sides[at.side]} played ${textOf(state, at)}. ` : "";
  if (at.over) return `${last}${result(info, at.over)}${at.over.why ? `: ${spoken(info, at.over.why)}` : ""}.`;
  if (at.ending) return `${last}${at.ending}.`;
  const mover = info.sides[at.seen.side], who = state.players[at.seen.side];
  if (at.failed && state.fault?.at === at) return `${last}${LEVELS[who].title} has failed: ${at.failed.fault.word}.`;
  if (isFriends(at)) return `${last}Send your friend this link. The answer comes as a link, too.`;
  if (who !== "you" && !state.lesson) return `${last}${of(mover)} turn: ${waits ? "press “play on”" : LEVELS[who].engine === undefined ? "the agent thinks" : `${LEVELS[who].title} thinks`}.`;
  return `${last}${state.players[1 - at.seen.side] === "you" ? `${of(mover)} turn` : `Your turn: you play ${within(mover)}`}.${limit(info, at)}`;
}

// The result of a finished game, in large.
export function banner(info, state, at) {
  byId("banner").hidden = !at.over;
  if (!at.over) return;
  const { winner } = at.over, people = [0, 1].filter(side => state.players[side] === "you");
  const own = people.length === 1 && winner !== null;
  byId("result").textContent = own ? winner === people[0] ? "You win!" : "You lose" : result(info, at.over);
  byId("score").textContent = [own ? result(info, at.over) : "", spoken(info, at.over.why ?? "")].filter(Boolean).join(": ");
  byId("score").hidden = !byId("score").textContent;
  document.querySelector("[data-do=rematch]").textContent = people.length === 1 ? "Rematch, sides swapped" : "Rematch";
}

// What the program did in the turn that led to the position shown, or in the turn that failed there: from a game on the page, or a record.
const SECONDS = seconds => `${seconds < 0.1 ? seconds.toFixed(3) : seconds.toFixed(2)} s`;
export function told(info, state, at) {
  const place = byId("told"), failed = at.failed ?? null, turn = failed ?? at.told ?? null;
  place.replaceChildren();
  if (!turn || state.editing) return;
  const { cpu, wall, left, score, stderr, stdout, file, machine, fault, thought } = turn, note = state.record ? null : turn.note, side = failed ? failed.side : at.side;
  const name = state.record?.players[side] ?? LEVELS[state.tree.players[side]]?.title ?? info.sides[side];
  const times = [cpu != null && `${SECONDS(cpu)} CPU`, wall != null && `${SECONDS(wall)} in all`, left != null && `${SECONDS(left)} left`, score != null && `score ${score}`];
  const head = html("p", "", place);
  html("b", "", head, `${name}: `);
  head.append(times.filter(Boolean).join(", "));
  if (fault) {
    html("p", "wrong", place, `${fault.word}: ${fault.reason}`);
    if (fault.remedy) html("p", "", place, `To fix it: ${fault.remedy}`);
    if (!state.record) html("p", "", place, "Press “play on” to ask it again, also after a change of the program, or move for it on the board.");
    if (file) html("pre", "", place, file).setAttribute("aria-label", "output.txt");
  }
  if (note) html("p", "", place, note);
  if (thought) html("p", "", place, `Its thoughts: ${thought}`);
  if (machine) html("p", "", place, `The machine: ${machine}`);
  for (const [name, text] of [["standard error", stderr], ["standard output", stdout]]) {
    if (!text) continue;
    html("div", "stream", place, name);
    Object.assign(html("pre", "", place, text), { tabIndex: 0 }).setAttribute("aria-label", name);
  }
}

// The lines of the live analysis, each clickable onto the board.
export function lines({ live }, follow) {
  const place = byId("lines");
  place.hidden = !live;
  byId("live-button").setAttribute("aria-pressed", Boolean(live));
  place.replaceChildren();
  for (const { expected, proven, moves } of live ?? []) {
    const item = html("li", "", place);
    html("b", "", item, expected === null ? "–" : percent(expected)).title = proven ? "proven" : "winning chances of the side to move";
    moves.slice(0, 8).forEach(({ text }, at) => {
      const button = html("button", "", item, text);
      button.type = "button";
      button.onclick = () => follow(moves.slice(0, at + 1).map(move => move.output));
    });
    if (proven) html("small", "", item, " proven");
  }
}
