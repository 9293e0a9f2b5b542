//! What the monitor records of the end of a game, and when it tells it. The words that it ends games
//! with stand in `conversations/` (conversations.rs).

use crate::monitor::{Agent, LONG, Monitor, SLICE};
use std::fs;

#[test]
fn a_line_that_cannot_be_read_is_recorded_as_an_illegal_move() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("games.jsonl");
    let monitor = Monitor::start(&["--timeslice", LONG, "--record", record.to_str().unwrap()]);
    let [mut fox, mut sheep] = monitor.game(SLICE);
    fox.say("move 3,1\t3,2\n");
    sheep.hears_the_winner();
    drop((fox, sheep));
    let report = monitor.server.report();
    let reason = "FOX made illegal move null in state: ";
    assert!(report.contains(&format!("winner SHEEP, illegal move ({reason}")), "{report}");
    let text = fs::read_to_string(&record).unwrap();
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.iter().find(|event| event["event"] == "end").unwrap();
    assert_eq!((&end["termination"], &end["winner"]), (&"illegal move".into(), &1.into()), "{end}");
    assert!(end["reason"].as_str().unwrap().starts_with(reason), "{end}");
    let fault = &end["fault"];
    assert_eq!((&fault["player"], &fault["legal_count"]), (&0.into(), &6.into()), "{end}");
}

#[test]
fn both_agents_are_told_at_once_who_has_won() {
    let games = 5;
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", &games.to_string()]);
    let at_once = |_: &usize| {
        let [mut fox, mut sheep] = monitor.game(SLICE);
        fox.say("move 4,4 4,3\ndone\n");
        sheep.hears_the_winner();
        // The monitor waits a second for FOX to hang up. If SHEEP was told before that, what FOX
        // says is still taken.
        let says = |fox: &mut Agent| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::io::Write::write_all(&mut fox.stream, b"oh\n").is_ok()
        };
        says(&mut fox) && says(&mut fox) && says(&mut fox)
    };
    // Once is enough: the machine may stand still for a second.
    assert!((0..games).filter(at_once).count() > 0, "SHEEP is told only after FOX was seen off");
}
