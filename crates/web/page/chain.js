// A move entered step by step: the places pressed so far, and the legal moves that begin with them.
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

export class Chain {
  constructor(moves) {
    this.moves = moves.filter(move => move.path.length);
    this.steps = [];
  }

  // The moves that begin with the steps made.
  open() {
    return this.moves.filter(move => this.steps.every((step, at) => move.path[at] && same(step, move.path[at])));
  }

  last() { return this.steps.length ? String(this.steps[this.steps.length - 1]) : null; }

  // The pieces that can move, the places for the next step, and the ends of whole chains from here, as strings `x,y`.
  targets() {
    const open = this.open(), made = this.steps.length;
    const movers = new Set(this.moves.map(move => String(move.path[0])));
    if (!made) return { movers, steps: new Set(), ends: new Set(), losing: new Set() };
    const to = move => String(move.path[move.path.length - 1]), safe = new Set(open.filter(move => !move.loses).flatMap(move => move.path.slice(made).map(String)));
    return {
      movers,
      losing: new Set(open.filter(move => move.loses && !safe.has(to(move))).map(to)),
      steps: new Set(open.filter(move => move.path.length > made).map(move => String(move.path[made]))),
      ends: new Set(open.filter(move => move.path.length >= made).map(move => String(move.path[move.path.length - 1]))),
    };
  }

  // Handles a press on a place. Returns the move if the press completes one, else null.
  press(x, y) {
    const spot = [x, y], made = this.steps.length, open = this.open();
    const on = open.filter(move => move.path.length > made && same(move.path[made], spot));
    if (made && on.length) {
      this.steps.push(spot);
      // A move that cannot be continued is played at once.
      return on.every(move => move.path.length === made + 1) ? on[0] : null;
    }
    if (made && same(this.steps[made - 1], spot)) {
      const here = open.find(move => move.path.length === made);
      if (here) return here;
      if (made === 1) this.steps = [];
      return null;
    }
    // The end of a chain was pressed. Undisputed moves go first, then short ones.
    const ending = made ? open.filter(move => same(move.path[move.path.length - 1], spot)) : [];
    if (ending.length) return ending.sort((a, b) => a.disputed - b.disputed || a.path.length - b.path.length)[0];
    this.steps = [];
    const from = this.moves.filter(move => same(move.path[0], spot));
    if (from.length) this.steps = [spot];
    // A move with a single place is complete.
    return from.find(move => move.path.length === 1) ?? null;
  }

  // Undoes a step. Returns false if there is none.
  undo() { return this.steps.pop() !== undefined; }

  // Whether pressing the last place again completes a move.
  complete() { return this.steps.length > 1 && this.open().some(move => move.path.length === this.steps.length); }
}
