//! The competition's files (`docs/rules/squirrels.md`, "The files").

use crate::board::{ALL, MOST_VALUE, SIZE, SQUARES, Square, Squares, Values};
use crate::rules::{Move, O, Position, X};
use engine::drawing::{CellValues, Drawing, Figure, Ground, PieceKind, Place, Spelling, Symbols};
use engine::protocol::{Lines, quote, write_header};
use engine::{Game, InputError, OneRuleSet, Protocol, Side, Symmetry, Task, Violation};
use std::sync::Arc;

const HOMEWORK_VALUES: [u16; SQUARES] =
    [20, 16, 1, 32, 30, 20, 12, 2, 11, 8, 28, 48, 9, 1, 1, 20, 12, 10, 6, 2, 25, 30, 23, 21, 10];

const COLUMNS: [&str; SIZE] = ["A", "B", "C", "D", "E"];
const VALUES_LINE: &str = "5 values from 0 to 10000";
const BOARD_LINE: &str = "5 symbols *, X or O";

impl Protocol for Position {
    const NAME: &'static str = "squirrels";
    const TITLE: &'static str = "Squirrels (5 x 5, Raid and Sneak)";
    const SIDES: [&'static str; 2] = ["X", "O"];
    const SYMBOLS: Option<Symbols> = Some(Symbols {
        stride: 1,
        empty: '*',
        pieces: &[
            PieceKind { name: "X", side: Side::First, symbols: "X", distinct: false },
            PieceKind { name: "O", side: Side::Second, symbols: "O", distinct: false },
        ],
    });
    const SPELLING: Option<Spelling> = Some(Spelling::Code(SQUARES as u32));
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::ALL;
    type Rules = OneRuleSet;

    /// The empty board with the homework's values.
    fn start(_: OneRuleSet) -> Position {
        Position::new(Arc::new(Values::new(HOMEWORK_VALUES)), [Squares::EMPTY; 2], X)
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let (values, pieces) = read_boards(&mut lines)?;
        lines.end()?;
        let position = Position::new(Arc::new(values), pieces, side);
        if position.outcome().is_some() {
            let found = "a full board";
            return Err(InputError::new(4 + SIZE, "a board with an empty square", found));
        }
        Ok(Task { position, control, clock })
    }

    fn write_task(task: &Task<Position>) -> String {
        let mut text = write_header(task);
        for row in task.position.values().squares().chunks(SIZE) {
            text += &row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
            text.push('\n');
        }
        text + &board_lines(&task.position)
    }

    fn write_move(&self, mv: Move) -> String {
        let after = self.after(mv);
        format!("{}\n{}", self.describe_move(mv), board_lines(&after))
    }

    fn read_move(&self, text: &str) -> Result<Move, Violation> {
        let mut lines = Lines::new(text);
        let first = lines.next_line("a square and Raid or Sneak, such as C3 Raid")?;
        let refused = || {
            let expected = "a square from A1 to E5 and Raid or Sneak, such as C3 Raid";
            Violation::format(1, format!("expected {expected}, found {}", quote(first)))
        };
        let words: Vec<&str> = first.split_whitespace().collect();
        let (square, raid) = match words[..] {
            [square, "Raid"] => (square, true),
            [square, "Sneak"] => (square, false),
            _ => return Err(refused()),
        };
        let square: Square = square.parse().map_err(|_| refused())?;
        let pieces = read_pieces(&mut lines)?;
        lines.end()?;
        let mv = Move(square);
        if !self.is_legal(mv) {
            return Err(Violation::Illegal(format!("{square} is taken already")));
        }
        if raid != self.is_raid(square) {
            let own = Self::side_word(self.side_to_move());
            let (number, kind) = if raid { ("no", "Sneak") } else { ("a", "Raid") };
            return Err(Violation::Illegal(format!(
                "{square} touches {number} piece of {own}: it is a {kind}"
            )));
        }
        let after = self.after(mv);
        for square in ALL {
            let (expected, found) =
                (symbol(&after.pieces_of_both(), square), symbol(&pieces, square));
            if expected != found {
                let (line, mv) = (2 + square.row(), quote(first));
                return Err(Violation::Illegal(format!(
                    "line {line}: {square} should be {expected} after {mv}, found {found}"
                )));
            }
        }
        Ok(mv)
    }

    fn describe_move(&self, Move(square): Move) -> String {
        format!("{square} {}", if self.is_raid(square) { "Raid" } else { "Sneak" })
    }

    /// Draws each piece before its square's value. The square taken last is in brackets.
    fn picture(&self, last: Option<Move>) -> String {
        let largest =
            self.values().squares().iter().max().map_or(0, |value| value.to_string().len());
        let digits = largest.max(3);
        let columns = COLUMNS.map(|column| format!("{column:>4}{:digits$}", "")).concat();
        let mut text = format!("    {}\n", columns.trim_end());
        let pieces = self.pieces_of_both();
        for square in ALL {
            if square.column() == 0 {
                text += &format!("{:>3} ", square.row() + 1);
            }
            let (left, right) = if last == Some(Move(square)) { ('[', ']') } else { (' ', ' ') };
            let (value, symbol) = (self.values().of(square), symbol(&pieces, square));
            text += &format!(" {left}{symbol}{value:>digits$}{right}{}", line_end(square));
        }
        text + &format!("    X {}, O {}\n", self.points(X), self.points(O))
    }

    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        for side in Side::BOTH {
            self.pieces(side).into_iter().for_each(|square| visit(place(square), side));
        }
    }

    fn turned(&self, symmetry: Symmetry) -> Position {
        let image = |square: Square| {
            let (x, y) = symmetry.place((square.column(), square.row()), SIZE);
            y * SIZE + x
        };
        let mut values = [0; SQUARES];
        for square in ALL {
            values[image(square)] = self.values().squares()[square.index()];
        }
        let pieces = [X, O].map(|side| {
            self.pieces(side).into_iter().filter_map(|at| Square::from_index(image(at))).collect()
        });
        Position::new(Arc::new(Values::new(values)), pieces, self.side_to_move())
    }

    fn path(&self, Move(square): Move) -> Vec<Place> {
        vec![place(square)]
    }

    fn cell_values(&self) -> Option<CellValues> {
        let values = self.values().squares().iter().map(|&value| value.into()).collect();
        Some(CellValues { values, most: MOST_VALUE.into() })
    }

    fn drawing(&self, last: Option<(&Position, Move)>) -> Option<Drawing> {
        let mut drawing = Drawing::new(SIZE, SIZE);
        drawing.columns = COLUMNS.map(String::from).to_vec();
        drawing.rows = (1..=SIZE).map(|row| row.to_string()).collect();
        for square in ALL {
            drawing.cell(place(square)).text = self.values().of(square).to_string();
        }
        (drawing.figures, drawing.ground) = ([Figure::Squirrel; 2], Ground::Forest);
        self.each_placed(&mut |place, side| drawing.cell(place).piece = Some((side, ' ')));
        if let Some((before, Move(square))) = last {
            drawing.path = vec![place(square)];
            drawing.changed = before.flips(square).into_iter().map(place).collect();
        }
        Some(drawing)
    }
}

impl Position {
    /// The pieces of X and those of O.
    pub fn pieces_of_both(&self) -> [Squares; 2] {
        Side::BOTH.map(|side| self.pieces(side))
    }
}

/// Reads five lines of values and five of symbols: the values, and the pieces of X and of O.
pub(crate) fn read_boards(lines: &mut Lines) -> Result<(Values, [Squares; 2]), InputError> {
    let mut values = [0; SQUARES];
    for row in values.chunks_mut(SIZE) {
        let line = lines.next_line(VALUES_LINE)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        for (value, word) in row.iter_mut().zip(&words) {
            *value = number(word, 0..=u32::from(MOST_VALUE))
                .ok_or_else(|| lines.error(VALUES_LINE, quote(word)))? as u16;
        }
        if words.len() != SIZE {
            return Err(lines.error(VALUES_LINE, format!("{} values", words.len())));
        }
    }
    Ok((Values::new(values), read_pieces(lines)?))
}

fn read_pieces(lines: &mut Lines) -> Result<[Squares; 2], InputError> {
    let mut pieces = [Squares::EMPTY; 2];
    let mut squares = ALL.into_iter();
    for _ in 0..SIZE {
        let owners = lines.row(SIZE, BOARD_LINE, |symbol| match symbol {
            '*' | '.' => Some(None),
            'X' => Some(Some(X)),
            'O' => Some(Some(O)),
            _ => None,
        })?;
        for (owner, square) in owners.into_iter().zip(&mut squares) {
            if let Some(owner) = owner {
                pieces[owner.index()].insert(square);
            }
        }
    }
    Ok(pieces)
}

/// Parses a number of decimal digits only, without a sign.
pub(crate) fn number(word: &str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|value| digits && range.contains(value))
}

/// The five lines of a board's symbols, with line ends.
pub fn board_lines(position: &Position) -> String {
    let pieces = position.pieces_of_both();
    let mut text = String::with_capacity(SQUARES + SIZE);
    for square in ALL {
        text.push(symbol(&pieces, square));
        text.push_str(line_end(square));
    }
    text
}

/// A line end after the last square of a row.
fn line_end(square: Square) -> &'static str {
    if square.column() == SIZE - 1 { "\n" } else { "" }
}

pub(crate) fn place(square: Square) -> Place {
    (square.column(), square.row())
}

fn symbol(pieces: &[Squares; 2], square: Square) -> char {
    match pieces.map(|pieces| pieces.contains(square)) {
        [true, _] => 'X',
        [_, true] => 'O',
        _ => '*',
    }
}
