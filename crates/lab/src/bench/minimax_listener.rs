//! Captures the best move of each iteration of the crate `minimax`. The crate has no callback for iterations, but in
//! verbose mode it formats the best move of each through [`minimax::Game::notation`].

use halma::{Move, Position};
use std::cell::RefCell;
use std::sync::mpsc::Sender;

thread_local! {
    /// The position that this thread searches, and the channel for its best moves.
    static LISTENER: RefCell<Option<(Position, Sender<Move>)>> = const { RefCell::new(None) };
}

/// Sends a move that the crate formats, if it is a move of the searched position: the best move of an iteration.
pub(crate) fn report_move(position: &Position, mv: Move) {
    LISTENER.with_borrow(|listener| {
        if let Some((searched, sender)) = listener
            && searched == position
        {
            // Sending fails once the time is up and the receiver is gone.
            let _ = sender.send(mv);
        }
    });
}

/// Makes a search of `position` on the calling thread send its best moves to `sender`.
pub(crate) fn capture_best_moves(position: &Position, sender: &Sender<Move>) {
    LISTENER.set(Some((position.clone(), sender.clone())));
}
