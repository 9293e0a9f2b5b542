//! The checks of a game's parsers with arbitrary texts, for property tests and fuzzers.

use super::{check_knowledge, check_moves_texts, check_rules};
use crate::protocol::{BYTE_ORDER_MARK, Protocol, RuleSet, Task, TimeControl, Violation};
use crate::split_mix;
use crate::think::{Playable, default_knowledge};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::Duration;

/// Checks by every rule set that an input text is either parsed as a valid task or refused with a
/// line of it, and that an output text is either parsed as a legal move or refused in one line.
pub fn check_texts<A: Playable>(input: &str, output: &str) {
    for &(_, rules) in A::Rules::ALL {
        check_output(&A::start(rules), output);
        match A::read_task(input, rules) {
            Ok(task) => check_task(&task, rules, output),
            Err(error) => {
                let lines = input.split('\n').count() + 1;
                assert!((1..=lines).contains(&error.line), "no such line: {error} in\n{input}");
                check_message(&error.to_string());
            }
        }
        check_mark::<A>(input, output, rules);
    }
}

/// A byte-order mark at the start changes nothing.
fn check_mark<A: Playable>(input: &str, output: &str, rules: A::Rules) {
    let marked = |text: &str| format!("{BYTE_ORDER_MARK}{text}");
    // The second of two marks is a character like any other.
    if !input.starts_with(BYTE_ORDER_MARK) {
        let [marked, plain] = [&marked(input), input].map(|text| A::read_task(text, rules));
        assert_eq!(marked, plain, "a mark alters\n{input}");
    }
    if !output.starts_with(BYTE_ORDER_MARK) {
        let start = A::start(rules);
        let [marked, plain] = [&marked(output), output].map(|text| start.read_move(text));
        assert_eq!(marked, plain, "a mark alters\n{output}");
    }
}

fn check_message(message: &str) {
    assert!(message.len() < 2_000 && !message.contains(char::is_control), "{message:?}");
}

fn check_task<A: Playable>(task: &Task<A>, rules: A::Rules, output: &str) {
    let position = &task.position;
    let text = A::write_task(task);
    assert_eq!(A::read_task(&text, rules).as_ref(), Ok(task), "written anew:\n{text}");
    assert_eq!(position.outcome(), None, "nothing to play:\n{text}");
    check_rules(position, &mut StdRng::seed_from_u64(0));
    check_knowledge(position, &default_knowledge::<A>());
    check_moves_texts(position);
    check_output(position, output);
}

fn check_output<P: Protocol>(position: &P, output: &str) {
    match position.read_move(output) {
        Ok(mv) => assert!(position.is_legal(mv), "read as a move that is not legal: {output}"),
        Err(violation) => {
            if let Violation::Format { line, .. } = violation {
                let lines = output.split('\n').count() + 1;
                assert!((1..=lines).contains(&line), "no such line: {violation}");
            }
            check_message(&violation.to_string());
        }
    }
}

/// Runs [`check_texts`] on random texts, on edited valid files, and on valid characters in wrong
/// places, the same in every run. Panics with the smallest text that breaks the contract.
pub fn any_texts<A: Playable>(cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()));
    let texts = (any::<u64>(), edits(), edits());
    let checked = runner.run(&texts, |(seed, of_input, of_output)| {
        let (input, output) = written_texts::<A>(seed);
        check_texts::<A>(&edited(&input, &of_input), &edited(&output, &of_output));
        Ok(())
    });
    let anything = runner.run(&("(?s).{0,300}", "(?s).{0,60}"), |(input, output)| {
        check_texts::<A>(&input, &output);
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{}: {error}", A::NAME));
    anything.unwrap_or_else(|error| panic!("{}: {error}", A::NAME));
}

/// A valid input of a position reached by random moves, and a valid output for it.
fn written_texts<A: Playable>(seed: u64) -> (String, String) {
    let mut position = A::start(A::Rules::AGENT);
    let mut state = split_mix(seed);
    let plies = state % 60;
    loop {
        let moves = position.legal_moves();
        state = split_mix(state);
        let mv = moves[(state >> 8) as usize % moves.len()];
        let next = position.after(mv);
        if next.outcome().is_some() || state % (plies + 1) == 0 {
            let control = [TimeControl::Single, TimeControl::Game][(state >> 40) as usize % 2];
            let clock = Duration::from_millis(1 + (state >> 50));
            let output = position.write_move(mv);
            return (A::write_task(&Task { position, control, clock }), output);
        }
        position = next;
    }
}

/// An edit of a text's characters or lines. Places are fractions from 0 to 1.
#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Truncate,
    Insert(char),
    /// Replaces the part by the one at another place.
    Copy(f64),
    /// Inserts a copy of the part at another place.
    InsertCopy(f64),
}

/// Edits: whether by lines, the place, and the edit.
fn edits() -> impl Strategy<Value = Vec<(bool, f64, Edit)>> {
    let place = || 0.0..1.0;
    let symbols = " \n\r\t.-,0123456789WBSFXYEJ#*".chars().collect::<Vec<_>>();
    let character = prop_oneof![any::<char>(), proptest::sample::select(symbols)];
    let edit = prop_oneof![
        Just(Edit::Remove),
        Just(Edit::Truncate),
        character.prop_map(Edit::Insert),
        place().prop_map(Edit::Copy),
        place().prop_map(Edit::InsertCopy),
    ];
    proptest::collection::vec((any::<bool>(), place(), edit), 0..6)
}

fn edited(text: &str, edits: &[(bool, f64, Edit)]) -> String {
    let mut text = text.to_string();
    for (by_lines, place, edit) in edits {
        let mut parts: Vec<String> = match by_lines {
            true => text.split_inclusive('\n').map(String::from).collect(),
            false => text.chars().map(String::from).collect(),
        };
        let count = parts.len();
        let index = |place: f64| ((place * count as f64) as usize).min(count - 1);
        match edit {
            _ if parts.is_empty() => {}
            Edit::Remove => drop(parts.remove(index(*place))),
            Edit::Truncate => parts.truncate(index(*place)),
            Edit::Insert(symbol) => parts.insert(index(*place), symbol.to_string()),
            Edit::Copy(from) => parts[index(*place)] = parts[index(*from)].clone(),
            Edit::InsertCopy(from) => parts.insert(index(*place), parts[index(*from)].clone()),
        }
        text = parts.concat();
    }
    text
}
