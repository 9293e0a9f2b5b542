//! Homework that is no game: a program gets the files of a case and leaves files, which are compared
//! with expected ones or judged by a checker.
//!
//! - `folder.rs`: `homework.toml` and what lies beside it become a [`Homework`]; `pattern.rs` and
//!   `cases.rs` find the files of its cases; `package.rs` reads a package of Kattis
//! - `right.rs`: what is right: bytes, lines, tokens, numbers
//! - `checker.rs`: a program that judges answers, in a box of its own
//! - `run.rs`: a program on a case; `points.rs`: points of cases and groups
//! - `as_game.rs`: the homework as commands take it, beside games

mod as_game;
mod cases;
mod checker;
mod folder;
mod package;
mod pattern;
mod points;
mod right;
mod run;

pub use as_game::{is_homework, load, of};
pub use checker::{Checker, Judgement};
pub use folder::FILE;
pub use points::{Count, Group, Points};
pub use right::{Compared, Right};
pub use run::{CaseResult, Files};

use anygame::game::GameFiles;
use std::path::PathBuf;

/// A homework.
#[derive(Debug)]
pub struct Homework {
    /// The name in tables and in the mark of an intake.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The folder.
    pub folder: PathBuf,
    /// The cases, in the order of their names.
    pub cases: Vec<Case>,
    /// The groups of cases.
    pub groups: Vec<Group>,
    /// What is right.
    pub right: Right,
    /// The names of the files that programs leave.
    pub leaves: Vec<String>,
    /// The input and the first file that is left, as a game has them.
    pub files: GameFiles,
    /// The names of programs that the course asks for, the first choice first; empty for the usual
    /// ones.
    pub programs: Vec<String>,
    /// Files that the course hands out, as names or paths in the folder.
    pub given: Vec<String>,
    /// CPU seconds for all cases together; what comes later is not run.
    pub time_of_all: Option<f64>,
    /// Whether programs read the input at standard input, and print what they leave.
    pub standard: bool,
    /// Whether the homework is a folder of cases without a `homework.toml`.
    pub is_plain: bool,
}

/// A case of a homework.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The name.
    pub name: String,
    /// The files that the program finds: their names there, and where they lie. The first is the
    /// input.
    pub finds: Vec<(String, PathBuf)>,
    /// The files that the program shall leave, each with the expected files that are accepted.
    pub expected: Vec<(String, Vec<PathBuf>)>,
    /// The files that the checker alone reads.
    pub beside: Vec<(String, PathBuf)>,
    /// The points.
    pub points: f64,
    /// The index of its group, if it is in one.
    pub group: Option<usize>,
    /// Whether students never see it.
    pub is_secret: bool,
    /// What students are told about it.
    pub hint: Option<String>,
    /// CPU seconds; `None` for those that the command line names.
    pub time: Option<f64>,
}
