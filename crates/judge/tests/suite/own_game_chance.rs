//! Tests of games with dice and hidden cards.

use crate::common::{judge, run};
use crate::own_game::{change_rules, copy, root, tic_tac_toe};
use serde_json::Value;
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, folder, text};

fn example(place: &Path, name: &str) {
    copy(&root().join("examples/rules").join(name), &place.join("game"));
}

/// The states and the moves of the games of a record, in their order.
fn states_and_moves(record: &str) -> Vec<(Value, String)> {
    let events = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let parts = events.filter_map(|event| {
        let state = event["position"]["state"].as_str()?.trim_start();
        let output = event["output"].as_str()?.to_string();
        Some((serde_json::from_str(state).unwrap(), output))
    });
    parts.collect()
}

#[test]
fn both_games_of_a_pair_have_the_same_dice_and_other_pairs_others() {
    for (name, key) in [("dice-race", 5), ("one-card", 0)] {
        let place = folder();
        example(&place, name);
        let said = run(&place, "rules-test ./game --games 20 --time 200", 0).stdout;
        assert_has(&said, ["20 random games"]);
        let words = "match --game ./game --games 8 --engine engine=reference:random name=a \
                     --engine engine=reference:greedy name=b --record";
        let starts = |record: &str| -> Vec<String> {
            run(&place, &format!("{words} {record}"), 0);
            let all = states_and_moves(&place.read(record)).into_iter();
            let is_start = |state: &Value| match key {
                5 => state[5] == 0,
                _ => state["hand"] == 1 && state["done"] == "",
            };
            all.map(|(state, _)| state).filter(is_start).map(|state| state.to_string()).collect()
        };
        let found = starts("one");
        assert_eq!(found.len(), 8, "{found:?}");
        assert_eq!(found, starts("two"));
        assert!(found.chunks(2).all(|pair| pair[0] == pair[1]), "{found:?}");
        let different: std::collections::HashSet<&String> = found.iter().collect();
        assert_eq!(different.len(), 4, "{found:?}");
    }
}

/// A game in which the side to move names a number that only the state has.
fn hidden_number(place: &Path) -> String {
    tic_tac_toe(place);
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/hidden-number/rules.py");
    fs::copy(rules, place.join("game/rules.py")).unwrap();
    place.read("game/game.toml").replace("plies = 9", "plies = 40")
}

#[test]
fn a_reference_player_does_not_look_at_what_is_hidden() {
    let place = folder();
    let seen = hidden_number(&place);
    let hidden = format!("{seen}hidden = true\n");
    // The part of its moves that name the number.
    let right = |toml: &str, player: &str| {
        place.write("game/game.toml", toml);
        let player = format!("--engine engine=reference:{player} name=");
        let words = format!(
            "match --game ./game --games 2 --record record --overwrite {player}a {player}b"
        );
        run(&place, &words, 0);
        let moves = states_and_moves(&place.read("record"));
        assert_eq!(moves.len(), 80);
        let right = |state: &Value, output: &str| state["number"].as_u64() == output.parse().ok();
        moves.iter().filter(|(state, output)| right(state, output)).count()
    };
    for player in ["greedy", "mcts:50"] {
        let (all, few) = (right(&seen, player), right(&hidden, player));
        assert!(all > 50 && few < 25, "{player}: {all} where it may look, {few} where it may not");
    }
    change_rules(&place, "def guess(", "def no_guess(");
    let few = right(&hidden, "mcts:50");
    assert!(few < 25, "{few}");
}

#[test]
fn rules_test_tells_how_a_hidden_game_is_declared() {
    let place = folder();
    let toml = hidden_number(&place);
    let said = |toml: &str| {
        place.write("game/game.toml", toml);
        run(&place, "rules-test ./game --games 3", 0).stdout
    };
    assert_has(said(&toml), ["game.toml has no hidden = true: reference players see it all"]);
    change_rules(&place, "def guess(", "def no_guess(");
    assert_has(said(&toml), ["game.toml has no hidden = true: reference players see it all"]);
    let hidden = format!("{toml}hidden = true\n");
    assert_has(said(&hidden), ["the rules have no guess: reference players play at random"]);

    example(&place, "one-card");
    change_rules(&place, "[own, other] if side == 0", "[other, own] if side == 0");
    let said = judge(&place).args(["rules-test", "./game"]).output().unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert_has(text(&said.stdout), ["wrong: guess, task: side 0 gets the file"]);
}
