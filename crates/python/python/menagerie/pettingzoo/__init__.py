"""The games as PettingZoo environments (AEC API).

The agents are the two sides, named as in the files. An observation is a dictionary: `observation`, planes of numbers from 0
to 1 (rows, columns, planes; see `Environment`), and `action_mask`, 1 for each action that is legal now, all 0 for the side
that is not to move. The reward is 1 for a win, -1 for a loss and 0 for a draw. A game that reaches the ply limit is truncated,
with reward 0.

Actions, with cells numbered row by row from the top left on the whole grid, cells off the board included:

- `halma`: from * 256 + to, 65,536 actions; 0 is the pass.
- `wolves`: from * 25 + to, 625 actions.
- `squirrels`: the square, 25 actions.
- `foxgame`, `foxgeese`: from * 49 + to for a step or for one jump, and 2,401 to end a chain that could go on. A chain takes one
  action for each jump, and the same side stays selected until the chain ends. Of several chains with the same effect one is
  offered.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(f"{error}: environments need pip install 'menagerie[pettingzoo]' and Python 3.10") from error

from .._menagerie import Game, Move, Position
from . import _actions, _planes

__all__ = ["Environment", "env", "spelled"]


def spelled(position: Position, move: Move) -> List[int]:
    """Returns the sequence of actions that makes up a legal move; more than one action for a chain of jumps."""
    return _actions.spelled_out(position, move)


def env(game: str, **options: Any) -> Any:
    """Returns an `Environment` in PettingZoo's usual wrappers: an illegal action loses the game, and calls out of order raise
    errors."""
    wrapped = wrappers.TerminateIllegalWrapper(Environment(game, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


RENDER_MODES = ("ansi", "human", "svg")


class Environment(AECEnv, EzPickle):  # type: ignore[misc]
    """A PettingZoo environment of one of the games, without wrappers.

    `rules` is the rule set, by default that of the agents. `ply_limit` is the number of plies after which a game is truncated,
    by default the game's own. `random_values` draws the values of Squirrels' squares, 1 to 99, anew for each game, with the
    seed of `reset`. `render_mode` is `ansi` (returns text), `svg` (returns an SVG document) or `human` (prints the text).

    The planes of an observation are: the viewer's pieces; the opponent's pieces; the cells of the board; the values of the
    squares divided by 10,000; the piece whose chain of jumps is unfinished; 1 if the viewer is the first side; the elapsed
    share of the game (in Foxes and Geese of the 100 moves of the geese, elsewhere of the ply limit). FoxGame's earlier boards,
    which must not come back, are not included.

    `reset(options={"input": text})` begins with the position of an input text. `position` is the position of the game, without
    the jumps of an unfinished chain.
    """

    metadata = {
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
        render_mode: Optional[str] = None,
    ) -> None:
        EzPickle.__init__(
            self, game, rules=rules, ply_limit=ply_limit, random_values=random_values, render_mode=render_mode
        )
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode: expected {', '.join(RENDER_MODES)}, found {render_mode!r}")
        if random_values and game != "squirrels":
            raise ValueError(f"random_values: the squares of {game} have no values")
        if ply_limit is not None and ply_limit < 1:
            raise ValueError("ply_limit: expected 1 or more")
        self.game = Game(game, rules)
        self.metadata = {**self.metadata, "name": f"menagerie_{game}_v0"}
        self.ply_limit = ply_limit or self.game.ply_limit
        self.random_values = random_values
        self.render_mode = render_mode
        self.possible_agents = list(self.game.sides)
        self.agents = self.possible_agents[:]
        actions = _actions.count(game)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, _planes.shape(game), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.agents
        }
        self._random, _ = seeding.np_random(None)
        self._begin(self.game.start())

    @property
    def position(self) -> Position:
        """The position of the game, without the jumps of an unfinished chain."""
        return self._turn.position

    def observation_space(self, agent: str) -> Any:
        """Returns the space of a side's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns the space of a side's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a new game. `options` may contain the text of an input file under `input`, whose position the game begins with."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        text = (options or {}).get("input")
        if text is not None:
            self._begin(self.game.read(text))
        elif self.random_values:
            lines = self.game.start().input().splitlines()
            lines[3:8] = [" ".join(map(str, row)) for row in self._random.integers(1, 100, (5, 5))]
            self._begin(self.game.read("\n".join(lines) + "\n"))
        else:
            self._begin(self.game.start())

    def _begin(self, position: Position) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._plies = 0
        self._worth = _planes.values(position)
        self._turn = _actions.Turn(position)
        self.agent_selection = position.side

    def observe(self, agent: str) -> Dict[str, Any]:
        """Returns a side's observation and the mask of its legal actions."""
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        goes_on = not (self.terminations.get(agent, True) or self.truncations.get(agent, True))
        if agent == self.agent_selection and goes_on:
            mask[self._turn.actions()] = 1
        over = _planes.time(self.position, self._plies, self.ply_limit)
        viewer = self.possible_agents.index(agent)
        return {"observation": _planes.observe(self._turn, viewer, self._worth, over), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Executes an action of the selected side; `None` if its game is over. Raises `ValueError` if the action is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is needed: the game goes on")
        move = self._turn.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if move is not None:
            self._turn = _actions.Turn(self.position.play(move))
            self._plies += 1
            self._score()
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _score(self) -> None:
        outcome = self.position.outcome()
        if outcome:
            self.terminations = dict.fromkeys(self.agents, True)
            for agent in self.agents if outcome.winner else []:
                self.rewards[agent] = 1.0 if agent == outcome.winner else -1.0
        elif self._plies >= self.ply_limit:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> Optional[str]:
        """Renders the board in the render mode. An unfinished chain is not drawn."""
        if self.render_mode == "svg":
            return self.position.render_svg()
        if self.render_mode == "human":
            print(self.position.render())
            return None
        return self.position.render()

    def close(self) -> None:
        """Does nothing: there are no resources to release."""
