//! Boards at the limits of the rules, which games hardly ever reach, for the soak test; some are finished games.

use engine::extremes::{TextBoard, limit};
use rand::RngExt;

/// Returns a random board with the fewest or the most pieces, or with wolves in corners with one way out or none.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    const SIZE: usize = 5;
    let mut board = TextBoard::new(SIZE, SIZE);
    let all: Vec<usize> = (0..SIZE * SIZE).collect();
    if random.random() {
        board.scatter('W', limit(1, 3, random), &all, random);
    } else {
        board.scatter('W', limit(1, 3, random), &[0, 4, 20, 24], random);
        board.scatter('S', limit(4, 8, random), &[1, 5, 3, 9, 15, 21, 19, 23], random);
    }
    let room = 15 - board.count('S');
    board.scatter('S', limit(0, room, random), &all, random);
    board.text()
}
