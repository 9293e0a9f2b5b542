//! The Python class `State`: a game that is played by actions, as OpenSpiel's states are.

use crate::errors::{foreign_move, value_error};
use crate::list::{checked_limit, game_of, learning_of};
use crate::numbers::{Whole, array, filled, write_floats};
use crate::pickle;
use crate::position::Position;
use crate::turn::{AnyTurn, Choice, PLANES, are_squares};
use engine::Side;
use pyo3::prelude::*;
use std::sync::Arc;

/// The value of `current_player()` when the game is over: OpenSpiel's `PlayerId.TERMINAL`.
const TERMINAL: i32 = -4;

/// A game that is played by actions, numbers of a fixed range, and seen as planes of numbers. The
/// names are those of OpenSpiel's `State`; player 0 is the first side. A chain of jumps takes one
/// action for each jump, by the same player. A state changes with each action; `clone()`,
/// `copy.copy` and `pickle` keep an unfinished chain. States are equal if nothing distinguishes
/// them for the rest of the game; they have no hash, as they change. `menagerie.openspiel` has the
/// games for OpenSpiel itself.
///
/// The actions and the planes are those of `menagerie.pettingzoo`. With `actions="squares"` an
/// action is a cell: a move takes one for its start and one for each place that it goes to, so that
/// Halma has 256 actions and not 65,536. A game that reaches `ply_limit` plies (by default the
/// game's) is over, with 0 for both.
#[pyclass(module = "menagerie")]
pub(crate) struct State {
    position: Position,
    turn: Box<dyn AnyTurn>,
    /// The number of plies so far.
    #[pyo3(get)]
    plies: u32,
    /// The number of plies at which the game is cut.
    #[pyo3(get)]
    ply_limit: u32,
}

impl State {
    /// A game that begins with a position.
    pub(crate) fn from(
        position: &Position,
        ply_limit: Option<Whole>,
        squares: bool,
    ) -> PyResult<State> {
        let ply_limit = checked_limit(ply_limit, &*position.inner)?;
        let inner = Arc::clone(&position.inner);
        let turn = learning_of(&*inner)
            .turn(&*inner, squares)
            .ok_or_else(|| value_error(format!("{} is not told by numbers", inner.game())))?;
        let position = Position { inner, clock: position.clock };
        Ok(State { position, turn, plies: 0, ply_limit })
    }

    fn viewer(&self, player: Option<Whole>) -> PyResult<Side> {
        match player {
            None => Ok(self.position.inner.side_to_move()),
            Some(player) => Ok(Side::BOTH[player.within("player", 0, 1)? as usize]),
        }
    }
}

/// Returns the observations of states of one game, each for its side to move, and the masks of
/// their legal actions, as two arrays: (states, planes, rows, columns) and (states, actions). The
/// mask of a finished game is all 0. Raises `ValueError` for states of several games. Needs numpy.
#[pyfunction]
pub(crate) fn observations<'py>(
    py: Python<'py>,
    states: Vec<PyRef<'py, State>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let first = states.first().ok_or_else(|| value_error("states: expected one or more"))?;
    let (game, encoding) = (first.position.inner.game(), first.turn.encoding());
    let is_other = |state: &PyRef<'_, State>| {
        state.position.inner.game() != game || state.turn.encoding().squares != encoding.squares
    };
    if states.iter().any(is_other) {
        return Err(value_error("states: expected states of one game"));
    }
    let (numbers, actions) = (encoding.numbers(), encoding.actions as usize);
    let planes = filled(py, states.len(), 4 * numbers, |out| {
        let mut one = vec![0.0; numbers];
        for (state, out) in states.iter().zip(out.chunks_exact_mut(4 * numbers)) {
            let viewer = state.position.inner.side_to_move();
            state.turn.observe(viewer, state.plies, state.ply_limit, &mut one);
            write_floats(&one, out);
        }
    })?;
    let masks = filled(py, states.len(), actions, |out| {
        for (state, out) in states.iter().zip(out.chunks_exact_mut(actions)) {
            state.legal_actions().iter().for_each(|&action| out[action as usize] = 1);
        }
    })?;
    let shape = [states.len(), PLANES, encoding.rows, encoding.columns];
    Ok((array(&planes, "float32", &shape)?, array(&masks, "int8", &[states.len(), actions])?))
}

#[pymethods]
impl State {
    /// The order of `help()`.
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 16] = [
        "current_player",
        "legal_actions",
        "legal_actions_mask",
        "apply_action",
        "actions_of",
        "is_terminal",
        "returns",
        "observation_tensor",
        "clone",
        "num_distinct_actions",
        "observation_tensor_shape",
        "position",
        "plies",
        "ply_limit",
        "truncated",
        "chain",
    ];

    #[new]
    #[pyo3(signature = (position, *, ply_limit=None, actions="moves"))]
    fn new(position: &Position, ply_limit: Option<Whole>, actions: &str) -> PyResult<State> {
        State::from(position, ply_limit, are_squares(actions)?)
    }

    /// Returns the actions of a legal move of the position, or of its text as `Position.play` takes
    /// it, the first one first. Raises `MoveError` if it is not legal.
    fn actions_of(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let code = self.position.code_of(py, r#move)?;
        match self.turn.actions_of(code) {
            actions if actions.is_empty() => Err(foreign_move(py, &r#move.str()?.to_cow()?)),
            actions => Ok(actions),
        }
    }

    /// The position, without the jumps of an unfinished chain.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: Arc::clone(&self.position.inner), clock: self.position.clock }
    }

    /// Whether the limit of plies has ended the game.
    #[getter]
    fn truncated(&self) -> bool {
        self.plies >= self.ply_limit && self.position.inner.outcome().is_none()
    }

    /// The actions of the unfinished chain.
    #[getter]
    fn chain(&self) -> Vec<u32> {
        self.turn.chosen().to_vec()
    }

    /// Returns the player to move: 0, 1, or -4 when the game is over.
    fn current_player(&self) -> i32 {
        if self.is_terminal() {
            TERMINAL
        } else {
            self.position.inner.side_to_move().index() as i32
        }
    }

    /// Returns the legal actions in increasing order; empty when the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        if self.is_terminal() { Vec::new() } else { self.turn.actions() }
    }

    /// Returns 1 for each action that `legal_actions` returns and 0 for the others. Needs numpy.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (size, actions) = (self.turn.encoding().actions as usize, self.legal_actions());
        let bytes = filled(py, size, 1, |mask| {
            actions.iter().for_each(|&action| mask[action as usize] = 1);
        })?;
        array(&bytes, "int8", &[size])
    }

    /// Takes an action. Raises `ValueError` if it is not legal.
    fn apply_action(&mut self, action: Whole) -> PyResult<()> {
        if self.is_terminal() {
            return Err(value_error("the game is over: there is no action"));
        }
        // No game has so many actions.
        let number = u32::try_from(action.value()).unwrap_or(u32::MAX);
        match self.turn.choose(number) {
            Choice::Illegal => {
                let legal: Vec<String> = self.turn.actions().iter().map(u32::to_string).collect();
                Err(value_error(format!(
                    "action {action} is not legal: one of {}",
                    legal.join(", ")
                )))
            }
            Choice::Unfinished => Ok(()),
            Choice::Complete(code) => {
                let after = Arc::clone(&self.position.inner).play(code);
                self.position.inner =
                    after.map_err(|_| value_error("the move of the action is not legal"))?;
                self.plies += 1;
                Ok(())
            }
        }
    }

    /// Returns whether the game is over, by its rules or by the limit of plies.
    fn is_terminal(&self) -> bool {
        self.position.inner.outcome().is_some() || self.truncated()
    }

    /// Returns the results of both players: 1 for a win, -1 for a loss, 0 for a draw and while the
    /// game goes on.
    fn returns(&self) -> Vec<f64> {
        let winner = self.position.inner.outcome().and_then(engine::Outcome::winner);
        let result = |side| winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
        Side::BOTH.map(result).to_vec()
    }

    /// Returns what a player sees, by default the side to move (planes, rows, columns): the own
    /// pieces; the opponent's; the cells of the board; the values of the squares divided by 10,000;
    /// the piece whose chain is unfinished; all 1 for the first side; the elapsed share of the game
    /// (in Foxes and Geese of the 100 moves of the geese, elsewhere of the limit of plies).
    /// FoxGame's earlier boards, which must not come back, are not included. Needs numpy.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (turn, viewer) = (&self.turn, self.viewer(player)?);
        let mut numbers = vec![0.0; turn.encoding().numbers()];
        turn.observe(viewer, self.plies, self.ply_limit, &mut numbers);
        let bytes = filled(py, numbers.len(), 4, |out| write_floats(&numbers, out))?;
        let (planes, rows, columns) = self.observation_tensor_shape();
        array(&bytes, "float32", &[planes, rows, columns])
    }

    /// Returns the numbers of planes, rows and columns.
    fn observation_tensor_shape(&self) -> (usize, usize, usize) {
        let encoding = self.turn.encoding();
        (PLANES, encoding.rows, encoding.columns)
    }

    /// Returns the number of actions of the game, legal or not.
    fn num_distinct_actions(&self) -> u32 {
        self.turn.encoding().actions
    }

    /// Returns a copy, which is played on independently.
    fn clone(&self) -> State {
        State { position: self.position(), turn: self.turn.boxed_clone(), ..*self }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<State>() else { return false };
        let Ok(other) = other.try_borrow() else { return false };
        self.position.inner.is_same(&*other.position.inner)
            && self.turn.encoding().squares == other.turn.encoding().squares
            && (self.plies, self.ply_limit, self.turn.chosen())
                == (other.plies, other.ply_limit, other.turn.chosen())
    }

    fn __str__(&self) -> String {
        self.position.inner.marked_picture()
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let function = pickle::function(py, "_state")?;
        let squares = self.turn.encoding().squares;
        Ok((function, (self.position(), self.plies, self.ply_limit, self.chain(), squares)))
    }

    fn __repr__(&self) -> String {
        let game = game_of(&*self.position.inner);
        match self.current_player() {
            TERMINAL => format!("<State {}: the game is over>", game.name),
            player => format!(
                "<State {}: {} to move, ply {}>",
                game.name, game.sides[player as usize], self.plies
            ),
        }
    }
}

/// A state as it is pickled: position, plies, limit of plies, the actions of the unfinished chain,
/// and whether cells are actions.
type Pickled = (Position, u32, u32, Vec<u32>, bool);

/// Restores a pickled state.
#[pyfunction]
pub(crate) fn _state(
    position: &Position,
    plies: u32,
    ply_limit: u32,
    chain: Vec<u32>,
    squares: bool,
) -> PyResult<State> {
    let mut state = State::from(position, None, squares)?;
    for action in chain {
        state.turn.choose(action);
    }
    (state.plies, state.ply_limit) = (plies, ply_limit);
    Ok(state)
}
