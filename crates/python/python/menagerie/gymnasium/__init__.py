"""The games as environments of Gymnasium, for one learner: `SingleAgentEnv` plays one game, `VectorEnv` many at once.

The learner plays one side, and an opponent of ours the other: random moves (`opponent="random"`), our search with a number of
nodes a move (`opponent=2_000`), or, in `SingleAgentEnv`, a function from a position to a move. A step of the learner includes the
opponent's answer. Nodes, unlike seconds, give the same game on every machine.

Our search plays the same game again against the same moves. There is more to learn from with `random_plies=4`, random moves at the
beginning of each game; with `starts`, positions of which each game begins with one; and with `temperature=0.1`: the opponent then draws
its move, with weights that are proportional to exp(expected / temperature), where `expected` is the result from 0 to 1 that
`Position.rate_moves` expects. With `epsilon=0.5` half of the opponent's moves are random: with `opponent=1` a first opponent for a
learner. The seed of `reset` decides all of them.

An observation is a dictionary: `observation`, the planes of `menagerie.State.observation_tensor`, and `action_mask`, 1 for each action
that is legal now. Actions and rewards are those of `menagerie.pettingzoo`; an illegal action loses the game. After `import menagerie.gymnasium`, `gymnasium.make("menagerie/Halma-v0", opponent=500)` makes a `SingleAgentEnv`, and
`gymnasium.make_vec("menagerie/Halma-v0", num_envs=64)` a `VectorEnv`; the other games are `Wolves`, `Squirrels`, `FoxGame` and `FoxGeese`.
"""

from __future__ import annotations

import math
import operator
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple, Union, cast

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as _error:
    raise ImportError(f"{_error}: environments need pip install 'menagerie-games[gymnasium]' and Python 3.10") from _error

from numpy.typing import NDArray

from .._env_common import (
    RENDER_MODES,
    TRIES,
    Actions,
    ActionSpace,
    Beginning,
    Observation,
    RenderMode,
    Reward,
    checked_ply_limit,
    checked_position,
    checked_render_mode,
    checked_reward,
    game_of,
    given_position,
    margin_returns,
    rendered,
    space,
    state_of,
)
from .._menagerie import Batch, Game, Move, Position
from .._own_game import OwnGame

__all__ = ["Opponent", "SingleAgentEnv", "VectorEnv"]

Opponent = Union[str, int, Callable[[Position], Union[Move, str]]]
"""The opponent: `"random"` for random moves, the number of nodes of our search, or a function."""


def _side(game: Game, side: Optional[str]) -> Optional[int]:
    if side is not None and side not in game.sides:
        raise ValueError(f"side: expected {game.sides[0]} or {game.sides[1]}, found {side!r}")
    return None if side is None else game.sides.index(side)


def _settings(opponent: object, temperature: float, epsilon: float) -> Tuple[int, float, float]:
    """The nodes, the temperature and the share of random moves of an opponent."""
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature: expected 0 or more, found {temperature}")
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon: expected 0 to 1, found {epsilon}")
    if temperature > 0 and (isinstance(opponent, str) or callable(opponent)):
        raise ValueError("temperature: expected with an opponent of so many nodes alone")
    if callable(opponent):
        return 0, 0.0, float(epsilon)
    if isinstance(opponent, str) and opponent == "random":
        return 0, 0.0, 1.0
    try:
        nodes = 0 if isinstance(opponent, (bool, str)) else operator.index(cast(Any, opponent))
    except TypeError:
        nodes = 0
    if not 1 <= nodes < 2**64:
        raise ValueError(f"opponent: expected 'random', nodes from 1 on or a function, found {opponent!r}")
    return nodes, float(temperature), float(epsilon)


class SingleAgentEnv(gymnasium.Env[Any, np.int64]):
    """A game against an opponent of ours.

    `side` is the learner's side; by default it is drawn for each game. `opponent`, `temperature`, `random_plies` and `starts` are
    described in the module's text; `rules`, `ply_limit`, `random_values` and `render_mode` are those of
    `menagerie.pettingzoo.Environment`.

    >>> env = SingleAgentEnv("wolves", opponent=500, side="SHEEP")
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, info
    ((7, 5, 5), {'side': 'SHEEP'})
    """

    metadata: Dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str,
        *,
        opponent: Opponent = "random",
        side: Optional[str] = None,
        rules: Optional[str] = None,
        ply_limit: Optional[int] = None,
        random_values: bool = False,
        random_plies: int = 0,
        starts: Optional[Sequence[Position]] = None,
        temperature: float = 0.0,
        epsilon: float = 0.0,
        reward: Reward = "result",
        actions: Actions = "moves",
        render_mode: Optional[RenderMode] = None,
    ) -> None:
        self.game: Game = game_of(game, rules)
        self._style = actions
        self._by_margin = checked_reward(self.game, reward)
        self.ply_limit: int = checked_ply_limit(self.game, random_values, ply_limit)
        self.opponent = opponent
        self._nodes, self._temperature, self._epsilon = _settings(opponent, temperature, epsilon)
        if self._nodes and isinstance(cast(Any, self.game), OwnGame):
            raise ValueError("opponent: expected 'random' or a function, as there is no search for a game of one's own")
        self._beginning = Beginning(self.game, random_values, random_plies, starts)
        self.render_mode: Optional[str] = checked_render_mode(render_mode)
        self._side = _side(self.game, side)
        self._learner = self._side or 0
        self._game = state_of(self.game, self.game.start(), self.ply_limit, actions)
        self._stopped: Optional[str] = "no game has begun: call reset() first"
        count = self._game.num_distinct_actions()
        seen = space(self._game.observation_tensor_shape(), count)
        # Gymnasium's attributes are any spaces, and could be set to others.
        self.observation_space: spaces.Dict = seen  # pyright: ignore
        self.action_space: ActionSpace = ActionSpace(count)  # pyright: ignore

    @property
    def position(self) -> Position:
        """The position of the game, without the jumps of an unfinished chain."""
        return self._game.position

    @property
    def side(self) -> str:
        """The learner's side in this game."""
        return self.game.sides[self._learner]

    def action_masks(self) -> NDArray[np.int8]:
        """Returns 1 for each action that is legal now, under the name that MaskablePPO of sb3-contrib asks for."""
        mask = self._game.legal_actions_mask()
        return np.zeros_like(mask) if self._stopped else mask

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Observation, Dict[str, Any]]:
        """Begins a new game. The options are those of `menagerie.pettingzoo.Environment.reset`."""
        super().reset(seed=seed)
        given = given_position(self.game, options)
        self._stopped = "the last reset() has failed: call it again"
        for _ in range(TRIES):
            position = self._beginning.draw(self.np_random) if given is None else given
            self._game = state_of(self.game, position, self.ply_limit, self._style)
            self._learner = int(self.np_random.integers(2)) if self._side is None else self._side
            self._answer()
            if self._game.position.outcome() is None:
                self._stopped = None
                return self._observation(), {"side": self.side}
        raise ValueError("the game is over before the learner's first move, however often it is begun")

    def step(self, action: Union[int, np.integer[Any]]) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        """Takes an action, and lets the opponent answer when the learner's move is complete."""
        if self._stopped or self._game.is_terminal():
            raise ValueError(self._stopped or "the game is over: call reset()")
        number = operator.index(action)
        try:
            self._game.apply_action(number)
        except ValueError:
            self._stopped = "an illegal action has lost the game: call reset()"
            return self._observation(), -1.0, True, False, {"side": self.side, "illegal": True}
        self._answer()
        returns = margin_returns(self.position) if self._by_margin else self._game.returns()
        reward = returns[self._learner]
        truncated = self._game.truncated
        terminated = self._game.is_terminal() and not truncated
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, terminated, truncated, {"side": self.side}

    def _observation(self) -> Observation:
        return {
            "observation": self._game.observation_tensor(self._learner),
            "action_mask": self.action_masks(),
        }

    def _answer(self) -> None:
        """Makes the opponent's move, if it is to move."""
        while self._game.current_player() == 1 - self._learner:
            position = self._game.position
            if self._epsilon == 1 or (self._epsilon > 0 and self.np_random.random() < self._epsilon):
                moves = position.legal_moves()
                move: Union[Move, str] = moves[int(self.np_random.integers(len(moves)))]
            elif callable(self.opponent):
                move = self.opponent(position)
            elif self._temperature > 0:
                rated = position.rate_moves(nodes=self._nodes)
                expected = np.array([each for _, each in rated])
                weights = np.exp((expected - expected.max()) / self._temperature)
                move = rated[int(self.np_random.choice(len(rated), p=weights / weights.sum()))][0]
            else:
                move = position.think(nodes=self._nodes).move
            for action in self._game.actions_of(move):
                self._game.apply_action(action)

    def render(self) -> Any:
        """Renders the board in the render mode. An unfinished chain is not drawn."""
        return rendered(self.position, self.render_mode)


WORTH_KEEPING = 1 << 18
"""The number of numbers from which on a mask is not made anew. Smaller ones are made in less time than others are cleared."""


class _Masks:
    """The masks of many games. A mask that nobody holds any more is written again, by its ones
    alone: to make a new one, of 65,536 numbers for each game of Halma, takes longer. One that
    somebody holds stays as it is."""

    def __init__(self, games: int, actions: int) -> None:
        self._shape = games, actions
        # The caller still holds the mask before while the next is made.
        self._kept: List[Tuple[bytearray, NDArray[np.int64]]] = []

    def _free(self) -> Tuple[bytearray, NDArray[np.int64]]:
        """Returns the memory of a mask that nobody holds, and its ones."""
        for index, (memory, _) in enumerate(self._kept):
            try:
                # It refuses to change its size while an array shows it.
                memory.append(memory.pop())
            except BufferError:
                continue
            # It is kept again when it is whole: ^C may come before.
            return self._kept.pop(index)
        del self._kept[:-1]
        return bytearray(self._shape[0] * self._shape[1]), np.empty(0, np.int64)

    def mask(self, legal: NDArray[np.int64]) -> NDArray[np.int8]:
        """Returns the mask with ones at these places."""
        memory, ones = self._free()
        numbers = np.frombuffer(memory, np.int8)
        numbers[ones], numbers[legal] = 0, 1
        self._kept.append((memory, legal))
        return np.reshape(numbers, self._shape)


class VectorEnv(GymnasiumVectorEnv[Any, Any, Any]):
    """Many games at once, each against the same kind of opponent, or of the learner against itself (`opponent=None`).

    The games are played by compiled code, a hundred thousand and more actions a second. `threads` spreads the games, and above
    all the opponent's thinking, over processors; results do not depend on it.

    With `opponent=None` the learner acts for both sides: the observation is that of the side that acts, the reward of the side
    that has just acted, and `sides()` tells whose observation it is.

    `temperature`, `random_plies` and `starts` are described in the module's text. `reset(options={"positions": positions})` begins with
    these positions, one for each game; `input` and `position` are those of `SingleAgentEnv`, for all games. The games that follow
    begin as they would without.

    ^C ends a step with `KeyboardInterrupt`, in its middle: then, as before the first step, `reset()` has to be called. A vector of
    games cannot be pickled or copied.

    A game that ends is followed by the next in the same step (`autoreset_mode=AutoresetMode.SAME_STEP`): the observation is the
    first of the new game, and `info["final_obs"]` has the last one of the old game where `info["_final_obs"]` is true. With
    `AutoresetMode.NEXT_STEP` the observation is the last of the old game, with no legal action; the next step ignores the action
    and begins the new game, with reward 0.

    >>> envs = VectorEnv("foxgame", 8, opponent="random")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.random_actions())
    >>> observations["observation"].shape, observations["action_mask"].shape
    ((8, 7, 7, 7), (8, 2402))
    """

    metadata: Dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        opponent: Union[None, str, int] = None,
        side: Optional[str] = None,
        rules: Optional[str] = None,
        ply_limit: Optional[int] = None,
        random_values: bool = False,
        random_plies: int = 0,
        starts: Optional[Sequence[Position]] = None,
        temperature: float = 0.0,
        epsilon: float = 0.0,
        reward: Reward = "result",
        actions: Actions = "moves",
        threads: int = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.SAME_STEP,
    ) -> None:
        self.game: Game = Game(game, rules)
        self.render_mode: Optional[str] = "ansi"
        if autoreset_mode not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            raise ValueError(f"autoreset_mode: expected SAME_STEP or NEXT_STEP, found {autoreset_mode}")
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        limit = checked_ply_limit(self.game, random_values, ply_limit)
        for option, number in ("num_envs", num_envs), ("threads", threads):
            if number < 1:
                raise ValueError(f"{option}: expected 1 or more, found {number}")
        begin = Beginning(self.game, random_values, random_plies, starts)
        self._batch = Batch(
            game,
            self.game.rules,
            num_envs,
            limit,
            random_values,
            None if opponent is None else _settings(opponent, temperature, epsilon),
            _side(self.game, side),
            threads,
            random_plies,
            checked_reward(self.game, reward),
            actions,
            autoreset_mode == AutoresetMode.NEXT_STEP,
            begin.starts,
        )
        size = num_envs * self._batch.actions
        self._masks = _Masks(num_envs, self._batch.actions) if size >= WORTH_KEEPING else None
        self._seeded = False
        self.num_envs = num_envs
        seen, taken = space(self._batch.shape, self._batch.actions), ActionSpace(self._batch.actions)
        self.single_observation_space: spaces.Dict = seen  # pyright: ignore
        self.single_action_space: ActionSpace = taken  # pyright: ignore
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, NDArray[Any]], Dict[str, Any]]:
        """Begins all games anew. Raises `ValueError` for options that are not the class's."""
        super().reset(seed=seed)
        given = given_position(self.game, options, "positions")
        positions: Optional[List[Position]] = None if given is None else [given] * self.num_envs
        if options and "positions" in options:
            positions = [checked_position(self.game, position) for position in options["positions"]]
        if seed is not None or not self._seeded:
            self._batch.reset(int(self.np_random.integers(2**63)), positions)
            self._seeded = True
        else:
            self._batch.reset(None, positions)
        return self._observations(), {}

    def step(
        self, actions: Any
    ) -> Tuple[Dict[str, NDArray[Any]], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Dict[str, Any]]:
        """Takes an action in each game. Raises `ValueError` unless there is one for each game, and `TypeError` for what is no whole number."""
        taken = np.asarray(actions)
        if taken.dtype.kind not in "iu":
            raise TypeError(f"actions: expected whole numbers, found {taken.dtype}")
        if taken.shape != (self.num_envs,):
            raise ValueError(f"actions: expected the shape {(self.num_envs,)}, found {taken.shape}")
        rewards, over, cut, last = self._batch.step(taken.astype(np.int64).tobytes())
        terminated, truncated = np.frombuffer(over, np.bool_), np.frombuffer(cut, np.bool_)
        infos: Dict[str, Any] = {}
        if len(last) and self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            ended, final = terminated | truncated, np.full(self.num_envs, None, object)
            for game, planes in zip(np.flatnonzero(ended), last):
                final[game] = {"observation": planes, "action_mask": np.zeros(self._batch.actions, np.int8)}
            infos = {"final_obs": final, "_final_obs": ended}
        return self._observations(), np.frombuffer(rewards, np.float32), terminated, truncated, infos

    def _observations(self) -> Dict[str, NDArray[Any]]:
        planes, mask = self._batch.observe(self._masks is not None)
        return {"observation": planes, "action_mask": self._masks.mask(mask) if self._masks else mask}

    def __reduce__(self) -> NoReturn:
        raise TypeError("a VectorEnv cannot be pickled or copied: make one in each process")

    def random_actions(self) -> NDArray[np.int64]:
        """Returns a random legal action for each game."""
        return np.frombuffer(self._batch.random_actions(), np.int64)

    def sides(self) -> NDArray[np.uint8]:
        """Returns for each game the side whose observation it is: 0 for the first side, 1 for the second."""
        return np.frombuffer(self._batch.viewers(), np.uint8)

    def positions(self) -> List[Position]:
        """Returns the positions of all games, without the jumps of unfinished chains and without the moves that led to them."""
        return [self._batch.position(game) for game in range(self.num_envs)]

    def render(self) -> Any:
        """Returns the boards as texts."""
        return tuple(position.render() for position in self.positions())


def _register() -> None:
    names = {"halma": "Halma", "wolves": "Wolves", "squirrels": "Squirrels", "foxgame": "FoxGame", "foxgeese": "FoxGeese"}
    # Gymnasium's own type of it is a part unknown.
    register: Any = getattr(gymnasium, "register")
    for game, name in names.items():
        if f"menagerie/{name}-v0" not in gymnasium.registry:
            register(
                f"menagerie/{name}-v0",
                f"{__name__}:SingleAgentEnv",
                vector_entry_point=f"{__name__}:VectorEnv",
                kwargs={"game": game},
            )


_register()
