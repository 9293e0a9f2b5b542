#!/usr/bin/env python3
"""Self-play as AlphaZero's: many games at once, each with a tree search that a net guides, and one call of the net for the leaves of
all of them.

    pip install 'menagerie-games[numpy]' --find-links target/wheels    # after make wheel
    python self_play.py --game wolves --games 64 --simulations 50

The net is a small one of numpy with random weights, so that the figures are those of the search and the rules. Each simulation takes a leaf
in each game; menagerie.observations has the planes and the masks of all leaves as two arrays. --openspiel runs OpenSpiel's tree search in
Python on the same games beside it, with the same net for one leaf at a time (pip install open_spiel). Prints simulations a second.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

import menagerie
from menagerie import Game, State, observations

EXPLORATION = 1.5


class Net:
    """Two layers of numpy: from planes to a policy and the expected return of the side to move, from -1 to 1."""

    def __init__(self, state: State, hidden: int, seed: int = 1) -> None:
        chance, inputs = np.random.default_rng(seed), state.observation_tensor().size
        self.first = chance.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32)
        self.second = chance.normal(0, hidden**-0.5, (hidden, state.num_distinct_actions() + 1)).astype(np.float32)

    def __call__(self, states: List[State]) -> Tuple[NDArray[Any], NDArray[Any]]:
        """Returns the policies, 0 for what is not legal, and the values."""
        planes, masks = observations(states)
        out = np.maximum(planes.reshape(len(states), -1) @ self.first, 0) @ self.second
        policy = np.exp(out[:, :-1]) * masks
        return policy / np.maximum(policy.sum(axis=1, keepdims=True), 1e-9), np.tanh(out[:, -1])


class Node:
    """A state of the tree: the share of the policy that it has of its parent, its visits, the sum of their values for `player`."""

    __slots__ = ("prior", "player", "visits", "total", "children")

    def __init__(self, prior: float, player: int) -> None:
        self.prior, self.player = prior, player
        self.visits, self.total = 0, 0.0
        self.children: Dict[int, Node] = {}

    def best(self) -> Tuple[int, Node]:
        """Returns the child to look at next, and its action."""
        scale = EXPLORATION * math.sqrt(self.visits)

        def rank(item: Tuple[int, Node]) -> float:
            child = item[1]
            # `total` is the sum for the player who chose the child.
            return (child.total / child.visits if child.visits else 0.0) + scale * child.prior / (1 + child.visits)

        return max(self.children.items(), key=rank)


class Tree:
    """The tree of one game."""

    def __init__(self, state: State) -> None:
        self.state, self.root = state, Node(1.0, -1)
        self.path: List[Node] = []

    def leaf(self) -> State:
        """Goes to a leaf, and returns its state."""
        node, state = self.root, self.state.clone()
        self.path = [node]
        while node.children:
            action, node = node.best()
            state.apply_action(action)
            self.path.append(node)
        return state

    def grow(self, state: State, policy: Optional[NDArray[Any]], returns: List[float]) -> None:
        """Adds the children of a leaf, and tells its path the returns of both players."""
        if policy is not None:
            player = state.current_player()
            self.path[-1].children = {int(action): Node(float(policy[action]), player) for action in np.flatnonzero(policy)}
        for node in self.path:
            node.visits += 1
            node.total += returns[node.player] if node.player >= 0 else 0.0

    def play(self) -> None:
        """Takes the action that was looked at most."""
        action = max(self.root.children.items(), key=lambda item: item[1].visits)[0]
        self.state.apply_action(action)
        self.root = Node(1.0, -1)


def simulate(trees: List[Tree], net: Net) -> None:
    """Makes a simulation in each tree, with one call of the net."""
    leaves = [tree.leaf() for tree in trees]
    policies, values = net(leaves)
    for tree, state, policy, value in zip(trees, leaves, policies, values):
        if state.is_terminal():
            tree.grow(state, None, state.returns())
        else:
            own = float(value)
            tree.grow(state, policy, [own, -own] if state.current_player() == 0 else [-own, own])


def self_play(name: str, hidden: int, games: int, simulations: int, moves: int) -> Tuple[int, float]:
    """Plays so many moves of all games. Returns the simulations, and the seconds of CPU that they took."""
    start = State(Game(name).start())
    net, trees = Net(start, hidden), [Tree(start.clone()) for _ in range(games)]
    # Games that begin alike would stay alike.
    chance, done = np.random.default_rng(2), 0
    for tree in trees:
        for _ in range(4):
            tree.state.apply_action(int(chance.choice(tree.state.legal_actions())))
    begun = time.process_time()
    for _ in range(moves):
        trees = [tree for tree in trees if not tree.state.is_terminal()]
        for _ in range(simulations):
            simulate(trees, net)
        done += simulations * len(trees)
        for tree in trees:
            tree.play()
    return done, time.process_time() - begun


def openspiel(name: str, hidden: int, simulations: int, moves: int) -> Tuple[int, float]:
    """The same for one game by OpenSpiel's tree search in Python."""
    import pyspiel  # type: ignore[import-not-found,unused-ignore]
    from open_spiel.python.algorithms import mcts  # type: ignore[import-not-found,unused-ignore]

    import menagerie.openspiel

    assert menagerie.openspiel
    described = pyspiel.load_game(f"menagerie_{name}")
    start = described.new_initial_state()
    net = Net(start.state, hidden)

    class Evaluator:
        def evaluate(self, state: Any) -> List[float]:
            value = float(net([state.state])[1][0])
            return [value, -value] if state.current_player() == 0 else [-value, value]

        def prior(self, state: Any) -> List[Tuple[int, float]]:
            policy = net([state.state])[0][0]
            return [(action, float(policy[action])) for action in state.legal_actions()]

    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        described, EXPLORATION, simulations, Evaluator(), solve=False, random_state=chance, child_selection_fn=mcts.SearchNode.puct_value
    )
    begun = time.process_time()
    for _ in range(moves):
        start.apply_action(bot.step(start))
    return simulations * moves, time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=menagerie.names(), default="wolves")
    parser.add_argument("--hidden", type=int, default=64, help="width of the net's hidden layer")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--moves", type=int, default=8)
    parser.add_argument("--openspiel", action="store_true")
    options = parser.parse_args()

    def told(what: str, figures: Tuple[int, float]) -> None:
        simulations, seconds = figures
        print(f"{what}: {simulations} simulations, {simulations / seconds:,.0f} a second of CPU")

    told(f"{options.games} games at once", self_play(options.game, options.hidden, options.games, options.simulations, options.moves))
    told("one game at a time", self_play(options.game, options.hidden, 1, options.simulations, options.moves))
    if options.openspiel:
        told("one game by OpenSpiel's search", openspiel(options.game, options.hidden, options.simulations, options.moves))


if __name__ == "__main__":
    main()
