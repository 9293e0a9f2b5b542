// A move made step by step: the places pressed so far, and the legal moves that begin with them.
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

export class Chain {
  constructor(moves) {
    this.moves = moves.filter(move => move.path.length);
    this.steps = [];
  }

  // Moves that begin as the steps do.
  open() {
    return this.moves.filter(move => this.steps.every((step, at) => move.path[at] && same(step, move.path[at])));
  }

  last() { return this.steps.length ? String(this.steps[this.steps.length - 1]) : null; }

  // Pieces that can move; places for the next step; ends of whole chains from here. All as texts `x,y`.
  targets() {
    const open = this.open(), made = this.steps.length;
    const movers = new Set(this.moves.map(move => String(move.path[0])));
    if (!made) return { movers, steps: new Set(), ends: new Set() };
    return {
      movers,
      steps: new Set(open.filter(move => move.path.length > made).map(move => String(move.path[made]))),
      ends: new Set(open.filter(move => move.path.length >= made).map(move => String(move.path[move.path.length - 1]))),
    };
  }

  // A press on a place: the move, if that makes one.
  press(x, y) {
    const spot = [x, y], made = this.steps.length, open = this.open();
    const on = open.filter(move => move.path.length > made && same(move.path[made], spot));
    if (made && on.length) {
      this.steps.push(spot);
      // Played at once where nothing can follow.
      return on.every(move => move.path.length === made + 1) ? on[0] : null;
    }
    if (made && same(this.steps[made - 1], spot)) {
      const here = open.find(move => move.path.length === made);
      if (here) return here;
      if (made === 1) this.steps = [];
      return null;
    }
    // The far end of a chain: the shortest way there, before one that some graders refuse.
    const ending = made ? open.filter(move => same(move.path[move.path.length - 1], spot)) : [];
    if (ending.length) return ending.sort((a, b) => a.disputed - b.disputed || a.path.length - b.path.length)[0];
    this.steps = [];
    const from = this.moves.filter(move => same(move.path[0], spot));
    if (from.length) this.steps = [spot];
    // A move of a single place.
    return from.find(move => move.path.length === 1) ?? null;
  }

  // Takes one step back; false where there is none.
  undo() { return this.steps.pop() !== undefined; }

  // Whether pressing the last place again plays a move.
  complete() { return this.steps.length > 1 && this.open().some(move => move.path.length === this.steps.length); }
}
