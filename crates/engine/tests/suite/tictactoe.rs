//! Tic-tac-toe: a whole game for the tests of the search and of the conformance suite.

use engine::protocol::{Lines, quote, write_header};
use engine::search::{Knowledge, Score};
use engine::{
    Game, InputError, OneRuleSet, Outcome, Playable, Protocol, Side, Task, Violation, split_mix,
};

/// A bit board per side, with the squares in reading order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Position {
    stones: [u16; 2],
    side: Side,
    key: u64,
}

const LINES: [u16; 8] = [
    0b111,
    0b111_000,
    0b111_000_000,
    0b1_001_001,
    0b10_010_010,
    0b100_100_100,
    0b100_010_001,
    0b1_010_100,
];

impl Position {
    pub(crate) fn new(stones: [u16; 2], side: Side) -> Position {
        let mut position = Position { stones: [0; 2], side, key: side.index() as u64 };
        for owner in Side::BOTH {
            let own = stones[owner.index()];
            (0..9).filter(|square| own >> square & 1 != 0).for_each(|it| position.put(owner, it));
        }
        position
    }

    /// Puts a stone on a square, or removes it again.
    fn put(&mut self, owner: Side, square: u8) {
        self.stones[owner.index()] ^= 1 << square;
        self.key ^= split_mix(10 + u64::from(square) * 2 + owner.index() as u64);
    }

    fn empty(&self) -> u16 {
        !(self.stones[0] | self.stones[1]) & 0x1ff
    }

    fn symbol(&self, square: u8) -> char {
        match self.stones.map(|stones| stones >> square & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        }
    }

    fn rows(&self) -> String {
        let row = |y: u8| (3 * y..3 * y + 3).map(|square| self.symbol(square)).collect::<String>();
        format!("{}\n{}\n{}\n", row(0), row(1), row(2))
    }
}

impl Game for Position {
    type Move = u8;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let mover = self.side.other();
        let stones = self.stones[mover.index()];
        if LINES.iter().any(|line| stones & line == *line) {
            Some(Outcome::Win(mover))
        } else {
            (self.empty() == 0).then_some(Outcome::Draw)
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|square| self.empty() >> square & 1 != 0));
        }
    }

    fn play(&mut self, square: u8) {
        self.put(self.side, square);
        self.side = self.side.other();
        self.key ^= 1;
    }

    fn undo(&mut self, square: u8, (): ()) {
        self.side = self.side.other();
        self.key ^= 1;
        self.put(self.side, square);
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn rebuilt(&self) -> Position {
        Position::new(self.stones, self.side)
    }

    fn encode(&self, square: u8) -> u32 {
        u32::from(square)
    }
}

/// Lines without an opponent's stone, the mover's minus the opponent's.
#[derive(Clone, Default)]
pub(crate) struct OpenLines;

impl Knowledge<Position> for OpenLines {
    fn evaluate(&self, position: &Position) -> Score {
        let open = |side: Side| {
            let others = position.stones[side.other().index()];
            LINES.iter().filter(|line| others & *line == 0).count() as Score
        };
        open(position.side) - open(position.side.other())
    }

    fn plies_to_end(&self, position: &Position) -> Option<u32> {
        Some(position.empty().count_ones())
    }
}

impl Protocol for Position {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "Tic-tac-toe";
    const SIDES: [&'static str; 2] = ["X", "O"];
    type Rules = OneRuleSet;

    fn start(_: OneRuleSet) -> Position {
        Position::new([0; 2], Side::First)
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let mut stones = [0; 2];
        for row in 0..3 {
            let symbols = lines.row(3, "3 symbols X, O or .", |symbol| "XO.".find(symbol))?;
            for (column, owner) in symbols.into_iter().enumerate().filter(|(_, owner)| *owner < 2) {
                stones[owner] |= 1 << (row * 3 + column);
            }
        }
        lines.end()?;
        let position = Position::new(stones, side);
        match position.outcome() {
            None => Ok(Task { position, control, clock }),
            Some(_) => Err(InputError::new(4, "a position to play", "a finished one")),
        }
    }

    fn write_task(task: &Task<Position>) -> String {
        write_header(task) + &task.position.rows()
    }

    fn write_move(&self, square: u8) -> String {
        format!("{},{}\n", square % 3, square / 3)
    }

    fn read_move(&self, text: &str) -> Result<u8, Violation> {
        let line = text.trim_end();
        let is_named = |&square: &u8| self.write_move(square).trim_end() == line;
        match (0..9).find(is_named) {
            Some(square) if self.is_legal(square) => Ok(square),
            Some(_) => Err(Violation::Illegal(format!("{line} is taken"))),
            None => Err(Violation::format(1, format!("expected X,Y, found {}", quote(line)))),
        }
    }
}

impl Playable for Position {
    type Knowledge = OpenLines;
    type Own = ();
}
