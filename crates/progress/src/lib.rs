//! The progress of a long run: a bar on a terminal's standard error, and nothing elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// How much of a run is finished; it shows nothing where standard error is no terminal.
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// Begins at 0 of so many units of work, which the words name, such as "games".
    pub fn new(total: u64, words: &str) -> Bar {
        Bar(stderr().is_terminal().then(|| {
            let form = "{spinner} {bar:30} {pos}/{len} {msg}, {elapsed} gone, {eta} to go";
            let style = ProgressStyle::with_template(form).expect("a good template");
            let bar = ProgressBar::new(total).with_style(style).with_message(words.to_string());
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        }))
    }

    /// Sets the number of finished units.
    pub fn set(&self, done: u64) {
        self.0.iter().for_each(|bar| bar.set_position(done));
    }

    /// Adds to the number of finished units.
    pub fn add(&self, more: u64) {
        self.0.iter().for_each(|bar| bar.inc(more));
    }

    /// Sets the number of units of an earlier run, which do not count for the estimated time.
    pub fn begin_at(&self, done: u64) {
        self.set(done);
        self.0.iter().for_each(ProgressBar::reset_eta);
    }

    /// Sets the words after the numbers.
    pub fn say(&self, words: String) {
        self.0.iter().for_each(|bar| bar.set_message(words.clone()));
    }

    /// Prints something while the bar is away.
    pub fn around(&self, print: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
