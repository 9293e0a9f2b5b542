//! The pieces that the moves of a line take or turn over, by name.

use engine::drawing::Figure;
use engine::{Drawing, Explain, Side};

#[derive(Clone, PartialEq, Eq)]
struct Piece {
    /// The letter of the piece, or the name of its cell.
    name: String,
    /// The value of its cell in points, or 1.
    worth: u32,
}

struct Capture {
    ply: usize,
    mover: Side,
    mv: String,
    pieces: Vec<Piece>,
    figure: Figure,
}

/// Tells the captures in which two lines differ, if the first is better for the side to move: the
/// opponent's most valuable one in the second line alone, and the own one in the first line alone,
/// among the first `plies` moves.
pub(crate) fn told<A: Explain>(
    before: &A,
    better: &[A::Move],
    worse: &[A::Move],
    plies: usize,
) -> Vec<String> {
    let side = before.side_to_move();
    let values = before.cell_values().map(|cells| cells.values);
    let [better, worse] = [better, worse].map(|line| captures(before, line, plies, &values));
    let sum = |captures: &[Capture]| {
        let signed = |capture: &Capture| {
            let worth: i64 = capture.pieces.iter().map(|piece| i64::from(piece.worth)).sum();
            if capture.mover == side { worth } else { -worth }
        };
        captures.iter().map(signed).sum::<i64>()
    };
    if sum(&better) <= sum(&worse) {
        return Vec::new();
    }
    let most = |mover: Side, captures: &[Capture], others: &[Capture]| {
        let is_new = |capture: &&Capture| {
            capture.mover == mover && !others.iter().any(|other| other.pieces == capture.pieces)
        };
        let worth =
            |capture: &&Capture| -> u32 { capture.pieces.iter().map(|piece| piece.worth).sum() };
        let capture = captures.iter().filter(is_new).rev().max_by_key(worth)?;
        Some((capture.ply, capture.mv.clone(), described(capture, values.is_some())))
    };
    let lost = most(side.other(), &worse, &better).map(|(ply, mv, pieces)| match ply {
        1 => format!("the reply {mv} takes {pieces}"),
        _ => format!("{} moves after the move played, {mv} takes {pieces}", ply / 2 + 1),
    });
    let won = most(side, &better, &worse).map(|(ply, mv, pieces)| match ply {
        0 => format!("{mv} takes {pieces}"),
        _ => format!("{} moves on, {mv} takes {pieces}", ply / 2 + 1),
    });
    lost.into_iter().chain(won).collect()
}

fn captures<A: Explain>(
    before: &A,
    line: &[A::Move],
    plies: usize,
    values: &Option<Vec<u32>>,
) -> Vec<Capture> {
    let mut at = before.clone();
    let mut found = Vec::new();
    for (ply, &mv) in line.iter().take(plies).enumerate() {
        let (mover, text) = (at.side_to_move(), at.describe_move(mv));
        let drawn = at.drawing(None);
        at.play(mv);
        let [Some(drawn), Some(after)] = [drawn, at.drawing(None)] else { return found };
        let owner = mover.other();
        let is_taken = |&index: &usize| {
            let owns = |drawing: &Drawing| {
                drawing.cells[index].piece.is_some_and(|(side, _)| side == owner)
            };
            owns(&drawn) && !owns(&after)
        };
        let pieces: Vec<Piece> = (0..drawn.cells.len())
            .filter(is_taken)
            .map(|index| Piece {
                name: name(&drawn, index),
                worth: values.as_ref().map_or(1, |values| values[index]),
            })
            .collect();
        if !pieces.is_empty() {
            let figure = drawn.figures[owner.index()];
            found.push(Capture { ply, mover, mv: text, pieces, figure });
        }
    }
    found
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

/// In words: `the sheep on 3,2 and 3,4`, `A1 and B2, worth 48`.
fn described(capture: &Capture, have_values: bool) -> String {
    let names: Vec<&str> = capture.pieces.iter().map(|piece| piece.name.as_str()).collect();
    let list = match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    };
    if have_values {
        let worth: u32 = capture.pieces.iter().map(|piece| piece.worth).sum();
        return format!("{list}, worth {worth}");
    }
    let [one, several] = match capture.figure {
        Figure::Fox => ["fox", "foxes"],
        Figure::Wolf => ["wolf", "wolves"],
        Figure::Sheep => ["sheep", "sheep"],
        Figure::Goose => ["goose", "geese"],
        _ => ["piece", "pieces"],
    };
    let noun = if names.len() == 1 { one } else { several };
    // A letter is the piece's own name; a cell is where it stands.
    let on = if names[0].chars().all(char::is_alphabetic) { "" } else { "on " };
    format!("the {noun} {on}{list}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::RuleSet;

    fn compare<G: Explain>(input: &str, better: &[&str], worse: &[&str]) -> Vec<String> {
        let before = G::read_task(input, G::Rules::AGENT).unwrap().position;
        let line = |texts: &[&str]| -> Vec<G::Move> {
            let mut at = before.clone();
            let mut play = |text: &&str| {
                let mv = *at.legal_moves().iter().find(|&&mv| at.describe_move(mv) == *text)?;
                at.play(mv);
                Some(mv)
            };
            texts.iter().map(|text| play(text).expect(text)).collect()
        };
        told(&before, &line(better), &line(worse), 2)
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
}
