//! Boards at their limits, for the soak: hardly ever reached by play, some of them finished.

use engine::extremes::{cross, cross_board, limit};
use rand::seq::SliceRandom;

/// A random board with few or many geese, at any of the geese's moves, the last included.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    let board = cross_board('G', random);
    let mut geese: Vec<char> = ('a'..='t').collect();
    geese.shuffle(random);
    let mut foxes = vec!['X', 'Y'];
    foxes.shuffle(random);
    let mut text = format!("MOVES {}\n", limit(0, 99, random));
    let inside = cross();
    for row in 0..7 {
        let cells = (7 * row..7 * row + 7).filter(|cell| inside.contains(cell));
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
