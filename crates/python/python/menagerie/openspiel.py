"""The games as games of OpenSpiel, for its algorithms and bots: `pyspiel.load_game("menagerie_wolves")` after `import menagerie.openspiel`.

The parameters are those of `menagerie.Game` and `menagerie.State`: `pyspiel.load_game("menagerie_halma(rules=base,ply_limit=200,actions=squares)")`.
Actions and observations are those of `menagerie.State`. An information state is the history of actions, from the start if the game began
with another position, so that tabular algorithms (CFR, exploitability) tell all states apart that have other legal actions.
Needs pip install open_spiel.
"""

from __future__ import annotations

# OpenSpiel has no types.
# pyright: reportUnknownMemberType=false
import importlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional

try:
    import numpy as np

    pyspiel: Any = importlib.import_module("pyspiel")
except ImportError as _error:
    raise ImportError(f"{_error}: the games for OpenSpiel need pip install numpy open_spiel") from _error

from ._menagerie import Game, State, names

if TYPE_CHECKING:
    # OpenSpiel has no types, and an unknown base would make all others unknown.
    class GameBase:
        """OpenSpiel's `Game`."""

        def __init__(self, *values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...

    class StateBase(GameBase):
        """OpenSpiel's `State`."""

else:
    GameBase, StateBase = pyspiel.Game, pyspiel.State

# More actions than any chain of jumps has.
_LONGEST_CHAIN = 32


def _type(name: str) -> Any:
    return pyspiel.GameType(
        short_name=f"menagerie_{name}",
        long_name=Game(name).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": Game(name).rules, "ply_limit": Game(name).ply_limit, "actions": "moves"},
    )


class OpenSpielGame(GameBase):
    """One of the games."""

    name = ""

    def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
        given = params or {}
        known = Game(self.name, given.get("rules"))
        limit = given.get("ply_limit", known.ply_limit)
        self._start = State(known.start(), ply_limit=limit, actions=given.get("actions", "moves"))
        information = pyspiel.GameInfo(
            num_distinct_actions=self._start.num_distinct_actions(),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=limit * _LONGEST_CHAIN,
        )
        super().__init__(_type(self.name), information, given)

    def new_initial_state(self, state: Optional[State] = None) -> OpenSpielState:
        """Returns the start, or the given state."""
        return OpenSpielState(self, (state or self._start).clone(), "" if state is None else f"{state}\n")

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Returns an observer: of information states, or one whose tensor has the planes of `State.observation_tensor`."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return _Memory(self._start)
        return _Observer(self._start)

    def __reduce__(self) -> Any:
        return pyspiel.load_game, (str(self),)


class OpenSpielState(StateBase):
    """A state of one of the games; `state` is the `menagerie.State`."""

    def __init__(self, game: OpenSpielGame, state: State, begin: str = "") -> None:
        super().__init__(game)
        self.state = state
        self.begin = begin

    def current_player(self) -> int:
        """Returns the player to move: 0, 1, or -4 when the game is over."""
        return self.state.current_player()

    def _legal_actions(self, player: int) -> List[int]:
        return self.state.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        after = self.state.clone()
        after.apply_action(action)
        return f"{action} ..." if after.chain else str(after.position.history[-1])

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.state.is_terminal()

    def returns(self) -> List[float]:
        """Returns the results of both players."""
        return self.state.returns()

    def __str__(self) -> str:
        state = self.state
        chain = f", chain {' '.join(map(str, state.chain))}" if state.chain else ""
        return f"{state}ply {state.plies} of {state.ply_limit}{chain}, position {hash(state.position) & (2**64 - 1):016x}\n"


class _Observer:
    """What OpenSpiel asks for observations."""

    def __init__(self, state: State) -> None:
        self.tensor: Any = state.observation_tensor().ravel()
        self.dict: Dict[str, Any] = {"observation": self.tensor.reshape(state.observation_tensor_shape())}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Writes what a player sees into the tensor."""
        np.copyto(self.dict["observation"], state.state.observation_tensor(player))

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns what a player sees as text."""
        return str(state)


class _Memory(_Observer):
    """What OpenSpiel asks for information states: a player remembers all actions."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.tensor, self.dict = None, {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        pass

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.begin + " ".join(map(str, state.history()))


for _name in names():
    # OpenSpiel keeps them after the end of Python, which classes outlive, and functions do not.
    pyspiel.register_game(_type(_name), type(f"OpenSpielGame_{_name}", (OpenSpielGame,), {"name": _name}))
