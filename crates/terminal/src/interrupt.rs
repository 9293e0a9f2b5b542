//! The first ^C finishes what is running and starts nothing new; the second exits at once.

use anyhow::{Context, Result};
use arena::player::scratch::remove_scratch;
use clock::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

static TIMES: AtomicU32 = AtomicU32::new(0);
static LAST: Mutex<Option<fn()>> = Mutex::new(None);

/// The exit code of a run that was interrupted.
pub const EXIT_CODE: u8 = 130;

/// Handles ^C and termination signals from here on.
pub fn catch() -> Result<()> {
    ctrlc::set_handler(|| {
        if TIMES.fetch_add(1, Ordering::SeqCst) == 0 {
            eprintln!("\nfinishing what is running; ^C once more stops at once");
        } else {
            if let Some(last) = *lock(&LAST) {
                last();
            }
            // Each supervisor reads the end of its socket and kills its player.
            remove_scratch();
            std::process::exit(i32::from(EXIT_CODE));
        }
    })
    .context("^C cannot be caught")
}

/// Sets the function to call before the second ^C exits.
pub fn last(last: fn()) {
    *lock(&LAST) = Some(last);
}

/// Whether ^C was pressed. If so, a command starts no new games or tests.
pub fn asked() -> bool {
    TIMES.load(Ordering::SeqCst) > 0
}
