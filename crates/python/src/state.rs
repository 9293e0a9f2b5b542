//! The Python class `State`: a game that is played by actions, as OpenSpiel's states are.

use crate::errors::value_error;
use crate::list::game_of;
use crate::moves::Move;
use crate::numbers::{Whole, array, write_floats};
use crate::pickle;
use crate::planes::{are_squares, planes, turn_of};
use crate::position::Position;
use crate::turn::{AnyTurn, Choice, PLANES};
use engine::Side;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;

/// The value of `current_player()` when the game is over: OpenSpiel's `PlayerId.TERMINAL`.
const TERMINAL: i32 = -4;

/// A game that is played by actions, numbers of a fixed range, and seen as planes of numbers. The
/// names are those of OpenSpiel's `State`; player 0 is the first side. A chain of jumps takes one
/// action for each jump, by the same player. A state changes with each action; `clone()`,
/// `copy.copy`, `pickle` and `serialize()` keep an unfinished chain. States are equal if nothing
/// distinguishes them for the rest of the game; they have no hash, as they change.
///
/// The actions and the planes are those of `menagerie.pettingzoo`. With `actions="squares"` an
/// action is a cell: a move takes one for its start and one for each place that it goes to, so that
/// Halma has 256 actions and not 65,536. A game that reaches `ply_limit` plies (by default the
/// game's) is over, with 0 for both.
#[pyclass(module = "menagerie")]
pub(crate) struct State {
    position: Position,
    turn: Box<dyn AnyTurn>,
    plies: u32,
    ply_limit: u32,
    /// The actions of all moves that were made in this state, without those of an unfinished chain.
    actions: Vec<u32>,
    /// For each of these moves, the end of its actions in `actions`.
    ends: Vec<usize>,
}

impl State {
    /// A game that begins with a position.
    pub(crate) fn from(
        position: &Position,
        ply_limit: Option<Whole>,
        squares: bool,
    ) -> PyResult<State> {
        let limit = Whole::or(ply_limit, game_of(&*position.inner).ply_limit.into()).within(
            "ply_limit",
            1,
            u32::MAX.into(),
        )?;
        let turn = turn_of(&*position.inner, squares)?;
        let position = Position { inner: Arc::clone(&position.inner), clock: position.clock };
        Ok(State {
            position,
            turn,
            plies: 0,
            ply_limit: limit as u32,
            actions: Vec::new(),
            ends: Vec::new(),
        })
    }

    fn is_cut(&self) -> bool {
        self.plies >= self.ply_limit && self.position.inner.outcome().is_none()
    }

    /// The turn of the position, in which these actions of a chain are taken.
    fn turn_after(&self, chain: &[u32]) -> PyResult<Box<dyn AnyTurn>> {
        let mut turn = turn_of(&*self.position.inner, self.turn.encoding().squares)?;
        for &action in chain {
            turn.choose(action);
        }
        Ok(turn)
    }

    /// Whether a player, if one is asked for, is to move.
    fn is_mover(&self, player: Option<Whole>) -> bool {
        player.is_none_or(|player| player.value() == i64::from(self.current_player()))
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
    let planes = PyByteArray::new_with(py, 4 * numbers * states.len(), |out| {
        let mut one = vec![0.0; numbers];
        for (state, out) in states.iter().zip(out.chunks_exact_mut(4 * numbers)) {
            state.turn.observe(
                state.position.inner.side_to_move(),
                state.plies,
                state.ply_limit,
                &mut one,
            );
            write_floats(&one, out);
        }
        Ok(())
    })?;
    let masks = PyByteArray::new_with(py, actions * states.len(), |out| {
        for (state, out) in states.iter().zip(out.chunks_exact_mut(actions)) {
            state.legal_actions(None).iter().for_each(|&action| out[action as usize] = 1);
        }
        Ok(())
    })?;
    let shape = [states.len(), PLANES, encoding.rows, encoding.columns];
    Ok((array(&planes, "float32", &shape)?, array(&masks, "int8", &[states.len(), actions])?))
}

#[pymethods]
impl State {
    /// The order of `help()`.
    #[classattr]
    #[pyo3(name = "_fields")]
    const HELP_ORDER: [&'static str; 32] = [
        "current_player",
        "legal_actions",
        "legal_actions_mask",
        "apply_action",
        "actions_of",
        "is_terminal",
        "returns",
        "observation_tensor",
        "clone",
        "child",
        "undo_action",
        "history",
        "action_to_string",
        "string_to_action",
        "rewards",
        "player_reward",
        "player_return",
        "num_players",
        "is_chance_node",
        "is_simultaneous_node",
        "is_player_node",
        "serialize",
        "deserialize",
        "move_number",
        "num_distinct_actions",
        "observation_tensor_shape",
        "position",
        "plies",
        "ply_limit",
        "truncated",
        "chain",
        "observation_tensor_size",
    ];

    #[new]
    #[pyo3(signature = (position, *, ply_limit=None, actions="moves"))]
    fn new(position: &Position, ply_limit: Option<Whole>, actions: &str) -> PyResult<State> {
        State::from(position, ply_limit, are_squares(actions)?)
    }

    /// Returns the actions of a legal move of the position, the first one first. Raises
    /// `ValueError` if it is not legal.
    fn actions_of(&self, r#move: &Move) -> PyResult<Vec<u32>> {
        if !self.position.inner.is_same(&*r#move.inner) {
            return Err(value_error("a move of another position"));
        }
        Ok(self.turn_after(&[])?.actions_of(r#move.code))
    }

    /// The position, without the jumps of an unfinished chain.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: Arc::clone(&self.position.inner), clock: self.position.clock }
    }

    /// The number of plies so far.
    #[getter]
    fn plies(&self) -> u32 {
        self.plies
    }

    /// The number of plies at which the game is cut.
    #[getter]
    fn ply_limit(&self) -> u32 {
        self.ply_limit
    }

    /// Whether the limit of plies has ended the game.
    #[getter]
    fn truncated(&self) -> bool {
        self.is_cut()
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

    /// Returns the legal actions of a player, by default of the one to move, in increasing order;
    /// empty when the game is over, and for the player that is not to move.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<Whole>) -> Vec<u32> {
        if self.is_terminal() || !self.is_mover(player) { Vec::new() } else { self.turn.actions() }
    }

    /// Returns 1 for each action that `legal_actions` returns and 0 for the others. Needs numpy.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let size = self.turn.encoding().actions as usize;
        let actions = self.legal_actions(player);
        let bytes = PyByteArray::new_with(py, size, |mask| {
            actions.iter().for_each(|&action| mask[action as usize] = 1);
            Ok(())
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
        let before = self.turn.chosen().to_vec();
        match self.turn.choose(number) {
            Choice::Illegal => {
                let legal: Vec<String> = self.turn.actions().iter().map(u32::to_string).collect();
                Err(value_error(format!(
                    "action {} is not legal: one of {}",
                    action.value(),
                    legal.join(", ")
                )))
            }
            Choice::Unfinished => Ok(()),
            Choice::Complete(code) => {
                let after = Arc::clone(&self.position.inner).play(code);
                self.position.inner =
                    after.map_err(|_| value_error("the move of the action is not legal"))?;
                self.turn = turn_of(&*self.position.inner, self.turn.encoding().squares)?;
                self.plies += 1;
                self.actions.extend(before);
                self.actions.push(number);
                self.ends.push(self.actions.len());
                Ok(())
            }
        }
    }

    /// Returns whether the game is over, by its rules or by the limit of plies.
    fn is_terminal(&self) -> bool {
        self.position.inner.outcome().is_some() || self.is_cut()
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
        planes(py, &*self.turn, self.viewer(player)?, self.plies, self.ply_limit)
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
    fn clone(&self) -> PyResult<State> {
        Ok(State {
            position: self.position(),
            turn: self.turn_after(self.turn.chosen())?,
            plies: self.plies,
            ply_limit: self.ply_limit,
            actions: self.actions.clone(),
            ends: self.ends.clone(),
        })
    }

    /// Returns a copy after an action. Raises `ValueError` if it is not legal.
    fn child(&self, action: Whole) -> PyResult<State> {
        let mut child = self.clone()?;
        child.apply_action(action)?;
        Ok(child)
    }

    /// Takes the last action back, which must be this action of this player. Raises `ValueError` if
    /// it is not.
    fn undo_action(&mut self, player: Whole, action: Whole) -> PyResult<()> {
        let history = self.history();
        let chain = self.turn.chosen();
        // The last action of a finished move is that of the player who is not to move; the game may
        // be over.
        let side = if chain.is_empty() {
            self.position.inner.last().map(|(before, _)| before.side_to_move())
        } else {
            None
        };
        let side = side.unwrap_or_else(|| self.position.inner.side_to_move());
        let is_last = history.last().is_some_and(|&last| i64::from(last) == action.value());
        if !is_last || player.value() != side.index() as i64 {
            return Err(value_error(format!(
                "action {} of player {} is not the last",
                action.value(),
                player.value()
            )));
        }
        if !chain.is_empty() {
            self.turn = self.turn_after(&chain[..chain.len() - 1])?;
            return Ok(());
        }
        let (before, _) = self
            .position
            .inner
            .last()
            .ok_or_else(|| value_error("no move led to this position"))?;
        self.position.inner = before;
        self.plies -= 1;
        self.ends.pop();
        let chain = self.actions.split_off(self.ends.last().copied().unwrap_or(0));
        self.turn = self.turn_after(&chain[..chain.len() - 1])?;
        Ok(())
    }

    /// Returns the actions that were taken in this state, the oldest first, those of an unfinished
    /// chain included.
    fn history(&self) -> Vec<u32> {
        self.actions.iter().chain(self.turn.chosen()).copied().collect()
    }

    /// Returns the number of actions that were taken in this state.
    fn move_number(&self) -> usize {
        self.actions.len() + self.turn.chosen().len()
    }

    /// Returns an action as text for people: the move that it completes, or the jump of a chain
    /// that goes on. OpenSpiel's player may stand before the action. Raises `ValueError` if it is
    /// not legal.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: Whole, action: Option<Whole>) -> PyResult<String> {
        let action = action.unwrap_or(player_or_action).value();
        let number = u32::try_from(action).unwrap_or(u32::MAX);
        match self.turn_after(self.turn.chosen())?.choose(number) {
            Choice::Illegal => Err(value_error(format!("action {action} is not legal"))),
            Choice::Complete(code) => {
                Ok(self.position.inner.move_of(code).map_or(String::new(), |mv| mv.described))
            }
            Choice::Unfinished => {
                let encoding = self.turn.encoding();
                let (cells, columns) =
                    ((encoding.rows * encoding.columns) as u32, encoding.columns as u32);
                let place = |cell: u32| format!("{},{}", cell % columns, cell / columns);
                Ok(match (encoding.squares, self.turn.chosen().last()) {
                    (true, Some(&from)) => format!("{} {} ...", place(from), place(number)),
                    (true, None) => format!("{} ...", place(number)),
                    (false, _) => {
                        format!("{} {} ...", place(number / cells), place(number % cells))
                    }
                })
            }
        }
    }

    /// Returns the legal action with this text. OpenSpiel's player may stand before it. Raises
    /// `ValueError` if there is none.
    #[pyo3(signature = (player_or_text, text=None))]
    fn string_to_action(
        &self,
        player_or_text: &Bound<'_, PyAny>,
        text: Option<String>,
    ) -> PyResult<u32> {
        let text = text.map_or_else(|| player_or_text.extract::<String>(), Ok)?;
        let is_named = |action: &u32| {
            let name = self.action_to_string(Whole::new(i64::from(*action)), None);
            name.is_ok_and(|name| name == text)
        };
        let found = self.legal_actions(None).into_iter().find(is_named);
        found.ok_or_else(|| value_error(format!("no legal action has the text '{text}'")))
    }

    /// Returns the rewards of the last action, which are the results when the game is over and 0
    /// before.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// Returns the reward of a player by the last action.
    fn player_reward(&self, player: Whole) -> PyResult<f64> {
        self.player_return(player)
    }

    /// Returns the result of a player.
    fn player_return(&self, player: Whole) -> PyResult<f64> {
        Ok(self.returns()[player.within("player", 0, 1)? as usize])
    }

    /// Returns 2.
    #[allow(clippy::unused_self)]
    fn num_players(&self) -> u32 {
        2
    }

    /// Returns `False`: nothing is drawn in these games.
    #[allow(clippy::unused_self)]
    fn is_chance_node(&self) -> bool {
        false
    }

    /// Returns `False`: the players move in turn.
    #[allow(clippy::unused_self)]
    fn is_simultaneous_node(&self) -> bool {
        false
    }

    /// Returns whether a player is to move.
    fn is_player_node(&self) -> bool {
        !self.is_terminal()
    }

    /// Returns the number of numbers of an observation.
    fn observation_tensor_size(&self) -> usize {
        self.turn.encoding().numbers()
    }

    /// Returns the state as text, from which `State.deserialize` makes an equal one.
    fn serialize(&self) -> PyResult<String> {
        let (game, rules, text, codes) = pickle::dump(&self.position.inner)?;
        let words =
            |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let mut begin = 0;
        let moves: Vec<String> = self
            .ends
            .iter()
            .map(|&end| words(&self.actions[std::mem::replace(&mut begin, end)..end]))
            .collect();
        let (plies, limit) = (self.plies, self.ply_limit);
        let (codes, moves, chain) = (words(&codes), moves.join(","), words(self.turn.chosen()));
        let squares = if self.turn.encoding().squares { " squares" } else { "" };
        Ok(format!(
            "{game} {rules} {plies} {limit}{squares}\n{codes}\n{moves}\n{chain}\n{}",
            text.unwrap_or_default()
        ))
    }

    /// Returns the state of a text that `serialize` has made. Raises `ValueError` for other texts.
    #[staticmethod]
    fn deserialize(text: &str) -> PyResult<State> {
        let bad = || value_error("no state of this version of menagerie");
        let words = |line: &str| {
            line.split_whitespace().map(|word| word.parse().map_err(|_| bad())).collect()
        };
        let mut lines = text.splitn(5, '\n');
        let mut line = || lines.next().ok_or_else(bad);
        let (head, codes, moves, chain, input) = (line()?, line()?, line()?, line()?, line()?);
        let squares = head.ends_with(" squares");
        let head = head.strip_suffix(" squares").unwrap_or(head);
        let [game, rules, plies, limit] = head.split(' ').collect::<Vec<_>>()[..] else {
            return Err(bad());
        };
        let input = Some(input).filter(|input| !input.is_empty()).map(str::to_string);
        let inner = pickle::load((game.into(), rules.into(), input, words(codes)?))?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| bad());
        let moves: Vec<Vec<u32>> = moves
            .split(',')
            .filter(|group| !group.is_empty())
            .map(words)
            .collect::<PyResult<_>>()?;
        _state(
            &Position { inner, clock: None },
            number(plies)?,
            number(limit)?,
            words(chain)?,
            moves,
            squares,
        )
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

    fn __copy__(&self) -> PyResult<State> {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let function = py.import("menagerie._menagerie")?.getattr("_state")?;
        let mut begin = 0;
        let moves = self
            .ends
            .iter()
            .map(|&end| self.actions[std::mem::replace(&mut begin, end)..end].to_vec())
            .collect();
        let squares = self.turn.encoding().squares;
        Ok((function, (self.position(), self.plies, self.ply_limit, self.chain(), moves, squares)))
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
/// and those of each move, and whether cells are actions.
type Pickled = (Position, u32, u32, Vec<u32>, Vec<Vec<u32>>, bool);

/// Restores a pickled state.
#[pyfunction]
#[pyo3(signature = (position, plies, ply_limit, chain, moves, squares=false))]
pub(crate) fn _state(
    position: &Position,
    plies: u32,
    ply_limit: u32,
    chain: Vec<u32>,
    moves: Vec<Vec<u32>>,
    squares: bool,
) -> PyResult<State> {
    let mut state = State::from(position, None, squares)?;
    for action in chain {
        state.turn.choose(action);
    }
    (state.plies, state.ply_limit) = (plies, ply_limit);
    for actions in moves {
        state.actions.extend(actions);
        state.ends.push(state.actions.len());
    }
    Ok(state)
}
