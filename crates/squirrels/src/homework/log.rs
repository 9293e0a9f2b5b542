//! Writes `traverse_log.txt`, the nodes that a reference search visits, line by line.

use super::input::Algorithm;
use crate::rules::Move;
use engine::reference::{MINUS_INFINITY, PLUS_INFINITY};
use engine::search::{Observer, Score, Visit};
use std::io::{self, Write};

/// A log that is written while the search runs. The first write error is kept and ends the writing.
pub struct Log<W: Write> {
    out: W,
    line: Vec<u8>,
    windows: bool,
    line_end: &'static [u8],
    error: Option<io::Error>,
}

impl<W: Write> Log<W> {
    /// Creates a log and writes its header. `out` should be buffered. `crlf` ends lines with CR LF
    /// instead of LF.
    pub fn new(out: W, algorithm: Algorithm, crlf: bool) -> Log<W> {
        let windows = algorithm == Algorithm::AlphaBeta;
        let line_end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let mut log = Log { out, line: Vec::with_capacity(64), windows, line_end, error: None };
        log.line.extend_from_slice(b"Node,Depth,Value");
        if windows {
            log.line.extend_from_slice(b",Alpha,Beta");
        }
        log.end_line();
        log
    }

    /// Flushes the log and returns the writer.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn end_line(&mut self) {
        self.line.extend_from_slice(self.line_end);
        if self.error.is_none()
            && let Err(error) = self.out.write_all(&self.line)
        {
            self.error = Some(error);
        }
        self.line.clear();
    }

    fn value(&mut self, value: Score) {
        match value {
            MINUS_INFINITY => self.line.extend_from_slice(b"-Infinity"),
            PLUS_INFINITY => self.line.extend_from_slice(b"Infinity"),
            value => write!(self.line, "{value}").expect("vectors take everything"),
        }
    }
}

impl<W: Write> Observer<Move> for Log<W> {
    fn visit(&mut self, visit: Visit<Move>) {
        let node = visit.mv.map_or("root", |Move(square)| square.name());
        write!(self.line, "{node},{},", visit.ply).expect("vectors take everything");
        self.value(visit.value);
        if self.windows {
            for bound in [visit.window.0, visit.window.1] {
                self.line.push(b',');
                self.value(bound);
            }
        }
        self.end_line();
    }
}
