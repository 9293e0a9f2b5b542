//! Work in several threads, which may not be had.

use crate::clock::{InterruptibleClock, PERIOD};
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};

/// Works on each item in a thread of its own, on the first in this one, and returns the results in
/// no order. `work` ends early when the function that it gets says so: an interrupt has come.
///
/// # Errors
/// A thread cannot be started. No work was done then.
pub(crate) fn in_threads<I: Send, T: Send>(
    clock: &InterruptibleClock,
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I, &dyn Fn() -> bool) -> T + Sync,
) -> io::Result<Vec<T>> {
    let mut items = items.into_iter();
    let Some(own) = items.next() else { return Ok(Vec::new()) };
    let (stopped, started) = (AtomicBool::new(false), Mutex::new(()));
    let starting = started.lock();
    scope(|scope| {
        let (send, receive) = channel();
        for item in items {
            let (send, work, stopped, started) = (send.clone(), &work, &stopped, &started);
            let run = move || {
                // Nobody takes memory before all threads have theirs.
                drop(started.lock());
                // The receiver is gone if another thread could not be started.
                let _ = send.send(work(item, &|| stopped.load(Relaxed)));
            };
            if let Err(error) = Builder::new().spawn_scoped(scope, run) {
                stopped.store(true, Relaxed);
                drop(starting);
                return Err(error);
            }
        }
        drop((starting, send));
        let watch = || {
            let is_interrupted = clock.is_interrupted();
            stopped.fetch_or(is_interrupted, Relaxed);
            is_interrupted
        };
        let mut results = vec![work(own, &watch)];
        // The channel closes when the last thread ends.
        loop {
            match receive.recv_timeout(PERIOD) {
                Ok(result) => results.push(result),
                Err(RecvTimeoutError::Timeout) => drop(watch()),
                Err(RecvTimeoutError::Disconnected) => return Ok(results),
            }
        }
    })
}
