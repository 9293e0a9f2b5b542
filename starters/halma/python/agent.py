"""Halma: the legal move that leads furthest. Start your own agent from here."""
import random

ROW = 18  # a row of the board is 16 squares and a border of 2: the square x,y is board[ROW * (y + 2) + x]
WAYS = [-ROW - 1, -ROW, -ROW + 1, -1, 1, ROW - 1, ROW, ROW + 1]
OTHER = {"B": "W", "W": "B"}
SQUARES = {(x, y): ROW * (y + 2) + x for y in range(16) for x in range(16)}
NAMES = {square: xy for xy, square in SQUARES.items()}
BLACK_CAMP = {SQUARES[x, y] for y, width in enumerate([5, 5, 4, 3, 2]) for x in range(width)}
WHITE_CAMP = {SQUARES[15, 15] + SQUARES[0, 0] - square for square in BLACK_CAMP}
CAMP = {"B": BLACK_CAMP, "W": WHITE_CAMP}


def far(x, y, side):
    """How far a square is from the goal: most for what is furthest behind, and more outside of the camp than inside."""
    x, y = (15 - x, 15 - y) if side == "B" else (x, y)
    return (x + y) ** 2 + (0 if SQUARES[x, y] in BLACK_CAMP else 30)


FAR = {side: {SQUARES[x, y]: far(x, y, side) for x, y in SQUARES} for side in "BW"}


def moves_of(board, start):
    """All moves of one piece, each as the list of its squares: steps, and chains of jumps."""
    found = [[start, start + way] for way in WAYS if board[start + way] == "."]
    chains = {start: [start]}  # the squares reached, each with the way there
    waiting = [start]
    for square in waiting:
        for way in WAYS:
            end = square + 2 * way
            if board[square + way] in "BW" and square + way != start and board[end] == "." and end not in chains:
                chains[end] = chains[square] + [end]
                waiting.append(end)
                found.append(chains[end])
    return found


def gain(path, side):
    """How much nearer to the goal a move leads."""
    return FAR[side][path[0]] - FAR[side][path[-1]]


def further(path):  # away from the own corner, in both directions or in one
    (x, y), (to_x, to_y) = NAMES[path[0]], NAMES[path[-1]]
    return (to_x >= x and to_y >= y) if path[0] in BLACK_CAMP else (to_x <= x and to_y <= y)


def legal_moves(board, side):
    """All legal moves of a side on a board, each as the list of its squares."""
    own, target = CAMP[side], CAMP[OTHER[side]]
    pieces = [square for square, piece in enumerate(board) if piece == side]
    random.shuffle(pieces)  # of equal moves not always the same one, or two would be played to and fro for ever
    found = [path for start in pieces for path in moves_of(board, start)]
    found = [m for m in found if not (m[0] in target and m[-1] not in target) and not (m[0] not in own and m[-1] in own)]
    leaving = [m for m in found if m[0] in own and m[-1] not in own]  # addendum, rule 2
    return leaving or [m for m in found if m[0] in own and further(m)] or found


def play(board, path):
    """The board after a move."""
    after = board[:]
    after[path[0]], after[path[-1]] = ".", board[path[0]]
    return after


def choose(board, side, seconds):
    """The move to play, to be chosen in so many CPU seconds."""
    return max(legal_moves(board, side), key=lambda path: gain(path, side), default=[])


def main():
    lines = [line.strip() for line in open("input.txt")]
    random.seed(str(lines))  # the same file, the same move
    side, clock = lines[1][0], float(lines[2])  # CPU seconds: for this move (SINGLE), or for the rest of the game (GAME)
    seconds = clock / 2 if lines[0] == "SINGLE" else clock / 40
    rows = lines[3:19]
    board = list("#" * 2 * ROW + "".join(row + "##" for row in rows) + "#" * 2 * ROW)
    best = choose(board, side, seconds)
    with open("output.txt", "w", newline="\n") as file:  # without a legal move the file is empty
        for start, end in zip(best, best[1:]):
            (x, y), (to_x, to_y) = NAMES[start], NAMES[end]
            kind = "E" if end - start in WAYS else "J"
            file.write(f"{kind} {x},{y} {to_x},{to_y}\n")


main()
