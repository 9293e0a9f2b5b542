//! The words that the monitor ends a game with, those of the course's monitor, and what it records
//! of them; over real sockets. What it lets pass and what it does not stands in `conversations/`
//! (conversations.rs).

use crate::monitor::{Agent, Monitor};
use engine::{Game, split_mix};
use foxgame::monitor::wire::FromAgent;
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Move, Position};
use std::fs;

/// A slice in milliseconds that no test waits for: what is told within it is no matter of time.
const LONG: &str = "600000";
const SLICE: u64 = 600_000;

/// The state in the words of `judge monitor`.
const START: &str = "##F.F##/##...##/......./SSSSSSS/SSSSSSS/##SSS##/##SSS##";

#[test]
fn a_line_that_cannot_be_read_is_recorded_as_an_illegal_move() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("games.jsonl");
    let monitor = Monitor::start(&["--timeslice", LONG, "--record", record.to_str().unwrap()]);
    let [mut fox, mut sheep] = monitor.game(SLICE);
    fox.say("move 3,1\t3,2\n");
    let told = sheep.hears_the_winner();
    assert!(told.contains(START), "{told}");
    drop((fox, sheep));
    let report = monitor.server.report();
    assert!(
        report.contains("winner SHEEP, illegal move (FOX made illegal move null in state: "),
        "{report}"
    );
    let text = fs::read_to_string(&record).unwrap();
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.iter().find(|event| event["event"] == "end").unwrap();
    assert_eq!((&end["termination"], &end["winner"]), (&"illegal move".into(), &1.into()), "{end}");
    assert!(
        end["reason"].as_str().unwrap().starts_with("FOX made illegal move null in state: "),
        "{end}"
    );
    assert_eq!(
        (&end["fault"]["player"], &end["fault"]["legal_count"]),
        (&0.into(), &6.into()),
        "what FOX was asked: {end}"
    );
}

#[test]
fn a_line_of_sheep_s_that_cannot_be_read_is_told_with_the_state_it_was_said_in() {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let [mut fox, mut sheep] = monitor.game(SLICE);
    fox.say("move 3,1 3,2\ndone\n");
    sheep.hears(&[&format!("timeslice {SLICE}\n"), "move 3,1 3,2\n", "done\n"]);
    sheep.say(&format!("move {}\n", "4,4 ".repeat(200) + "nowhere"));
    let state = "##..F##/##F..##/......./SSSSSSS/SSSSSSS/##SSS##/##SSS##";
    let told = fox.hears_the_winner();
    assert!(
        told.starts_with(&format!(
            "winner FOX reason: SHEEP made illegal move null in state: {state} ("
        )),
        "{told}"
    );
    // Every agent can read it, however long the line was.
    assert!(told.len() < 300, "{told}");
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

/// A line of move that ends for a reason in the course's words: sheep go ahead, foxes take sheep
/// now and then, and nobody ends the game otherwise if that can be helped.
fn line_that_ends(wanted: &str) -> Vec<Move> {
    for seed in 0..5_000 {
        let (mut position, mut line, mut state) =
            (Position::initial(), Vec::new(), split_mix(seed));
        loop {
            let all = position.legal_moves();
            let reason = |mv: &Move| position.reason_after(*mv);
            if let Some(&last) =
                all.iter().find(|mv| reason(mv).is_some_and(|reason| reason == wanted))
            {
                line.push(last);
                return line;
            }
            state = split_mix(state);
            let sheep = position.board().sheep.len();
            let takes = sheep > 9 && (state >> 32).is_multiple_of(if sheep > 11 { 2 } else { 16 });
            let preferred = |mv: &Move| match position.side_to_move() {
                FOX => mv.captured.is_empty() != takes,
                SHEEP => mv.to.y() < mv.from.y(),
            };
            let filtered = |moves: Vec<Move>, keep: &dyn Fn(&Move) -> bool| {
                let kept: Vec<Move> = moves.iter().copied().filter(keep).collect();
                if kept.is_empty() { moves } else { kept }
            };
            let moves = filtered(filtered(all, &|mv| reason(mv).is_none()), &preferred);
            let mv = moves[(state % moves.len() as u64) as usize];
            position.play(mv);
            line.push(mv);
            // Short games are as good as long ones.
            if position.outcome().is_some() || line.len() > 250 {
                break;
            }
        }
    }
    panic!("no game ends for {wanted:?}");
}

/// Plays a line to its end; what both agents are told then.
fn told_after(monitor: &Monitor, line: &[Move]) -> String {
    let mut agents = monitor.game(SLICE);
    let mut position = Position::initial();
    for &mv in line {
        let words = FromAgent::Move(position.stops(mv)).line();
        let mover = position.side_to_move();
        agents[mover.index()].say(&format!("{words}done\n"));
        position.play(mv);
        if position.outcome().is_none() {
            agents[mover.index()].hears(&[&format!("timeslice {SLICE}\n")]);
            agents[mover.other().index()].hears(&[
                &format!("timeslice {SLICE}\n"),
                &words,
                "done\n",
            ]);
        }
    }
    let [fox, sheep] = agents.map(|mut agent| agent.hear());
    assert_eq!(fox, sheep);
    fox
}

#[test]
fn a_game_ends_with_the_reason_in_the_course_s_words() {
    let reasons = [
        ("FOX", "not enough sheep."),
        ("SHEEP", "not enough foxes"),
        ("SHEEP", "sheep reached the goal."),
        ("SHEEP", "FOX caused an (avoidable) deadlock."),
        ("SHEEP", "FOX caused an (unavoidable) deadlock."),
        ("FOX", "SHEEP caused an (avoidable) deadlock."),
        ("FOX", "SHEEP caused an (unavoidable) deadlock."),
        ("NONE", "draw."),
    ];
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", &reasons.len().to_string()]);
    for (winner, reason) in reasons {
        let line = line_that_ends(reason);
        assert_eq!(told_after(&monitor, &line), format!("winner {winner} reason: {reason}\n"));
    }
    let report = monitor.server.report();
    for (_, reason) in reasons {
        assert!(report.contains(&format!("normal ({reason})")), "{reason}: {report}");
    }
}
