//! Halma's input and output files (docs/rules/halma.md, "The files").

use crate::board::{BLACK, CAMPS, PIECES, SIZE, Square, Squares, WHITE};
use crate::path::{Path, leaves_target, path};
use crate::rules::{Move, Position, Rules};
use engine::drawing::{Drawing, PieceKind, Place, Spelling, Symbols, squares_as_text};
use engine::protocol::{Lines, write_header};
use engine::{InputError, Protocol, Side, Symmetry, Task, TimeControl, Violation};

/// The number of the board's first line in an input file.
const BOARD_LINE: usize = 4;

impl Protocol for Position {
    const NAME: &'static str = "halma";
    const TITLE: &'static str = "Halma (16 x 16)";
    const SIDES: [&'static str; 2] = ["BLACK", "WHITE"];
    const SYMBOLS: Option<Symbols> = Some(Symbols {
        stride: 1,
        empty: '.',
        pieces: &[
            PieceKind { name: "BLACK", side: Side::First, symbols: "B", distinct: false },
            PieceKind { name: "WHITE", side: Side::Second, symbols: "W", distinct: false },
        ],
    });
    const SPELLING: Option<Spelling> = Some(Spelling::Code(1 << 16));
    /// The camps lie at the ends of a diagonal.
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::None, Symmetry::Transpose];
    type Rules = Rules;

    fn start(rules: Rules) -> Position {
        Position::initial(WHITE, rules)
    }

    fn read_task(text: &str, rules: Rules) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let pieces = read_board(&mut lines)?;
        lines.end()?;
        for owner in Side::BOTH {
            if pieces[owner.index()].is_empty() {
                let expected = format!("1 to {PIECES} pieces of {}", Self::side_word(owner));
                return Err(InputError::new(BOARD_LINE, expected, "none"));
            }
        }
        let position = Position::new(pieces, side, rules);
        // During a game the opponent may have filled the last hole of the side to move, which must
        // then still make its winning move. As a single position, such a board counts as won.
        let won = |owner: Side| {
            position.has_filled(owner) && (owner != side || control == TimeControl::Single)
        };
        match Side::BOTH.into_iter().find(|&owner| won(owner)) {
            Some(owner) => {
                let found = format!("one that {} has already won", Self::side_word(owner));
                Err(InputError::new(BOARD_LINE, "a position to play", found))
            }
            None => Ok(Task { position, control, clock }),
        }
    }

    fn write_task(task: &Task<Position>) -> String {
        let mut text = write_header(task);
        for y in 0..SIZE {
            text.extend((0..SIZE).map(|x| symbol(&task.position, Square::at(x, y))));
            text.push('\n');
        }
        text
    }

    fn write_move(&self, mv: Move) -> String {
        if mv.is_pass() {
            return String::new();
        }
        match path(self, mv) {
            Path::Step => format!("E {} {}\n", mv.from, mv.to),
            Path::Jumps { squares, .. } => squares
                .windows(2)
                .fold(String::new(), |text, jump| text + &format!("J {} {}\n", jump[0], jump[1])),
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, Violation> {
        crate::move_text::read_move(self, text)
    }

    /// Formats the squares of a move's path: `3,4-4,5` for a step, `3,4-5,4-7,6` for a chain of
    /// jumps.
    fn describe_move(&self, mv: Move) -> String {
        if mv.is_pass() {
            return "pass".to_string();
        }
        match path(self, mv) {
            Path::Step => format!("{}-{}", mv.from, mv.to),
            Path::Jumps { squares, .. } => {
                squares.iter().map(Square::to_string).collect::<Vec<_>>().join("-")
            }
        }
    }

    /// Draws the board as text, with `:` for empty squares of the camps.
    fn picture(&self, last: Option<Move>) -> String {
        let shown = |(x, y)| match symbol(self, Square::at(x, y)) {
            '.' if CAMPS[0].or(CAMPS[1]).contains(Square::at(x, y)) => ':',
            symbol => symbol,
        };
        squares_as_text(
            SIZE,
            shown,
            last.filter(|mv| !mv.is_pass()).map(|mv| (place(mv.from), place(mv.to))),
        )
    }

    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        Side::BOTH
            .into_iter()
            .for_each(|side| self.pieces(side).each(|square| visit(place(square), side)));
    }

    fn drawing(&self, last: Option<(&Position, Move)>) -> Option<Drawing> {
        let mut drawing = Drawing::new(SIZE, SIZE);
        for side in Side::BOTH {
            CAMPS[side.index()].each(|square| drawing.cell(place(square)).zone = Some(side));
            self.pieces(side).each(|square| drawing.cell(place(square)).piece = Some((side, ' ')));
        }
        if let Some((before, mv)) = last.filter(|(_, mv)| !mv.is_pass()) {
            drawing.path = match path(before, mv) {
                Path::Step => vec![place(mv.from), place(mv.to)],
                Path::Jumps { squares, .. } => squares.into_iter().map(place).collect(),
            };
        }
        Some(drawing)
    }

    fn turned(&self, symmetry: Symmetry) -> Position {
        self.with_squares_at(|square| {
            let (x, y) = symmetry.place((square.x(), square.y()), SIZE);
            Square::at(x, y)
        })
    }

    /// Returns whether every chain of a move passes through the opposing camp and leaves it again,
    /// which some graders refuse.
    fn is_disputed(&self, mv: Move) -> bool {
        !mv.is_pass() && leaves_target(self, mv)
    }
}

fn read_board(lines: &mut Lines) -> Result<[Squares; 2], InputError> {
    let mut pieces = [Squares::EMPTY; 2];
    for y in 0..SIZE {
        let row = lines.row(SIZE, "16 symbols W, B or .", |symbol| match symbol {
            'B' => Some(Some(BLACK)),
            'W' => Some(Some(WHITE)),
            '.' => Some(None),
            _ => None,
        })?;
        for (x, owner) in row.into_iter().enumerate() {
            let Some(owner) = owner else { continue };
            pieces[owner.index()].insert(Square::at(x, y));
            if pieces[owner.index()].len() as usize > PIECES {
                let word = Position::side_word(owner);
                return Err(lines.error(
                    format!("at most {PIECES} pieces of {word}"),
                    format!("the {}th", PIECES + 1),
                ));
            }
        }
    }
    Ok(pieces)
}

fn symbol(position: &Position, square: Square) -> char {
    match Side::BOTH.into_iter().find(|&side| position.pieces(side).contains(square)) {
        Some(BLACK) => 'B',
        Some(WHITE) => 'W',
        None => '.',
    }
}

fn place(square: Square) -> Place {
    (square.x(), square.y())
}
