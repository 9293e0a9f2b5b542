// What screen readers say of the cells of a board.
import { one } from "./names.js";

// The name of a cell, by the board's own column and row names if it has any.
function cellName(board, x, y) {
  const { columns, rows } = board;
  if (!columns.length && !rows.length) return `${x},${y}`;
  const column = columns[x] ?? String(x), row = rows[y] ?? String(y);
  // "a3" and "3,a", but "10 3" would be read as one number.
  return /\D$/.test(column) && /^\d/.test(row) ? column + row : `${column},${row}`;
}

export function cellWords(info, board, now) {
  return [...now.owners ?? ""].map((owner, at) => {
    const name = cellName(board, at % board.width, Math.floor(at / board.width));
    const letter = now.letters?.[at].trim() ?? "", text = now.texts?.[at] ?? "";
    const what = owner === "." ? "empty" : `${one(info.sides[owner])}${letter && letter !== info.words[owner] ? " " + letter : ""}`;
    return `${name}: ${what}${text ? ", " + text : ""}`;
  });
}
