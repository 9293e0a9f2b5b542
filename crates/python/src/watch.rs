//! The clock of a thinking, which also hears of signals such as ^C.

use engine::clock::Clock;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// Time between two looks for signals.
const PERIOD: Duration = Duration::from_millis(50);
/// Time that is more than every clock has.
const FOREVER: Duration = Duration::from_secs(1 << 40);

/// Wall time since it was made. Once a signal has raised an exception or [`Watch::stop`] was called, all time is used up.
pub(crate) struct Watch {
    begun: Instant,
    hears_signals: bool,
    next_look: Cell<Duration>,
    stopped: Cell<bool>,
    error: RefCell<Option<PyErr>>,
}

impl Watch {
    /// A watch that starts now. Signals are heard only where Python hears them, in its main thread.
    pub(crate) fn start(hears_signals: bool) -> Watch {
        let (next_look, stopped) = (Cell::new(PERIOD), Cell::new(false));
        Watch { begun: Instant::now(), hears_signals, next_look, stopped, error: RefCell::new(None) }
    }

    /// Whether somebody wants the thinking to end.
    pub(crate) fn is_interrupted(&self) -> bool {
        if self.hears_signals && !self.stopped.get() {
            let now = self.begun.elapsed();
            if now >= self.next_look.get() {
                self.next_look.set(now + PERIOD);
                // An interpreter that is about to end has no answer.
                match Python::try_attach(|py| py.check_signals()) {
                    Some(Ok(())) => {}
                    Some(Err(error)) => self.stop(Some(error)),
                    None => self.stop(None),
                }
            }
        }
        self.stopped.get()
    }

    /// Ends the thinking, because of an exception or without one.
    pub(crate) fn stop(&self, error: Option<PyErr>) {
        self.stopped.set(true);
        *self.error.borrow_mut() = error;
    }

    /// The exception that ended the thinking.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error.into_inner()
    }
}

impl Clock for Watch {
    fn used(&self) -> Duration {
        if self.is_interrupted() { FOREVER } else { self.begun.elapsed() }
    }
}

/// Whether this is the thread that Python runs signal handlers in.
pub(crate) fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    Ok(threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?))
}
