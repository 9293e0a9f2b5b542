//! Writing to standard output, and creating the records of new games.

use anyhow::{Context, Result, bail};
use arena::player::scratch::remove_scratch;
use arena::record::{Event, Header, Record, Recorder};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes to standard output. Exits quietly if the reader has closed it, and with code 2 on other errors.
pub fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("standard output: {error}");
        }
        remove_scratch();
        std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe) * 2);
    }
}

/// Creates the record of new games. With `overwrite` it replaces an older record of games, and no other file.
///
/// # Errors
/// The file exists and is not to be replaced, with `remedy` after the words, or it cannot be written.
pub fn new_record(path: &Path, header: Header, overwrite: bool, remedy: &str) -> Result<Recorder> {
    if path.exists() && !overwrite {
        bail!("{}: the file exists: {remedy}", path.display());
    }
    if path.exists() {
        Record::read(path).context("--overwrite replaces records of games only")?;
        fs::remove_file(path).with_context(|| format!("{}: cannot be replaced", path.display()))?;
    }
    Recorder::create(path, &Event::Header(header))
}

/// The note after games whose moves were not recorded.
pub const NO_RECORD: &str =
    "the moves were not kept: with --record FILE they can be replayed (judge replay) and explained (judge analyse)";
