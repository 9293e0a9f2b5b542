//! The monitor's reasons for the end of a game, worded as by the course's monitor.

use crate::protocol::rows;
use crate::rules::{Ending, Move, Position};
use engine::protocol::quote;
use engine::{Game, Protocol};

impl Position {
    /// The reason why a legal move ends the game, as the course's monitor words it; `None` if the
    /// game goes on.
    pub fn reason_after(&self, mv: Move) -> Option<String> {
        let ending_after = |mv| self.after(mv).ending();
        let is_deadlock = |mv| matches!(ending_after(mv), Some(Ending::Deadlock { .. }));
        let reason = match ending_after(mv)? {
            Ending::Deadlock { mover } => {
                let avoidable = self.legal_moves().into_iter().any(|other| !is_deadlock(other));
                let word = if avoidable { "avoidable" } else { "unavoidable" };
                let mover = Position::side_word(mover);
                return Some(format!("{mover} caused an ({word}) deadlock."));
            }
            Ending::Both => "draw.",
            Ending::FewSheep => "not enough sheep.",
            Ending::NoFox => "not enough foxes",
            Ending::PenFull => "sheep reached the goal.",
            // On the course's monitor sheep without a move lose by time or by an illegal move.
            ending @ Ending::NoStep => ending.reason(),
        };
        Some(reason.to_string())
    }

    /// The reason why the side to move has lost by a line that
    /// [`read_move`](super::wire::read_move) refuses, in the course's wording; `why` says what is
    /// wrong with it.
    pub fn unreadable(&self, line: &str, why: &str) -> String {
        let side = Position::side_word(self.side_to_move());
        let state = rows(self.board()).trim_end().replace('\n', "/");
        format!("{side} made illegal move null in state: {state} ({}: {why})", quote(line))
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::rules::{FOX, Position, SHEEP};
    use engine::{Game, Protocol, Side};

    /// The reason after a move to a board that stood before, as did `others`.
    fn repeated(side: Side, board: Board, text: &str, others: &[Board]) -> Option<String> {
        let position = Position::new(board, side);
        let again = position.after(position.read_move(text).unwrap()).board();
        let earlier = [&[again], others].concat();
        let position = Position::with_history(earlier, board, side);
        position.reason_after(position.read_move(text).unwrap())
    }

    #[test]
    fn a_deadlock_is_avoidable_if_any_other_move_is_none() {
        let set = |text: &str| text.parse().unwrap();
        // A fox that has one move.
        let sheep = set("2,1 3,1 2,2 4,2 0,3 1,3 2,3 3,3 4,3 0,4 1,4 2,4 3,4");
        let cornered = Board { foxes: set("2,0"), sheep };
        assert_eq!(Position::new(cornered, FOX).legal_moves().len(), 1);
        let deadlock = |word: &str| Some(format!("FOX caused an ({word}) deadlock."));
        assert_eq!(repeated(FOX, cornered, "E 2,0 3,0", &[]), deadlock("unavoidable"));
        // A second fox has other moves; then these lead to earlier boards, too.
        let free = Board { foxes: set("2,0 3,6"), sheep };
        assert_eq!(repeated(FOX, free, "E 2,0 3,0", &[]), deadlock("avoidable"));
        let position = Position::new(free, FOX);
        let all = position.legal_moves().into_iter().map(|mv| position.after(mv).board());
        let all: Vec<Board> = all.collect();
        assert_eq!(repeated(FOX, free, "E 2,0 3,0", &all), deadlock("unavoidable"));
        let sheep = set("0,2 3,3 0,4 1,4 2,4 3,4 2,5 3,5 4,5");
        let board = Board { foxes: set("3,0"), sheep };
        let deadlock = Some("SHEEP caused an (avoidable) deadlock.".to_string());
        assert_eq!(repeated(SHEEP, board, "E 0,2 1,2", &[]), deadlock);
    }
}
