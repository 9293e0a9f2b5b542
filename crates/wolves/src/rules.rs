//! The rules of Wolves and Sheep (docs/rules/wolves.md).

use crate::board::{ALL, SIZE, SQUARES, Square, Squares, around, image};
use engine::{Game, Outcome, Side, split_mix};

/// The wolves, which move first.
pub const WOLVES: Side = Side::First;
/// The sheep.
pub const SHEEP: Side = Side::Second;

/// The most wolves in a position.
pub const MOST_WOLVES: u32 = 3;
/// The most sheep in a position.
pub const MOST_SHEEP: u32 = 15;
/// The most sheep at which the wolves have won.
pub const SHEEP_LOST: u32 = 2;

/// A move. A wolf that ends two squares away eats the sheep there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square where the piece starts.
    pub from: Square,
    /// The square where the piece ends.
    pub to: Square,
}

impl Move {
    /// Whether the move eats a sheep: only eating moves go two squares.
    #[inline]
    pub const fn eats(self) -> bool {
        let distance = self.from.index().abs_diff(self.to.index());
        distance != 1 && distance != SIZE
    }

    /// The image of the move under a symmetry.
    #[must_use]
    pub fn image(self, symmetry: usize) -> Move {
        Move { from: self.from.image(symmetry), to: self.to.image(symmetry) }
    }
}

/// A position with its Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    wolves: Squares,
    sheep: Squares,
    side: Side,
    key: u64,
}

static PIECE_KEYS: [[u64; SQUARES]; 2] = {
    let mut keys = [[0; SQUARES]; 2];
    let mut index = 0;
    while index < 2 * SQUARES {
        keys[index / SQUARES][index % SQUARES] = split_mix(index as u64);
        index += 1;
    }
    keys
};
const SIDE_KEY: u64 = split_mix(2 * SQUARES as u64);

/// The layouts that the course asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The course's figure 1: 2 wolves against 10 sheep.
    Figure1,
    /// The course's question 2a: 3 wolves against 15 sheep.
    Question2a,
    /// The course's question 2b: 2 wolves against 12 sheep.
    Question2b,
}

impl Position {
    /// A position of these pieces with this side to move. No square is in both sets.
    pub fn new(wolves: Squares, sheep: Squares, side: Side) -> Position {
        debug_assert!(!wolves.meets(sheep) && (wolves | sheep).is_within(ALL));
        let mut key = if side == WOLVES { 0 } else { SIDE_KEY };
        for (owner, set) in [wolves, sheep].into_iter().enumerate() {
            set.into_iter().for_each(|square| key ^= PIECE_KEYS[owner][square.index()]);
        }
        Position { wolves, sheep, side, key }
    }

    /// One of the course's layouts with wolves to move.
    pub fn layout(layout: Layout) -> Position {
        let (wolves, sheep) = match layout {
            Layout::Figure1 => (0b01010, 0b11111_11111),
            Layout::Question2a => (0b01110, 0b11111_11111_11111),
            Layout::Question2b => (0b01010, 0b01010_11111_11111),
        };
        let wolves = Squares::from_bits(wolves << (4 * SIZE));
        Position::new(wolves, Squares::from_bits(sheep), WOLVES)
    }

    /// The wolves' squares.
    #[inline]
    pub const fn wolves(&self) -> Squares {
        self.wolves
    }

    /// The sheep's squares.
    #[inline]
    pub const fn sheep(&self) -> Squares {
        self.sheep
    }

    /// The empty squares.
    #[inline]
    pub const fn empty(&self) -> Squares {
        ALL.minus(self.wolves.or(self.sheep))
    }

    /// The image of the position under a symmetry.
    #[must_use]
    pub fn image(&self, symmetry: usize) -> Position {
        Position::new(image(self.wolves, symmetry), image(self.sheep, symmetry), self.side)
    }

    #[inline]
    fn own(&self) -> Squares {
        if self.side == WOLVES { self.wolves } else { self.sheep }
    }

    /// Makes a move of the side to move, or takes it back, but for the side.
    #[inline]
    fn toggle(&mut self, mv: Move, eaten: Squares) {
        let keys = &PIECE_KEYS[self.side.index()];
        self.key ^= keys[mv.from.index()] ^ keys[mv.to.index()] ^ SIDE_KEY;
        let both = Squares::one(mv.from) | Squares::one(mv.to);
        if self.side == SHEEP {
            self.sheep ^= both;
            return;
        }
        self.wolves ^= both;
        if !eaten.is_empty() {
            self.sheep ^= eaten;
            self.key ^= PIECE_KEYS[1][mv.to.index()];
        }
    }

    /// Calls a function with each eating move, as if wolves were to move.
    #[inline]
    pub fn each_eating(&self, mut visit: impl FnMut(Move)) {
        self.wolves.into_iter().for_each(|from| self.each_eating_from(from, &mut visit));
    }

    #[inline]
    fn each_eating_from(&self, from: Square, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for leap in from.leaps() {
            if empty.contains(leap.between) && self.sheep.contains(leap.landing) {
                visit(Move { from, to: leap.landing });
            }
        }
    }
}

impl Game for Position {
    type Move = Move;
    /// The sheep that was eaten, if any.
    type Undo = Squares;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let empty = self.empty();
        if self.sheep.len() <= SHEEP_LOST {
            Some(Outcome::Win(WOLVES))
        } else if !around(self.wolves).meets(empty) {
            Some(Outcome::Win(SHEEP))
        } else if self.side == SHEEP && !around(self.sheep).meets(empty) {
            Some(Outcome::Win(WOLVES))
        } else {
            None
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let empty = self.empty();
        for from in self.own() {
            out.extend((from.neighbours() & empty).into_iter().map(|to| Move { from, to }));
            if self.side == WOLVES {
                self.each_eating_from(from, |mv| out.push(mv));
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Squares {
        let eaten = match self.side {
            WOLVES => self.sheep & Squares::one(mv.to),
            SHEEP => Squares::EMPTY,
        };
        self.toggle(mv, eaten);
        self.side = self.side.other();
        eaten
    }

    #[inline]
    fn undo(&mut self, mv: Move, eaten: Squares) {
        self.side = self.side.other();
        self.toggle(mv, eaten);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn rebuilt(&self) -> Position {
        Position::new(self.wolves, self.sheep, self.side)
    }

    #[inline]
    fn encode(&self, mv: Move) -> u32 {
        (mv.from.index() << 5 | mv.to.index()) as u32
    }

    #[inline]
    fn decode(&self, code: u32) -> Option<Move> {
        let (from, to) =
            (Square::from_index((code >> 5) as usize)?, Square::from_index((code & 31) as usize)?);
        if self.outcome().is_some() {
            return None;
        }
        let empty = self.empty();
        let steps = (from.neighbours() & empty).contains(to);
        let leaps = || {
            let mut leaps = from.leaps().iter();
            leaps.any(|leap| leap.landing == to && empty.contains(leap.between))
        };
        let eats = || self.side == WOLVES && self.sheep.contains(to) && leaps();
        (self.own().contains(from) && (steps || eats())).then_some(Move { from, to })
    }
}
