"""Tests of the games in OpenSpiel, by its algorithms, where its package is there: pip install open_spiel; and of `State`'s conventions."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any, Dict

import pytest

from menagerie import Game, State

pyspiel: Any = pytest.importorskip("pyspiel")

import numpy as np

import menagerie.openspiel


def test_a_game_is_one_of_openspiel_s(game: Game) -> None:
    described = pyspiel.load_game(f"menagerie_{game.name}(ply_limit=30)")
    kind = described.get_type()
    assert kind.short_name == f"menagerie_{game.name}" in pyspiel.registered_names() and kind.provides_observation_tensor
    state, ours = described.new_initial_state(), State(game.start(), ply_limit=30)
    assert described.num_distinct_actions() == ours.num_distinct_actions() and described.max_utility() == 1
    chance = np.random.default_rng(1)
    while not state.is_terminal():
        player = state.current_player()
        assert player == ours.current_player() and str(state).startswith(str(ours))
        assert state.legal_actions() == ours.legal_actions()
        assert (np.array(state.observation_tensor(player)) == ours.observation_tensor(player).ravel()).all()
        texts = [state.action_to_string(player, action) for action in state.legal_actions()]
        assert len(set(texts)) == len(texts)
        action = int(chance.choice(state.legal_actions()))
        child = state.child(action)
        state.apply_action(action)
        ours.apply_action(action)
        assert str(child) == str(state) and child.history() == state.history()
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(described, state))
        assert str(again) == str(state) and again.legal_actions() == state.legal_actions()
    assert ours.is_terminal() and state.returns() == ours.returns() == state.rewards()


def test_parameters_are_those_of_game_and_state() -> None:
    described = pyspiel.load_game("menagerie_halma(rules=base,ply_limit=7,actions=squares)")
    assert described.num_distinct_actions() == 256
    state = described.new_initial_state()
    assert state.state.position == Game("halma", "base").start() and state.state.ply_limit == 7
    with pytest.raises(Exception, match="no rule set of the name 'home'"):
        menagerie.openspiel.OpenSpielGame.__subclasses__()[0]({"rules": "home"})


SMALL = ["wolves(ply_limit=3,actions=squares)", "foxgame(ply_limit=2)", "foxgeese(ply_limit=2)", "squirrels(ply_limit=2)", "halma(ply_limit=1,actions=squares)"]


@pytest.mark.parametrize("name", SMALL)
def test_information_states_are_the_history_of_actions(name: str) -> None:
    described = pyspiel.load_game(f"menagerie_{name}")
    assert str(pickle.loads(pickle.dumps(described))) == str(described)
    waiting, seen = [described.new_initial_state()], set()
    texts: Dict[str, Any] = {}
    while waiting:
        state = waiting.pop()
        seen.add(state.information_state_string(0))
        # What two states have in common decides about both alike.
        known = texts.setdefault(str(state), (state.legal_actions(), state.returns()))
        assert known == (state.legal_actions(), state.returns()), str(state)
        if len(texts) < 2000:
            waiting += [state.child(action) for action in state.legal_actions()]
    assert len(seen) >= len(texts) > 20
    start = State(Game(described.get_type().short_name[10:]).start(), ply_limit=9)
    start.apply_action(start.legal_actions()[0])
    inside = menagerie.openspiel.OpenSpielGame.new_initial_state(described, start)
    assert inside.information_state_string(0) not in seen


def test_tabular_algorithms_solve_small_games() -> None:
    policy: Any = pytest.importorskip("open_spiel.python.policy")
    cfr: Any = pytest.importorskip("open_spiel.python.algorithms.cfr")
    exploitability: Any = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    minimax: Any = pytest.importorskip("open_spiel.python.algorithms.minimax")
    described = pyspiel.load_game("menagerie_wolves(ply_limit=3,actions=squares)")
    assert len(policy.TabularPolicy(described).states) == 129
    solver = cfr.CFRSolver(described)
    solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(described, solver.average_policy()) == 0
    # All that the three plies bring is a draw by the limit.
    assert minimax.alpha_beta_search(described)[0] == 0


def test_a_q_learner_learns_from_the_environment() -> None:
    rl_environment: Any = pytest.importorskip("open_spiel.python.rl_environment")
    tabular_qlearner: Any = pytest.importorskip("open_spiel.python.algorithms.tabular_qlearner")
    env = rl_environment.Environment("menagerie_wolves", ply_limit=4)
    agents = [tabular_qlearner.QLearner(player, env.action_spec()["num_actions"]) for player in (0, 1)]
    for _ in range(3):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_writes_its_own_playthrough(name: str) -> None:
    generate_playthrough: Any = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    text = generate_playthrough.playthrough(f"menagerie_{name}", None, seed=3)
    assert "InformationStateString(1)" in text and "IsTerminal() = True" in text


def test_bots_are_evaluated(game: Game) -> None:
    mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
    evaluate_bots: Any = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
    uniform_random: Any = pytest.importorskip("open_spiel.python.bots.uniform_random")
    described = pyspiel.load_game(f"menagerie_{game.name}(ply_limit=12)")
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(described, 2, 20, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    returns = evaluate_bots.evaluate_bots(described.new_initial_state(), [bot, uniform_random.UniformRandomBot(1, chance)], chance)
    assert sum(returns) == 0


def test_openspiel_s_environment_plays(game: Game) -> None:
    rl_environment: Any = pytest.importorskip("open_spiel.python.rl_environment")
    env = rl_environment.Environment(f"menagerie_{game.name}", ply_limit=12)
    step, steps = env.reset(), 0
    while not step.last():
        seen = step.observations
        step = env.step([seen["legal_actions"][seen["current_player"]][0]])
        steps += 1
    assert steps >= 6 and sum(step.rewards) == 0 and len(step.observations["info_state"]) == 2


def test_python_ends_well_afterwards() -> None:
    """OpenSpiel drops what was registered when Python has ended."""
    code = "import pyspiel, menagerie.openspiel; pyspiel.load_game('menagerie_wolves').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
