//! The single jumps open from each square, and the nets: sets of squares that chains of jumps connect.

use crate::board::{SIZE, STEPS, Square, Squares};

/// The number of cells in a row of the padded board, which has a border of two cells on each side so that jumps need no
/// bounds checks.
const WIDTH: usize = SIZE + 4;
const CELLS: usize = WIDTH * WIDTH;

/// The differences of cell indices in the eight directions of [`STEPS`].
const OFFSETS: [isize; 8] = {
    let mut offsets = [0; 8];
    let mut step = 0;
    while step < 8 {
        offsets[step] = STEPS[step].1 as isize * WIDTH as isize + STEPS[step].0 as isize;
        step += 1;
    }
    offsets
};

const EMPTY: u8 = 0;
const PIECE: u8 = 1;
const BORDER: u8 = 2;

/// The cell index of each square.
static CELL: [u16; 256] = {
    let mut cells = [0; 256];
    let mut index = 0;
    while index < 256 {
        cells[index] = ((index / SIZE + 2) * WIDTH + index % SIZE + 2) as u16;
        index += 1;
    }
    cells
};

/// The square of each cell; border cells have an arbitrary one.
static SQUARE: [Square; CELLS] = {
    let mut squares = [Square::new(0); CELLS];
    let mut index = 0;
    while index < 256 {
        squares[CELL[index] as usize] = Square::new(index as u8);
        index += 1;
    }
    squares
};

/// The single jumps open from each square, updated incrementally when a piece is put down or taken up. The move
/// generator follows chains of jumps without looking at neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jumps {
    cells: [u8; CELLS],
    /// Bit `d` of a cell: the next cell in direction `d` holds a piece and the one behind it is empty.
    open: [u8; CELLS],
}

impl Jumps {
    /// Computes the jumps of a board with these pieces, of either colour.
    #[must_use]
    pub fn new(pieces: Squares) -> Jumps {
        let mut cells = [BORDER; CELLS];
        CELL.iter().for_each(|&cell| cells[cell as usize] = EMPTY);
        let mut jumps = Jumps { cells, open: [0; CELLS] };
        pieces.each(|square| jumps.toggle(square));
        jumps
    }

    /// Puts a piece on an empty square or removes it from an occupied one. This changes the jumps over the square and
    /// onto it.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        let cell = CELL[square.index()] as isize;
        for (direction, offset) in OFFSETS.into_iter().enumerate() {
            let next = self.cells[(cell + offset) as usize];
            let before = self.cells[(cell - offset) as usize];
            self.open[(cell - offset) as usize] ^= u8::from(next == EMPTY) << direction;
            self.open[(cell - 2 * offset) as usize] ^= u8::from(before == PIECE) << direction;
        }
        self.cells[cell as usize] ^= PIECE;
    }

    /// The squares that the piece on `from` reaches by one or more jumps, without its own.
    #[must_use]
    pub fn reachable(&self, from: Square) -> Squares {
        Nets::new(self, &[[0; 256]; 2]).reachable(from)
    }

    /// Returns the directions in which a piece on a square can jump, one bit each.
    #[inline]
    pub(crate) fn open_directions(&self, square: Square) -> u8 {
        self.open[CELL[square.index()] as usize]
    }

    /// Returns whether the piece on `from` reaches the empty square `to` by one or more jumps.
    #[must_use]
    pub(crate) fn reaches(&self, from: Square, to: Square) -> bool {
        let (columns, rows) = from.abs_diff(to);
        if columns % 2 != 0 || rows % 2 != 0 || from == to {
            return false;
        }
        // A stack of the squares whose jumps have not been followed yet. A parity class has 64 squares.
        let (origin, goal) = (CELL[from.index()], CELL[to.index()]);
        let mut seen = Squares::one(from);
        let mut stack = [0u16; 64];
        stack[0] = origin;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let cell = stack[count & 63] as usize;
            let mut open = self.open[cell];
            while open != 0 {
                let offset = OFFSETS[open.trailing_zeros() as usize & 7];
                open &= open - 1;
                let landing = cell.wrapping_add_signed(2 * offset);
                if landing == goal as usize {
                    return true;
                }
                let square = SQUARE[landing];
                if !seen.contains(square) {
                    seen.insert(square);
                    stack[count & 63] = landing as u16;
                    count += 1;
                }
            }
        }
        false
    }

    /// Returns the squares that a piece that started on `from` and now stands on `square` in the middle of a chain
    /// reaches by one jump. Its starting square counts as empty.
    pub fn single_jumps(&self, from: Square, square: Square) -> impl Iterator<Item = Square> + '_ {
        let cell = CELL[square.index()] as usize;
        let origin = CELL[from.index()] as usize;
        OFFSETS.iter().enumerate().filter_map(move |(direction, &offset)| {
            let over = cell.wrapping_add_signed(offset);
            let landing = over.wrapping_add_signed(offset);
            let open = self.open[cell] >> direction & 1 != 0 || (landing == origin && self.cells[over] == PIECE);
            open.then(|| SQUARE[landing])
        })
    }

    /// Returns the first empty neighbour of a square in the given order of directions.
    #[inline]
    #[must_use]
    pub fn first_step(&self, from: Square, directions: &[u8; 8]) -> Option<Square> {
        let cell = CELL[from.index()] as usize;
        directions
            .iter()
            .map(|&direction| cell.wrapping_add_signed(OFFSETS[direction as usize & 7]))
            .find(|&next| self.cells[next] == EMPTY)
            .map(|next| SQUARE[next])
    }
}

/// A net: a set of empty squares, each of which can be reached by jumps from every other.
#[derive(Clone, Copy)]
pub struct Net {
    /// The squares of the net.
    pub squares: Squares,
    /// The square of the net that is worth most, by side; the first found of equals.
    pub best: [Square; 2],
}

/// The number of nets that are cached; further ones are computed anew for each piece.
const MAX_CACHED_NETS: usize = 24;

/// The nets of one position, computed on demand.
///
/// A jump moves by two squares or none along each axis, so a chain stays on squares of one parity of x and y, and the
/// pieces that it jumps over stand on squares of other parities: the moving piece never blocks itself, and every jump
/// between empty squares can be reversed. The squares that a piece reaches are therefore whole nets, which neighbouring
/// pieces share.
pub struct Nets<'a> {
    jumps: &'a Jumps,
    worth: &'a [[i16; 256]; 2],
    nets: [Net; MAX_CACHED_NETS],
    count: usize,
}

impl<'a> Nets<'a> {
    /// Creates an empty cache of nets for a position with these jumps. `worth`, by side and square, decides which
    /// square of a net is best for a side.
    #[inline]
    #[must_use]
    pub fn new(jumps: &'a Jumps, worth: &'a [[i16; 256]; 2]) -> Nets<'a> {
        Nets {
            jumps,
            worth,
            nets: [Net { squares: Squares::EMPTY, best: [Square::new(0); 2] }; MAX_CACHED_NETS],
            count: 0,
        }
    }

    /// Returns the squares of all nets found so far; `None` if the cache is full, because there may be more.
    #[inline]
    #[must_use]
    pub fn found(&self) -> Option<Squares> {
        let all = self.nets[..self.count].iter().fold(Squares::EMPTY, |all, net| all.or(net.squares));
        (self.count < MAX_CACHED_NETS).then_some(all)
    }

    /// The squares that the piece on `from` reaches by one or more jumps, without its own.
    #[inline]
    pub fn reachable(&mut self, from: Square) -> Squares {
        let mut reached = Squares::EMPTY;
        self.each_net(from, |net| reached = reached.or(net.squares));
        reached
    }

    /// Calls a function with each net that the piece on `from` can jump into, possibly more than once with the same
    /// net.
    #[inline]
    pub fn each_net(&mut self, from: Square, mut visit: impl FnMut(&Net)) {
        let origin = CELL[from.index()] as usize;
        let mut open = self.jumps.open[origin];
        while open != 0 {
            let offset = OFFSETS[open.trailing_zeros() as usize & 7];
            open &= open - 1;
            let landing = origin.wrapping_add_signed(2 * offset);
            let square = SQUARE[landing];
            if let Some(net) = self.nets[..self.count].iter().find(|net| net.squares.contains(square)) {
                visit(net);
                continue;
            }
            let net = self.net_of(landing);
            visit(&net);
            if self.count < MAX_CACHED_NETS {
                self.nets[self.count] = net;
                self.count += 1;
            }
        }
    }

    /// Computes the net of an empty cell by depth-first search.
    #[inline]
    fn net_of(&self, cell: usize) -> Net {
        let mut best = [SQUARE[cell]; 2];
        let mut squares = Squares::one(SQUARE[cell]);
        // A parity class has 64 squares, and each is pushed once.
        let mut stack = [0u16; 64];
        stack[0] = cell as u16;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let cell = stack[count & 63] as usize;
            let mut open = self.jumps.open[cell];
            while open != 0 {
                let offset = OFFSETS[open.trailing_zeros() as usize & 7];
                open &= open - 1;
                let landing = cell.wrapping_add_signed(2 * offset);
                let square = SQUARE[landing];
                if !squares.contains(square) {
                    squares.insert(square);
                    for (best, worth) in best.iter_mut().zip(self.worth) {
                        if worth[square.index()] > worth[best.index()] {
                            *best = square;
                        }
                    }
                    stack[count & 63] = landing as u16;
                    count += 1;
                }
            }
        }
        Net { squares, best }
    }
}

/// Returns the eight directions from a square, ordered by the worth of the neighbour in that direction: the largest
/// first, equal ones in reading order, those that leave the board last.
#[must_use]
pub fn directions_by_worth(worth: &[i16; 256], square: Square) -> [u8; 8] {
    let mut directions = [0, 1, 2, 3, 4, 5, 6, 7];
    let keys: [i32; 8] = std::array::from_fn(|direction| {
        let (columns, rows) = STEPS[direction];
        let next = square.moved(columns, rows).map_or(i32::MAX, |next| -i32::from(worth[next.index()]));
        next.saturating_mul(8).saturating_add(direction as i32)
    });
    directions.sort_unstable_by_key(|&direction: &u8| keys[direction as usize]);
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_may_not_end_where_it_began() {
        // The piece jumps over 2,0 to 3,0; the jump back ends where the chain began, which is no move.
        let jumps = Jumps::new([Square::at(1, 0), Square::at(2, 0)].into_iter().collect());
        assert!(jumps.reachable(Square::at(1, 0)).into_iter().eq([Square::at(3, 0)]));
    }

    #[test]
    fn directions_are_sorted_by_worth_and_the_first_of_equals_comes_first() {
        let mut worth = [0; 256];
        for (square, worth) in worth.iter_mut().enumerate() {
            // Few different worths, so that many are equal, and -1,000 among them as an outlier.
            *worth = if square % 7 == 0 { -1_000 } else { (square * square % 5) as i16 };
        }
        for square in Square::all() {
            let of = |direction: u8| {
                let (columns, rows) = STEPS[direction as usize];
                square.moved(columns, rows).map_or(i32::MIN, |next| i32::from(worth[next.index()]))
            };
            let mut expected = [0, 1, 2, 3, 4, 5, 6, 7];
            expected.sort_by_key(|&direction| std::cmp::Reverse(of(direction)));
            assert_eq!(directions_by_worth(&worth, square), expected, "square {square}");
        }
    }

    #[test]
    fn more_nets_than_are_remembered_are_still_found() {
        // Pieces on every fourth square alone could not jump; with a piece to the right of each, every piece has a net
        // of its own.
        let mut pieces = Squares::EMPTY;
        for y in (0..16).step_by(2) {
            for x in (0..16).step_by(4) {
                pieces.insert(Square::at(x, y));
                pieces.insert(Square::at(x + 1, y));
            }
        }
        let jumps = Jumps::new(pieces);
        let mut nets = Nets::new(&jumps, &[[0; 256]; 2]);
        pieces.each(|from| assert_eq!(nets.reachable(from), jumps.reachable(from)));
    }
}
