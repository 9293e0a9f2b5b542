//! The rules of FoxGame (docs/rules/foxgame.md): positions with their history, and the end of the
//! game.

use crate::board::{Board, PointSet};
pub use crate::moves::Move;
use engine::{Game, Outcome, Side, split_mix};
use std::collections::HashSet;

/// The side FOX, which moves first.
pub const FOX: Side = Side::First;
/// The side SHEEP, which moves second.
pub const SHEEP: Side = Side::Second;

/// The number of sheep at the start.
pub const MOST_SHEEP: u32 = 20;

/// The least number of sheep with which the game goes on.
pub const LEAST_SHEEP: u32 = 9;

/// A position: the board, the side to move, and the earlier boards, which no move may bring back
/// (the deadlock rule).
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    outcome: Option<Ending>,
    /// All known boards of the game, the oldest first, the present one last.
    boards: Vec<Board>,
    /// The index of the first of `boards` that could still come back (see [`is_progress`]).
    since_progress: u32,
    /// The xor of the hashes of the boards from `since_progress` on, without the present one.
    past: u64,
}

/// Positions are equal if nothing distinguishes them for the rest of the game: of the earlier boards
/// those count that could still come back, in whatever order they came.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let (own, others) = (self.fresh_history(), other.fresh_history());
        (self.board, self.side, self.outcome) == (other.board, other.side, other.outcome)
            && own.len() == others.len()
            && own.iter().all(|board| others.contains(board))
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The mover brought back an earlier board: the other side wins.
    Deadlock {
        /// The side that moved.
        mover: Side,
    },
    /// Both sides have reached a goal, fewer than nine sheep and a full pen or no foxes: a draw.
    Both,
    /// Fewer than nine sheep are left: FOX wins.
    FewSheep,
    /// No fox is left: SHEEP wins.
    NoFox,
    /// The pen is full: SHEEP wins.
    PenFull,
    /// SHEEP is to move and no sheep can step: FOX wins.
    NoStep,
}

impl Ending {
    /// The outcome for the players.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Deadlock { mover } => Outcome::Win(mover.other()),
            Ending::Both => Outcome::Draw,
            Ending::FewSheep | Ending::NoStep => Outcome::Win(FOX),
            Ending::NoFox | Ending::PenFull => Outcome::Win(SHEEP),
        }
    }

    /// The reason in a few words, for messages.
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Deadlock { mover: FOX } => "FOX repeated a board (deadlock)",
            Ending::Deadlock { mover: SHEEP } => "SHEEP repeated a board (deadlock)",
            Ending::Both => "fewer than 9 sheep are left and SHEEP has reached its goal too",
            Ending::FewSheep => "fewer than 9 sheep are left",
            Ending::NoFox => "no fox is left",
            Ending::PenFull => "the pen is full",
            Ending::NoStep => "no sheep can move",
        }
    }
}

/// The state of a position before a move, which [`Game::undo`] restores.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    since_progress: u32,
    past: u64,
}

/// The hash of a board. Computing it from scratch is as cheap as updating it incrementally.
#[inline]
const fn mixed(board: Board) -> u64 {
    split_mix(board.sheep.bits() ^ split_mix(board.foxes.bits()))
}

/// The part of a position's key that stands for earlier boards, from the xor of their hashes.
#[inline]
const fn of_past(past: u64) -> u64 {
    if past == 0 { 0 } else { split_mix(past) }
}

const SIDE_KEY: u64 = split_mix(0xF0C5);

impl Position {
    /// The starting position, with FOX to move.
    pub fn initial() -> Position {
        Position::new(Board::START, FOX)
    }

    /// A position without earlier boards.
    pub fn new(board: Board, side: Side) -> Position {
        Position::with_history(Vec::new(), board, side)
    }

    /// A position with the earlier boards of its game, the oldest first. The game may be over. No
    /// sheep may go back and no piece may return from one board to the next.
    pub fn with_history(earlier: Vec<Board>, board: Board, side: Side) -> Position {
        // A board that is listed twice counts once: its two hashes would cancel out in `past`.
        let mut seen = HashSet::new();
        let mut boards = earlier;
        boards.retain(|&earlier| seen.insert(earlier));
        boards.push(board);
        Position::after(boards, side)
    }

    /// The position whose present board is the last of `boards`, with all derived state computed
    /// from scratch.
    fn after(boards: Vec<Board>, side: Side) -> Position {
        let board = *boards.last().expect("there is a present board");
        let since_progress = last_change(&boards, is_progress) as u32;
        let mut position = Position { board, side, outcome: None, boards, since_progress, past: 0 };
        position.past = hash_of(position.fresh_history());
        position.outcome = position.ending_now();
        position
    }

    /// The present board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The rule that ended the game; `None` while the game goes on.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        self.outcome
    }

    /// The known boards since the last capture, the oldest first, without the present one.
    pub fn history(&self) -> &[Board] {
        let captures = |before: Board, after: Board| before.sheep.len() != after.sheep.len();
        &self.boards[last_change(&self.boards, captures)..self.boards.len() - 1]
    }

    /// The earlier boards that could still come back, the oldest first.
    #[inline]
    pub fn fresh_history(&self) -> &[Board] {
        &self.boards[self.since_progress as usize..self.boards.len() - 1]
    }

    /// Whether the present board ends the game, by the rules in the order of their page.
    #[inline]
    fn ending_now(&self) -> Option<Ending> {
        let board = self.board;
        if self.fresh_history().contains(&board) {
            return Some(Ending::Deadlock { mover: self.side.other() });
        }
        let few_sheep = board.sheep.len() < LEAST_SHEEP;
        let no_fox = board.foxes.is_empty();
        if few_sheep || no_fox || board.pen_is_full() {
            return Some(match (few_sheep, no_fox) {
                (true, false) if !board.pen_is_full() => Ending::FewSheep,
                (true, _) => Ending::Both,
                (false, true) => Ending::NoFox,
                (false, false) => Ending::PenFull,
            });
        }
        (self.side == SHEEP && !board.sheep_can_step()).then_some(Ending::NoStep)
    }

    /// Whether an earlier board could come back within `plies` plies; it may be true for a board
    /// that cannot come back.
    #[inline]
    fn could_return(&self, earlier: Board, plies: u32) -> bool {
        let foxes = (self.board.foxes - earlier.foxes).len();
        let sheep = (self.board.sheep - earlier.sheep).len();
        let (own, others) = if self.side == FOX { (foxes, sheep) } else { (sheep, foxes) };
        // A side needs a move for each piece off its earlier point; with no such piece it makes no
        // move at all, or at least two, away and back.
        let enough = |moves: u32, needed: u32| moves >= needed && !(needed == 0 && moves == 1);
        let least = (2 * own.max(1) - 1).max(2 * others).max(1);
        (least..=plies.min(least + 4))
            .any(|plies| enough(plies.div_ceil(2), own) && enough(plies / 2, others))
    }
}

fn last_change(boards: &[Board], changes: impl Fn(Board, Board) -> bool) -> usize {
    boards.windows(2).rposition(|pair| changes(pair[0], pair[1])).map_or(0, |index| index + 1)
}

#[inline]
fn hash_of<'a>(boards: impl IntoIterator<Item = &'a Board>) -> u64 {
    boards.into_iter().fold(0, |hash, &board| hash ^ mixed(board))
}

/// Whether the change from `before` to `after` is irreversible, so that no board up to `before` can
/// come back.
#[inline]
fn is_progress(before: Board, after: Board) -> bool {
    before.foxes.len() != after.foxes.len()
        || (before.sheep != after.sheep && sum_of_rows(before.sheep) != sum_of_rows(after.sheep))
        || before.sheep.len() != after.sheep.len()
}

/// The sum of the sheep's rows, counted from 0 at the top. It never grows during a game.
#[inline]
pub(crate) fn sum_of_rows(sheep: PointSet) -> u32 {
    (1..7).map(|y| y * (sheep.bits() >> (8 * y) & 0x7F).count_ones()).sum()
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome.map(Ending::outcome)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome.is_some() {
            return;
        }
        match self.side {
            FOX => self.board.fox_moves(out),
            SHEEP => self.board.each_sheep_move(|mv| out.push(mv)),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Undo {
        let undo = Undo { since_progress: self.since_progress, past: self.past };
        let before = self.board;
        let mut progress = !mv.captured.is_empty();
        match self.side {
            FOX => {
                self.board.foxes = self.board.foxes.without(mv.from).with(mv.to);
                self.board.sheep -= mv.captured;
            }
            SHEEP => {
                self.board.sheep = self.board.sheep.without(mv.from).with(mv.to);
                progress = mv.from.y() != mv.to.y();
            }
        }
        let stuck = self.board.stuck_foxes();
        self.board.foxes -= stuck;
        if progress || !stuck.is_empty() {
            self.since_progress = self.boards.len() as u32;
            self.past = 0;
        } else {
            self.past ^= mixed(before);
        }
        self.boards.push(self.board);
        self.side = self.side.other();
        self.outcome = self.ending_now();
        undo
    }

    #[inline]
    fn undo(&mut self, _: Move, undo: Undo) {
        self.boards.pop();
        self.board = self.boards[self.boards.len() - 1];
        self.side = self.side.other();
        self.outcome = None;
        self.since_progress = undo.since_progress;
        self.past = undo.past;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key_within(0) ^ of_past(self.past)
    }

    /// The hash key of the board, the side to move, and the earlier boards that could come back
    /// within `plies`: no others affect a search of this depth.
    #[inline]
    fn key_within(&self, plies: u32) -> u64 {
        let board = mixed(self.board) ^ if self.side == FOX { 0 } else { SIDE_KEY };
        if plies == 0 || self.past == 0 {
            return board;
        }
        let relevant =
            self.fresh_history().iter().filter(|&&earlier| self.could_return(earlier, plies));
        board ^ of_past(hash_of(relevant))
    }

    fn rebuilt(&self) -> Position {
        Position::after(self.boards.clone(), self.side)
    }

    #[inline]
    fn encode(&self, mv: Move) -> u32 {
        mv.code()
    }

    #[inline]
    fn decode(&self, code: u32) -> Option<Move> {
        let mv = Move::from_code(code)?;
        let step = mv.captured.is_empty();
        let legal = self.outcome.is_none()
            && match self.side {
                FOX if step => {
                    self.board.foxes.contains(mv.from)
                        && (mv.from.neighbours() & self.board.empty()).contains(mv.to)
                }
                FOX => self.board.allows_chain(mv),
                SHEEP => {
                    step && self.board.sheep.contains(mv.from)
                        && (mv.from.ahead() & self.board.empty()).contains(mv.to)
                }
            };
        legal.then_some(mv)
    }

    fn perft_leaves(&self) -> u64 {
        match self.side {
            FOX if self.outcome.is_none() => self.board.count_fox_moves(),
            _ => self.legal_moves().len() as u64,
        }
    }

    fn perft_weight(&self, mv: Move) -> u64 {
        self.board.perft_weight(mv)
    }
}
