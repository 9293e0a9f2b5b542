"""Tests of the environments, by PettingZoo's own tests and against the games' rules."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any, List

import pytest
from conftest import GAMES
from conftest import ROOT

import menagerie
from menagerie import Game

if sys.version_info < (3, 10):
    pytest.skip("PettingZoo needs Python 3.10", allow_module_level=True)

import numpy as np
from pettingzoo.test import api_test, render_test, seed_test

from menagerie.pettingzoo import Environment


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_s_own_tests_pass(name: str) -> None:
    api_test(menagerie.env(name), num_cycles=1_000)
    seed_test(lambda: menagerie.env(name), num_cycles=300)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_random_values_follow_the_seed() -> None:
    seed_test(lambda: menagerie.env("squirrels", random_values=True), num_cycles=200)
    env = Environment("squirrels", random_values=True)
    boards: List[Any] = []
    for seed in (1, 1, 2, None):
        env.reset(seed=seed)
        boards.append(env.observe("X")["observation"][..., 3])
    assert (boards[0] == boards[1]).all() and (boards[0] != boards[2]).any() and (boards[2] != boards[3]).any()


def chosen(env: Any, chance: np.random.Generator) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    assert mask.sum() > 0
    return int(chance.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_a_game_by_the_rules(name: str) -> None:
    chance = np.random.default_rng(7)
    env = Environment(name, ply_limit=200)
    for _ in range(10):
        env.reset()
        before, actions = env.position, 0
        while env.agents and not any(env.terminations.values()) and not any(env.truncations.values()):
            mover = env.agent_selection
            assert mover == env.position.side
            seen, other = env.observe(mover), env.observe(next(side for side in env.agents if side != mover))
            assert env.observation_space(mover).contains(seen) and not other["action_mask"].any()
            assert (seen["observation"][..., 0] == other["observation"][..., 1]).all()
            env.step(chosen(env, chance))
            actions += 1
            if env.position != before:
                assert env.position in [before.play(move) for move in before.legal_moves()]
                before, actions = env.position, 0
            assert actions <= 20, "a chain without an end"
        outcome = env.position.outcome()
        assert all(env.truncations.values()) == (outcome is None)
        for side in env.game.sides:
            won = outcome is not None and outcome.winner is not None
            assert env.rewards[side] == (0 if not won else 1 if side == outcome.winner else -1)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", GAMES)
def test_every_move_has_actions_of_its_own(name: str) -> None:
    """In random positions from the start and from input files, each move has a unique sequence of actions that leads to it."""
    chance = np.random.default_rng(3)
    starts = [Game(name).start()]
    starts += [Game(name).read_file(path) for path in sorted((ROOT / "inputs" / name).glob("*.txt")) if path.read_text()[0] in "SG"]
    for start in starts:
        position = start
        for _ in range(30):
            moves = position.legal_moves()
            spellings = {tuple(move.actions): move for move in moves}
            assert len(spellings) == len(moves) and all(spellings)
            # A sample of about 20 of the moves.
            for spelling, move in list(spellings.items())[:: 1 + len(moves) // 20]:
                game = menagerie.State(position)
                for action in spelling:
                    assert game.plies == 0 and action in game.legal_actions()
                    game.apply_action(action)
                assert game.plies == 1 and game.position == position.play(move)
            position = position.play(moves[chance.integers(len(moves))])
            if position.outcome():
                break


CHAIN = """SINGLE
FOX
1
##F.F##
##S..##
.......
S.S...S
SS...SS
##...##
##SSS##
"""


def test_a_chain_is_one_action_a_jump_and_shows_the_board_between() -> None:
    env = Environment("foxgame")
    env.reset(options={"input": CHAIN})
    first, second = 2 * 49 + 16, 16 * 49 + 30
    mask = env.observe("FOX")["action_mask"]
    assert mask[first] and not mask[second] and not mask[2_401]
    env.step(first)
    seen = env.observe("FOX")
    assert env.agent_selection == "FOX" and env.rewards == {"FOX": 0, "SHEEP": 0}
    own, other, chain = (seen["observation"][..., plane] for plane in (0, 1, 4))
    assert own[2, 2] == 1 and own[0, 2] == 0 and other[1, 2] == 0 and other[3, 2] == 1
    assert chain[2, 2] == chain.sum() == 1
    assert sorted(np.flatnonzero(seen["action_mask"])) == [second, 2_401]
    stopped, went_on = Environment("foxgame"), Environment("foxgame")
    for other_env, last in ((stopped, 2_401), (went_on, second)):
        other_env.reset(options={"input": CHAIN})
        other_env.step(first)
        other_env.step(last)
        assert other_env.agent_selection == "SHEEP"
    game = Game("foxgame").read(CHAIN)
    assert stopped.position == game.play("J 2,0 2,2\n")
    assert went_on.position == game.play("J 2,0 2,2\nJ 2,2 2,4\n")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_goes_on_with_the_same_game(name: str, copied: Any) -> None:
    for env in (Environment(name), Environment(name, actions="squares")):
        env.reset(seed=1)
        chance = np.random.default_rng(5)
        for _ in range(12):
            env.step(chosen(env, chance))
        twin = copied(env)
        assert twin.position == env.position and twin.position.history == env.position.history
        for _ in range(8):
            action = chosen(env, chance)
            before = env.position
            twin.step(action)
            assert env.position == before and twin.agent_selection in env.possible_agents
            env.step(action)
            assert twin.position == env.position
            for side in env.possible_agents:
                seen = [each.observe(side) for each in (env, twin)]
                assert all((seen[0][key] == seen[1][key]).all() for key in ("observation", "action_mask"))


def test_a_copy_keeps_an_unfinished_chain() -> None:
    env = Environment("foxgame")
    env.reset(options={"input": CHAIN})
    env.step(2 * 49 + 16)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (twin.observe("FOX")["action_mask"] == env.observe("FOX")["action_mask"]).all()
        twin.step(2_401)
        assert twin.agent_selection == "SHEEP" and env.agent_selection == "FOX"


def test_illegal_actions_lose_and_calls_out_of_order_are_refused() -> None:
    """As with PettingZoo's wrappers, which the environment does without."""
    assert menagerie.env is Environment is menagerie.pettingzoo.env
    for action in (0, -1, 10**30, np.int64(9_999)):
        env = menagerie.env("wolves")
        for early in (lambda: env.step(0), lambda: env.observe("WOLVES"), env.render, env.last, lambda: next(iter(env.agent_iter()))):
            with pytest.raises(ValueError, match="call reset"):
                early()
        env.reset()
        for no_action in ("x", 0.5, [1]):
            with pytest.raises(TypeError):
                env.step(no_action)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="an action is needed"):
            env.step(None)
        env.step(action)
        assert env.rewards == {"WOLVES": -1, "SHEEP": 0} and all(env.terminations.values())
        assert env.infos == {"WOLVES": {"illegal": True}, "SHEEP": {}} and not env.observe("WOLVES")["action_mask"].any()
        rewards = []
        for _ in env.agent_iter():
            rewards.append(env.last()[1])
            env.step(None)
        assert rewards == [-1, 0] and not env.agents
        with pytest.raises(ValueError, match="the game is over: call reset"):
            env.step(None)


@pytest.mark.parametrize("name", GAMES)
def test_the_environment_is_twice_as_fast_as_in_pettingzoo_s_wrappers(name: str) -> None:
    from time import process_time

    from pettingzoo.utils import wrappers

    def seconds(env: Any) -> float:
        begun = process_time()
        for seed in range(20):
            env.reset(seed=seed)
            for side in env.agent_iter():
                seen, _, over, cut, _ = env.last()
                env.step(None if over or cut else env.action_space(side).sample(seen["action_mask"]))
        return process_time() - begun

    plain = Environment(name, ply_limit=60)
    wrapped = wrappers.TerminateIllegalWrapper(Environment(name, ply_limit=60), illegal_reward=-1)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
    rounds = [seconds(wrapped) / seconds(plain) for _ in range(5)]
    assert sorted(rounds)[2] > 2


def test_actions_are_drawn_as_by_gymnasium_s_own_space() -> None:
    from gymnasium.spaces import Discrete

    env = menagerie.env("halma")
    env.reset()
    ours, theirs = env.action_space("BLACK"), Discrete(65_536)
    mask = env.observe("BLACK")["action_mask"]
    ours.seed(1), theirs.seed(1)
    assert [ours.sample(mask) for _ in range(9)] == [theirs.sample(mask) for _ in range(9)]
    assert ours.sample(np.zeros(65_536, np.int8)) == 0 and ours.sample() < 65_536 and ours == theirs
    for wrong in (mask[1:], mask.astype(np.int64), [1]):
        with pytest.raises(AssertionError):
            ours.sample(wrong)


def test_the_board_is_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    def rendered(mode: Any) -> Any:
        env = Environment("wolves", render_mode=mode)
        env.reset()
        return env.render()

    assert "W" in rendered("ansi") and rendered("svg").startswith("<svg") and rendered("human") is None
    assert "W" in capsys.readouterr().out
    render_test(lambda render_mode=None: menagerie.env("foxgame", render_mode=render_mode), custom_tests={"svg": lambda svg: svg.startswith("<svg")})


def test_the_pixels_are_those_of_the_drawing() -> None:
    environment = Environment("wolves", render_mode="rgb_array")
    environment.reset()
    start, svg = environment.render(), environment.position.render_svg()
    assert isinstance(start, np.ndarray) and start.dtype == np.uint8
    assert f'width="{start.shape[1]}" height="{start.shape[0]}"' in svg and start.shape[2] == 3
    # A wolf goes from column 1 of the last row to the meadow before it. A cell takes 100 of the 580 units, and the frame 40.
    row, column = (int(start.shape[0] * (40 + 100 * cell + 50) / 580) for cell in (3, 1))
    assert start[row, column].tolist() == [0xCF, 0xE3, 0xA6]
    move = next(move for move in environment.position.legal_moves() if str(move) == "1,4-1,3")
    environment.step(move.actions[0])
    moved = environment.render()
    assert isinstance(moved, np.ndarray) and moved[row, column].tolist() != start[row, column].tolist()
    # The sheep in the first two rows stay as they are.
    sheep = slice(0, start.shape[0] * 235 // 580)
    assert (moved[sheep] == start[sheep]).all()


def test_pixels_without_their_packages_are_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError) as refused:
        Environment("wolves", render_mode="rgb_array")
    assert "pip install 'menagerie-games[render]'" in str(refused.value)


@pytest.mark.parametrize(
    "options,said",
    [
        ({"render_mode": "film"}, "render_mode: expected ansi"),
        ({"random_values": True}, "the squares of halma have no values"),
        ({"ply_limit": 0}, "ply_limit"),
        ({"rules": "home"}, "no rule set"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=said):
        Environment("halma", **options)
