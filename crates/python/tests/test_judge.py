"""Tests of `menagerie.judge`, against the program `judge`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Callable

import pytest
from conftest import GAMES, ROOT

import menagerie
from menagerie import Game, InputError

# A position of Halma with a move that the base rules allow and the addendum forbids: out of the camp and into it again.
DISPUTED = (ROOT / "inputs" / "halma" / "middle-44.txt").read_text()


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_answer_comes_with_the_board_after_it(name: str) -> None:
    text = next(path for path in sorted((ROOT / "inputs" / name).glob("*.txt")) if path.read_text()[0] in "SG").read_text()
    position = Game(name).read(text)
    move = position.legal_moves()[0]
    verdict = menagerie.judge(name, text, move.text, rules=position.rules)
    assert verdict and verdict.legal and verdict.move == move and verdict.position == position.play(move)
    assert verdict.text == str(verdict)
    assert verdict.text.startswith(f"{position.side} plays {move}\n") and position.play(move).render() in verdict.text


def test_a_refusal_says_why_and_where() -> None:
    start = Game("halma").start().input()
    verdict = menagerie.judge("halma", start, "E 0,0 5,5\n", output_file="their.txt")
    assert not verdict and verdict.move is None and verdict.position is None
    assert verdict.text.startswith("their.txt: illegal move: the piece on 0,0 belongs to BLACK")
    assert str(menagerie.judge("halma", start, "")).startswith("output.txt: line 1: ")
    with pytest.raises(InputError, match="^input.txt:1: expected SINGLE or GAME"):
        menagerie.judge("halma", "", "")
    with pytest.raises(InputError, match="^task.txt:1: "):
        menagerie.judge("halma", "", "", input_file="task.txt")


def test_a_move_of_one_rule_set_alone_is_noted() -> None:
    base, addendum = Game("halma", "base").read(DISPUTED), Game("halma", "addendum").read(DISPUTED)
    allowed = {move.text for move in addendum.legal_moves()}
    only = next(move for move in base.legal_moves() if move.text not in allowed)
    assert menagerie.judge("halma", DISPUTED, only.text)
    assert "note: allowed by the rules base, refused by addendum" in str(menagerie.judge("halma", DISPUTED, only.text))
    assert not menagerie.judge("halma", DISPUTED, only.text, rules="addendum")


@pytest.mark.parametrize("name", GAMES)
def test_the_words_are_the_program_s(name: str, program: Callable[[str], Path], tmp_path: Path) -> None:
    source = next(path for path in sorted((ROOT / "inputs" / name).glob("*.txt")) if path.read_text()[0] in "SG")
    text = source.read_text()
    position = Game(name).read(text)
    for answer in (position.legal_moves()[-1].text, "E 0,0 9,9\n", "nonsense\n", ""):
        output = tmp_path / "output.txt"
        output.write_text(answer)
        done = subprocess.run([program("judge"), "check", name, source, output], capture_output=True, text=True)
        verdict = menagerie.judge(name, text, answer, output_file=str(output))
        said = (done.stdout + done.stderr).removeprefix("rules: base (others: --rules addendum)\n")
        assert done.returncode == (0 if verdict else 1) and said.startswith(verdict.text)
        # The program also prints the section of the rules page.
        assert said[len(verdict.text) :].startswith("the rule: " if not verdict and said != verdict.text else "")
