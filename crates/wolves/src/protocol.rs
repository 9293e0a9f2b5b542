//! The input and output files of Wolves and Sheep (docs/rules/wolves.md, "The files").

use crate::board::{ALL, SIZE, Square, Squares, around};
use crate::rules::{Layout, MOST_SHEEP, MOST_WOLVES, Move, Position, SHEEP, SHEEP_LOST, WOLVES};
use engine::drawing::{
    Drawing, Figure, Ground, PieceKind, Place, Spelling, Symbols, squares_as_text,
};
use engine::legs::read_leg;
use engine::protocol::{Lines, OneRuleSet, write_header};
use engine::{Game, InputError, Outcome, Protocol, Side, Symmetry, Task, Violation};

impl Protocol for Position {
    const NAME: &'static str = "wolves";
    const TITLE: &'static str = "Wolves and Sheep (5 x 5)";
    const SIDES: [&'static str; 2] = ["WOLVES", "SHEEP"];
    const SYMBOLS: Option<Symbols> = Some(Symbols {
        stride: 1,
        empty: '.',
        pieces: &[
            PieceKind { name: "wolf", side: Side::First, symbols: "W", distinct: false },
            PieceKind { name: "sheep", side: Side::Second, symbols: "S", distinct: false },
        ],
    });
    const SPELLING: Option<Spelling> = Some(Spelling::Ends);
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::ALL;
    type Rules = OneRuleSet;

    fn why_over(&self) -> Option<String> {
        self.outcome()?;
        Some(if self.sheep().len() <= SHEEP_LOST {
            format!("{} sheep are left", self.sheep().len())
        } else if !around(self.wolves()).meets(self.empty()) {
            "no wolf has an empty square next to it".to_string()
        } else {
            "no sheep can move".to_string()
        })
    }

    fn start(_: OneRuleSet) -> Position {
        Position::layout(Layout::Figure1)
    }

    fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Position>, InputError> {
        let mut lines = Lines::new(text);
        let (control, side, clock) = lines.header(Self::SIDES)?;
        let mut rows = Vec::with_capacity(SIZE);
        for _ in 0..SIZE {
            let what = "5 symbols W, S or . (or 2, 1 or 0)";
            rows.push(lines.row(SIZE, what, |symbol| match symbol {
                'W' | '2' => Some(Some(WOLVES)),
                'S' | '1' => Some(Some(SHEEP)),
                '.' | '0' => Some(None),
                _ => None,
            })?);
        }
        lines.end()?;
        let position = from_cells(&rows, side, 4)?;
        Ok(Task { position, control, clock })
    }

    fn write_task(task: &Task<Position>) -> String {
        let mut text = write_header(task);
        for y in 0..SIZE {
            text.extend((0..SIZE).map(|x| symbol(&task.position, Square::new(x, y))));
            text.push('\n');
        }
        text
    }

    fn write_move(&self, mv: Move) -> String {
        let kind = if mv.eats() { 'J' } else { 'E' };
        format!("{kind} {} {}\n", mv.from, mv.to)
    }

    fn read_move(&self, text: &str) -> Result<Move, Violation> {
        let mut lines = Lines::new(text);
        let line = lines.next_line("a move such as 'E 1,4 1,3' or 'J 1,4 1,2'")?;
        if let (false, Err(more)) = (line.is_empty(), lines.end()) {
            return Err(Violation::format(more.line, "expected one move, found a second line"));
        }
        let leg = read_leg(line).map_err(|message| Violation::format(1, message))?;
        let (jumps, mv) = (leg.is_jump, Move { from: leg.from, to: leg.to });
        if self.is_legal(mv) && mv.eats() == jumps {
            return Ok(mv);
        }
        Err(Violation::Illegal(why_forbidden(self, mv, jumps)))
    }

    /// `1,4-1,3` for a step, `1,4x1,2` for eating.
    fn describe_move(&self, mv: Move) -> String {
        format!("{}{}{}", mv.from, if mv.eats() { 'x' } else { '-' }, mv.to)
    }

    fn picture(&self, last: Option<Move>) -> String {
        let last = last.map(|mv| (place(mv.from), place(mv.to)));
        squares_as_text(SIZE, |(x, y)| symbol(self, Square::new(x, y)), last)
    }

    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        self.wolves().into_iter().for_each(|wolf| visit(place(wolf), WOLVES));
        self.sheep().into_iter().for_each(|sheep| visit(place(sheep), SHEEP));
    }

    fn turned(&self, symmetry: Symmetry) -> Position {
        let image = |square: Square| {
            let (x, y) = symmetry.place((square.x(), square.y()), SIZE);
            Square::new(x, y)
        };
        let [wolves, sheep] = [self.wolves(), self.sheep()].map(|set| set.into_iter().map(image));
        Position::new(wolves.collect(), sheep.collect(), self.side_to_move())
    }

    fn path(&self, mv: Move) -> Vec<Place> {
        vec![place(mv.from), place(mv.to)]
    }

    fn drawing(&self, last: Option<(&Position, Move)>) -> Option<Drawing> {
        let mut drawing = Drawing::new(SIZE, SIZE);
        (drawing.figures, drawing.ground) = ([Figure::Wolf, Figure::Sheep], Ground::Meadow);
        self.each_placed(&mut |place, side| drawing.cell(place).piece = Some((side, ' ')));
        if let Some((_, mv)) = last {
            drawing.path = vec![place(mv.from), place(mv.to)];
            drawing.changed.extend(mv.eats().then(|| place(mv.to)));
        }
        Some(drawing)
    }
}

/// The position of the owners of the squares given row by row, whose first row is line `first_line` of its file; an
/// error if there are too few or too many pieces, or if the game is over.
pub(crate) fn from_cells(
    rows: &[Vec<Option<Side>>],
    side: Side,
    first_line: usize,
) -> Result<Position, InputError> {
    let set = |owner| {
        let cells = ALL.into_iter().zip(rows.iter().flatten());
        cells.filter(|(_, cell)| **cell == Some(owner)).map(|(square, _)| square).collect()
    };
    let (wolves, sheep): (Squares, Squares) = (set(WOLVES), set(SHEEP));
    for (set, allowed, what) in
        [(wolves, 1..=MOST_WOLVES, "wolves"), (sheep, 0..=MOST_SHEEP, "sheep")]
    {
        if !allowed.contains(&set.len()) {
            let expected = format!("{} to {} {what}", allowed.start(), allowed.end());
            return Err(InputError::new(first_line, expected, set.len().to_string()));
        }
    }
    let position = Position::new(wolves, sheep, side);
    match position.outcome().and_then(Outcome::winner) {
        None => Ok(position),
        Some(winner) => {
            let found = format!("one that {} have already won", Position::side_word(winner));
            Err(InputError::new(first_line, "a position to play", found))
        }
    }
}

fn symbol(position: &Position, square: Square) -> char {
    match square {
        _ if position.wolves().contains(square) => 'W',
        _ if position.sheep().contains(square) => 'S',
        _ => '.',
    }
}

pub(crate) fn place(square: Square) -> Place {
    (square.x(), square.y())
}

fn why_forbidden(position: &Position, mv: Move, jumps: bool) -> String {
    let side = position.side_to_move();
    let (own, other) = match side {
        WOLVES => (position.wolves(), position.sheep()),
        SHEEP => (position.sheep(), position.wolves()),
    };
    let Move { from, to } = mv;
    let word = Position::side_word(side);
    if position.outcome().is_some() {
        return "the game is over".to_string();
    }
    if other.contains(from) {
        let owner = Position::side_word(side.other());
        return format!("the piece on {from} belongs to {owner}, and it is {word}'s turn");
    }
    if !own.contains(from) {
        return format!("{word} have no piece on {from}");
    }
    if !jumps && !position.empty().contains(to) {
        return format!("{to} is occupied");
    }
    if !jumps {
        return format!("{to} is not next to {from}");
    }
    if side == SHEEP {
        return "sheep do not eat: a step is written with E".to_string();
    }
    let Some(leap) = from.leaps().iter().find(|leap| leap.landing == to) else {
        return format!("{to} is not two squares from {from} in a straight line");
    };
    if !position.sheep().contains(to) {
        return format!("there is no sheep on {to} to eat");
    }
    format!("{}, the square between, is not empty", leap.between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_move_says_why() {
        let start = Position::layout(Layout::Figure1);
        let after = start.after(Move { from: Square::new(1, 4), to: Square::new(1, 3) });
        let blocked = Position::new("2,2".parse().unwrap(), "0,2 1,2 3,0".parse().unwrap(), WOLVES);
        for (position, text, expected) in [
            (&start, "E 1,4 1,4\n", "illegal move: 1,4 is occupied"),
            (&start, "E 1,4 3,3", "illegal move: 3,3 is not next to 1,4"),
            (
                &start,
                "J 1,4 1,3",
                "illegal move: 1,3 is not two squares from 1,4 in a straight line",
            ),
            (&start, "J 1,4 1,2", "illegal move: there is no sheep on 1,2 to eat"),
            (
                &start,
                "E 0,0 0,1",
                "illegal move: the piece on 0,0 belongs to SHEEP, and it is WOLVES's turn",
            ),
            (
                &start,
                "",
                "line 1: expected a move such as 'E 1,4 1,3' or 'J 1,4 1,2', found the end",
            ),
            (
                &start,
                "E 1,4 1,5",
                "line 1: expected a square X,Y with both from 0 to 4, found '1,5'",
            ),
            (&start, "E 1,4 1,3\nE 1,3 1,2", "line 2: expected one move, found a second line"),
            (&start, "E 1,4 1,3\n\n\nE 1,3 1,2", "line 4: expected one move, found a second line"),
            (
                &start,
                "\nE 1,4 1,3\n",
                "line 1: expected 'E X,Y X,Y' or 'J X,Y X,Y', found an empty line",
            ),
            (&after, "J 0,1 0,3", "illegal move: sheep do not eat: a step is written with E"),
            (&blocked, "J 2,2 0,2", "illegal move: 1,2, the square between, is not empty"),
        ] {
            let refused = position.read_move(text).unwrap_err().to_string();
            assert!(refused.starts_with(expected), "{refused}");
        }
        let step = Move { from: Square::new(0, 1), to: Square::new(0, 2) };
        assert_eq!(after.read_move("E 0,1 0,2\r\n\r\n"), Ok(step));
    }
}
