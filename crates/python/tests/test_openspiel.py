"""Tests of `State` by the conventions of OpenSpiel, and by its algorithms where its package is there: pip install open_spiel."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from typing import Any, List, Tuple

import pytest

import menagerie
from menagerie import Game, State


def random_states(game: Game, seed: int, plies: int = 80) -> List[Tuple[State, int, int]]:
    """The states of a random game, each with the player and the action that follow."""
    chance, state = random.Random(seed), State(game.start(), ply_limit=plies)
    line = []
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        line.append((state.clone(), state.current_player(), action))
        state.apply_action(action)
    line.append((state, -4, -1))
    return line


@pytest.mark.parametrize("seed", range(3))
def test_a_state_is_undone_action_by_action(game: Game, seed: int) -> None:
    line = random_states(game, seed)
    state = line[-1][0].clone()
    taken = [action for _, _, action in line[:-1]]
    assert state.history() == taken and state.move_number() == len(taken)
    for before, player, action in reversed(line[:-1]):
        with pytest.raises(ValueError, match="is not the last"):
            state.undo_action(1 - player, action)
        state.undo_action(player, action)
        assert state == before and state.legal_actions() == before.legal_actions()
        assert state.history() == before.history() and state.plies == before.plies
        assert state.child(action).history() == [*state.history(), action]
    with pytest.raises(ValueError, match="is not the last"):
        state.undo_action(0, 1)


def test_a_text_and_a_pickle_are_the_same_state(game: Game) -> None:
    for state, _, action in random_states(game, 1)[::7]:
        for twin in (State.deserialize(state.serialize()), pickle.loads(pickle.dumps(state)), copy.copy(state)):
            assert twin == state and twin.history() == state.history() and twin.chain == state.chain
            assert twin.returns() == state.returns() and str(twin) == str(state)
            if action >= 0:
                twin.apply_action(action)
                assert twin != state and twin == state.child(action)
    with pytest.raises(TypeError):
        hash(State(game.start()))
    assert State(game.start()) != game.start() and State(game.start()) != State(game.start(), ply_limit=3)


@pytest.mark.parametrize("text", ["", "halma", "halma base 0 300\n\n\n\n", "halma addendum x 300\n\n\n\n", "halma addendum 0 300\n9\n\n\n"])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        State.deserialize(text.replace("base", "home"))


def test_actions_have_texts(game: Game) -> None:
    for state, player, _ in random_states(game, 2)[:-1:5]:
        actions = state.legal_actions()
        texts = [state.action_to_string(player, action) for action in actions]
        assert len(set(texts)) == len(actions) and texts == [state.action_to_string(action) for action in actions]
        assert [state.string_to_action(text) for text in texts] == actions == [state.string_to_action(player, text) for text in texts]
        if not state.chain:
            assert {str(move) for move in state.position.legal_moves() if len(move.actions) == 1} <= set(texts)
        assert state.legal_actions(player) == actions and state.legal_actions(1 - player) == []
        assert str(state.position.render()) == str(state)
    with pytest.raises(ValueError, match="action -1 is not legal"):
        state.action_to_string(-1)
    with pytest.raises(ValueError, match="no legal action has the text"):
        state.string_to_action("somewhere")


def test_nothing_is_drawn_and_two_play(game: Game) -> None:
    state = State(game.start())
    assert (state.num_players(), state.is_chance_node(), state.is_simultaneous_node(), state.is_player_node()) == (2, False, False, True)
    end, _, _ = random_states(game, 3)[-1]
    assert end.rewards() == end.returns() == [end.player_return(0), end.player_reward(1)] and not end.is_player_node()
    planes, rows, columns = state.observation_tensor_shape()
    assert state.observation_tensor_size() == planes * rows * columns


@pytest.mark.skipif(sys.version_info < (3, 10), reason="open_spiel needs a later Python")
@pytest.mark.parametrize("name", ["wolves", "squirrels", "foxgame"])
def test_openspiel_s_tree_search_plays(name: str) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
    import numpy as np

    # The search asks a game for the number of players and the bounds of their returns alone.
    described = pyspiel.load_game("tic_tac_toe")
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(described, 2, 60, mcts.RandomRolloutEvaluator(1, chance), solve=True, random_state=chance)
    state = State(Game(name).start(), ply_limit=40)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
