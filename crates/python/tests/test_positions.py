"""Tests of positions and moves: contents, comparison, refusals."""

from __future__ import annotations

import copy
import pickle
import random
import re
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple

import pytest
from conftest import GAMES, inputs

import menagerie
from menagerie import Game, InputError, MoveError, Position

# The number of lines of 1, 2, 3 ... moves from the start, by game, with the rule set that they are for.
FIGURES: Dict[str, Tuple[Optional[str], List[int]]] = {
    "halma": ("base", [40, 1_600, 85_440, 4_562_496]),
    "wolves": (None, [6, 30, 176, 1_714, 11_354, 111_000, 672_078, 7_432_822]),
    "foxgame": (None, [6, 78, 482, 7_466, 50_606]),
    "foxgeese": (None, [5, 18, 138, 398]),
}
# The most lines of moves that are enumerated in Python, and that the module counts.
WALKED, COUNTED = 8_000, 5_000_000


def walk(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(walk(position.play(move), depth - 1) for move in position.legal_moves())


@pytest.mark.parametrize("name", FIGURES)
def test_lines_of_moves_are_those_of_the_rules_page(name: str) -> None:
    rules, known = FIGURES[name]
    start = Game(name, rules).start()
    for depth, lines in enumerate(known, start=1):
        if lines <= WALKED:
            assert walk(start, depth) == lines
        if lines <= COUNTED:
            assert start.perft(depth) == lines


def test_squirrels_takes_any_empty_square() -> None:
    assert [Game("squirrels").start().perft(depth) for depth in range(4)] == [1, 25, 25 * 24, 25 * 24 * 23]


def random_game(game: Game, seed: int) -> List[Position]:
    chance = random.Random(seed)
    positions = [game.start()]
    while not positions[-1].outcome() and len(positions) <= game.ply_limit:
        positions.append(positions[-1].play(chance.choice(positions[-1].legal_moves())))
    return positions


def test_a_move_and_its_text_lead_to_the_same_position(game: Game) -> None:
    for position in random_game(game, seed=1)[:60:4]:
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves) == len({move.text for move in moves})
        for move in moves if not position.outcome() else []:
            again = position.move(move.text)
            assert again == move and hash(again) == hash(move) and str(again) == str(move)
            after = position.play(move)
            assert after == position.play(move.text) and hash(after) == hash(position.play(move.text))
            assert after != position
            assert all(0 <= x < position.size[0] and 0 <= y < position.size[1] for x, y in move.path + move.changed)


def test_positions_and_moves_never_change_and_are_their_own_copies(game: Game) -> None:
    start = game.start()
    assert copy.copy(start) is start and copy.deepcopy([start])[0] is start
    move = start.legal_moves()[0]
    assert copy.copy(move) is move and copy.deepcopy(move) is move
    start.play(move)
    assert start == game.start()


def test_a_game_ends_with_an_outcome_and_without_moves(game: Game) -> None:
    for seed in range(5):
        last = random_game(game, seed)[-1]
        outcome = last.outcome()
        if outcome is None:
            assert game.name in ("halma", "wolves"), "these end by their own rules"
            continue
        assert outcome.winner in (*game.sides, None)
        assert (outcome.margin is not None) == (game.name == "squirrels")
        assert outcome == last.outcome() and hash(outcome) == hash(last.outcome())
        assert last.legal_moves() == []
        for refused in (lambda: last.think(nodes=1), lambda: last.input(), lambda: last.play("E 0,0 1,1")):
            with pytest.raises(ValueError, match="the game is over"):
                refused()


@pytest.mark.parametrize("name,path", inputs(), ids=lambda value: value if isinstance(value, str) else value.stem)
def test_an_input_file_is_read_and_written(name: str, path: Path) -> None:
    game = Game(name)
    position = game.read_file(path)
    assert position.control == path.read_text().split()[0]
    assert position.side in game.sides and position.clock and position.legal_moves()
    assert game.read(position.input()) == position
    again = game.read(position.input(seconds=2.5, control="SINGLE"))
    assert (again.clock, again.control) == (2.5, "SINGLE")


def test_the_board_is_a_text_a_picture_and_cells(game: Game) -> None:
    import xml.etree.ElementTree as xml

    for position in random_game(game, seed=2)[:40:7]:
        assert str(position) == position.render() and position.render().endswith("\n")
        picture = xml.fromstring(position.render_svg(width=300))
        assert picture.attrib["width"] == "300"
        pieces = [element for element in picture.iter() if element.attrib.get("class") == "piece"]
        width, height = position.size
        assert len(position.cells) == width * height
        assert len(pieces) == sum(position.cells.count(side) for side in b"01")
        assert position._repr_svg_() == position.render_svg()
    last = Game("foxgame").start().play("E 2,0 2,1\n")
    assert 'class="way"' in last.render_svg() and 'class="way"' not in Game("foxgame").start().render_svg()


def test_pieces_can_be_counted() -> None:
    counts = Game("foxgame").start().counts()
    assert set(counts) == {"FOX", "SHEEP"} and all(counts["SHEEP"])


def test_a_bad_input_names_its_file_and_line(tmp_path: Path) -> None:
    lines = Game("halma").start().input().splitlines()
    lines[8] = lines[8].replace(".", "X", 1)
    with pytest.raises(InputError, match="^line 9: expected 16 symbols W, B or ., found 'X' in column") as refused:
        Game("halma").read("\n".join(lines))
    error = refused.value
    assert (error.line, error.file, error.expected) == (9, None, "16 symbols W, B or .")
    path = tmp_path / "input.txt"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError) as refused:
        Game("halma").read_file(path)
    assert str(refused.value).startswith(f"{path}:9: expected") and refused.value.file == str(path)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
    with pytest.raises(FileNotFoundError):
        Game("halma").read_file(tmp_path / "missing.txt")
    path.write_bytes(b"\xff\xfe\x00nonsense")
    with pytest.raises(InputError):
        Game("halma").read_file(path)


def test_a_refused_move_says_why() -> None:
    start = Game("halma").start()
    with pytest.raises(MoveError, match="^illegal move: the piece on 0,0 belongs to BLACK") as refused:
        start.play("E 0,0 5,5\n")
    assert refused.value.line is None
    with pytest.raises(MoveError, match="^line 1: ") as refused:
        start.move("up")
    assert refused.value.line == 1
    first = start.legal_moves()[0]
    with pytest.raises(MoveError, match="no legal move of this position"):
        start.play(first).play(first)
    with pytest.raises(ValueError, match="a move of wolves"):
        start.play(Game("wolves").start().legal_moves()[0])
    with pytest.raises(TypeError):
        start.play(7)  # type: ignore[arg-type]


def test_what_makes_no_sense_is_refused_in_words() -> None:
    cases: List[Tuple[Callable[[], object], str]] = [
        (lambda: Game("chess"), "no game of the name 'chess': halma, "),
        (lambda: Game("halma", "home"), "no rule set of the name 'home': base, addendum"),
        (lambda: Game("halma").start().render_svg(width=0), "width"),
        (lambda: Game("halma").start().input(seconds=-1), "seconds above 0"),
        (lambda: Game("halma").start().input(control="HOURLY"), "'SINGLE' or 'GAME'"),  # type: ignore[arg-type]
        (lambda: menagerie.judge("chess", "", ""), "no game of the name"),
    ]
    for bad, said in cases:
        with pytest.raises(ValueError, match=re.escape(said)):
            bad()


def test_games_compare_by_name_and_rules(game: Game) -> None:
    assert game == Game(game.name) and hash(game) == hash(Game(game.name))
    assert eval(repr(game), {"Game": Game}) == game == pickle.loads(pickle.dumps(game)) == copy.copy(game)
    assert game.start() == game.start() and game != "halma"
    assert game.rules in game.rule_sets and game.ply_limit > 0 and game.title
    assert Game("halma", "base") != Game("halma", "addendum")
    starts: Dict[Position, str] = {Game(name).start(): name for name in GAMES}
    assert starts[game.start()] == game.name
