//! What the solvers of several games share: their directories and files.

use anyhow::{Context, Result};
use std::path::Path;
use tables::{Subject, TableError};

/// The largest number of wrong positions that a check prints.
pub(crate) const SHOWN: u64 = 5;

pub(crate) fn create(directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("{}: cannot be made", directory.display()))
}

pub(crate) fn write(path: &Path, subject: &Subject, arrays: &[&[u8]]) -> Result<()> {
    tables::write(path, subject, arrays)
        .with_context(|| format!("{}: cannot be written", path.display()))
}

/// The opened file of a layer; `None` if there is none. A damaged file is an error and is not
/// replaced: it may not be ours.
pub(crate) fn if_there<T>(opened: Result<T, TableError>) -> Result<Option<T>, TableError> {
    match opened {
        Err(error) if error.is_missing() => Ok(None),
        opened => opened.map(Some),
    }
}

/// The part in which a number lies if the parts follow each other, and the number in it.
pub(crate) fn part_of(lengths: impl Iterator<Item = usize>, mut number: usize) -> (usize, usize) {
    for (index, length) in lengths.enumerate() {
        match number.checked_sub(length) {
            Some(left) => number = left,
            None => return (index, number),
        }
    }
    unreachable!("the number is within the parts")
}
