//! The effects of single moves of a line: the pieces that they take or turn over, by name, and how
//! far they bring a piece that runs.

use crate::line::Line;
use engine::drawing::{Figure, Place};
use engine::search::Score;
use engine::{Explain, Side};

/// A reason of a loss is worth at least the points lost, divided by this.
pub(crate) const REASON_PART: Score = 3;
/// A move that brings a piece less far on is not named.
const FAR: i32 = 4;
/// The words that follow a move that ends the game.
pub(crate) const WINS: &str = " and wins";

/// The effect of a move of a line.
struct Deed {
    ply: usize,
    /// Whether it is good for the side that moves first in the line.
    is_own: bool,
    mv: String,
    /// In words the pieces that it takes, or loses by its own fault.
    what: String,
    /// The points or the number of the pieces, or the rows and columns that the move gains.
    worth: i32,
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
    let least = if has_values { lost.unwrap_or(0) / REASON_PART } else { 0 };
    let told = |deeds: [Vec<Deed>; 2], is_named: &dyn Fn(&Deed, &[Deed]) -> bool| {
        let [theirs, own] = differing(&deeds);
        let theirs = theirs.filter(|deed| is_named(deed, &deeds[0]));
        let own = own.filter(|deed| is_named(deed, &deeds[1]));
        let words = |deed: &Deed| format!("{} {}", subject(deed), deed.what);
        theirs.into_iter().chain(own).map(words).collect::<Vec<String>>()
    };
    let taken = [better, worse].map(|line| captures(line, plies));
    let taken = told(taken, &|deed, _| deed.worth >= least);
    if !taken.is_empty() {
        return taken;
    }
    // Both sides of a race make long moves; one of them has to be a good part longer.
    told([better, worse].map(|line| leaps(line, plies)), &|leap, others| {
        let others = others.iter().filter(|other| other.is_own == leap.is_own);
        leap.worth >= FAR && others.into_iter().all(|other| other.worth + 2 <= leap.worth)
    })
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
    fn most<'a>(is_own: bool, deeds: &'a [Deed], others: &[Deed]) -> Option<&'a Deed> {
        let is_new = |deed: &&Deed| {
            let is_same = |other: &Deed| (other.is_own, &other.what) == (is_own, &deed.what);
            deed.is_own == is_own && !others.iter().any(is_same)
        };
        deeds.iter().filter(is_new).rev().max_by_key(|deed| deed.worth)
    }
    [most(false, worse, better), most(true, better, worse)]
}

/// The move as the subject of a sentence, with its number unless it is the first of its side: `the
/// reply 1,1x1,3`, `in the better line, D4 Raid (its move 2)`.
fn subject(Deed { ply, is_own, mv, .. }: &Deed) -> String {
    let mover = if ply.is_multiple_of(2) { "its move" } else { "reply" };
    let number = ply / 2 + 1;
    match (is_own, ply) {
        (true, 0) => mv.clone(),
        (true, _) => format!("in the better line, {mv} ({mover} {number})"),
        (false, 0) => "the move played".to_string(),
        (false, 1) => format!("the reply {mv}"),
        (false, _) => format!("after the move played, {mv} ({mover} {number})"),
    }
}

fn captures<A: Explain>(line: &Line<A>, plies: usize) -> Vec<Deed> {
    let mut found = Vec::new();
    for (ply, &mv) in line.moves.iter().enumerate().take(plies) {
        let (at, after, mover) = (&line.positions[ply], &line.positions[ply + 1], line.mover(ply));
        let values = at.cell_values();
        for owner in Side::BOTH {
            let mut taken = without(&pieces(at, owner), &pieces(after, owner));
            if owner == mover {
                taken.retain(|cell| Some(cell) != at.path(mv).first());
            }
            let Some(drawing) = at.drawing(None).filter(|_| !taken.is_empty()) else { continue };
            let figure = drawing.figures[owner.index()];
            let verb = match figure {
                _ if owner == mover => "loses",
                // Sheep and geese take nothing; a fox that cannot move leaves the board.
                Figure::Fox => "traps",
                _ => "takes",
            };
            let (what, worth) = match values.as_ref() {
                Some(cells) => {
                    let value = |&(x, y): &Place| cells.values[y * drawing.width + x] as i32;
                    let worth = taken.iter().map(value).sum();
                    (format!("{}, worth {worth}", list(at, &taken)), worth)
                }
                None => (described(at, figure, &taken), taken.len() as i32),
            };
            // The last square wins no game of points.
            let is_won = values.is_none() && line.winner(ply + 1) == Some(mover);
            let what = format!("{verb} {what}{}", if is_won { WINS } else { "" });
            let is_own = ply.is_multiple_of(2) != (owner == mover);
            found.push(Deed { ply, is_own, mv: line.text(ply), what, worth });
        }
    }
    found
}

/// The moves that bring a piece on, in a game in which pieces run.
fn leaps<A: Explain>(line: &Line<A>, plies: usize) -> Vec<Deed> {
    let left = |side: Side, plies: usize| -> i32 {
        let counts = A::counts(&line.positions[plies], side).into_iter();
        counts.filter(|count| count.is_way && !count.more_is_better).map(|count| count.number).sum()
    };
    let leap = |ply: usize| {
        let mv = line.text(ply);
        let worth = left(line.mover(ply), ply) - left(line.mover(ply), ply + 1);
        let what = format!("gains {worth} rows and columns");
        Deed { ply, is_own: ply.is_multiple_of(2), mv, what, worth }
    };
    (0..plies.min(line.moves.len())).map(leap).collect()
}

/// Where own pieces stand after one line alone.
pub(crate) fn placed<A: Explain>(
    better: &Line<A>,
    worse: &Line<A>,
    plies: usize,
) -> Option<String> {
    let (side, ends) = (better.mover(0), [better, worse].map(|line| &line.positions[plies]));
    let [here, there] = ends.map(|position| pieces(position, side));
    let [here, there] = [without(&here, &there), without(&there, &here)];
    let figure = ends[0].drawing(None)?.figures[side.index()];
    (!here.is_empty() && !there.is_empty()).then(|| {
        let here = described(ends[0], figure, &here);
        format!("the better line has {here} instead of {}", list(ends[1], &there))
    })
}

fn pieces<A: Explain>(position: &A, side: Side) -> Vec<Place> {
    let mut cells = Vec::new();
    position.each_placed(&mut |cell, owner| cells.extend((owner == side).then_some(cell)));
    cells.sort_by_key(|&(x, y)| (y, x));
    cells
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

/// The letters of the pieces on cells, or the names of the cells: `3,2, 4,1 and 3,4`.
pub(crate) fn list<A: Explain>(position: &A, cells: &[Place]) -> String {
    let Some(drawing) = position.drawing(None) else { return String::new() };
    let name = |&(x, y): &Place| {
        let letter = drawing.cells[y * drawing.width + x].piece.map(|(_, letter)| letter);
        match (letter.filter(|&letter| letter != ' '), drawing.columns.get(x), drawing.rows.get(y))
        {
            (Some(letter), ..) => letter.to_string(),
            (_, Some(column), Some(row)) => format!("{column}{row}"),
            _ => format!("{x},{y}"),
        }
    };
    let names: Vec<String> = cells.iter().map(name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// In words: `the sheep on 3,2 and 3,4`, `the geese a and c`.
fn described<A: Explain>(position: &A, figure: Figure, cells: &[Place]) -> String {
    let [one, several] = match figure {
        Figure::Fox => ["fox", "foxes"],
        Figure::Wolf => ["wolf", "wolves"],
        Figure::Sheep => ["sheep", "sheep"],
        Figure::Goose => ["goose", "geese"],
        _ => ["piece", "pieces"],
    };
    let (noun, list) = (if cells.len() == 1 { one } else { several }, list(position, cells));
    // A letter is the piece's own name; a cell is where it stands.
    let on = if list.starts_with(char::is_alphabetic) { "" } else { "on " };
    format!("the {noun} {on}{list}")
}
