"""Tests of the environments for one learner and for many games at once."""

from __future__ import annotations

import copy
import doctest
import pickle
import sys
from typing import Any, List

import pytest
from conftest import GAMES

import menagerie
from menagerie import Game, Position

if sys.version_info < (3, 10):
    pytest.skip("Gymnasium needs Python 3.10", allow_module_level=True)

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import menagerie.gymnasium
from menagerie.gymnasium import SingleAgentEnv, VectorEnv


def chosen(mask: Any, chance: np.random.Generator) -> int:
    return int(chance.choice(np.flatnonzero(mask)))


def test_the_examples_are_right() -> None:
    results = doctest.testmod(menagerie.gymnasium)
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_s_own_test_passes(name: str) -> None:
    check_env(SingleAgentEnv(name, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("opponent", ["random", 200, lambda position: str(position.legal_moves()[0])], ids=str)
def test_a_game_against_an_opponent(name: str, opponent: Any) -> None:
    chance = np.random.default_rng(1)
    env = SingleAgentEnv(name, opponent=opponent, ply_limit=30)
    sides: List[str] = []
    for seed in range(6):
        seen, info = env.reset(seed=seed)
        sides.append(info["side"])
        done = False
        while not done:
            assert env.position.side == env.side == info["side"]
            assert env.observation_space.contains(seen) and (seen["action_mask"] == env.action_masks()).all()
            seen, reward, terminated, truncated, info = env.step(chosen(seen["action_mask"], chance))
            done = terminated or truncated
        outcome = env.position.outcome()
        won = outcome is not None and outcome.winner is not None
        assert terminated == (outcome is not None) and reward == (0 if not won else 1 if outcome and outcome.winner == env.side else -1)
    assert len(set(sides)) == 2


def test_the_seed_decides_a_game() -> None:
    def play(seed: int) -> Position:
        env, chance = SingleAgentEnv("squirrels", random_values=True), np.random.default_rng(1)
        seen, _ = env.reset(seed=seed)
        for _ in range(8):
            seen, *_ = env.step(chosen(seen["action_mask"], chance))
        twin = copy.deepcopy(env)
        assert twin.position == pickle.loads(pickle.dumps(env)).position == env.position
        action = chosen(seen["action_mask"], chance)
        env.step(action)
        twin.step(action)
        assert twin.position == env.position
        return env.position

    assert play(1) == play(1) != play(2)


def test_an_illegal_action_loses() -> None:
    env = SingleAgentEnv("halma")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (-1, True, False, True)
    assert not env.action_masks().any()
    with pytest.raises(ValueError, match="an illegal action has lost the game"):
        env.step(1)
    assert env.reset(seed=1)[0]["action_mask"].any()
    envs = VectorEnv("halma", 3)
    observations, _ = envs.reset(seed=1)
    actions = envs.random_actions().copy()
    actions[1] = -1
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    assert rewards.tolist() == [0, -1, 0] == (-1.0 * terminations).tolist() and not truncations.any()
    assert infos["_final_obs"].tolist() == [False, True, False]


@pytest.mark.parametrize("name", GAMES)
def test_many_games_are_the_games_of_one_state(name: str) -> None:
    """Follows every game of a vector by a `State`, through several games."""
    limit, count = 60, 5
    envs = VectorEnv(name, count, ply_limit=limit)
    observations, _ = envs.reset(seed=3)
    states = [menagerie.State(Game(name).start(), ply_limit=limit) for _ in range(count)]
    ended = 0
    for _ in range(150):
        assert envs.sides().tolist() == [state.current_player() for state in states]
        for index, state in enumerate(states):
            assert (observations["observation"][index] == state.observation_tensor()).all()
            assert (observations["action_mask"][index] == state.legal_actions_mask()).all()
        actions = envs.random_actions()
        movers = envs.sides().tolist()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for index, state in enumerate(states):
            state.apply_action(int(actions[index]))
            assert rewards[index] == state.returns()[movers[index]]
            assert truncations[index] == state.truncated and terminations[index] == (state.is_terminal() and not state.truncated)
            if state.is_terminal():
                ended += 1
                assert (infos["final_obs"][index]["observation"] == state.observation_tensor(movers[index])).all()
                states[index] = menagerie.State(Game(name).start(), ply_limit=limit)
    assert ended >= count


@pytest.mark.parametrize("opponent", ["random", 100])
def test_threads_and_a_second_run_change_nothing(opponent: Any) -> None:
    def play(threads: int) -> List[Any]:
        envs = VectorEnv("foxgame", 7, opponent=opponent, threads=threads)
        envs.reset(seed=4)
        found: List[Any] = []
        for _ in range(60):
            observations, rewards, terminations, *_ = envs.step(envs.random_actions())
            found += [observations["observation"].sum(), rewards.tolist(), terminations.tolist(), envs.sides().tolist()]
        return found

    assert play(1) == play(3) == play(1)


def test_the_learner_meets_our_search_on_both_sides() -> None:
    envs = VectorEnv("wolves", 8, opponent=300, ply_limit=80)
    observations, _ = envs.reset(seed=1)
    assert set(envs.sides().tolist()) == {0, 1}
    rewards = []
    for _ in range(200):
        observations, reward, terminated, truncated, _ = envs.step(envs.random_actions())
        assert observations["action_mask"].any(axis=1).all()
        rewards += reward[terminated | truncated].tolist()
    assert len(rewards) > 8 and sum(rewards) < -0.5 * len(rewards), "random moves lose against our search"
    assert VectorEnv("wolves", 4, opponent="random", side="SHEEP").reset(seed=1)[0]["observation"][:, 5].sum() == 0


def trajectories(envs: VectorEnv, steps: int) -> List[List[Any]]:
    """What each game shows when the first legal action is taken: planes, mask, reward, and whether it ended, step by step."""
    observations, _ = envs.reset(seed=3)
    shown: List[List[Any]] = [[] for _ in range(envs.num_envs)]
    for _ in range(steps):
        taken = observations["action_mask"].argmax(axis=1)
        movers = envs.sides()
        observations, rewards, terminated, truncated, infos = envs.step(taken)
        for game, seen in enumerate(shown):
            if (terminated[game] or truncated[game]) and not infos:
                assert envs.sides()[game] == movers[game]
            ended = bool(terminated[game] or truncated[game])
            if ended and "final_obs" in infos:
                final = infos["final_obs"][game]
                seen.append((final["observation"].tolist(), final["action_mask"].tolist(), rewards[game], ended))
                rewards[game], ended = 0, False
            planes, mask = observations["observation"][game], observations["action_mask"][game]
            seen.append((planes.tolist(), mask.tolist(), rewards[game], ended))
    return shown


@pytest.mark.parametrize("opponent", ["random", None])
def test_the_next_game_may_begin_in_the_step_after_the_end(opponent: Any) -> None:
    """Both modes show the same games, the one with a step more for each end."""
    options: Any = dict(opponent=opponent, ply_limit=9, random_plies=2)
    same = trajectories(VectorEnv("wolves", 5, **options), 60)
    following = VectorEnv("wolves", 5, autoreset_mode=AutoresetMode.NEXT_STEP, **options)
    assert following.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    later = trajectories(following, 60)
    for one, other in zip(same, later):
        assert one[: len(other)] == other and sum(seen[3] for seen in other) >= 5
        assert all(not any(mask) for _, mask, _, ended in other if ended)
    following.reset(seed=3)
    illegal = [0 if mask[0] == 0 else int(mask.argmin()) for mask in following.step(following.random_actions())[0]["action_mask"]]
    assert following.step(illegal)[2].all()
    assert not following.random_actions().any() and not following.step(illegal)[2].any()
    with pytest.raises(ValueError, match="expected SAME_STEP or NEXT_STEP"):
        VectorEnv("wolves", 5, autoreset_mode=AutoresetMode.DISABLED)


def test_values_are_drawn_anew_for_each_game() -> None:
    envs = VectorEnv("squirrels", 4, random_values=True)
    observations, _ = envs.reset(seed=1)
    values = observations["observation"][:, 3] * 10_000
    assert values.min() >= 1 and values.max() <= 99.5 and (values[0] != values[1]).any()
    for _ in range(25):
        observations, *_ = envs.step(envs.random_actions())
    assert (observations["observation"][:, 3] * 10_000 != values).any()


@pytest.mark.parametrize(
    "options,said",
    [
        ({"opponent": "strong"}, "opponent: expected 'random'"),
        ({"opponent": 0}, "opponent: expected"),
        ({"opponent": True}, "opponent: expected"),
        ({"opponent": 2.5}, "opponent: expected"),
        ({"opponent": 5, "epsilon": 1.5}, "epsilon: expected 0 to 1"),
        ({"side": "RED"}, "side: expected BLACK or WHITE"),
        ({"ply_limit": 0}, "ply_limit"),
        ({"random_values": True}, "the squares of halma have no values"),
        ({"rules": "home"}, "no rule set"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=said):
        SingleAgentEnv("halma", **options)
    with pytest.raises(ValueError, match=said):
        VectorEnv("halma", 2, **options)


def test_arrays_can_be_written_to() -> None:
    """Gymnasium's own wrappers do so."""
    from gymnasium.wrappers.vector import ClipReward

    clipped = ClipReward(VectorEnv("wolves", 64, opponent="random"), -0.5, 0.5)
    observations, _ = clipped.reset(seed=1)
    envs: Any = clipped.unwrapped
    rewards = np.zeros(0)
    for _ in range(100):
        observations, reward, terminated, truncated, infos = clipped.step(envs.random_actions())
        rewards = np.append(rewards, reward)
    assert set(rewards) == {-0.5, 0, 0.5}
    arrays = [*observations.values(), terminated, truncated, envs.random_actions(), envs.sides()]
    assert all(array.flags.writeable for array in arrays)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_a_mask_that_somebody_holds_stays_as_it_is(mode: AutoresetMode) -> None:
    """Its memory is written again when nobody holds it, nor a part of it, any more."""
    envs = VectorEnv("halma", 4, ply_limit=5, autoreset_mode=mode)
    held: List[Any] = []
    expected, places = [], set()
    mask: Any = envs.reset(seed=1)[0]["action_mask"]
    for step in range(30):
        assert mask.shape == (4, 65_536) and mask.dtype == np.int8
        places.add(mask.ctypes.data)
        held.append([mask, mask[1:], mask.T.ravel(order="K"), memoryview(mask)][step % 4])
        expected.append(np.array(held[-1]))
        mask = envs.step(envs.random_actions())[0]["action_mask"]
        assert all(np.array_equal(*pair) for pair in zip(held, expected))
    assert len(places) == 30
    del held
    again = set()
    for _ in range(30):
        mask = envs.step(envs.random_actions())[0]["action_mask"]
        again.add(mask.ctypes.data)
        for seen, position in zip(mask, envs.positions()):
            ended = mode == AutoresetMode.NEXT_STEP and not seen.any()
            assert ended or (seen == menagerie.State(position).legal_actions_mask()).all()
    assert len(again) == 2


def test_actions_are_whole_numbers_one_for_each_game() -> None:
    envs, env = VectorEnv("wolves", 4), SingleAgentEnv("wolves")
    actions = envs.reset(seed=1) and envs.random_actions()
    env.reset(seed=1)
    for wrong in (actions.reshape(2, 2), actions[:3], int(actions[0])):
        with pytest.raises(ValueError, match=r"actions: expected the shape \(4,\)"):
            envs.step(wrong)
    for no_number in ("x", 0.9, None, [1]):
        with pytest.raises(TypeError):
            env.step(no_number)  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError)):
            envs.step([no_number] * 4)
    with pytest.raises(TypeError, match="actions: expected whole numbers, found float64"):
        envs.step(actions + 0.9)
    assert not envs.step(list(actions))[2].any() and not env.step(np.flatnonzero(env.action_masks())[0])[2]


def test_the_opponent_may_be_random_at_times() -> None:
    """Its nodes may be a number of numpy. Between never and always it wins less often."""

    def mean(**options: Any) -> float:
        envs = VectorEnv("wolves", 100, ply_limit=80, **options)
        envs.reset(seed=1)
        rewards: List[float] = []
        for _ in range(60):
            _, reward, terminated, truncated, _ = envs.step(envs.random_actions())
            rewards += reward[terminated | truncated].tolist()
        return float(np.mean(rewards))

    means = [mean(opponent=np.int64(1), epsilon=epsilon) for epsilon in (0.0, 0.5, 1.0)]
    assert means[0] < means[1] - 0.1 and means[1] < means[2] - 0.1 and mean(opponent="random") == means[2]
    env = SingleAgentEnv("wolves", opponent=1, epsilon=1.0, side="SHEEP")
    first = {env.reset(seed=seed) and env.position.history[0].text for seed in range(60)}
    assert first == {move.text for move in Game("wolves").start().legal_moves()}


def test_many_games_cannot_be_copied() -> None:
    envs = VectorEnv("wolves", 2)
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a VectorEnv cannot be pickled or copied"):
            copied(envs)


def test_a_state_has_openspiel_s_conventions() -> None:
    state = menagerie.State(Game("foxgame").start(), ply_limit=4)
    assert state.num_distinct_actions() == 2_402
    assert state.observation_tensor().shape == state.observation_tensor_shape() == (7, 7, 7)
    while not state.is_terminal():
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) == np.flatnonzero(state.legal_actions_mask()).tolist()
        twin = state.clone()
        twin.apply_action(actions[-1])
        assert state.legal_actions() == actions
        state.apply_action(actions[0])
    assert state.current_player() == -4 and state.legal_actions() == [] and state.truncated and state.returns() == [0, 0]
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(0)
    with pytest.raises(ValueError, match="action -1 is not legal: one of"):
        menagerie.State(Game("foxgame").start()).apply_action(-1)


@pytest.mark.parametrize("name", ["Halma", "Wolves", "Squirrels", "FoxGame", "FoxGeese"])
def test_make_vec_finds_the_fast_environment(name: str) -> None:
    envs: Any = gymnasium.make_vec(f"menagerie/{name}-v0", num_envs=4, opponent="random")
    assert isinstance(envs.unwrapped, VectorEnv) and envs.num_envs == 4
    envs.reset(seed=1)
    assert envs.step(envs.unwrapped.random_actions())[1].shape == (4,)
