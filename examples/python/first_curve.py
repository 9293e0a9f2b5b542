#!/usr/bin/env python3
"""A learner's first curve: an actor-critic of numpy (Mnih et al. 2016) learns games against an opponent that plays half of its moves at random.

    pip install 'menagerie-games[gymnasium]' --find-links target/wheels    # after make wheel
    python first_curve.py --seconds 60 --svg curve.svg

Prints the mean result of the games that ended in each tenth of the time, from -1 (all lost) to 1 (all won). --seconds is CPU time, which alone
makes two runs with one seed differ; --updates is the number of updates instead, and gives the same figures on one machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from functools import partial
from typing import Any, Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

from menagerie.gymnasium import VectorEnv

GAMES, STEPS, HIDDEN = 64, 16, 128
RATE, ENTROPY = 1e-3, 0.01
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

    def learn(self, planes: NDArray[Any], mask: NDArray[Any], actions: NDArray[Any], results: NDArray[Any]) -> None:
        """One step along the gradient of the policy's advantage and entropy, and of the squared error of the values."""
        seen, hidden, policy, values = self(planes, mask)
        gain = results - values
        by_logit = policy * gain[:, None]
        by_logit[np.arange(len(actions)), actions] -= gain
        logs = np.log(policy + 1e-9)
        by_logit += ENTROPY * policy * (logs - (policy * logs).sum(axis=1, keepdims=True))
        by_value = (-gain * (1 - values**2))[:, None]
        by_hidden = (by_logit @ self.layers[1].T + by_value @ self.layers[2].T) * (hidden > 0)
        self.updates += 1
        for index, gradient in enumerate((seen.T @ by_hidden, hidden.T @ by_logit, hidden.T @ by_value)):
            gradient /= len(actions)
            self.means[index] += 0.1 * (gradient - self.means[index])
            self.squares[index] += 0.001 * (gradient**2 - self.squares[index])
            mean, square = (each[index] / (1 - decay**self.updates) for each, decay in ((self.means, 0.9), (self.squares, 0.999)))
            self.layers[index] -= RATE * mean / (np.sqrt(square) + 1e-8)


def curve(game: str, options: argparse.Namespace) -> List[Tuple[float, float, int]]:
    """Learns a game. Returns for each tenth of the time the seconds of CPU so far, the mean result, and the number of games."""
    chance = np.random.default_rng(options.seed)
    envs = VectorEnv(game, GAMES, opponent=options.opponent, epsilon=options.epsilon)
    seen, _ = envs.reset(seed=options.seed)
    net = Net(seen["observation"][0].size, envs.single_action_space.n, chance)
    begun = time.process_time()
    points: List[Tuple[float, float, int]] = []
    ended: List[float] = []
    while len(points) < POINTS:
        rows: Dict[str, List[NDArray[Any]]] = {key: [] for key in ("planes", "mask", "actions", "rewards", "over")}
        for _ in range(STEPS):
            policy = net(seen["observation"], seen["action_mask"])[2]
            drawn = (policy.cumsum(axis=1) > chance.random((GAMES, 1))).argmax(axis=1)
            # The last bits of a sum can leave an action that is not legal.
            actions = np.where(np.take_along_axis(policy, drawn[:, None], 1)[:, 0] > 0, drawn, policy.argmax(axis=1))
            after, rewards, terminated, truncated, _ = envs.step(actions)
            over = terminated | truncated
            for key, row in zip(rows, (seen["observation"], seen["action_mask"], actions, rewards, over)):
                rows[key].append(row)
            ended += rewards[over].tolist()
            seen = after
        results, following = [], net(seen["observation"], seen["action_mask"])[3]
        for rewards, over in zip(reversed(rows["rewards"]), reversed(rows["over"])):
            following = np.where(over, rewards, following)
            results.append(following)
        planes, mask, taken = (np.concatenate(rows[key]) for key in ("planes", "mask", "actions"))
        net.learn(planes, mask, taken, np.concatenate(results[::-1]))
        used = time.process_time() - begun
        done = net.updates / options.updates if options.updates else used / options.seconds
        if done >= (len(points) + 1) / POINTS:
            points.append((used, float(np.mean(ended)) if ended else float("nan"), len(ended)))
            ended = []
    return points


def svg(curves: Dict[str, List[Tuple[float, float, int]]]) -> str:
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
    heights: List[float] = []
    for (game, points), colour in zip(curves.items(), ("#c0392b", "#2471a3", "#1e8449", "#7d3c98", "#b9770e")):
        way = " ".join(f"{x(used):.1f},{y(mean):.1f}" for used, mean, _ in points)
        height = y(points[-1][1]) + 4
        while any(abs(height - other) < 15 for other in heights):
            height += 1
        heights.append(height)
        lines.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{x(points[-1][0]) + 8:.0f}" y="{height:.0f}" fill="{colour}">{game}</text>')
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game (default: wolves, squirrels and foxgame)")
    parser.add_argument("--opponent", type=int, default=1, help="nodes of the opponent's search")
    parser.add_argument("--epsilon", type=float, default=0.5, help="share of the opponent's moves that are random")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time for each game")
    parser.add_argument("--updates", type=int, help="updates for each game instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", help="a file for the plot")
    options = parser.parse_args()
    games = options.game or ["wolves", "squirrels", "foxgame"]
    with multiprocessing.get_context("spawn").Pool(len(games)) as pool:
        curves = dict(zip(games, pool.map(partial(curve, options=options), games)))
    for game, points in curves.items():
        count = sum(ended for *_, ended in points)
        print(f"{game:10}" + " ".join(f"{mean:+.2f}" for _, mean, _ in points) + f"   {count} games, {points[-1][0]:.0f} s")
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(svg(curves))


if __name__ == "__main__":
    main()
