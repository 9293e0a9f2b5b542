//! The reference player `blocker`: it keeps some pieces in its own camp for as long as the rules allow, so that the
//! opponent cannot fill that camp with its own pieces alone.

use crate::board::{CAMPS, Square, Squares};
use crate::evaluate::{Evaluation, distance};
use crate::rules::{Move, Position};
use engine::search::{Knowledge, Score};
use engine::{Game, reference};

/// The name and description of the algorithm, as command lines list them.
pub(crate) const ALGORITHM: (&str, &str) = (
    "blocker",
    "A plain player: keeps three pieces in its own camp while the rules let it (2 plies; for --rules base)",
);

/// The search depth, in plies, unless the settings give another.
pub(crate) const DEFAULT_PLIES: u32 = 2;

/// The number of pieces that the blocker keeps in its camp.
const KEPT_PIECES: usize = 3;

/// Returns the pieces that stay in the own camp: the up to [`KEPT_PIECES`] pieces there with the longest way to go.
fn pieces_to_keep(position: &Position) -> Squares {
    let side = position.side_to_move();
    let mut at_home: Vec<Square> = position.pieces(side).and(CAMPS[side.index()]).into_iter().collect();
    at_home.sort_by_key(|&square| std::cmp::Reverse(distance(side, square)));
    at_home.into_iter().take(KEPT_PIECES).collect()
}

/// Returns the blocker's move after a search of `plies` plies, the first of equally good ones, and its value in points
/// for the side to move; `None` if the game is over or `plies` is 0.
pub(crate) fn play(position: &Position, plies: u32) -> Option<(Move, Score)> {
    let replies = plies.checked_sub(1)?;
    let kept = pieces_to_keep(position);
    let moves = engine::think::moves_for_every_grader(position);
    let mut free: Vec<Move> = moves.iter().copied().filter(|mv| !kept.contains(mv.from)).collect();
    if free.is_empty() {
        free = moves;
    }
    let mut best = None;
    for mv in free {
        let mut after = position.clone();
        after.play(mv);
        let value = match (after.outcome(), replies) {
            (None, 1..) => {
                -reference::alpha_beta(&after, replies, |position| Evaluation.evaluate(position), &mut ()).value
            }
            (None, 0) => -Evaluation.evaluate(&after),
            (Some(outcome), _) => -engine::score::outcome_score(outcome, after.side_to_move(), 1),
        };
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((mv, value));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::WHITE;
    use crate::rules::Rules;

    #[test]
    fn by_the_base_rules_three_pieces_never_leave_the_camp_and_the_others_come() {
        let mut position = Position::initial(WHITE, Rules::Base);
        let home = pieces_to_keep(&position);
        assert_eq!(home.len() as usize, KEPT_PIECES);
        for _ in 0..60 {
            let Some((mv, _)) = play(&position, 1) else { break };
            position.play(mv);
            // The opponent plays the first legal move of its list.
            let Some(&step) = position.legal_moves().first() else { break };
            position.play(step);
        }
        assert_eq!(position.pieces(WHITE).and(home), home);
        assert!(position.pieces(WHITE).and(CAMPS[WHITE.index()]).len() < 12, "{position:?}");
    }

    #[test]
    fn by_the_addendum_it_leaves_its_camp_as_it_must() {
        let mut position = Position::initial(WHITE, Rules::Addendum);
        for _ in 0..6 {
            let (mv, _) = play(&position, 1).unwrap();
            assert!(position.is_legal(mv));
            position.play(mv);
        }
    }
}
