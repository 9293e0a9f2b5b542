//! Handling of ^C: a search polls [`requested`], stops at its next node, and writes what it knows.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler: from now on ^C sets the flag that [`requested`] returns instead of ending the program.
///
/// # Errors
/// A handler is installed already, or the system refuses one.
pub(crate) fn catch() -> Result<()> {
    ctrlc::set_handler(|| REQUESTED.store(true, Ordering::Relaxed)).context("^C cannot be caught")
}

/// Returns whether ^C was pressed since [`catch`].
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
