//! The evaluation of Halma split into named parts, for explanations.

use crate::board::CAMPS;
use crate::rules::Position;
use engine::search::Score;
use engine::{Game, Side};

/// Returns the parts of a side's evaluation, in points. The worth of each piece is given relative
/// to the best square of all, so that the parts show which pieces still have to go and not just
/// that there are nineteen.
fn side_parts(position: &Position, side: Side) -> [Score; 4] {
    let worths = position.worths();
    let best = worths.table(side).iter().copied().max().map_or(0, Score::from);
    let (home, target) = (CAMPS[side.index()], Position::target(side));
    let pieces = position.pieces(side);
    let [mut left_behind, mut on_the_way, mut arrived] = [0; 3];
    pieces.each(|square| {
        let part = match square {
            _ if home.contains(square) => &mut left_behind,
            _ if target.contains(square) => &mut arrived,
            _ => &mut on_the_way,
        };
        *part += worths.of(side, square) - best;
    });
    [left_behind, on_the_way, arrived, best * pieces.len() as Score]
}

/// The labels of [`side_parts`], for the side to move and for its opponent.
const LABELS: [[&str; 4]; 2] = [
    [
        "own pieces in the own camp, against the best square",
        "own pieces on the way, against the best square",
        "own pieces in the far camp, against the best square",
        "own pieces, as on the best square",
    ],
    [
        "the opponent's pieces in its own camp, against the best square",
        "the opponent's pieces on the way, against the best square",
        "the opponent's pieces in its far camp, against the best square",
        "the opponent's pieces, as on the best square",
    ],
];

/// Returns the parts of the evaluation for the side to move, without those that are 0. The value of
/// the pieces as on the best square cancels out at equal numbers and is omitted then.
pub(crate) fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
    let (own, other) = (position.side_to_move(), position.side_to_move().other());
    let (mut gained, mut lost) = (side_parts(position, own), side_parts(position, other));
    if gained[3] == lost[3] {
        (gained[3], lost[3]) = (0, 0);
    }
    let own_parts = LABELS[0].into_iter().zip(gained);
    let others = LABELS[1].into_iter().zip(lost).map(|(what, points)| (what, -points));
    let tempo = ("the right to move", position.worths().tempo());
    own_parts.chain(others).chain([tempo]).filter(|&(_, points)| points != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BLACK, WHITE};
    use crate::evaluate::Evaluation;
    use crate::rules::Rules;
    use engine::Playable;
    use engine::search::Knowledge;

    #[test]
    fn the_parts_add_up_to_the_evaluation() {
        // A game in which each side plays the move that gains most.
        let mut position = Position::initial(WHITE, Rules::Base);
        for _ in 0..120 {
            let searched = Position::as_searched(&position);
            let parts = evaluation_parts(&searched);
            let sum: Score = parts.iter().map(|(_, points)| points).sum();
            assert_eq!(sum, Evaluation.evaluate(&searched), "{parts:?}");
            let moves = position.legal_moves().into_iter();
            let mv = moves.max_by_key(|&mv| Evaluation.order(&position, mv)).unwrap();
            position.play(mv);
        }
    }

    #[test]
    fn pieces_that_one_side_has_more_are_a_part_and_equal_numbers_are_none() {
        let shows_count = |position: &Position| {
            evaluation_parts(position)
                .iter()
                .any(|(what, _)| what.contains("as on the best square"))
        };
        let start = Position::initial(WHITE, Rules::Base);
        assert!(!shows_count(&start));
        let [black, white] = Side::BOTH.map(|side| start.pieces(side));
        let fewer = Position::new([black.into_iter().skip(1).collect(), white], BLACK, Rules::Base);
        assert!(shows_count(&fewer));
        let sum: Score = evaluation_parts(&fewer).iter().map(|(_, points)| points).sum();
        assert_eq!(sum, Evaluation.evaluate(&fewer));
    }
}
