//! The progress of a learning run on the terminal.

use progress::Bar;
use std::sync::Mutex;
use terminal::output::print;

/// Shows the step in progress as a bar, on a terminal, and the lines of the log.
#[derive(Default)]
pub(crate) struct Progress {
    bar: Mutex<Option<(String, Bar)>>,
}

impl Progress {
    /// Removes the bar.
    pub(crate) fn clear(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some((_, bar)) = bar.take()
        {
            bar.finish();
        }
    }

    /// Shows that `done` of `of` parts of a step are finished; `what` is a short text on the
    /// intermediate result.
    pub(crate) fn show(&self, step: &str, what: &str, done: usize, of: usize) {
        let Ok(mut current) = self.bar.lock() else { return };
        if current.as_ref().is_none_or(|(name, _)| name != step) {
            if let Some((_, bar)) = current.take() {
                bar.finish();
            }
            *current = Some((step.to_string(), Bar::new(of as u64, step)));
        }
        if let Some((_, bar)) = current.as_ref() {
            bar.say(format!("{step}{what}"));
            bar.set(done as u64);
        }
    }

    /// Prints a line that also goes to the log.
    pub(crate) fn line(&self, text: &str) {
        self.clear();
        print(&format!("{text}\n"));
    }
}
