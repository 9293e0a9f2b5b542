//! The monitor's reasons for the end of a game, worded as by the course's monitor.

use crate::board::Board;
use crate::protocol::rows;
use crate::rules::{Ending, Move, Position};
use engine::protocol::quote;
use engine::{Game, Protocol};

impl Position {
    /// The reason why a legal move ends the game, as the course's monitor words it; `None` if the
    /// game goes on. A deadlock is avoidable if the mover had a move that does not repeat a board.
    pub fn reason_after(&self, mv: Move) -> Option<String> {
        let ending_after = |mv| self.after(mv).ending();
        let is_deadlock = |mv| matches!(ending_after(mv), Some(Ending::Deadlock { .. }));
        let reason = match ending_after(mv)? {
            Ending::Deadlock { mover } => {
                let avoidable = self.legal_moves().into_iter().any(|other| !is_deadlock(other));
                let word = if avoidable { "avoidable" } else { "unavoidable" };
                return Some(format!(
                    "{} caused an ({word}) deadlock.",
                    Position::side_word(mover)
                ));
            }
            Ending::Both => "draw.",
            Ending::FewSheep => "not enough sheep.",
            Ending::NoFox => "not enough foxes",
            Ending::PenFull => "sheep reached the goal.",
            // The course's monitor has no reason for this end: there, sheep without a move lose by
            // time or by an illegal move.
            ending @ Ending::NoStep => ending.reason(),
        };
        Some(reason.to_string())
    }

    /// The reason why the side to move has lost by a line that
    /// [`read_move`](super::wire::read_move) refuses: the course's wording with the board as seven
    /// rows, then the line and `why`, what is wrong with it.
    pub fn unreadable(&self, line: &str, why: &str) -> String {
        let side = Position::side_word(self.side_to_move());
        format!(
            "{side} made illegal move null in state: {} ({}: {why})",
            state(self.board()),
            quote(line)
        )
    }
}

/// The seven rows of a board on one line, separated by `/`.
fn state(board: Board) -> String {
    rows(board).trim_end().replace('\n', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BOARD, Point, PointSet};
    use crate::rules::{FOX, SHEEP};

    fn board(rows: [&str; 7]) -> Board {
        let set = |wanted: u8| {
            BOARD.into_iter().filter(|here| rows[here.y()].as_bytes()[here.x()] == wanted).collect()
        };
        Board { foxes: set(b'F'), sheep: set(b'S') }
    }

    /// A board whose fox has one move, to the point right of it.
    const CORNERED: [&str; 7] =
        ["##F..##", "##SS.##", "..S.S..", "SSSSS..", "SSSS...", "##...##", "##...##"];

    fn stepped(position: &Position, from: Point, to: Point) -> String {
        let mv = Move::step(from, to);
        assert!(position.is_legal(mv), "{mv:?}");
        position.reason_after(mv).unwrap_or_default()
    }

    #[test]
    fn a_deadlock_is_avoidable_if_any_other_move_is_none() {
        let now = board(CORNERED);
        let (here, there) = (Point::new(2, 0).unwrap(), Point::new(3, 0).unwrap());
        assert_eq!(Position::new(now, FOX).legal_moves().len(), 1);
        let after = Board { foxes: PointSet::one(there), ..now };
        let cornered = Position::with_history(vec![after], now, FOX);
        assert_eq!(stepped(&cornered, here, there), "FOX caused an (unavoidable) deadlock.");
        // A second fox has other moves.
        let elsewhere = Point::new(3, 6).unwrap();
        let with_friend = |board: Board| Board { foxes: board.foxes.with(elsewhere), ..board };
        let free = Position::with_history(vec![with_friend(after)], with_friend(now), FOX);
        assert_eq!(stepped(&free, here, there), "FOX caused an (avoidable) deadlock.");
        // All moves of the second fox lead to earlier boards, too.
        let earlier = free.legal_moves().into_iter().map(|mv| free.after(mv).board()).collect();
        let stuck = Position::with_history(earlier, with_friend(now), FOX);
        assert_eq!(stepped(&stuck, here, there), "FOX caused an (unavoidable) deadlock.");
    }

    #[test]
    fn sheep_cause_deadlocks_in_their_own_name() {
        let now =
            board(["##F.F##", "##...##", "S......", "...S...", "SSSS...", "##SSS##", "##SSS##"]);
        let (here, there) = (Point::new(0, 2).unwrap(), Point::new(1, 2).unwrap());
        let after = Board { sheep: now.sheep.without(here).with(there), ..now };
        let position = Position::with_history(vec![after], now, SHEEP);
        assert_eq!(stepped(&position, here, there), "SHEEP caused an (avoidable) deadlock.");
    }

    #[test]
    fn a_line_that_cannot_be_read_is_told_with_the_state_on_one_line() {
        let told = Position::initial().unreadable("move 2,10\t\u{7}", "'2,10' is no point");
        let state = "##F.F##/##...##/......./SSSSSSS/SSSSSSS/##SSS##/##SSS##";
        assert_eq!(
            told,
            format!(
                "FOX made illegal move null in state: {state} ('move 2,10\\t\\u{{7}}': '2,10' is no point)"
            )
        );
    }
}
