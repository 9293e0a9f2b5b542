//! Boards at their limits, as texts: what [`Playable::extreme_board`](crate::Playable::extreme_board) of the games is made
//! of.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// The random numbers of a seed.
#[must_use]
pub fn random(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// The least, the most, or something between them.
pub fn limit(least: usize, most: usize, random: &mut StdRng) -> usize {
    match random.random_range(0..3) {
        0 => least,
        1 => most,
        _ => random.random_range(least..=most),
    }
}

/// A board of symbols; cells by number, row by row.
pub struct TextBoard {
    /// The symbols, row by row; `.` where nothing is.
    pub cells: Vec<char>,
    width: usize,
}

impl TextBoard {
    /// An empty board.
    #[must_use]
    pub fn new(width: usize, height: usize) -> TextBoard {
        TextBoard { cells: vec!['.'; width * height], width }
    }

    /// Puts `count` pieces on those of the cells `among` that are empty, at random; fewer where there is no more room.
    pub fn scatter(&mut self, symbol: char, count: usize, among: &[usize], random: &mut StdRng) {
        let mut free: Vec<usize> = among.iter().copied().filter(|&cell| self.cells[cell] == '.').collect();
        free.shuffle(random);
        free.into_iter().take(count).for_each(|cell| self.cells[cell] = symbol);
    }

    /// The number of cells that hold a symbol.
    #[must_use]
    pub fn count(&self, symbol: char) -> usize {
        self.cells.iter().filter(|&&cell| cell == symbol).count()
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        self.cells.chunks(self.width).map(|row| row.iter().collect())
    }

    /// The rows as lines.
    #[must_use]
    pub fn text(&self) -> String {
        self.rows().map(|row| row + "\n").collect()
    }
}

/// The cells of the cross that Foxes and Geese and FoxGame are played on, of a board 7 wide.
pub fn cross() -> Vec<usize> {
    (0..49).filter(|cell| (2..=4).contains(&(cell % 7)) || (2..=4).contains(&(cell / 7))).collect()
}

/// The upper square of nine: FoxGame's pen, and what geese fill.
fn upper_square() -> Vec<usize> {
    cross().into_iter().filter(|cell| cell / 7 < 3 && (2..=4).contains(&(cell % 7))).collect()
}

/// A fox or two and as few or many of the others as there can be: anywhere, or in the upper square, which they may fill.
pub fn cross_board(prey: char, random: &mut StdRng) -> TextBoard {
    let mut board = TextBoard::new(7, 7);
    let all = cross();
    let least = if random.random_range(0..4) == 0 { 8 } else { 9 };
    let count = limit(least, 20, random);
    match random.random_range(0..4) {
        // A fox in a corner that little leads out of.
        0 => {
            board.cells[2] = 'F';
            board.scatter(prey, 7, &[3, 4, 9, 10, 16, 17, 18], random);
        }
        1 => {
            let inside = limit(8, 9, random);
            board.scatter(prey, inside, &upper_square(), random);
        }
        _ => {}
    }
    board.scatter('F', 2 - board.count('F'), &all, random);
    let rest = count.saturating_sub(board.count(prey));
    board.scatter(prey, rest, &all, random);
    board
}
