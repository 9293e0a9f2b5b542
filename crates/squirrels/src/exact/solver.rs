//! The solver as others see it: the search of the width that the values need.

use super::Solution;
use super::dominance::Entries;
#[cfg(target_arch = "x86_64")]
use super::machine::Modern;
use super::machine::{Machine, Portable};
use super::search::Search;
use super::table::Table;
use super::tree::Tree;
use crate::board::{Square, Values};
use crate::rules::Position;

/// A solver of positions with the same values; several may share one table. The table must have been filled for the
/// same values only.
pub struct Solver<'a, T: Tree>(Of<'a, T>);

enum Of<'a, T> {
    #[cfg(target_arch = "x86_64")]
    Modern(Search<'a, i16, T, Modern>),
    Narrow(Search<'a, i16, T, Portable>),
    Wide(Search<'a, i32, T, Portable>),
}

/// What a [`Solver`] does, whatever the width of the sums and the processor.
trait Solving {
    fn nodes(&self) -> u64;
    fn solve(&mut self, position: &Position, tell: &mut dyn FnMut(i32, i32)) -> Option<Solution>;
    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>>;
}

impl<N: Entries, T: Tree, M: Machine> Solving for Search<'_, N, T, M> {
    fn nodes(&self) -> u64 {
        Search::nodes(self)
    }

    fn solve(&mut self, position: &Position, tell: &mut dyn FnMut(i32, i32)) -> Option<Solution> {
        Search::solve(self, position, tell)
    }

    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        Search::line(self, position, solution)
    }
}

impl<'a, T: Tree> Solver<'a, T> {
    /// A solver over a table. Threads that help each other share the table.
    pub fn new(values: &'a Values, table: &'a Table, tree: T) -> Self {
        let Some(narrow) = values.narrow() else {
            return Solver(Of::Wide(Search::new(values.sums(), table, tree)));
        };
        #[cfg(target_arch = "x86_64")]
        if Modern::is_here() {
            return Solver(Of::Modern(Search::new(narrow, table, tree)));
        }
        Solver(Of::Narrow(Search::new(narrow, table, tree)))
    }

    fn search(&self) -> &dyn Solving {
        match &self.0 {
            #[cfg(target_arch = "x86_64")]
            Of::Modern(search) => search,
            Of::Narrow(search) => search,
            Of::Wide(search) => search,
        }
    }

    fn search_mut(&mut self) -> &mut dyn Solving {
        match &mut self.0 {
            #[cfg(target_arch = "x86_64")]
            Of::Modern(search) => search,
            Of::Narrow(search) => search,
            Of::Wide(search) => search,
        }
    }

    /// The number of nodes visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search().nodes()
    }

    /// The solution of a position that is not finished; `None` if the search was stopped. After each test `tell` gets
    /// the least and the greatest value still possible.
    pub fn solve(&mut self, position: &Position, mut tell: impl FnMut(i32, i32)) -> Option<Solution> {
        self.search_mut().solve(position, &mut tell)
    }

    /// The squares taken in one best line from a position to the end, found move by move; `None` if the search was
    /// stopped. The table makes it cheap after [`Solver::solve`].
    pub fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        self.search_mut().line(position, solution)
    }
}
