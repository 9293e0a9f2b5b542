"""One card: a small poker with one hidden card a side, after Kuhn's. rules.md has the rules.

A state is a dict: `seed` of the cards to come; `hand`, the number of this hand; `cards` of both sides in it; `done`, the actions of this
hand, one letter each; `chips` that side 0 has won of side 1; `past`, a line for each hand before, with what both sides have seen.
"""
import random

from menagerie_rules import Game, Refused, run

HANDS, DECK = 12, range(1, 7)
ENDS = {"pp": 1, "bb": 2, "pbb": 2, "bp": 0, "pbp": 0}  # actions that end a hand: the chips at a showdown, 0 if somebody folds
MOVES = {"pass": "p", "bet": "b"}


def deal(seed, hand):
    return random.Random("%s %s" % (seed, hand)).sample(DECK, 2)


class OneCard(Game):
    sides = ["ODD", "EVEN"]

    def start(self, variant):
        return {"seed": variant, "hand": 1, "cards": deal(variant, 1), "done": "", "chips": 0, "past": []}

    def first(self, state):
        """The side that begins this hand."""
        return (state["hand"] + 1) % 2

    def turn(self, state):
        return (self.first(state) + len(state["done"])) % 2

    def moves(self, state):
        return list(MOVES)

    def play(self, state, move):
        done, hand, cards = state["done"] + MOVES[move], state["hand"], state["cards"]
        if done not in ENDS:
            return dict(state, done=done)
        if ENDS[done]:
            won, shown = (ENDS[done] if cards[0] > cards[1] else -ENDS[done]), "%d %d" % tuple(cards)
        else:  # the side of this move folds
            won, shown = (-1 if self.turn(state) == 0 else 1), "? ?"
        past = state["past"] + ["%d %s %s %+d" % (hand, done, shown, won)]
        seed = state["seed"]
        return {"seed": seed, "hand": hand + 1, "cards": deal(seed, hand + 1), "done": "", "chips": state["chips"] + won, "past": past}

    def over(self, state):
        chips = state["chips"]
        if state["hand"] <= HANDS:
            return None
        return {"winner": None if chips == 0 else int(chips < 0), "why": "%d hands" % HANDS, "points": chips}

    def guess(self, state, side, number):
        """Another card for the other side, and other cards to come."""
        own = state["cards"][side]
        other = random.Random(number).choice([card for card in DECK if card != own])
        return dict(state, seed=number, cards=[own, other] if side == 0 else [other, own])

    def task(self, state, clocks, single):
        side = self.turn(state)
        chips = state["chips"] if side == 0 else -state["chips"]
        lines = [self.sides[side], "%.2f" % clocks[side], "%d" % state["hand"], "%d" % state["cards"][side], state["done"] or "-", "%d" % chips]
        return "\n".join(lines + state["past"]) + "\n"

    def position(self, text):
        lines = text.rstrip("\n").split("\n")
        try:
            side, seconds = self.sides.index(lines[0]), float(lines[1])
            hand, card, chips = int(lines[2]), int(lines[3]), int(lines[5])
        except (ValueError, IndexError):
            seconds = -1.0
        if not 0 <= seconds < 1e9:
            raise Refused("format", "expected the side, its seconds, the hand, your card, the actions, your chips", line=1)
        if card not in DECK or not 1 <= hand <= HANDS:
            raise Refused("format", "expected a hand from 1 to %d and a card from 1 to 6" % HANDS, line=3)
        state = {"seed": 0, "hand": hand, "cards": [card, card], "done": lines[4].strip("-"), "chips": chips if side == 0 else -chips, "past": lines[6:]}
        if state["done"] not in ("", "p", "b", "pb") or self.turn(state) != side:
            raise Refused("format", "after these actions the other side moves, or nobody", line=5)
        return self.guess(state, side, 0), [seconds, None] if side == 0 else [None, seconds]

    def value(self, state):
        """The chips so far, and a little for a high card."""
        side = self.turn(state)
        return (state["chips"] if side == 0 else -state["chips"]) + (state["cards"][side] - 3.5) / 5

    def board(self, state):
        return "hand %d, cards %d and %d, actions %s\nODD has won %d chips" % (state["hand"], *state["cards"], state["done"] or "-", state["chips"])


if __name__ == "__main__":
    run(OneCard())
