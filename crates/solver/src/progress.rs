//! The progress bar of long computations.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Creates a bar that has this length and a message before it.
pub(crate) fn progress_bar(length: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {elapsed} gone, {eta} left");
    let bar = ProgressBar::new(length).with_style(style.expect("a good template"));
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
