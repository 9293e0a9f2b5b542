//! Plain players of one style each, to measure against: a short search with an evaluation that a person could tell in a
//! sentence. As SHEEP each brings its flock home in its own way; as FOX it does what such a flock would mind most.

use crate::board::{BOARD, Board, PEN, PointSet, WAYS_OF_SHEEP, shift};
use crate::evaluate::hanging_sheep;
use crate::rules::{FOX, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use engine::score::Score;
use engine::{Game, reference};

/// The way in which a flock comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As a closed wall: sheep go where another one backs them, and the back row of the pen is filled first.
    Wall,
    /// As fast as it can: the shortest way into the pen.
    Rush,
    /// Along the edges of the board, where fewer foxes can jump.
    Edge,
}

/// The depth of a style's search unless told otherwise, in plies.
pub const USUAL_PLIES: u32 = 3;

/// The points lost with a sheep.
const SHEEP_LOST: Score = 100;
/// The points lost with a sheep that a fox whose turn it is could jump, the first such one.
const SHEEP_HANGS: Score = 80;
/// The points for a step ahead.
const STEP: Score = 4;
/// The points for a sheep that another one backs, or that stands where no fox can jump it from ahead.
const BACKED: Score = 25;
/// The points for a sheep in the pen, for a wall: its back row, the middle one, the front one.
const PEN_ROWS: [Score; 3] = [45, 25, 12];
/// The points for a sheep in the pen, for the other styles.
const IN_PEN: Score = 20;
/// The points for a step ahead of a rush.
const HURRY: Score = 15;
/// The points for a sheep at an edge.
const AT_EDGE: Score = 15;

/// The points of the board at its edge: a line along some direction ends there.
const EDGE: PointSet = {
    let (mut way, mut inner) = (0, BOARD);
    while way < 4 {
        inner = inner.and(shift(BOARD, way));
        way += 1;
    }
    BOARD.minus(inner)
};

impl Style {
    /// The styles with their names and what they are, in a few words.
    pub const NAMES: [(&'static str, &'static str, Style); 3] = [
        ("wall", "A plain player: sheep come as a closed wall, the back row of the pen first (3 plies)", Style::Wall),
        ("rush", "A plain player: sheep take the shortest way into the pen (3 plies)", Style::Rush),
        ("edge", "A plain player: sheep come along the edges (3 plies)", Style::Edge),
    ];

    /// The names and what they are, as command lines list them.
    pub(crate) const LISTED: [(&'static str, &'static str); 3] = {
        let [wall, rush, edge] = Style::NAMES;
        [(wall.0, wall.1), (rush.0, rush.1), (edge.0, edge.1)]
    };

    /// The style of a name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Style> {
        Style::NAMES.iter().find(|(known, ..)| *known == name).map(|&(.., style)| style)
    }

    /// The move that this style plays after a search of so many plies, the first of the best, and its worth in points for the
    /// side to move; `None` if the game is over or there are no plies.
    #[must_use]
    pub fn play(self, position: &Position, plies: u32) -> Option<(Move, Score)> {
        let found = reference::alpha_beta(position, plies, |position| self.evaluate(position), &mut ());
        found.best.map(|mv| (mv, found.value))
    }

    /// What this style thinks of a position that is not finished, for its side to move.
    fn evaluate(self, position: &Position) -> Score {
        let board = position.board();
        let count = |points: PointSet| points.len() as Score;
        let lost = MOST_SHEEP as Score - count(board.sheep);
        let hanging = if position.side_to_move() == FOX { count(hanging_sheep(board)) } else { 0 };
        let safety = -SHEEP_LOST * lost - if hanging > 0 { SHEEP_HANGS + hanging } else { 0 };
        let rows = -(sum_of_rows(board.sheep) as Score);
        let in_pen = count(board.sheep & PEN);
        let manner = match self {
            Style::Wall => STEP * rows + BACKED * count(backed(board)) + pen_by_rows(board),
            Style::Rush => HURRY * rows + IN_PEN * in_pen,
            Style::Edge => STEP * rows + AT_EDGE * count(board.sheep & EDGE) + IN_PEN * in_pen,
        };
        let sheep = safety + manner;
        if position.side_to_move() == SHEEP { sheep } else { -sheep }
    }
}

/// The sheep that stand right before another one or at the lower end of their column.
fn backed(board: Board) -> PointSet {
    // What is one step up from a point of the board that holds no sheep could be jumped from ahead.
    let gaps = BOARD - board.sheep;
    board.sheep - shift(gaps, WAYS_OF_SHEEP[0])
}

fn pen_by_rows(board: Board) -> Score {
    let in_row = |row: usize| (board.sheep & PEN).into_iter().filter(|point| point.y() == row).count() as Score;
    PEN_ROWS.iter().enumerate().map(|(row, points)| points * in_row(row)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Outcome;

    /// Plays a flock of this style against a fox that steps about, and never jumps if it can help it.
    fn home(style: Style) -> (Position, u32) {
        let mut position = Position::initial();
        let mut plies = 0;
        while position.outcome().is_none() {
            let mv = match position.side_to_move() {
                SHEEP => style.play(&position, 1).unwrap().0,
                FOX => {
                    let moves = position.legal_moves();
                    let lasting = |mv: &Move| {
                        let mut after = position.clone();
                        after.play(*mv);
                        (after.outcome().is_some(), mv.captured.len())
                    };
                    moves.into_iter().min_by_key(lasting).unwrap()
                }
            };
            position.play(mv);
            plies += 1;
        }
        (position, plies)
    }

    #[test]
    fn every_style_brings_its_flock_home_if_nobody_minds() {
        for (name, _, style) in Style::NAMES {
            let (position, plies) = home(style);
            assert_eq!(position.outcome(), Some(Outcome::Win(SHEEP)), "{name} after {plies} plies: {position:?}");
        }
    }

    #[test]
    fn the_styles_differ_as_they_are_told_to() {
        let mean = |style: Style, worth: fn(Board) -> u32| {
            // The first twenty steps, with foxes that take nothing.
            let mut position = Position::new(Board { foxes: Board::START.foxes, ..Board::START }, SHEEP);
            let mut total = 0;
            for _ in 0..20 {
                let mv = style.play(&position, 1).unwrap().0;
                position.play(mv);
                total += worth(position.board());
                let steps = position.legal_moves();
                let quiet = steps.into_iter().find(|mv| {
                    mv.captured.is_empty() && {
                        let mut after = position.clone();
                        after.play(*mv);
                        after.outcome().is_none()
                    }
                });
                position.play(quiet.unwrap());
            }
            total
        };
        let [wall, rush, edge] = Style::NAMES.map(|(.., style)| style);
        let backed = |style| mean(style, |board| backed(board).len());
        let rows = |style| mean(style, |board| sum_of_rows(board.sheep));
        let at_edge = |style| mean(style, |board| (board.sheep & EDGE).len());
        assert!(backed(wall) > backed(rush) && backed(wall) > backed(edge));
        assert!(rows(rush) < rows(wall) && rows(rush) <= rows(edge));
        assert!(at_edge(edge) > at_edge(wall) && at_edge(edge) > at_edge(rush));
    }

    #[test]
    fn names_are_found_again() {
        for (name, _, style) in Style::NAMES {
            assert_eq!(Style::named(name), Some(style));
        }
        assert_eq!(Style::named("luck"), None);
    }
}
