//! The progress of a long solution, and an estimate of the time left.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The factor by which each further empty square multiplies the time, until the run's own times give a better estimate.
/// The solver solves states with more and more empty squares.
const GROWTH: f64 = 2.4;
/// The least time in seconds from which growth is estimated; shorter times are too noisy.
const LEAST_TIME: f64 = 2.0;

/// The progress of the threads of one solution.
pub(super) struct Progress {
    started: Instant,
    last: u32,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    last_report: Instant,
    threads: Vec<Thread>,
    /// The time when the first thread began with a state, by the number of its empty squares.
    begun: [Option<Instant>; 26],
}

#[derive(Clone, Copy, Default)]
struct Thread {
    /// The number of empty squares of the state that is being solved.
    empty: u32,
    /// The number of finished children and the number of all children of the node on the current line, by its number of
    /// empty squares.
    done: [(usize, usize); 26],
}

impl Thread {
    /// The part of the state's null-window test that is done. Two plies count as one step: in all-nodes the children
    /// share the work, and in cut-nodes one child is all of it.
    fn share(&self) -> f64 {
        let (mut share, mut part) = (0.0, 1.0);
        for empty in (self.empty.saturating_sub(6)..=self.empty).rev().step_by(2) {
            let (done, count) = self.done[empty as usize];
            if count == 0 {
                break;
            }
            share += part * done as f64 / count as f64;
            part /= count as f64;
        }
        share
    }
}

impl Progress {
    /// Creates the progress of a solution of a position with `last` empty squares.
    pub(super) fn new(last: u32, threads: u32) -> Progress {
        let started = Instant::now();
        let state = ProgressState {
            last_report: started,
            threads: vec![Thread::default(); threads as usize],
            begun: [None; 26],
        };
        Progress { started, last, state: Mutex::new(state) }
    }

    /// Records that a thread begins a null-window test of a state with `empty` empty squares.
    pub(super) fn begin(&self, thread: u32, empty: u32) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        state.begun[empty as usize].get_or_insert_with(Instant::now);
        state.threads[thread as usize] = Thread { empty, done: [(0, 0); 26] };
    }

    /// Records that a thread has searched `done` of `count` children of a node with `empty` empty squares.
    pub(super) fn child_done(&self, thread: u32, empty: u32, done: usize, count: usize) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        let thread = &mut state.threads[thread as usize];
        thread.done[empty as usize] = (done, count);
        thread.done[..empty as usize].fill((0, 0));
    }

    /// Once a second, returns the number of empty squares of the state that is being solved, the part of its test that
    /// is done, and the time left; otherwise `None`.
    pub(super) fn tick(&self) -> Option<(u32, f64, Option<Duration>)> {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        if state.last_report.elapsed() < Duration::from_secs(1) {
            return None;
        }
        state.last_report = Instant::now();
        let empty = state.threads.iter().map(|thread| thread.empty).max()?;
        let of_this = state.threads.iter().filter(|thread| thread.empty == empty);
        let share = of_this.map(Thread::share).sum::<f64>().min(1.0);
        Some((empty, share, self.time_left(&state, empty, share)))
    }

    fn time_left(&self, state: &ProgressState, empty: u32, share: f64) -> Option<Duration> {
        let now = self.started.elapsed().as_secs_f64();
        let at = |empty: u32| Some(state.begun[empty as usize]?.duration_since(self.started).as_secs_f64());
        let begun = at(empty)?;
        let growth = match at(empty.checked_sub(4)?) {
            Some(before) if before > LEAST_TIME => (begun / before).powf(0.25).clamp(1.5, 4.0),
            _ => GROWTH,
        };
        // One estimate extrapolates the growth from state to state, the other the finished part of this state.
        let by_growth = (begun * growth).max(now);
        let by_share = if share > 0.02 { begun + (now - begun) / share } else { by_growth };
        let this = (by_share * share + by_growth * (1.0 - share)).max(now);
        let total = this * growth.powi((self.last - empty) as i32);
        Duration::try_from_secs_f64(total - now).ok().filter(|_| begun > 0.2)
    }
}
