//! Boards at the limits of the rules, which games hardly ever reach, for the soak test; some are finished games.

use crate::board::{BLACK, WHITE};
use engine::Side;
use engine::extremes::{TextBoard, limit};
use rand::RngExt;

/// Returns a random board at the limits of the rules: few or many pieces, all pieces but one in the target, a win in
/// one move, a side that must pass, or a finished game.
pub(crate) fn board(side: Side, seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    const SIZE: usize = 16;
    const PIECES: usize = 19;
    let mut board = TextBoard::new(SIZE, SIZE);
    let all: Vec<usize> = (0..SIZE * SIZE).collect();
    let top_left: Vec<usize> =
        [5, 5, 4, 3, 2].iter().enumerate().flat_map(|(y, &width)| (0..width).map(move |x| y * SIZE + x)).collect();
    // Black, the first side, moves towards the bottom right.
    let (own, other, home) = match side {
        BLACK => ('B', 'W', top_left.iter().map(|cell| SIZE * SIZE - 1 - cell).collect()),
        WHITE => ('W', 'B', top_left),
    };
    match random.random_range(0..5) {
        0 => {
            board.scatter(own, limit(1, PIECES, random), &all, random);
            board.scatter(other, limit(1, PIECES, random), &all, random);
        }
        1 => {
            board.scatter(own, PIECES - 1, &home, random);
            board.scatter(own, 1, &all, random);
            board.scatter(other, limit(1, PIECES, random), &all, random);
        }
        2 => {
            board.scatter(own, PIECES - 1, &home, random);
            let hole = home.iter().copied().find(|&cell| board.cells[cell] == '.').unwrap_or(0);
            let near =
                |&cell: &usize| (cell % SIZE).abs_diff(hole % SIZE) <= 2 && (cell / SIZE).abs_diff(hole / SIZE) <= 2;
            let around: Vec<usize> = all.iter().copied().filter(near).filter(|&cell| cell != hole).collect();
            board.scatter(own, 1, &around, random);
            board.scatter(other, limit(1, PIECES, random), &all, random);
        }
        3 => {
            // One piece in the corner, its neighbours occupied and the squares behind them too, so that it cannot move;
            // in one of three boards one of these squares may stay empty.
            board.cells[0] = own;
            let blockers = [1, 2, SIZE, SIZE + 1, 2 * SIZE, 2 * SIZE + 2];
            board.scatter(other, blockers.len() - usize::from(random.random_range(0..3) == 0), &blockers, random);
            board.scatter(other, limit(0, PIECES - blockers.len(), random), &all, random);
            if random.random() {
                board.cells.reverse();
            }
        }
        _ => {
            board.scatter(own, PIECES, &home, random);
            board.scatter(other, limit(1, PIECES, random), &all, random);
        }
    }
    board.text()
}
