"""The function `env`, and the types of what it returns."""

from __future__ import annotations

from typing import (
    Any,
    Dict,
    Iterator,
    List,
    Literal,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypeVar,
    overload,
)

from ._env_common import Actions, Observation, RenderMode, Reward
from ._menagerie import Position

AgentT = TypeVar("AgentT", bound=str)


class GameEnv(Protocol[AgentT]):
    """An environment of PettingZoo (AEC API) as `menagerie.env` returns it: `menagerie.pettingzoo.Environment` in PettingZoo's
    usual wrappers."""

    agents: List[AgentT]
    """The sides of the game that is under way."""
    possible_agents: List[AgentT]
    """The sides, the first side first."""
    agent_selection: AgentT
    """The side that acts next."""
    rewards: Dict[AgentT, float]
    """The rewards of the last step."""
    terminations: Dict[AgentT, bool]
    """Whether the rules have ended the game."""
    truncations: Dict[AgentT, bool]
    """Whether the limit of plies has ended the game."""
    infos: Dict[AgentT, Dict[str, Any]]
    """Nothing, by side."""
    metadata: Dict[str, Any]
    """What PettingZoo asks of an environment: its name, its render modes."""
    render_mode: Optional[str]
    """How `render` renders."""

    @property
    def num_agents(self) -> int:
        """The number of sides of the game that is under way."""
        ...

    @property
    def max_num_agents(self) -> int:
        """2."""
        ...

    @property
    def position(self) -> Position:
        """The position of the game, without the jumps of an unfinished chain."""
        ...

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a new game; with `options={"input": text}` from the position of an input file, with `options={"position": position}`
        from a position."""
        ...

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[AgentT]:
        """Goes through the sides in the order in which they act."""
        ...

    def last(self, observe: bool = True) -> Tuple[Optional[Observation], float, bool, bool, Dict[str, Any]]:
        """Returns observation, reward, termination, truncation and info of the side that acts next."""
        ...

    def observe(self, agent: AgentT) -> Observation:
        """Returns what a side sees."""
        ...

    def step(self, action: Optional[int]) -> None:
        """Takes an action for the side that acts next; `None` when its game is over."""
        ...

    def observation_space(self, agent: AgentT) -> Any:
        """Returns the space of a side's observations."""
        ...

    def action_space(self, agent: AgentT) -> Any:
        """Returns the space of a side's actions."""
        ...

    def render(self) -> Optional[str]:
        """Renders the board in the render mode."""
        ...

    def close(self) -> None:
        """Does nothing: there are no resources to release."""
        ...


HalmaEnv = GameEnv[Literal["BLACK", "WHITE"]]
WolvesEnv = GameEnv[Literal["WOLVES", "SHEEP"]]
SquirrelsEnv = GameEnv[Literal["X", "O"]]
FoxgameEnv = GameEnv[Literal["FOX", "SHEEP"]]
FoxgeeseEnv = GameEnv[Literal["GEESE", "FOXES"]]


@overload
def env(
    game: Literal["halma"],
    *,
    rules: Optional[Literal["base", "addendum"]] = None,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> HalmaEnv: ...
@overload
def env(
    game: Literal["wolves"],
    *,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> WolvesEnv: ...
@overload
def env(
    game: Literal["squirrels"],
    *,
    random_values: bool = False,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    reward: Reward = "result",
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> SquirrelsEnv: ...
@overload
def env(
    game: Literal["foxgame"],
    *,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> FoxgameEnv: ...
@overload
def env(
    game: Literal["foxgeese"],
    *,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> FoxgeeseEnv: ...
@overload
def env(
    game: str,
    *,
    rules: Optional[str] = None,
    random_values: bool = False,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    reward: Reward = "result",
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> GameEnv[Any]: ...
def env(
    game: str,
    *,
    rules: Optional[str] = None,
    random_values: bool = False,
    ply_limit: Optional[int] = None,
    random_plies: int = 0,
    starts: Optional[Sequence[Position]] = None,
    reward: Reward = "result",
    actions: Actions = "moves",
    render_mode: Optional[RenderMode] = None,
) -> Any:
    """Returns a game as a PettingZoo environment in PettingZoo's usual wrappers: an illegal action loses the game, and calls out of
    order raise errors. Needs `pip install 'menagerie-games[pettingzoo]'`. The options are those of `menagerie.pettingzoo.Environment`.

    Its type has the names of the game's sides: `menagerie.env("foxgame").observe("FOX")`."""
    from . import pettingzoo

    return pettingzoo.env(
        game,
        rules=rules,
        random_values=random_values,
        ply_limit=ply_limit,
        random_plies=random_plies,
        starts=starts,
        reward=reward,
        actions=actions,
        render_mode=render_mode,
    )
