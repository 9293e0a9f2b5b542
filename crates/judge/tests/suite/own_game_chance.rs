//! Tests of games with dice and hidden cards.

use crate::common::run;
use crate::own_game::{RULES, SETTINGS, example_game, references, tic_tac_toe};
use serde_json::Value;
use std::collections::HashSet;
use testing::{Folder, NewFolder, copy, events, repository};

/// The states and the moves of the games of the record in a folder, in their order.
fn states_and_moves(place: &NewFolder) -> Vec<(Value, String)> {
    let parts = events(place.join("record")).into_iter().filter_map(|event| {
        let state = event["position"]["state"].as_str()?.trim_start();
        let output = event["output"].as_str()?.to_string();
        Some((serde_json::from_str(state).unwrap(), output))
    });
    parts.collect()
}

#[test]
fn both_games_of_a_pair_have_the_same_dice_and_other_pairs_others() {
    for name in ["dice-race", "one-card"] {
        let place = example_game(name);
        run(&place, "rules-test ./game --games 10 --requests 10000000", 0).has(["10 random games"]);
        let words = references("random", "greedy").replace("--games 2", "--games 4");
        let starts = |seed: &str| -> Vec<String> {
            run(&place, &format!("{words} {seed} --record record --overwrite"), 0);
            let is_start = |state: &Value| match name {
                "dice-race" => state[5] == 0,
                _ => state["hand"] == 1 && state["done"] == "",
            };
            let states = states_and_moves(&place).into_iter().map(|(state, _)| state);
            states.filter(is_start).map(|state| state.to_string()).collect()
        };
        let found = starts("--seed 1");
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found, starts("--seed 1"));
        let drawn = starts("");
        assert!(drawn != found && drawn != starts(""), "nobody knows the dice before");
        assert!(found.chunks(2).all(|pair| pair[0] == pair[1]), "{found:?}");
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 2, "{found:?}");
    }
}

/// A game in which the side to move names a number that only the state has.
fn hidden_number() -> NewFolder {
    let place = tic_tac_toe();
    copy(repository("crates/judge/tests/rules/hidden-number/rules.py"), place.join(RULES));
    place.edit(SETTINGS, "plies = 9", "plies = 40");
    place
}

fn hide(place: &NewFolder) {
    place.write(SETTINGS, place.read(SETTINGS) + "hidden = true\n");
}

#[test]
fn rules_test_tells_what_a_seed_in_the_scheme_gives_away() {
    let place = example_game("dice-race");
    let told = "scheme.toml has a seed, and `start` makes another game of each number";
    place.write("game/scheme.toml", "game = \"dice-race\"\n");
    run(&place, "rules-test ./game --games 2", 0).lacks([told]);
    place.write("game/scheme.toml", "game = \"dice-race\"\nseed = 7\n");
    run(&place, "rules-test ./game --games 2", 0).has([told, "read the notes."]);
}

#[test]
fn a_reference_player_does_not_look_at_what_is_hidden() {
    let place = hidden_number();
    // The part of its moves that name the number.
    let right = |player: &str| {
        run(&place, &format!("{} --record record --overwrite", references(player, player)), 0);
        let moves = states_and_moves(&place);
        assert_eq!(moves.len(), 80);
        let right = |state: &Value, output: &str| state["number"].as_u64() == output.parse().ok();
        moves.iter().filter(|(state, output)| right(state, output)).count()
    };
    let seeing = [right("greedy"), right("mcts:200")];
    hide(&place);
    let blind = [right("greedy"), right("mcts:50")];
    assert!(
        seeing.iter().all(|&all| all > 50) && blind.iter().all(|&few| few < 25),
        "{seeing:?} {blind:?}"
    );
    place.edit(RULES, "def guess(", "def no_guess(");
    let few = right("mcts:50");
    assert!(few < 25, "{few}");
}

#[test]
fn rules_test_tells_how_a_hidden_game_is_declared() {
    let place = hidden_number();
    let words = "rules-test ./game --games 3";
    let undeclared = ["game.toml has no hidden = true: reference players see it all"];
    run(&place, words, 0).has(undeclared);
    place.edit(RULES, "def guess(", "def no_guess(");
    run(&place, words, 0).has(undeclared);
    hide(&place);
    run(&place, words, 0).has(["the rules have no guess: reference players play at random"]);
    let place = example_game("one-card");
    place.edit(RULES, "[own, other] if side == 0", "[other, own] if side == 0");
    run(&place, "rules-test ./game", 1).has(["wrong: guess, task: side 0 gets the file"]);
}
