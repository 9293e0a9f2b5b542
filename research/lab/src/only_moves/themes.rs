//! The themes of a puzzle: words for what its first move does, by the pieces on the board before
//! and after.

use super::sources::Source;
use engine::{Drawing, Protocol, Side};

/// The themes of a move and the best answer to it. `last` is the end of the game by best play,
/// `at_once` whether every other move loses by the next move, and `moves` the number of moves to be
/// found.
pub(crate) fn themes<G: Source>(
    position: &G,
    only: G::Move,
    answer: Option<G::Move>,
    last: Option<&G>,
    at_once: bool,
    moves: usize,
) -> Vec<&'static str> {
    let side = position.side_to_move();
    let before = pieces(position);
    let takes = |mv| {
        let after = position.after(mv);
        pieces(&after)[side.other().index()] < before[side.other().index()]
    };
    let after = position.after(only);
    let path = drawing(&after, Some((position, only))).path;
    let capture = takes(only);
    let quiet = !capture && position.legal_moves().into_iter().any(takes);
    let sacrifice = answer.is_some_and(|answer| {
        let had = pieces(&after)[side.index()];
        let then = after.after(answer);
        pieces(&then)[side.index()] < had
    });
    let trap = last.and_then(Protocol::why_over).is_some_and(|why| why.contains("can move"));
    [
        ("trap", trap),
        ("capture", capture),
        ("quiet", quiet),
        ("sacrifice", sacrifice),
        ("defence", at_once),
        ("forcing", after.outcome().is_none() && after.legal_moves().len() == 1),
        // A chain of two jumps touches three cells.
        ("chain", path.len() > 2),
        ("room", position.makes_room(only)),
        ("long", moves > 2),
    ]
    .into_iter()
    .filter_map(|(name, is)| is.then_some(name))
    .collect()
}

fn drawing<G: Source>(position: &G, last: Option<(&G, G::Move)>) -> Drawing {
    position.drawing(last).expect("every game has a drawing")
}

/// The number of pieces of each side.
fn pieces<G: Source>(position: &G) -> [usize; 2] {
    let drawing = drawing(position, None);
    [Side::First, Side::Second].map(|side| {
        drawing
            .cells
            .iter()
            .filter(|cell| cell.piece.is_some_and(|(owner, _)| owner == side))
            .count()
    })
}
