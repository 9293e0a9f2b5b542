"""Tests of the installed package: types, documentation, examples."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

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


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the environments' types need PettingZoo, and so Python 3.10")
def test_pyright_agrees() -> None:
    """Checks the package as users see it: installed, in strict mode."""
    checked("-m", "pyright", "--pythonpath", sys.executable, "--project", ".", "python/menagerie")


TYPED = """
import menagerie

env = menagerie.env("foxgame")
seen = env.observe("FOX")["action_mask"]
env.foo(3)
menagerie.env("halma", ply_limit="long")
menagerie.env("halma", reward="points")
menagerie.env(menagerie.names()[0]).reset(seed=1)
from menagerie.gymnasium import SingleAgentEnv, VectorEnv
reveal_type(env.action_space("FOX"))
reveal_type(env.observation_space("FOX"))
reveal_type(SingleAgentEnv("wolves").action_space)
reveal_type(VectorEnv("wolves", 2).single_action_space)
"""
# The types of the last lines.
REVEALED = ["ActionSpace", "Dict", "ActionSpace", "ActionSpace"]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the environments' types need PettingZoo, and so Python 3.10")
def test_environments_and_their_options_are_typed(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "user.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [int(error.split(":")[1]) for error in errors] == [6, 7, 8], done.stdout + done.stderr
    assert "has no attribute" in errors[0] and all("incompatible type" in error for error in errors[1:])
    assert re.findall(r'Revealed type is "(?:\w+\.)*(\w+)', done.stdout) == REVEALED, done.stdout
    checker = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "user.py"]
    done = subprocess.run(checker, capture_output=True, text=True, cwd=tmp_path)
    assert re.findall(r'information: Type of ".*" is "(\w+)', done.stdout) == REVEALED, done.stdout


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the environments' types need PettingZoo, and so Python 3.10")
def test_all_types_are_known_to_users(tmp_path: Path) -> None:
    """Pyright counts the public names whose types are known without reading the package's code."""
    venv.create(tmp_path / "environment")
    [packages] = (tmp_path / "environment").glob("lib/python*/site-packages")
    shutil.copytree(Path(menagerie.__file__).parent, packages / "menagerie", ignore=shutil.ignore_patterns("*.so"))
    (packages / "others.pth").write_text(os.path.dirname(os.path.dirname(str(pytest.__file__))))
    # With --verifytypes pyright takes the Python of the path alone.
    path = os.pathsep.join([str(tmp_path / "environment" / "bin"), os.environ["PATH"]])
    checker = [sys.executable, "-m", "pyright", "--verifytypes", "menagerie", "--ignoreexternal"]
    done = subprocess.run(checker, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PATH": path})
    [score] = re.findall(r"Type completeness score: ([\d.]+)%", done.stdout)
    assert float(score) == 100, done.stdout


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    assert menagerie.__version__ == version("menagerie-games")


OURS = {"menagerie-games", "menagerie-programs"}
# Other projects' packages that texts may tell people to install.
KNOWN = {"numpy", "scipy", "pettingzoo", "gymnasium", "open-spiel", "chess", "cargo-zigbuild", "ziglang"}


def installed_names(text: str) -> Iterator[str]:
    """The names of packages after each `pip install` of a text. Files and options are left out."""
    for words in re.findall(r"\bpip3? install((?:[ \t]+(?:'[^'\n]*'|[^\s`'\"()|;&,\\#]+))+)", text):
        options_value = False
        for word in re.findall(r"'[^']*'|\S+", words):
            word = word.strip("'.:")
            is_option, is_value = word.startswith("-"), options_value
            options_value = word in ("-r", "-t", "--find-links", "--requirement", "--target", "--constraint", "--index-url")
            if is_value or is_option or "/" in word or "$" in word or not word:
                continue
            if word in ("and", "or", "is", "needs"):
                break
            yield re.split(r"[\[<>=~! @;]", word)[0].lower().replace("_", "-")


def test_a_text_s_names_are_found() -> None:
    text = "pip install 'a-b[c,d]>=1' e --find-links x/y --pre; `pip install F_g` or pip3 install h and Python 3\npip install x/y_z-*.whl"
    assert list(installed_names(text)) == ["a-b", "e", "f-g", "h"]


def test_pages_ask_for_the_rust_that_all_workspaces_demand() -> None:
    listed = subprocess.run(["git", "grep", "-l", r"^\[workspace\]", "--", "*Cargo.toml"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("no checkout: git grep fails")
    manifests = [(ROOT / name).read_text() for name in listed.stdout.split()]
    demanded = {re.findall('^rust-version = "(.*)"', manifest, re.M)[0] for manifest in manifests}
    assert len(manifests) >= 5 and len(demanded) == 1, demanded
    for page in ("README.md", "CONTRIBUTING.md", "docs/install.md", "docs/python.md"):
        assert f"Rust {min(demanded)}" in " ".join((ROOT / page).read_text().split()), page
    assert f"cargo +{min(demanded)} check --locked --workspace" in (ROOT / ".github/workflows/test.yml").read_text()


def test_texts_tell_people_to_install_what_is_ours_or_well_known() -> None:
    """The package that PyPI has under the name `menagerie` is somebody else's."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode != 0:
        pytest.skip("no checkout: git ls-files fails")
    found: Dict[str, List[str]] = {}
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        # The test of the finder names packages that do not exist.
        if not name or path.is_symlink() or not path.is_file() or path == Path(__file__).resolve():
            continue
        for package in installed_names(path.read_bytes().decode(errors="replace")):
            found.setdefault(package, []).append(name)
    assert OURS <= set(found) and set(found) - OURS <= KNOWN, found


def test_the_extras_ask_for_what_is_ours_or_well_known() -> None:
    from importlib.metadata import requires

    names = {re.split(r"[^\w-]", needed)[0] for needed in requires("menagerie-games") or []}
    assert names == {"numpy", "gymnasium", "pettingzoo", "menagerie-programs", "resvg-py", "pillow"}


def test_the_licences_of_all_that_is_linked_are_there() -> None:
    """scripts/wheel writes them; what only builds the module, or only other systems link, is not among them."""
    from importlib.metadata import files

    texts = [file for file in files("menagerie-games") or [] if file.name == "LICENCES.txt"]
    if not texts:
        pytest.skip("the module was not built by scripts/wheel")
    [text] = [Path(str(file.locate())).read_text() for file in texts]
    locked = set(re.findall(r'^name = "(.*)"$', (PACKAGE / "Cargo.lock").read_text(), re.M))
    not_linked = {"heck", "proc-macro2", "pyo3-build-config", "pyo3-macros", "pyo3-macros-backend", "quote", "syn", "target-lexicon"}
    not_linked |= {"thiserror-impl", "unicode-ident", "r-efi", "portable-atomic"}
    missing = {name for name in locked - not_linked if not re.search(rf"^{name} \d", text, re.M)}
    assert not missing and "Rust's standard library" in text


def test_a_stranger_s_package_of_the_name_is_noticed(tmp_path: Path) -> None:
    """Installed before ours, its record is there; installed after ours, its files are, or after its removal no file at all."""

    def imported(what: str) -> str:
        words = [sys.executable, "-W", "always", "-c", f"import {what}"]
        return subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}).stderr

    ours, remedy = tmp_path / "menagerie", "pip install --force-reinstall --no-deps menagerie-games"
    shutil.copytree(Path(menagerie.__file__).parent, ours)
    (tmp_path / "menagerie_games-1.0.dist-info").mkdir()
    assert remedy not in imported("menagerie")
    (tmp_path / "menagerie-1.0.dist-info").mkdir()
    assert "UserWarning: another project's package `menagerie`" in imported("menagerie") and remedy in imported("menagerie")
    (ours / "__init__.py").write_text("value = 1")
    assert remedy in imported("menagerie.gymnasium") and remedy in imported("menagerie.pettingzoo")
    # Python makes a package without `__init__.py` so, where no other one is installed.
    bare = f"sys, types; sys.modules['menagerie'] = bare = types.ModuleType('menagerie'); bare.__path__ = [{str(ours)!r}]"
    assert remedy in imported(f"{bare}; import menagerie.gymnasium")


def test_what_needs_numpy_says_so() -> None:
    code = "import sys; sys.modules['numpy'] = None; import menagerie; s = menagerie.State(menagerie.Game('wolves').start()); "
    for call in ("menagerie.symmetries('wolves')", "s.observation_tensor()", "s.legal_actions_mask()", "menagerie.observations([s])"):
        done = subprocess.run([sys.executable, "-c", code + call], capture_output=True, text=True)
        assert "ImportError" in done.stderr and "pip install" in done.stderr and "ModuleNotFoundError" not in done.stderr.splitlines()[-1], call


def test_help_begins_with_what_one_does_first() -> None:
    import pydoc

    def order(thing: object, *names: str) -> bool:
        text = pydoc.plain(pydoc.render_doc(thing))
        places = [text.find(f"\n |  {name}") for name in names]
        return -1 not in places and places == sorted(places)

    assert order(menagerie.Position, "legal_moves(", "play(", "think(", "outcome(", "undo(", "render(", "perft(")
    assert order(menagerie.Position, "game\n", "side\n", "history\n", "clock\n")
    assert order(menagerie.State, "current_player(", "legal_actions(", "apply_action(", "returns(", "clone(")
    text = pydoc.plain(pydoc.render_doc(menagerie))
    assert text.index("Game(\"halma\").start()") < text.index("CLASSES")
    for name in ("Position", "Move", "Game", "Report", "Outcome", "Playouts", "State"):
        kind = getattr(menagerie, name)
        missing = set(kind._fields) - set(dir(kind))
        unlisted = {each for each in dir(kind) if not each.startswith("_")} - set(kind._fields)
        assert not missing and not unlisted, (name, missing, unlisted)


def test_help_and_editors_say_the_same() -> None:
    """The stub's texts, which editors show, are those of the module, which `help()` shows."""
    import ast

    from menagerie import _menagerie

    def words(text: Optional[str]) -> List[str]:
        return (text or "").split()

    stub = ast.parse((Path(menagerie.__file__).parent / "_menagerie.pyi").read_text())
    compared = 0
    for node in stub.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        thing = getattr(_menagerie, node.name)
        inner = [each for each in node.body if isinstance(each, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
        for name, explained, text in [
            (node.name, thing, ast.get_docstring(node)),
            *((f"{node.name}.{each.name}", getattr(thing, each.name), ast.get_docstring(each)) for each in inner),
        ]:
            if text:
                assert words(explained.__doc__) == words(text), name
                compared += 1
    assert compared > 60


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


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_the_page_s_examples_print_what_it_says() -> None:
    """Runs all Python on the page in order. What is printed is compared with the comment behind the `print`."""
    import ast

    text = (ROOT / "docs" / "python.md").read_text()
    space: Dict[str, Any] = {}
    compared = 0
    for block in re.findall(r"(?:^(?:    .*)?\n)+", text, re.M):
        code = "\n".join(line[4:] for line in block.splitlines())
        try:
            lines = ast.parse(code).body
        except SyntaxError:
            continue
        if not lines:
            continue
        printed: List[str] = []
        space["print"] = lambda *words: printed.append(" ".join(map(str, words)))
        exec(compile(code, "python.md", "exec"), space)
        for expected in re.findall(r"^print\(.*\) +# (.*)$", code, re.M):
            assert printed.pop() == expected
            compared += 1
    assert compared == 2


def test_random_loses_against_us() -> None:
    shown = checked(EXAMPLES / "random_against_us.py", "--game", "wolves", "--games", "2", "--nodes", "500")
    assert "of 2 games" in shown


def test_self_play_counts_its_simulations() -> None:
    shown = checked(EXAMPLES / "self_play.py", "--game", "squirrels", "--games", "4", "--simulations", "5", "--moves", "2")
    assert "4 games at once: 40 simulations" in shown and "one game at a time: 10 simulations" in shown


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_random_games_are_counted() -> None:
    shown = checked(EXAMPLES / "random_games.py", "--seconds", "0.01", "--rounds", "1")
    assert all(name in shown for name in menagerie.names())


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_opponents_have_points_and_their_errors() -> None:
    shown = checked(EXAMPLES / "opponents.py", "--game", "wolves", "--games", "20")
    rows = {line[:30].strip(): [float(each) for each in re.findall(r"[\d.]+", line[30:])] for line in shown.splitlines()[1:]}
    assert rows["random"][0] < rows["1 node, epsilon 0.5"][0] < rows["1 node"][0] and len(rows) == 9


@pytest.mark.skipif(sys.version_info < (3, 10), reason="environments need Python 3.10")
def test_a_learner_s_first_curve_rises_on_wolves(tmp_path: Path) -> None:
    plot = tmp_path / "curve.svg"
    shown = checked(EXAMPLES / "first_curve.py", "--game", "wolves/SHEEP", "--updates", "1600", "--svg", plot)
    means = [float(each) for each in re.findall(r"[+-]\d\.\d\d", shown)]
    assert len(means) == 11 and means[-1] > means[0] + 0.3 and plot.read_text().startswith("<svg"), shown


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the tour trains with Gymnasium, which needs Python 3.10")
def test_the_tour_runs_and_shows_boards() -> None:
    """Runs all cells in order in one namespace, as a kernel does, and takes the value of a cell's last line as its output."""
    import ast

    notebook = json.loads((ROOT / "docs" / "tour.ipynb").read_text())
    space: Dict[str, Any] = {}
    pictures: List[str] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, "tour", "exec"), space)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "tour", "eval"), space)
            pictures += [shown._repr_svg_()] if hasattr(shown, "_repr_svg_") else []
    kept = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert len(pictures) >= 2 and all(picture.startswith("<svg") for picture in pictures)
    # The pictures in the notebook are those of today's boards: research/measurements/python.md says how they are renewed.
    assert ["".join(output["data"]["image/svg+xml"]).strip() for output in kept if "image/svg+xml" in output.get("data", {})] == [
        picture.strip() for picture in pictures
    ]
