// Functions that show parts of the page. They do not use the workers.
import { left } from "./clock.js";
import { LEVELS } from "./levels.js";

export const percent = expected => `${Math.round(100 * expected)} %`;
export const sideWord = (info, side) => info.sides[side];
const clock = ms => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

// The name of a cell, by the board's own column and row names if it has any.
function cellName(board, x, y) {
  const [column, row] = [board.columns[x], board.rows[y]];
  if (column) return `${column}${row || y + 1}`;
  return board.columns.length ? `row ${y + 1}, column ${x + 1}` : `${x},${y}`;
}

export function cellWords(info, board, now) {
  return [...now.owners].map((owner, at) => {
    const name = cellName(board, at % board.width, Math.floor(at / board.width));
    const letter = now.letters?.[at].trim() ?? "", text = now.texts?.[at] ?? "";
    const what = owner === "." ? "empty" : `${sideWord(info, Number(owner))}${letter && letter !== info.sides[owner] ? " " + letter : ""}`;
    return `${name}: ${what}${text ? ", " + text : ""}`;
  });
}

// Draws the board. `better` and `threat` are positions after moves whose paths are shown.
export function board(drawn, now, better, threat, steps) {
  const place = byId("board");
  drawBoard(place, drawn, now, now.texts ?? [], better, null);
  if (threat) drawWay(place.firstChild, threat.path.length ? threat.path : threat.changed, "threat", style("blunder"), .1);
  if (steps.length > 1) drawWay(place.firstChild, steps, "chain", style("good"), .1);
}

// The side whose pieces are lower on the board; its player is shown below the board.
export function lowerSide(board, now) {
  const heights = [0, 1].map(side => {
    const rows = [...now.owners].flatMap((owner, at) => owner === String(side) ? [Math.floor(at / board.width)] : []);
    return rows.reduce((sum, row) => sum + row, 0) / (rows.length || 1);
  });
  return heights[1] > heights[0] ? 1 : 0;
}

// Shows both players: name, count of pieces, time used or left.
export function players(info, state, at, moving) {
  const line = state.tree.line().slice(1, at.ply + 1);
  [1 - state.lower, state.lower].forEach((side, index) => {
    const place = byId(index ? "bottom" : "top");
    place.className = "player" + (moving === side ? " turn" : "");
    place.replaceChildren();
    const name = html("span", "", place);
    html("span", "disc s" + side, name);
    name.append(`${info.sides[side]} `);
    const who = state.players[side] === "you" ? "you" : LEVELS[state.players[side]].title;
    html("small", "", name, at.over?.winner === side ? `${who}, won` : who);
    const counted = at.seen?.counts?.[side]?.[0];
    const took = line.filter(one => one.side === side).reduce((sum, one) => sum + (one.took ?? 0), 0);
    const figures = html("small", "figures", place);
    if (counted) html("span", "counted", figures, `${counted.number} ${counted.what}, `);
    const rest = left(at, side);
    figures.append(rest === null ? clock(took) : `${clock(Math.max(0, rest))} left`);
  });
}

export function chance(info, found) {
  const bar = byId("bar"), fill = byId("fill"), odds = byId("odds");
  const known = found?.expected != null;
  bar.classList.toggle("unknown", !known);
  fill.style.width = `${known ? 100 * found.expected : 50}%`;
  bar.setAttribute("aria-valuenow", known ? Math.round(100 * found.expected) : 50);
  const words = known ? `${info.sides[0]} ${percent(found.expected)}, ${info.sides[1]} ${percent(1 - found.expected)}${found.words ? `, ${found.words}` : ""}`
    : found?.words ?? "winning chances: not analysed yet";
  bar.setAttribute("aria-valuetext", words);
  odds.textContent = words;
}

// Lists the moves of the current line, and beside each its variations.
export function moves(state, goTo) {
  const { tree } = state, place = byId("moves"), hadFocus = place.contains(document.activeElement);
  place.replaceChildren();
  for (const one of tree.line()) {
    const row = html("li", one === tree.at ? "now" : "", place);
    const words = one.parent ? `${one.ply}. ${state.info.sides[one.side]} ${one.text}` : "start";
    const button = html("button", "move", row, words);
    button.type = "button";
    if (one === tree.at) button.setAttribute("aria-current", "true");
    button.onclick = () => goTo(one);
    if (one.study?.mark) html("b", `mark ${one.study.mark}`, button, ` ${PLOT_MARKS[one.study.mark]}`).title = one.study.cost;
    if (one.note) row.title = one.note;
    const expected = one.study?.expected ?? one.chance?.expected;
    if (expected != null) html("small", "", row, percent(expected));
    for (const other of one.parent?.children ?? []) {
      if (other === one) continue;
      const way = html("button", "other", row, `or ${other.text}`);
      way.type = "button";
      way.title = "a variation";
      way.onclick = () => goTo(other);
    }
  }
  const now = place.querySelector(".now");
  place.scrollTop = now.offsetTop - place.offsetTop - place.clientHeight / 2;
  if (hadFocus) now.firstChild.focus({ preventScroll: true });
}

// Shows a hint or a threat: the move, its chances, the expected line.
function advice(place, words, found, side, info) {
  html("b", "", place, `${words}: ${found.text}`);
  if (found.advice) html("div", "", place, found.advice);
  if (found.expected === undefined) return;
  const chance = `${percent(found.expected)} for ${info.sides[side]}`, sure = found.proven ? " (proven)" : "";
  html("div", "", place, found.depth ? `${chance}, depth ${found.depth}, ${found.says}${sure}` : chance + sure);
  const expected = (found.line ?? []).slice(1).map(move => move.text).join(" | ");
  if (expected) html("div", "", place, `then ${expected}`);
}

export function hint(info, state) {
  const place = byId("hint"), { hint, threat, tree: { at } } = state;
  // While the search runs, screen readers wait: they read the result once, at the end.
  place.setAttribute("aria-busy", ["hint", "threat"].includes(state.thinking));
  place.replaceChildren();
  if (hint) advice(place, "hint", hint, at.seen.side, info);
  if (!threat) return;
  const other = 1 - at.seen.side;
  if (threat.none) html("div", "", place, `no threat found: ${threat.none}`);
  else advice(place, `if it were ${info.sides[other]}'s turn`, threat, other, info);
}

// The sentence below the board.
export function say(info, state, at, waits) {
  const last = at.parent ? `${info.sides[at.side]} played ${at.text}. ` : "";
  if (at.over) {
    const won = at.over.winner === null ? "A draw" : `${info.sides[at.over.winner]} wins`;
    return `${last}${won}: ${at.over.why}.`;
  }
  if (at.ending) return `${last}${at.ending}.`;
  const mover = info.sides[at.seen.side], who = state.players[at.seen.side];
  if (who !== "you") return waits ? `${last}${mover} is to move: press "play on".` : `${last}${mover} thinks.`;
  return `${last}${mover}: it is your turn.`;
}
