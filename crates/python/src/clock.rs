//! The clock of a search, which also checks for signals such as ^C.

use engine::clock::Clock;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The interval between two checks for signals.
pub(crate) const PERIOD: Duration = Duration::from_millis(50);
/// A used time that exceeds every clock.
const FOREVER: Duration = Duration::from_secs(1 << 40);

/// A clock of the wall time since its start. Once a signal handler has raised an exception or
/// [`InterruptibleClock::stop`] was called, it reports that all time is used up, which ends the
/// search.
pub(crate) struct InterruptibleClock {
    begun: Instant,
    checks_signals: bool,
    next_check: Cell<Duration>,
    stopped: Cell<bool>,
    error: RefCell<Option<PyErr>>,
}

impl InterruptibleClock {
    /// A clock that starts now. `checks_signals` must be true only in Python's main thread, where
    /// signal handlers run.
    pub(crate) fn start(checks_signals: bool) -> InterruptibleClock {
        let (next_check, stopped) = (Cell::new(PERIOD), Cell::new(false));
        InterruptibleClock {
            begun: Instant::now(),
            checks_signals,
            next_check,
            stopped,
            error: RefCell::new(None),
        }
    }

    /// Whether the search should end, because of a signal or [`InterruptibleClock::stop`]. Checks
    /// for signals every [`PERIOD`].
    pub(crate) fn is_interrupted(&self) -> bool {
        if self.checks_signals && !self.stopped.get() {
            let now = self.begun.elapsed();
            if now >= self.next_check.get() {
                self.next_check.set(now + PERIOD);
                // An interpreter that is shutting down cannot be attached to.
                match Python::try_attach(|py| py.check_signals()) {
                    Some(Ok(())) => {}
                    Some(Err(error)) => self.stop(Some(error)),
                    None => self.stop(None),
                }
            }
        }
        self.stopped.get()
    }

    /// Ends the search, with the exception that caused it, if any. The first exception stays.
    pub(crate) fn stop(&self, error: Option<PyErr>) {
        self.stopped.set(true);
        let mut first = self.error.borrow_mut();
        *first = first.take().or(error);
    }

    /// The exception that ended the search, if any.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error.into_inner()
    }
}

impl Clock for InterruptibleClock {
    fn used(&self) -> Duration {
        if self.is_interrupted() { FOREVER } else { self.begun.elapsed() }
    }
}

/// Whether the current thread is Python's main thread, the one that runs signal handlers.
pub(crate) fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    Ok(threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?))
}

/// Runs a computation while other Python threads run, with a clock that tells it of an interrupt,
/// and returns its result or the exception of the signal handler.
pub(crate) fn interruptibly<T: Send>(
    py: Python<'_>,
    compute: impl Send + FnOnce(&InterruptibleClock) -> T,
) -> PyResult<T> {
    let main = is_main_thread(py)?;
    let (result, error) = py.detach(|| {
        let clock = InterruptibleClock::start(main);
        (compute(&clock), clock.into_error())
    });
    error.map_or(Ok(result), Err)
}
