//! The choice among the puzzles found: from easy to hard in even steps, both sides, and none like
//! another.

use super::line::Puzzle;
use super::sources::Source;
use engine::Side;

/// The owner of each cell's piece, row by row, and the number of columns.
struct Cells(Vec<Option<Side>>, usize);

impl Cells {
    fn of<G: Source>(position: &G) -> Cells {
        let drawing = position.drawing(None).expect("every game has a drawing");
        Cells(
            drawing.cells.iter().map(|cell| cell.piece.map(|(side, _)| side)).collect(),
            drawing.width,
        )
    }

    /// The number of cells that differ, with one of the boards mirrored left to right if it is less
    /// so.
    fn unlike(&self, other: &Cells) -> usize {
        let width = self.1;
        let straight = self.0.iter().zip(&other.0).filter(|(one, other)| one != other).count();
        let mirrored = (0..self.0.len())
            .filter(|at| self.0[*at] != other.0[at - at % width + width - 1 - at % width]);
        straight.min(mirrored.count())
    }
}

/// The number of puzzles found for each that is kept, from which on the easier half of them is left
/// out.
const PLENTY: usize = 8;

/// Chooses `count` of the puzzles and sorts them by difficulty. The range of the nodes is cut into
/// as many parts of equal ratio, and each part gives the one that is least like those chosen
/// before, of the side that has fewer. Where a part has none, or all of it are like others, the
/// rest of all parts is asked.
pub(crate) fn choose<G: Source>(mut found: Vec<Puzzle<G>>, count: usize) -> Vec<Puzzle<G>> {
    found.sort_by_key(|puzzle| (puzzle.nodes, puzzle.steps.len()));
    if found.len() >= PLENTY * count {
        found.drain(..found.len() / 2);
    }
    let effort = |puzzle: &Puzzle<G>| (puzzle.nodes as f64).ln();
    let (least, most) = (found.first().map_or(0.0, effort), found.last().map_or(0.0, effort));
    let mut parts: Vec<Vec<(Cells, Puzzle<G>)>> = (0..count).map(|_| Vec::new()).collect();
    for puzzle in found {
        let part = (effort(&puzzle) - least) / (most - least).max(f64::MIN_POSITIVE) * count as f64;
        parts[(part as usize).min(count - 1)].push((Cells::of(&puzzle.position), puzzle));
    }
    let (mut chosen, mut rest) = (Vec::new(), Vec::new());
    for mut part in parts {
        take(&mut part, &mut chosen);
        rest.append(&mut part);
    }
    while chosen.len() < count && take(&mut rest, &mut chosen) {}
    chosen.sort_by_key(|(_, puzzle)| puzzle.nodes);
    chosen.into_iter().map(|(_, puzzle)| puzzle).collect()
}

/// Takes the best of a part, if it has one that is unlike all chosen.
fn take<G: Source>(
    part: &mut Vec<(Cells, Puzzle<G>)>,
    chosen: &mut Vec<(Cells, Puzzle<G>)>,
) -> bool {
    let of = |side: Side| chosen.iter().filter(|(_, puzzle)| puzzle.side() == side).count();
    let wanted = if of(Side::First) <= of(Side::Second) { Side::First } else { Side::Second };
    let candidates = part.iter().enumerate().filter_map(|(at, (cells, puzzle))| {
        let unlike =
            chosen.iter().map(|(other, _)| cells.unlike(other)).min().unwrap_or(usize::MAX);
        (unlike >= G::UNLIKE).then_some((puzzle.side() == wanted, unlike, at))
    });
    let Some((.., at)) = candidates.max_by_key(|&(wanted, unlike, at)| (wanted, unlike, at)) else {
        return false;
    };
    chosen.push(part.swap_remove(at));
    true
}
