// The clocks of both sides: whoever has used up all time has lost. The first move of a game costs none.
import { isHuman, state } from "./state.js";

// Milliseconds that a side has left in a position, the running turn included; null without clocks.
export function left(at, side) {
  if (!at.left) return null;
  return at.left[side] - (running(at) && at.seen?.side === side ? performance.now() - state.since : 0);
}

// Whether the clock of the side to move runs: not in a position that was played on from, and not while agents wait.
export function running(at) {
  if (!at.left || at.over || at.ply === 0 || at !== state.tree.at) return false;
  return isHuman(at.seen.side) ? at.next === null : state.thinking === "agent";
}

// Clocks after a turn that took so many milliseconds.
export function after(at, took) {
  if (!at.left) return null;
  return at.left.map((ms, side) => side === at.seen.side && at.ply > 0 ? Math.max(0, ms - took) : ms);
}

// Looks at the clock that runs; `shown` hears that it is to be drawn, `lost` that it is used up.
export function tick(shown, lost) {
  const at = state.tree?.at;
  if (!at?.seen || !running(at)) return;
  if (left(at, at.seen.side) > 0) { shown(); return; }
  const { side } = at.seen;
  at.left = at.left.map((ms, other) => other === side ? 0 : ms);
  at.over = { winner: 1 - side, why: `the time of ${state.info.sides[side]} is up` };
  lost();
}
