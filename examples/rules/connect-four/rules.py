"""Connect Four for functions, with observations as Kaggle's environment `connectx` has them.

A state is a dict: `board`, the 42 squares from the top left, 0 for empty, else 1 or 2; `last`, the
column of the last move or None.
"""
import json

from menagerie_rules import Game, Refused, run

COLUMNS, ROWS, IN_A_ROW = 7, 6, 4
SECONDS = 2
WAYS = [(1, 0), (0, 1), (1, 1), (1, -1)]
SIGNS = ".XO"


class ConnectFour(Game):
    sides = ["FIRST", "SECOND"]

    def start(self, variant):
        return {"board": [0] * COLUMNS * ROWS, "last": None}

    def turn(self, state):
        return sum(mark > 0 for mark in state["board"]) % 2

    def moves(self, state):
        return [str(column) for column in range(COLUMNS) if state["board"][column] == 0]

    def play(self, state, move):
        board, column = list(state["board"]), int(move)
        row = max(row for row in range(ROWS) if board[row * COLUMNS + column] == 0)
        board[row * COLUMNS + column] = self.turn(state) + 1
        return {"board": board, "last": column}

    def line(self, state):
        """The mark with four in a row through the last move, or None."""
        board, x = state["board"], state["last"]
        if x is None:
            return None
        y = min(row for row in range(ROWS) if board[row * COLUMNS + x])
        mark = board[y * COLUMNS + x]

        def run_of(dx, dy):
            count = 0
            while 0 <= x + dx * (count + 1) < COLUMNS and 0 <= y + dy * (count + 1) < ROWS:
                if board[(y + dy * (count + 1)) * COLUMNS + x + dx * (count + 1)] != mark:
                    break
                count += 1
            return count

        is_line = any(run_of(dx, dy) + run_of(-dx, -dy) + 1 >= IN_A_ROW for dx, dy in WAYS)
        return mark if is_line else None

    def over(self, state):
        mark = self.line(state)
        if mark:
            return {"winner": mark - 1, "why": "four in a row"}
        return None if 0 in state["board"] else {"winner": None, "why": "the board is full"}

    def task(self, state, clocks, single):
        mark = self.turn(state) + 1
        step = sum(mark > 0 for mark in state["board"])
        observation = {"board": state["board"], "mark": mark, "step": step}
        observation["remainingOverageTime"] = clocks[mark - 1]
        configuration = {"columns": COLUMNS, "rows": ROWS, "inarow": IN_A_ROW}
        configuration["actTimeout"] = SECONDS
        return json.dumps({"observation": observation, "configuration": configuration}) + "\n"

    def read(self, state, text):
        move = text.strip()
        if move not in [str(column) for column in range(COLUMNS)]:
            raise Refused("format", "expected a column from 0 to 6, found '%s'" % move, line=1)
        if state["board"][int(move)]:
            raise Refused("illegal", "column %s is full" % move)
        return move

    def board(self, state):
        rows, _ = self.draw(state, None)
        return "\n".join(" ".join(row) for row in rows + [list("0123456")])

    def draw(self, state, move):
        board, x = state["board"], state["last"]
        cells = [[SIGNS[mark] for mark in board[y * COLUMNS:(y + 1) * COLUMNS]] for y in range(ROWS)]
        last = [] if x is None else [[x, min(y for y in range(ROWS) if board[y * COLUMNS + x])]]
        return cells, last


if __name__ == "__main__":
    run(ConnectFour())
