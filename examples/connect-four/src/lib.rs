//! Connect Four: seven columns of six cells; who has four stones in a row first wins. An input file
//! has the six rows from the top, `R`, `Y` or `.` a cell; an output file has the column of the
//! stone, counted from 0.

use engine::protocol::{Lines, quote, without_mark, write_header};
use engine::search::{Knowledge, Score};
use engine::{
    Examine, Explain, Game, InputError, OneRuleSet, Outcome, Playable, Protocol, Side, Task,
    Violation, split_mix,
};

const EMPTY: usize = 2;

/// A position: cells row by row from the top, `EMPTY` or the index of a stone's side, and the side
/// to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    cells: [usize; 42],
    side: Side,
}

impl Position {
    /// The top stone of a column; the cell below the board if there is none.
    fn top(&self, column: u8) -> usize {
        (usize::from(column)..)
            .step_by(7)
            .find(|&cell| self.cells.get(cell) != Some(&EMPTY))
            .unwrap_or_default()
    }

    /// For each row of four cells, across, down or aslant, the number of each side's stones in it.
    fn fours(&self) -> impl Iterator<Item = [Score; 2]> {
        let ways =
            (0..42).flat_map(|cell| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|(x, y)| (cell, x, y)));
        let inside = ways
            .filter(|(cell, x, y)| (0..7).contains(&(cell % 7 + 3 * x)) && cell / 7 + 3 * y < 6);
        inside.map(|(cell, x, y)| {
            let stones = [0, 1, 2, 3].map(|step| self.cells[(cell + step * (x + 7 * y)) as usize]);
            [0, 1].map(|side| stones.iter().filter(|stone| **stone == side).count() as Score)
        })
    }
}

impl Game for Position {
    type Move = u8;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH
            .into_iter()
            .find(|side| self.fours().any(|stones| stones[side.index()] == 4));
        winner.map(Outcome::Win).or((!self.cells.contains(&EMPTY)).then_some(Outcome::Draw))
    }

    fn moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend(
                [3, 2, 4, 1, 5, 0, 6]
                    .into_iter()
                    .filter(|&column| self.cells[usize::from(column)] == EMPTY),
            );
        }
    }

    fn play(&mut self, column: u8) {
        self.cells[self.top(column) - 7] = self.side.index();
        self.side = self.side.other();
    }

    fn undo(&mut self, column: u8, (): ()) {
        self.cells[self.top(column)] = EMPTY;
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.cells.iter().fold(self.side.index() as u64, |key, &cell| split_mix(key ^ cell as u64))
    }

    fn rebuilt(&self) -> Position {
        self.clone()
    }

    fn encode(&self, column: u8) -> u32 {
        column.into()
    }
}

/// Rows of four that only one side has stones in count by the square of their number.
#[derive(Clone, Default)]
pub struct OpenRows;

impl Knowledge<Position> for OpenRows {
    fn evaluate(&self, position: &Position) -> Score {
        let worth = |[one, two]: [Score; 2]| if one * two == 0 { one * one - two * two } else { 0 };
        let first: Score = position.fours().map(worth).sum();
        if position.side == Side::First { first } else { -first }
    }
}

impl Protocol for Position {
    const NAME: &'static str = "connect-four";
    const TITLE: &'static str = "Connect Four";
    const SIDES: [&'static str; 2] = ["RED", "YELLOW"];
    type Rules = OneRuleSet;

    fn start(_: OneRuleSet) -> Position {
        Position { cells: [EMPTY; 42], side: Side::First }
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let mut cells = [EMPTY; 42];
        for row in cells.chunks_mut(7) {
            row.copy_from_slice(&lines.row(7, "7 symbols R, Y or .", |symbol| "RY.".find(symbol))?);
        }
        lines.end()?;
        let position = Position { cells, side };
        if let Some(cell) = (7..42).find(|&cell| cells[cell] == EMPTY && cells[cell - 7] != EMPTY) {
            return Err(InputError::new(
                4 + cell / 7,
                "a stone below every stone",
                "an empty cell",
            ));
        }
        match position.outcome() {
            None => Ok(Task { position, control, clock }),
            Some(_) => Err(InputError::new(4, "a position to play", "a finished one")),
        }
    }

    fn write_task(task: &Task<Position>) -> String {
        let line = |row: &[usize]| {
            row.iter().map(|&cell| ['R', 'Y', '.'][cell]).chain(['\n']).collect::<String>()
        };
        write_header(task) + &task.position.cells.chunks(7).map(line).collect::<String>()
    }

    fn write_move(&self, column: u8) -> String {
        format!("{column}\n")
    }

    fn read_move(&self, text: &str) -> Result<u8, Violation> {
        let line = without_mark(text).trim_end();
        let error =
            || Violation::format(1, format!("expected a column 0 to 6, found {}", quote(line)));
        let column = (0..7).find(|column: &u8| column.to_string() == line).ok_or_else(error)?;
        if self.is_legal(column) {
            Ok(column)
        } else {
            Err(Violation::Illegal(format!("column {column} is full")))
        }
    }
}

impl Playable for Position {
    type Knowledge = OpenRows;
    type Own = ();
}

impl Explain for Position {}

impl Examine for Position {}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
    type Extra = engine::agent::NoExtra;
    const EXAMPLE: &'static str = "Example: connect-four --input - --output - < input.txt";
}
