#!/usr/bin/env python3
"""A learner's first curve: proximal policy optimization (Schulman et al. 2017) in numpy against an opponent that plays half of its moves at random.

    pip install 'menagerie-games[gymnasium]' --find-links target/wheels    # after make wheel
    python first_curve.py --seconds 60 --svg curve.svg

Prints the mean result, from -1 (all lost) to 1 (all won), of the net that has learned nothing yet, which moves at random, and after each tenth of
the time: --games games are played for each, without learning and outside of the time. --seconds is CPU time, which alone makes two runs with one
seed differ; --updates is the number of updates instead, and gives the same figures on one machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from functools import partial
from typing import Any, Dict, List, Tuple

# CPU time is the budget, and threads of such small products spend it on waiting. Numpy reads this once, when it is imported.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from menagerie.gymnasium import VectorEnv

GAMES, STEPS, HIDDEN = 64, 16, 128
RATE, ENTROPY, DISCOUNT, TRACE = 1e-3, 0.01, 0.99, 0.95
EPOCHS, BATCHES, CLIP = 4, 4, 0.2
POINTS = 10


class Net:
    """From planes to the logits of the actions and the expected result, with Adam (Kingma and Ba 2015)."""

    def __init__(self, inputs: int, actions: int, chance: np.random.Generator) -> None:
        def layer(rows: int, columns: int, scale: float) -> NDArray[np.float32]:
            return chance.normal(0, scale * rows**-0.5, (rows, columns)).astype(np.float32)

        self.layers = [layer(inputs + 1, HIDDEN, 1.4), layer(HIDDEN, actions, 0.1), layer(HIDDEN, 1, 0.1)]
        self.means = [np.zeros_like(each) for each in self.layers]
        self.squares = [np.zeros_like(each) for each in self.layers]
        self.updates = 0

    def __call__(self, planes: NDArray[Any], mask: NDArray[Any]) -> Tuple[NDArray[Any], ...]:
        """Returns the inputs and the hidden layer, the policy, and the values."""
        seen = np.concatenate([planes.reshape(len(planes), -1), np.ones((len(planes), 1), np.float32)], axis=1)
        hidden = np.maximum(seen @ self.layers[0], 0)
        logits = np.where(mask == 1, hidden @ self.layers[1], -1e9)
        policy = np.exp(logits - logits.max(axis=1, keepdims=True))
        return seen, hidden, policy / policy.sum(axis=1, keepdims=True), np.tanh(hidden @ self.layers[2])[:, 0]

    def learn(self, rows: Dict[str, NDArray[Any]]) -> None:
        """One step along the gradient of the clipped advantage and of the entropy, and of the squared error of the values."""
        seen, hidden, policy, values = self(rows["planes"], rows["mask"])
        taken = np.arange(len(seen)), rows["actions"]
        ratio, gain = policy[taken] / rows["chances"], rows["gains"]
        gain = np.where(np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP), ratio * gain, 0)
        by_logit = policy * gain[:, None]
        by_logit[taken] -= gain
        logs = np.log(policy + 1e-9)
        by_logit += ENTROPY * policy * (logs - (policy * logs).sum(axis=1, keepdims=True))
        by_value = ((values - rows["results"]) * (1 - values**2))[:, None]
        by_hidden = (by_logit @ self.layers[1].T + by_value @ self.layers[2].T) * (hidden > 0)
        self.updates += 1
        for index, gradient in enumerate((seen.T @ by_hidden, hidden.T @ by_logit, hidden.T @ by_value)):
            gradient /= len(seen)
            self.means[index] += 0.1 * (gradient - self.means[index])
            self.squares[index] += 0.001 * (gradient**2 - self.squares[index])
            mean, square = (each[index] / (1 - decay**self.updates) for each, decay in ((self.means, 0.9), (self.squares, 0.999)))
            self.layers[index] -= (RATE * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def drawn(net: Net, seen: Dict[str, NDArray[Any]], chance: np.random.Generator) -> Dict[str, NDArray[Any]]:
    """Draws an action in each game by the net's policy. Returns what the net learns from."""
    planes, mask = seen["observation"], seen["action_mask"]
    _, _, policy, values = net(planes, mask)
    actions = (policy.cumsum(axis=1) > chance.random((len(policy), 1))).argmax(axis=1)
    all_games = np.arange(len(actions))
    # The last bits of a sum can leave an action that is not legal.
    actions = np.where(policy[all_games, actions] > 0, actions, policy.argmax(axis=1))
    return {"planes": planes, "mask": mask, "actions": actions, "chances": policy[all_games, actions], "values": values}


def environment(game: str, count: int, options: argparse.Namespace) -> VectorEnv:
    """Makes games of wolves, say, or of wolves/SHEEP, in which the learner is always that side."""
    name, _, side = game.partition("/")
    return VectorEnv(name, count, side=side or None, opponent=options.opponent, epsilon=options.epsilon)


def mean_result(game: str, net: Net, options: argparse.Namespace) -> float:
    """Plays games to their ends, from which the net learns nothing. Returns their mean result."""
    envs, chance = environment(game, options.games, options), np.random.default_rng(options.seed)
    seen, _ = envs.reset(seed=options.seed + 1)
    results, playing = np.zeros(options.games), np.ones(options.games, bool)
    while playing.any():
        seen, rewards, terminated, truncated, _ = envs.step(drawn(net, seen, chance)["actions"])
        ended = playing & (terminated | truncated)
        results[ended] = rewards[ended]
        playing &= ~ended
    return float(results.mean())


def curve(game: str, options: argparse.Namespace) -> List[Tuple[float, float]]:
    """Learns a game. Returns the seconds of CPU and the mean result before the first update, and after each tenth of them."""
    envs, chance = environment(game, GAMES, options), np.random.default_rng(options.seed)
    seen, _ = envs.reset(seed=options.seed)
    net = Net(seen["observation"][0].size, int(envs.single_action_space.n), chance)
    points, used, begun = [(0.0, mean_result(game, net, options))], 0.0, time.process_time()
    while len(points) <= POINTS:
        steps: List[Dict[str, NDArray[Any]]] = []
        for _ in range(STEPS):
            step = drawn(net, seen, chance)
            seen, rewards, terminated, truncated, _ = envs.step(step["actions"])
            steps.append({**step, "rewards": rewards, "goes_on": ~(terminated | truncated)})
        following, gains = net(seen["observation"], seen["action_mask"])[3], np.zeros(GAMES)
        # Generalized advantage estimation (Schulman et al. 2016).
        for step in reversed(steps):
            error = step["rewards"] + DISCOUNT * step["goes_on"] * following - step["values"]
            gains = error + DISCOUNT * TRACE * step["goes_on"] * gains
            step["gains"], step["results"], following = gains, gains + step["values"], step["values"]
        rows = {key: np.concatenate([step[key] for step in steps]) for key in steps[0]}
        rows["gains"] = (rows["gains"] - rows["gains"].mean()) / (rows["gains"].std() + 1e-6)
        for _ in range(EPOCHS):
            for part in np.array_split(chance.permutation(GAMES * STEPS), BATCHES):
                net.learn({key: row[part] for key, row in rows.items()})
        now = used + time.process_time() - begun
        done = net.updates / options.updates if options.updates else now / options.seconds
        if done >= len(points) / POINTS:
            points.append((now, mean_result(game, net, options)))
            used, begun = now, time.process_time()
    return points


def svg(curves: Dict[str, List[Tuple[float, float]]]) -> str:
    """Draws the curves: seconds of CPU to the right, the mean result upwards."""
    most = max(points[-1][0] for points in curves.values())

    def x(used: float) -> float:
        return 50 + 480 * used / most

    def y(mean: float) -> float:
        return 130 - 110 * mean

    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 290" font-family="sans-serif" font-size="13">']
    lines += ['<rect width="640" height="290" fill="#fff"/>', '<text x="290" y="282" text-anchor="middle">seconds of CPU</text>']
    for mean, text in ((1, "1"), (0, "0"), (-1, "-1")):
        lines.append(f'<path d="M50 {y(mean)}H530" stroke="#bbb"/><text x="42" y="{y(mean) + 4}" text-anchor="end">{text}</text>')
    for part in range(5):
        lines.append(f'<text x="{x(most * part / 4):.0f}" y="260" text-anchor="middle">{most * part / 4:.0f}</text>')
    colours = dict(zip(curves, ("#c0392b", "#2471a3", "#1e8449", "#7d3c98", "#b9770e")))
    heights: List[float] = []
    for game, points in sorted(curves.items(), key=lambda item: -item[1][-1][1]):
        colour = colours[game]
        way = " ".join(f"{x(used):.1f},{y(mean):.1f}" for used, mean in points)
        height = y(points[-1][1]) + 4
        while any(abs(height - other) < 15 for other in heights):
            height += 1
        heights.append(height)
        lines.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{x(points[-1][0]) + 8:.0f}" y="{height:.0f}" fill="{colour}">{game}</text>')
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game, or a game and a side of it (default: wolves/SHEEP, squirrels and foxgame)")
    parser.add_argument("--opponent", type=int, default=1, help="nodes of the opponent's search")
    parser.add_argument("--epsilon", type=float, default=0.5, help="share of the opponent's moves that are random")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time for each game")
    parser.add_argument("--games", type=int, default=400, help="games of each measurement of the curve")
    parser.add_argument("--updates", type=int, help="updates for each game instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", help="a file for the plot")
    options = parser.parse_args()
    games = options.game or ["wolves/SHEEP", "squirrels", "foxgame"]
    with multiprocessing.get_context("spawn").Pool(len(games)) as pool:
        curves = dict(zip(games, pool.map(partial(curve, options=options), games)))
    for game, points in curves.items():
        print(f"{game:14}" + " ".join(f"{mean:+.2f}" for _, mean in points) + f"   {points[-1][0]:.0f} s")
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(svg(curves))


if __name__ == "__main__":
    main()
