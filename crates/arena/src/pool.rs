//! A pool of workers for a list of work, which can be stopped early.

use crate::processors;
use anyhow::Result;
use clock::unpoisoned;
use std::sync::Mutex;
use std::thread;

/// Whether to continue after a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Start the next piece.
    GoOn,
    /// Start no more pieces; those in progress are finished.
    Stop,
}

struct Desk<I, F> {
    items: I,
    finished: F,
    failure: Option<anyhow::Error>,
    stopped: bool,
}

/// Runs `work` on each piece of a list, by workers with a share of the processors each
/// ([`processors::take_share`]), until `stop` or `finished`, which takes the results one at a time.
/// The first error stops the pool, and is returned when the pieces in progress are finished.
pub fn work_off<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    workers: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(T) -> Result<R> + Sync,
    finished: impl FnMut(R) -> Result<Next> + Send,
) -> Result<()> {
    let desk = Mutex::new(Desk { items, finished, failure: None, stopped: false });
    // A worker that panicked held the lock only between two pieces, so the state is consistent.
    let lock = || clock::lock(&desk);
    let worker = |number: usize| {
        processors::take_share(number, workers);
        loop {
            let item = {
                let mut desk = lock();
                if desk.stopped || stop() {
                    return;
                }
                desk.items.next()
            };
            let Some(item) = item else { return };
            let done = work(item);
            let mut desk = lock();
            match done.and_then(|result| (desk.finished)(result)) {
                Ok(Next::GoOn) => {}
                Ok(Next::Stop) => desk.stopped = true,
                Err(error) => {
                    desk.stopped = true;
                    desk.failure.get_or_insert(error);
                }
            }
        }
    };
    let worker = &worker;
    thread::scope(|scope| {
        let started: Vec<_> =
            (0..workers.max(1)).map(|number| scope.spawn(move || worker(number))).collect();
        // A worker's panic is raised again at the end of the scope, after the other workers have
        // finished.
        started.into_iter().for_each(|worker| drop(worker.join()));
    });
    let failure = unpoisoned(desk.into_inner()).failure;
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn every_piece_is_done_once_whatever_the_number_of_workers() {
        for workers in [0, 1, 3] {
            let mut done = Vec::new();
            let mut finished = |double| {
                done.push(double);
                Ok(Next::GoOn)
            };
            work_off(0..50, workers, || false, |number| Ok(number * 2), &mut finished).unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..50).map(|number| number * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nothing_is_begun_after_a_stop_or_an_error() {
        let begun = AtomicU32::new(0);
        let begin = |number: u32| {
            begun.fetch_add(1, Ordering::Relaxed);
            Ok(number)
        };
        let stop_at_3 = |number| Ok(if number == 3 { Next::Stop } else { Next::GoOn });
        work_off(0..50, 1, || false, begin, stop_at_3).unwrap();
        assert_eq!(begun.swap(0, Ordering::Relaxed), 4);
        work_off(0..50, 1, || begun.load(Ordering::Relaxed) == 2, begin, |_| Ok(Next::GoOn))
            .unwrap();
        assert_eq!(begun.load(Ordering::Relaxed), 2);
        let failing = |number: u32| if number == 5 { bail!("piece {number}") } else { Ok(number) };
        let mut last = 0;
        let mut finished = |number| {
            last = number;
            Ok(Next::GoOn)
        };
        let failed = work_off(0..50, 1, || false, failing, &mut finished);
        assert_eq!((failed.unwrap_err().to_string().as_str(), last), ("piece 5", 4));
    }
}
