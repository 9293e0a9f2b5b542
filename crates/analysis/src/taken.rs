//! What single moves of a line do: the pieces that they take or turn over, by name, and how far
//! they bring a piece that runs.

use crate::line::Line;
use engine::drawing::{Figure, Place};
use engine::search::Score;
use engine::{Drawing, Explain, Side};

/// A reason of a loss is worth at least the points lost, divided by this.
pub(crate) const REASON_PART: Score = 3;

/// A move that brings a piece less far on is not named.
const FAR: i32 = 4;

/// What is added if a move ends the game.
pub(crate) const WINS: &str = " and wins";

/// What a move of a line does.
struct Deed {
    ply: usize,
    /// Whether it is good for the side that moves first in the line.
    is_own: bool,
    mv: String,
    /// The pieces that it takes, or loses by its own fault.
    pieces: Vec<String>,
    /// The values of their cells in points, or the number of pieces, or the rows and columns that
    /// the move gains.
    worth: i32,
    figure: Figure,
}

/// The deeds in which two lines differ, if the first is better for the side to move: the opponent's
/// greatest in the second line alone, and the own greatest in the first line alone, among the first
/// `plies` moves.
pub(crate) fn told<A: Explain>(
    better: &Line<A>,
    worse: &Line<A>,
    plies: usize,
    lost: Option<Score>,
) -> Vec<String> {
    let has_values = better.positions[0].cell_values().is_some();
    // Without values a piece is worth more than the points that it counts.
    let least = if has_values { lost.unwrap_or(0).div_euclid(REASON_PART) } else { 0 };
    let taken = [better, worse].map(|line| captures(line, plies));
    let named = differing(&taken).map(|deed| deed.filter(|deed| deed.worth >= least));
    let takes = named.into_iter().zip([worse, better]).filter_map(|(deed, line)| {
        let deed = deed?;
        // A last square wins no game of points.
        let is_won = !has_values && line.winner(deed.ply + 1) == Some(line.mover(deed.ply));
        let wins = if is_won { WINS } else { "" };
        let pieces = match has_values {
            true => format!("{}, worth {}", list(&deed.pieces), deed.worth),
            false => described(deed.figure, &deed.pieces),
        };
        let verb = match deed.figure {
            _ if deed.is_own != deed.ply.is_multiple_of(2) => "loses",
            // Sheep and geese take nothing; a fox that cannot move leaves the board.
            Figure::Fox => "traps",
            _ => "takes",
        };
        Some(format!("{} {verb} {pieces}{wins}", subject(deed)))
    });
    let taken: Vec<String> = takes.collect();
    if !taken.is_empty() {
        return taken;
    }
    let runs = [better, worse].map(|line| leaps(line, plies));
    let [theirs, own] = differing(&runs);
    // Both sides of a race make long moves; one of them has to be a good part longer.
    let longest = |runs: &[Deed], is_own: bool| {
        runs.iter().filter(|run| run.is_own == is_own).map(|run| run.worth).max().unwrap_or(0)
    };
    let theirs = theirs.filter(|run| run.worth >= FAR.max(2 + longest(&runs[0], false)));
    let own = own.filter(|run| run.worth >= FAR.max(2 + longest(&runs[1], true)));
    [theirs, own]
        .into_iter()
        .flatten()
        .map(|run| format!("{} gains {} rows and columns", subject(run), run.worth))
        .collect()
}

/// The opponent's greatest deed of the second line that the first line lacks, and the own greatest
/// deed of the first line that the second lacks; none if the second line is not worse.
fn differing([better, worse]: &[Vec<Deed>; 2]) -> [Option<&Deed>; 2] {
    let sum = |deeds: &[Deed]| -> i32 {
        deeds.iter().map(|deed| if deed.is_own { deed.worth } else { -deed.worth }).sum()
    };
    if sum(better) <= sum(worse) {
        return [None, None];
    }
    let most = |is_own: bool, deeds: &'_ [Deed], others: &[Deed]| {
        let is_same = |deed: &Deed, other: &Deed| match deed.pieces[..] {
            [] => other.mv == deed.mv,
            _ => other.pieces == deed.pieces,
        };
        let is_new = |&index: &usize| {
            let deed = &deeds[index];
            deed.is_own == is_own && !others.iter().any(|other| is_same(deed, other))
        };
        (0..deeds.len()).filter(is_new).rev().max_by_key(|&index| deeds[index].worth)
    };
    [
        most(false, worse, better).map(|index| &worse[index]),
        most(true, better, worse).map(|index| &better[index]),
    ]
}

/// The move as the subject of a sentence, with its number unless it is the first of its side: `the
/// reply 1,1x1,3`, `in the better line its 2nd move, D4 Raid,`.
fn subject(Deed { ply, is_own, mv, .. }: &Deed) -> String {
    let number = ordinal(ply / 2 + 1);
    let mover = if ply.is_multiple_of(2) {
        format!("its {number} move")
    } else {
        format!("the {number} reply")
    };
    match (is_own, ply) {
        (true, 0) => mv.clone(),
        (true, _) => format!("in the better line {mover}, {mv},"),
        (false, 0) => "the move played".to_string(),
        (false, 1) => format!("the reply {mv}"),
        (false, _) => format!("after the move played {mover}, {mv},"),
    }
}

fn ordinal(number: usize) -> String {
    let end = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

fn captures<A: Explain>(line: &Line<A>, plies: usize) -> Vec<Deed> {
    let values = line.positions[0].cell_values().map(|cells| cells.values);
    let mut found = Vec::new();
    for ply in 0..plies.min(line.moves.len()) {
        let (at, mv) = (&line.positions[ply], line.moves[ply]);
        let [Some(drawn), Some(after)] = [at, &line.positions[ply + 1]].map(|at| at.drawing(None))
        else {
            return found;
        };
        let start = at.path(mv).first().map(|&(x, y)| y * drawn.width + x);
        for owner in Side::BOTH {
            let owns = |drawing: &Drawing, index: usize| {
                drawing.cells[index].piece.is_some_and(|(side, _)| side == owner)
            };
            let is_own_piece = owner == line.mover(ply);
            let is_taken = |&index: &usize| {
                let is_moved = is_own_piece && Some(index) == start;
                owns(&drawn, index) && !owns(&after, index) && !is_moved
            };
            let taken: Vec<usize> = (0..drawn.cells.len()).filter(is_taken).collect();
            let worth = |&index: &usize| values.as_ref().map_or(1, |values| values[index] as i32);
            if !taken.is_empty() {
                found.push(Deed {
                    ply,
                    is_own: ply.is_multiple_of(2) != is_own_piece,
                    mv: line.text(ply),
                    pieces: taken.iter().map(|&index| name(&drawn, index)).collect(),
                    worth: taken.iter().map(worth).sum(),
                    figure: drawn.figures[owner.index()],
                });
            }
        }
    }
    found
}

/// The moves that bring a piece on, in a game in which pieces run.
fn leaps<A: Explain>(line: &Line<A>, plies: usize) -> Vec<Deed> {
    let left = |ply: usize, plies: usize| {
        let counts = A::counts(&line.positions[plies], line.mover(ply)).into_iter();
        counts.filter(|count| count.is_way && !count.more_is_better).map(|count| count.number).sum()
    };
    let leap = |ply: usize| -> Deed {
        let (before, after): (i32, i32) = (left(ply, ply), left(ply, ply + 1));
        Deed {
            ply,
            is_own: ply.is_multiple_of(2),
            mv: line.text(ply),
            pieces: Vec::new(),
            worth: before - after,
            figure: Figure::default(),
        }
    };
    (0..plies.min(line.moves.len())).map(leap).collect()
}

/// The own pieces that leave their cells in the first line and stay on them in the second, or else
/// the cells on which own pieces stand after one line alone.
pub(crate) fn placed<A: Explain>(
    better: &Line<A>,
    worse: &Line<A>,
    plies: usize,
) -> Option<String> {
    let side = better.mover(0);
    let own = |position: &A| {
        let mut cells = Vec::new();
        position.each_placed(&mut |cell, owner| cells.extend((owner == side).then_some(cell)));
        cells
    };
    let positions = [&better.positions[0], &better.positions[plies], &worse.positions[plies]];
    let [before, here, there] = positions.map(own);
    // Another piece may have come to the cell.
    let stays = |cell: &Place| worse.positions[..=plies].iter().all(|at| own(at).contains(cell));
    let figure = positions[0].drawing(None)?.figures[side.index()];
    let stay: Vec<Place> = without(&before, &here).into_iter().filter(stays).collect();
    let pieces = |position: &A, cells: &[Place]| described(figure, &names(position, cells));
    if !stay.is_empty() {
        let (pieces, stay) =
            (pieces(positions[0], &stay), if stay.len() == 1 { "stays" } else { "stay" });
        return Some(format!("the better line moves {pieces}, which {stay} after the move played"));
    }
    let [here, there] = [without(&here, &there), without(&there, &here)];
    (!here.is_empty() && !there.is_empty()).then(|| {
        let there = list(&names(positions[2], &there));
        format!("the better line has {} instead of {there}", pieces(positions[1], &here))
    })
}

/// The cells of the first list that the second lacks, each once.
pub(crate) fn without(cells: &[Place], others: &[Place]) -> Vec<Place> {
    let mut left: Vec<Place> = Vec::new();
    for cell in cells {
        if !others.contains(cell) && !left.contains(cell) {
            left.push(*cell);
        }
    }
    left
}

/// The letters of the pieces on cells, or the names of the cells.
pub(crate) fn names<A: Explain>(position: &A, cells: &[Place]) -> Vec<String> {
    let Some(drawing) = position.drawing(None) else { return Vec::new() };
    cells.iter().map(|&(x, y)| name(&drawing, y * drawing.width + x)).collect()
}

/// The letter of the piece on a cell, or the name of the cell.
fn name(drawing: &Drawing, index: usize) -> String {
    if let Some((_, letter)) = drawing.cells[index].piece.filter(|(_, letter)| *letter != ' ') {
        return letter.to_string();
    }
    let (x, y) = (index % drawing.width, index / drawing.width);
    match (drawing.columns.get(x), drawing.rows.get(y)) {
        (Some(column), Some(row)) => format!("{column}{row}"),
        _ => format!("{x},{y}"),
    }
}

/// In words: `3,2, 4,1 and 3,4`.
pub(crate) fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// In words: `the sheep on 3,2 and 3,4`, `the geese a and c`.
fn described(figure: Figure, pieces: &[String]) -> String {
    let [one, several] = match figure {
        Figure::Fox => ["fox", "foxes"],
        Figure::Wolf => ["wolf", "wolves"],
        Figure::Sheep => ["sheep", "sheep"],
        Figure::Goose => ["goose", "geese"],
        _ => ["piece", "pieces"],
    };
    let noun = if pieces.len() == 1 { one } else { several };
    // A letter is the piece's own name; a cell is where it stands.
    let on = if pieces[0].chars().all(char::is_alphabetic) { "" } else { "on " };
    format!("the {noun} {on}{}", list(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::RuleSet;

    fn compare<G: Explain>(input: &str, better: &[&str], worse: &[&str]) -> Vec<String> {
        let before = G::read_task(input, G::Rules::AGENT).unwrap().position;
        let line = |texts: &[&str]| -> Line<G> {
            let mut line = Line::new(&before);
            for text in texts {
                let mut moves = line.end().legal_moves().into_iter();
                line.push(moves.find(|&mv| line.end().describe_move(mv) == *text).expect(text));
            }
            line
        };
        told(&line(better), &line(worse), better.len().max(worse.len()), None)
    }

    #[test]
    fn pieces_are_named_by_their_letters() {
        let input = "SINGLE\nFOXES\n5\nMOVES 11\n    X - -\n    c - -\na - - d e Y g\nh i b k l f n\n\
                     - - j - - m -\n    o p q\n    r s t\n";
        let compare = compare::<foxgeese::Position>;
        assert_eq!(compare(input, &["Xd"], &[]), ["Xd takes the goose c"]);
        assert!(compare(input, &[], &["Xd"]).is_empty(), "it takes nothing");
        assert!(compare(input, &["Xd"], &["Xd"]).is_empty(), "both take it");
    }

    #[test]
    fn squares_are_named_with_their_values_for_both_sides() {
        let input = "SINGLE\nO\n5\n5 1 1 1 1\n1 30 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n\
                     X****\n*O***\n*****\n*****\n*****\n";
        assert_eq!(
            compare::<squirrels::Position>(input, &["B1 Raid"], &["E5 Sneak", "B1 Raid"]),
            ["the reply B1 Raid takes B2, worth 30", "B1 Raid takes A1, worth 5"]
        );
    }

    #[test]
    fn later_moves_are_told_with_their_number() {
        let input = "SINGLE\nO\n5\n5 1 1 1 1\n1 30 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n\
                     X****\n*O***\n*****\n*****\n*****\n";
        assert_eq!(
            compare::<squirrels::Position>(
                input,
                &["E5 Sneak", "E3 Sneak", "B1 Raid"],
                &["E5 Sneak", "E3 Sneak", "E1 Sneak", "B1 Raid"]
            ),
            [
                "after the move played the 2nd reply, B1 Raid, takes B2, worth 30",
                "in the better line its 2nd move, B1 Raid, takes A1, worth 5"
            ]
        );
    }
}
