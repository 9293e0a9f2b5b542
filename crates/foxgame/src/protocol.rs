//! FoxGame's file formats (docs/rules/foxgame.md, "The files"), text pictures, drawings.

use crate::board::{BOARD, Board, PEN, Point, mirror};
use crate::rules::{FOX, LEAST_SHEEP, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use engine::drawing::{Drawing, Figure, Ground, PieceKind, Place, Spelling, Symbols};
use engine::protocol::{Lines, write_header};
use engine::{Game, InputError, OneRuleSet, Protocol, Side, Symmetry, Task, Violation};

/// The first line of the board in an input file.
const BOARD_LINE: usize = 4;

impl Protocol for Position {
    const NAME: &'static str = "foxgame";
    const TITLE: &'static str = "FoxGame (two foxes, twenty sheep)";
    const SIDES: [&'static str; 2] = ["FOX", "SHEEP"];
    /// The deadlock rule ends every game long before this limit.
    const PLY_LIMIT: u32 = 2_000;
    const SYMBOLS: Option<Symbols> = Some(Symbols {
        stride: 1,
        empty: '.',
        pieces: &[
            PieceKind { name: "fox", side: Side::First, symbols: "F", distinct: false },
            PieceKind { name: "sheep", side: Side::Second, symbols: "S", distinct: false },
        ],
    });
    const SPELLING: Option<Spelling> = Some(Spelling::Steps);
    /// Sheep walk up the board.
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::None, Symmetry::LeftRight];
    type Rules = OneRuleSet;

    fn why_over(&self) -> Option<String> {
        self.ending().map(|ending| ending.reason().to_string())
    }

    fn start(_: OneRuleSet) -> Position {
        Position::initial()
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let board = read_board(&mut lines)?;
        let earlier = read_history(&mut lines, board)?;
        let position = Position::with_history(earlier, board, side);
        match position.ending() {
            None if position.legal_moves().is_empty() => {
                Err(InputError::new(BOARD_LINE, "a position to play", "one where no fox can move"))
            }
            None => Ok(Task { position, control, clock }),
            Some(ending) => {
                let found = format!("a game that is over: {}", ending.reason());
                Err(InputError::new(BOARD_LINE, "a position to play", found))
            }
        }
    }

    fn write_task(task: &Task<Position>) -> String {
        let mut text = write_header(task) + &rows(task.position.board());
        for &earlier in task.position.history() {
            text.extend(BOARD.into_iter().map(|point| symbol(earlier, Some(point))));
            text.push('\n');
        }
        text
    }

    fn write_move(&self, mv: Move) -> String {
        if mv.captured.is_empty() {
            return format!("E {} {}\n", mv.from, mv.to);
        }
        self.stops(mv)
            .windows(2)
            .fold(String::new(), |text, jump| text + &format!("J {} {}\n", jump[0], jump[1]))
    }

    fn read_move(&self, text: &str) -> Result<Move, Violation> {
        crate::parse_move::read_move(self, text)
    }

    /// A step is written `3,2-3,3`, a chain `2,0x4,2x2,4`.
    fn describe_move(&self, mv: Move) -> String {
        let names: Vec<String> = self.stops(mv).iter().map(Point::to_string).collect();
        names.join(if mv.captured.is_empty() { "-" } else { "x" })
    }

    /// The board as text. Of the last move, the start is `o` if it is empty, captured sheep are
    /// `x`, and the end has a `>` before it.
    fn picture(&self, last: Option<Move>) -> String {
        let board = self.board();
        let mut text = String::from("    0 1 2 3 4 5 6\n");
        for y in 0..7 {
            text.push_str(&format!("  {y}"));
            for x in 0..7 {
                let point = Point::new(x, y);
                let taken = last.map(|mv| mv.captured).unwrap_or_default();
                let shown = match symbol(board, point) {
                    '#' => ' ',
                    '.' if point.is_some_and(|point| taken.contains(point)) => 'x',
                    '.' if last.map(|mv| mv.from) == point => 'o',
                    symbol => symbol,
                };
                let ends_here = shown.is_ascii_uppercase() && last.map(|mv| mv.to) == point;
                text.push(if ends_here { '>' } else { ' ' });
                text.push(shown);
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }

    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        self.board().foxes.into_iter().for_each(|fox| visit(spot(fox), FOX));
        self.board().sheep.into_iter().for_each(|sheep| visit(spot(sheep), SHEEP));
    }

    fn turned(&self, symmetry: Symmetry) -> Position {
        if symmetry == Symmetry::None {
            return self.clone();
        }
        let turned =
            |board: Board| Board { foxes: mirror(board.foxes), sheep: mirror(board.sheep) };
        let earlier = self.history().iter().map(|&board| turned(board)).collect();
        Position::with_history(earlier, turned(self.board()), self.side_to_move())
    }

    fn path(&self, mv: Move) -> Vec<Place> {
        self.stops(mv).into_iter().map(spot).collect()
    }

    fn drawing(&self, last: Option<(&Position, Move)>) -> Option<Drawing> {
        let mut drawing = Drawing::new(7, 7);
        (drawing.figures, drawing.ground) = ([Figure::Fox, Figure::Sheep], Ground::Sand);
        for (x, y) in (0..7).flat_map(|y| (0..7).map(move |x| (x, y))) {
            let point = Point::new(x, y);
            let cell = drawing.cell((x, y));
            cell.missing = point.is_none();
            cell.zone = point.filter(|&point| PEN.contains(point)).map(|_| SHEEP);
            cell.piece = match symbol(self.board(), point) {
                'F' => Some((FOX, ' ')),
                'S' => Some((SHEEP, ' ')),
                _ => None,
            };
        }
        for from in BOARD {
            let later = from.neighbours().into_iter().filter(|&to| to > from);
            drawing.lines.extend(later.map(|to| (spot(from), spot(to))));
        }
        if let Some((before, mv)) = last {
            drawing.path = before.path(mv);
            drawing.changed = mv.captured.into_iter().map(spot).collect();
        }
        Some(drawing)
    }
}

pub(crate) fn spot(point: Point) -> Place {
    (point.x(), point.y())
}

/// The symbol of a cell of the 7 by 7 grid: `F` or `S` for a piece, `.` for an empty point, `#` off
/// the board.
fn symbol(board: Board, point: Option<Point>) -> char {
    match point {
        Some(point) if board.foxes.contains(point) => 'F',
        Some(point) if board.sheep.contains(point) => 'S',
        Some(_) => '.',
        None => '#',
    }
}

/// The seven rows of the board in an input file, each with a line feed.
pub(crate) fn rows(board: Board) -> String {
    (0..7)
        .map(|y| (0..7).map(|x| symbol(board, Point::new(x, y))).collect::<String>() + "\n")
        .collect()
}

fn read_board(lines: &mut Lines) -> Result<Board, InputError> {
    let mut board = Board::default();
    for y in 0..7 {
        let expected = match Point::new(0, y) {
            None => "7 symbols: ##, three of F, S or ., and ##",
            Some(_) => "7 symbols F, S or .",
        };
        let row = lines.row(7, expected, |symbol| "FS.#".contains(symbol).then_some(symbol))?;
        for (x, symbol) in row.into_iter().enumerate() {
            match Point::new(x, y) {
                Some(point) if symbol != '#' => place(&mut board, symbol, point),
                None if symbol == '#' => {}
                _ => return Err(lines.error(expected, format!("'{symbol}' in column {}", x + 1))),
            }
        }
    }
    let check = |name: &str, count: u32, least: u32, most: u32| {
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let over = if count < least { ": the game is over" } else { "" };
        let expected = format!("{least} to {most} {name}");
        Err(InputError::new(BOARD_LINE, expected, format!("{count}{over}")))
    };
    check("foxes", board.foxes.len(), 1, 2)?;
    check("sheep", board.sheep.len(), LEAST_SHEEP, MOST_SHEEP)?;
    Ok(board)
}

fn place(board: &mut Board, symbol: char, point: Point) {
    match symbol {
        'F' => board.foxes.insert(point),
        'S' => board.sheep.insert(point),
        _ => {}
    }
}

/// Reads the earlier boards, to the end of the file.
fn read_history(lines: &mut Lines, present: Board) -> Result<Vec<Board>, InputError> {
    const EXPECTED: &str = "an earlier board of 33 symbols F, S or .";
    let mut earlier: Vec<Board> = Vec::new();
    let first = lines.number();
    while lines.remaining() > 0 {
        let row = lines.row(33, EXPECTED, |symbol| "FS.".contains(symbol).then_some(symbol))?;
        let mut board = Board::default();
        BOARD.into_iter().zip(row).for_each(|(point, symbol)| place(&mut board, symbol, point));
        let (sheep, now) = (board.sheep.len(), present.sheep.len());
        if sheep != now {
            let expected =
                format!("an earlier board since the last capture, with {now} sheep as now");
            return Err(lines.error(expected, format!("{sheep} sheep")));
        }
        if board.foxes.len() > 2 {
            return Err(lines.error("a board with 1 or 2 foxes", board.foxes.len().to_string()));
        }
        if board == present {
            let expected = "a board unlike the one from line 4 on (it is not listed itself, and the game is over if it stood before)";
            return Err(lines.error(expected, "the same board"));
        }
        if earlier.last().is_some_and(|&before| !can_follow(before, board)) {
            let line = lines.number() - 2;
            let found = "one with a sheep that went back or a fox that returned";
            return Err(
                lines.error(format!("a board that can come after the one of line {line}"), found)
            );
        }
        earlier.push(board);
    }
    match earlier.last() {
        Some(&last) if !can_follow(last, present) => {
            let line = first + earlier.len() - 1;
            let found = "one with a sheep ahead of it or a fox missing";
            Err(InputError::new(line, "a board that can come before the one from line 4 on", found))
        }
        _ => Ok(earlier),
    }
}

/// Whether `after` can come later than `before`: no sheep has gone back, and no fox has returned.
fn can_follow(before: Board, after: Board) -> bool {
    sum_of_rows(after.sheep) <= sum_of_rows(before.sheep) && after.foxes.len() <= before.foxes.len()
}
