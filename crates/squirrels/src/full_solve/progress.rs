//! How far a long solution has come, and how long it may still take.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The solver solves ever earlier states: each with one more empty square takes about this many times longer, until the
/// run's own times tell better.
const GROWTH: f64 = 2.4;
/// Times below this say nothing about growth.
const LEAST_TIME: f64 = 2.0;

/// Follows the threads of one solution.
pub(super) struct Progress {
    started: Instant,
    last: u32,
    state: Mutex<State>,
}

struct State {
    told: Instant,
    threads: Vec<Thread>,
    /// By the number of empty squares, when the first thread began with a state that has them.
    begun: [Option<Instant>; 26],
}

#[derive(Clone, Copy, Default)]
struct Thread {
    /// The empty squares of the state being solved.
    empty: u32,
    /// By the number of empty squares, how many children of the node on the line are done, of how many.
    done: [(usize, usize); 26],
}

impl Thread {
    /// The part of the state's test that is done. Two plies are one step: where all children are searched, they share the work; where one is enough, it is all.
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
    /// The progress of a solution of a position with `last` empty squares.
    pub(super) fn new(last: u32, threads: u32) -> Progress {
        let started = Instant::now();
        let state = State { told: started, threads: vec![Thread::default(); threads as usize], begun: [None; 26] };
        Progress { started, last, state: Mutex::new(state) }
    }

    /// Notes that a thread begins a test of the state it has to solve, with `empty` empty squares.
    pub(super) fn begin(&self, thread: u32, empty: u32) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        state.begun[empty as usize].get_or_insert_with(Instant::now);
        state.threads[thread as usize] = Thread { empty, done: [(0, 0); 26] };
    }

    /// Notes that a thread has searched `done` of `count` children of a node with `empty` empty squares.
    pub(super) fn child_done(&self, thread: u32, empty: u32, done: usize, count: usize) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        let thread = &mut state.threads[thread as usize];
        thread.done[empty as usize] = (done, count);
        thread.done[..empty as usize].fill((0, 0));
    }

    /// The empty squares of the state being solved, the part of its test that is done, and the time left; once a second,
    /// `None` otherwise.
    pub(super) fn tick(&self) -> Option<(u32, f64, Option<Duration>)> {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        if state.told.elapsed() < Duration::from_secs(1) {
            return None;
        }
        state.told = Instant::now();
        let empty = state.threads.iter().map(|thread| thread.empty).max()?;
        let of_this = state.threads.iter().filter(|thread| thread.empty == empty);
        let share = of_this.map(Thread::share).sum::<f64>().min(1.0);
        Some((empty, share, self.left(&state, empty, share)))
    }

    fn left(&self, state: &State, empty: u32, share: f64) -> Option<Duration> {
        let now = self.started.elapsed().as_secs_f64();
        let at = |empty: u32| Some(state.begun[empty as usize]?.duration_since(self.started).as_secs_f64());
        let begun = at(empty)?;
        let growth = match at(empty.checked_sub(4)?) {
            Some(before) if before > LEAST_TIME => (begun / before).powf(0.25).clamp(1.5, 4.0),
            _ => GROWTH,
        };
        // By the growth from state to state, and by the part that is done of this one.
        let by_growth = (begun * growth).max(now);
        let by_share = if share > 0.02 { begun + (now - begun) / share } else { by_growth };
        let this = (by_share * share + by_growth * (1.0 - share)).max(now);
        let total = this * growth.powi((self.last - empty) as i32);
        Duration::try_from_secs_f64(total - now).ok().filter(|_| begun > 0.2)
    }
}
