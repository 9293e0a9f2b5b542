//! ^C: once, running games are finished and nothing new is begun; twice, the judge stops at once. What was recorded
//! stays either way.

use anyhow::{Context, Result};
use arena::player::scratch::remove_scratch;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

static TIMES: AtomicU32 = AtomicU32::new(0);
/// What is done before the judge stops at once.
static LAST: Mutex<Option<fn()>> = Mutex::new(None);

/// The exit code of a run that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// Catches ^C and the polite request to end from now on.
pub(crate) fn catch() -> Result<()> {
    ctrlc::set_handler(|| {
        if TIMES.fetch_add(1, Ordering::SeqCst) == 0 {
            eprintln!("\nfinishing the games that are running; ^C once more stops at once");
        } else {
            if let Some(last) = *LAST.lock().unwrap_or_else(PoisonError::into_inner) {
                last();
            }
            // Each supervisor sees its pipe close and ends its player.
            remove_scratch();
            std::process::exit(i32::from(EXIT_CODE));
        }
    })
    .context("^C cannot be caught")
}

/// Sets what is done before the judge stops at once.
pub(crate) fn last(last: fn()) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
}

/// Whether to begin nothing new.
pub(crate) fn asked() -> bool {
    TIMES.load(Ordering::SeqCst) > 0
}
