//! The rules of Foxes and Geese (`docs/rules/foxgeese.md`): positions, moves, the end of a game.

use crate::board::{BOARD, Board, Cell, Cells, TABLE, neighbours};
pub use crate::moves::Move;
use crate::moves::longest_captures;
use engine::{Game, Outcome, Side, split_mix};

/// The side of the geese, which moves first.
pub const GEESE: Side = Side::First;
/// The side of the foxes.
pub const FOXES: Side = Side::Second;

/// The number of geese at the start, which no position exceeds.
pub const MOST_GEESE: u32 = 20;

/// The largest number of geese with which the foxes have won.
pub const LOST_GEESE: u32 = 8;

/// The move limit: the foxes win if the geese have not won after so many moves of theirs.
pub const MOST_MOVES: u8 = 100;

/// The largest number of the geese's moves that a search looks ahead, so that the number of moves
/// made matters only in the last moves of a game.
const MOST_SEARCHED_MOVES: u8 = 60;

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    board: Board,
    /// The cell of fox `X`.
    x: Cell,
    /// The letter of the goose on each cell, 0 where there is none.
    names: [u8; TABLE],
    /// The number of moves that the geese have made.
    moves: u8,
    side: Side,
}

/// What undoing a move needs: the names of the captured geese, in the order of their cells.
pub type Captured = [u8; 16];

impl Position {
    /// The start of the game. The geese, `a` to `t` in reading order, move first.
    pub fn initial() -> Position {
        Position::lettered(Board::START, GEESE, 0)
    }

    /// A position whose geese are named from `a` on in reading order and whose fox `X` comes before
    /// `Y`. At most 26 geese.
    pub fn lettered(board: Board, side: Side, moves: u8) -> Position {
        let mut names = [0; TABLE];
        for (cell, name) in board.geese.into_iter().zip(b'a'..) {
            names[cell.index()] = name;
        }
        Position::new(board, board.foxes.first().expect("there are two foxes"), names, side, moves)
    }

    /// A position from the names of the geese, by cell index, and the cell of fox `X`.
    pub fn new(board: Board, x: Cell, names: [u8; TABLE], side: Side, moves: u8) -> Position {
        debug_assert!(
            board.foxes.len() == 2 && board.foxes.contains(x) && !board.geese.meets(board.foxes)
        );
        Position { board, x, names, moves, side }
    }

    /// The mirror image, left and right exchanged; each piece keeps its name.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let mut names = [0; TABLE];
        for cell in BOARD {
            names[cell.mirrored().index()] = self.names[cell.index()];
        }
        Position { board: self.board.mirrored(), x: self.x.mirrored(), names, ..self.clone() }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The number of moves that the geese have made.
    #[inline]
    pub fn moves_made(&self) -> u8 {
        self.moves
    }

    /// The symbol of a cell: a goose's name, `X`, `Y`, or `-` if it is empty.
    pub fn symbol(&self, cell: Cell) -> char {
        match self.names[cell.index()] {
            _ if cell == self.x => 'X',
            _ if self.board.foxes.contains(cell) => 'Y',
            0 => '-',
            name => name as char,
        }
    }

    /// The cell of the piece with this letter.
    pub fn cell_of(&self, letter: char) -> Option<Cell> {
        (self.board.geese | self.board.foxes).into_iter().find(|&cell| self.symbol(cell) == letter)
    }
}

/// For each parity of row and column, the cells between two cells of that parity, as bits; 17 at
/// most. The cells of a chain of jumps have one parity.
const JUMPABLE: [u64; 4] = {
    let mut sets = [0; 4];
    let mut index = 0;
    while index < 4 * TABLE {
        let (class, cell) = (index / TABLE, index % TABLE);
        let (row_differs, column_differs) =
            ((cell >> 3 & 1) != (class >> 1), (cell & 1) != (class & 1));
        if row_differs != column_differs && BOARD.bits() >> cell & 1 != 0 {
            sets[class] |= 1 << cell;
        }
        index += 1;
    }
    sets
};

/// The cells that a chain of jumps from a cell can jump over.
#[inline]
const fn jumpable_from(from: Cell) -> Cells {
    Cells::from_bits(JUMPABLE[(from.y() & 1) << 1 | from.x() & 1])
}

impl Game for Position {
    type Move = Move;
    type Undo = Captured;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        const GEESE_WIN: Option<Outcome> = Some(Outcome::Win(GEESE));
        const FOXES_WIN: Option<Outcome> = Some(Outcome::Win(FOXES));
        let board = self.board;
        if board.geese.len() <= LOST_GEESE {
            return FOXES_WIN;
        }
        if board.square_is_full() {
            return GEESE_WIN;
        }
        match self.side {
            FOXES if board.foxes_are_blocked() => GEESE_WIN,
            GEESE if board.geese_that_can_move().is_empty() => FOXES_WIN,
            _ if self.moves >= MOST_MOVES => FOXES_WIN,
            _ => None,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        match self.side {
            GEESE => self.board.each_goose_move(|mv| out.push(mv)),
            FOXES => self.board.each_fox_move(|mv| out.push(mv)),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Captured {
        let mut names = [0; 16];
        match self.side {
            GEESE => {
                self.board = self.board.after_goose(mv);
                self.names.swap(mv.from.index(), mv.to.index());
                self.moves += 1;
            }
            FOXES => {
                self.board = self.board.after_fox(mv);
                if self.x == mv.from {
                    self.x = mv.to;
                }
                for (cell, kept) in mv.captured.into_iter().zip(&mut names) {
                    *kept = std::mem::take(&mut self.names[cell.index()]);
                }
            }
        }
        self.side = self.side.other();
        names
    }

    #[inline]
    fn undo(&mut self, mv: Move, names: Captured) {
        self.side = self.side.other();
        match self.side {
            GEESE => {
                self.board.geese = self.board.geese.without(mv.to).with(mv.from);
                self.names.swap(mv.from.index(), mv.to.index());
                self.moves -= 1;
            }
            FOXES => {
                self.board.foxes = self.board.foxes.without(mv.to).with(mv.from);
                if self.x == mv.to {
                    self.x = mv.from;
                }
                self.board.geese |= mv.captured;
                for (cell, &name) in mv.captured.into_iter().zip(&names) {
                    self.names[cell.index()] = name;
                }
            }
        }
    }

    /// The hash key, computed from the two sets each time, which is as cheap as updating it. Names
    /// make no difference; the number of moves made does once the limit is within a search's reach.
    #[inline]
    fn key(&self) -> u64 {
        let late = self.moves.saturating_sub(MOST_MOVES - MOST_SEARCHED_MOVES - 1);
        let rest =
            self.board.foxes.bits() | u64::from(late) << 56 | u64::from(self.side == FOXES) << 63;
        split_mix(self.board.geese.bits() ^ split_mix(rest))
    }

    fn rebuilt(&self) -> Position {
        Position::new(self.board, self.x, self.names, self.side, self.moves)
    }

    /// The bits from the lowest: `from` 6, `to` 6, the captured geese 17, as a subset of the cells
    /// that jumps from `from` can lead over.
    #[inline]
    fn encode(&self, mv: Move) -> u32 {
        let jumpable = jumpable_from(mv.from).bits();
        let bit = |cell: Cell| (jumpable & ((1 << cell.index()) - 1)).count_ones();
        let captured = mv.captured.into_iter().fold(0, |set, cell| set | 1 << bit(cell));
        (mv.from.index() | mv.to.index() << 6) as u32 | captured << 12
    }

    fn decode(&self, code: u32) -> Option<Move> {
        let cell = |bits: u32| Cell::from_index((bits & 63) as usize);
        let (from, to, captured) = (cell(code)?, cell(code >> 6)?, code >> 12);
        let own = if self.side == GEESE { self.board.geese } else { self.board.foxes };
        if !own.contains(from) || self.outcome().is_some() {
            return None;
        }
        if captured != 0 {
            let found =
                longest_captures(self.board).into_iter().find(|&mv| self.encode(mv) == code);
            return found.filter(|_| self.side == FOXES);
        }
        let steps = (neighbours(Cells::one(from)) & self.board.empty()).contains(to);
        let allowed = || {
            if self.side == GEESE { to.y() <= from.y() } else { !self.board.foxes_can_jump() }
        };
        (steps && allowed()).then_some(Move::step(from, to))
    }
}
