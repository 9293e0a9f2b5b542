"""Games of OpenSpiel, where its package is there: pip install open_spiel."""
import importlib.util
import unittest

from games import CLOCKS, RULES, ask, perft, random_game, rules_of, server


@unittest.skipUnless(importlib.util.find_spec("pyspiel"), "needs the Python package open_spiel")
class OpenSpiel(unittest.TestCase):
    def game(self, name):
        return server(rules_of(RULES / "openspiel").OpenSpiel(name))

    def test_games(self):
        for name in ("breakthrough(rows=6,columns=6)", "connect_four", "othello"):
            game, wins = self.game(name), set()
            for seed in range(20):
                for state, view, move in random_game(game, seed):
                    if move is None:
                        wins.add(view["over"]["winner"])
                        continue
                    files = ask(game, "task", state=state, clocks=CLOCKS, single=False)["files"]
                    self.assertEqual(ask(game, "position", files=files)["state"], state)
                    files = ask(game, "write", state=state, move=move)["files"]
                    self.assertEqual(ask(game, "read", state=state, files=files), {"move": move})
            self.assertLessEqual({0, 1}, wins, name)

    def test_numbers_of_lines(self):
        for name, expected in [("breakthrough(rows=6,columns=6)", [16, 256]), ("connect_four", [7, 49, 343])]:
            game = self.game(name)
            start = ask(game, "start", variant=None)["state"]
            self.assertEqual([perft(game, start, depth + 1) for depth in range(len(expected))], expected)

    def test_garbage_is_refused(self):
        game = self.game("connect_four")
        start = ask(game, "start", variant=None)["state"]
        for text in ("", "x9", "o0", "x0\nx0", "\0", "connect_four\nFIRST\n1 1\n7\n", "connect_four\nFIRST\n1 1\n\u00b2\n"):
            self.assertIn("refused", ask(game, "read", state=start, files={"output.txt": text}))
            self.assertIn("refused", ask(game, "position", files={"input.txt": text}))

    def test_other_games_are_refused(self):
        for name in ("leduc_poker", "backgammon", "matrix_rps"):
            with self.assertRaises(SystemExit):
                self.game(name)


if __name__ == "__main__":
    unittest.main()
