//! The rules of Wolves and Sheep (wolves.md, "Rules"): positions, moves, the end.

use crate::board::{ALL, IMAGE, NEIGHBOURS, SQUARES, Set, Square, around, each, image, leaps, one, square};
use engine::{Game, Outcome, Side, split_mix};

/// The most wolves of a layout.
pub const MOST_WOLVES: u32 = 3;
/// The most sheep of a layout.
pub const MOST_SHEEP: u32 = 15;
/// Wolves have won when so few sheep are left.
pub const SHEEP_LOST: u32 = 2;

/// A move: the piece that moves and where it ends. A wolf that ends two squares away has eaten the sheep there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// Whether the move eats: only eating goes two squares.
    #[inline]
    #[must_use]
    pub const fn eats(self) -> bool {
        let distance = self.from.abs_diff(self.to);
        distance != 1 && distance != crate::board::SIZE as u8
    }

    /// The same move on the board turned by a symmetry.
    #[must_use]
    pub fn image(self, symmetry: usize) -> Move {
        Move { from: IMAGE[symmetry][self.from as usize], to: IMAGE[symmetry][self.to as usize] }
    }
}

/// A position with its Zobrist key. [`Side::First`] has the wolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    wolves: Set,
    sheep: Set,
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

/// The layouts that the course names (wolves.md): figure 1, question 2a and question 2b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 2 wolves against 10 sheep.
    Figure1,
    /// 3 wolves against 15 sheep.
    Question2a,
    /// 2 wolves against 12 sheep.
    Question2b,
}

impl Position {
    /// A position of these pieces; no square is in both sets.
    #[must_use]
    pub fn new(wolves: Set, sheep: Set, side: Side) -> Position {
        debug_assert!(wolves & sheep == 0 && (wolves | sheep) & !ALL == 0);
        let mut key = if side == Side::First { 0 } else { SIDE_KEY };
        for (owner, set) in [wolves, sheep].into_iter().enumerate() {
            each(set).for_each(|square| key ^= PIECE_KEYS[owner][square as usize]);
        }
        Position { wolves, sheep, side, key }
    }

    /// One of the course's layouts, wolves to move.
    #[must_use]
    pub fn layout(layout: Layout) -> Position {
        let set = |squares: &[(usize, usize)]| squares.iter().fold(0, |set, &(x, y)| set | one(square(x, y)));
        let rows = |count: u32| (1 << (5 * count)) - 1;
        let (wolves, sheep) = match layout {
            Layout::Figure1 => (set(&[(1, 4), (3, 4)]), rows(2)),
            Layout::Question2a => (set(&[(1, 4), (2, 4), (3, 4)]), rows(3)),
            Layout::Question2b => (set(&[(1, 4), (3, 4)]), rows(2) | set(&[(1, 2), (3, 2)])),
        };
        Position::new(wolves, sheep, Side::First)
    }

    /// The wolves' squares.
    #[inline]
    #[must_use]
    pub const fn wolves(&self) -> Set {
        self.wolves
    }

    /// The sheep's squares.
    #[inline]
    #[must_use]
    pub const fn sheep(&self) -> Set {
        self.sheep
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub const fn empty(&self) -> Set {
        ALL & !(self.wolves | self.sheep)
    }

    /// The position on the board turned by a symmetry.
    #[must_use]
    pub fn image(&self, symmetry: usize) -> Position {
        Position::new(image(self.wolves, symmetry), image(self.sheep, symmetry), self.side)
    }

    #[inline]
    fn own(&self) -> Set {
        if self.side == Side::First { self.wolves } else { self.sheep }
    }

    /// Calls a function with each eating move, for wolves to move.
    #[inline]
    pub fn each_eating(&self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in each(self.wolves) {
            for leap in leaps(from) {
                if leap.between & empty != 0 && one(leap.landing) & self.sheep != 0 {
                    visit(Move { from, to: leap.landing });
                }
            }
        }
    }

    /// Calls a function with each move that would be legal if the game went on: steps and eating of each piece, the
    /// pieces in reading order.
    #[inline]
    fn each_move(&self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in each(self.own()) {
            each(NEIGHBOURS[from as usize] & empty).for_each(|to| visit(Move { from, to }));
            if self.side == Side::First {
                for leap in leaps(from) {
                    if leap.between & empty != 0 && one(leap.landing) & self.sheep != 0 {
                        visit(Move { from, to: leap.landing });
                    }
                }
            }
        }
    }
}

impl Game for Position {
    type Move = Move;
    /// The set of the sheep that was eaten, or the empty set.
    type Undo = Set;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let empty = self.empty();
        if self.sheep.count_ones() <= SHEEP_LOST {
            Some(Outcome::Win(Side::First))
        } else if around(self.wolves) & empty == 0 {
            Some(Outcome::Win(Side::Second))
        } else if self.side == Side::Second && around(self.sheep) & empty == 0 {
            Some(Outcome::Win(Side::First))
        } else {
            None
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_none() {
            self.each_move(|mv| out.push(mv));
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Set {
        let (from, to) = (one(mv.from), one(mv.to));
        let owner = self.side.index();
        self.key ^= PIECE_KEYS[owner][mv.from as usize] ^ PIECE_KEYS[owner][mv.to as usize] ^ SIDE_KEY;
        let mut eaten = 0;
        if self.side == Side::First {
            eaten = self.sheep & to;
            if eaten != 0 {
                self.sheep ^= eaten;
                self.key ^= PIECE_KEYS[1][mv.to as usize];
            }
            self.wolves ^= from | to;
        } else {
            self.sheep ^= from | to;
        }
        self.side = self.side.other();
        eaten
    }

    #[inline]
    fn undo(&mut self, mv: Move, eaten: Set) {
        self.side = self.side.other();
        let owner = self.side.index();
        self.key ^= PIECE_KEYS[owner][mv.from as usize] ^ PIECE_KEYS[owner][mv.to as usize] ^ SIDE_KEY;
        let both = one(mv.from) | one(mv.to);
        if self.side == Side::First {
            self.wolves ^= both;
            if eaten != 0 {
                self.sheep ^= eaten;
                self.key ^= PIECE_KEYS[1][mv.to as usize];
            }
        } else {
            self.sheep ^= both;
        }
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
        u32::from(mv.from) << 5 | u32::from(mv.to)
    }

    #[inline]
    fn decode(&self, code: u32) -> Option<Move> {
        let mv = Move { from: (code >> 5 & 31) as Square, to: (code & 31) as Square };
        if code >= 1 << 10 || mv.from as usize >= SQUARES || self.outcome().is_some() {
            return None;
        }
        let to = 1 << mv.to;
        let empty = self.empty();
        let steps = NEIGHBOURS[mv.from as usize] & empty & to != 0;
        let eats = || {
            self.side == Side::First
                && self.sheep & to != 0
                && leaps(mv.from).iter().any(|leap| leap.landing == mv.to && leap.between & empty != 0)
        };
        (self.own() & one(mv.from) != 0 && (steps || eats())).then_some(mv)
    }

    fn perft_leaves(&self) -> u64 {
        if self.outcome().is_some() {
            return 0;
        }
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }
}
