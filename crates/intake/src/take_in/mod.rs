//! One student's way from files to a folder with a program ([`student`]): what an earlier intake
//! has left, the plans that are tried, the first runs and which of them is best.

mod attempts;
mod build_and_try;
pub(crate) mod earlier;
mod first_runs;
pub(crate) mod student;
mod trial;
