//! The file of a search that can be stopped and goes on: see `checkpoint`. A win is a word of [`Wins`].
//!
//! [`Wins`]: super::won::Wins

use super::known::Known;
use crate::checkpoint;
use anyhow::{Result, bail};
use std::path::Path;

const MAGIC: &[u8; 8] = b"GEESEWIN";

/// Writes all that is known, under a temporary name first.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, known: &Known) -> Result<()> {
    checkpoint::write(path, MAGIC, known.wins.words().collect(), &known.dead)
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// The file cannot be read, is of another kind, or some byte has changed.
pub(crate) fn read(path: &Path) -> Result<Known> {
    let contents = checkpoint::read(path, MAGIC)?;
    let mut known = Known { dead: contents.dead, ..Known::default() };
    if !contents.wins.into_iter().all(|word| known.wins.insert_word(word)) {
        bail!("{}: the file holds a win that is none", checkpoint::remedy(path));
    }
    Ok(known)
}
