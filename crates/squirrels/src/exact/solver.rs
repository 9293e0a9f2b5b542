//! The public solver, which chooses the search for the width of the values and for the processor.

use super::Solution;
use super::dominance::Entries;
#[cfg(target_arch = "x86_64")]
use super::machine::Avx2;
use super::machine::{Machine, Portable};
use super::search::Search;
use super::table::Table;
use crate::board::{Square, Values};
use crate::rules::Position;

/// A solver of positions with the same values. `T` is a function that returns `true` to stop a
/// search at once. It is called every 1,024 nodes, with the number of nodes so far and the number
/// of empty squares of the state that is being solved, which grows up to the number of the position
/// itself. Several solvers, in several threads, can share one table. The table must have been
/// filled for the same values only.
pub struct Solver<'a, T: FnMut(u64, u32) -> bool>(SearchVariant<'a, T>);

enum SearchVariant<'a, T> {
    #[cfg(target_arch = "x86_64")]
    Avx2(Search<'a, i16, T, Avx2>),
    Narrow(Search<'a, i16, T, Portable>),
    Wide(Search<'a, i32, T, Portable>),
}

/// The methods of a search, independent of the width of the sums and of the processor.
trait ErasedSearch {
    fn nodes(&self) -> u64;
    fn solve(&mut self, position: &Position, report: &mut dyn FnMut(i32, i32)) -> Option<Solution>;
    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>>;
}

impl<N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> ErasedSearch for Search<'_, N, T, M> {
    fn nodes(&self) -> u64 {
        Search::nodes(self)
    }

    fn solve(&mut self, position: &Position, report: &mut dyn FnMut(i32, i32)) -> Option<Solution> {
        Search::solve(self, position, report)
    }

    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        Search::line(self, position, solution)
    }
}

impl<'a, T: FnMut(u64, u32) -> bool> Solver<'a, T> {
    /// Creates a solver over a table. Threads that help each other share the table.
    pub fn new(values: &'a Values, table: &'a Table, stop: T) -> Self {
        let Some(narrow) = values.narrow() else {
            return Solver(SearchVariant::Wide(Search::new(values.sums(), table, stop)));
        };
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_supported() {
            return Solver(SearchVariant::Avx2(Search::new(narrow, table, stop)));
        }
        Solver(SearchVariant::Narrow(Search::new(narrow, table, stop)))
    }

    fn search(&self) -> &dyn ErasedSearch {
        match &self.0 {
            #[cfg(target_arch = "x86_64")]
            SearchVariant::Avx2(search) => search,
            SearchVariant::Narrow(search) => search,
            SearchVariant::Wide(search) => search,
        }
    }

    fn search_mut(&mut self) -> &mut dyn ErasedSearch {
        match &mut self.0 {
            #[cfg(target_arch = "x86_64")]
            SearchVariant::Avx2(search) => search,
            SearchVariant::Narrow(search) => search,
            SearchVariant::Wide(search) => search,
        }
    }

    /// The number of nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.search().nodes()
    }

    /// Solves a position that is not finished; `None` if the search was stopped. After each test,
    /// `report` gets the least and the greatest value that are still possible.
    pub fn solve(
        &mut self,
        position: &Position,
        mut report: impl FnMut(i32, i32),
    ) -> Option<Solution> {
        self.search_mut().solve(position, &mut report)
    }

    /// Finds one best line from a position to the end, move by move, as the squares taken; `None`
    /// if the search was stopped. The table makes this cheap after [`Solver::solve`].
    pub fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        self.search_mut().line(position, solution)
    }
}
