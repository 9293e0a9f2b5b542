//! Where the positions of each game come from: random positions in which both sides are close to their goals.

use engine::{Explain, Game, RuleSet, split_mix};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use squirrels::board::{Squares, Values};
use std::array;
use std::fmt::Write;
use std::sync::Arc;

/// A game with what the finder of only moves needs. The rules are those of the agents.
pub(crate) trait Source: Explain {
    /// The depth of a proof, in plies.
    const DEPTH: u32;
    /// The number of positions that are looked at, if the command line gives none.
    const TRIES: u64;
    /// The fewest legal moves of a position.
    const FEWEST: usize = 5;
    /// The fewest plies to the end of the game. A win by the next move is no puzzle.
    const SHORTEST: u32 = 3;
    /// The fewest cells, counted by their owners, in which two puzzles differ, mirrored or not.
    const UNLIKE: usize;
    /// The unit of the results in the file: plies to the end, or points.
    const UNIT: &'static str = "plies";

    /// A random position; `None` if the rules refuse what was drawn.
    fn random(random: &mut StdRng) -> Option<Self>;
}

/// Reads a position from its lines in an input file, after those of time control, side and clock.
fn read<G: Explain>(random: &mut StdRng, lines: &str) -> Option<G> {
    let side = G::SIDES[random.random_range(0..2)];
    Some(G::read_task(&format!("GAME\n{side}\n600\n{lines}"), G::Rules::AGENT).ok()?.position)
}

/// Puts `count` symbols on random empty cells among the given ones.
fn put<const W: usize, const H: usize>(
    board: &mut [[char; W]; H],
    among: impl Iterator<Item = (usize, usize)>,
    count: usize,
    symbol: char,
    random: &mut StdRng,
) {
    let mut cells: Vec<_> = among.filter(|&(x, y)| board[y][x] == '.').collect();
    cells.shuffle(random);
    for (x, y) in cells.into_iter().take(count) {
        board[y][x] = symbol;
    }
}

/// The columns and rows of a rectangle.
fn area(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

fn text<const W: usize, const H: usize>(board: &[[char; W]; H]) -> String {
    board.iter().flat_map(|row| row.iter().copied().chain(['\n'])).collect()
}

impl Source for halma::Position {
    const DEPTH: u32 = 5;
    const TRIES: u64 = 8_000;
    const UNLIKE: usize = 6;

    /// A race: one or two pieces of each side are a few squares before the camp that the others have filled.
    fn random(random: &mut StdRng) -> Option<Self> {
        /// The widths of the rows of a camp (rules page, The board).
        const WIDTHS: [usize; 5] = [5, 5, 4, 3, 2];
        let mut board = [['.'; 16]; 16];
        for side in 0..2 {
            // White's camp is Black's turned about.
            let turned = |(x, y): (usize, usize)| if side == 0 { (x, y) } else { (15 - x, 15 - y) };
            let camp: Vec<_> = area(0..5, 0..5).filter(|&(x, y)| x < WIDTHS[y]).map(turned).collect();
            let symbol = ['W', 'B'][side];
            let out = random.random_range(1..=2);
            put(&mut board, camp.iter().copied(), camp.len() - out, symbol, random);
            let near = area(0..9, 0..9).filter(|&(x, y)| (5..=9).contains(&(x + y)) && !(y < 5 && x < WIDTHS[y]));
            put(&mut board, near.map(turned), out, symbol, random);
        }
        read(random, &text(&board))
    }
}

impl Source for wolves::Position {
    const DEPTH: u32 = 9;
    const TRIES: u64 = 60_000;
    const UNLIKE: usize = 5;

    fn random(random: &mut StdRng) -> Option<Self> {
        let mut board = [['.'; 5]; 5];
        put(&mut board, area(0..5, 0..5), 2, 'W', random);
        let sheep = random.random_range(3..=10);
        put(&mut board, area(0..5, 0..5), sheep, 'S', random);
        read(random, &text(&board))
    }
}

impl Source for squirrels::Position {
    const DEPTH: u32 = 10;
    const TRIES: u64 = 3_000;
    const SHORTEST: u32 = 0;
    const UNLIKE: usize = 6;
    const UNIT: &'static str = "points";

    fn random(random: &mut StdRng) -> Option<Self> {
        let empty = random.random_range(5..=10);
        let random = &mut StdRng::seed_from_u64(split_mix(random.random()));
        let values = Arc::new(Values::new(array::from_fn(|_| random.random_range(1..=99_u8).into())));
        let mut position = squirrels::Position::new(values, [Squares::EMPTY; 2], squirrels::rules::X);
        while position.empty().len() > empty {
            let moves = position.legal_moves();
            position.play(moves[random.random_range(0..moves.len())]);
        }
        Some(position)
    }
}

impl Source for foxgame::Position {
    const DEPTH: u32 = 7;
    const TRIES: u64 = 100_000;
    const UNLIKE: usize = 5;

    /// Most points of the pen are taken by sheep, and few sheep are left.
    fn random(random: &mut StdRng) -> Option<Self> {
        let mut board = array::from_fn(|y| array::from_fn(|x| if cross(x, y) { '.' } else { '#' }));
        let (sheep, home) = (random.random_range(9..=10), random.random_range(5..=8));
        let foxes = random.random_range(1..=2);
        put::<7, 7>(&mut board, area(2..5, 0..3), home, 'S', random);
        put(&mut board, area(0..7, 0..5), foxes, 'F', random);
        put(&mut board, area(0..7, 2..6), sheep - home, 'S', random);
        read(random, &text(&board))
    }
}

/// Whether a cell of 7 x 7 is in the cross of 33.
fn cross(x: usize, y: usize) -> bool {
    (2..5).contains(&x) || (2..5).contains(&y)
}

impl Source for foxgeese::Position {
    const DEPTH: u32 = 9;
    const TRIES: u64 = 10_000;
    const UNLIKE: usize = 6;

    /// Most cells of the upper square are taken by geese, and the geese have at most four moves left of their hundred, so
    /// that every position is decided within eight plies.
    fn random(random: &mut StdRng) -> Option<Self> {
        let mut board = array::from_fn(|y| array::from_fn(|x| if cross(x, y) { '.' } else { ' ' }));
        let (geese, home) = (random.random_range(9..=13), random.random_range(5..=8));
        put::<7, 7>(&mut board, area(2..5, 0..3), home, 'g', random);
        put(&mut board, area(0..7, 0..5), 1, 'X', random);
        put(&mut board, area(0..7, 0..5), 1, 'Y', random);
        put(&mut board, area(0..7, 2..6), geese - home, 'g', random);
        let (mut lines, mut letters) = (format!("MOVES {}\n", random.random_range(96..=98)), 'a'..='t');
        for row in board {
            for cell in row.into_iter().filter(|cell| *cell != ' ') {
                let symbol = match cell {
                    'g' => letters.next()?,
                    '.' => '-',
                    fox => fox,
                };
                let _ = write!(lines, "{symbol} ");
            }
            lines.push('\n');
        }
        read(random, &lines)
    }
}
