"""Tests of positions and moves: contents, comparison, refusals."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
import re
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import pytest
from conftest import GAMES, ROOT, inputs

import menagerie
from menagerie import Game, InputError, MoveError, Position

# The most lines of moves that are enumerated in Python, and that the module counts.
WALKED, COUNTED = 8_000, 5_000_000


def walk(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(walk(position.play(move), depth - 1) for move in position.legal_moves())


@pytest.mark.parametrize("name", GAMES)
def test_lines_of_moves_are_those_of_the_rules_page(name: str) -> None:
    for line in (ROOT / "expected" / name / "perft.txt").read_text().splitlines():
        rules, *known = line.split()
        start = Game(name, rules).start()
        for depth, lines in enumerate(map(int, known), start=1):
            if lines <= WALKED:
                assert walk(start, depth) == lines
            if lines <= COUNTED:
                assert start.perft(depth) == lines


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
            again = position.play(move.text).history[-1]
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


def test_what_led_to_a_position_is_kept_and_can_be_taken_back(game: Game) -> None:
    line = random_game(game, seed=3)
    last = line[-1]
    assert len(last.history) == len(line) - 1 and game.start().history == []
    for before, move in zip(line, last.history):
        assert move in before.legal_moves()
    for before in reversed(line[:-1]):
        last = last.undo()
        assert last == before
    with pytest.raises(ValueError, match="no move led to this position"):
        last.undo()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_everything_can_be_pickled_and_copied(game: Game, protocol: int) -> None:
    line = random_game(game, seed=4)
    text = game.read(game.start().input(seconds=2.5, control="SINGLE"))
    for position in [text, text.play(text.legal_moves()[0]), line[0], *line[1:40:9], line[-1]]:
        same = pickle.loads(pickle.dumps(position, protocol))
        assert same == position and same.history == position.history and same.render() == position.render()
        assert (same.clock, same.rules) == (position.clock, position.rules)
        for move in position.legal_moves()[:3]:
            again = pickle.loads(pickle.dumps(move, protocol))
            assert again == move and again.text == move.text and same.play(again) == position.play(move)
    report = line[0].think(nodes=1_000)
    for again in (pickle.loads(pickle.dumps(report, protocol)), copy.copy(report), copy.deepcopy(report)):
        assert repr(again) == repr(report) and again.pv == report.pv and again.expected == report.expected
    outcome = line[-1].outcome()
    assert pickle.loads(pickle.dumps(outcome, protocol)) == copy.deepcopy(outcome) == outcome


def plies_to_go(position: Position) -> Tuple[int, List[str]]:
    """What a process of `test_positions_go_to_other_processes` does with a position."""
    return len(position.legal_moves()), [move.text for move in position.think(nodes=500).pv]


def test_positions_go_to_other_processes() -> None:
    positions = [position for name in GAMES for position in random_game(Game(name), seed=5)[:12:3]]
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert pool.map(plies_to_go, positions) == list(map(plies_to_go, positions))
        reports = pool.map(think, positions)
    assert [report.move for report in reports] == [think(position).move for position in positions]


def think(position: Position) -> menagerie.Report:
    return position.think(nodes=500)


def test_a_long_game_is_dropped_without_recursion() -> None:
    position = Game("halma").start()
    chance = random.Random(1)
    for _ in range(20_000):
        moves = position.legal_moves()
        position = position.play(chance.choice(moves)) if moves else Game("halma").start()
    del position, moves


def test_a_move_is_played_by_its_text(game: Game) -> None:
    for position in random_game(game, seed=6)[:30:5]:
        for move in position.legal_moves()[::5]:
            for text in (move.text, move.text.rstrip("\n"), str(move), f" {move} "):
                if text.strip():
                    assert position.play(text) == position.play(move)
    assert Game("wolves").start().play("E 1,4 1,3").side == "SHEEP"


def test_cells_are_read_by_column_and_row(game: Game) -> None:
    for position in random_game(game, seed=7)[:30:7]:
        width, height = position.size
        for index, cell in enumerate(position.cells):
            place = (index % width, index // width)
            if cell == ord("#"):
                with pytest.raises(IndexError):
                    position[place]
            else:
                assert position[place] == {".": None, "0": game.sides[0], "1": game.sides[1]}[chr(cell)]
        for outside in ((-1, 0), (0, -1), (width, 0), (0, height)):
            with pytest.raises(IndexError, match="is no cell of the board"):
                position[outside]


def test_the_values_of_squirrels_squares() -> None:
    assert Game("halma").start().values is None
    values = Game("squirrels").start().values
    assert values is not None and values[:5] == [20, 16, 1, 32, 30] and len(values) == 25
    assert [int(word) for line in Game("squirrels").start().input().splitlines()[3:8] for word in line.split()] == values


def test_a_game_ends_with_an_outcome_and_without_moves(game: Game) -> None:
    for seed in range(5):
        last = random_game(game, seed)[-1]
        outcome = last.outcome()
        if outcome is None:
            assert game.name in ("halma", "wolves"), "these end by their own rules"
            continue
        assert outcome.winner in (*game.sides, None)
        assert (outcome.margin is not None) == (game.name == "squirrels")
        assert outcome.returns == {game.sides[0]: (1, -1), game.sides[1]: (-1, 1)}.get(outcome.winner or "", (0, 0))
        assert outcome == last.outcome() and hash(outcome) == hash(last.outcome())
        assert last.legal_moves() == []
        for refused in (lambda: last.think(nodes=1), lambda: last.input(), lambda: last.play("E 0,0 1,1")):
            with pytest.raises(ValueError, match="the game is over"):
                refused()


@pytest.mark.parametrize("name,path", inputs(), ids=lambda value: value if isinstance(value, str) else value.stem)
def test_an_input_file_is_read_and_written(name: str, path: Path) -> None:
    game = Game(name)
    position = game.read_file(path)
    assert position.input().split()[0] == path.read_text().split()[0]
    assert position.side in game.sides and position.clock and position.legal_moves()
    assert game.read(position.input()) == position
    again = game.read(position.input(seconds=2.5, control="SINGLE"))
    assert again.clock == 2.5 and again.input().startswith("SINGLE\n")


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
    assert "class='way'" in last.render_svg() and "class='way'" not in Game("foxgame").start().render_svg()


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
    with pytest.raises(FileNotFoundError) as raised:
        Game("halma").read_file(tmp_path / "missing.txt")
    with pytest.raises(FileNotFoundError) as expected:
        open(tmp_path / "missing.txt")
    assert raised.value.errno == expected.value.errno and str(raised.value.filename) == str(expected.value.filename)
    assert raised.value.strerror == expected.value.strerror
    with pytest.raises(IsADirectoryError):
        Game("halma").read_file(tmp_path)
    path.write_bytes(b"\xff\xfe\x00nonsense")
    with pytest.raises(InputError):
        Game("halma").read_file(path)


def test_a_refused_move_says_why() -> None:
    start = Game("halma").start()
    with pytest.raises(MoveError, match="^illegal move: the piece on 0,0 belongs to BLACK") as refused:
        start.play("E 0,0 5,5\n")
    assert refused.value.line is None
    with pytest.raises(MoveError, match="^line 1: ") as refused:
        start.play("up")
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
        (lambda: Game("halma").start().input(seconds=-1), "seconds: expected above 0, found -1"),
        (lambda: Game("halma").start().input(control="HOURLY"), "'SINGLE' or 'GAME'"),  # type: ignore[arg-type]
        (lambda: Game("halma").start().perft(-1), "depth: expected 0 to"),
        (lambda: Game("halma").start().render_svg(width=-(10**30)), "width: expected 1 to"),
        (lambda: menagerie.State(Game("halma").start(), ply_limit=0), "ply_limit: expected 1 to"),
        (lambda: menagerie.playouts(Game("halma").start(), 0), "n: expected 1 or more, found 0"),
        (lambda: menagerie.playouts(Game("halma").start(), threads=0), "threads: expected 1 to"),
        (lambda: menagerie.playouts(Game("halma").start(), seed=-1), "seed: expected 0 to"),
        (lambda: menagerie.playouts(Game("halma").start(), seed=2**64), "seed: expected 0 to"),
    ]
    for bad, said in cases:
        with pytest.raises(ValueError, match=re.escape(said)):
            bad()


def test_a_number_that_is_refused_is_named_as_it_was_given() -> None:
    """Also one that no number of the module's own can hold; Python itself writes 4,300 digits at most."""
    start = Game("wolves").start()
    for number in (10**30, -(10**30), 10**40):
        calls: List[Callable[[], object]] = [
            lambda: menagerie.State(start).apply_action(number),
            lambda: menagerie.State(start).observation_tensor(number),
            lambda: menagerie.State(start, ply_limit=number),
            lambda: menagerie.playouts(start, 5, number),
            lambda: menagerie.playouts(start, 5, threads=number),
            lambda: menagerie.playouts(start, 5, ply_limit=number),
            lambda: start.perft(number),
            lambda: start.render_svg(number),
            lambda: start.think(depth=number),
            lambda: start.think(hash=number),
            lambda: start.minimax(lambda positions: [], depth=number),
            lambda: start.minimax(lambda positions: [], batch=number),
            lambda: start.best_lines(number),
            lambda: start.best_lines(nodes=-abs(number)),
            lambda: start.rate_moves(nodes=-abs(number)),
            lambda: start[number, 0],
            lambda: start[0, number],
        ]
        for call in calls:
            with pytest.raises((ValueError, IndexError), match=f"(^|[ -]){abs(number)}\\b"):
                call()
    with pytest.raises(ValueError, match="action a longer number is not legal"):
        menagerie.State(start).apply_action(10**5000)


def test_games_compare_by_name_and_rules(game: Game) -> None:
    assert game == Game(game.name) and hash(game) == hash(Game(game.name))
    assert eval(repr(game), {"Game": Game}) == game == pickle.loads(pickle.dumps(game)) == copy.copy(game)
    assert game.start() == game.start() and game != "halma"
    assert game.rules in game.rule_sets and game.ply_limit > 0 and game.title
    assert Game("halma", "base") != Game("halma", "addendum")
    starts: Dict[Position, str] = {Game(name).start(): name for name in GAMES}
    assert starts[game.start()] == game.name
