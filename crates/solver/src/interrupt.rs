//! ^C: the search stops at the next node, and what it knows is written.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Catches ^C from now on.
///
/// # Errors
/// It is caught already, or the system does not allow it.
pub(crate) fn catch() -> Result<()> {
    ctrlc::set_handler(|| ASKED.store(true, Ordering::Relaxed)).context("^C cannot be caught")
}

/// Whether ^C was pressed.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
