"""Random games beside a second implementation of each game: the same moves, boards and ends. And numbers of lines of moves."""
import os
import unittest

import bits_little_go
import bits_othello
from games import CLOCKS, ask, perft, random_game, servers

GAMES = int(os.environ.get("RULES_GAMES", "40"))  # of each kind; `RULES_GAMES=500` takes half a minute


class Second(unittest.TestCase):
    def test_little_go(self):
        server, takings, wins = servers()["little-go"], 0, [0, 0]
        for seed in range(GAMES):
            second = bits_little_go.Game()
            for state, view, move in random_game(server, seed, passes=seed % 4 == 0):  # with passes most games are short
                self.assertEqual(view["over"] is not None, second.over(), state)
                self.assertEqual(state.split(" ")[2], "".join(second.rows()))
                if move is None:
                    self.assertEqual(view["over"]["winner"], second.winner(), state)
                    wins[second.winner()] += 1
                else:
                    self.assertEqual((view["turn"], view["moves"]), (second.side(), second.moves()), state)
                    stones = sum(row.count("0") for row in second.rows())
                    second.play(move)
                    takings += sum(row.count("0") for row in second.rows()) >= stones and move != "PASS"
        self.assertGreater(takings, GAMES)
        self.assertGreater(min(wins), 0)

    def test_duo_othello(self):
        server, wins, passed = servers()["duo-othello"], [0, 0], 0
        for seed in range(GAMES):
            second = bits_othello.Game()
            last = None
            for state, view, move in random_game(server, seed):
                self.assertEqual(view["over"] is not None, second.next is None, state)
                self.assertEqual(state[2:], "".join(second.rows()))
                if move is None:
                    self.assertEqual(view["over"]["winner"], second.winner(), state)
                    if second.winner() is not None:
                        wins[second.winner()] += 1
                else:
                    self.assertEqual((view["turn"], view["moves"]), (second.next, second.moves()), state)
                    passed += last == second.next
                    last = second.next
                    second.play(move)
        self.assertGreater(passed, 0)
        self.assertGreater(min(wins), 0)


class Perft(unittest.TestCase):
    def count(self, name, expected):
        server = servers()[name]
        start = ask(server, "start", variant=None)["state"]
        self.assertEqual([perft(server, start, depth + 1) for depth in range(len(expected))], expected)

    def test_little_go(self):
        self.count("little-go", [26, 626, 15026])

    def test_duo_othello(self):
        self.count("duo-othello", [8, 56, 400, 2696])

    def test_tic_tac_toe(self):
        self.count("tic-tac-toe", [9, 72, 504, 3024])


class Files(unittest.TestCase):
    def test_files_come_back(self):
        for name, server in servers().items():
            for seed in range(3):
                for state, view, move in random_game(server, seed, passes=False):
                    if move is None:
                        continue
                    for each in view["moves"]:
                        files = ask(server, "write", state=state, move=each)["files"]
                        self.assertEqual(ask(server, "read", state=state, files=files), {"move": each})
                    files = ask(server, "task", state=state, clocks=CLOCKS, single=False)["files"]
                    back = ask(server, "position", files=files)
                    self.assertEqual(ask(server, "task", state=back["state"], clocks=CLOCKS, single=False)["files"], files)
                    again = ask(server, "view", state=back["state"])
                    self.assertEqual((again["turn"], again["moves"]), (view["turn"], view["moves"]), (name, state))
                    if name in ("duo-othello", "tic-tac-toe"):  # the files of the others do not tell all
                        self.assertEqual(back["state"], state)
                        self.assertEqual(back["clock"], CLOCKS[view["turn"]])


if __name__ == "__main__":
    unittest.main()
