//! Positions and moves as numbers, for learners: actions of a fixed range, and planes of numbers
//! from 0 to 1.

use crate::errors::value_error;
use engine::drawing::{CellValues, Spelling};
use engine::{Protocol, Side};
use pyo3::PyResult;
use std::sync::Arc;

/// The planes of an observation, in their order; see `State` in `_menagerie.pyi`.
#[derive(Clone, Copy)]
enum Plane {
    Own,
    Other,
    Board,
    Value,
    Chain,
    First,
    Time,
}

/// The number of planes of an observation.
pub(crate) const PLANES: usize = Plane::Time as usize + 1;

/// The form of a game as numbers: planes and actions.
pub(crate) struct Encoding {
    pub columns: usize,
    pub rows: usize,
    /// The number of actions.
    pub actions: u32,
    /// The action that ends a chain which could go on; `None` in games without chains.
    pub stop: Option<u32>,
    /// Whether an action is a cell, so that a move takes one for its start and one for each place
    /// that it goes to, and not a pair of cells.
    pub squares: bool,
    spelling: Spelling,
    /// 1 for each cell of the board, 0 for the missing cells of the grid.
    board: Vec<f32>,
}

impl Encoding {
    /// The encoding of a game, if asked for with cells as actions; `None` if the game is not told
    /// by numbers.
    pub(crate) fn of<G: Protocol>(position: &G, squares: bool) -> Option<Encoding> {
        let (spelling, drawing) = (G::SPELLING?, position.drawing(None)?);
        let cells = (drawing.width * drawing.height) as u32;
        // A move that puts a piece down is one cell anyway.
        let squares = squares && spelling != Spelling::Code(cells);
        let numbers = if squares { cells } else { cells.pow(2) };
        let (actions, stop) = match spelling {
            Spelling::Code(codes) => (if squares { cells } else { codes }, None),
            Spelling::Ends => (numbers, None),
            Spelling::Steps => (numbers + 1, Some(numbers)),
        };
        let board = drawing.cells.iter().map(|cell| f32::from(u8::from(!cell.missing))).collect();
        Some(Encoding {
            columns: drawing.width,
            rows: drawing.height,
            actions,
            stop,
            squares,
            spelling,
            board,
        })
    }

    fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The number of numbers of an observation.
    pub(crate) fn numbers(&self) -> usize {
        PLANES * self.cells()
    }
}

/// Whether actions are cells, by the word for the style of actions.
pub(crate) fn are_squares(actions: &str) -> PyResult<bool> {
    match actions {
        "moves" => Ok(false),
        "squares" => Ok(true),
        _ => Err(value_error(format!("actions: expected 'moves' or 'squares', found '{actions}'"))),
    }
}

/// The effect of an action.
pub(crate) enum Choice<M> {
    /// The action is not legal now, and has no effect.
    Illegal,
    /// The chain goes on.
    Unfinished,
    /// The action completes this move.
    Complete(M),
}

/// The turn of a side, which takes one action, or several for a chain of jumps.
#[derive(Clone)]
pub(crate) struct Turn<G: Protocol> {
    pub position: G,
    pub encoding: Arc<Encoding>,
    moves: Vec<G::Move>,
    /// The actions of all moves, one move after the other, without those that end a chain.
    steps: Vec<u32>,
    /// For each move, the end of its actions in `steps`.
    ends: Vec<usize>,
    /// The actions of the unfinished chain.
    chosen: Vec<u32>,
    /// The values of the cells, from 0 to 1; empty in games without values.
    values: Vec<f32>,
}

impl<G: Protocol> Turn<G> {
    pub(crate) fn new(position: G, encoding: Arc<Encoding>) -> Turn<G> {
        let (moves, steps, ends, chosen, values) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut turn = Turn { position, encoding, moves, steps, ends, chosen, values };
        turn.list_moves();
        turn.list_values();
        turn
    }

    /// The bytes that its lists take.
    pub(crate) fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<G::Move>()
            + 8 * self.ends.capacity()
            + 4 * (self.steps.capacity() + self.values.capacity())
    }

    /// Replaces the position, and lists its moves and values.
    pub(crate) fn reset(&mut self, position: G) {
        self.position = position;
        self.list_moves();
        self.list_values();
    }

    /// Makes a legal move.
    pub(crate) fn play(&mut self, mv: G::Move) {
        self.position.play(mv);
        self.list_moves();
    }

    fn list_values(&mut self) {
        self.values.clear();
        if let Some(CellValues { values, most }) = self.position.cell_values() {
            self.values.extend(values.iter().map(|&value| value as f32 / most as f32));
        }
    }

    fn list_moves(&mut self) {
        self.moves.clear();
        self.steps.clear();
        self.ends.clear();
        self.chosen.clear();
        self.position.moves(&mut self.moves);
        let (columns, cells) = (self.encoding.columns, self.encoding.cells());
        for &mv in &self.moves {
            match self.encoding.spelling {
                Spelling::Code(_) if self.encoding.squares => {
                    let code = self.position.encode(mv);
                    self.steps.extend([code / cells as u32, code % cells as u32]);
                }
                Spelling::Code(_) => self.steps.push(self.position.encode(mv)),
                Spelling::Ends | Spelling::Steps if self.encoding.squares => {
                    let path = self.position.path(mv);
                    let number = |&(x, y): &(usize, usize)| (y * columns + x) as u32;
                    match (self.encoding.spelling, &path[..]) {
                        (Spelling::Steps, path) => self.steps.extend(path.iter().map(number)),
                        (_, [first, .., last]) => self.steps.extend([number(first), number(last)]),
                        // A pass.
                        _ => self.steps.extend([0, 0]),
                    }
                }
                Spelling::Ends | Spelling::Steps => {
                    let path = self.position.path(mv);
                    let number = |index: usize| path[index].1 * columns + path[index].0;
                    let pair = |from: usize, to: usize| (number(from) * cells + number(to)) as u32;
                    match self.encoding.spelling {
                        Spelling::Steps => {
                            self.steps.extend((1..path.len()).map(|to| pair(to - 1, to)))
                        }
                        _ => self.steps.push(pair(0, path.len() - 1)),
                    }
                }
            }
            self.ends.push(self.steps.len());
        }
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.moves.is_empty()
    }

    /// The legal moves.
    pub(crate) fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The actions of a move, without the one that ends its chain.
    fn spelled(&self, index: usize) -> &[u32] {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[begin..self.ends[index]]
    }

    /// The index of the move whose actions are the chosen ones.
    fn completed(&self) -> Option<usize> {
        (0..self.moves.len()).find(|&index| self.spelled(index) == self.chosen)
    }

    /// Calls a function with each action that is legal now; with some more than once.
    pub(crate) fn each_action(&self, mut visit: impl FnMut(u32)) {
        let done = self.chosen.len();
        for index in 0..self.moves.len() {
            match self.spelled(index).strip_prefix(&self.chosen[..]) {
                Some([next, ..]) => visit(*next),
                Some([]) if done > 0 => self.encoding.stop.into_iter().for_each(&mut visit),
                _ => {}
            }
        }
    }

    /// Lists the actions that are legal now, in increasing order, each once.
    pub(crate) fn list_actions(&self, actions: &mut Vec<u32>) {
        actions.clear();
        self.each_action(|action| actions.push(action));
        actions.sort_unstable();
        actions.dedup();
    }

    pub(crate) fn is_legal(&self, action: u32) -> bool {
        let mut found = false;
        self.each_action(|legal| found |= legal == action);
        found
    }

    /// Takes an action. The move that it may complete is not made.
    pub(crate) fn choose(&mut self, action: u32) -> Choice<G::Move> {
        if !self.is_legal(action) {
            return Choice::Illegal;
        }
        if self.encoding.stop != Some(action) {
            self.chosen.push(action);
            let mut goes_on = false;
            self.each_action(|next| goes_on |= self.encoding.stop != Some(next));
            if goes_on {
                return Choice::Unfinished;
            }
        }
        let index = self.completed().expect("the last action of a chain completes a move");
        Choice::Complete(self.moves[index])
    }

    /// The actions of the unfinished chain.
    pub(crate) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// All actions of a legal move, with the one that ends its chain if the chain could go on.
    pub(crate) fn actions_of(&self, mv: G::Move) -> Vec<u32> {
        let Some(index) = self.moves.iter().position(|&legal| legal == mv) else {
            return Vec::new();
        };
        let spelled = self.spelled(index);
        let longer = (0..self.moves.len()).any(|other| {
            let other = self.spelled(other);
            other.len() > spelled.len() && other.starts_with(spelled)
        });
        spelled.iter().copied().chain(self.encoding.stop.filter(|_| longer)).collect()
    }

    /// The elapsed share of the game: of the moves that the rules count, or else of the referee's
    /// limit of plies.
    fn elapsed(&self, plies: u32, ply_limit: u32) -> f32 {
        let (done, all) = self.position.counted_moves().unwrap_or((plies, ply_limit));
        (done as f32 / all as f32).min(1.0)
    }

    /// Writes the observation of a side, plane by plane, `Encoding::numbers` numbers.
    pub(crate) fn observe(&self, viewer: Side, plies: u32, ply_limit: u32, out: &mut [f32]) {
        let (columns, cells) = (self.encoding.columns, self.encoding.cells());
        out.fill(0.0);
        let start = |plane: Plane| plane as usize * cells;
        let plane_of = |owner: Side| start(if owner == viewer { Plane::Own } else { Plane::Other });
        self.position
            .each_placed(&mut |(x, y), owner| out[plane_of(owner) + y * columns + x] = 1.0);
        let mover = self.position.side_to_move();
        let mut path: Vec<usize> = Vec::new();
        for &action in &self.chosen {
            let action = action as usize;
            if path.is_empty() && !self.encoding.squares {
                path.push(action / cells);
            }
            path.push(action % cells);
        }
        for step in path.windows(2) {
            let (from, to) = (step[0], step[1]);
            let between =
                (from / columns + to / columns) / 2 * columns + (from % columns + to % columns) / 2;
            out[plane_of(mover) + from] = 0.0;
            out[plane_of(mover) + to] = 1.0;
            out[plane_of(mover.other()) + between] = 0.0;
        }
        if let Some(&last) = path.last() {
            out[start(Plane::Chain) + last] = 1.0;
        }
        out[start(Plane::Board)..][..cells].copy_from_slice(&self.encoding.board);
        out[start(Plane::Value)..][..self.values.len()].copy_from_slice(&self.values);
        if viewer == Side::First {
            out[start(Plane::First)..][..cells].fill(1.0);
        }
        out[start(Plane::Time)..][..cells].fill(self.elapsed(plies, ply_limit));
    }
}

/// A [`Turn`] of any game. Moves are the engine's codes.
pub(crate) trait AnyTurn: Send + Sync {
    fn encoding(&self) -> &Encoding;
    fn actions(&self) -> Vec<u32>;
    fn chosen(&self) -> &[u32];
    /// Takes an action, and makes the move that it completes.
    fn choose(&mut self, action: u32) -> Choice<u32>;
    fn boxed_clone(&self) -> Box<dyn AnyTurn>;
    /// All actions of the legal move with this code.
    fn actions_of(&self, code: u32) -> Vec<u32>;
    fn observe(&self, viewer: Side, plies: u32, ply_limit: u32, out: &mut [f32]);
}

impl<G: Protocol> AnyTurn for Turn<G> {
    fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    fn actions(&self) -> Vec<u32> {
        let mut actions = Vec::new();
        self.list_actions(&mut actions);
        actions
    }

    fn chosen(&self) -> &[u32] {
        Turn::chosen(self)
    }

    fn choose(&mut self, action: u32) -> Choice<u32> {
        match Turn::choose(self, action) {
            Choice::Illegal => Choice::Illegal,
            Choice::Unfinished => Choice::Unfinished,
            Choice::Complete(mv) => {
                let code = self.position.encode(mv);
                self.play(mv);
                Choice::Complete(code)
            }
        }
    }

    fn boxed_clone(&self) -> Box<dyn AnyTurn> {
        Box::new(self.clone())
    }

    fn actions_of(&self, code: u32) -> Vec<u32> {
        self.position.decode(code).map_or_else(Vec::new, |mv| Turn::actions_of(self, mv))
    }

    fn observe(&self, viewer: Side, plies: u32, ply_limit: u32, out: &mut [f32]) {
        Turn::observe(self, viewer, plies, ply_limit, out);
    }
}
