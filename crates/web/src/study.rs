//! The functions with which a page judges moves: analysis, the judge's check, and the position with
//! the other side to move.

use crate::findings::{alternative, analysed};
use crate::game_api::{play_move, read, words};
use analysis::accuracy::MoveValue;
use analysis::finding::{Effort, Finding};
use anygame::game::Answer;
use anygame::{AnyGame, AnyMove, AnyPosition, Position};
use engine::Side;
use engine::clock::NoClock;
use serde_json::{Value, json};

/// Analyses a move by a search of `nodes` nodes, as `judge analyse` does: chances as the expected
/// result of the first side, the mark, the cost of the move as text, the better line if there is
/// one, what [`accuracy`] needs of it, and the points that it provably lost.
///
/// # Errors
/// If a text cannot be parsed, the move is refused, or the game is over before it.
pub fn analyse(
    game: &AnyGame,
    input: &str,
    rules: &str,
    output: &str,
    nodes: u64,
) -> Result<Value, String> {
    let (position, mv) = parse_turn(game, input, rules, output)?;
    let finding =
        position.analyse(mv.code, Effort::Nodes(nodes.max(1)), &NoClock).map_err(words)?;
    Ok(finding_json(game, &*position, mv.code, &finding))
}

/// Like [`analyse`], without a search: `finding` is the finding that a record has on the move.
///
/// # Errors
/// See [`analyse`].
pub fn explain(
    game: &AnyGame,
    input: &str,
    rules: &str,
    output: &str,
    finding: &Finding,
) -> Result<Value, String> {
    let (position, mv) = parse_turn(game, input, rules, output)?;
    Ok(finding_json(game, &*position, mv.code, finding))
}

/// Parses a position and a legal move.
fn parse_turn(
    game: &AnyGame,
    input: &str,
    rules: &str,
    output: &str,
) -> Result<(Position, AnyMove), String> {
    let position = read(game, input, rules)?.position;
    let (mv, _) = play_move(&position, output)?;
    Ok((position, mv))
}

/// The finding on a move as JSON.
fn finding_json(game: &AnyGame, position: &dyn AnyPosition, code: u32, finding: &Finding) -> Value {
    let MoveValue { before, after, counts } = MoveValue::of(finding, game.curve);
    let mut value = analysed(finding, position.side_to_move() == Side::First);
    value["value"] = json!([before, after, f64::from(u8::from(counts))]);
    value["pointsLost"] = json!(finding.points_lost());
    value["depth"] = json!(finding.depth);
    if let Some(better) = finding.mark.and_then(|_| position.better(code, finding)) {
        value["better"] = alternative(&better, &[]);
    }
    value
}

/// The accuracy of a side by the `value`s of its moves in order, three numbers each; null if too few
/// count.
pub fn accuracy(values: &[f64]) -> Value {
    let moves = values.as_chunks::<3>().0.iter();
    let moves =
        moves.map(|&[before, after, counts]| MoveValue { before, after, counts: counts > 0.0 });
    json!(::analysis::accuracy::accuracy(&moves.collect::<Vec<_>>()))
}

/// Checks an output file against an input file as `judge check` does. Returns whether the move is
/// legal, and the judge's text.
///
/// # Errors
/// If the input file cannot be parsed, or there is no such rule set.
pub fn check(game: &AnyGame, input: &str, rules: &str, output: &str) -> Result<Value, String> {
    let answer = Answer { input, output, file: "output.txt" };
    let checked = game.rules.check(&answer, Some(rules)).map_err(words)?;
    let checked = checked.map_err(|error| format!("input.txt:{error}"))?;
    Ok(json!({ "legal": checked.legal.is_some(), "text": checked.text }))
}

/// The input file of the same position with the other side to move. The best move in it is that
/// side's threat.
///
/// # Errors
/// If the text cannot be parsed, or there is no such position: in Squirrels the number of pieces
/// determines the side to move.
pub fn turned(game: &AnyGame, input: &str, rules: &str) -> Result<String, String> {
    let task = read(game, input, rules)?;
    let other = game.side_word(task.position.side_to_move().other());
    let text = task.input().map_err(words)?;
    let lines = text.lines().enumerate().map(|(at, line)| if at == 1 { other } else { line });
    let turned: String = lines.map(|line| format!("{line}\n")).collect();
    if read(game, &turned, rules)?.position.codes().is_empty() {
        return Err(format!("{other} has no move"));
    }
    Ok(turned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_api::{play, start};
    use foxgame::Position as FoxGame;
    use halma::Position as Halma;

    fn of<G: engine::Examine>() -> AnyGame {
        AnyGame::of::<G>()
    }

    #[test]
    fn a_move_is_analysed_as_the_judge_does_and_what_a_record_says_of_it_is_told_alike() {
        let input = start(&of::<Halma>(), "base", 10.0).unwrap();
        let backward = crate::game_api::look(&of::<Halma>(), &input, "base").unwrap()["moves"]
            .as_array()
            .unwrap()
            .clone();
        let told: Vec<Value> = backward
            .iter()
            .map(|mv| {
                analyse(&of::<Halma>(), &input, "base", mv["output"].as_str().unwrap(), 3_000)
                    .unwrap()
            })
            .collect();
        let unmarked = |told: &&Value| told["mark"].is_null() && told["better"].is_null();
        let good = told.iter().find(unmarked).unwrap();
        let value = good["value"].as_array().unwrap();
        let value: Vec<f64> = value.iter().map(|number| number.as_f64().unwrap()).collect();
        assert!(accuracy(&value.repeat(5)).as_f64() > Some(80.0), "{good}");
        assert_eq!(accuracy(&value.repeat(4)), Value::Null);
        let (position, mv) =
            parse_turn(&of::<Halma>(), &input, "base", backward[3]["output"].as_str().unwrap())
                .unwrap();
        let finding = position.analyse(mv.code, Effort::Nodes(3_000), &NoClock).unwrap();
        let explained = explain(
            &of::<Halma>(),
            &input,
            "base",
            backward[3]["output"].as_str().unwrap(),
            &finding,
        )
        .unwrap();
        assert_eq!(explained, told[3]);
    }

    #[test]
    fn a_blunder_has_a_better_line_with_positions_to_draw() {
        // Moves taken without thinking, among which there are blunders.
        let mut input = start(&of::<FoxGame>(), "standard", 10.0).unwrap();
        let mut blunders = 0;
        for ply in 0..40 {
            let seen = crate::game_api::look(&of::<FoxGame>(), &input, "standard").unwrap();
            let moves = seen["moves"].as_array().unwrap();
            let output = moves[ply * 5 % moves.len()]["output"].as_str().unwrap();
            let told = analyse(&of::<FoxGame>(), &input, "standard", output, 2_000).unwrap();
            if told["mark"] == "blunder" {
                blunders += 1;
                assert!(
                    told["better"]["line"][0]["way"].as_str().unwrap().starts_with("<path"),
                    "{told}"
                );
                assert!(told["cost"].as_str().unwrap().starts_with("a blunder; "), "{told}");
            }
            let Some(next) = play(&of::<FoxGame>(), &input, "standard", output).unwrap()["input"]
                .as_str()
                .map(String::from)
            else {
                break;
            };
            input = next;
        }
        assert!(blunders > 0, "forty moves without thinking and no blunder");
    }

    #[test]
    fn an_output_is_checked_in_the_words_of_the_judge() {
        let input = start(&of::<Halma>(), "base", 10.0).unwrap();
        let legal = check(&of::<Halma>(), &input, "base", "J 15,12 13,10\n").unwrap();
        assert!(
            legal["legal"] == true && legal["text"].as_str().unwrap().contains(" plays 15,12"),
            "{legal}"
        );
        let refused = check(&of::<Halma>(), &input, "base", "E 0,0 5,5\n").unwrap();
        let text = refused["text"].as_str().unwrap();
        assert!(
            refused["legal"] == false && text.starts_with("output.txt: illegal move: "),
            "{text}"
        );
        assert!(
            check(&of::<Halma>(), "SINGLE\nRED\n", "base", "")
                .unwrap_err()
                .starts_with("input.txt:2: expected")
        );
    }

    #[test]
    fn the_other_side_gets_the_turn_where_the_game_allows_it() {
        let input = start(&of::<FoxGame>(), "standard", 10.0).unwrap();
        let other = turned(&of::<FoxGame>(), &input, "standard").unwrap();
        assert_eq!(other.lines().nth(1), Some("SHEEP"));
        assert_eq!(turned(&of::<FoxGame>(), &other, "standard").unwrap(), input);
        assert!(turned(&of::<FoxGame>(), "SINGLE\n", "standard").is_err());
    }
}
