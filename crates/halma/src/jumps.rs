//! Which jumps each square offers, and the nets of squares that chains of them reach.

use crate::board::{SIZE, STEPS, Square, Squares};

/// The cells in a row of the board with a border of two cells on each side, so that no jump has to ask where it ends.
const WIDTH: usize = SIZE + 4;
const CELLS: usize = WIDTH * WIDTH;

/// The differences of cells in the eight directions.
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

/// The cell of each square.
static CELL: [u16; 256] = {
    let mut cells = [0; 256];
    let mut index = 0;
    while index < 256 {
        cells[index] = ((index / SIZE + 2) * WIDTH + index % SIZE + 2) as u16;
        index += 1;
    }
    cells
};

/// The square of each cell; anything for the border.
static SQUARE: [Square; CELLS] = {
    let mut squares = [Square::new(0); CELLS];
    let mut index = 0;
    while index < 256 {
        squares[CELL[index] as usize] = Square::new(index as u8);
        index += 1;
    }
    squares
};

/// Which single jumps each square offers, kept up to date piece by piece: the generator then follows chains without
/// looking at any neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jumps {
    cells: [u8; CELLS],
    /// Bit `d` of a cell: the next cell in direction `d` holds a piece and the one behind it is empty.
    open: [u8; CELLS],
}

impl Jumps {
    /// The jumps of a board with these pieces, of either colour.
    #[must_use]
    pub fn new(pieces: Squares) -> Jumps {
        let mut cells = [BORDER; CELLS];
        CELL.iter().for_each(|&cell| cells[cell as usize] = EMPTY);
        let mut jumps = Jumps { cells, open: [0; CELLS] };
        pieces.each(|square| jumps.toggle(square));
        jumps
    }

    /// Puts a piece on an empty square or takes it off an occupied one, which changes jumps over the square and onto
    /// it.
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

    /// The directions in which a piece on a square can jump, a bit for each.
    #[inline]
    pub(crate) fn open(&self, square: Square) -> u8 {
        self.open[CELL[square.index()] as usize]
    }

    /// Whether the piece on `from` reaches an empty square by one or more jumps.
    #[must_use]
    pub(crate) fn reaches(&self, from: Square, to: Square) -> bool {
        let (columns, rows) = from.apart(to);
        if columns % 2 != 0 || rows % 2 != 0 || from == to {
            return false;
        }
        // The squares from which no jump is left to follow are not waiting any more; a parity class has 64.
        let (origin, goal) = (CELL[from.index()], CELL[to.index()]);
        let mut seen = Squares::one(from);
        let mut waiting = [0u16; 64];
        waiting[0] = origin;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let cell = waiting[count & 63] as usize;
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
                    waiting[count & 63] = landing as u16;
                    count += 1;
                }
            }
        }
        false
    }

    /// The squares that the piece on `from` can jump to in one jump from `square`, while it is in the air.
    pub fn single(&self, from: Square, square: Square) -> impl Iterator<Item = Square> + '_ {
        let cell = CELL[square.index()] as usize;
        let origin = CELL[from.index()] as usize;
        OFFSETS.iter().enumerate().filter_map(move |(direction, &offset)| {
            let over = cell.wrapping_add_signed(offset);
            let landing = over.wrapping_add_signed(offset);
            let open = self.open[cell] >> direction & 1 != 0 || (landing == origin && self.cells[over] == PIECE);
            open.then(|| SQUARE[landing])
        })
    }

    /// The first empty neighbour of a square in this order of directions.
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

/// A set of empty squares, each of which can be reached by jumps from each other.
#[derive(Clone, Copy)]
pub struct Net {
    /// The squares of the net.
    pub squares: Squares,
    /// The square that is worth most to each side, the first found of equals.
    pub best: [Square; 2],
}

/// The most nets that are remembered; the few beyond are followed anew for each piece.
const MOST_NETS: usize = 24;

/// The nets of one position, found as they are asked for.
///
/// A jump moves by two squares in each direction or none, so a chain stays on squares of one parity of x and y, and the
/// pieces it jumps over stand on others: the piece in the air is never in its own way, and every jump between empty
/// squares can be taken back. Each piece therefore reaches whole nets, which its neighbours share.
pub struct Nets<'a> {
    jumps: &'a Jumps,
    worth: &'a [[i16; 256]; 2],
    nets: [Net; MOST_NETS],
    count: usize,
}

impl<'a> Nets<'a> {
    /// The nets of a position with these jumps, none found yet; `worth` decides which square of a net is best for a
    /// side.
    #[inline]
    #[must_use]
    pub fn new(jumps: &'a Jumps, worth: &'a [[i16; 256]; 2]) -> Nets<'a> {
        Nets { jumps, worth, nets: [Net { squares: Squares::EMPTY, best: [Square::new(0); 2] }; MOST_NETS], count: 0 }
    }

    /// The squares of all nets found so far; `None` if there were too many to remember.
    #[inline]
    #[must_use]
    pub fn found(&self) -> Option<Squares> {
        let all = self.nets[..self.count].iter().fold(Squares::EMPTY, |all, net| all.or(net.squares));
        (self.count < MOST_NETS).then_some(all)
    }

    /// The squares that the piece on `from` reaches by one or more jumps, without its own.
    #[inline]
    pub fn reachable(&mut self, from: Square) -> Squares {
        let mut reached = Squares::EMPTY;
        self.each_net(from, |net| reached = reached.or(net.squares));
        reached
    }

    /// Calls a function with each net that the piece on `from` can jump into; perhaps twice with the same one.
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
            let net = self.follow(landing);
            visit(&net);
            if self.count < MOST_NETS {
                self.nets[self.count] = net;
                self.count += 1;
            }
        }
    }

    /// The net of an empty cell.
    #[inline]
    fn follow(&self, cell: usize) -> Net {
        let mut best = [SQUARE[cell]; 2];
        let mut squares = Squares::one(SQUARE[cell]);
        // A parity class has 64 squares, and each waits here once.
        let mut waiting = [0u16; 64];
        waiting[0] = cell as u16;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let cell = waiting[count & 63] as usize;
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
                    waiting[count & 63] = landing as u16;
                    count += 1;
                }
            }
        }
        Net { squares, best }
    }
}

/// The eight directions from a square, ordered by the worth of where they lead: best first, of equals the first, those that
/// leave the board last.
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
        // Over 2,0 to 3,0; back the same way is the start, which changes nothing.
        let jumps = Jumps::new([Square::at(1, 0), Square::at(2, 0)].into_iter().collect());
        assert!(jumps.reachable(Square::at(1, 0)).into_iter().eq([Square::at(3, 0)]));
    }

    #[test]
    fn directions_are_sorted_by_worth_and_the_first_of_equals_comes_first() {
        let mut worth = [0; 256];
        for (square, worth) in worth.iter_mut().enumerate() {
            // Few different worths, so that many are equal; one side of the range included.
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
        // Pieces on every fourth square: each jumps nowhere, since nothing stands between; with a partner to its right
        // each has a net of its own.
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
