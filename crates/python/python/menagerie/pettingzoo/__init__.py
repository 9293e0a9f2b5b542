"""The games as PettingZoo environments (AEC API).

The agents are the two sides, named as in the files. An observation is a dictionary: `observation`, the planes of
`menagerie.State.observation_tensor`, here rows, columns, planes, and `action_mask`, 1 for each action that is legal now, all 0 for
the side that is not to move. The reward is 1 for a win, -1 for a loss and 0 for a draw, or with `reward="margin"` in Squirrels the
margin as a share of all points. A game that reaches the ply limit is truncated, with reward 0.

Actions, with cells numbered row by row from the top left on the whole grid, cells off the board included:

- `halma`: from * 256 + to, 65,536 actions; 0 is the pass.
- `wolves`: from * 25 + to, 625 actions.
- `squirrels`: the square, 25 actions.
- `foxgame`, `foxgeese`: from * 49 + to for a step or for one jump, and 2,401 to end a chain that could go on. A chain takes one
  action for each jump, and the same side stays selected until the chain ends. Of several chains with the same effect one is
  offered.

With `actions="squares"` an action is a cell: a move takes one for its start and one for each place that it goes to, by the same side (256
actions in Halma, 25 in Wolves, 50 in FoxGame and Foxes and Geese, of which the last ends a chain).

`move.actions` gives the actions of a move, `State.actions_of` also those by cells.

`menagerie.env` and `env` are names of `Environment`.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union, cast

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
except ImportError as _error:
    raise ImportError(f"{_error}: environments need pip install 'menagerie-games[pettingzoo]' and Python 3.10") from _error

from .._env_common import (
    RENDER_MODES,
    Actions,
    ActionSpace,
    Beginning,
    Observation,
    RenderMode,
    Reward,
    checked_ply_limit,
    checked_render_mode,
    checked_reward,
    game_of,
    given_position,
    margin_returns,
    rendered,
    space,
    state_of,
)
from .._menagerie import Game, Position

__all__ = ["Environment", "env"]


if TYPE_CHECKING:
    # PettingZoo has no marker of its types, and an unknown base has every attribute.
    class Base:
        """PettingZoo's `AECEnv`."""

        last: Any
        num_agents: int
        _accumulate_rewards: Any
        _clear_rewards: Any
        _was_dead_step: Any

else:
    Base = AECEnv


class Environment(Base):
    """An environment of one of the games, or of a game of one's own, whose folder `game` names (`"./little-go"`).

    It needs none of PettingZoo's wrappers: an illegal action loses the game (`infos` of that side has `illegal`), and calls out of
    order raise `ValueError`. `rules` is the rule set, by default that of the agents. `ply_limit` is the number of plies after which a game is truncated,
    by default the game's own. `random_values` draws the values of Squirrels' squares, 1 to 99, anew for each game, with the
    seed of `reset`. `render_mode` is `ansi` (returns text), `svg` (returns an SVG document), `rgb_array` (returns the
    pixels of that document; needs `menagerie-games[render]`) or `human` (prints the text).

    Each game begins with the start or, by the seed of `reset`, with one of the positions `starts`, and then with
    `random_plies` random moves.
    """

    metadata: Dict[str, Any] = {
        "render_modes": list(RENDER_MODES),
        "name": "menagerie_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        *,
        rules: Optional[str] = None,
        ply_limit: Optional[int] = None,
        random_values: bool = False,
        random_plies: int = 0,
        starts: Optional[Sequence[Position]] = None,
        reward: Reward = "result",
        actions: Actions = "moves",
        render_mode: Optional[RenderMode] = None,
    ) -> None:
        self._style = actions
        self.game: Game = game_of(game, rules)
        self._by_margin = checked_reward(self.game, reward)
        self.ply_limit: int = checked_ply_limit(self.game, random_values, ply_limit)
        self.metadata = {**self.metadata, "name": f"menagerie_{self.game.name}_v0"}
        self._beginning = Beginning(self.game, random_values, random_plies, starts)
        self.render_mode: Optional[str] = checked_render_mode(render_mode)
        self.possible_agents: List[str] = list(self.game.sides)
        first = state_of(self.game, self.game.start(), self.ply_limit, actions)
        count = first.num_distinct_actions()
        planes, rows, columns = first.observation_tensor_shape()
        agents, seen = self.possible_agents, (rows, columns, planes)
        self.observation_spaces: Dict[str, spaces.Dict] = {agent: space(seen, count) for agent in agents}
        self.action_spaces: Dict[str, ActionSpace] = {agent: ActionSpace(count) for agent in agents}
        self._random, _ = seeding.np_random(None)
        self._begin(self.game.start())
        self._is_reset = False

    @property
    def position(self) -> Position:
        """The position of the game, without the jumps of an unfinished chain."""
        return self._game.position

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the space of a side's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Returns the space of a side's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a new game; with `options={"input": text}` with the position of an input file, with `{"position": position}` with
        a position. Raises `ValueError` for other options."""
        # PettingZoo's own test passes an option of this name, and expects that it is ignored.
        asked = {key: value for key, value in (options or {}).items() if key != "options"}
        given = given_position(self.game, asked)
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._begin(self._beginning.draw(self._random) if given is None else given)
        self._is_reset = True

    def _check_reset(self) -> None:
        if not self._is_reset:
            raise ValueError("no game has begun: call reset() first")

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Goes through the sides in the order in which they act."""
        self._check_reset()
        return cast(Any, super()).agent_iter(max_iter)

    def _begin(self, position: Position) -> None:
        self.agents: List[str] = self.possible_agents[:]
        self.rewards: Dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: Dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: Dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._game = state_of(self.game, position, self.ply_limit, self._style)
        self.agent_selection: str = position.side

    def observe(self, agent: str) -> Observation:
        """Returns a side's observation and the mask of its legal actions."""
        self._check_reset()
        viewer = self.possible_agents.index(agent)
        planes = np.transpose(self._game.observation_tensor(viewer), (1, 2, 0))
        goes_on = not (self.terminations.get(agent, True) or self.truncations.get(agent, True))
        if agent == self.agent_selection and goes_on:
            return {"observation": planes, "action_mask": self._game.legal_actions_mask()}
        return {"observation": planes, "action_mask": np.zeros(self._game.num_distinct_actions(), np.int8)}

    def step(self, action: Optional[int]) -> None:
        """Executes an action of the selected side; `None` if its game is over. An illegal action loses the game. Raises `ValueError`
        before `reset`, and after the last step of each side."""
        self._check_reset()
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is needed: the game goes on")
        number = operator.index(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self._game.apply_action(number)
        except ValueError:
            self.rewards[agent], self.infos[agent] = -1.0, {"illegal": True}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            return
        if not self._game.chain:
            self._score()
            player = self._game.current_player()
            # After the end the other side steps first.
            self.agent_selection = self.possible_agents[player if player >= 0 else agent == self.possible_agents[0]]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _score(self) -> None:
        if self._game.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        elif self._game.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            returns = margin_returns(self.position) if self._by_margin else self._game.returns()
            self.rewards = dict(zip(self.possible_agents, returns))

    def render(self) -> Union[str, NDArray[np.uint8], None]:
        """Renders the board in the render mode. An unfinished chain is not drawn."""
        self._check_reset()
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


env = Environment
