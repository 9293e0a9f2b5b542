"""The source distribution: another machine builds the module from it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from conftest import ROOT

MOVE = """
import menagerie
for name in menagerie.names():
    position = menagerie.Game(name).start()
    assert position.play(position.legal_moves()[0]) != position
print(menagerie.__file__)
"""


def maturin() -> str:
    """The program that makes source distributions, of the environment of these tests."""
    found = shutil.which("maturin", path=str(Path(sys.executable).parent)) or shutil.which("maturin")
    if found is None or shutil.which("cargo") is None:
        pytest.skip("needs maturin and cargo: make test-python")
    return found


def test_module_is_built_from_the_source_distribution(tmp_path: Path) -> None:
    """Outside of the repository, pip builds the module from the archive, and a move is played."""
    manifest = str(ROOT / "crates" / "python" / "Cargo.toml")
    subprocess.run([maturin(), "sdist", "--manifest-path", manifest, "--out", str(tmp_path)], check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    # Optimised as little as cargo allows: what counts is that everything is in the archive.
    variables = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target"), "MATURIN_PEP517_ARGS": "--profile dev"}
    variables["CARGO_PROFILE_DEV_OPT_LEVEL"] = "0"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(archive)]
    subprocess.run(install, check=True, env=variables, cwd=tmp_path)
    play = [python, "-c", MOVE]
    played = subprocess.run(play, check=True, cwd=tmp_path, capture_output=True, text=True)
    assert Path(played.stdout.strip()).is_relative_to(environment)
