//! Random board texts at the limits of what an input file allows, from which the games build
//! [`Examine::extreme_board`](crate::Examine::extreme_board).

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Creates the random number generator of a seed.
pub fn random(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// Returns the least number, the most, or a random one from least to most, each in a third of the calls.
pub fn limit(least: usize, most: usize, random: &mut StdRng) -> usize {
    match random.random_range(0..3) {
        0 => least,
        1 => most,
        _ => random.random_range(least..=most),
    }
}

/// A board of symbols. Its cells are numbered row by row.
pub struct TextBoard {
    /// The symbols of the cells, row by row; `.` is an empty cell.
    pub cells: Vec<char>,
    width: usize,
}

impl TextBoard {
    /// Creates an empty board.
    pub fn new(width: usize, height: usize) -> TextBoard {
        TextBoard { cells: vec!['.'; width * height], width }
    }

    /// Puts `count` pieces at random on empty cells of `among`, or as many as there are such cells.
    pub fn scatter(&mut self, symbol: char, count: usize, among: &[usize], random: &mut StdRng) {
        let mut free: Vec<usize> = among.iter().copied().filter(|&cell| self.cells[cell] == '.').collect();
        free.shuffle(random);
        free.into_iter().take(count).for_each(|cell| self.cells[cell] = symbol);
    }

    /// Returns the number of cells with a symbol.
    pub fn count(&self, symbol: char) -> usize {
        self.cells.iter().filter(|&&cell| cell == symbol).count()
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        self.cells.chunks(self.width).map(|row| row.iter().collect())
    }

    /// Formats the rows as lines, each ended by a newline.
    pub fn text(&self) -> String {
        self.rows().map(|row| row + "\n").collect()
    }
}
