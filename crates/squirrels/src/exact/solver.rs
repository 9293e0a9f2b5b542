//! The solver as others see it: the search of the width that the values need.

use super::Solution;
use super::search::Search;
use super::table::Table;
use super::tree::Tree;
use crate::board::{Square, Values};
use crate::rules::Position;

/// A solver of positions with the same values; several may share one table. The table must have been filled for the
/// same values only.
pub struct Solver<'a, T: Tree>(Of<'a, T>);

enum Of<'a, T> {
    Narrow(Search<'a, i16, T>),
    Wide(Search<'a, i32, T>),
}

impl<'a, T: Tree> Solver<'a, T> {
    /// A solver over a table. Threads that help each other share the table and have different numbers, from 0.
    pub fn new(values: &'a Values, table: &'a Table, thread: u32, tree: T) -> Self {
        Solver(match values.narrow() {
            Some(narrow) => Of::Narrow(Search::new(narrow, table, thread, tree)),
            None => Of::Wide(Search::new(values.sums(), table, thread, tree)),
        })
    }

    /// The number of nodes visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        match &self.0 {
            Of::Narrow(search) => search.nodes(),
            Of::Wide(search) => search.nodes(),
        }
    }

    /// The solution of a position that is not finished; `None` if the search was stopped. After each test `tell` gets
    /// the least and the greatest value still possible.
    pub fn solve(&mut self, position: &Position, tell: impl FnMut(i32, i32)) -> Option<Solution> {
        match &mut self.0 {
            Of::Narrow(search) => search.solve(position, tell),
            Of::Wide(search) => search.solve(position, tell),
        }
    }

    /// The squares taken in one best line from a position to the end, found move by move; `None` if the search was
    /// stopped. The table makes it cheap after [`Solver::solve`].
    pub fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        match &mut self.0 {
            Of::Narrow(search) => search.line(position, solution),
            Of::Wide(search) => search.line(position, solution),
        }
    }
}
