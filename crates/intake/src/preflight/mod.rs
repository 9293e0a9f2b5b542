//! `judge try`: tests a program with ten positions, a second turn and two games, or with the cases of
//! a homework, and explains every mistake. [`try_program`] is the same for other callers, such as a
//! league.

pub(crate) mod advice;
pub(crate) mod cases;
mod format_doubts;
mod games;
mod misplaced_output;
mod slips;
pub(crate) mod terms;
pub(crate) mod test_positions;
mod try_run;
pub(crate) mod turn;

pub use format_doubts::format_doubts;
pub use terms::TryTerms;
pub use try_run::{Tally, clock_eaten, try_program};
pub use turn::remedy;
