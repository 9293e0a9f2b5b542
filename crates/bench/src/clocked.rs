//! The crate's search within a CPU time. Left to itself the crate looks at the time of day, which on a busy machine is
//! a fraction of the CPU time that it is owed.

use crate::HalmaEvaluator;
use crate::listener::listen;
use halma::{Move, Position};
use minimax::{IterativeOptions, IterativeSearch, Strategy};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use system::cpu::process_time;

/// The best move of the crate's last complete iteration when the process has used `until` of CPU time since its start,
/// or when the search is through; `None` without one complete iteration. The search has a thread of its own, and this
/// one sleeps: it is meant for a process that leaves its answer then, for the thread cannot be ended before.
/// The crate's lines about its iterations go to standard error.
#[must_use]
pub fn best_move_until(position: &Position, hash_bytes: usize, until: Duration) -> Option<Move> {
    let (sender, receiver) = channel();
    let position = position.clone();
    thread::spawn(move || {
        // Only what talks about its iterations tells of their moves.
        let options = IterativeOptions::new().with_table_byte_size(hash_bytes).verbose();
        let mut search = IterativeSearch::new(HalmaEvaluator::<false>, options);
        search.set_max_depth(DEEPEST);
        listen(&position, &sender);
        if let Some(mv) = search.choose_move(&position) {
            let _ = sender.send(mv);
        }
    });
    let mut best = None;
    loop {
        // One thread at work takes no more CPU time than passes.
        let left = until.saturating_sub(process_time());
        if left.is_zero() {
            return best;
        }
        match receiver.recv_timeout(left) {
            Ok(mv) => best = Some(mv),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return best,
        }
    }
}

/// What the crate searches to if it has only a time limit, in plies.
const DEEPEST: u8 = 99;
