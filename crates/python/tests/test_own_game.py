"""Tests of games of one's own as environments: the folders of examples/rules and of starters/any-game."""

from __future__ import annotations

import copy
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import menagerie

if sys.version_info < (3, 11):
    pytest.skip("a folder's game.toml needs Python 3.11", allow_module_level=True)

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from menagerie.gymnasium import SingleAgentEnv, VectorEnv

GO, TOE = str(ROOT / "examples" / "rules" / "little-go"), str(ROOT / "starters" / "any-game")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_tests_of_pettingzoo_and_gymnasium_pass() -> None:
    api_test(menagerie.env(TOE), num_cycles=200)
    seed_test(lambda: menagerie.env(TOE, random_plies=2), num_cycles=50)
    check_env(SingleAgentEnv(TOE), skip_render_check=True)


def test_a_game_is_played_by_its_rules() -> None:
    # The folder of Little-Go has no menagerie_rules.py.
    sys.path[:0] = [GO, TOE]
    try:
        rules = __import__("rules").LittleGo()
    finally:
        del sys.path[:2]
    env, chance, state = menagerie.env(GO), np.random.default_rng(1), rules.start(None)
    env.reset(seed=1)
    assert env.possible_agents == ["BLACK", "WHITE"] and env.action_space("BLACK").n == 26
    moves = env.unwrapped.game.moves
    while rules.over(state) is None:
        seen = env.observe(env.agent_selection)
        assert env.observation_space(env.agent_selection).contains(seen)
        assert {moves[action] for action in np.flatnonzero(seen["action_mask"])} == set(rules.moves(state))
        board = np.array([list(state.split()[2])[row : row + 5] for row in range(0, 25, 5)])
        # The signs are O and X.
        assert (seen["observation"][..., 0] == (board == "2")).all() and (seen["observation"][..., 1] == (board == "1")).all()
        assert (seen["observation"][..., 2] == (env.agent_selection == "BLACK")).all()
        twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
        action = int(chance.choice(np.flatnonzero(seen["action_mask"])))
        state = rules.play(state, moves[action])
        for each in (env, *twins):
            each.step(action)
            assert each.position.render() == rules.board(state)
    assert env.rewards == {"BLACK": 1 - 2 * rules.over(state)["winner"], "WHITE": 2 * rules.over(state)["winner"] - 1}


def test_the_seed_decides_the_dice(tmp_path: Path) -> None:
    """The rules get the number of the game, which the judge draws for each record."""
    folder = tmp_path / "game"
    shutil.copytree(ROOT / "examples" / "rules" / "dice-race", folder)
    rules = (folder / "rules.py").read_text()
    drawn = "    def draw(self, state, move):\n        return [[str(die) for die in state[3]]], []\n\n"
    (folder / "rules.py").write_text(rules.replace("    def guess(", drawn + "    def guess("))
    env, dice = menagerie.env(str(folder)), []
    for seed in [*range(12), *range(12)]:
        env.reset(seed=seed)
        dice.append(str(env.position.cells))
    assert dice[:12] == dice[12:] and len(set(dice)) > 3


def test_threads_share_a_rules_program() -> None:
    from concurrent.futures import ThreadPoolExecutor

    game = menagerie.env(TOE).game
    ask = lambda move: game.start().play(move).legal_moves()  # noqa: E731
    with ThreadPoolExecutor(8) as pool:
        for move, left in zip(game.moves * 20, pool.map(ask, game.moves * 20)):
            assert sorted([*left, move]) == sorted(game.moves)


def test_a_learner_plays_against_a_function() -> None:
    env = SingleAgentEnv(TOE, opponent=lambda position: position.legal_moves()[0], side="X")
    env.reset(seed=1)
    results = [env.step(action)[1:3] for action in (env.unwrapped.game.moves.index(move) for move in ("1,1", "2,1", "0,1"))]
    assert results == [(0, False), (0, False), (1, True)]
    assert env.step.__self__.position.history == ("1,1", "0,0", "2,1", "1,0", "0,1")


def test_what_a_folder_lacks_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(TOE, folder)
    cases: Any = [
        (lambda: menagerie.env(f"{folder}/none"), FileNotFoundError, "game.toml"),
        (lambda: menagerie.env(TOE, rules="base"), ValueError, "rules: expected with the name of a game"),
        (lambda: menagerie.env(TOE, actions="squares"), ValueError, "actions: expected 'moves'"),
        (lambda: menagerie.env(TOE, reward="margin"), ValueError, "counts no points"),
        (lambda: SingleAgentEnv(TOE, opponent=5), ValueError, "there is no search"),
        (lambda: VectorEnv(TOE, 2), ValueError, "no game of the name"),
        (lambda: menagerie.env(TOE).reset(options={"input": "X"}), ValueError, "position: expected"),
    ]
    for call, kind, said in cases:
        with pytest.raises(kind, match=said):
            call()
    toml = folder / "game.toml"
    given = toml.read_text()
    toml.write_text(given.replace('["X", "O"]', '["X"]'))
    with pytest.raises(ValueError, match="sides: expected two words in .*game.toml, found 1"):
        menagerie.env(str(folder))
    toml.write_text(given)
    rules = folder / "rules.py"
    text = rules.read_text()
    rules.write_text(text.replace("def draw(", "def drawn("))
    with pytest.raises(ValueError, match="an environment needs the function draw of the rules"):
        menagerie.env(str(folder))
    rules.write_text(text.replace("def play(self, state, move):", "def play(self, state, move):\n        raise KeyError('x')"))
    with pytest.raises(ValueError, match=r"play: KeyError: 'x' \(rules.py, line"):
        menagerie.env(str(folder))
    rules.write_text("1/0")
    with pytest.raises(ValueError, match="the rules program has ended"):
        menagerie.env(str(folder))
