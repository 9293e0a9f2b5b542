//! Plain players of one style each, as opponents for measurements: a shallow search with an evaluation of one sentence. As
//! SHEEP each advances its flock in its own way; as FOX it minimizes the same evaluation.

use crate::board::{BOARD, Board, PEN, PointSet, WAYS_OF_SHEEP, shift};
use crate::evaluate::hanging_sheep;
use crate::rules::{FOX, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use engine::score::Score;
use engine::{Game, reference};

/// The way in which a plain player advances its sheep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As a closed formation: sheep prefer points where another sheep backs them, and fill the back row of the pen first.
    Wall,
    /// As fast as possible: the shortest way into the pen.
    Rush,
    /// Along the edges of the board, where fewer foxes can jump.
    Edge,
}

/// The default depth of a style's search, in plies.
pub const USUAL_PLIES: u32 = 3;

/// The penalty for each captured sheep, in points.
const SHEEP_LOST: Score = 100;
/// The penalty if any sheep hangs with FOX to move; each hanging sheep costs one point more.
const SHEEP_HANGS: Score = 80;
/// The bonus for each row that a sheep has advanced.
const STEP: Score = 4;
/// The bonus for a sheep that cannot be jumped from ahead: another sheep backs it, or the point behind it is off the board.
const BACKED: Score = 25;
/// The bonus of [`Style::Wall`] for a sheep in the pen's back, middle and front row.
const PEN_ROWS: [Score; 3] = [45, 25, 12];
/// The bonus of the other styles for a sheep in the pen.
const IN_PEN: Score = 20;
/// The bonus of [`Style::Rush`] for each row that a sheep has advanced.
const HURRY: Score = 15;
/// The bonus of [`Style::Edge`] for a sheep at the edge of the board.
const AT_EDGE: Score = 15;

/// The points at the edge of the board: those without a neighbour in one of the four straight directions.
const EDGE: PointSet = {
    let (mut way, mut inner) = (0, BOARD);
    while way < 4 {
        inner = inner.and(shift(BOARD, way));
        way += 1;
    }
    BOARD.minus(inner)
};

impl Style {
    /// The styles, each with its name and a short description.
    pub const NAMES: [(&'static str, &'static str, Style); 3] = [
        ("wall", "A plain player: sheep come as a closed wall, the back row of the pen first (3 plies)", Style::Wall),
        ("rush", "A plain player: sheep take the shortest way into the pen (3 plies)", Style::Rush),
        ("edge", "A plain player: sheep come along the edges (3 plies)", Style::Edge),
    ];

    /// The names and descriptions, as [`engine::Playable::ALGORITHMS`] lists them.
    pub(crate) const LISTED: [(&'static str, &'static str); 3] = {
        let [wall, rush, edge] = Style::NAMES;
        [(wall.0, wall.1), (rush.0, rush.1), (edge.0, edge.1)]
    };

    /// The style with a name; `None` if there is none.
    pub fn named(name: &str) -> Option<Style> {
        Style::NAMES.iter().find(|(known, ..)| *known == name).map(|&(.., style)| style)
    }

    /// The first of the best moves by a search of `plies` plies, and its score in points for the side to move; `None` if the
    /// game is over or `plies` is 0.
    pub fn play(self, position: &Position, plies: u32) -> Option<(Move, Score)> {
        let found = reference::alpha_beta(position, plies, |position| self.evaluate(position), &mut ());
        found.best.map(|mv| (mv, found.value))
    }

    /// The style's evaluation of an unfinished position, from the side to move's point of view.
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

/// The sheep that have another sheep, or no point of the board, right behind them.
fn backed(board: Board) -> PointSet {
    // A sheep one step up from a point of the board without a sheep could be jumped from ahead.
    let gaps = BOARD - board.sheep;
    board.sheep - shift(gaps, WAYS_OF_SHEEP[0])
}

/// The sum of [`PEN_ROWS`] over the sheep in the pen.
fn pen_by_rows(board: Board) -> Score {
    let in_row = |row: usize| (board.sheep & PEN).into_iter().filter(|point| point.y() == row).count() as Score;
    PEN_ROWS.iter().enumerate().map(|(row, points)| points * in_row(row)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Outcome;

    /// Plays this style as SHEEP against foxes that avoid captures and the end of the game. Gives the final position and the
    /// number of plies.
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
            // The first twenty moves of SHEEP, with foxes that capture nothing.
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
