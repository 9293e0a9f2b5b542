//! The public solver, which chooses the search for the width of the values and for the processor.

use super::Solution;
use super::enclose::AnySearch;
#[cfg(target_arch = "x86_64")]
use super::machine::Avx2;
use super::machine::Portable;
use super::search::Search;
use super::table::Table;
use crate::board::{Square, Values};
use crate::rules::Position;

/// A solver of positions with the same values.
pub struct Solver<'a>(Box<dyn AnySearch + 'a>);

impl<'a> Solver<'a> {
    /// Creates a solver over a table that was filled for the same values only. Threads that help
    /// each other share the table.
    ///
    /// `stop` stops a search at once by `true`. It is called every 1,024 nodes with the number of
    /// nodes so far and the empty squares of the state that is being solved, which grow up to those
    /// of the position.
    pub fn new(
        values: &'a Values,
        table: &'a Table,
        stop: impl FnMut(u64, u32) -> bool + 'a,
    ) -> Self {
        let Some(narrow) = values.narrow() else {
            return Solver(Box::new(Search::<_, _, Portable>::new(values.sums(), table, stop)));
        };
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_supported() {
            return Solver(Box::new(Search::<_, _, Avx2>::new(narrow, table, stop)));
        }
        Solver(Box::new(Search::<_, _, Portable>::new(narrow, table, stop)))
    }

    /// The number of nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// Solves a position that is not finished; `None` if the search was stopped. After each test,
    /// `report` gets the least and the greatest value that are still possible.
    pub fn solve(
        &mut self,
        position: &Position,
        mut report: impl FnMut(i32, i32),
    ) -> Option<Solution> {
        self.0.solve(position, &mut report)
    }

    /// Finds one best line from a position to the end, as the squares taken; `None` if the search
    /// was stopped. The table makes this cheap after [`Solver::solve`].
    pub fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        self.0.line(position, solution)
    }
}
