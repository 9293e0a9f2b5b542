//! Facts about positions without a search.

use crate::board::{BOARD, Cells, Direction, SQUARE, place};
use crate::evaluate::tunable;
use crate::rules::{FOXES, GEESE, LOST_GEESE, MOST_MOVES, Move, Position};
use crate::strategy::Strategy;
use engine::{Count, Game, Outcome, Proven, Side};

/// The stored strategy's move, with a short explanation; `None` where the strategy has none. If all
/// moves of the foxes lead to positions of the strategy, it is the one that delays the loss longest.
pub fn known_move(position: &Position) -> Option<(Move, String)> {
    let left = u32::from(MOST_MOVES - position.moves_made());
    let strategy = Strategy::known()?;
    match position.side_to_move() {
        GEESE => {
            let win = strategy.get(position.board())?;
            let sound = u32::from(win.moves) <= left && position.is_legal(win.mv);
            sound.then(|| (win.mv, format!("the geese win in {} moves at most", win.moves)))
        }
        FOXES => {
            let mut longest: Option<(Move, u8)> = None;
            for mv in position.legal_moves() {
                let win = strategy.get(position.board().after_fox(mv))?;
                if u32::from(win.moves) > left {
                    return None;
                }
                longest =
                    longest.filter(|&(_, moves)| moves >= win.moves).or(Some((mv, win.moves)));
            }
            let (mv, moves) = longest?;
            Some((mv, format!("the foxes lose in {moves} moves of the geese at most")))
        }
    }
}

/// The proven win of the geese, where the stored strategy has one.
pub(crate) fn proven(position: &Position) -> Option<Proven<Move>> {
    let (mv, _) = known_move(position)?;
    let (outcome, source) = (Outcome::Win(GEESE), "the stored strategy");
    Some(Proven { outcome, plies: None, best: Some(mv), source })
}

/// The counts that an analysis shows.
pub(crate) fn counts(position: &Position, side: Side) -> Vec<Count> {
    let board = position.board();
    let region = board.region();
    let is_geese = side == GEESE;
    let room = region.len() as i32;
    let in_square = (board.geese & SQUARE).into_iter().map(place);
    let for_square = tunable::ROW[0] - tunable::ROW[3];
    let behind = BOARD - board.geese;
    let jumped = Direction::ALL.into_iter().flat_map(|way| {
        let geese = way.shift(region) & board.geese;
        geese.into_iter().filter(move |&goose| way.shift(Cells::one(goose)).meets(behind))
    });
    vec![
        Count::new("geese left", board.geese.len() as i32, is_geese, tunable::GOOSE),
        Count::of("geese in the upper square", in_square, is_geese, for_square),
        // Cells have no names in the game's files.
        Count::new("cells that the foxes can reach", room, !is_geese, -tunable::ROOM[3]),
        Count::of("ways to jump a goose", jumped.map(place), !is_geese, -tunable::THREAT),
    ]
}

/// The reason why a finished game ended; `None` if it is not finished.
pub(crate) fn ending(position: &Position) -> Option<String> {
    let winner = position.outcome()?.winner();
    let board = position.board();
    Some(if board.geese.len() <= LOST_GEESE {
        format!("only {LOST_GEESE} geese are left")
    } else if board.square_is_full() {
        "the upper square is full of geese".to_string()
    } else if winner == Some(GEESE) {
        "no fox can move".to_string()
    } else if board.geese_that_can_move().is_empty() {
        "no goose can move".to_string()
    } else {
        format!("the geese have made their {MOST_MOVES} moves")
    })
}
