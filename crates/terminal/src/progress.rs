//! Progress of a long run: a bar on a terminal, and lines about finished work.

use crate::output::print;
use arena::plain;
use progress::Bar;

/// The progress of a number of games or other units of work.
pub struct Progress {
    total: usize,
    bar: Bar,
}

impl Progress {
    /// A bar for games on standard error, if that is a terminal.
    pub fn new(total: usize) -> Progress {
        Progress::of(total, "games")
    }

    /// A bar on a terminal's standard error. `pieces` names the units of work.
    pub fn of(total: usize, pieces: &str) -> Progress {
        Progress { total, bar: Bar::new(total as u64, pieces) }
    }

    /// Sets the number of finished games.
    pub fn set(&self, done: usize) {
        self.bar.set(done as u64);
    }

    /// The games of an earlier run, which do not count for the estimated time.
    pub fn begin_at(&self, done: usize) {
        self.bar.begin_at(done as u64);
    }

    /// Prints a line on standard error, above the bar.
    pub fn tell(&self, line: &str) {
        self.bar.around(|| eprintln!("{}", plain::lines(line)));
    }

    /// The number of finished games, with a line about the last one on standard error.
    pub fn done(&self, done: usize, line: &str) {
        let total = self.total;
        self.bar.around(|| eprintln!("{done}/{total} {}", plain::lines(line)));
        self.set(done);
    }

    /// Prints a text on standard output, above the bar.
    pub fn print(&self, text: &str) {
        self.bar.around(|| print(text));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish();
    }
}
