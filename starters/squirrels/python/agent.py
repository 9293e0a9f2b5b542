"""Squirrels: the empty square of the largest value. Start your own agent from here."""

SIZE = 5
OTHER = {"X": "O", "O": "X"}


def neighbours(x, y):
    around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(x, y) for x, y in around if 0 <= x < SIZE and 0 <= y < SIZE]


def legal_moves(board, side):
    """All legal moves of a side, X or O, on a board: the empty squares x,y, each board[y][x]."""
    return [(x, y) for y in range(SIZE) for x in range(SIZE) if board[y][x] == "*"]


def is_raid(board, side, move):
    return any(board[y][x] == side for x, y in neighbours(*move))


def play(board, side, move):
    """The board after a move."""
    after = [row[:] for row in board]
    if is_raid(board, side, move):
        for x, y in neighbours(*move):
            if board[y][x] != "*":
                after[y][x] = side
    after[move[1]][move[0]] = side
    return after


def choose(board, side, values, seconds):
    """The move to play, to be chosen in so many CPU seconds."""
    return max(legal_moves(board, side), key=lambda move: values[move[1]][move[0]])


def main():
    lines = [line.strip() for line in open("input.txt")]
    side, clock = lines[1], float(lines[2])  # CPU seconds: for this move (SINGLE), or for the rest of the game (GAME)
    seconds = clock / 2 if lines[0] == "SINGLE" else clock / 13
    values = [[int(word) for word in line.split()] for line in lines[3:8]]  # of the square x,y: values[y][x]
    board = [list(line.replace(".", "*")) for line in lines[8:13]]
    move = choose(board, side, values, seconds)
    with open("output.txt", "w", newline="\n") as file:
        kind = "Raid" if is_raid(board, side, move) else "Sneak"
        file.write(f"{'ABCDE'[move[0]]}{move[1] + 1} {kind}\n")
        file.writelines("".join(row) + "\n" for row in play(board, side, move))


main()
