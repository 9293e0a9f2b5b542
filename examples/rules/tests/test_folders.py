"""The folders themselves: positions to try, a player that plays."""
import ast
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from games import CLOCKS, FOLDERS, RULES, STARTER, ask, menagerie_rules, rules_of, servers


class Folders(unittest.TestCase):
    def test_python_3_8_reads_everything(self):
        for folder in list(FOLDERS.values()) + [RULES / "openspiel", RULES / "connect-four", RULES / "prisoners-dilemma", RULES / "tests"]:
            for file in folder.glob("**/*.py"):
                ast.parse(file.read_text(), str(file), feature_version=(3, 8))

    def test_positions_to_try(self):
        for name in ("little-go", "duo-othello"):
            files = sorted((FOLDERS[name] / "try").glob("*.json"))
            self.assertEqual(len(files), 10)
            for file in files:
                position = json.loads(file.read_text())
                self.assertEqual(list(position), ["state", "note"])
                view = ask(servers()[name], "view", state=position["state"])
                self.assertTrue(view["moves"], file)

    def test_messages_name_sections(self):
        for folder in list(FOLDERS.values()) + [RULES / "openspiel", RULES / "connect-four", RULES / "prisoners-dilemma"]:
            text = (folder / "rules.md").read_text()
            sections = re.findall("^## (.*)$", text, re.MULTILINE)
            for section in re.findall(r"^\| [^|]*[a-z] \| ([^|]*) \|$", text.partition("|---|---|")[2], re.MULTILINE):
                self.assertIn(section, sections, folder)

    def test_little_go_on_7_x_7_points_is_one_constant(self):
        text = (FOLDERS["little-go"] / "rules.py").read_text()
        names = {"__name__": "seven"}
        exec(text.replace("SIZE = 5", "SIZE = 7", 1), names)
        go, chance = menagerie_rules.Server(names["LittleGo"]()), random.Random(1)
        state = ask(go, "start", variant=None)["state"]
        while True:
            view = ask(go, "view", state=state)
            ask(go, "draw", state=state, move=None)
            if view["over"] is not None:
                break
            file = ask(go, "task", state=state, clocks=CLOCKS, single=True)["files"]
            shown = ask(go, "position", files=file)["state"]
            self.assertEqual(ask(go, "task", state=shown, clocks=CLOCKS, single=True)["files"], file)
            self.assertEqual(ask(go, "view", state=shown)["moves"], view["moves"])
            move = chance.choice([move for move in view["moves"] if move != "PASS"] or ["PASS"])
            state = ask(go, "play", state=state, move=move)["state"]
        self.assertIn("after 48 moves", view["over"]["why"])

    def test_rules_of_little_go_have_the_numbers_of_the_code(self):
        page, code = (FOLDERS["little-go"] / "rules.md").read_text(), rules_of(FOLDERS["little-go"])
        for words in ("%d x %d points" % (code.SIZE, code.SIZE), "after %d moves" % code.LAST, "WHITE has %.1f points more" % code.KOMI):
            self.assertIn(words, page)

    def test_the_player_of_the_starter(self):
        server = servers()["tic-tac-toe"]
        state = ask(server, "start", variant=None)["state"]
        with tempfile.TemporaryDirectory() as folder:
            while ask(server, "view", state=state)["over"] is None:
                files = ask(server, "task", state=state, clocks=CLOCKS, single=False)["files"]
                (Path(folder) / "input.txt").write_text(files["input.txt"])
                subprocess.run([sys.executable, str(STARTER / "python" / "agent.py")], cwd=folder, check=True)
                answer = ask(server, "read", state=state, files={"output.txt": (Path(folder) / "output.txt").read_text()})
                state = ask(server, "play", state=state, move=answer["move"])["state"]


if __name__ == "__main__":
    unittest.main()
