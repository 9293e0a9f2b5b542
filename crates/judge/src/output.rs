//! Standard output.

use arena::player::scratch::remove_scratch;
use std::io::{ErrorKind, Write};

/// Writes to standard output. A reader that has seen enough ends the program quietly.
pub(crate) fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("standard output: {error}");
        }
        remove_scratch();
        std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe) * 2);
    }
}
