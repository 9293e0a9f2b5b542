"""Little-Go a second time, on bits instead of strings, and with the ko of the course's referee instead of that of rules.py.

Point row,column is bit 6 * row + column. The sixth bit of each row stays empty, so that neighbours are shifts by 1 and by 6.
"""
ALL = sum(0b11111 << 6 * row for row in range(5))


def beside(stones):
    return (stones << 1 | stones >> 1 | stones << 6 | stones >> 6) & ALL


def spread(seed, own):
    """The groups of `own` that `seed` touches."""
    while True:
        wider = (seed | beside(seed)) & own
        if wider == seed:
            return seed
        seed = wider


def alive(own, other):
    """The stones of `own` whose group has a liberty."""
    return spread(beside(ALL & ~(own | other)) & own, own)


class Game:
    """A game from the start, which remembers what it needs: the boards as pairs of bits of both sides, and the passes in a row."""

    def __init__(self):
        self.boards = [(0, 0)]
        self.moves_made = 0
        self.passes = 1  # the course's referee takes the empty boards of the start for a pass

    def side(self):
        return self.moves_made % 2

    def over(self):
        return self.moves_made == 24 or self.passes == 2

    def after(self, bit):
        """The board after a stone of the side to move, or None."""
        side = self.side()
        own, other = self.boards[-1][side], self.boards[-1][1 - side]
        if (own | other) & bit:
            return None
        own |= bit
        dead_at_first = bit & ~alive(own, other)
        other = alive(other, own)
        if bit & ~alive(own, other):
            return None
        board = (own, other) if side == 0 else (other, own)
        if dead_at_first and len(self.boards) > 1:
            before = self.boards[-2]
            if before[side] & ~self.boards[-1][side] and board == before:
                return None
        return board

    def moves(self):
        """The legal moves as texts."""
        points = [(row, column) for row in range(5) for column in range(5)]
        return ["%d,%d" % each for each in points if self.after(1 << 6 * each[0] + each[1])] + ["PASS"]

    def play(self, move):
        if move == "PASS":
            self.boards.append(self.boards[-1])
            self.passes += 1
        else:
            row, column = map(int, move.split(","))
            self.boards.append(self.after(1 << 6 * row + column))
            self.passes = 0
        self.moves_made += 1

    def rows(self):
        """The board as in an input file."""
        black, white = self.boards[-1]
        bits = [[1 << 6 * row + column for column in range(5)] for row in range(5)]
        return ["".join("1" if black & bit else "2" if white & bit else "0" for bit in row) for row in bits]

    def winner(self):
        black, white = (bin(stones).count("1") for stones in self.boards[-1])
        return 0 if black > white + 2.5 else 1
