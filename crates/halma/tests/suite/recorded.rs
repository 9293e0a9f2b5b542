//! Recorded positions with their legal moves, as files in `tests/recorded/`, and the generator that makes them.
//!
//! A file holds the 19 lines of an input file. For each rule set follow a line `NAME PERFT_1 PERFT_2` and a line for each
//! piece that can move: its square, then the squares where it may end. The positions come from random games and random
//! boards, and the moves and the perft figures from the slow generator, without any code of the crate.

use crate::slow::{SlowBoard, SlowMove, in_camp};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// Whether a board, for its side to move, belongs to a case.
type Condition = fn(&Features) -> bool;

/// The names of the cases that are sampled for both sides, and what their boards have in common.
const SAMPLED: &[(&str, Condition)] = &[
    ("long-chains", |board| board.most_ends >= 24),
    ("addendum-rule-1", |board| board.at_home == 0 && board.addendum.len() < board.base.len()),
    ("must-leave-camp", |board| board.leaving > 0 && board.addendum.len() < board.base.len()),
    ("must-go-further-in-camp", |board| {
        board.leaving == 0 && board.within_camp == board.addendum.len() && board.addendum.len() < board.base.len()
    }),
    ("free-with-piece-in-camp", |board| {
        board.at_home > 0 && board.leaving == 0 && board.within_camp < board.addendum.len()
    }),
    ("stays-in-opposing-camp", |board| board.confined > 2),
    ("win-in-one", |board| board.wins > 0 && !board.is_filled),
    ("last-hole-filled-by-opponent", |board| board.is_filled && board.arrived < 19 && board.wins > 0),
];

/// The names of the cases of single boards.
const SINGLE: [&str; 4] = ["start", "opening", "middle-game", "pass"];

/// A recorded position.
pub(crate) struct Case {
    pub name: String,
    /// The input file.
    pub text: String,
    pub base: Recorded,
    pub addendum: Recorded,
}

/// The legal moves of a position by one rule set, without passes, and its perft figures at depths 1 and 2.
#[derive(Debug, PartialEq)]
pub(crate) struct Recorded {
    pub moves: BTreeSet<SlowMove>,
    pub perft: [u64; 2],
}

impl Recorded {
    /// Computes the moves and figures with the slow generator.
    pub(crate) fn by_slow_generator(text: &str, addendum: bool) -> Recorded {
        let board = SlowBoard::read(text, addendum);
        Recorded { moves: board.moves(), perft: [1, 2].map(|depth| board.perft(depth)) }
    }

    fn write(&self, name: &str, out: &mut String) {
        write!(out, "{name} {} {}", self.perft[0], self.perft[1]).unwrap();
        let mut piece = None;
        for &(fx, fy, tx, ty) in &self.moves {
            if piece.replace((fx, fy)) != Some((fx, fy)) {
                write!(out, "\n{fx},{fy}").unwrap();
            }
            write!(out, " {tx},{ty}").unwrap();
        }
        out.push('\n');
    }

    /// Parses the lines of one rule set, up to the heading of the next one.
    fn read<'a>(name: &str, lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Recorded {
        let heading: Vec<&str> = lines.next().unwrap().split(' ').collect();
        assert_eq!(heading[0], name);
        let perft = [1, 2].map(|index| heading[index].parse().unwrap());
        let mut moves = BTreeSet::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(|symbol: char| symbol.is_ascii_digit())) {
            let mut squares = line.split(' ').map(|word| {
                let (x, y) = word.split_once(',').unwrap();
                (x.parse::<i32>().unwrap(), y.parse::<i32>().unwrap())
            });
            let (fx, fy) = squares.next().unwrap();
            moves.extend(squares.map(|(tx, ty)| (fx, fy, tx, ty)));
        }
        Recorded { moves, perft }
    }
}

/// Returns the names of all cases.
fn names() -> Vec<String> {
    let sampled = SAMPLED.iter().flat_map(|(name, _)| [format!("{name}-black"), format!("{name}-white")]);
    SINGLE.map(str::to_owned).into_iter().chain(sampled).collect()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(format!("{name}.txt"))
}

/// Reads all recorded positions.
///
/// # Panics
/// If a file is missing or damaged.
pub(crate) fn cases() -> Vec<Case> {
    let read = |name: String| {
        let path = file(&name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = text.lines().peekable();
        let input: Vec<&str> = lines.by_ref().take(19).collect();
        let input = input.join("\n") + "\n";
        let base = Recorded::read("base", &mut lines);
        let addendum = Recorded::read("addendum", &mut lines);
        assert_eq!(lines.next(), None, "{}: more lines than expected", path.display());
        Case { name, text: input, base, addendum }
    };
    names().into_iter().map(read).collect()
}

/// Writes the files of all cases; `cargo test -p halma --test suite -- --ignored recorded` calls it.
pub(crate) fn write_all() {
    for name in names() {
        let text = input_of(&name);
        let mut out = text.clone();
        Recorded::by_slow_generator(&text, false).write("base", &mut out);
        Recorded::by_slow_generator(&text, true).write("addendum", &mut out);
        std::fs::write(file(&name), out).unwrap();
    }
}

/// Returns the input file of a case.
fn input_of(name: &str) -> String {
    let mut random = StdRng::seed_from_u64(33);
    let board = match name {
        "start" => SlowBoard::start('W', true),
        "opening" => after_game(&mut random, 24),
        "middle-game" => after_game(&mut random, 80),
        "pass" => {
            let mut board = SlowBoard { cells: [['.'; 16]; 16], turn: 'B', addendum: true };
            (0..9).for_each(|cell| board.cells[15 - cell / 3][15 - cell % 3] = 'W');
            board.cells[15][15] = 'B';
            board
        }
        _ => {
            let (name, side) = name.rsplit_once('-').unwrap();
            let turn = if side == "black" { 'B' } else { 'W' };
            let (_, condition) = SAMPLED.iter().find(|(sampled, _)| *sampled == name).unwrap();
            let boards = std::iter::repeat_with(|| random_board(&mut random, turn));
            let fits = |board: &SlowBoard| Features::of(board).is_some_and(|features| condition(&features));
            boards.take(200_000).find(fits).unwrap_or_else(|| panic!("no board for {name}"))
        }
    };
    let side = if board.turn == 'B' { "BLACK" } else { "WHITE" };
    let rows: String = board.cells.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    format!("GAME\n{side}\n10\n{rows}")
}

/// The properties of a board that the conditions of cases refer to.
struct Features {
    base: BTreeSet<SlowMove>,
    addendum: BTreeSet<SlowMove>,
    /// The number of own pieces in the own camp.
    at_home: usize,
    /// The number of own pieces in the opposing camp.
    arrived: usize,
    /// The largest number of squares where one piece may end by the base rules.
    most_ends: usize,
    /// The number of moves by the addendum that leave the own camp.
    leaving: usize,
    /// The number of moves by the addendum within the own camp.
    within_camp: usize,
    /// The number of own pieces in the opposing camp next to an empty square outside.
    confined: usize,
    /// The number of winning moves.
    wins: usize,
    /// Whether the opposing camp is full already, with the side to move on turn.
    is_filled: bool,
}

impl Features {
    /// Returns the features of a board that has pieces of both sides and is not lost for its side to move.
    fn of(board: &SlowBoard) -> Option<Features> {
        let (own, other) = if board.turn == 'B' { ('B', 'W') } else { ('W', 'B') };
        let is_missing = |side: char| !board.cells.iter().flatten().any(|&cell| cell == side);
        if board.won_by(other) || is_missing(own) || is_missing(other) {
            return None;
        }
        let base = SlowBoard { addendum: false, ..board.clone() }.moves();
        let addendum = SlowBoard { addendum: true, ..board.clone() }.moves();
        let squares = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
        let pieces: Vec<(i32, i32)> =
            squares.clone().filter(|&(x, y)| board.cells[y as usize][x as usize] == own).collect();
        let is_next_to_exit = |&(x, y): &(i32, i32)| {
            squares.clone().any(|(ox, oy)| {
                (ox - x).abs().max((oy - y).abs()) == 1
                    && !in_camp(other, ox, oy)
                    && board.cells[oy as usize][ox as usize] == '.'
            })
        };
        let ends = |&piece: &(i32, i32)| base.iter().filter(|&&(fx, fy, ..)| (fx, fy) == piece).count();
        let from_camp = || addendum.iter().filter(|&&(fx, fy, ..)| in_camp(own, fx, fy));
        Some(Features {
            at_home: pieces.iter().filter(|&&(x, y)| in_camp(own, x, y)).count(),
            arrived: pieces.iter().filter(|&&(x, y)| in_camp(other, x, y)).count(),
            most_ends: pieces.iter().map(ends).max().unwrap_or(0),
            leaving: from_camp().filter(|&&(.., tx, ty)| !in_camp(own, tx, ty)).count(),
            within_camp: from_camp().filter(|&&(.., tx, ty)| in_camp(own, tx, ty)).count(),
            confined: pieces
                .iter()
                .filter(|&&(x, y)| in_camp(other, x, y))
                .filter(|piece| is_next_to_exit(piece))
                .count(),
            wins: base.iter().filter(|&&mv| board.after(mv).won_by(own)).count(),
            is_filled: board.won_by(own),
            base,
            addendum,
        })
    }
}

/// Returns the board after some plies of a random game by the addendum in which each move is the best of four random ones
/// for going forward.
fn after_game(random: &mut StdRng, plies: usize) -> SlowBoard {
    let mut board = SlowBoard::start('W', true);
    for _ in 0..plies {
        let moves: Vec<SlowMove> = board.moves().into_iter().collect();
        let forward =
            |&(fx, fy, tx, ty): &SlowMove| if board.turn == 'B' { tx + ty - fx - fy } else { fx + fy - tx - ty };
        let drawn = [0; 4].map(|_| moves[random.random_range(0..moves.len())]);
        let mv = drawn.into_iter().max_by_key(forward).unwrap();
        board = board.after(mv);
    }
    board
}

/// Returns a random board with up to 19 pieces a side: scattered ones, or ones in which one side has nearly filled the
/// opposing camp.
fn random_board(random: &mut StdRng, turn: char) -> SlowBoard {
    let mut board = SlowBoard { cells: [['.'; 16]; 16], turn, addendum: true };
    let other = if turn == 'B' { 'W' } else { 'B' };
    let mut left = [(turn, random.random_range(1..=19)), (other, random.random_range(1..=19))];
    if random.random() {
        let (filler, owner) = if random.random() { (turn, other) } else { (other, turn) };
        let (holes, owners_pieces) = (random.random_range(0..=2), random.random_range(0..=1));
        let squares = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
        let mut camp: Vec<(usize, usize)> = squares.filter(|&(x, y)| in_camp(owner, x as i32, y as i32)).collect();
        camp.shuffle(random);
        for (number, &(x, y)) in camp[holes..].iter().enumerate() {
            board.cells[y][x] = if number < owners_pieces { owner } else { filler };
        }
        left = [(filler, holes + owners_pieces), (owner, random.random_range(1..=6))];
    }
    for (piece, count) in left {
        for _ in 0..count {
            // Coordinates near the edges are more frequent, so that the camps are not empty.
            let mut coordinate = || {
                let value: usize = random.random_range(0..16);
                if random.random() { value % 6 + random.random_range(0..2) * 10 } else { value }
            };
            let (x, y) = (coordinate(), coordinate());
            if board.cells[y][x] == '.' {
                board.cells[y][x] = piece;
            }
        }
    }
    board
}
