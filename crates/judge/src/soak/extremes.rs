//! Hand-made extremes of each game, as the part of an input file after its third line: boards that play hardly ever leads
//! to, some of them over. Whether there is anything to play, the game's own parser says.

use engine::Side;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// A board of this game at its limits, for this side to move; `None` for games without such boards.
pub fn body(game: &str, side: Side, seed: u64) -> Option<String> {
    let mut random = StdRng::seed_from_u64(seed);
    Some(match game {
        "halma" => halma(side, &mut random),
        "wolves" => wolves(&mut random),
        "squirrels" => squirrels(&mut random),
        "foxgame" => foxgame(&mut random),
        "foxgeese" => foxgeese(&mut random),
        _ => return None,
    })
}

/// The least, the most, or something between them.
fn limit(least: usize, most: usize, random: &mut StdRng) -> usize {
    match random.random_range(0..3) {
        0 => least,
        1 => most,
        _ => random.random_range(least..=most),
    }
}

/// A board of rows; cells by number, row by row.
struct Board {
    cells: Vec<char>,
    width: usize,
}

impl Board {
    fn new(width: usize, height: usize) -> Board {
        Board { cells: vec!['.'; width * height], width }
    }

    /// Puts so many pieces on empty cells of these, at random; fewer if there is no more room.
    fn scatter(&mut self, symbol: char, count: usize, among: &[usize], random: &mut StdRng) {
        let mut free: Vec<usize> = among.iter().copied().filter(|&cell| self.cells[cell] == '.').collect();
        free.shuffle(random);
        free.into_iter().take(count).for_each(|cell| self.cells[cell] = symbol);
    }

    fn count(&self, symbol: char) -> usize {
        self.cells.iter().filter(|&&cell| cell == symbol).count()
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        self.cells.chunks(self.width).map(|row| row.iter().collect())
    }

    fn text(&self) -> String {
        self.rows().map(|row| row + "\n").collect()
    }
}

/// One piece against one or nineteen, all home but one, a win in one move, a side that must pass, a won board.
fn halma(side: Side, random: &mut StdRng) -> String {
    const SIZE: usize = 16;
    const PIECES: usize = 19;
    let mut board = Board::new(SIZE, SIZE);
    let all: Vec<usize> = (0..SIZE * SIZE).collect();
    let top_left: Vec<usize> =
        [5, 5, 4, 3, 2].iter().enumerate().flat_map(|(y, &width)| (0..width).map(move |x| y * SIZE + x)).collect();
    // Black, the first side, moves towards the bottom right.
    let (own, other, home) = match side {
        Side::First => ('B', 'W', top_left.iter().map(|cell| SIZE * SIZE - 1 - cell).collect()),
        Side::Second => ('W', 'B', top_left),
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
            // The corner's neighbours, and what lies behind them; or all but one of these.
            board.cells[0] = own;
            let wall = [1, 2, SIZE, SIZE + 1, 2 * SIZE, 2 * SIZE + 2];
            board.scatter(other, wall.len() - usize::from(random.random_range(0..3) == 0), &wall, random);
            board.scatter(other, limit(0, PIECES - wall.len(), random), &all, random);
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

/// The fewest and the most pieces, wolves in corners with one way out or none.
fn wolves(random: &mut StdRng) -> String {
    const SIZE: usize = 5;
    let mut board = Board::new(SIZE, SIZE);
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

/// Values all alike, boards empty, of one colour, full but for a few squares, or full.
fn squirrels(random: &mut StdRng) -> String {
    const SIZE: usize = 5;
    let mut board = Board::new(SIZE, SIZE);
    let all: Vec<usize> = (0..SIZE * SIZE).collect();
    let (low, high) = [(1, 1), (99, 99), (1, 2), (1, 99)][random.random_range(0..4)];
    let values: String = (0..SIZE)
        .map(|_| (0..SIZE).map(|_| random.random_range(low..=high).to_string()).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let taken = match random.random_range(0..3) {
        0 => limit(0, 2, random),
        _ => limit(SIZE * SIZE - 3, SIZE * SIZE, random),
    };
    let crosses = limit(0, taken, random);
    board.scatter('X', crosses, &all, random);
    board.scatter('O', taken - crosses, &all, random);
    values + &board.text().replace('.', "*")
}

/// The cells of the cross that Foxes and Geese and FoxGame are played on, of a board 7 wide.
fn cross() -> Vec<usize> {
    (0..49).filter(|cell| (2..=4).contains(&(cell % 7)) || (2..=4).contains(&(cell / 7))).collect()
}

/// The upper square of nine: FoxGame's pen, and what geese fill.
fn upper_square() -> Vec<usize> {
    cross().into_iter().filter(|cell| cell / 7 < 3 && (2..=4).contains(&(cell % 7))).collect()
}

/// A fox or two and as few or many of the others as there can be: anywhere, or in the upper square, which they may fill.
fn cross_board(prey: char, random: &mut StdRng) -> Board {
    let mut board = Board::new(7, 7);
    let all = cross();
    let least = if random.random_range(0..4) == 0 { 8 } else { 9 };
    let count = limit(least, 20, random);
    match random.random_range(0..4) {
        // A fox in a corner that little leads out of.
        0 => {
            board.cells[2] = 'F';
            board.scatter(prey, 7, &[3, 4, 9, 10, 16, 17, 18], random);
        }
        1 => {
            let inside = limit(8, 9, random);
            board.scatter(prey, inside, &upper_square(), random);
        }
        _ => {}
    }
    board.scatter('F', 2 - board.count('F'), &all, random);
    let rest = count.saturating_sub(board.count(prey));
    board.scatter(prey, rest, &all, random);
    board
}

fn foxgame(random: &mut StdRng) -> String {
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

/// Also at the last of the geese's moves.
fn foxgeese(random: &mut StdRng) -> String {
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
