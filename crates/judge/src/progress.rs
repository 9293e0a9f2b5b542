//! How far a long run has come: a bar on a terminal, nothing but the lines of what is done elsewhere.

use crate::output::print;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// The progress of a number of games, or of other pieces of work.
pub(crate) struct Progress {
    total: usize,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar for games on standard error, if that is a terminal.
    pub(crate) fn new(total: usize) -> Progress {
        Progress::of(total, "games")
    }

    /// A bar on standard error, if that is a terminal, for pieces of work that are called by this word.
    pub(crate) fn of(total: usize, pieces: &str) -> Progress {
        let bar = stderr().is_terminal().then(|| {
            let form = format!("{{spinner}} {{bar:30}} {{pos}}/{{len}} {pieces}, {{elapsed}} gone, {{eta}} to go");
            let style = ProgressStyle::with_template(&form).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { total, bar }
    }

    /// Moves the bar to a number of games that are over.
    pub(crate) fn set(&self, done: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
    }

    /// Begins with what was done by an earlier run, which says nothing about the time to go.
    pub(crate) fn begin_at(&self, done: usize) {
        self.set(done);
        if let Some(bar) = &self.bar {
            bar.reset_eta();
        }
    }

    /// Prints a line on standard error, above the bar.
    pub(crate) fn tell(&self, line: &str) {
        self.around(|| eprintln!("{line}"));
    }

    /// Moves the bar to a number of games that are over. The line is about the last one, and goes to standard error.
    pub(crate) fn done(&self, done: usize, line: &str) {
        let total = self.total;
        self.around(|| eprintln!("{done}/{total} {line}"));
        self.set(done);
    }

    /// Prints a text on standard output, above the bar.
    pub(crate) fn print(&self, text: &str) {
        self.around(|| print(text));
    }

    fn around(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
