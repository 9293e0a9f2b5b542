//! Extreme boards for `lab soak`: positions that play hardly ever reaches, some of them finished.

use engine::extremes::{TextBoard, limit};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The number of columns and of rows.
const SIZE: usize = 7;
/// The upper square, which the geese have to fill.
const UPPER_SQUARE: [usize; 9] = [2, 3, 4, 9, 10, 11, 16, 17, 18];
/// A corner of the upper square, for a fox, and cells around it, for the geese that close it in.
const CORNER: (usize, [usize; 7]) = (2, [3, 4, 9, 10, 16, 17, 18]);

/// Whether the board, a cross, has a cell.
fn is_inside(cell: usize) -> bool {
    (2..=4).contains(&(cell % SIZE)) || (2..=4).contains(&(cell / SIZE))
}

/// A random board of 8 to 20 geese, after any number of the geese's moves up to 99: anywhere, or with the upper square
/// nearly or entirely full.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    let board = pieces(random);
    let mut geese: Vec<char> = ('a'..='t').collect();
    geese.shuffle(random);
    let mut foxes = vec!['X', 'Y'];
    foxes.shuffle(random);
    let mut text = format!("MOVES {}\n", limit(0, 99, random));
    for row in 0..SIZE {
        let cells = (SIZE * row..SIZE * (row + 1)).filter(|&cell| is_inside(cell));
        let symbols = cells.map(|cell| match board.cells[cell] {
            'F' => foxes.pop().unwrap_or('-'),
            'G' => geese.pop().unwrap_or('-'),
            _ => '-',
        });
        text += &symbols.map(String::from).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

/// Two foxes, `F`, and the geese, `G`.
fn pieces(random: &mut StdRng) -> TextBoard {
    let mut board = TextBoard::new(SIZE, SIZE);
    let inside: Vec<usize> = (0..SIZE * SIZE).filter(|&cell| is_inside(cell)).collect();
    let least = if random.random_range(0..4) == 0 { 8 } else { 9 };
    let geese = limit(least, 20, random);
    match random.random_range(0..4) {
        0 => {
            let (fox, around) = CORNER;
            board.cells[fox] = 'F';
            board.scatter('G', around.len(), &around, random);
        }
        1 => {
            let inside = limit(8, 9, random);
            board.scatter('G', inside, &UPPER_SQUARE, random);
        }
        _ => {}
    }
    board.scatter('F', 2 - board.count('F'), &inside, random);
    board.scatter('G', geese.saturating_sub(board.count('G')), &inside, random);
    board
}
