//! Tests that a player is charged the CPU time of its whole process tree. The CPU clocks of the
//! players' own threads are the measure, so that a busy machine changes nothing.

use crate::common::{example, run};
use serde_json::Value;
use testing::{events, folder};

/// The events of a match in which a player with a command has one turn: the side that begins has
/// the only move of a game.
fn first_turn(player: &str, clock: &str, sandbox: &str) -> Vec<Value> {
    let directory = folder();
    let words = format!(
        "match --game halma --record record --engine name=player '{player}' --engine name=other engine=reference:random \
         --openings start --games 2 --max-plies 1 --each {clock} --wall-margin 100 --sandbox {sandbox} --yes-unsafe"
    );
    run(&directory, &words, 0);
    events(directory.join("record"))
}

/// The CPU seconds that a player is charged for its turn.
fn charged(waste: &str) -> f64 {
    let events = first_turn(&format!("cmd={} {waste}", example("glutton")), "time=100", "auto");
    let is_player = |mv: &Value| {
        let start = events
            .iter()
            .find(|event| event["event"] == "start" && event["game"] == mv["game"])
            .unwrap();
        start["players"][usize::from(mv["side"] == "WHITE")] == "player"
    };
    let mv = events.iter().find(|event| event["event"] == "move" && is_player(event));
    mv.unwrap()["cpu"].as_f64().unwrap()
}

#[track_caller]
fn assert_within_5_percent(waste: &str, expected: f64) {
    let found = charged(waste);
    println!("{waste}: charged {found:.4} s, used {expected} s");
    assert!((found / expected - 1.0).abs() < 0.05, "{waste}: charged {found} s, used {expected} s");
}

#[test]
fn two_threads_are_charged_together() {
    assert_within_5_percent("threads 2 0.5", 1.0);
}

#[test]
fn one_thread_is_charged() {
    assert_within_5_percent("threads 1 0.5", 0.5);
}

#[test]
fn children_that_were_waited_for_are_charged() {
    assert_within_5_percent("children 2 0.4", 0.8);
}

#[test]
fn a_grandchild_that_nobody_waited_for_is_charged() {
    // Longer than the others, for the shell and the two more programs that are started count as
    // well.
    assert_within_5_percent("orphan 1.5", 1.5);
}

/// A player that would burn for a minute is ended soon after its clock of one second, boxed or not.
#[track_caller]
fn assert_ended_at_its_clock(player: &str) {
    for sandbox in ["auto", "off"] {
        let events = first_turn(player, "time=1", sandbox);
        let end = events
            .iter()
            .find(|event| event["event"] == "end" && !event["fault"].is_null())
            .unwrap();
        let cpu = end["fault"]["cpu"].as_f64().unwrap();
        println!("{player}, --sandbox {sandbox}: charged {cpu:.4} s");
        assert_eq!(end["termination"], "time forfeit", "{end:#}");
        // 1.1 s on a quiet machine (docs/security.md); on a loaded one the supervisor gets to look
        // later.
        assert!(cpu > 1.0 && cpu < 5.0, "--sandbox {sandbox}: {end:#}");
    }
}

#[test]
fn an_endless_loop_is_ended_soon_after_its_clock() {
    assert_ended_at_its_clock(&format!("cmd={} threads 1 60", example("glutton")));
}

#[test]
fn threads_and_processes_that_burn_together_are_ended_soon_after_their_clock() {
    assert_ended_at_its_clock(&format!("cmd={} threads 3 60", example("glutton")));
    assert_ended_at_its_clock(&format!("cmd={} children 2 60", example("glutton")));
    assert_ended_at_its_clock(&format!("cmd={} orphan 60", example("glutton")));
}
