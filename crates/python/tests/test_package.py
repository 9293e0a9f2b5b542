"""Tests of the installed package: types, documentation, examples."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import ROOT

import menagerie

PACKAGE = ROOT / "crates" / "python"
EXAMPLES = ROOT / "examples" / "python"


def checked(*command: object) -> str:
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, cwd=PACKAGE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_stubs_are_what_the_module_has() -> None:
    checked("-m", "mypy.stubtest", "menagerie._menagerie")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the environments' types need PettingZoo, and so Python 3.10")
def test_the_types_are_right() -> None:
    checked("-m", "mypy", "--no-incremental", "--cache-dir", os.devnull, "python/menagerie", "tests", *sorted(EXAMPLES.glob("*.py")))


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(menagerie.__file__).parent / "py.typed").is_file()


def test_everything_public_is_explained() -> None:
    stub = (Path(menagerie.__file__).parent / "_menagerie.pyi").read_text()
    for name in menagerie.__all__:
        thing = getattr(menagerie, name)
        assert thing.__doc__ or f"class {name}:\n    \"\"\"" in stub or f"def {name}(" in stub, name


def test_the_example_of_the_package_is_right() -> None:
    results = doctest.testmod(menagerie)
    assert results.attempted > 0 and results.failed == 0


def test_the_example_of_the_readme_is_right() -> None:
    lines = (PACKAGE / "README.md").read_text().splitlines()
    code = "\n".join(line[4:] for line in lines if line.startswith("    "))
    space: Dict[str, Any] = {}
    exec(code.replace("20_000", "500"), space)
    assert space["position"].outcome()


def test_random_loses_against_us() -> None:
    shown = checked(EXAMPLES / "random_against_us.py", "--game", "wolves", "--games", "2", "--nodes", "500")
    assert "of 2 games" in shown


def test_random_games_are_counted() -> None:
    shown = checked(EXAMPLES / "random_games.py", "--games", "2")
    assert all(name in shown for name in menagerie.names())


def test_the_notebook_runs_and_shows_boards() -> None:
    """Runs all cells in order in one namespace, as a kernel does, and takes the value of a cell's last line as its output."""
    import ast

    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text())
    space: Dict[str, Any] = {}
    pictures = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, "notebook", "exec"), space)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "notebook", "eval"), space)
            pictures += hasattr(shown, "_repr_svg_") and shown._repr_svg_().startswith("<svg")
    kept = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert pictures >= 2
    assert sum("image/svg+xml" in output.get("data", {}) for output in kept) == pictures
