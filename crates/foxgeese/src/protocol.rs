//! The files of Foxes and Geese (`docs/rules/foxgeese.md`, "The files"), and the drawing of a
//! board.

use crate::board::{BOARD, Board, Cells, Direction, SIZE, SQUARE, TABLE, place};
use crate::moves::{Move, longest_captures};
use crate::rules::{FOXES, GEESE, MOST_GEESE, MOST_MOVES, Position};
use crate::spelling::{parse_letters, spell};
use engine::drawing::{Drawing, Figure, Ground, PieceKind, Place, Spelling, Symbols};
use engine::protocol::{Lines, quote, write_header};
use engine::{Game, InputError, OneRuleSet, Protocol, Side, Symmetry, Task, Violation};

/// The first line of the board in an input file.
const BOARD_LINE: usize = 5;

impl Protocol for Position {
    const NAME: &'static str = "foxgeese";
    const TITLE: &'static str = "Foxes and Geese (two foxes, twenty geese)";
    const SIDES: [&'static str; 2] = ["GEESE", "FOXES"];
    const SYMBOLS: Option<Symbols> = Some(Symbols {
        stride: 2,
        empty: '-',
        pieces: &[
            PieceKind { name: "fox X", side: Side::Second, symbols: "X", distinct: true },
            PieceKind { name: "fox Y", side: Side::Second, symbols: "Y", distinct: true },
            PieceKind {
                name: "goose",
                side: Side::First,
                symbols: "abcdefghijklmnopqrst",
                distinct: true,
            },
        ],
    });
    const SPELLING: Option<Spelling> = Some(Spelling::Steps);
    /// Geese walk up the board.
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::None, Symmetry::LeftRight];
    type Rules = OneRuleSet;

    fn why_over(&self) -> Option<String> {
        crate::insight::ending(self)
    }

    fn start(_: OneRuleSet) -> Position {
        Position::initial()
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let moves = read_moves(&mut lines)?;
        let mut symbols = Vec::new();
        for row in 0..SIZE {
            symbols.extend(read_row(&mut lines, row)?);
        }
        lines.end()?;
        let position = build_position(&symbols, side, moves)?;
        match position.why_over() {
            None => Ok(Task { position, control, clock }),
            Some(why) => {
                let found = format!("a finished game: {why}");
                Err(InputError::new(BOARD_LINE, "a position to play", found))
            }
        }
    }

    fn write_task(task: &Task<Position>) -> String {
        let (moves, picture) = (task.position.moves_made(), task.position.plain_picture());
        format!("{}MOVES {moves}\n{picture}", write_header(task))
    }

    fn write_move(&self, mv: Move) -> String {
        self.describe_move(mv) + "\n"
    }

    fn read_move(&self, text: &str) -> Result<Move, Violation> {
        let mut lines = Lines::new(text);
        let expected = match self.side_to_move() {
            GEESE => "a goose's letter and u, l or r, such as bl",
            FOXES => "X or Y and letters of u, d, l and r, such as Ydru",
        };
        let line = lines.next_line(expected)?;
        lines.end()?;
        let bad = || Violation::format(1, format!("expected {expected}, found {}", quote(line)));
        let mut letters = line.chars();
        let piece = letters.next().ok_or_else(bad)?;
        let directions =
            letters.map(Direction::by_letter).collect::<Option<Vec<_>>>().ok_or_else(bad)?;
        // A chain takes each goose at most once.
        if directions.is_empty() || directions.len() > MOST_GEESE as usize {
            return Err(bad());
        }
        match (self.side_to_move(), &directions[..]) {
            (GEESE, &[way]) if piece.is_ascii_lowercase() => self.goose_move(piece, way),
            (FOXES, ways) if ['X', 'Y'].contains(&piece) => self.fox_move(piece, ways),
            _ => return Err(bad()),
        }
        .map_err(Violation::Illegal)
    }

    fn describe_move(&self, mv: Move) -> String {
        let directions = spell(self.board(), mv).unwrap_or_default();
        std::iter::once(self.symbol(mv.from))
            .chain(directions.into_iter().map(Direction::letter))
            .collect()
    }

    /// The picture for people. Cells that the last move emptied are `.`, and a `>` stands before
    /// the cell where it ended.
    fn picture(&self, last: Option<Move>) -> String {
        let rows: String = self.rows(last).iter().map(|row| format!(" {row}\n")).collect();
        let (left, made) = (self.board().geese.len(), self.moves_made());
        format!("{rows}  {left} geese, {made} moves made\n")
    }

    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        self.board().foxes.into_iter().for_each(|fox| visit(place(fox), FOXES));
        self.board().geese.into_iter().for_each(|goose| visit(place(goose), GEESE));
    }

    fn turned(&self, symmetry: Symmetry) -> Position {
        if symmetry == Symmetry::None { self.clone() } else { self.mirrored() }
    }

    fn path(&self, mv: Move) -> Vec<Place> {
        let (mut at, mut path) = (mv.from, vec![place(mv.from)]);
        for way in spell(self.board(), mv).unwrap_or_default() {
            let next = way.step(at).filter(|&next| mv.captured.contains(next)).unwrap_or(at);
            at = way.step(next).expect("a legal move stays on the board");
            path.push(place(at));
        }
        path
    }

    fn counted_moves(&self) -> Option<(u32, u32)> {
        Some((self.moves_made().into(), MOST_MOVES.into()))
    }

    fn drawing(&self, last: Option<(&Position, Move)>) -> Option<Drawing> {
        let mut drawing = Drawing::new(SIZE, SIZE);
        (drawing.figures, drawing.ground) = ([Figure::Goose, Figure::Fox], Ground::Yard);
        drawing.cells.iter_mut().for_each(|cell| cell.missing = true);
        for cell in BOARD {
            let drawn = drawing.cell(place(cell));
            drawn.missing = false;
            drawn.zone = SQUARE.contains(cell).then_some(GEESE);
            let owner = if self.board().foxes.contains(cell) { FOXES } else { GEESE };
            let symbol = self.symbol(cell);
            drawn.piece = (symbol != '-').then_some((owner, symbol));
        }
        if let Some((before, mv)) = last {
            drawing.path = before.path(mv);
            drawing.changed = mv.captured.into_iter().map(place).collect();
        }
        Some(drawing)
    }
}

impl Position {
    /// The picture in files: seven lines, with four blanks before rows of three cells.
    pub fn plain_picture(&self) -> String {
        self.rows(None).iter().map(|row| format!("{}\n", &row[1..])).collect()
    }

    /// The rows of a picture, where a blank or the mark of the last move stands before each cell.
    fn rows(&self, last: Option<Move>) -> [String; SIZE] {
        let mut rows = [(); SIZE].map(|()| String::new());
        let left = last.map_or(Cells::EMPTY, |mv| mv.captured.with(mv.from) & self.board().empty());
        for cell in BOARD {
            let row = &mut rows[cell.y()];
            if row.is_empty() {
                row.push_str(&"  ".repeat(cell.x()));
            }
            row.push(if last.is_some_and(|mv| mv.to == cell) { '>' } else { ' ' });
            row.push(if left.contains(cell) { '.' } else { self.symbol(cell) });
        }
        rows
    }

    /// The move of a goose, or why it is illegal.
    fn goose_move(&self, goose: char, way: Direction) -> Result<Move, String> {
        let from = self.cell_of(goose).ok_or_else(|| format!("there is no goose '{goose}'"))?;
        if way == Direction::Down {
            return Err("geese never step down".to_string());
        }
        match way.step(from) {
            Some(to) if self.board().empty().contains(to) => Ok(Move::step(from, to)),
            Some(_) => Err(format!("'{goose}{}' leads to a cell that is taken", way.letter())),
            None => Err(format!("'{goose}{}' leads off the board", way.letter())),
        }
    }

    /// The move of a fox, or why it is illegal.
    fn fox_move(&self, fox: char, ways: &[Direction]) -> Result<Move, String> {
        let from = self.cell_of(fox).expect("there are two foxes");
        let mv = parse_letters(self.board(), from, ways)?;
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let longest = longest_captures(self.board());
        let most = longest.first().map_or(0, |mv| mv.captured.len());
        let example = longest.first().map_or(String::new(), |&mv| self.describe_move(mv));
        let taken = mv.captured.len();
        Err(format!("takes {taken} of the geese where {most} must be taken, as by {example}"))
    }
}

fn read_moves(lines: &mut Lines) -> Result<u8, InputError> {
    let expected = format!("MOVES and the moves that the geese have made, 0 to {}", MOST_MOVES - 1);
    let line = lines.next_line(&expected)?;
    let number = line.strip_prefix("MOVES ").map(str::trim_start);
    let digits = number.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|digits| digits.parse::<u8>().ok()) {
        Some(moves) if moves < MOST_MOVES => Ok(moves),
        _ => Err(lines.error(expected, quote(line))),
    }
}

/// Reads the symbols of a row.
fn read_row(lines: &mut Lines, row: usize) -> Result<Vec<char>, InputError> {
    let width = if (2..=4).contains(&row) { 7 } else { 3 };
    let expected = format!("{width} symbols a to t, X, Y or -, with blanks between them");
    let line = lines.next_line(&expected)?;
    let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let mut symbols = Vec::with_capacity(width);
    for word in words.iter().take(width) {
        match word.chars().next() {
            Some(symbol @ ('a'..='t' | 'X' | 'Y' | '-')) if word.len() == 1 => symbols.push(symbol),
            _ => return Err(lines.error(expected, quote(word))),
        }
    }
    if words.len() != width {
        return Err(lines.error(expected, format!("{} symbols", words.len())));
    }
    Ok(symbols)
}

/// The position with these symbols on its cells, in reading order.
fn build_position(symbols: &[char], side: Side, moves: u8) -> Result<Position, InputError> {
    let mut board = Board { geese: Cells::EMPTY, foxes: Cells::EMPTY };
    let mut names = [0; TABLE];
    let mut x = None;
    for (index, (at, &symbol)) in BOARD.into_iter().zip(symbols).enumerate() {
        if symbol != '-' && symbols[..index].contains(&symbol) {
            let expected = format!("each letter once, '{symbol}' stood above");
            let found = format!("a second '{symbol}'");
            return Err(InputError::new(BOARD_LINE + at.y(), expected, found));
        }
        match symbol {
            '-' => {}
            'X' | 'Y' => {
                board.foxes.insert(at);
                x = if symbol == 'X' { Some(at) } else { x };
            }
            goose => {
                board.geese.insert(at);
                names[at.index()] = goose as u8;
            }
        }
    }
    match x {
        Some(x) if board.foxes.len() == 2 => Ok(Position::new(board, x, names, side, moves)),
        _ => {
            let missing = if x.is_none() { 'X' } else { 'Y' };
            Err(InputError::new(BOARD_LINE, "both foxes, X and Y", format!("no '{missing}'")))
        }
    }
}
