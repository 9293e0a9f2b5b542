"""Tests of what learners use: symmetries, observations of many states, several lines, an evaluation of one's own, margins."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
import sys
from typing import Any, List

import pytest
from conftest import GAMES

import menagerie
import menagerie._symmetries
from menagerie import Game, Position, State, Symmetry, observations, symmetries

np = pytest.importorskip("numpy")


def some_positions(name: str, count: int) -> List[Position]:
    """Positions from random games."""
    chance = random.Random(1)
    found: List[Position] = []
    while len(found) < count:
        position = Game(name).start()
        for _ in range(chance.randrange(60)):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(chance.choice(moves))
        if position.outcome() is None:
            found.append(position)
    return found


def turned(position: Position, symmetry: Symmetry) -> Position:
    """The position on the turned board, made by way of its input file. Its history begins there."""
    lines = position.input().splitlines()
    columns, rows = position.size
    # The head of the file, and the blocks of lines with the values of squares and with the pieces.
    head, blocks = {"squirrels": (3, 2), "foxgeese": (4, 1)}.get(position.game, (3, 1))
    for block in range(blocks):
        start = head + rows * block
        found = lines[start : start + rows]
        spaced = " " in found[-1]
        wide = [line.ljust(2 * columns)[: 2 * columns : 2] if position.game == "foxgeese" else line for line in found]
        cells = [symbol for line in wide for symbol in (line.split() if block < blocks - 1 else line)]
        moved = [cells[cell] for cell in symmetry.cells]
        between = " " if spaced else ""
        lines[start : start + rows] = [between.join(moved[row * columns :][:columns]) for row in range(rows)]
    return Game(position.game, position.rules).read("\n".join(lines[: head + rows * blocks]) + "\n")


@pytest.mark.parametrize("name", GAMES)
def test_a_turned_board_has_the_turned_planes_and_actions(name: str) -> None:
    assert symmetries(name)[0].name == "none" and len({symmetry.name for symmetry in symmetries(name)}) in (2, 8)
    for position in some_positions(name, 40):
        # Earlier boards are no part of it, and no file has them.
        plain = State(turned(position, symmetries(name)[0]))
        for symmetry in symmetries(name):
            other = State(turned(position, symmetry))
            planes, seen = plain.observation_tensor(), other.observation_tensor()
            assert (planes.reshape(len(planes), -1)[:, symmetry.cells].reshape(planes.shape) == seen).all(), symmetry.name
            assert (plain.legal_actions_mask()[symmetry.actions] == other.legal_actions_mask()).all(), symmetry.name


def test_examples_are_right() -> None:
    results = doctest.testmod(menagerie._symmetries)
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.parametrize("name", GAMES)
def test_observations_of_many_states_are_those_of_each(name: str) -> None:
    states = [State(position) for position in some_positions(name, 20)]
    over = State(Game(name).start(), ply_limit=1)
    over.apply_action(over.legal_actions()[0])
    while not over.is_terminal():
        over.apply_action(over.legal_actions()[0])
    states.append(over)
    planes, masks = observations(states)
    assert planes.shape == (21, *states[0].observation_tensor_shape())
    for state, seen, mask in zip(states, planes, masks):
        assert (seen == state.observation_tensor()).all() and (mask == state.legal_actions_mask()).all()
    assert not masks[-1].any()


def test_observations_are_of_one_game() -> None:
    with pytest.raises(ValueError, match="states: expected one or more"):
        observations([])
    with pytest.raises(ValueError, match="states: expected states of one game"):
        observations([State(Game(name).start()) for name in ("halma", "wolves")])


@pytest.mark.parametrize("name", GAMES)
def test_the_best_lines_begin_with_different_moves_in_the_order_of_their_scores(name: str) -> None:
    for position in some_positions(name, 4):
        lines = position.best_lines(3, nodes=6_000)
        assert len(lines) == min(3, len(position.legal_moves()))
        moves = [line.move.text for line in lines]
        assert len(set(moves)) == len(moves) and all(line.pv[0].text == line.move.text for line in lines)
        scores = [line.score for line in lines]
        assert all(score is not None for score in scores) and scores == sorted(scores, reverse=True)  # type: ignore[type-var]
        assert [line.move.text for line in position.best_lines(3, nodes=6_000)] == moves


def material(positions: List[Position]) -> List[float]:
    """The share of the pieces, or of the points, that the side to move has."""
    found = []
    for position in positions:
        # The first cell counts double, so that positions differ.
        first, second = (position.cells.count(side) + (position.cells[0] == side) for side in b"01")
        share = first / (first + second) if first + second else 0.5
        found.append(share if position.side == Game(position.game).sides[0] else 1 - share)
    return found


def plain_minimax(position: Position, depth: int) -> float:
    outcome = position.outcome()
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == position.side)
    if depth == 0:
        return material([position])[0]
    best = 0.0
    for move in position.legal_moves():
        after = position.play(move)
        value = plain_minimax(after, depth - 1)
        best = max(best, value if after.side == position.side else 1 - value)
    return best


@pytest.mark.parametrize("name", GAMES)
def test_minimax_with_an_evaluation_of_one_s_own_is_plain_minimax(name: str) -> None:
    sizes: List[int] = []

    def evaluate(positions: List[Position]) -> List[float]:
        sizes.append(len(positions))
        return material(positions)

    for position in some_positions(name, 3):
        report = position.minimax(evaluate, depth=2, batch=100)
        assert report.expected == plain_minimax(position, 2)
        after = position.play(report.move)
        value = plain_minimax(after, 1)
        assert report.expected == (value if after.side == position.side else 1 - value)
    assert max(sizes) <= 100


def test_minimax_refuses_what_is_no_expected_result() -> None:
    start = Game("wolves").start()
    for values, part in [([2.0], "expected numbers from 0 to 1, found 2"), ([float("nan")], "found NaN")]:
        with pytest.raises(ValueError, match=part):
            start.minimax(lambda positions, values=values: values * len(positions))  # type: ignore[misc]
    with pytest.raises(ValueError, match="evaluate: expected 10 numbers, found 0|found 0"):
        start.minimax(lambda positions: [])
    with pytest.raises(ValueError, match="depth: more than 1000000 positions"):
        Game("halma").start().minimax(material, depth=6)
    with pytest.raises(ZeroDivisionError):
        start.minimax(lambda positions: [1 / 0 for _ in positions])


gymnasium: Any = pytest.importorskip("gymnasium") if sys.version_info >= (3, 10) else None
environments = pytest.mark.skipif(gymnasium is None, reason="Gymnasium needs Python 3.10")


@environments
def test_gymnasium_finds_the_games_by_name() -> None:
    import menagerie.gymnasium

    assert menagerie.gymnasium
    for game, name in [("halma", "Halma"), ("wolves", "Wolves"), ("squirrels", "Squirrels"), ("foxgame", "FoxGame"), ("foxgeese", "FoxGeese")]:
        env = gymnasium.make(f"menagerie/{name}-v0", opponent="random", ply_limit=20)
        seen, info = env.reset(seed=1)
        assert env.unwrapped.game == Game(game) and seen["action_mask"].any()


@environments
def test_the_reward_may_be_the_margin() -> None:
    from menagerie.gymnasium import SingleAgentEnv, VectorEnv

    env = SingleAgentEnv("squirrels", side="X", reward="margin", random_values=True)
    chance = random.Random(2)
    seen, _ = env.reset(seed=3)
    rewards = []
    done = False
    while not done:
        action = chance.choice(np.flatnonzero(seen["action_mask"]).tolist())
        seen, reward, done, _, _ = env.step(action)
        rewards.append(reward)
    outcome, values = env.position.outcome(), env.position.values
    assert outcome is not None and outcome.margin is not None and values is not None
    assert rewards[-1] == outcome.margin / sum(values) != 0 and not any(rewards[:-1])

    # The learner plays both sides: the reward is that of the side that has just acted.
    envs = VectorEnv("squirrels", 4, reward="margin")
    envs.reset(seed=1)
    done = False
    while not done:
        before, sides, actions = envs.positions(), envs.sides(), envs.random_actions()
        _, rewards_now, terminated, _, _ = envs.step(actions)
        done = bool(terminated.any())
        for game in np.flatnonzero(terminated):
            state = State(before[game])
            state.apply_action(int(actions[game]))
            end, all_values = state.position.outcome(), state.position.values
            assert end is not None and end.margin is not None and all_values is not None
            share = end.margin / sum(all_values)
            assert rewards_now[game] == pytest.approx(share if sides[game] == 0 else -share)
    for make in (lambda: SingleAgentEnv("halma", reward="margin"), lambda: menagerie.env("wolves", reward="margin")):
        with pytest.raises(ValueError, match="reward: (halma|wolves) counts no points"):
            make()
    with pytest.raises(ValueError, match="reward: expected 'result' or 'margin', found 'points'"):
        SingleAgentEnv("squirrels", reward="points")  # type: ignore[arg-type]


@environments
@pytest.mark.parametrize("name", GAMES)
def test_the_positions_of_a_vector_are_those_that_it_shows(name: str) -> None:
    from menagerie.gymnasium import VectorEnv

    envs = VectorEnv(name, 6, ply_limit=50)
    with pytest.raises(ValueError, match="call reset"):
        envs.positions()
    seen, _ = envs.reset(seed=5)
    for _ in range(30):
        for position, mask, planes in zip(envs.positions(), seen["action_mask"], seen["observation"]):
            state = State(position)
            chain = planes[4].any()
            assert chain or (state.legal_actions_mask() == mask).all()
            assert chain or (state.observation_tensor()[:4] == planes[:4]).all()
        seen, *_ = envs.step(envs.random_actions())


@pytest.mark.parametrize("name", GAMES)
def test_actions_by_squares_play_the_same_games(name: str) -> None:
    start = Game(name).start()
    columns, rows = start.size
    assert State(start, actions="squares").num_distinct_actions() in (columns * rows, columns * rows + 1)
    chance = random.Random(4)
    for _ in range(3):
        plain, state = State(start, ply_limit=60), State(start, ply_limit=60, actions="squares")
        while not plain.is_terminal():
            assert not state.chain and state.position == plain.position and state.current_player() == plain.current_player()
            # Each way through the squares is a move, and each move that is told by actions has a way.
            ends = set()
            ways = [state]
            while ways:
                way = ways.pop()
                for action in way.legal_actions():
                    after = way.clone()
                    after.apply_action(action)
                    assert pickle.loads(pickle.dumps(after)) == copy.copy(after) == after != way
                    if after.chain:
                        assert after.observation_tensor()[4].sum() == 1 and after.current_player() == state.current_player()
                        ways.append(after)
                    else:
                        ends.add(str(after))
            moves = [move for move in plain.position.legal_moves() if move.actions]
            chosen = chance.choice(moves)
            actions = state.actions_of(chosen)
            assert actions == state.actions_of(chosen.text)
            assert all(str(State(plain.position.play(move))) in ends for move in moves)
            for action in actions:
                assert action in state.legal_actions() and state.legal_actions_mask()[action] == 1
                state.apply_action(action)
            for action in chosen.actions:
                plain.apply_action(action)
        assert state.is_terminal() and state.returns() == plain.returns()
        # In Squirrels they are the same actions.
        assert (state == plain) == (name == "squirrels")


@pytest.mark.parametrize("name", GAMES)
def test_symmetries_turn_actions_by_squares(name: str) -> None:
    for position in some_positions(name, 10):
        plain = State(turned(position, symmetries(name)[0]), actions="squares")
        for symmetry in symmetries(name, "squares"):
            other = State(turned(position, symmetry), actions="squares")
            assert (plain.legal_actions_mask()[symmetry.actions] == other.legal_actions_mask()).all(), symmetry.name


@environments
@pytest.mark.parametrize("name", GAMES)
def test_environments_take_actions_by_squares(name: str) -> None:
    from menagerie.gymnasium import SingleAgentEnv, VectorEnv

    chance = np.random.default_rng(1)
    env = SingleAgentEnv(name, opponent=100, ply_limit=20, actions="squares")
    seen, _ = env.reset(seed=1)
    done = False
    while not done:
        assert env.observation_space.contains(seen)
        seen, _, terminated, truncated, info = env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        done = terminated or truncated
        assert not info.get("illegal")
    envs = VectorEnv(name, 4, ply_limit=20, actions="squares")
    assert envs.single_action_space.n == env.action_space.n
    envs.reset(seed=2)
    for _ in range(100):
        *_, infos = envs.step(envs.random_actions())
    cells: Any = "cells"
    for bad in (lambda: SingleAgentEnv(name, actions=cells), lambda: VectorEnv(name, 2, actions=cells)):
        with pytest.raises(ValueError, match="actions: expected 'moves' or 'squares', found 'cells'"):
            bad()


@environments
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_s_own_test_passes_with_actions_by_squares() -> None:
    api_test: Any = pytest.importorskip("pettingzoo.test").api_test
    for name in GAMES:
        api_test(menagerie.env(name, actions="squares"), num_cycles=100)
