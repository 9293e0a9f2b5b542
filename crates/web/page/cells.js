// What screen readers say of the cells of a board.
import { one } from "./names.js";

// The name of a cell, by the board's own column and row names if it has any.
function cellName(board, x, y) {
  const [column, row] = [board.columns[x], board.rows[y]];
  if (column) return `${column}${row || y + 1}`;
  return board.columns.length ? `row ${y + 1}, column ${x + 1}` : `${x},${y}`;
}

export function cellWords(info, board, now) {
  return [...now.owners ?? ""].map((owner, at) => {
    const name = cellName(board, at % board.width, Math.floor(at / board.width));
    const letter = now.letters?.[at].trim() ?? "", text = now.texts?.[at] ?? "";
    const what = owner === "." ? "empty" : `${one(info.sides[owner])}${letter && letter !== info.words[owner] ? " " + letter : ""}`;
    return `${name}: ${what}${text ? ", " + text : ""}`;
  });
}
