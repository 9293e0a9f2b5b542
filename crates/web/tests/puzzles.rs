//! The puzzles of the page are proven again, by the rules alone: plain recursion over all moves,
//! without the search that found them. Draws and distant losses, which no recursion reaches, are
//! compared with the game's exact tables.

use engine::{Explain, Game, Outcome, RuleSet, Side};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The answers so far of [`forced`], by key and plies, for one winner.
type Known = HashMap<(u64, u64), bool>;

/// Whether a side wins within a number of plies, whatever the other one plays.
fn forced<G: Game>(position: &mut G, side: Side, plies: u64, known: &mut Known) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(side);
    }
    if plies == 0 {
        return false;
    }
    let place = (position.key(), plies);
    if let Some(&answer) = known.get(&place) {
        return answer;
    }
    let own = position.side_to_move() == side;
    let moves = position.legal_moves();
    let mut wins = |mv, plies| {
        let undo = position.play(mv);
        let answer = forced(position, side, plies, known);
        position.undo(mv, undo);
        answer
    };
    let answer = if own {
        // A win by the next move is found before others are followed.
        moves.iter().any(|&mv| wins(mv, 0)) || moves.iter().any(|&mv| wins(mv, plies - 1))
    } else {
        moves.iter().all(|&mv| wins(mv, plies - 1))
    };
    known.insert(place, answer);
    answer
}

/// The points that the first side gets more than the second with best play.
fn margin<G: Game>(position: &mut G, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        let Outcome::Margin(points) = outcome else { panic!("{outcome:?}: expected points") };
        return points;
    }
    let key = position.key();
    if let Some(&points) = known.get(&key) {
        return points;
    }
    let values = position.legal_moves().into_iter().map(|mv| {
        let undo = position.play(mv);
        let points = margin(position, known);
        position.undo(mv, undo);
        points
    });
    let values: Vec<i32> = values.collect();
    let best = if position.side_to_move() == Side::First {
        values.iter().max()
    } else {
        values.iter().min()
    };
    let points = *best.expect("a position without an outcome has a move");
    known.insert(key, points);
    points
}

/// Whether a side gets what `by` says in a position after its move: the plies to its win, counted
/// with the move, its points, or a word for what the tables know.
fn comes_to<G: Explain>(position: &G, side: Side, by: &Value, points: bool) -> bool {
    let mut position = position.clone();
    let by_tables =
        |position: &G| G::proven(position).expect("the tables have it").outcome.winner();
    match by.as_str() {
        Some("draw") => by_tables(&position).is_none(),
        Some("later") => by_tables(&position) == Some(side),
        Some(word) => panic!("{word}: no word of the file"),
        None if points => {
            let points = margin(&mut position, &mut HashMap::new());
            i64::from(if side == Side::First { points } else { -points }) == by.as_i64().unwrap()
        }
        None => forced(
            &mut position,
            side,
            by.as_u64().unwrap().checked_sub(1).unwrap(),
            &mut HashMap::new(),
        ),
    }
}

/// Proves the puzzles of a game.
fn prove<G: Explain>() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("puzzles/{}.json", G::NAME));
    let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let rules = G::Rules::by_name(file["rules"].as_str().unwrap()).unwrap();
    let points = file["unit"] == "points";
    let puzzles = file["puzzles"].as_array().unwrap();
    assert_eq!(puzzles.len(), 30, "{}", G::NAME);
    assert!(
        puzzles.iter().is_sorted_by_key(|puzzle| puzzle["nodes"].as_u64()),
        "{}: from easy to hard",
        G::NAME
    );
    let mut boards: Vec<String> = Vec::new();
    for (number, puzzle) in (1..).zip(puzzles) {
        let name = format!("{}, puzzle {number}", G::NAME);
        let input = puzzle["input"].as_str().unwrap();
        let mut position =
            G::read_task(input, rules).unwrap_or_else(|error| panic!("{name}: {error}")).position;
        let board = board(&position);
        for other in &boards {
            let differs =
                board.chars().zip(other.chars()).filter(|(one, other)| one != other).count();
            assert!(differs >= 5, "{name} is nearly another");
        }
        boards.push(board);
        let side = position.side_to_move();
        let steps = puzzle["steps"].as_array().unwrap();
        themes_hold(&name, &position, puzzle);
        for (at, step) in steps.iter().enumerate() {
            let mut known = HashMap::new();
            let only = position.read_move(step["move"].as_str().unwrap()).unwrap();
            for mv in position.legal_moves() {
                let mut after = position.after(mv);
                if mv == only {
                    assert!(
                        comes_to(&after, side, &step["by"], points),
                        "{name}: the move does not win"
                    );
                    continue;
                }
                let text = position.write_move(mv);
                let refutations = step["refutations"].as_array().unwrap();
                let names =
                    |one: &&Value| one[2].as_array().unwrap().iter().any(|named| *named == *text);
                let refutation = refutations.iter().find(names).or(refutations.last()).unwrap();
                let Some(reply) = refutation[0].as_str() else {
                    let winner = after.outcome().and_then(Outcome::winner);
                    assert_eq!(winner, Some(side.other()), "{name}: {text} does not lose at once");
                    continue;
                };
                let reply = after.read_move(reply).unwrap();
                after.play(reply);
                if refutation[1] == "holds" {
                    let wins = forced(&mut after, side, step["by"].as_u64().unwrap(), &mut known);
                    assert!(!wins, "{name}: {text} wins as soon");
                    continue;
                }
                assert!(
                    comes_to(&after, side.other(), &refutation[1], points),
                    "{name}: {text} is not refuted"
                );
            }
            position.play(only);
            match step["reply"].as_str() {
                Some(reply) => {
                    let reply = position.read_move(reply).unwrap();
                    position.play(reply);
                }
                None => assert_eq!(at + 1, steps.len(), "{name}"),
            }
        }
    }
}

/// Compares the themes of a puzzle with its boards before and after its first move, and with its
/// own lines.
fn themes_hold<G: Explain>(name: &str, position: &G, puzzle: &Value) {
    let side = position.side_to_move();
    let has = |theme: &str| puzzle["themes"].as_array().unwrap().iter().any(|named| named == theme);
    let (steps, of) = (puzzle["steps"].as_array().unwrap(), ['0', '1'][side.index()]);
    let others =
        |position: &G| board(position).chars().filter(|&cell| cell != '.' && cell != of).count();
    let only = position.after(position.read_move(steps[0]["move"].as_str().unwrap()).unwrap());
    let captures = |position_after: &G| others(position_after) < others(position);
    let any_captures = position.legal_moves().into_iter().any(|mv| captures(&position.after(mv)));
    assert_eq!(has("capture"), captures(&only), "{name}");
    assert_eq!(has("quiet"), !captures(&only) && any_captures, "{name}");
    assert_eq!(has("forcing"), only.outcome().is_none() && only.legal_moves().len() == 1, "{name}");
    assert_eq!(has("long"), steps.len() > 2, "{name}");
    if let Some(reply) = steps[0]["reply"].as_str() {
        let own = |position: &G| board(position).chars().filter(|&cell| cell == of).count();
        let then = only.after(only.read_move(reply).unwrap());
        assert_eq!(has("sacrifice"), own(&then) < own(&only), "{name}");
    }
    let refutations = steps[0]["refutations"].as_array().unwrap();
    let at_once = refutations.iter().all(|one| one[1].as_u64().is_some_and(|by| by < 2));
    assert!(!has("defence") || at_once, "{name}");
    let words =
        ["capture", "quiet", "forcing", "long", "sacrifice", "defence", "trap", "chain", "room"];
    assert!(
        puzzle["themes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|theme| words.contains(&theme.as_str().unwrap())),
        "{name}"
    );
}

/// The owners of the cells of a board, a letter each.
fn board<G: Explain>(position: &G) -> String {
    let drawing = position.drawing(None).unwrap();
    drawing
        .cells
        .iter()
        .map(|cell| cell.piece.map_or('.', |(side, _)| ['0', '1'][side.index()]))
        .collect()
}

#[test]
fn halma() {
    prove::<halma::Position>();
}

#[test]
fn wolves() {
    prove::<wolves::Position>();
}

#[test]
fn squirrels() {
    prove::<squirrels::Position>();
}

#[test]
fn foxgame() {
    prove::<foxgame::Position>();
}

#[test]
fn foxgeese() {
    prove::<foxgeese::Position>();
}
