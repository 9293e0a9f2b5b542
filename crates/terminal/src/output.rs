//! Writing to standard output, and creating the records of new games.

use anyhow::{Context, Result, bail};
use arena::plain;
use arena::player::scratch::remove_scratch;
use arena::record::{Event, Header, Record, Recorder};
use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes a text to standard output, with escapes for what a terminal would obey or not show. Exits
/// quietly if the reader has closed it, and with code 2 on other errors.
pub fn print(text: &str) {
    write(&plain::lines(text));
}

/// Like [`print()`], at the top of a cleared terminal.
pub fn print_anew(text: &str) {
    // Cursor home, then clear to the end of the screen, which avoids flicker. Files get no escape
    // sequences.
    let clear = if std::io::stdout().is_terminal() { "\u{1b}[H\u{1b}[J" } else { "" };
    write(&format!("{clear}{}", plain::lines(text)));
}

fn write(text: &str) {
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("standard output: {error}");
        }
        remove_scratch();
        std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe) * 2);
    }
}

/// Writes a text to a file, whole or not at all; an error names the file.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    files::write_atomically(path, text)
        .with_context(|| format!("{}: cannot be written", path.display()))
}

/// Makes a folder with those above it; an error names it.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("{}: cannot be made", path.display()))
}

/// Creates a record. With `overwrite` it replaces an older record, and no other file; otherwise the
/// error about an existing file ends with `remedy`.
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
pub const NO_RECORD: &str = "the moves were not kept: with --record FILE they can be replayed (judge replay) and explained (judge analyse)";
