"""The folders themselves: equal copies of the library, positions to try, a player that plays."""
import ast
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from games import CLOCKS, FOLDERS, RULES, STARTER, ask, servers


class Folders(unittest.TestCase):
    def test_copies_of_the_library_are_equal(self):
        text = (STARTER / "menagerie_rules.py").read_text()
        self.assertLessEqual(text.count("\n"), 200)
        for folder in ("little-go", "duo-othello", "openspiel"):
            self.assertEqual((RULES / folder / "menagerie_rules.py").read_text(), text, "copy starters/any-game/menagerie_rules.py to " + folder)

    def test_python_3_8_reads_everything(self):
        for folder in list(FOLDERS.values()) + [RULES / "openspiel", RULES / "tests"]:
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
        for folder in list(FOLDERS.values()) + [RULES / "openspiel"]:
            text = (folder / "rules.md").read_text()
            sections = re.findall("^## (.*)$", text, re.MULTILINE)
            for section in re.findall(r"^\| [^|]*[a-z] \| ([^|]*) \|$", text.partition("|---|---|")[2], re.MULTILINE):
                self.assertIn(section, sections, folder)

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
