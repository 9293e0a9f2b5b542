// The clocks of both sides. A side whose time is used up has lost. The first move of a game costs no time.
import { of } from "./names.js";
import { isHuman, state } from "./state.js";

// The milliseconds that a side has left in a position, less those of the running turn; null without clocks.
export function left(at, side) {
  if (!at.left) return null;
  return at.left[side] - (running(at) && at.seen?.side === side ? performance.now() - state.since : 0);
}

// Whether the clock of the side to move runs: only in the current position, without later moves, and not while an agent is halted.
export function running(at) {
  if (!at.left || at.over || at.ply === 0 || at !== state.tree.at) return false;
  return isHuman(at.seen.side) ? at.next === null : state.thinking === "agent";
}

// The clocks after a turn that took `took` milliseconds.
export function after(at, took) {
  if (!at.left) return null;
  return at.left.map((ms, side) => side === at.seen.side && at.ply > 0 ? Math.max(0, ms - took) : ms);
}

// Updates the running clock. Calls `shown` to redraw it, or `lost` if its time is used up.
export function tick(shown, lost) {
  const at = state.tree?.at;
  if (!at?.seen || !running(at)) return;
  if (left(at, at.seen.side) > 0) { shown(); return; }
  const { side } = at.seen;
  at.left = at.left.map((ms, other) => other === side ? 0 : ms);
  at.over = { winner: 1 - side, why: `${of(state.info.sides[side])} time is up`, termination: "time forfeit" };
  lost();
}
