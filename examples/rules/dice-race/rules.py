"""Dice race: who takes the own stones home first. rules.md has the rules, which are of our own making.

A state is a list: the side to move, the stones of both sides (how many of them stand 1, 2, ... steps from home), the two dice of this
turn, the seed of all dice to come, and the number of turns so far. The dice lie open; what the seed will throw nobody knows.
"""
import random

from menagerie_rules import Game, Refused, run

STEPS, STONES = 8, 4  # the first point of the way, where all stones begin, and their number


def throw(seed, turn):
    chance = random.Random("%s %s" % (seed, turn))
    return sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True)


def steps(stones, die):
    """What a die can do: the points from which a stone can go, and the stones afterwards. A stone that would go further than home goes
    home only if none is behind it."""
    found = []
    for point in range(STEPS, 0, -1):
        if stones[point - 1] and (die <= point or not any(stones[point:])):
            after = list(stones)
            after[point - 1] -= 1
            if die < point:
                after[point - die - 1] += 1
            found.append((point, after))
    return found


class DiceRace(Game):
    sides = ["WHITE", "BLACK"]

    def start(self, variant):
        stones = [0] * (STEPS - 1) + [STONES]
        seed = variant or 0
        return [0, stones, stones, throw(seed, 0), seed, 0]

    def turn(self, state):
        return state[0]

    def results(self, state):
        """The legal moves, and the own stones after each. Of two moves with the same stones after them the first counts."""
        side, dice, found = state[0], state[3], {}
        for one, other in (dice, dice[::-1]):
            for first, between in steps(state[1 + side], one):
                for second, after in steps(between, other) or [(0, between)]:
                    if after not in found.values():
                        found["%d:%d %d:%d" % (one, first, other, second)] = after
        return found

    def moves(self, state):
        return list(self.results(state))

    def play(self, state, move):
        side, white, black, _, seed, turns = state
        sides = [white, black]
        sides[side] = self.results(state)[move]
        return [1 - side, *sides, throw(seed, turns + 1), seed, turns + 1]

    def over(self, state):
        for side in (0, 1):
            if not any(state[1 + side]):
                return {"winner": side, "why": "all stones are home"}
        return None

    def guess(self, state, side, number):
        """All lies open but the dice to come."""
        return state[:4] + [number, state[5]]

    def task(self, state, clocks, single):
        side = state[0]
        rows = [self.sides[side], "%.2f" % clocks[side], "%d %d" % tuple(state[3])]
        return "\n".join(rows + [" ".join(map(str, state[1 + which])) for which in (side, 1 - side)]) + "\n"

    def position(self, text):
        rows = text.split("\n")
        try:
            side, seconds, dice = self.sides.index(rows[0]), float(rows[1]), [int(word) for word in rows[2].split()]
            stones = [[int(word) for word in row.split()] for row in rows[3:5]]
        except (ValueError, IndexError):
            seconds = -1.0
        if not 0 <= seconds < 1e9:
            raise Refused("format", "expected the side, its seconds, two dice, and two rows of stones", line=1)
        if len(dice) != 2 or not all(1 <= die <= 6 for die in dice) or dice[0] < dice[1]:
            raise Refused("format", "expected two dice, the larger first, found %r" % rows[2][:40], line=3)
        for number, row in enumerate(stones, start=4):
            if len(row) != STEPS or min(row) < 0 or not 0 < sum(row) <= STONES:
                raise Refused("format", "expected %d numbers, of up to %d stones together" % (STEPS, STONES), line=number)
        sides, clocks = (stones, [seconds, None]) if side == 0 else (stones[::-1], [None, seconds])
        return [side, *sides, dice, 0, side], clocks

    def read(self, state, text):
        """Any way of playing both dice counts that leaves the stones as a legal move does."""
        words = text.split()
        try:
            dice, points = zip(*(map(int, word.split(":")) for word in words))
        except ValueError:
            raise Refused("format", "expected two words die:point, as 6:8 3:5, found %r" % text[:40], line=1)
        if len(words) != 2 or sorted(dice, reverse=True) != state[3]:
            raise Refused("illegal", "the dice are %d and %d" % tuple(state[3]))
        stones = state[1 + state[0]]
        for die, point in zip(dice, points):
            found = dict(steps(stones, die))
            if point not in found and not (point == 0 and not found):
                raise Refused("illegal", "no stone %d steps from home can go %d steps" % (point, die))
            stones = found.get(point, stones)
        return next((move for move, after in self.results(state).items() if after == stones), text.strip())

    def value(self, state):
        """The steps that the other side still has to go, less the own ones; a stone that is not home counts for three steps more."""
        ways = [sum((point + 3) * count for point, count in enumerate(state[1 + side], start=1)) for side in (0, 1)]
        return ways[1 - state[0]] - ways[state[0]]

    def board(self, state):
        rows = ["%-5s  %s" % (name, " ".join(map(str, state[1 + side]))) for side, name in enumerate(self.sides)]
        return "\n".join(rows + ["dice   %d %d" % tuple(state[3])])


if __name__ == "__main__":
    run(DiceRace())
