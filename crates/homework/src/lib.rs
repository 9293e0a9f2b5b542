//! Homework that is no game: a program gets the files of a case and leaves files, which are
//! compared with expected ones (`right.rs`) or judged by a checker (`checker.rs`).

mod archive;
mod assignment;
mod case;
mod case_runs;
mod cases;
mod checker;
mod folder;
mod homework;
mod late;
mod package;
mod pattern;
mod points;
mod right;
mod run;
mod staying;
mod talk;
mod unread;

pub use assignment::Assignment;
pub use case::{Case, CaseFile, CaseResult, Files};
pub use case_runs::{CASE_TIME, CaseRuns, CaseTerms};
pub use cases::entries;
pub use folder::{FILE, with_time};
pub use homework::{Count, Group, Homework};
pub use late::{LateCut, LateRule, Lateness};
pub use package::{Expectations, Expected, FILE as PACKAGE_FILE, Found, program_files};
pub use points::{Points, check_points, number};
