//! The search of the crate `minimax` limited by CPU time. The crate's own time limit is wall time, in which a busy machine
//! gives it only a fraction of that CPU time.

use crate::bench::minimax_crate::HalmaEvaluator;
use crate::bench::minimax_listener::capture_best_moves;
use clock::cpu::process_time;
use halma::{Move, Position};
use minimax::{IterativeOptions, IterativeSearch, Strategy};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Returns the best move of the crate's last complete iteration when the process has used `until` of CPU time since its
/// start, or when the search has ended; `None` without a complete iteration. The search runs in a thread of its own, which
/// cannot be stopped: the caller should write its answer and exit. The crate prints its iterations on standard error.
pub(crate) fn best_move_until(position: &Position, hash_bytes: usize, until: Duration) -> Option<Move> {
    let (sender, receiver) = channel();
    let position = position.clone();
    thread::spawn(move || {
        // Only a verbose search formats, and so reveals, the best move of each iteration (see `minimax_listener.rs`).
        let options = IterativeOptions::new().with_table_byte_size(hash_bytes).verbose();
        let mut search = IterativeSearch::new(HalmaEvaluator::<false>, options);
        search.set_max_depth(MAX_DEPTH);
        capture_best_moves(&position, &sender);
        if let Some(mv) = search.choose_move(&position) {
            let _ = sender.send(mv);
        }
    });
    let mut best = None;
    loop {
        // A single running thread uses at most as much CPU time as wall time passes.
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

/// The depth limit of a search that is limited by time, in plies.
const MAX_DEPTH: u8 = 99;
