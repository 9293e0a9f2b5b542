"""A player of Connect Four: wins if it can, prevents a win if it can, else plays at random."""
import random


def wins(board, column, mark, columns, rows):
    """Whether a stone in this column makes four in a row."""
    row = max(y for y in range(rows) if board[y * columns + column] == 0)

    def count(dx, dy):
        x, y, found = column + dx, row + dy, 0
        while 0 <= x < columns and 0 <= y < rows and board[y * columns + x] == mark:
            x, y, found = x + dx, y + dy, found + 1
        return found

    ways = [(1, 0), (0, 1), (1, 1), (1, -1)]
    return any(count(dx, dy) + count(-dx, -dy) >= 3 for dx, dy in ways)


def agent(observation, configuration):
    columns, rows = configuration.columns, configuration.rows
    board, mark = observation.board, observation.mark
    free = [column for column in range(columns) if board[column] == 0]
    for stones in (mark, 3 - mark):
        for column in free:
            if wins(board, column, stones, columns, rows):
                return column
    return random.choice(free)
