//! Best moves of the crate's iterations, heard through the words that it asks for.

use halma::{Move, Position};
use std::cell::RefCell;
use std::sync::mpsc::Sender;

thread_local! {
    /// The position that is searched on this thread, and who wants to hear of its best move.
    static LISTENER: RefCell<Option<(Position, Sender<Move>)>> = const { RefCell::new(None) };
}

/// Takes a move that the crate asks words for: in its report of each iteration, about the best move.
pub(crate) fn tell(position: &Position, mv: Move) {
    LISTENER.with_borrow(|listener| {
        if let Some((searched, sender)) = listener
            && searched == position
        {
            // Nobody listens any more once the time is up.
            let _ = sender.send(mv);
        }
    });
}

/// From now on, best moves of a search of this position on the calling thread are sent.
pub(crate) fn listen(position: &Position, sender: &Sender<Move>) {
    LISTENER.set(Some((position.clone(), sender.clone())));
}
