"""Tests of what makes the games of an environment differ: random plies, starts, options of `reset`, opponents that draw their moves."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, List, Tuple

import pytest

import menagerie
from menagerie import Game, Position

if sys.version_info < (3, 10):
    pytest.skip("environments need Python 3.10", allow_module_level=True)

import numpy as np

from menagerie.gymnasium import SingleAgentEnv, VectorEnv
from menagerie.pettingzoo import Environment

NAMES = menagerie.names()


def after(game: str, plies: int) -> Position:
    """The position after the first legal move of so many positions."""
    position = Game(game).start()
    for _ in range(plies):
        position = position.play(position.legal_moves()[0])
    return position


def game_of_the_first_actions(env: SingleAgentEnv, seed: int) -> Tuple[str, ...]:
    """The moves of a game of a learner that always takes its first legal action."""
    seen, _ = env.reset(seed=seed)
    done = False
    while not done:
        seen, _, terminated, truncated, _ = env.step(int(seen["action_mask"].argmax()))
        done = terminated or truncated
    return tuple(move.text for move in env.position.history)


@pytest.mark.parametrize("variety,least", [({}, 1), ({"random_plies": 4}, 30), ({"temperature": 0.1}, 30)], ids=str)
def test_a_deterministic_learner_meets_different_games(variety: Dict[str, Any], least: int) -> None:
    env = SingleAgentEnv("wolves", opponent=50, ply_limit=40, **variety)
    games = [game_of_the_first_actions(env, seed) for seed in range(40)]
    assert len(set(games)) >= least and (variety or len(set(games)) == 2)
    assert games[:5] == [game_of_the_first_actions(env, seed) for seed in range(5)]


@pytest.mark.parametrize("variety,least", [({}, 1), ({"random_plies": 4}, 30), ({"temperature": 0.1}, 30)], ids=str)
def test_many_games_differ_by_their_seed(variety: Dict[str, Any], least: int) -> None:
    def play(threads: int, seed: int) -> List[bytes]:
        envs = VectorEnv("wolves", 40, opponent=50, ply_limit=40, threads=threads, **variety)
        seen, _ = envs.reset(seed=seed)
        games = [b""] * 40
        for _ in range(4):
            seen, *_ = envs.step(seen["action_mask"].argmax(axis=1))
            games = [game + planes.tobytes() for game, planes in zip(games, seen["observation"])]
        return games

    games = play(1, 1)
    assert len(set(games)) >= least and (variety or len(set(games)) == 2)
    assert games == play(3, 1) and (games != play(1, 2))


@pytest.mark.parametrize("name", NAMES)
def test_random_plies_are_played_and_no_game_begins_at_its_end(name: str) -> None:
    env = Environment(name, random_plies=6)
    begun = set()
    for seed in range(10):
        env.reset(seed=seed)
        assert len(env.position.history) == 6 and env.position.outcome() is None
        begun.add(str(env.position))
    assert len(begun) > 5
    # Most random games of Wolves are over after so many plies.
    envs = VectorEnv(name, 30, opponent="random", random_plies=30)
    for _ in range(30):
        seen, _ = envs.reset(seed=1)
        assert seen["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("name", NAMES)
def test_games_begin_with_the_starts(name: str) -> None:
    starts = [after(name, plies) for plies in (2, 4)]
    planes = [menagerie.State(start).observation_tensor().tobytes() for start in starts]
    env = Environment(name, starts=starts)
    single = SingleAgentEnv(name, starts=starts, side=starts[0].side)
    seen = set()
    for seed in range(20):
        env.reset(seed=seed)
        assert env.position in starts
        single.reset(seed=seed)
        assert single.position in starts
        seen.add(starts.index(env.position))
    assert seen == {0, 1}
    envs = VectorEnv(name, 20, starts=starts)
    observations, _ = envs.reset(seed=1)
    assert {each.tobytes() for each in observations["observation"]} == set(planes)


def test_a_reset_begins_with_the_position_that_is_asked_for() -> None:
    position, other = after("foxgame", 4), after("foxgame", 2)
    for option in ({"position": position}, {"input": position.input()}):
        for env in (Environment("foxgame"), SingleAgentEnv("foxgame", side=position.side)):
            env.reset(seed=1, options=option)
            assert env.position == position
        envs = VectorEnv("foxgame", 3)
        observations, _ = envs.reset(seed=1, options=option)
        assert (observations["observation"] == menagerie.State(position).observation_tensor()).all()
    observations, _ = envs.reset(options={"positions": [position, other, position]})
    for each, planes in zip((position, other, position), observations["observation"]):
        assert (planes == menagerie.State(each).observation_tensor()).all()
    observations, _ = envs.reset()
    assert (observations["observation"] == menagerie.State(Game("foxgame").start()).observation_tensor()).all()


ENVIRONMENTS: Dict[str, Callable[..., Any]] = {
    "pettingzoo": Environment,
    "single": SingleAgentEnv,
    "vector": lambda name, **options: VectorEnv(name, 2, **options),
}


@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_what_makes_no_sense_is_refused(kind: str) -> None:
    make = ENVIRONMENTS[kind]
    over = Game("squirrels").start()
    while not over.outcome():
        over = over.play(over.legal_moves()[0])
    env = make("squirrels")
    refused: List[Tuple[Dict[str, Any], str]] = [
        ({"start": 1}, "options: expected input, position.*, found 'start'"),
        ({"position": over}, "whose game is over"),
        ({"position": Game("halma").start()}, "a position of halma"),
        ({"position": Game("squirrels").start(), "input": ""}, "found several"),
        ({"input": "SINGLE\n"}, "line 2"),
    ]
    for options, said in refused:
        with pytest.raises(ValueError, match=said):
            env.reset(seed=1, options=options)
    refused = [
        ({"random_plies": -1}, "random_plies: expected 0 to 1000, found -1"),
        ({"starts": []}, "starts: expected one position or more"),
        ({"starts": [over]}, "whose game is over"),
        ({"starts": [Game("halma").start()]}, "a position of halma"),
        ({"starts": [Game("squirrels").start()], "random_values": True}, "random_values: expected without starts"),
    ]
    for arguments, said in refused:
        with pytest.raises(ValueError, match=said):
            make("squirrels", **arguments)
    if kind == "vector":
        with pytest.raises(ValueError, match="positions: expected 2, one for each game, found 1"):
            env.reset(options={"positions": [Game("squirrels").start()]})
        for option in ("num_envs", "threads"):
            with pytest.raises(ValueError, match=f"{option}: expected 1 or more, found -3"):
                numbers: Any = {"num_envs": 2, option: -3}
                VectorEnv("squirrels", **numbers)
    if kind != "pettingzoo":
        for heat, opponent in [(-1.0, 50), (float("nan"), 50), (float("inf"), 50), (0.1, "random")]:
            with pytest.raises(ValueError, match="temperature: expected"):
                make("squirrels", opponent=opponent, temperature=heat)


def test_a_cold_opponent_makes_the_best_move_and_a_hot_one_any() -> None:
    position = after("wolves", 6)
    rated = position.rate_moves(nodes=200)
    best = max(expected for _, expected in rated)

    def answers(temperature: float) -> List[str]:
        found = []
        env = SingleAgentEnv("wolves", opponent=200, temperature=temperature, side=after("wolves", 1).side)
        for seed in range(60):
            env.reset(seed=seed, options={"position": position})
            found.append(env.position.history[-1].text)
        return found

    assert {move.text for move, expected in rated if expected > best - 1e-4} >= set(answers(1e-6))
    assert set(answers(1e6)) == {move.text for move, _ in rated}


@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_a_step_before_reset_is_refused(kind: str) -> None:
    env = ENVIRONMENTS[kind]("wolves")
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.zeros(2, int) if kind == "vector" else 1)


def test_a_game_that_is_over_before_the_learner_moves_is_refused() -> None:
    """The opponent takes the last square."""
    last = Game("squirrels").start()
    while not last.play(last.legal_moves()[0]).outcome():
        last = last.play(last.legal_moves()[0])
    learner = next(side for side in Game("squirrels").sides if side != last.side)
    cases: List[Tuple[Dict[str, Any], Dict[str, Any]]] = [({"starts": [last]}, {}), ({}, {"position": last})]
    for options, reset in cases:
        several = VectorEnv("squirrels", 2, opponent="random", side=learner, **options)
        both: List[Any] = [SingleAgentEnv("squirrels", side=learner, **options), several]
        for env in both:
            with pytest.raises(ValueError, match="over before the learner's first move"):
                env.reset(seed=1, options=reset)
            with pytest.raises(ValueError, match=r"call reset\(\)|call it again"):
                env.step(np.zeros(2, int) if isinstance(env, VectorEnv) else 1)
