//! Boards at their limits, for the soak: hardly ever reached by play, some of them finished.

use engine::extremes::{cross, cross_board};
use rand::RngExt;

/// Foxes and sheep anywhere or in the pen, one fox or two.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    let mut board = cross_board('S', random);
    if random.random_range(0..3) == 0
        && let Some(fox) = board.cells.iter().rposition(|&cell| cell == 'F')
    {
        board.cells[fox] = '.';
    }
    let inside = cross();
    for cell in (0..49).filter(|cell| !inside.contains(cell)) {
        board.cells[cell] = '#';
    }
    board.text()
}
