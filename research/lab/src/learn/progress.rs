//! The progress of a learning run on the terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::Duration;
use terminal::output::print;

/// Shows the step in progress as a bar, on a terminal, and the lines of the log.
#[derive(Default)]
pub(crate) struct Progress {
    bar: Mutex<Option<(String, ProgressBar)>>,
}

impl Progress {
    /// Removes the bar.
    pub(crate) fn clear(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some((_, bar)) = bar.take()
        {
            bar.finish_and_clear();
        }
    }

    /// Shows that `done` of `of` parts of a step are finished; `what` is a short text on the
    /// intermediate result.
    pub(crate) fn show(&self, step: &str, what: &str, done: usize, of: usize) {
        if !stderr().is_terminal() {
            return;
        }
        let Ok(mut current) = self.bar.lock() else { return };
        if current.as_ref().is_none_or(|(name, _)| name != step) {
            if let Some((_, bar)) = current.take() {
                bar.finish_and_clear();
            }
            let form = "{msg} {bar:30} {pos}/{len}, {elapsed} gone, {eta} to go";
            let style =
                ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(of as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            *current = Some((step.to_string(), bar));
        }
        if let Some((_, bar)) = current.as_ref() {
            bar.set_message(format!("{step}{what}"));
            bar.set_position(done as u64);
        }
    }

    /// Prints a line that also goes to the log.
    pub(crate) fn line(&self, text: &str) {
        self.clear();
        print(&format!("{text}\n"));
    }
}
