//! Progress of a long run: a bar on a terminal; elsewhere only lines about finished work.

use crate::output::print;
use arena::plain;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// The progress of a number of games or other units of work.
pub struct Progress {
    total: usize,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar for games on standard error, if that is a terminal.
    pub fn new(total: usize) -> Progress {
        Progress::of(total, "games")
    }

    /// A bar on a terminal's standard error. `pieces` names the units of work.
    pub fn of(total: usize, pieces: &str) -> Progress {
        let bar = stderr().is_terminal().then(|| {
            let form = format!(
                "{{spinner}} {{bar:30}} {{pos}}/{{len}} {pieces}, {{elapsed}} gone, {{eta}} to go"
            );
            let style = ProgressStyle::with_template(&form)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { total, bar }
    }

    /// Sets the number of finished games.
    pub fn set(&self, done: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
    }

    /// The games of an earlier run, which do not count for the estimated time.
    pub fn begin_at(&self, done: usize) {
        self.set(done);
        if let Some(bar) = &self.bar {
            bar.reset_eta();
        }
    }

    /// Prints a line on standard error, above the bar.
    pub fn tell(&self, line: &str) {
        self.around(|| eprintln!("{}", plain::lines(line)));
    }

    /// The number of finished games, with a line about the last one on standard error.
    pub fn done(&self, done: usize, line: &str) {
        let total = self.total;
        self.around(|| eprintln!("{done}/{total} {}", plain::lines(line)));
        self.set(done);
    }

    /// Prints a text on standard output, above the bar.
    pub fn print(&self, text: &str) {
        self.around(|| print(text));
    }

    fn around(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
