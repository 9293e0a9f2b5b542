//! A homework: its cases and groups, and what is right.

use crate::case::Case;
use crate::right::Right;
use anygame::game::GameFiles;
use serde::Deserialize;
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
    pub(crate) right: Right,
    /// The names of the files that programs leave.
    pub leaves: Vec<String>,
    /// Of the input and of the first file that is left, as a game has them.
    pub(crate) files: GameFiles,
    pub(crate) programs: Vec<String>,
    pub(crate) given: Vec<String>,
    /// CPU seconds for all cases together; what comes later is not run.
    pub time_of_all: Option<f64>,
    /// Programs read the input at standard input, and print what they leave.
    pub(crate) standard: bool,
    /// Whether the homework is a folder of cases without a `homework.toml`.
    pub is_plain: bool,
}

/// A group of cases.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The points.
    pub points: f64,
    /// How they are counted.
    pub count: Count,
    /// What students are told about it.
    pub hint: Option<String>,
}

/// How the points of a group are counted.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Each case has its share.
    #[default]
    Sum,
    /// The worst case decides.
    Least,
    /// All points if all cases are right, else none.
    AllOrNothing,
}
