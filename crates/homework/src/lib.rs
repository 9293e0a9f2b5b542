//! Homework that is no game: a program gets the files of a case and leaves files, which are
//! compared with expected ones or judged by a checker.
//!
//! - `homework.rs`, `case.rs`: what a homework is
//! - `folder.rs`: `homework.toml` and what lies beside it become a [`Homework`]; `pattern.rs` and
//!   `cases.rs` find the files of its cases, in archives as well (`archive.rs`); `package.rs` reads
//!   a package of Kattis
//! - `right.rs`: what is right: bytes, lines, tokens, numbers
//! - `checker.rs`: a program that judges answers, in a box of its own
//! - `run.rs`: a program on a case; `points.rs`: points of cases and groups
//! - `as_game.rs`: the homework as commands take it, beside games

mod archive;
mod as_game;
mod case;
mod cases;
mod checker;
mod folder;
mod homework;
mod package;
mod pattern;
mod points;
mod right;
mod run;

pub use as_game::{is_homework, load, of, remove_built_checkers};
pub use case::{Case, CaseFile, CaseResult, Files};
pub use checker::Checker;
pub use folder::FILE;
pub use homework::{Count, Group, Homework};
pub use points::Points;
pub use right::{Compared, Right};
