//! Random boards for `soak` that play hardly ever reaches; in some of them the game is over.

use engine::extremes::{TextBoard, limit};
use rand::RngExt;

/// The number of columns and of rows.
const SIZE: usize = 7;
/// The cells of the pen, by their index in the rows.
const PEN: [usize; 9] = [2, 3, 4, 9, 10, 11, 16, 17, 18];
/// The cell of a fox at the edge of the pen, and the cells of the sheep that leave it no move.
const CORNER: (usize, [usize; 7]) = (2, [3, 4, 9, 10, 16, 17, 18]);

/// Whether a cell of the rows is a point of the board.
fn is_point(cell: usize) -> bool {
    (2..=4).contains(&(cell % SIZE)) || (2..=4).contains(&(cell / SIZE))
}

/// The seven rows of a random board, with one fox or two and 8 to 20 sheep: anywhere, or with the pen nearly or entirely
/// full. The same seed gives the same board.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    let mut board = TextBoard::new(SIZE, SIZE);
    let (points, outside): (Vec<usize>, Vec<usize>) = (0..SIZE * SIZE).partition(|&cell| is_point(cell));
    let least = if random.random_range(0..4) == 0 { 8 } else { 9 };
    let sheep = limit(least, 20, random);
    match random.random_range(0..4) {
        0 => {
            let (fox, around) = CORNER;
            board.cells[fox] = 'F';
            board.scatter('S', around.len(), &around, random);
        }
        1 => {
            let inside = limit(8, 9, random);
            board.scatter('S', inside, &PEN, random);
        }
        _ => {}
    }
    board.scatter('F', 2 - board.count('F'), &points, random);
    board.scatter('S', sheep.saturating_sub(board.count('S')), &points, random);
    if random.random_range(0..3) == 0
        && let Some(fox) = board.cells.iter().rposition(|&cell| cell == 'F')
    {
        board.cells[fox] = '.';
    }
    for cell in outside {
        board.cells[cell] = '#';
    }
    board.text()
}
