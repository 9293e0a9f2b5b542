//! Plays the conversations in `conversations/` with a real `judge monitor`: at least one for each
//! thing that the course's monitor does beyond the protocol (docs/rules/foxgame.md).

use crate::monitor::{Agent, LONG, Monitor, SLICE};
use std::collections::HashMap;

/// A text of a script as it goes over the wire.
fn spelled(text: &str) -> String {
    let plain = [("\\t", "\t"), ("\\r", "\r"), ("\\b", " "), ("\\7", "\u{7}")];
    plain.iter().fold(text.to_string(), |text, (written, said)| text.replace(written, said)) + "\n"
}

/// Holds one conversation; `place` is where it stands, for messages.
fn hold(place: &str, lines: &[(usize, &str)]) {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let mut agents: HashMap<&str, Agent> = HashMap::new();
    for &(number, line) in lines {
        if line == "seated" {
            agents = ["FOX", "SHEEP"].into_iter().zip(monitor.game(SLICE)).collect();
            continue;
        }
        let mut words = line.splitn(3, ' ');
        let (Some(name), Some(way)) = (words.next(), words.next()) else {
            panic!("{place}:{number}: {line:?}")
        };
        let text = words.next().unwrap_or_default();
        let agent = agents.entry(name).or_insert_with(|| monitor.agent());
        match way {
            ">" => agent.say(&spelled(text)),
            // Scripts have the expected line with escapes; an empty one stands for the end of the
            // connection.
            "<" => {
                let expected = if text.is_empty() { String::new() } else { format!("{text}\n") };
                assert_eq!(agent.hear(), expected, "{place}:{number}");
            }
            _ => panic!("{place}:{number}: expected > or <, found {way:?}"),
        }
    }
}

/// Holds every conversation of a script, each with a monitor of its own.
fn hold_all(name: &str, script: &str) {
    let mut conversations: Vec<Vec<(usize, &str)>> = Vec::new();
    for (index, line) in script.lines().enumerate() {
        match line {
            _ if line.starts_with("== ") => conversations.push(Vec::new()),
            _ if line.is_empty() || line.starts_with('#') => {}
            _ => conversations.last_mut().expect("a title comes first").push((index + 1, line)),
        }
    }
    assert!(!conversations.is_empty());
    conversations.iter().for_each(|lines| hold(name, lines));
}

macro_rules! scripts {
    ($($test:ident: $name:literal),* $(,)?) => {$(
        #[test]
        fn $test() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conversations/", $name);
            hold_all($name, &std::fs::read_to_string(file).unwrap());
        }
    )*};
}

scripts! {
    what_passes_before_the_game: "before-the-game.txt",
    turns_that_pass: "turns-that-pass.txt",
    turns_that_do_not_pass: "turns-that-do-not-pass.txt",
    ends_in_the_course_s_words: "ends.txt",
}
