"""Duo-Othello a second time, on bits instead of strings. Column c of row r is bit 13 * r + c; the thirteenth bit of each row stays empty,
so that a line that leaves the board ends there."""
ALL = sum((1 << 12) - 1 << 13 * row for row in range(12))
SHIFTS = [1, -1, 13, -13, 12, -12, 14, -14]


def shifted(discs, by):
    return (discs << by if by > 0 else discs >> -by) & ALL


def targets(own, other):
    """The empty squares where `own` can move, all at once: lines of `other` are followed away from `own`."""
    found = 0
    for by in SHIFTS:
        line = shifted(own, by) & other
        while line:
            line = shifted(line, by)
            found |= line & ~(own | other)
            line &= other
    return found


def flipped(own, other, bit):
    found = 0
    for by in SHIFTS:
        line, each = 0, shifted(bit, by)
        while each & other:
            line |= each
            each = shifted(each, by)
        if each & own:
            found |= line
    return found


def bit_of(name):
    return 1 << 13 * (int(name[1:]) - 1) + "abcdefghijkl".index(name[0])


class Game:
    """A game from the start: the discs of O and of X, and who is next, None at the end."""

    def __init__(self):
        self.discs = [sum(map(bit_of, "d3 c4 j9 i10".split())), sum(map(bit_of, "c3 d4 i9 j10".split()))]
        self.next = 0

    def moves(self):
        found = targets(self.discs[self.next], self.discs[1 - self.next])
        return [column + str(row) for row in range(1, 13) for column in "abcdefghijkl" if found & bit_of(column + str(row))]

    def play(self, move):
        side, bit = self.next, bit_of(move)
        taken = flipped(self.discs[side], self.discs[1 - side], bit)
        self.discs[side] |= taken | bit
        self.discs[1 - side] &= ~taken
        able = [targets(self.discs[each], self.discs[1 - each]) for each in (0, 1)]
        self.next = 1 - side if able[1 - side] else side if able[side] else None

    def rows(self):
        o, x = self.discs
        bits = [[1 << 13 * row + column for column in range(12)] for row in range(12)]
        return ["".join("O" if o & bit else "X" if x & bit else "." for bit in row) for row in bits]

    def winner(self):
        o, x = (bin(discs).count("1") for discs in self.discs)
        return None if o == x + 1 else 0 if o > x + 1 else 1
